"""What a page shows of one land: its light seen straight from above, the sky around it, and the air between.

All of it is drawn by the renderer itself, so that a page has the ground, the light, the water and the clouds of the
window. Maps are pictures from straight above: of what lies around the camera, of the land, and of what is around that.
The eye does not count in them but for the sun's glitter on water, which from above is seldom in them.

Pictures are told in 8 bits as film shows them, each channel by itself: what is dark has as many levels there as the
screen has, and what is brighter than the screen is still told apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights
from fellview.draw.colour import from_srgb, to_srgb
from fellview.draw.light.incident_light import from_above
from fellview.draw.light.lighting import goes_on, is_linear
from fellview.draw.registry import THE_SKY
from fellview.draw.renderer import Renderer
from fellview.draw.water import waves
from fellview.gpu import context as gpu_context
from fellview.gpu.uniform_block import rgb
from fellview.scene.scene import Scene
from fellview.view import projection
from fellview.view.ground import above_all

MIDDLE, MIDDLE_SHOWN, CONTRAST = 0.4, 0.25, 1.4
"""The curve of draw/light/filmic.glsl, at a contrast of 1."""

LEVELS = 255
MOST_CELLS, MOST_AROUND = 1024, 512  # a side of heights, of land and of grids around it: more would be too large
SKY_TEXELS = 304  # a side of each face of the cube around the eye, in which clouds are soft
_SAMPLES, _FIRST_SAMPLES = 4, 8
_FACES = ((90.0, 0.0), (270.0, 0.0), (0.0, 90.0), (0.0, -90.0), (0.0, 0.0), (180.0, 0.0))
"""Yaw and pitch of the faces of a cube map, +x −x +y −y +z −z, whose rows go down from +y."""
FIRST, FIRST_SKY = (1280, 720), (960, 540)  # pixels of what the camera sees
LAND_TEXELS, NEAR_TEXELS, AROUND_TEXELS, FAR_TEXELS = 1216, 640, 640, 384
_NEAR_SIDES = 0.12  # of the land, of the map about what the camera sees nearest
_AHEAD = 0.4  # of that map's side, how far its middle lies before the eye
_AROUND_SIDES, _FAR_SIDES = 4.0, 12.0  # of the land: as far as the two grids around it reach
_PALE_BAND = 0.12  # as in draw/sky/sky_light.glsl
_NO_AIR_M = 1e9  # a height in metres over which air does not thin


@dataclass(frozen=True)
class Map:
    """The light of a rectangle of ground, seen from straight above.

    `place` is its corner with the least x and z and its sides along x and z, in metres. `picture` is uint8 [row,
    column, rgb], the row with the greatest z first.
    """

    place: tuple[float, float, float, float]
    picture: NDArray[np.uint8]


@dataclass(frozen=True)
class Grid:
    """Heights of ground in metres, float32 [row, column], and of the water over them; none is below all of them.

    `origin` is where its first vertex lies and `cell` how far apart they are, x and z in metres. Blocks of 64×64 cells
    from `left_out[0]` up to `left_out[1]` a side are another grid's. A `rim` above 0 is how far out its border goes on,
    and `rim_sinks` how much lower it ends there.
    """

    heights: Heights
    water: Heights | None
    origin: tuple[float, float]
    cell: tuple[float, float]
    left_out: tuple[int, int] = (0, 0)
    rim: float = 0.0
    rim_sinks: float = 0.0


@dataclass(frozen=True)
class PageLand:
    """A scene as a page shows it."""

    scene: Scene
    """With its camera lifted out of the ground, as it is drawn."""
    grids: tuple[Grid, ...]
    """The land, and what is around it, the nearest first."""
    maps: tuple[Map, ...]
    """The finest first."""
    first: NDArray[np.uint8]
    """The light of the ground and the water as the camera sees it, without air, uint8 [row, column, rgb]."""
    first_sky: NDArray[np.uint8]
    """The sky behind it, likewise, with its air."""
    sky: tuple[NDArray[np.uint8], ...]
    """Six faces of a cube, uint8 [row, column, rgb], as OpenGL orders them."""
    sky_table: NDArray[np.float16]
    """The sky's light without clouds, [row, column, rgba], as draw/sky/sky_coordinate.glsl has it."""
    numbers: dict[str, float | list[float]]
    """What the page's shaders take."""


def land(
    scene: Scene,
    field: HeightField,
    report: Callable[[str, float], None] = lambda step, fraction: None,
    notice: Callable[[str], None] = lambda text: None,
) -> PageLand:
    """Return what a page shows of `scene` over `field`, drawn without a window.

    `report` is told how far it is, and `notice` in one line what could not be drawn as asked. `FellviewError` where
    there is no OpenGL 3.3.
    """
    scene = scene.with_group(above_all(scene, field))
    view = scene.view.replace(mode="textured", contours=False, figure=False, stage="landscape", legend=False)
    camera = scene.camera.replace(projection="perspective")
    scene = scene.with_group(view).with_group(camera)
    rectangles = _rectangles(scene, field)
    steps = len(_FACES) + 2 + len(rectangles)
    with gpu_context.aside() as context:
        behind = Renderer(context, THE_SKY)
        behind.show(field)
        sky = []
        for number, (yaw, pitch) in enumerate(_FACES):
            report("sky", number / steps)
            face = camera.replace(mode="orbit", yaw=yaw, pitch=pitch, field_of_view=90.0)
            sky.append(_encoded(behind.light(scene.with_group(face), (SKY_TEXELS, SKY_TEXELS), 1), scene))
        first_sky = _encoded(behind.light(scene, FIRST_SKY, _SAMPLES), scene)
        values, table = behind.light_pass.values, behind.light_pass.sky_table
        report("first view", (steps - len(rectangles) - 1) / steps)
        renderer = Renderer(context)
        renderer.keep_far_ground(is_looked_down_at=False)
        renderer.show(field)
        first = _encoded(renderer.light(scene, FIRST, _FIRST_SAMPLES, clear_air=True), scene)
        maps = []
        for number, (place, texels) in enumerate(rectangles, len(_FACES) + 2):
            report("maps", number / steps)
            x, z, wide, deep = place
            size = texels, max(round(texels * deep / wide), 1)
            above = camera.replace(
                mode="orbit", projection="orthographic", x=x + wide / 2, z=z + deep / 2, yaw=0.0, pitch=-90.0, span=deep
            )
            maps.append(
                Map(place, _encoded(renderer.light(scene.with_group(above), size, _SAMPLES, clear_air=True), scene))
            )
        grids = [_land_grid(scene, field)]
        for each in renderer.around:
            ground = each.height_map.field
            assert ground is not None and each.tile.left_out is not None
            step = max((ground.columns - 1) // MOST_AROUND, 1)
            left_out = np.flatnonzero(each.tile.left_out.any(axis=0))
            blocks = (int(left_out[0]) // step, (int(left_out[-1]) + 1) // step)
            cell = step * ground.cell_size[1], step * ground.cell_size[0]
            rim = each.tile.rim_m, each.tile.rim_sinks_m
            grids.append(Grid(ground.heights[::step, ::step], None, each.tile.origin_m, cell, blocks, *rim))
        for text in (*renderer.take_notices(), *behind.take_notices()):
            notice(text)
    return PageLand(
        scene,
        tuple(grids),
        tuple(maps),
        first,
        first_sky,
        tuple(sky),
        _table(scene, values, table),
        _numbers(scene, field, values),
    )


def _rectangles(scene: Scene, field: HeightField) -> list[tuple[tuple[float, float, float, float], int]]:
    """Return the places of the maps and their texels along x, the finest first."""
    wide, deep = ((field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0])
    camera = scene.camera
    ahead_x, _, ahead_z = projection.axes(camera.yaw, 0.0)[2]
    side = _NEAR_SIDES * max(wide, deep)
    x, z = float(camera.x + _AHEAD * side * ahead_x), float(camera.z + _AHEAD * side * ahead_z)
    found = [
        ((x - side / 2, z - side / 2, side, side), NEAR_TEXELS),
        ((0.0, 0.0, wide, deep), LAND_TEXELS),
    ]
    for sides, texels in ((_AROUND_SIDES, AROUND_TEXELS), (_FAR_SIDES, FAR_TEXELS)):
        beside = (sides - 1) / 2
        found.append(((-beside * wide, -beside * deep, sides * wide, sides * deep), texels))
    return found


def film(light: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return what a page's pictures tell of exposed `light`, from 0 to 1. Twin: light_of() in assets/page.html."""
    bend = (1 - MIDDLE_SHOWN) ** (-1 / 3) - 1
    return to_srgb(1 - (1 + bend * (np.maximum(light, 0) / MIDDLE) ** CONTRAST) ** -3.0)


def _encoded(light: NDArray[np.float32], scene: Scene) -> NDArray[np.uint8]:
    shown = film(light) if is_linear(scene) else light
    return np.rint(LEVELS * np.clip(shown, 0, 1)).astype(np.uint8)


def _land_grid(scene: Scene, field: HeightField) -> Grid:
    """Return the land's heights, of at most `MOST_CELLS` vertices a side, with the water that stands over them."""
    water = np.full(field.heights.shape, -np.inf, np.float32)
    group = scene.water
    if group.enabled and group.sea:
        water[:] = group.sea_level
    if group.enabled and group.lakes and "lake_depth" in field.masks:
        depth = field.masks["lake_depth"]
        level = np.where(depth > 0, field.heights + depth, -np.inf)
        around = np.pad(level, 1, constant_values=-np.inf)  # so that a shore lies between a lake's cell and dry ground
        rows, columns = field.heights.shape
        for row in range(3):
            for column in range(3):
                water = np.maximum(water, around[row : row + rows, column : column + columns])
    heights, cell = field.heights, (field.cell_size[1], field.cell_size[0])
    for axis in (0, 1):
        count = heights.shape[axis]
        if count > MOST_CELLS:
            places = np.linspace(0, count - 1, MOST_CELLS)
            heights, water = (_between(each, places, axis) for each in (heights, water))
            step = (count - 1) / (MOST_CELLS - 1)
            cell = (cell[0], cell[1] * step) if axis == 0 else (cell[0] * step, cell[1])
    return Grid(heights, water if np.isfinite(water).any() else None, (0.0, 0.0), cell)


def _between(values: Heights, places: NDArray[np.float64], axis: int) -> Heights:
    """Return `values` at `places` along an axis, by straight lines; where one of two is -inf, there is the other."""
    low = np.minimum(places.astype(np.intp), values.shape[axis] - 2)
    share = np.expand_dims((places - low).astype(np.float32), 1 - axis)
    first, second = values.take(low, axis), values.take(low + 1, axis)
    first, second = np.where(np.isfinite(first), first, second), np.where(np.isfinite(second), second, first)
    with np.errstate(invalid="ignore"):  # of two that are none
        return np.asarray(np.where(np.isfinite(first), (1 - share) * first + share * second, first), np.float32)


def _table(scene: Scene, values: dict[str, NDArray[np.float32]], table: NDArray[np.float32]) -> NDArray[np.float16]:
    """Return the sky's light as exposed light, or in display colours, whichever sky it is."""
    exposure = values["exposure"][:3] if is_linear(scene) else np.ones(3)
    if scene.sky.kind == "physical" and is_linear(scene):
        light = values["above_air"][:3] * table[..., :3] + values["night"][:3]
    elif scene.sky.kind == "space" and is_linear(scene):
        light = np.zeros((2, 2, 3))
    else:
        rise = (np.linspace(0, 1, 64) ** 2)[:, None, None]
        clear = 1 - np.exp(-rise * rise / (_PALE_BAND * (rise + _PALE_BAND)))
        horizon, zenith = _painted(scene)
        light = np.repeat(horizon + clear * (zenith - horizon), 2, axis=1)
    lit = np.minimum(exposure * light, np.finfo(np.float16).max)
    return np.concatenate([lit, np.ones((*lit.shape[:2], 1))], axis=-1).astype(np.float16)


def _painted(scene: Scene) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return horizon and zenith of a painted sky, as light or in display colours, whichever it is drawn in."""
    horizon, zenith = (np.array(rgb(text)) for text in (scene.sky.horizon, scene.sky.zenith))
    return (from_srgb(horizon), from_srgb(zenith)) if is_linear(scene) else (horizon, zenith)


def _numbers(
    scene: Scene, field: HeightField, values: dict[str, NDArray[np.float32]]
) -> dict[str, float | list[float]]:
    """Return the numbers that the page's shaders take, light as exposed light."""
    linear = is_linear(scene)
    kind = scene.sky.kind if linear else "gradient"
    exposure = values["exposure"][:3].astype(np.float64) if linear else np.ones(3)
    rayleigh, mie = values["air_rayleigh"].astype(np.float64), values["air_mie"].astype(np.float64)
    mist, mist_light = float(values["mist"][3]), exposure * values["mist"][:3]
    if kind == "gradient":
        rayleigh, mie[3], mist_light = np.array([0.0, 0.0, 0.0, _NO_AIR_M]), _NO_AIR_M, exposure * _painted(scene)[0]
    elif kind == "space":
        rayleigh, mie, mist = np.array([0.0, 0.0, 0.0, _NO_AIR_M]), np.array([0.0, 0.0, 0.0, _NO_AIR_M]), 0.0
    level = from_above(values["sky"]) + values["sun"][:3] * max(float(values["sun_dir"][1]), 0.0)
    group = scene.water
    sea = group.enabled and group.sea
    alone = not goes_on(scene)
    share, fetch_m = (1.0, 100e3) if sea else (0.6, 1.5e3)
    *sizes, finer = waves.steepness(share * group.wind, fetch_m) if group.enabled else (0.0,) * 4
    found: dict[str, float | NDArray[Any]] = {
        "tone": (0.0 if not linear else 2.0 if scene.air.tone == "filmic" else 1.0),
        "contrast": scene.air.contrast,
        "saturation": scene.air.saturation,
        "sun_dir": values["sun_dir"],
        "sun": exposure * values["sun"][:3],
        "rayleigh": rayleigh,
        "mie": mie,
        "mist": np.array([*mist_light, mist]),
        "mist_top": scene.air.mist_top,
        "mist_falloff": scene.air.mist_falloff,
        "rough": float(np.square(sizes).sum() + finer),
        "exaggeration": scene.view.exaggeration,
        "flat": 1.0 if alone and sea else 2.0 if alone and kind != "gradient" else 0.0,
        "flat_height": float(group.sea_level) if sea else float(field.border.mean()),
        "plain": np.array([*(exposure * values["plain"][:3] * level), values["plain"][3]]),
    }
    return {
        name: [_short(one) for one in value] if isinstance(value, np.ndarray) else _short(value)
        for name, value in found.items()
    }


def _short(number: float) -> float:
    """Return `number` with as many digits as float32 has."""
    return float(f"{number:.7g}")
