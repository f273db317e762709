"""A look that a window can draw at once, until the shaders of the scene's own are compiled.

On software OpenGL those take half a minute to compile, and this one's a second. Its colours are about those that the
scene has in its own light, worked out beforehand: its shaders know nothing of light and film.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.draw.colour import LUMINANCE, from_srgb
from fellview.draw.ground import palettes
from fellview.draw.ground.plain_picture import PlainColours, PlainScene
from fellview.draw.light.estimate import Estimate, estimate
from fellview.gpu.uniform_block import rgb
from fellview.scene.groups.sky import Sky
from fellview.scene.scene import Scene

_GREY = 0.2  # the albedo of usual ground, by which shade is told from light
_MIRRORED = 0.25  # of the light that water sends, the sky's that it mirrors, looked at from some hills


def simple(scene: Scene) -> Scene:
    """Return `scene` without water, clouds, shadows, stones and surroundings, its land in plain colours."""
    bare = scene.replace(
        {
            "sky.kind": Sky.declaration("kind").options[0],
            "air.tone": "none",
            "air.mist": 0.0,
            "sun.shadows": False,
            "sky.clouds": 0.0,
            "sky.cirrus": 0.0,
            "water.enabled": False,
            "rock.enabled": False,
            "view.surroundings": "plain",
            "view.border": 0.0,
            "view.stage": "landscape",
            "view.figure": False,
        }
    )
    light: dict[str, Any] = {}
    has_sea = scene.water.enabled and scene.water.sea
    if scene.sky.kind == "gradient" and scene.air.tone == "none":
        if scene.ground.kind == "demo":
            return bare
        parts, borders = palettes.plain_parts(scene.ground)
        colours, water = np.array(parts), np.array(rgb(scene.water.colour))
    else:
        known = estimate(scene)
        colours, water, borders = _shown(scene, known)
        level, light = _light(scene, known, float(colours.max()), float(water.max()) if has_sea else 0.0)
        colours = colours / level
    ground = {"ground.kind": "demo", "ground.tint": "#ffffff", "ground.bare_slope": 90.0, "ground.repeats": 1.0}
    groups: dict[str, Any] = dict(bare.replace(ground | light).groups())
    plain = PlainColours(tuple(map(tuple, colours.tolist())), borders, scene.ground.snow_softness, groups["sun"])
    if has_sea:
        plain = dataclasses.replace(plain, water=tuple(water.tolist()), sea_level_m=scene.water.sea_level)
    return PlainScene(scene.name, scene.sentence, scene.bookmarks, **groups, colours=plain)


def _shown(scene: Scene, light: Estimate) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[float, ...]]:
    """Return the display colours of level ground of each part, (parts, rgb), and of the sea, and the parts' borders."""
    parts, borders = palettes.plain_parts(scene.ground)
    colours = np.array([light.shown(from_srgb(part) * light.level) for part in parts])
    mirrored = 0.5 * (light.zenith + light.horizon)
    depths = from_srgb(rgb(scene.water.colour)) * light.level
    return colours, light.shown((1 - _MIRRORED) * depths + _MIRRORED * mirrored), borders


def _light(scene: Scene, light: Estimate, brightest: float, least: float) -> tuple[float, dict[str, Any]]:
    """Return how much light there is on level ground, and what makes it and the sky.

    It is as much as the `brightest` colour needs, and where the sun does not come at least the `least`: in less light
    the bed of the sea, which no water covers, cannot look as bright as that.
    """
    rise = max(float(np.sin(np.radians(scene.sun.elevation))), 0.0)
    on_level, in_shade = (float(LUMINANCE @ light.shown(_GREY * each)) for each in (light.level, light.shade))
    share = in_shade / max(on_level, 1e-6)  # nothing is lit by a night without air
    level = min(max(brightest, least / max(share, 1e-6), 1e-3), 1.0)
    around = max(share * level, level - rise, min(least, level))  # sunlight is 1 at most
    sun = (level - around) / rise if rise > 0 else 0.0
    return level, {
        "sky.zenith": _text(light.shown(light.zenith)),
        "sky.horizon": _text(light.shown(light.horizon)),
        "sky.visibility": scene.sky.visibility if scene.sky.kind != "space" else Sky.declaration("visibility").high,
        "sun.light": _text(np.full(3, sun)),
        "sun.shade": "#ffffff",
        "sun.ambient": around,
    }


def _text(colour: NDArray[np.float64]) -> str:
    """Return a display colour, 0 to 1, as ``#rrggbb``."""
    return f"#{bytes(np.rint(255 * np.clip(colour, 0, 1)).astype(np.uint8)).hex()}"
