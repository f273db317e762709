"""The land that goes on beyond the border: coarse grids around the land, drawn as the land itself is drawn.

Two grids lie around the land like frames, the finer one up to one and a half sides beyond each border, the coarser one
from there to five and a half; a rim of its last vertices, moved far out, is the ground up to the horizon. Their heights
are the land's, mirrored at its sides, slanting, moved aside and raised or lowered by slow waves
(shaders/draw/land/surroundings.glsl), and so are slopes, masks, lakes and rivers. Light is worked out on those heights,
not mirrored, so that shadows agree with the sun.

Grids of different fineness share no vertices on their borders. Skirts of both hang down there, farther than any two
heights are apart, so that nothing can be seen between them (`terrain.py`).

Rejected: light traced through mirrored textures in the pass behind everything, which costs every pixel of sky many
looks; vertices of the land's own grid drawn again mirrored, where each border is the axis of a symmetry.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw.ground.cover import Cover
from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.tile import Tile, border_blocks
from fellview.draw.light.light_map import LightMap
from fellview.draw.light.lighting import Lighting, goes_on, sun_direction
from fellview.draw.water.water import NEAR_CELLS, WaterMaps, reach_m
from fellview.gpu import formats, stand_ins
from fellview.gpu.context import is_software
from fellview.gpu.passes import GridPasses, Number
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water

_FRAMES = ((0.0, 1.5, 128), (1.5, 5.5, 32))
"""Sides of the land beyond each border from which on and up to which each reaches, and its cells a side of the land:
as many as make whole blocks of both."""
_SHARPER = 1.0  # levels finer than a cell: a mean over all of it would leave far ridges too low
_SETTLES = (4.2, 5.4)  # sides from the border over which the ground sinks to the plain: the last of the coarser frame
_RIVERS_FINER = 4  # texels of rivers a cell along each axis: of 27 m around a land of 14 km
_RIVERS_END = (0.7, 0.98)  # of the finer frame's width, between which rivers run dry
_RIM_SIDES = 60.0  # how far out the rim lies: from 100 m up over a land of 8 km, 0.01 degrees below the horizon
_SOFTWARE_LIGHT, _HARDWARE_LIGHT = 256, 512  # most cells a side of their light maps
_SMALL_TURNS = 4  # small frames in which light around the land follows the sun: a frame's at a time
_SKY_SIDE = 80  # cells a side for the share of sky, which costs the most of all: a quarter of the land's own
_EYE_OVER_M = 2.0  # the ground outside of the land: of a tall standing person
_NOWHERE_M = -1e6  # the level of no water, as in the shaders


@dataclass(frozen=True)
class Around:
    """One frame as it is drawn."""

    height_map: HeightMap
    tile: Tile
    lighting: Lighting
    reach_m: float
    """How far its farthest ground is from the land's first vertex, at most."""

    def of_surfaces(self) -> Around:
        """Return it for a frame of surfaces."""
        return dataclasses.replace(self, lighting=dataclasses.replace(self.lighting, surface=True))


class Surroundings:
    """Keeps the frames around one land in one OpenGL context; their light is `coarser` than in a window's pictures."""

    def __init__(self, context: moderngl.Context, coarser: int = 1) -> None:
        self._context, self._coarser = context, coarser
        self._grids = GridPasses(context)
        self._frames: list[_Frame] = []
        self._land: moderngl.Texture | None = None
        self._made: tuple[object, ...] = ()
        self._sides_m = (0.0, 0.0)
        self._turn = 0
        self.made = 0
        """How often heights were carried on."""
        self.waits = False
        """Whether only heights follow the land while something moves: light, water and what ground is made of come when
        it rests, and before anything has been made nothing is drawn."""

    def prepare(
        self,
        scene: Scene,
        height_map: HeightMap,
        cover: Cover,
        lighting: Lighting,
        *,
        resting: bool,
        small: bool = False,
    ) -> tuple[Around, ...]:
        """Return what is to be drawn around the land of `scene`, the nearest first; nothing where nothing is wanted.

        `cover` is ready for the land, and `lighting` is the land's. In `small` frames, of fewer pixels than their
        picture, shadows follow the sun by turns.
        """
        field = height_map.field
        if not goes_on(scene) or field is None or height_map.heights is None or min(field.rows, field.columns) < 2:
            return ()
        resting = resting or not self.waits
        if not resting and not self._made:
            return ()
        self.carry_on(scene, height_map, rough=small)
        if self._hide(scene):
            return ()
        low, high = field.height_range
        skirt_m = scene.view.exaggeration * max(self._frames[0].highest_m, high) - scene.view.exaggeration * low
        self._turn += 1
        turn = self._turn * len(self._frames) / _SMALL_TURNS % len(self._frames)
        return tuple(
            frame.around(scene, field, cover, lighting, skirt_m, resting=resting, lit=not small or turn == number)
            for number, frame in enumerate(self._frames)
        )

    def carry_on(self, scene: Scene, height_map: HeightMap, *, rough: bool = False) -> None:
        """Make the heights around the land of `height_map`, where that or how high they are to be has changed.

        How coarsely they may be drawn is known only of those before where it is `rough`.

        Every picture has those that fit: others would leave the sides that hang down to be seen as a wall.
        """
        field, height = height_map.field, scene.view.surroundings_height / 100
        assert field is not None and height_map.heights is not None
        if (height_map.version, height) == self._made:
            for frame in () if rough else self._frames:
                frame.measure()
            return
        self._frames = self._frames or [_Frame(self._context, self._grids, self._coarser, *frame) for frame in _FRAMES]
        self._made = height_map.version, height
        self._sides_m = (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]
        self.made += 1
        land = self._with_levels(height_map.heights)
        for frame in self._frames:
            frame.carry_on(land, field, height, rough=rough)

    def heights_at(self, x_m: NDArray[np.float64], z_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the heights in metres at places around the land, as they were made last; -inf where nothing is."""
        heights = np.full(np.shape(x_m), -np.inf)
        for frame in self._frames:
            heights = np.where(np.isneginf(heights), frame.heights_at(x_m, z_m), heights)
        return heights

    def _with_levels(self, heights: moderngl.Texture) -> moderngl.Texture:
        """Return a copy of `heights` with its coarser levels."""
        if self._land is None or self._land.size != heights.size:
            if self._land is not None:
                self._grids.give_back(self._land)
                self._grids.trim()
            self._land = self._grids.texture(heights.height, heights.width, levels=True)
            self._land.build_mipmaps()
            self._land.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self._grids.run("gpu/copy.frag", self._land, {"u_field": heights})
        self._land.build_mipmaps()
        return self._land

    def _hide(self, scene: Scene) -> bool:
        """Return whether the eye is outside of the land and under the ground there, which would hide everything.

        Parallel sight lines come from far over it.
        """
        camera, (x_m, z_m) = scene.camera, self._sides_m
        if camera.is_parallel:
            return False
        if 0 <= camera.x <= x_m and 0 <= camera.z <= z_m:
            return False
        height_m = float(self.heights_at(np.array(camera.x), np.array(camera.z)))
        return camera.y < scene.view.exaggeration * height_m + _EYE_OVER_M


class _Frame:
    """One grid around the land, of which the middle is left out."""

    def __init__(
        self, context: moderngl.Context, grids: GridPasses, coarser: int, first: float, last: float, cells: int
    ) -> None:
        self._context, self._grids = context, grids
        self._first, self._last = first, last
        self._cells = cells  # a side of the land
        self._vertices = round((2 * last + 1) * cells) + 1
        count, start = (self._vertices - 1) // BLOCK_CELLS, round((last - first) * cells) // BLOCK_CELLS
        self._left_out = np.zeros((count, count), bool)
        self._left_out[start : count - start, start : count - start] = True
        self._skirt_blocks = border_blocks((count, count))
        self._skirt_blocks[start - 1 : count - start + 1, start - 1 : count - start + 1] = True
        self._skirt_blocks &= ~self._left_out
        self._is_last = last == _FRAMES[-1][1]
        self._height_map = HeightMap(context)
        side = _SOFTWARE_LIGHT if is_software(context) else _HARDWARE_LIGHT
        self._light = LightMap(context, side // coarser, _SKY_SIDE // coarser)
        self._lit: moderngl.Texture | None = None
        self._lit_version = 0
        self._heights = grids.texture(self._vertices, self._vertices)
        self._fields: dict[str, tuple[moderngl.Texture, object]] = {}
        self._numbers: dict[str, Number] = {}
        self._standing: dict[str, moderngl.Texture] = {}
        self._standing_of: object = None
        self._standing_version = 0
        self._no_lakes = grids.upload(stand_ins.values(_NOWHERE_M, self._heights.size))
        self._no_lakes.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._rivers: moderngl.Texture | None = None
        self._no_rivers = stand_ins.empty(context, self._heights.size)
        self._no_far_land = grids.upload(np.full((1, 1, 4), _NOWHERE_M, np.float32))

    @property
    def _field(self) -> HeightField:
        assert self._height_map.field is not None
        return self._height_map.field

    @property
    def highest_m(self) -> float:
        """The highest of all heights."""
        return self._field.height_range[1]

    @property
    def _origin_m(self) -> tuple[float, float]:
        z, x = self._field.cell_size
        return -self._last * self._cells * x, -self._last * self._cells * z

    def measure(self) -> None:
        """See to it that how coarsely the heights may be drawn is known of themselves."""
        self._height_map.measure()

    def carry_on(self, land: moderngl.Texture, field: HeightField, height: float, *, rough: bool) -> None:
        """Make heights around `field`, whose heights with their coarser levels are `land`, `height` times as high."""
        cells = (field.rows - 1) / self._cells, (field.columns - 1) / self._cells  # of the land's, for one of these
        finest = _FRAMES[0][2]
        self._numbers = {
            "u_land_texels": (float(field.columns), float(field.rows)),
            "u_settles": (*_SETTLES, height),
            "u_first": (float(-self._last), float(-self._last)),
            "u_sides_a_cell": 1 / self._cells,
            "u_level": _level(max(cells)),
            "u_fine_level": _level(max(cells) * self._cells / finest) if self._first else 0.0,
            "u_inner_sides": float(self._first),
            "u_plain_m": float(field.border.mean()),
            "u_range_m": field.height_range,
            "u_land_m": ((field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]),
        }
        self._grids.run("draw/land/surroundings_heights.frag", self._heights, {"u_land": land}, self._numbers)
        heights = self._grids.read(self._heights)
        heights.flags.writeable = False
        z, x = (cell * size for cell, size in zip(cells, field.cell_size, strict=True))
        self._height_map.upload(HeightField(heights, (z, x)), rough=rough)

    def heights_at(self, x_m: NDArray[np.float64], z_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the heights in metres of the vertices that are the nearest to places; -inf outside."""
        origin_x, origin_z = self._origin_m
        cell_z, cell_x = self._field.cell_size
        row, column = (np.rint((z_m - origin_z) / cell_z), np.rint((x_m - origin_x) / cell_x))
        last = self._vertices - 1
        inside = (row >= 0) & (row <= last) & (column >= 0) & (column <= last)
        at = (np.clip(each, 0, last).astype(np.intp) for each in (row, column))
        return np.where(inside, self._field.heights[tuple(at)], -np.inf)

    def around(
        self,
        scene: Scene,
        land: HeightField,
        cover: Cover,
        lighting: Lighting,
        skirt_m: float,
        *,
        resting: bool,
        lit: bool = True,
    ) -> Around:
        """Return the frame as it is drawn around `land`, with skirts that hang down `skirt_m`.

        Its light is brought up to date where it rests, and where it is to be `lit` and its ground has not changed.
        """
        z, x = self._field.size
        origin_x, origin_z = self._origin_m
        half = 0.5 / self._vertices
        place = (1 / x, 1 / z, half - origin_x / x, half - origin_z / z)
        kept = (land.columns - 1) / land.columns, (land.rows - 1) / land.rows  # of vertices, what cells there are
        sides = self._vertices / self._cells
        tile = Tile(
            self._origin_m,
            self._left_out,
            self._skirt_blocks,
            skirt_m,
            _RIM_SIDES * max(land.size) if self._is_last else 0.0,
            (origin_x / x, origin_z / z),
            (sides * kept[0], sides * kept[1], -self._last * kept[0], -self._last * kept[1]),
            self._textures(cover, resting),
        )
        water = self._water(lighting.water, scene.water, resting) if lighting.water is not None else None
        if resting or self._lit is None or (lit and self._lit_version == self._height_map.version):
            self._lit_version = self._height_map.version
            self._lit = self._light.texture(
                self._height_map,
                sun_direction(scene.sun.azimuth, scene.sun.elevation),
                float(np.radians(scene.sun.diameter) / 2),
                scene.sun.shadows,
                scene.view.exaggeration,
                *((water.surface, water.version) if water else ()),
            )
        there = dataclasses.replace(
            lighting,
            light_map=self._lit,
            map_place=place,
            water=water,
            far_land=self._no_far_land if lighting.far_land is not None else None,
        )
        reach = (self._last + 1) * max(land.size) + tile.rim_m
        return Around(self._height_map, tile, there, math.hypot(reach, reach))

    def _textures(self, cover: Cover, resting: bool) -> dict[str, moderngl.Texture]:
        """Return what takes the place of the textures that `cover` has of the land's vertices, by name."""
        found = {}
        for name, of_land in cover.of_vertices.items():
            key = (of_land.version, self._height_map.version)
            kept = self._fields.get(name)
            if kept is None or (kept[1] != key and resting):
                texture = kept[0] if kept else self._texture(of_land.texture.components)
                numbers = {**self._numbers, "u_has_slopes": float(of_land.has_slopes)}
                if of_land.texture.filter[0] == moderngl.LINEAR:
                    numbers["u_level"] = 0.0
                self._grids.run("draw/land/surroundings_field.frag", texture, {"u_field": of_land.texture}, numbers)
                texture.build_mipmaps()
                kept = self._fields[name] = texture, key
            found[name] = kept[0]
        return found

    def _texture(self, components: int) -> moderngl.Texture:
        dtype = formats.of(self._context).drawn(components, formats.WIDE, "what ground around the land is like")
        texture = self._context.texture((self._vertices, self._vertices), components, dtype=dtype)
        texture.repeat_x = texture.repeat_y = False
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return texture

    def _water(self, water: WaterMaps, group: Water, resting: bool) -> WaterMaps:
        """Return the maps of the land's `water` for what is around it."""
        assert self._height_map.heights is not None
        grids, has_lakes = self._grids, water.has_lakes
        has_rivers = water.has_rivers and self._first == 0  # farther out nobody sees them
        sea_m = group.sea_level if group.sea else _NOWHERE_M
        key = (self._height_map.version, sea_m, group.swash, has_lakes, has_rivers, water.version, water.rivers_version)
        lakes = self._no_lakes
        if not self._standing:
            across = self._vertices, -(-self._vertices // NEAR_CELLS)
            self._standing = {
                name: grids.texture(side, side) for name, side in zip(("surface", "near"), across, strict=True)
            }
            self._standing["near"].filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._standing_of = None
        if has_lakes:
            if "lakes" not in self._standing:
                self._standing["lakes"] = grids.texture(self._vertices, self._vertices)
                self._standing["lakes"].filter = (moderngl.LINEAR, moderngl.LINEAR)
                self._standing_of = None
            lakes = self._standing["lakes"]
        if self._standing_of is None or (key != self._standing_of and resting):
            self._standing_of = key
            self._standing_version += 1
            if has_lakes:
                levels = grids.texture(self._vertices + 2, self._vertices + 2)
                theirs = {"u_lakes": water.textures["u_lakes"]}
                grids.run("draw/land/surroundings_lake_levels.frag", levels, theirs, self._numbers)
                grids.run("draw/land/surroundings_lakes.frag", lakes, {"u_levels": levels})
                grids.give_back(levels)
            if has_rivers:
                self._carry_rivers_on(water.textures["u_rivers"])
            textures = {"u_heights": self._height_map.heights, "u_lakes": lakes}
            numbers: dict[str, Number] = {"u_sea_m": sea_m, "u_has_lakes": float(has_lakes)}
            grids.run("draw/water/water_surface.frag", self._standing["surface"], textures, numbers)
            level = math.log2(_RIVERS_FINER)
            numbers |= {"u_has": (float(has_lakes), float(has_rivers)), "u_reach_m": reach_m(group)}
            numbers |= {"u_river_level": level}
            textures |= {"u_rivers": self._rivers if has_rivers and self._rivers else self._no_rivers}
            grids.run("draw/water/water_mask.frag", self._standing["near"], textures, numbers)
        rivers = self._rivers if has_rivers and self._rivers else self._no_rivers
        ours = {"u_ground_m": self._height_map.heights, "u_lakes": lakes, "u_rivers": rivers}
        return dataclasses.replace(
            water,
            textures={**water.textures, **ours},
            surface=self._standing["surface"],
            near=self._standing["near"],
            version=self._standing_version,
        )

    def _carry_rivers_on(self, rivers: moderngl.Texture) -> None:
        """Make the texture of rivers here of that of the land."""
        if self._rivers is None:
            side = _RIVERS_FINER * self._vertices
            self._rivers = self._context.texture((side, side), 4)
            self._rivers.repeat_x = self._rivers.repeat_y = False
            self._rivers.build_mipmaps()
            self._rivers.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        numbers = {
            **self._numbers,
            "u_finer": float(_RIVERS_FINER),
            "u_river_level": _level(max(rivers.size) / (_RIVERS_FINER * self._cells)),
            "u_rivers_end": tuple(share * self._last for share in _RIVERS_END),
        }
        self._grids.run("draw/land/surroundings_rivers.frag", self._rivers, {"u_rivers": rivers}, numbers)
        self._rivers.build_mipmaps()


def _level(cells: float) -> float:
    """Return the level of a texture of which a texel is about as wide as so many cells."""
    return max(math.log2(max(cells, 1.0)) - _SHARPER, 0.0)
