"""One grid around a land, of which the middle is left out: its heights, its light and its water.

Heights are worked out on the GPU (shaders/draw/land/surroundings_heights.frag), and light on those heights, so that
shadows agree with the sun. Which grids there are, and when each is made, is decided in `surroundings.py`.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights
from fellview.draw.ground.cover import Cover
from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.recipe_form import RecipeForm
from fellview.draw.land.surroundings_lakes import Ground, Lakes
from fellview.draw.land.surroundings_plan import Extent, How, settles
from fellview.draw.land.surroundings_water import FrameWater, Sources, level_of
from fellview.draw.land.tile import Tile, border_blocks
from fellview.draw.light.incident_light import lit_from
from fellview.draw.light.light_map import LightMap
from fellview.draw.light.lighting import Lighting
from fellview.draw.passes import Passes
from fellview.draw.water.shelter_map import NOWHERE_M
from fellview.gpu import formats, mipmaps
from fellview.gpu.context import is_software
from fellview.gpu.passes import GridPasses, Number
from fellview.scene.scene import Scene

_LIBRARIES = {
    "mirrored": (),
    "tiled": ("draw/land/surroundings_tiles.glsl",),
    "pieces": ("draw/land/surroundings_cut.glsl",),
    "islands": ("draw/land/surroundings_islands.glsl",),
    "recipe": ("draw/land/surroundings_recipe.glsl",),
}
"""What is put in front of shaders, by what far ground is made of; pieces and islands have no lakes and rivers."""
_TILED = "tiled", "recipe"  # of which nothing is mirrored
_FAR, _FAR_FROM = ("draw/land/surroundings_far.glsl",), 1.05  # sides of the land out, as in surroundings.glsl
_BAYS = 2.6  # sides by which it does so sooner in places, where an eye sees how it ends and no horizon hides that
_COARSENS = 0.3  # of a frame's width, over which heights become as coarse as the next one's, which else is a square
_STRIPS = 8  # of rows, in which the ground that a camera sees is worked out
_ROUGH_CELLS = 32  # a side of the land, at least, of which a draft is not told from one of every second vertex
_RIVERS_END = (1.05, 1.47)  # sides from the border between which rivers run dry: in the frame that has them
_TILED_RIVERS_END = (0.6, 0.72)  # the same where pieces of land begin then, which would cut them
_RECIPE_RIVERS_END = (0.015, 0.05)  # the same where only the strip beside the border has the form of what is mirrored
_ENDS_OF_RIVERS = {"recipe": _RECIPE_RIVERS_END, "tiled": _TILED_RIVERS_END}
_RIVERS_GO_ON = (0.004, 0.012)  # the same where they have valleys of their own there
_TILE_FORM = 0.1  # of a side: what is wider passes from piece to piece by means, what is finer with its variance
_JOINS = 0.25  # sides within which its light becomes that of the frame around it
_RIM_SIDES = 60.0  # how far out the rim lies: from 100 m up over a land of 8 km, 0.01 degrees below the horizon
MOON_RADIUS_M = 1_737_400.0  # the mean: of the world whose sky has no air
_ROUND_RIM_SIDES = 5.5  # how far out the rim lies on a round one: from 5 km up, at the horizon of a land of 12 km
_SMALL_LIGHT = 128  # most cells a side of its light map while something moves


@dataclass(frozen=True)
class Around:
    """One frame as it is drawn."""

    height_map: HeightMap
    tile: Tile
    lighting: Lighting
    reach_m: float
    """How far its farthest ground is from the land's first vertex, at most."""

    def lit_by(self, light_map: moderngl.Texture) -> Around:
        """Return it with another light map."""
        return dataclasses.replace(self, lighting=dataclasses.replace(self.lighting, light_map=light_map))

    def of_surfaces(self) -> Around:
        """Return it for a frame of surfaces."""
        return dataclasses.replace(self, lighting=dataclasses.replace(self.lighting, surface=True))


class Frame:
    """One grid around the land, of which the middle is left out."""

    def __init__(self, context: moderngl.Context, grids: GridPasses, coarser: int, extent: Extent) -> None:
        self._context, self._grids = context, grids
        self._extent = extent
        self._cells = extent.cells
        self._vertices = round((2 * extent.last + 1) * extent.cells) + 1
        self._blocks = {inner: self._around(inner) for inner in {0.0, extent.first}}
        self._lowest_on_lines_m: dict[float, float] = {}
        self._height_map = HeightMap(context)
        side, sky_side = extent.light[0 if is_software(context) else 1] // coarser, extent.sky // coarser
        self._light = LightMap(context, side, sky_side)
        small = _SMALL_LIGHT // coarser
        self._small_light = self._light if side <= small else LightMap(context, small, sky_side, finer=self._light)
        self._lit: moderngl.Texture | None = None
        self._lit_by = self._light
        self._over_land: moderngl.Texture | None = None
        self._over_land_of: object = None
        self._joined: moderngl.Texture | None = None
        self._joined_of: object = None
        self._lit_version = 0
        self._lit_how: tuple[object, ...] = ()
        self._heights = self._worked_out = grids.texture(self._vertices, self._vertices)
        self._every_second: moderngl.Texture | None = None
        self._every_second_of = -1  # the version of the heights that it has
        self._cell_m = (0.0, 0.0)
        self._measures = True  # how coarsely heights may be drawn
        self._sources = Sources()
        self._fields: dict[str, tuple[moderngl.Texture, object]] = {}
        self._made_of: How | None = None
        self._begun_of: How | None = None
        self.is_rough = False
        """Whether every second vertex lies between others, instead of being worked out."""
        self._rim_m = self._rim_sinks_m = 0.0
        self._water = FrameWater(context, grids, self._vertices, self._cells, extent.river_texels)
        self._no_far_land = grids.upload(np.full((1, 1, 4), NOWHERE_M, np.float32))

    def _around(self, inner: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which blocks are left out up to `inner` sides beyond the land, and which have skirts."""
        count = (self._vertices - 1) // BLOCK_CELLS
        start = self._hole(inner)[0] // BLOCK_CELLS
        left_out = np.zeros((count, count), bool)
        left_out[start : count - start, start : count - start] = True
        skirt_blocks = border_blocks((count, count))
        skirt_blocks[start - 1 : count - start + 1, start - 1 : count - start + 1] = True
        return left_out, skirt_blocks & ~left_out

    def _hole(self, inner: float) -> tuple[int, int]:
        """Return the first and the last vertex, along either axis, of what is left out up to `inner` sides beyond."""
        first = round((self._extent.last - inner) * self._cells)
        return first, self._vertices - 1 - first

    @property
    def last(self) -> float:
        """How many sides of the land beyond each border it reaches."""
        return self._extent.last

    @property
    def _field(self) -> HeightField:
        assert self._height_map.field is not None
        return self._height_map.field

    @property
    def highest_m(self) -> float:
        """The highest of all heights."""
        return self._field.height_range[1]

    @property
    def ground(self) -> Ground:
        """Its heights and where they lie."""
        return Ground(self._field.heights, self.last, self._cells)

    @property
    def first(self) -> float:
        """From how many sides of the land beyond each border on it is drawn, once all have been made."""
        return self._extent.first

    def take_lakes(self, found: Lakes | None) -> None:
        """Have lakes in its hollows, where they have been `found`."""
        self._water.hollows = found

    def lowest_on_lines_m(self, inner: float) -> float:
        """Return the lowest height on the borders of what is drawn from `inner` sides around the land on."""
        return self._lowest_on_lines_m[inner]

    def is_of(self, how: How | None) -> bool:
        """Return whether its heights are there, and go by `how`."""
        return how is not None and self._made_of == how.up_to(self.last)

    @property
    def _origin_m(self) -> tuple[float, float]:
        z, x = self._field.cell_size
        return -self.last * self._cells * x, -self.last * self._cells * z

    @property
    def _map_place(self) -> tuple[float, float, float, float]:
        """From metres to texture coordinates: factors x, z and offsets x, z."""
        (z, x), (origin_x, origin_z), half = self._field.size, self._origin_m, 0.5 / self._vertices
        return (1 / x, 1 / z, half - origin_x / x, half - origin_z / z)

    def measure(self) -> None:
        """See to it that how coarsely the heights may be drawn is known of themselves."""
        self._height_map.measure()

    def begin(
        self,
        land: moderngl.Texture,
        places: dict[str, moderngl.Texture],
        field: HeightField,
        how: How,
        form: RecipeForm,
        *,
        rough: bool,
    ) -> Passes[None]:
        """Have OpenGL begin heights around `field`, whose heights with their coarser levels are `land`.

        `end` takes them, once this has come to its end. `places` are textures that say from where on the land ground is
        taken, and `form` is that of the recipe.
        """
        self._made_of = self._begun_of = None
        far = how.otherwise if how.far == "recipe" and form.agreement == 0 else how.far
        cells = (field.rows - 1) / self._cells, (field.columns - 1) / self._cells  # of the land's, for one of these
        sides_m = (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]
        bends = tuple(side**2 / (2 * MOON_RADIUS_M) if how.is_round else 0.0 for side in sides_m)
        first, finer = self._extent.first, self._extent.finer_cells
        numbers: dict[str, Number] = {
            "u_land_texels": (float(field.columns), float(field.rows)),
            "u_settles": settles(how),
            "u_bays": _BAYS if how.goes_far and not how.is_round else 0.0,
            "u_bends": bends,
            "u_first": (-self.last, -self.last),
            "u_sides_a_cell": 1 / self._cells,
            "u_cell_m": (cells[1] * field.cell_size[1], cells[0] * field.cell_size[0]),
            "u_level": level_of(max(cells)),
            "u_inside_level": math.log2(max(*cells, 1.0)),
            "u_fine_level": level_of(max(cells) * self._cells / finer) if first else 0.0,
            "u_inner_sides": first,
            "u_coarse_level": level_of(max(cells) * self._cells / self._extent.coarser_cells),
            "u_coarsens": (self.last - _COARSENS * (self.last - first), self.last),
            "u_plain_m": how.plain_m,
            "u_sea_m": how.sea_m,
            "u_range_m": field.height_range,
            "u_relief_m": field.height_range[1] - field.height_range[0],
            "u_agreement": form.agreement,
            "u_form_beyond": form.beyond,
            "u_detail": form.detail,
            "u_land_m": sides_m,
            "u_turns": 1.0 if how.is_one_way else 8.0,
            "u_tile_level": math.log2(max(_TILE_FORM * max(field.rows, field.columns), 1.0)),
        }
        rivers = form.rivers if far == "recipe" else None
        rivers_end = _RIVERS_GO_ON if rivers else _ENDS_OF_RIVERS.get(far, _RIVERS_END)
        libraries = _LIBRARIES[far] + (_FAR if first >= _FAR_FROM and far in _TILED else ())
        self._sources = Sources(places, numbers, libraries, rivers_end, rivers, self.last)
        self._rim_m, self._rim_sinks_m = _RIM_SIDES * max(field.size), 0.0
        if how.is_round:
            outer = self.last + _ROUND_RIM_SIDES
            self._rim_m, self._rim_sinks_m = _ROUND_RIM_SIDES * max(sides_m), max(bends) * (outer**2 - self.last**2)
        self._measures = not rough
        self.is_rough = rough and self._cells >= _ROUGH_CELLS
        z, x = (cell * size for cell, size in zip(cells, field.cell_size, strict=True))
        self._cell_m = z, x
        step, boxes = 1, None
        self._worked_out = self._heights
        if self.is_rough:
            step, self._worked_out = 2, self._with_every_second()
            if how.seen is not None and self._every_second_of >= 0:
                boxes = how.seen.boxes(-self.last, step / self._cells, self._worked_out.width, _STRIPS)
        yield from self._sources.run_in_strips(
            self._grids,
            "draw/land/surroundings_heights.frag",
            self._worked_out,
            {"u_land": land},
            {"u_sides_a_cell": step / self._cells},
            boxes,
        )
        self._begun_of = how.up_to(self.last)

    def end(self) -> None:
        """Wait for the heights that have been begun, and take them; without any there is nothing to do."""
        if self._begun_of is None:
            return
        heights = self._grids.read(self._worked_out)
        if self.is_rough:
            heights = _with_vertices_between(heights)
        heights.flags.writeable = False
        every_second = self._every_second if self.is_rough else None
        self._height_map.upload(HeightField(heights, self._cell_m), rough=not self._measures, every_second=every_second)
        self._every_second_of = self._height_map.version if self.is_rough else -1
        self._made_of, self._begun_of = self._begun_of, None
        for inner in self._blocks:
            start, end = self._hole(inner)
            hole = heights[start : end + 1, start : end + 1]
            lines = self._field.border, HeightField(hole, self._cell_m).border
            self._lowest_on_lines_m[inner] = min(float(line.min()) for line in lines)

    def _with_every_second(self) -> moderngl.Texture:
        """Return what every second vertex is worked out in; it has the heights there are, if there are any."""
        if self._every_second is None:
            side = (self._vertices - 1) // 2 + 1
            self._every_second = self._grids.texture(side, side)
        version = self._height_map.version
        if self._every_second_of != version and self._height_map.field is not None:
            self._every_second.write(formats.packed(self._field.heights[::2, ::2], self._every_second.dtype))
            self._every_second_of = version
        return self._every_second

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
        inner: float,
        skirts_m: tuple[float, float],
        *,
        resting: bool,
        waits: bool = False,
        has_rim: bool = False,
    ) -> Passes[Around]:
        """Return the frame as it is drawn from `inner` sides around `land` on, up to the horizon where it `has_rim`.

        `skirts_m` are how far its skirts hang down, and the height below which none does.

        Its light is brought up to date where it rests, and unless it `waits` where its ground has not changed.
        """
        z, x = self._field.size
        origin_x, origin_z = self._origin_m
        kept = (land.columns - 1) / land.columns, (land.rows - 1) / land.rows  # of vertices, what cells there are
        sides = self._vertices / self._cells
        fields = yield from self._textures(cover, resting)
        tile = Tile(
            self._origin_m,
            *self._blocks[inner],
            *skirts_m,
            self._hole(inner),
            self._rim_m if has_rim else 0.0,
            self._rim_sinks_m if has_rim else 0.0,
            (origin_x / x, origin_z / z),
            (sides * kept[0], sides * kept[1], -self.last * kept[0], -self.last * kept[1]),
            fields,
        )
        yield
        water = None
        if lighting.water is not None:
            water = yield from self._water.maps(
                lighting.water, scene.water, self._height_map, self._sources, resting=resting
            )
        yield
        version, how = self._height_map.version, self._how_lit(scene, lighting)
        stays = waits or version != self._lit_version or how == self._lit_how
        if resting or self._lit is None or not stays:
            lit_by = self._light if resting or self._lit is None else self._small_light
            radius = float(np.radians(scene.sun.diameter) / 2)
            self._lit = yield from lit_by.passes(
                self._height_map,
                lit_from(scene, lighting.kind, radius),
                radius,
                scene.sun.shadows,
                scene.view.exaggeration,
                *((water.surface, water.version) if water else ()),
                ground=lighting.ground,
            )
            self._lit_by, self._lit_version, self._lit_how = lit_by, version, how
        there = dataclasses.replace(
            lighting,
            light_map=self._lit,
            map_place=self._map_place,
            water=water,
            far_land=self._no_far_land if lighting.far_land is not None else None,
        )
        reach = (self.last + 1) * max(land.size) + tile.rim_m
        return Around(self._height_map, tile, there, math.hypot(reach, reach))

    def _how_lit(self, scene: Scene, lighting: Lighting) -> tuple[object, ...]:
        """Return what a light map of these heights goes by."""
        water = self._water.version if lighting.water is not None else 0
        sun = scene.sun
        return sun.azimuth, sun.elevation, sun.diameter, sun.shadows, scene.view.exaggeration, water, lighting.ground

    def is_lit_as_land(self, scene: Scene, lighting: Lighting) -> bool:
        """Return whether its light map has shadows, is as fine as the land's own, and of the heights and sun of now."""
        now = self._height_map.version, self._how_lit(scene, lighting)
        return scene.sun.shadows and self._lit_by is self._light and (self._lit_version, self._lit_how) == now

    def light_over_land(self, lighting: Lighting) -> moderngl.Texture:
        """Return the light map of the land that is lit by `lighting`, of what this one has inside."""
        assert self._lit is not None
        if self._over_land is None:
            side = round(self._lit.width * self._cells / self._vertices)
            self._over_land = self._grids.texture(side, side, 4)
            self._over_land.filter = (moderngl.LINEAR, moderngl.LINEAR)
        if self._over_land_of != self._lit_of:
            self._over_land_of = self._lit_of
            size = (float(self._over_land.width), float(self._over_land.height))
            numbers: dict[str, Number] = {"u_place": _from(lighting.map_place, self._map_place), "u_size": size}
            self._grids.run("draw/land/light_over_land.frag", self._over_land, {"u_light": self._lit}, numbers)
        return self._over_land

    def light_joined(self, outer: Frame) -> moderngl.Texture:
        """Return its light map with what falls in from beyond, of which the frame around it, `outer`, knows."""
        assert self._lit is not None and outer._lit is not None
        if self._joined is None or self._joined.size != self._lit.size:
            self._joined = self._grids.texture(self._lit.height, self._lit.width, 4)
            self._joined.filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._joined_of = None
        if self._joined_of != (self._lit_of, outer._lit_of):
            self._joined_of = self._lit_of, outer._lit_of
            joins = _JOINS / (1 + 2 * self.last)
            numbers: dict[str, Number] = {
                "u_place": _from(self._map_place, outer._map_place),
                "u_size": (float(self._joined.width), float(self._joined.height)),
                "u_joins": (joins, joins),
            }
            textures = {"u_light": self._lit, "u_outer": outer._lit}
            self._grids.run("draw/land/light_joined.frag", self._joined, textures, numbers)
        return self._joined

    @property
    def _lit_of(self) -> object:
        """What its light map is of."""
        return self._lit_version, self._lit_how, self._lit_by is self._light

    def _textures(self, cover: Cover, resting: bool) -> Passes[dict[str, moderngl.Texture]]:
        """Return what takes the place of the textures that `cover` has of the land's vertices, by name."""
        found = {}
        for name, of_land in cover.of_vertices.items():
            key = (of_land.version, self._height_map.version)
            kept = self._fields.get(name)
            if kept is None or (kept[1] != key and resting):
                texture = kept[0] if kept else self._texture(of_land.texture.components)
                is_smooth = of_land.texture.filter[0] == moderngl.LINEAR
                numbers: dict[str, Number] = {
                    "u_has_slopes": float(of_land.has_slopes),
                    "u_level": 0.0 if is_smooth else self._sources.numbers["u_inside_level"],
                }
                assert self._height_map.heights is not None
                fields = {"u_field": of_land.texture, "u_heights": self._height_map.heights}
                self._fields[name] = texture, None
                yield from self._sources.run_in_strips(
                    self._grids, "draw/land/surroundings_field.frag", texture, fields, numbers
                )
                mipmaps.build(texture)
                kept = self._fields[name] = texture, key
            found[name] = kept[0]
        return found

    def _texture(self, components: int) -> moderngl.Texture:
        dtype = formats.of(self._context).drawn(components, formats.WIDE, "what ground around the land is like")
        return mipmaps.empty(self._context, (self._vertices, self._vertices), components, dtype)


def _from(place: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    """Return factors and offsets from places in textures that lie at `place` to those in textures at `other`."""
    ours, theirs = np.array(other), np.array(place)
    factors = ours[:2] / theirs[:2]
    return tuple(map(float, (*factors, *(ours[2:] - factors * theirs[2:]))))


def _with_vertices_between(heights: Heights) -> Heights:
    """Return `heights` with a row and a column between each two, by Catmull-Rom splines."""
    (rows, columns), framed = heights.shape, np.pad(heights, 1, mode="edge")
    taller = np.empty((2 * rows - 1, columns + 2), np.float32)
    taller[::2] = framed[1:-1]
    taller[1::2] = _between(framed[1:-2], framed[2:-1], framed[:-3], framed[3:])
    finer = np.empty((2 * rows - 1, 2 * columns - 1), np.float32)
    finer[:, ::2] = taller[:, 1:-1]
    finer[:, 1::2] = _between(taller[:, 1:-2], taller[:, 2:-1], taller[:, :-3], taller[:, 3:])
    return finer


def _between(before: Heights, after: Heights, farther_before: Heights, farther_after: Heights) -> Heights:
    """Return the heights in the middle of two that are next to each other, of which the farther ones lie outside."""
    middle, outside = before + after, farther_before + farther_after
    middle *= np.float32(9 / 16)
    outside *= np.float32(1 / 16)
    middle -= outside
    return middle
