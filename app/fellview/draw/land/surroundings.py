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

Dunes have their lee sides where the wind blows to, and mirrored they would not. Where their recipe does not tell what
lies beyond the border, either, pieces of the land lie around them as they are, from anywhere on it, that pass over into
each other. Where pieces of other lands meet, valleys and ridges end, craters come again in rows, and rivers and lakes
would be cut.

From above a mirror shows in what is large. Where a recipe says what lies beyond the border, far ground has the form
that it makes there, and only what is finer is mirrored (`recipe_form.py`): ranges and fjords go on instead of turning
back. Mirrored, rivers would run uphill on that form and lakes lie aslant. So at rest rivers run on in valleys that are
cut for them (`valleys.py`), and lakes lie in that ground's own hollows (`surroundings_lakes.py`); in a draft rivers end
beside the border.

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
import itertools
import math

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw.ground.cover import Cover
from fellview.draw.land import recipe_form
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.surroundings_frame import MOON_RADIUS_M, Around, Extent, Frame, How, settles
from fellview.draw.land.surroundings_lakes import LakesAround
from fellview.draw.land.valleys import Leaving
from fellview.draw.light.lighting import Lighting, goes_on, is_round
from fellview.gpu.passes import GridPasses, Number
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water

_FINE = Extent(0.0, 0.5, 512, (1024, 2048), 256, 512, 1), Extent(0.5, 1.5, 256, (512, 1024), 160, 512, 2)
_COARSE = Extent(0.5, 1.5, 128, (256, 512), 80, 512, 4), Extent(1.5, 5.5, 32, (256, 512), 80, 128)
_OUTERMOST = Extent(5.5, 17.5, 16, (256, 512), 80, 32)
"""Fine frames are made when nothing moves, and then stand for the first of the coarse ones, which before reaches up to
the land. From above the ground changes its look where cells get four times as large at once. The light map of the
nearest has cells as large as the land's own; rivers' texels are 27 m in all of them around a land of 14 km. The
outermost is for an eye that sees that far on a round world."""

_SLANTS = 16  # places along each border of which is known how the land's features slant there
_SLANTS_OVER = 0.012  # sides: as fine as the heights are whose slopes tell it, as in border_slants.frag
_DRAWN_OUT = 0.45  # at most, of the land along a border: how much longer or shorter slants make what lies beyond
_SLANT_REACH = 0.1  # sides: as far as they move it, as in surroundings.glsl
_HORIZON = 0.8  # of the way out to where the coarse frames end: for an eye that sees farther there is the outermost
_SMALL_TURNS = 2  # of small frames in which the land's own light stays, until each around it follows the sun
_EYE_OVER_M = 2.0  # the ground outside of the land: of a tall standing person
_ISLAND = 0.95  # of the land's border under the sea, from which on the land is islands
_ISLAND_LAYERS, _ISLAND_CELLS, _ISLAND_TEXELS = 2, 64, 3  # as in island_cells.glsl
_SEEDS = 1009  # of which islands lie each elsewhere; the GPU counts waves of an archipelago by them
_OPEN_SEA = 0.05  # of the land's border under the sea, from which on that lies at the horizon


class Surroundings:
    """Keeps the frames around one land in one OpenGL context.

    For pictures of some hundred pixels a side their light is `coarser`, and no fine one is ever made.
    """

    def __init__(self, context: moderngl.Context, coarser: int = 1) -> None:
        self._context, self._coarser = context, coarser
        self._grids = GridPasses(context)
        self._frames: list[Frame] = []
        self._fine: list[Frame] = []
        self._fine_of: How | None = None
        self._outermost: Frame | None = None
        self._outermost_of: How | None = None
        self._islands: moderngl.Texture | None = None  # made for the first land that ends in the sea
        self._form = recipe_form.RecipeForm(self._grids)
        self._lakes = LakesAround(self._grids), LakesAround(self._grids)  # near and far
        self._rivers: tuple[int, Leaving | None] = -1, None  # of which version of the land
        self._land: moderngl.Texture | None = None
        self._found_slants, self._slants = self._grids.texture(4, _SLANTS), self._grids.texture(4, _SLANTS)
        self._made: How | None = None
        self._begun: How | None = None
        self._sides_m = (0.0, 0.0)
        self._turn = 0
        self.made = 0
        """How often heights were carried on."""
        self.waits = False
        """Whether only coarse heights follow the land while something moves: fine ones, light, water and what ground is
        made of come when it rests, and before anything has been made nothing is drawn."""

    def begin(self, scene: Scene, height_map: HeightMap, *, resting: bool, small: bool = False) -> None:
        """Have OpenGL begin what `prepare` will wait for, so that other work may be done meanwhile."""
        water = scene.water.enabled and scene.water.rivers
        if water and not small and self._rivers[0] != height_map.version:
            return  # whether rivers leave the land is told by its water's maps, which are not there yet
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
        if resting and lighting.water is not None:
            self._rivers = height_map.version, lighting.water.leaving
        how = self.carry_on(scene, height_map, rough=small)
        if resting and self._coarser == 1 and self._fine_of != how:
            self._fine = self._fine or [Frame(self._context, self._grids, self._coarser, extent) for extent in _FINE]
            self._fine_of = how
            for frame in self._fine:
                self._carry(frame, field, how, rough=False)
        if resting and how.far == "recipe" and lighting.water is not None and lighting.water.has_lakes:
            self._find_lakes(how, scene.water, lighting.water.lakes_share)
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
        around = [
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
        ]
        if not small and scene.sun.shadows:
            for number, (frame, outer) in enumerate(itertools.pairwise(frames)):
                around[number] = around[number].lit_by(frame.light_joined(outer))
        return tuple(around)

    def over_land(self, scene: Scene, lighting: Lighting, around: tuple[Around, ...]) -> Lighting:
        """Return the land's `lighting` with shadows that fall on it from beyond its border, where they are known.

        `around` is what was prepared for the same frame of `scene`.
        """
        near = self._drawn[0] if self._drawn else None
        if near not in self._fine or not around or not near.is_lit_as_land(scene, lighting):
            return lighting
        return dataclasses.replace(lighting, light_map=near.light_over_land(lighting))

    def _find_lakes(self, how: How, water: Water, most_share: float) -> None:
        """Find the lakes of `water` in the hollows around the land: of the last frame, and of all those within it."""
        near, far = self._frames
        fine = reversed(self._fine if self._fine_of == how else ())
        for number, frames in enumerate(([near, *fine], [far])):
            found = self._lakes[number]
            inner = 0.0 if number == 0 else far.first
            found.make(how, [frame.ground for frame in frames], inner, water, most_share)
            for frame in frames:
                frame.take_lakes(found.found)

    @property
    def _drawn(self) -> list[Frame]:
        """The frames that fit the land, the nearest first."""
        return [*self._fine, *self._frames[1:]] if self._fine and self._fine_of == self._made else self._frames

    def carry_on(self, scene: Scene, height_map: HeightMap, *, rough: bool = False) -> How:
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

    def _begin_heights(self, scene: Scene, height_map: HeightMap, *, rough: bool) -> How:
        """Have OpenGL begin heights that `carry_on` takes, unless they are there or begun; return what they go by."""
        field, height = height_map.field, scene.view.surroundings_height / 100
        assert field is not None and height_map.heights is not None
        far, otherwise = _far(scene, field)
        sea_m, seed = (scene.water.sea_level, scene.noise.seed % _SEEDS) if far == "islands" else (0.0, 0)
        recipe, last = recipe_form.groups_of(scene) if far == "recipe" else (), self._begun or self._made
        form_cells = recipe_form.CELLS if rough or not recipe else recipe_form.cells_of(scene)
        rivers = self._rivers[1] if recipe and not rough and self._rivers[0] == height_map.version else None
        if rivers is not None:
            form_cells = max(form_cells, recipe_form.VALLEY_CELLS)
        if rough and last is not None and last.far == far and last.version == height_map.version:
            # of the land that is still there, when the scene is ahead of it
            recipe, form_cells, rivers = last.recipe, last.form_cells, last.rivers
        plain_m = _plain_m(field, scene.water)
        how = How(
            height_map.version,
            height,
            plain_m,
            is_round(scene),
            far,
            otherwise,
            sea_m,
            seed,
            recipe,
            form_cells,
            rivers,
        )
        if how == last:
            return how
        self._frames = self._frames or [Frame(self._context, self._grids, self._coarser, extent) for extent in _COARSE]
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
            scattered: dict[str, Number] = {"u_settles": settles(how), "u_seed": float(how.seed)}
            size = _ISLAND_LAYERS * _ISLAND_CELLS, _ISLAND_TEXELS * _ISLAND_CELLS
            self._islands = self._islands or self._grids.texture(*size, 4)
            self._grids.run("draw/land/scattered_islands.frag", self._islands, {}, scattered)
        if far == "recipe":
            self._form.make(recipe, land, field, form_cells, rivers)
        for frame in self._frames:
            self._begin(frame, field, how, rough=rough)
        return how

    def _begin(self, frame: Frame, field: HeightField, how: How, *, rough: bool) -> None:
        """Have OpenGL begin the heights of `frame` around `field`."""
        assert self._land is not None
        places = {"u_slants": self._slants, "u_form": self._form.texture}
        if self._islands is not None:
            places["u_islands"] = self._islands
        frame.begin(self._land, places, field, how, self._form, rough=rough)

    def _carry(self, frame: Frame, field: HeightField, how: How, *, rough: bool) -> None:
        """Make the heights of `frame` around `field`."""
        self._begin(frame, field, how, rough=rough)
        frame.end()

    def _carried_out(self, field: HeightField, how: How, *, rough: bool) -> Frame:
        """Return the outermost frame around `field`, with the heights that fit the others."""
        self._outermost = self._outermost or Frame(self._context, self._grids, self._coarser, _OUTERMOST)
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


def _far(scene: Scene, field: HeightField) -> tuple[str, str]:
    """Return what far ground around `field`, the land of `scene`, is made of, and if its recipe tells nothing of it.

    They are keys of _LIBRARIES.
    """
    water = scene.water
    rises = scene.view.surroundings_height > 0
    is_wet = water.enabled and (water.lakes or water.rivers)
    has_open_sea = rises and water.enabled and water.sea and not is_wet
    if has_open_sea and float((field.border < water.sea_level).mean()) > _ISLAND:
        return "islands", "islands"
    otherwise = "pieces" if recipe_form.is_one_way(scene) and not is_wet else "mirrored"
    return "recipe" if rises and recipe_form.goes_on(scene) else otherwise, otherwise


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
    return 2 * MOON_RADIUS_M * up_m > (_HORIZON * _COARSE[-1].last * min(field.size)) ** 2
