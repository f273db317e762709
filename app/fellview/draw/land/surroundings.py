"""The land that goes on beyond the border: grids around the land, drawn as the land itself is drawn.

Grids lie around the land like frames, each coarser than the one inside it; a rim of the last one's outermost vertices,
moved far out, is the ground up to the horizon. The nearest is about as fine as the land. Fine ones are made when
nothing moves (`surroundings_ring.py`): until then a coarse one reaches up to the land. An eye that is so high that it
looks down at what is farther sees there how fine that is, and where it ends: so far ground is fine then, too, and goes
on three times as far. Their heights are the land's, mirrored at its sides, slanting as its features do there, moved
aside and raised or lowered by slow waves (shaders/draw/land/surroundings.glsl), and so are slopes, masks, lakes and
rivers. Farther out, where the mirrored land would come again and again in a lattice, they are those of pieces of it,
each from another place and turned otherwise, that pass over into each other. Light is worked out on those heights, not
mirrored, so that shadows agree with the sun.

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
the horizon. The outermost grid reaches out to the horizon of an eye 12 km up over a land of 12 km.

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
from fellview.draw.land import recipe_form, surroundings_ring
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.seen_ground import seen_ground
from fellview.draw.land.surroundings_frame import MOON_RADIUS_M, Around, Frame
from fellview.draw.land.surroundings_plan import How, settles
from fellview.draw.land.surroundings_ring import Ring
from fellview.draw.land.valleys import Leaving
from fellview.draw.light.lighting import Lighting, goes_on, is_round
from fellview.draw.passes import Passes, whole
from fellview.gpu import formats, mipmaps
from fellview.gpu.engine import GpuField
from fellview.gpu.passes import GridPasses, Number
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water

_SLANTS = 16  # places along each border of which is known how the land's features slant there
_SLANTS_OVER = 0.012  # sides: as fine as the heights are whose slopes tell it, as in border_slants.frag
_DRAWN_OUT = 0.45  # at most, of the land along a border: how much longer or shorter slants make what lies beyond
_SLANT_REACH = 0.1  # sides: as far as they move it, as in surroundings.glsl
_HORIZON = 0.8  # of the way out to where the coarse frames end: for an eye that sees farther there is the outermost
_LOOKS_DOWN_SIDES = 0.6  # how high an eye is that does: at 15 degrees or more on what is nearer than the far ring
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
        self._rings: list[Ring] = []  # the near one and the far one
        self._outermost: Ring | None = None
        self._islands: moderngl.Texture | None = None  # made for the first land that ends in the sea
        self._form = recipe_form.RecipeForm(self._grids)
        self._far_form = recipe_form.RecipeForm(self._grids, recipe_form.FAR_BEYOND)
        self._rivers: tuple[int, Leaving | None] = -1, None  # of which version of the land
        self._land: moderngl.Texture | None = None
        self._found_slants, self._slants = self._grids.texture(4, _SLANTS), self._grids.texture(4, _SLANTS)
        self._made: How | None = None
        self._begun: How | None = None
        self._is_cut = False  # what was to be begun: it is of neither
        self._sides_m = (0.0, 0.0)
        self._turn = 0
        self.made = 0
        """How often heights were carried on."""
        self.waits = False
        """Whether only coarse heights follow the land while something moves: fine ones, light, water and what ground is
        made of come when it rests, and before anything has been made nothing is drawn."""
        self.is_looked_down_at: bool | None = None
        """Whether far ground is under every eye as it is under a high one, or under every eye as it is under a low one;
        None where that goes by each eye."""

    def begin(
        self, scene: Scene, height_map: HeightMap, *, resting: bool, small: bool = False, aspect: float | None = None
    ) -> None:
        """Have OpenGL begin what `prepare` will wait for, so that other work may be done meanwhile.

        In `small` frames of pictures of that `aspect` only what the camera sees follows new land, where that is given.
        """
        water = scene.water.enabled and scene.water.rivers
        if water and not small and self._rivers[0] != height_map.version:
            return  # whether rivers leave the land is told by its water's maps, which are not there yet
        if self._is_wanted(scene, height_map, resting or not self.waits):
            whole(self._begin_heights(scene, height_map, rough=small, aspect=aspect))

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
        aspect: float | None = None,
    ) -> Passes[tuple[Around, ...]]:
        """Return what is to be drawn around the land of `scene`, the nearest first; nothing where nothing is wanted.

        `cover` is ready for the land, and `lighting` is the land's. In `small` frames, of fewer pixels than their
        picture, shadows follow the sun by turns with the land's, and each ring has one grid, of what is there.
        `aspect` is as in `begin`.

        Where it is closed between two passes, what has been made by then is not made again.
        """
        field, resting = height_map.field, resting or not self.waits
        if field is None or not self._is_wanted(scene, height_map, resting):
            return ()
        if resting and lighting.water is not None:
            self._rivers = height_map.version, lighting.water.leaving
        how = yield from self._carried_on(scene, height_map, rough=small, aspect=aspect)
        rings = list(self._rings)
        if how.goes_far and _sees_far(scene, field, how.plain_m):
            rings.append((yield from self._carried_out(field, how, rough=small)))
        if resting and self._coarser == 1:
            yield
            yield from self._make_fine(scene, field, how, rings)
        if resting and how.far == "recipe" and lighting.water is not None and lighting.water.has_lakes:
            for ring in rings:
                starts = 0.0 if ring is self._rings[0] else ring.coarse.first
                ring.find_lakes(how, starts, scene.water, lighting.water.lakes_share)
                yield
        if self._hide(scene):
            return ()
        coarse = [ring.coarse for ring in rings]
        frames = [frame for ring in rings for frame in ([ring.moving(how)] if small else ring.drawn(how))]
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
        # those of moving frames, too, or the first of a movement lit them
        beside = [frame for frame in coarse if frame not in frames] if resting and self.waits else []
        for frame in beside:
            yield from frame.around(scene, field, cover, lighting, 0.0, skirts_m, resting=True)
        around = []
        for number, frame in enumerate(frames):
            one = yield from frame.around(
                scene,
                field,
                cover,
                lighting,
                inner[number],
                skirts_m,
                resting=resting,
                waits=small and turn != number % _SMALL_TURNS,
                has_rim=number == len(frames) - 1,
            )
            around.append(one)
        if not small and scene.sun.shadows:
            for number, (frame, outer) in enumerate(itertools.pairwise(frames)):
                around[number] = around[number].lit_by(frame.light_joined(outer))
        return tuple(around)

    def _make_fine(self, scene: Scene, field: HeightField, how: How, rings: list[Ring]) -> Passes[None]:
        """Make the fine grids of those of the `rings` around `field` that a picture of `scene` that rests has so."""
        looks_down = self._looks_down(scene, field)
        for number, ring in enumerate(rings):
            for frame in ring.lacks(how) if number == 0 or looks_down else ():
                yield from self._carry(ring, frame, field, how, rough=False)
                yield

    def is_coarse(self, scene: Scene) -> bool:
        """Return whether ground next to the land is there, but not as fine as a picture of `scene` at rest has it."""
        return goes_on(scene) and self._made is not None and not self._rings[0].is_fine(self._made)

    def over_land(self, scene: Scene, lighting: Lighting, around: tuple[Around, ...]) -> Lighting:
        """Return the land's `lighting` with shadows that fall on it from beyond its border, where they are known.

        `around` is what was prepared for the same frame of `scene`.
        """
        if not around or not self._rings[0].is_fine(self._made):
            return lighting
        near = self._rings[0].drawn(self._made)[0]
        if not near.is_lit_as_land(scene, lighting):
            return lighting
        return dataclasses.replace(lighting, light_map=near.light_over_land(lighting))

    def carry_on(self, scene: Scene, height_map: HeightMap, *, rough: bool = False) -> How:
        """Make the heights around the land of `height_map`, where what they go by has changed, and return that.

        Where that is enough, `rough`, how coarsely they may be drawn is known of those before, and only every second
        vertex is worked out, but of the outermost: until they are asked for otherwise.

        Every picture has those that fit: others would leave the sides that hang down to be seen as a wall.
        """
        return whole(self._carried_on(scene, height_map, rough=rough))

    def _carried_on(
        self, scene: Scene, height_map: HeightMap, *, rough: bool, aspect: float | None = None
    ) -> Passes[How]:
        how = yield from self._begin_heights(scene, height_map, rough=rough, aspect=aspect)
        field = height_map.field
        assert field is not None
        if how == self._begun:
            for ring in self._rings:
                ring.coarse.end()
            self._made, self._begun = how, None
        for ring in () if rough else self._rings:
            if ring.coarse.is_rough:
                yield from self._carry(ring, ring.coarse, field, how, rough=False)
            else:
                ring.coarse.measure()
        return how

    def _begin_heights(
        self, scene: Scene, height_map: HeightMap, *, rough: bool, aspect: float | None = None
    ) -> Passes[How]:
        """Have OpenGL begin heights that `carry_on` takes, unless they are there or begun; return what they go by.

        In a `rough` draft of new land, of a picture of that `aspect`, they follow it where the camera sees them.
        """
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
        looks_down, far_cells = self._looks_down(scene, field), 0
        if far == "recipe" and (looks_down or self._coarser == 1):
            far_cells = recipe_form.far_cells_of(scene, form_cells, draft=rough, fine=looks_down)
            if rough and last is not None and last.version == height_map.version and last.form_cells == form_cells:
                far_cells = max(far_cells, last.far_cells)
        seen = None
        is_new = last is None or last.version != height_map.version
        if rough and aspect is not None and (is_new or (last is not None and last.seen is not None)):
            seen = seen_ground(scene.camera, aspect, _sides_m(field))
            if not is_new and last is not None and last.seen != seen:
                seen = None  # and the next one has all of it, wherever the camera turns
        how = How(
            height_map.version,
            height,
            plain_m,
            is_round(scene),
            is_round(scene) or (far != "islands" and looks_down),
            far_cells,
            far,
            otherwise,
            sea_m,
            seed,
            recipe_form.is_one_way(scene),
            recipe,
            form_cells,
            rivers,
            seen,
        )
        if how == last and not self._is_cut:
            return how
        was_cut, self._is_cut = self._is_cut, True
        here = self._context, self._grids, self._coarser
        self._rings = self._rings or [Ring(*here, *extents) for extents in surroundings_ring.RINGS[:2]]
        self.made += 1
        if was_cut or last is None or how.comes_from != last.comes_from:
            yield from self._take(height_map, field, how)
        if how.far_cells:
            assert self._land is not None
            yield from self._far_form.make(recipe, self._land, field, how.far_cells, within=self._form)
        for ring in self._rings:
            if was_cut or not ring.coarse.is_of(how):
                yield from self._begin(ring, ring.coarse, field, how, rough=rough)
        self._begun, self._is_cut = how, False
        return how

    def _looks_down(self, scene: Scene, field: HeightField) -> bool:
        return looks_down(scene, field) if self.is_looked_down_at is None else self.is_looked_down_at

    def _take(self, height_map: HeightMap, field: HeightField, how: How) -> Passes[None]:
        """Make what all heights around `field`, the land of `height_map`, come from."""
        self._sides_m = _sides_m(field)
        land = self._with_levels(height_map)
        yield
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
        if how.far == "islands":
            scattered: dict[str, Number] = {"u_settles": settles(how), "u_seed": float(how.seed)}
            size = _ISLAND_LAYERS * _ISLAND_CELLS, _ISLAND_TEXELS * _ISLAND_CELLS
            self._islands = self._islands or self._grids.texture(*size, 4)
            self._grids.run("draw/land/scattered_islands.frag", self._islands, {}, scattered)
        if how.far == "recipe":
            yield from self._form.make(how.recipe, land, field, how.form_cells, how.rivers)

    def _begin(self, ring: Ring, frame: Frame, field: HeightField, how: How, *, rough: bool) -> Passes[None]:
        """Have OpenGL begin the heights around `field` of a `frame` of `ring`."""
        assert self._land is not None
        form = self._far_form if how.far_cells and ring is not self._rings[0] else self._form
        places = {"u_slants": self._slants, "u_form": form.texture, "u_land_form": form.on_land}
        if self._islands is not None:
            places["u_islands"] = self._islands
        yield from frame.begin(self._land, places, field, how, form, rough=rough)

    def _carry(self, ring: Ring, frame: Frame, field: HeightField, how: How, *, rough: bool) -> Passes[None]:
        """Make the heights around `field` of a `frame` of `ring`."""
        yield from self._begin(ring, frame, field, how, rough=rough)
        frame.end()

    def _carried_out(self, field: HeightField, how: How, *, rough: bool) -> Passes[Ring]:
        """Return the outermost ring around `field`, with coarse heights that fit the others."""
        here = self._context, self._grids, self._coarser
        self._outermost = self._outermost or Ring(*here, *surroundings_ring.RINGS[2])
        coarse = self._outermost.coarse
        if not coarse.is_of(how):
            yield from self._carry(self._outermost, coarse, field, how, rough=rough)
        elif not rough:
            coarse.measure()
        return self._outermost

    def heights_at(self, x_m: NDArray[np.float64], z_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the heights in metres at places around the land, as they were made last; -inf where nothing is."""
        heights = np.full(np.shape(x_m), -np.inf)
        rings = list(self._rings)
        if self._outermost is not None and self._outermost.coarse.is_of(self._made):
            rings.append(self._outermost)
        for frame in [frame for ring in rings for frame in ring.drawn(self._made)]:
            heights = np.where(np.isneginf(heights), frame.heights_at(x_m, z_m), heights)
        return heights

    def _with_levels(self, height_map: HeightMap) -> moderngl.Texture:
        """Return a copy of the heights of `height_map` with its coarser levels, which is kept."""
        heights, field = height_map.heights, height_map.field
        assert heights is not None and field is not None
        if self._land is None or self._land.size != heights.size:
            if self._land is not None:
                self._grids.give_back(self._land)
                self._grids.trim()
            self._land = self._grids.texture(heights.height, heights.width, levels=True)
            self._land.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        if isinstance(field, GpuField):
            self._grids.run("gpu/copy.frag", self._land, {"u_field": heights})
        else:  # a quarter of the time of a pass on software OpenGL
            self._land.write(formats.packed(field.heights, self._land.dtype))
        mipmaps.build(self._land)
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


def _sides_m(field: HeightField) -> tuple[float, float]:
    """Return the sides (x, z) of `field` from its first to its last vertex."""
    return (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]


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
    is_one_way, has_lakes = recipe_form.is_one_way(scene), water.enabled and water.lakes
    otherwise = "mirrored" if has_lakes else "pieces" if is_one_way and not is_wet else "tiled"
    return "recipe" if rises and recipe_form.goes_on(scene) else otherwise, otherwise


def _plain_m(field: HeightField, water: Water) -> float:
    """Return how high the plain lies in which the ground around `field` ends: as its border, or that under the sea."""
    if water.enabled and water.sea:
        bed = field.border[field.border < water.sea_level]
        if bed.size > _OPEN_SEA * field.border.size:
            return float(bed.mean())
    return float(field.border.mean())


def looks_down(scene: Scene, field: HeightField) -> bool:
    """Return whether the camera of `scene` looks so steeply at the ground far around `field`, its land, that it tells
    how fine and how wide that is."""
    camera, sides_m, side_m = scene.camera, field.size[::-1], min(field.size)
    if not camera.is_parallel:
        return camera.y / scene.view.exaggeration - _plain_m(field, scene.water) > _LOOKS_DOWN_SIDES * side_m
    away_m = max(abs(at - side / 2) for at, side in zip((camera.x, camera.z), sides_m, strict=True))
    return away_m + camera.span > (0.5 + surroundings_ring.RINGS[1][0].first) * side_m


def _sees_far(scene: Scene, field: HeightField, plain_m: float) -> bool:
    """Return whether an eye sees about as far as the coarse frames around `field` reach: over a round world not all."""
    if not is_round(scene) or scene.camera.is_parallel:
        return True
    up_m = scene.camera.y / scene.view.exaggeration - plain_m
    return 2 * MOON_RADIUS_M * up_m > (_HORIZON * surroundings_ring.RINGS[1][0].last * min(field.size)) ** 2
