"""A look that a window can draw at once, until the shaders of the scene's own are compiled.

On software OpenGL those take half a minute to compile, and this one's a second.
"""

from __future__ import annotations

from fellview.draw.ground import palettes
from fellview.scene.groups.ground import Ground
from fellview.scene.groups.sky import Sky
from fellview.scene.scene import Scene


def simple(scene: Scene) -> Scene:
    """Return `scene` without water, clouds, shadows, stones and surroundings, its ground in two colours."""
    return scene.with_group(_in_two_colours(scene.ground)).replace(
        {
            "sky.kind": Sky.declaration("kind").options[0],
            "air.tone": "none",
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


def _in_two_colours(ground: Ground) -> Ground:
    """Return the demo's ground in the colours that level and steep places have of `ground`."""
    (base, _, steep, *_), (_, bare_slope, *_) = palettes.plain_parts(ground)
    tints = palettes.demo_tints(base, steep)
    return ground.replace(kind="demo", tint=tints[0], bare_tint=tints[1], bare_slope=min(bare_slope, 90.0))
