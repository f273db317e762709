"""The land that goes on beyond the border: grids around the land, drawn as the land itself is drawn.

Grids lie around the land like frames, each coarser than the one inside it; a rim of the last one's outermost vertices,
moved far out, is the ground up to the horizon. The nearest is about as fine as the land. Fine ones are made when
nothing moves: until then a coarse one reaches up to the land. Their heights are the land's, mirrored at its sides,
slanting as its features do there, moved aside and raised or lowered by slow waves
(shaders/draw/land/surroundings.glsl), and so are slopes, masks, lakes and rivers. Light is worked out on those heights,
not mirrored, so that shadows agree with the sun.

A land whose border lies in the sea is islands, and mirrored they would stand around it in a ring, all alike. Around it
islands are scattered that are made of it, turned, smaller and lower, in chains that thin out, some of them shoals. The
higher copies are to be, the higher they are; at 0 there are none.

Dunes have their lee sides where the wind blows to, and mirrored they would not. Around them lie pieces of the land as
they are, from anywhere on it, that pass over into each other. Where pieces of other lands meet, valleys and ridges end,
craters come again in rows, and rivers and lakes would be cut.

From above a mirror shows in what is large. Where a recipe says what lies beyond the border, far ground has the form
that it makes there, and only what is finer is mirrored (`recipe_form.py`): ranges and fjords go on instead of turning
back. Rivers and lakes end beside the border then: on that form they would run uphill and lie aslant.

A world without air and sea has nothing to hide that rim: ground around the land bends as the Moon does, and ends below
the horizon. An eye so high that it sees farther has a frame more, out to the horizon of one 12 km up over a land of
12 km.

Grids of different fineness share no vertices on their borders. Skirts of both hang down there, farther than any two
heights are apart, so that nothing can be seen between them (`terrain.py`). Those of small frames end at the lowest
height of all those lines: below it they would be drawn for nothing.

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

from fellview.core.height_field import HeightField, Heights
from fellview.core.parameters import Group
from fellview.draw.ground.cover import Cover
from fellview.draw.land import recipe_form
from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.tile import Tile, border_blocks
from fellview.draw.light.light_map import LightMap
from fellview.draw.light.lighting import Lighting, goes_on, is_round, sun_direction
from fellview.draw.water.shelter_map import NOWHERE_M, sea_shelter
from fellview.draw.water.water import NEAR_CELLS, WaterMaps, reach_m
from fellview.gpu import formats, stand_ins
from fellview.gpu.context import is_software
from fellview.gpu.passes import GridPasses, Number
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water
from fellview.terrain.steps.landform import Landform


@dataclass(frozen=True)
class _Extent:
    """Where a frame lies, and how fine it is."""

    first: float
    """Sides of the land beyond each border from which on it reaches,"""
    last: float
    """and up to which."""
    cells: int
    """Cells a side of the land: as many as make whole blocks of it, and of what is left out for the frame inside."""
    light: tuple[int, int]
    """Most cells a side of its light map, with software OpenGL and hardware."""
    sky: int
    """The same for the share of sky, which costs the most of all."""
    river_texels: int = 0
    """Texels of rivers a cell along each axis; 0 so far out that nobody sees them, nor surf."""


_FINE = _Extent(0.0, 0.5, 512, (1024, 2048), 256, 1), _Extent(0.5, 1.5, 256, (512, 1024), 160, 2)
_COARSE = _Extent(0.5, 1.5, 128, (256, 512), 80, 4), _Extent(1.5, 5.5, 32, (256, 512), 80)
_OUTERMOST = _Extent(5.5, 17.5, 16, (256, 512), 80)
"""Fine frames are made when nothing moves, and then stand for the first of the coarse ones, which before reaches up to
the land. From above the ground changes its look where cells get four times as large at once. The light map of the
nearest has cells as large as the land's own; rivers' texels are 27 m in all of them around a land of 14 km. The
outermost is for an eye that sees that far on a round world."""

_INSIDE = {_COARSE[-1]: _COARSE[0], _OUTERMOST: _COARSE[-1]}
"""The frames inside those that are not beside the land or the finest."""

_LIBRARIES = {
    "mirrored": (),
    "pieces": ("draw/land/surroundings_cut.glsl",),
    "islands": ("draw/land/surroundings_islands.glsl",),
    "recipe": ("draw/land/surroundings_recipe.glsl",),
}
"""What is put in front of shaders, by what far ground is made of; pieces and islands have no lakes and rivers."""
_SLANTS = 16  # places along each border of which is known how the land's features slant there
_SLANTS_OVER = 0.012  # sides: as fine as the heights are whose slopes tell it, as in border_slants.frag
_DRAWN_OUT = 0.45  # at most, of the land along a border: how much longer or shorter slants make what lies beyond
_SLANT_REACH = 0.1  # sides: as far as they move it, as in surroundings.glsl
_SHARPER = 1.0  # levels finer than a cell: a mean over all of it would leave far ridges too low
_SETTLES = (4.2, 5.4)  # sides from the border over which the ground sinks to the plain: the last of the coarser frame
_HORIZON = 0.8  # of the way out to where the coarse frames end: for an eye that sees farther there is the outermost
_ROUGH_CELLS = 32  # a side of the land, at least, of which a draft is not told from one of every second vertex
_RIVERS_END = (1.05, 1.47)  # sides from the border between which rivers run dry: in the frame that has them
_RECIPE_RIVERS_END = (0.015, 0.05)  # the same where only the strip beside the border has the form of what is mirrored
_RIM_SIDES = 60.0  # how far out the rim lies: from 100 m up over a land of 8 km, 0.01 degrees below the horizon
_MOON_RADIUS_M = 1_737_400.0  # the mean: of the world whose sky has no air
_ROUND_SETTLES = (14.0, 17.3)  # the same on a round one: the last of the outermost frame
_ROUND_RIM_SIDES = 5.5  # how far out the rim lies on a round one: from 5 km up, at the horizon of a land of 12 km
_SMALL_TURNS = 2  # of small frames in which the land's own light stays, until each around it follows the sun
_SMALL_LIGHT = 256  # most cells a side of its light map then
_EYE_OVER_M = 2.0  # the ground outside of the land: of a tall standing person
_ISLAND = 0.95  # of the land's border under the sea, from which on the land is islands
_ISLAND_LAYERS, _ISLAND_CELLS, _ISLAND_TEXELS = 2, 64, 3  # as in island_cells.glsl
_SEEDS = 1009  # of which islands lie each elsewhere; the GPU counts waves of an archipelago by them
_OPEN_SEA = 0.05  # of the land's border under the sea, from which on that lies at the horizon


@dataclass(frozen=True)
class _How:
    """What heights around a land go by."""

    version: int
    """Of the land's heights."""
    height: float
    """How high copies are, times the land,"""
    plain_m: float
    """over the plain."""
    is_round: bool
    """Whether that bends as the Moon does."""
    far: str
    """What far ground is made of, of _LIBRARIES."""
    sea_m: float
    """The level of the sea, where islands lie in it,"""
    seed: int
    """and what says where they lie."""
    recipe: tuple[Group, ...]
    """What of the recipe far ground has its form by."""


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
    """Keeps the frames around one land in one OpenGL context.

    For pictures of some hundred pixels a side their light is `coarser`, and no fine one is ever made.
    """

    def __init__(self, context: moderngl.Context, coarser: int = 1) -> None:
        self._context, self._coarser = context, coarser
        self._grids = GridPasses(context)
        self._frames: list[_Frame] = []
        self._fine: list[_Frame] = []
        self._fine_of: _How | None = None
        self._outermost: _Frame | None = None
        self._outermost_of: _How | None = None
        self._islands: moderngl.Texture | None = None  # made for the first land that ends in the sea
        self._form = recipe_form.RecipeForm(self._grids)
        self._land: moderngl.Texture | None = None
        self._found_slants, self._slants = self._grids.texture(4, _SLANTS), self._grids.texture(4, _SLANTS)
        self._made: _How | None = None
        self._begun: _How | None = None
        self._sides_m = (0.0, 0.0)
        self._turn = 0
        self.made = 0
        """How often heights were carried on."""
        self.waits = False
        """Whether only coarse heights follow the land while something moves: fine ones, light, water and what ground is
        made of come when it rests, and before anything has been made nothing is drawn."""

    def begin(self, scene: Scene, height_map: HeightMap, *, resting: bool, small: bool = False) -> None:
        """Have OpenGL begin what `prepare` will wait for, so that other work may be done meanwhile."""
        if self._is_wanted(scene, height_map, resting or not self.waits):
            self._begin_heights(scene, height_map, rough=small)

    def _is_wanted(self, scene: Scene, height_map: HeightMap, resting: bool) -> bool:
        """Return whether anything is to be drawn around the land, where it is `resting` or some is there already."""
        field = height_map.field
        if not goes_on(scene) or field is None or height_map.heights is None or min(field.rows, field.columns) < 2:
            return False
        return resting or self._made is not None

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
        picture, shadows follow the sun by turns with the land's, and fine grids are left out, which cost the most.
        """
        field, resting = height_map.field, resting or not self.waits
        if field is None or not self._is_wanted(scene, height_map, resting):
            return ()
        how = self.carry_on(scene, height_map, rough=small)
        if resting and self._coarser == 1 and self._fine_of != how:
            self._fine = self._fine or [_Frame(self._context, self._grids, self._coarser, extent) for extent in _FINE]
            self._fine_of = how
            for frame in self._fine:
                self._carry(frame, field, how, rough=False)
        if self._hide(scene):
            return ()
        frames = list(self._frames if small else self._drawn)
        if _sees_far(scene, field, how.plain_m):
            frames.append(self._carried_out(field, how, rough=small))
        self._turn += not lighting.has_new_shadows
        turn = None if lighting.has_new_shadows else self._turn % _SMALL_TURNS
        inner = (0.0, *(frame.last for frame in frames))
        low, high = field.height_range
        skirt_m = scene.view.exaggeration * (max(high, *(frame.highest_m for frame in frames)) - low)
        foot_m = -math.inf
        if small:
            lowest_m = (frame.lowest_on_lines_m(within) for frame, within in zip(frames, inner, strict=False))
            foot_m = scene.view.exaggeration * min(float(field.border.min()), *lowest_m)
        skirts_m = skirt_m, foot_m
        if resting and self.waits and self._frames[0] not in frames:  # or it were lit in the first frame of a movement
            self._frames[0].around(scene, field, cover, lighting, 0.0, skirts_m, resting=True)
        return tuple(
            frame.around(
                scene,
                field,
                cover,
                lighting,
                inner[number],
                skirts_m,
                resting=resting,
                waits=small and turn != number,
                has_rim=number == len(frames) - 1,
            )
            for number, frame in enumerate(frames)
        )

    def over_land(self, scene: Scene, lighting: Lighting, around: tuple[Around, ...]) -> Lighting:
        """Return the land's `lighting` with shadows that fall on it from beyond its border, where they are known.

        `around` is what was prepared for the same frame of `scene`.
        """
        near = self._drawn[0] if self._drawn else None
        if near not in self._fine or not around or not near.is_lit_as_land(scene, lighting):
            return lighting
        return dataclasses.replace(lighting, light_map=near.light_over_land(lighting))

    @property
    def _drawn(self) -> list[_Frame]:
        """The frames that fit the land, the nearest first."""
        return [*self._fine, *self._frames[1:]] if self._fine and self._fine_of == self._made else self._frames

    def carry_on(self, scene: Scene, height_map: HeightMap, *, rough: bool = False) -> _How:
        """Make the heights around the land of `height_map`, where what they go by has changed, and return that.

        Where that is enough, `rough`, how coarsely they may be drawn is known of those before, and only every second
        vertex is worked out, but of the outermost: until they are asked for otherwise.

        Every picture has those that fit: others would leave the sides that hang down to be seen as a wall.
        """
        how, field = self._begin_heights(scene, height_map, rough=rough), height_map.field
        assert field is not None
        if how == self._begun:
            for frame in self._frames:
                frame.end()
            self._made, self._begun = how, None
        for frame in () if rough else self._frames:
            if frame.is_rough:
                self._carry(frame, field, how, rough=False)
            else:
                frame.measure()
        return how

    def _begin_heights(self, scene: Scene, height_map: HeightMap, *, rough: bool) -> _How:
        """Have OpenGL begin heights that `carry_on` takes, unless they are there or begun; return what they go by."""
        field, height = height_map.field, scene.view.surroundings_height / 100
        assert field is not None and height_map.heights is not None
        far = _far(scene, field)
        sea_m, seed = (scene.water.sea_level, scene.noise.seed % _SEEDS) if far == "islands" else (0.0, 0)
        recipe, last = recipe_form.groups_of(scene) if far == "recipe" else (), self._begun or self._made
        if rough and last is not None and last.far == far and last.version == height_map.version:
            recipe = last.recipe  # of the land that is still there, when the scene is ahead of it
        plain_m = _plain_m(field, scene.water)
        how = _How(height_map.version, height, plain_m, is_round(scene), far, sea_m, seed, recipe)
        if how == last:
            return how
        self._frames = self._frames or [_Frame(self._context, self._grids, self._coarser, extent) for extent in _COARSE]
        self._begun = how
        self._sides_m = (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]
        self.made += 1
        land = self._with_levels(height_map.heights)
        numbers: dict[str, Number] = {
            "u_level": math.log2(max(_SLANTS_OVER * max(land.size), 1.0)),
            "u_land_m": self._sides_m,
            "u_size": (float(_SLANTS), 4.0),
        }
        self._grids.run("draw/land/border_slants.frag", self._found_slants, {"u_land": land}, numbers)
        # ground is moved twice a slant times that reach, by how much that changes along the border it is drawn out
        most = _DRAWN_OUT / (2 * _SLANT_REACH * _SLANTS)
        found = {"u_slants": self._found_slants}
        self._grids.run("draw/land/limited_slants.frag", self._slants, found, {"u_most": most})
        if far == "islands":
            scattered: dict[str, Number] = {"u_settles": _settles(how), "u_seed": float(how.seed)}
            size = _ISLAND_LAYERS * _ISLAND_CELLS, _ISLAND_TEXELS * _ISLAND_CELLS
            self._islands = self._islands or self._grids.texture(*size, 4)
            self._grids.run("draw/land/scattered_islands.frag", self._islands, {}, scattered)
        if far == "recipe":
            self._form.make(recipe, land, field)
        for frame in self._frames:
            self._begin(frame, field, how, rough=rough)
        return how

    def _begin(self, frame: _Frame, field: HeightField, how: _How, *, rough: bool) -> None:
        """Have OpenGL begin the heights of `frame` around `field`."""
        assert self._land is not None
        places = {"u_slants": self._slants, "u_form": self._form.texture}
        if self._islands is not None:
            places["u_islands"] = self._islands
        frame.begin(self._land, places, field, how, self._form.agreement, rough=rough)

    def _carry(self, frame: _Frame, field: HeightField, how: _How, *, rough: bool) -> None:
        """Make the heights of `frame` around `field`."""
        self._begin(frame, field, how, rough=rough)
        frame.end()

    def _carried_out(self, field: HeightField, how: _How, *, rough: bool) -> _Frame:
        """Return the outermost frame around `field`, with the heights that fit the others."""
        self._outermost = self._outermost or _Frame(self._context, self._grids, self._coarser, _OUTERMOST)
        if self._outermost_of != how:
            self._carry(self._outermost, field, how, rough=rough)
            self._outermost_of = how
        elif not rough:
            self._outermost.measure()
        return self._outermost

    def heights_at(self, x_m: NDArray[np.float64], z_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the heights in metres at places around the land, as they were made last; -inf where nothing is."""
        heights = np.full(np.shape(x_m), -np.inf)
        for frame in self._drawn:
            heights = np.where(np.isneginf(heights), frame.heights_at(x_m, z_m), heights)
        return heights

    def _with_levels(self, heights: moderngl.Texture) -> moderngl.Texture:
        """Return a copy of `heights` with its coarser levels, which is kept."""
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

    def __init__(self, context: moderngl.Context, grids: GridPasses, coarser: int, extent: _Extent) -> None:
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
        self._lit_version = 0
        self._lit_how: tuple[object, ...] = ()
        self._heights = self._worked_out = grids.texture(self._vertices, self._vertices)
        self._cell_m = (0.0, 0.0)
        self._measures = True  # how coarsely heights may be drawn
        self._places: dict[str, moderngl.Texture] = {}
        self._libraries: tuple[str, ...] = ()
        self._fields: dict[str, tuple[moderngl.Texture, object]] = {}
        self._numbers: dict[str, Number] = {}
        self.is_rough = False
        """Whether every second vertex lies between others, instead of being worked out."""
        self._rim_m = self._rim_sinks_m = 0.0
        self._rivers_end = _RIVERS_END
        self._standing: dict[str, moderngl.Texture] = {}
        self._standing_of: object = None
        self._standing_version = 0
        self._no_lakes = grids.upload(stand_ins.values(NOWHERE_M, self._heights.size))
        self._no_lakes.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._shelter: moderngl.Texture | None = None
        self._rivers: moderngl.Texture | None = None
        self._no_rivers = stand_ins.empty(context, self._heights.size)
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

    def lowest_on_lines_m(self, inner: float) -> float:
        """Return the lowest height on the borders of what is drawn from `inner` sides around the land on."""
        return self._lowest_on_lines_m[inner]

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
        how: _How,
        agreement: float,
        *,
        rough: bool,
    ) -> None:
        """Have OpenGL begin heights around `field`, whose heights with their coarser levels are `land`.

        `end` takes them. `places` are textures that say from where on the land ground is taken, and `agreement` how far
        its form is that of the recipe.
        """
        far = "mirrored" if how.far == "recipe" and agreement == 0 else how.far
        self._places, self._libraries = places, _LIBRARIES[far]
        cells = (field.rows - 1) / self._cells, (field.columns - 1) / self._cells  # of the land's, for one of these
        sides_m = (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]
        bends = tuple(side**2 / (2 * _MOON_RADIUS_M) if how.is_round else 0.0 for side in sides_m)
        first, finer = self._extent.first, _INSIDE.get(self._extent, _FINE[0]).cells
        self._numbers = {
            "u_land_texels": (float(field.columns), float(field.rows)),
            "u_settles": _settles(how),
            "u_bends": bends,
            "u_first": (-self.last, -self.last),
            "u_sides_a_cell": 1 / self._cells,
            "u_cell_m": (cells[1] * field.cell_size[1], cells[0] * field.cell_size[0]),
            "u_level": _level(max(cells)),
            "u_inside_level": math.log2(max(*cells, 1.0)),
            "u_fine_level": _level(max(cells) * self._cells / finer) if first else 0.0,
            "u_inner_sides": first,
            "u_plain_m": how.plain_m,
            "u_sea_m": how.sea_m,
            "u_range_m": field.height_range,
            "u_relief_m": field.height_range[1] - field.height_range[0],
            "u_agreement": agreement,
            "u_land_m": sides_m,
        }
        self._rivers_end = _RECIPE_RIVERS_END if far == "recipe" else _RIVERS_END
        self._rim_m, self._rim_sinks_m = _RIM_SIDES * max(field.size), 0.0
        if how.is_round:
            outer = self.last + _ROUND_RIM_SIDES
            self._rim_m, self._rim_sinks_m = _ROUND_RIM_SIDES * max(sides_m), max(bends) * (outer**2 - self.last**2)
        self._measures = not rough
        self.is_rough = rough and self._cells >= _ROUGH_CELLS
        z, x = (cell * size for cell, size in zip(cells, field.cell_size, strict=True))
        self._cell_m = z, x
        step = 2 if self.is_rough else 1
        self._give_back()
        if self.is_rough:
            side = (self._vertices - 1) // step + 1
            self._worked_out = self._grids.texture(side, side)
        numbers = self._numbers | {"u_sides_a_cell": step / self._cells}
        heights_from = self._from({"u_land": land})
        self._grids.run("draw/land/surroundings_heights.frag", self._worked_out, heights_from, numbers, self._libraries)

    def end(self) -> None:
        """Wait for the heights that have been begun, and take them."""
        heights = self._grids.read(self._worked_out)
        if self.is_rough:
            heights = _with_vertices_between(_with_vertices_between(heights).T).T
        heights.flags.writeable = False
        every_second = self._worked_out if self.is_rough else None
        self._height_map.upload(HeightField(heights, self._cell_m), rough=not self._measures, every_second=every_second)
        self._give_back()
        for inner in self._blocks:
            start, end = self._hole(inner)
            hole = heights[start : end + 1, start : end + 1]
            lines = self._field.border, HeightField(hole, self._cell_m).border
            self._lowest_on_lines_m[inner] = min(float(line.min()) for line in lines)

    def _give_back(self) -> None:
        """Give back what every second vertex was worked out in."""
        if self._worked_out is not self._heights:
            self._grids.give_back(self._worked_out)
            self._worked_out = self._heights

    def _from(self, textures: dict[str, moderngl.Texture]) -> dict[str, moderngl.Texture]:
        """Return `textures` of the land with what says from which places of it ground is taken."""
        return {**textures, **self._places}

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
    ) -> Around:
        """Return the frame as it is drawn from `inner` sides around `land` on, up to the horizon where it `has_rim`.

        `skirts_m` are how far its skirts hang down, and the height below which none does.

        Its light is brought up to date where it rests, and unless it `waits` where its ground has not changed.
        """
        z, x = self._field.size
        origin_x, origin_z = self._origin_m
        kept = (land.columns - 1) / land.columns, (land.rows - 1) / land.rows  # of vertices, what cells there are
        sides = self._vertices / self._cells
        tile = Tile(
            self._origin_m,
            *self._blocks[inner],
            *skirts_m,
            self._hole(inner),
            self._rim_m if has_rim else 0.0,
            self._rim_sinks_m if has_rim else 0.0,
            (origin_x / x, origin_z / z),
            (sides * kept[0], sides * kept[1], -self.last * kept[0], -self.last * kept[1]),
            self._textures(cover, resting),
        )
        water = self._water(lighting.water, scene.water, resting) if lighting.water is not None else None
        version, how = self._height_map.version, self._how_lit(scene, lighting)
        stays = waits or version != self._lit_version or how == self._lit_how
        if resting or self._lit is None or not stays:
            self._lit_version, self._lit_how = version, how
            self._lit_by = self._light if resting or self._lit is None else self._small_light
            self._lit = self._lit_by.texture(
                self._height_map,
                sun_direction(scene.sun.azimuth, scene.sun.elevation),
                float(np.radians(scene.sun.diameter) / 2),
                scene.sun.shadows,
                scene.view.exaggeration,
                *((water.surface, water.version) if water else ()),
                ground=lighting.ground,
            )
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
        water = self._standing_version if lighting.water is not None else 0
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
        if self._over_land_of != (self._lit_version, self._lit_how):
            self._over_land_of = self._lit_version, self._lit_how
            ours, theirs = np.array(self._map_place), np.array(lighting.map_place)
            factors = ours[:2] / theirs[:2]
            place = (*factors, *(ours[2:] - factors * theirs[2:]))
            size = (float(self._over_land.width), float(self._over_land.height))
            numbers: dict[str, Number] = {"u_place": tuple(map(float, place)), "u_size": size}
            self._grids.run("draw/land/light_over_land.frag", self._over_land, {"u_light": self._lit}, numbers)
        return self._over_land

    def _textures(self, cover: Cover, resting: bool) -> dict[str, moderngl.Texture]:
        """Return what takes the place of the textures that `cover` has of the land's vertices, by name."""
        found = {}
        for name, of_land in cover.of_vertices.items():
            key = (of_land.version, self._height_map.version)
            kept = self._fields.get(name)
            if kept is None or (kept[1] != key and resting):
                texture = kept[0] if kept else self._texture(of_land.texture.components)
                numbers = {**self._numbers, "u_has_slopes": float(of_land.has_slopes)}
                numbers["u_level"] = 0.0 if of_land.texture.filter[0] == moderngl.LINEAR else numbers["u_inside_level"]
                assert self._height_map.heights is not None
                fields = self._from({"u_field": of_land.texture, "u_heights": self._height_map.heights})
                self._grids.run("draw/land/surroundings_field.frag", texture, fields, numbers, self._libraries)
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
        has_rivers = water.has_rivers and self._extent.river_texels > 0
        sea_m = group.sea_level if group.sea else NOWHERE_M
        wind = group.wind if group.sea else 0.0
        versions = self._height_map.version, water.version, water.rivers_version
        key = (sea_m, wind, group.swash, has_lakes, has_rivers, *versions)
        if not self._standing:
            across = self._vertices, -(-self._vertices // NEAR_CELLS)
            self._standing = {
                name: grids.texture(side, side) for name, side in zip(("surface", "near"), across, strict=True)
            }
            self._standing["near"].filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._standing_of = None
        if has_lakes and "lakes" not in self._standing:
            self._standing["lakes"] = grids.texture(self._vertices, self._vertices)
            self._standing["lakes"].filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._standing_of = None
        anew = self._standing_of is None or (key != self._standing_of and resting)
        if anew:
            self._shelter_sea(group)
        lakes = self._standing["lakes"] if has_lakes else self._shelter or self._no_lakes
        if anew:
            self._standing_of = key
            self._standing_version += 1
            if has_lakes:
                levels = grids.texture(self._vertices + 2, self._vertices + 2)
                theirs = self._from({"u_lakes": water.textures["u_lakes"]})
                grids.run("draw/land/surroundings_lake_levels.frag", levels, theirs, self._numbers, self._libraries)
                there = {"u_levels": levels, "u_no_lakes": self._shelter or self._no_lakes}
                grids.run("draw/land/surroundings_lakes.frag", lakes, there)
                grids.give_back(levels)
            if has_rivers:
                self._carry_rivers_on(water.textures["u_rivers"])
            textures = {"u_heights": self._height_map.heights, "u_lakes": lakes}
            numbers: dict[str, Number] = {"u_sea_m": sea_m, "u_has_lakes": float(has_lakes)}
            grids.run("draw/water/water_surface.frag", self._standing["surface"], textures, numbers)
            level = math.log2(max(self._extent.river_texels, 1))
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

    def _shelter_sea(self, group: Water) -> None:
        """Work out how sheltered the sea is of `group`, where anybody sees its surf."""
        assert self._height_map.heights is not None
        if self._shelter is not None:
            self._grids.give_back(self._shelter)
            self._shelter = None
        if group.sea and self._extent.river_texels:
            heights = self._height_map.heights
            self._shelter = sea_shelter(self._grids, heights, self._field, group, goes_on=True)

    def _carry_rivers_on(self, rivers: moderngl.Texture) -> None:
        """Make the texture of rivers here of that of the land."""
        finer = self._extent.river_texels
        if self._rivers is None:
            side = finer * self._vertices
            self._rivers = self._context.texture((side, side), 4)
            self._rivers.repeat_x = self._rivers.repeat_y = False
            self._rivers.build_mipmaps()
            self._rivers.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        numbers = {
            **self._numbers,
            "u_finer": float(finer),
            "u_river_level": _level(max(rivers.size) / (finer * self._cells)),
            "u_rivers_end": self._rivers_end,
        }
        self._grids.run("draw/land/surroundings_rivers.frag", self._rivers, self._from({"u_rivers": rivers}), numbers)
        self._rivers.build_mipmaps()


def _far(scene: Scene, field: HeightField) -> str:
    """Return what far ground around `field`, the land of `scene`, is made of: a key of _LIBRARIES."""
    water = scene.water
    rises = scene.view.surroundings_height > 0
    mirrored = "recipe" if rises and recipe_form.goes_on(scene) else "mirrored"
    if water.enabled and (water.lakes or water.rivers):
        return mirrored
    if rises and water.enabled and water.sea and float((field.border < water.sea_level).mean()) > _ISLAND:
        return "islands"
    has_dunes = any(isinstance(each, Landform) and each.kind == "dunes" for each in scene.terrain_groups().values())
    return "pieces" if has_dunes else mirrored


def _settles(how: _How) -> tuple[float, float, float]:
    """Return from where on the ground sinks to the plain and is level, in sides from the border, and how high it is."""
    return (*(_ROUND_SETTLES if how.is_round else _SETTLES), how.height)


def _plain_m(field: HeightField, water: Water) -> float:
    """Return how high the plain lies in which the ground around `field` ends: as its border, or that under the sea."""
    if water.enabled and water.sea:
        bed = field.border[field.border < water.sea_level]
        if bed.size > _OPEN_SEA * field.border.size:
            return float(bed.mean())
    return float(field.border.mean())


def _sees_far(scene: Scene, field: HeightField, plain_m: float) -> bool:
    """Return whether an eye over a round world sees about as far as the coarse frames around `field` reach."""
    if not is_round(scene) or scene.camera.is_parallel:
        return is_round(scene)
    up_m = scene.camera.y / scene.view.exaggeration - plain_m
    return 2 * _MOON_RADIUS_M * up_m > (_HORIZON * _COARSE[-1].last * min(field.size)) ** 2


def _with_vertices_between(heights: Heights) -> Heights:
    """Return `heights` with a row between each two, by a Catmull-Rom spline."""
    framed = np.concatenate([heights[:1], heights, heights[-1:]])
    finer = np.empty((2 * len(heights) - 1, heights.shape[1]), np.float32)
    finer[::2] = heights
    finer[1::2] = (9 * (framed[1:-2] + framed[2:-1]) - framed[:-3] - framed[3:]) / 16
    return finer


def _level(cells: float) -> float:
    """Return the level of a texture of which a texel is about as wide as so many cells."""
    return max(math.log2(max(cells, 1.0)) - _SHARPER, 0.0)
