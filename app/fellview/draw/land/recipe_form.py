"""The form of the ground far around a land: what the land's own recipe makes there.

The noise, the landforms over it and the smooth bends go on outward with the same seed and the same metres. They are
worked out by the twins of those steps on a grid so coarse that only wide forms are in it, the same one for every
fineness of the land: a draft's ground around has the great shapes of the full land's, and no shape jumps when a hand
rests. It is a coarse sketch: erosion, which only the land itself has, moves its level and its relief. So with
w what the recipe makes, l the land's means over as wide pieces and m their means over the land,

    form = a·(w − m(w)) + m(l) + c·exp(−d/D),   a = cov(l, w)/var(w)

c is what is left between the two at the nearest place of the border and d the distance from it. How well they agree, a
correlation, says how far the ground around takes that form at all (`agreement`): land that its recipe does not tell of
is mirrored.

What is finer than the form comes from the mirrored land still (`surroundings.py`).

Rejected: erosion on the wide land. Its lengths, times and relief are told in sides of the land and in the input's
range, and its rivers leave where the border is lowest: three sides wide it would be another land, within the border
too. So where rivers cut rising land, which gives it all its form, it stays mirrored. Rejected: half the cells, a third
of the time, with which a fjord breaks into lakes.

Walls of canyons, craters and coasts are finer than that form, and mirrored detail would lay them all over level ground.
Where there are such, the form is as fine as walls are when nothing moves, and level ground has next to nothing of what
is mirrored. Around dunes, which would face the wind there, no ground has any.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import moderngl
import numpy as np

from fellview.core.height_field import HeightField, Heights
from fellview.core.parameters import Group
from fellview.draw.land import valleys
from fellview.draw.land.valleys import Leaving
from fellview.draw.passes import Passes
from fellview.gpu.noise_map import NoiseMap
from fellview.gpu.passes import GridPasses
from fellview.gpu.twins import landform as landform_twin
from fellview.noise import evaluate
from fellview.noise import registry as noises
from fellview.noise.evaluate import Request
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid, group_of
from fellview.terrain.fractal_field import DIMENSION, KIND, LACUNARITY, FractalField
from fellview.terrain.landforms import registry as landforms
from fellview.terrain.landforms.form import Form
from fellview.terrain.steps import edge, erosion, imported, landform, perturb
from fellview.terrain.steps.noise import Noise, cycles, kept_octaves, settings

CELLS = 32
"""A side of the land: what is wider than two of them is form."""

BEYOND = 1.5
"""Sides of the land on every side; farther out the form is mirrored there, unless it is made wider."""

FAR_CELLS, FAR_DRAFT_CELLS, FAR_BEYOND = 64, 16, 5.5
"""The same of the form of far ground: at most, where it is looked down at; in a draft; and sides."""

WALL_CELLS = 128
"""The same where a landform has walls and nothing moves: a cliff is somewhat more than one of them wide."""

VALLEY_CELLS = 64
"""The same, at least, where rivers run on over that ground: a valley is some of them wide."""

_SPREADS = 4  # times as fine as itself the form is over the land: straight lines between its texels would be seen
_JOINS = 0.06  # sides within which a wider form takes the place of the mirrored one
_FADES = 0.2  # sides from the border over which what is left between land and recipe falls to 1/e
_LEAST_AGREEMENT = (0.5, 0.75)  # correlations between which the form comes to count; presets have 0.85 and more
_DETAIL, _DETAIL_OF_WALLS = (0.3, 1.6), (0.03, 1.6)  # how much of the mirror's detail level and steep ground have
_STEPS: tuple[type[Group], ...] = (Noise, *landform.SLOTS, perturb.Perturb)  # whose groups decide the form


def goes_on(scene: Scene) -> bool:
    """Return whether the recipe of `scene` says what lies beyond its land's border."""
    groups = scene.terrain_groups()
    noise, bends = group_of(groups, Noise), group_of(groups, perturb.Perturb)
    sunk, read = group_of(groups, edge.Edge), group_of(groups, imported.Imported)
    if edge.STEP.active(sunk) or imported.STEP.active(read) or (perturb.active(bends) and bends.mode != "smooth"):
        return False
    wears = group_of(groups, erosion.Erosion)
    if erosion.STEP.active(wears) and wears.shows("uplift") and wears.uplift > 0:
        return False
    kinds = [group_of(groups, slot).kind for slot in landform.SLOTS]
    whole = all(landforms.get(kind).goes_on for kind in kinds if kind != landform.NONE)
    return whole and noise.enabled and noises.get(noise.kind).natural_period > 0


def groups_of(scene: Scene) -> tuple[Group, ...]:
    """Return all of the recipe of `scene` that the form depends on."""
    groups = scene.terrain_groups()
    return (group_of(groups, Grid), *(group_of(groups, step) for step in _STEPS))


def cells_of(scene: Scene) -> int:
    """Return how many cells a side of the land the form of `scene` has when nothing moves."""
    return WALL_CELLS if any(one.has_walls for one in _forms(groups_of(scene))) else CELLS


def far_cells_of(scene: Scene, form_cells: int, *, draft: bool, fine: bool) -> int:
    """Return how many cells a side of the land the form of far ground has, if the near one has `form_cells`.

    It is `fine` where it is looked down at. Where it is not, a `draft` of new land has none, which is 0: a slider's
    frames would take a tenth longer for what is seen on the horizon alone. Dunes would be lost between the few cells
    of a draft.
    """
    if draft and not fine:
        return 0
    if draft and not is_one_way(scene):
        return FAR_DRAFT_CELLS
    return min(FAR_CELLS if fine else CELLS, form_cells)


def is_one_way(scene: Scene) -> bool:
    """Return whether the mirror image of the land of `scene` would be none of its kind."""
    return any(one.is_one_way for one in _forms(groups_of(scene)))


def _forms(groups: tuple[Group, ...]) -> list[Form]:
    kinds = [group.kind for group in groups if isinstance(group, landform.Landform)]
    return [landforms.get(kind) for kind in kinds if kind != landform.NONE]


def _detail(groups: tuple[Group, ...]) -> tuple[float, float]:
    """Return how much of the mirror's detail ground has, where its form is less and where it is more steep."""
    forms = _forms(groups)
    if any(one.is_one_way for one in forms):
        return 0.0, 0.0
    return _DETAIL_OF_WALLS if any(one.has_walls for one in forms) else _DETAIL


@dataclass(frozen=True)
class RiversBeyond:
    """Rivers on the ground around a land: a texture as `draw/water/river_courses.frag` reads it."""

    texture: moderngl.Texture
    cells: int
    """A side of the land."""
    cell_m: tuple[float, float]
    """Metres a cell, z and x."""
    widest_m: float
    """The widest of them."""


class RecipeForm:
    """Makes the form of the ground around one land, as a texture, in one OpenGL context.

    It reaches `beyond` the land so many of its sides.
    """

    def __init__(self, grids: GridPasses, beyond: float = BEYOND) -> None:
        self._grids = grids
        self.beyond = beyond
        self._none = grids.upload(np.zeros((1, 1, 4), np.float32))
        self._form: moderngl.Texture | None = None
        self._on_land: moderngl.Texture | None = None
        self._heights: Heights = np.zeros((1, 1), np.float32)
        self._recipe: tuple[object, Heights] | None = None
        self.agreement = 0.0
        """How far the ground around takes this form, 0 to 1."""
        self.detail = 0.0, 0.0
        """How much of the mirror's detail level and steep ground have."""
        self.rivers: RiversBeyond | None = None
        """The rivers that run on over the ground around, where any do."""

    @property
    def texture(self) -> moderngl.Texture:
        """Heights in metres, how steep they are in metres a side of the land, and how much of detail they have.

        Texel [r, c] lies at ((c, r) / cells − `beyond`) sides of the land.
        """
        return self._form or self._none

    @property
    def on_land(self) -> moderngl.Texture:
        """The first two of these over the land alone, spread out finer, from border to border."""
        return self._on_land or self._none

    def make(
        self,
        groups: tuple[Group, ...],
        land: moderngl.Texture,
        field: HeightField,
        cells: int = CELLS,
        rivers: Leaving | None = None,
        within: RecipeForm | None = None,
    ) -> Passes[None]:
        """Make the form around `field`, whose heights with their coarser levels are `land`, by the recipe `groups`.

        It has so many `cells` a side of the land, and valleys where `rivers` leave that. As far as one lies `within` it
        that is as fine or finer, it is that.
        """
        key = groups, field.rows, field.columns, cells
        if self._recipe is None or self._recipe[0] != key:
            self._recipe = key, self._drawn(groups, field, cells)
            yield
        means = self._means(land, cells)
        form, self.agreement = fitted(self._recipe[1], means)
        yield
        self.detail = _detail(groups)
        calm = np.ones_like(form)
        if self.rivers is not None:
            self._grids.give_back(self.rivers.texture)
            self.rivers = None
        if rivers is not None and self.agreement > 0:
            form, calm = self._with_valleys(form, means, field, rivers)
            yield
        if within is not None:
            form = _joined(form, within._heights, cells, within.beyond)
        self._heights = form
        steep = np.hypot(*np.gradient(form, 1 / cells))
        texels = np.stack([form, steep, calm, np.zeros_like(form)], axis=-1)
        for before in (self._form, self._on_land):
            if before is not None:
                self._grids.give_back(before)
        self._form = self._grids.upload(texels)
        self._form.filter = (moderngl.LINEAR, moderngl.LINEAR)
        fine = _SPREADS * cells
        self._on_land = self._grids.texture(fine + 1, fine + 1, 2)
        self._on_land.filter = (moderngl.LINEAR, moderngl.LINEAR)
        numbers = {"u_cells": float(fine), "u_form_beyond": self.beyond}
        self._grids.run("draw/land/land_form.frag", self._on_land, {"u_form": self._form}, numbers)

    def _with_valleys(
        self, form: Heights, means: Heights, field: HeightField, rivers: Leaving
    ) -> tuple[Heights, Heights]:
        """Return the `form` with valleys for `rivers` of `field`, whose `means` it has inside, and its share of detail.

        Valleys wider than a cell of `VALLEY_CELLS` are cut into any finer form.
        """
        finer = (len(means) - 1) // VALLEY_CELLS
        plot = valleys.Plot(VALLEY_CELLS, BEYOND, valleys.cell_m(field, VALLEY_CELLS))
        ground = form[::finer, ::finer].copy()
        ground[plot.land] = means[::finer, ::finer]
        found = valleys.cut(ground, plot, rivers)
        z, x = plot.cell_m
        courses = np.stack([x * found.to_x, z * found.to_z, found.widths_m, np.zeros_like(found.calm)], axis=-1)
        widest_m = float(found.widths_m.max())
        self.rivers = RiversBeyond(self._grids.upload(courses), VALLEY_CELLS, plot.cell_m, widest_m)
        cut, calm = (_finer(each, finer)[: len(form), : len(form)] for each in (ground - found.heights, found.calm))
        return form - cut, calm

    def _means(self, land: moderngl.Texture, cells: int) -> Heights:
        """Return the means of `land` around the vertices of the form's `cells`, float32 [row, column]."""
        means = self._grids.texture(cells + 1, cells + 1)
        level = math.log2(max(max(land.size) / cells, 1.0))
        self._grids.run(
            "draw/land/land_means.frag", means, {"u_land": land}, {"u_level": level, "u_cells": float(cells)}
        )
        found = self._grids.read(means)
        self._grids.give_back(means)
        return found

    def _drawn(self, groups: tuple[Group, ...], field: HeightField, cells: int) -> Heights:
        """Return what the recipe makes, float32 [row, column]."""
        by_key = {group.key: group for group in groups}
        grid, noise = group_of(by_key, Grid), group_of(by_key, Noise)
        domain = Domain(grid.replace(rows=cells, columns=cells), noise.seed)
        # the land's last vertex lies a cell before the end of its domain: a side here reaches up to it
        kept = (field.rows - 1) / field.rows, (field.columns - 1) / field.columns
        grids = self._grids
        asked = evaluate.request(noise.kind, noises.get(noise.kind).flat_dimension, noise.seed, None, settings(noise))
        side = round((1 + 2 * self.beyond) * cells)
        heights = grids.texture(side, side)
        count = kept_octaves(noise, domain.grid)
        self._draw(asked, cycles(noise), kept, heights, count=count, amplitude=noise.amplitude)
        for slot in landform.SLOTS:
            one = group_of(by_key, slot)
            if one.kind != landform.NONE:
                below, laid = heights, landform.laid(one, domain, self.beyond)
                framed = dataclasses.replace(laid, frame=_moved(laid.frame, kept, self.beyond * cells))
                heights = landform_twin.lay(grids, one.kind, framed, below)
                grids.give_back(below)
        bends = group_of(by_key, perturb.Perturb)
        if perturb.active(bends):
            below, heights = heights, self._bent(heights, bends, domain, kept, cells)
            grids.give_back(below)
        found = grids.read(heights)
        grids.give_back(heights)
        return found

    def _bent(
        self,
        heights: moderngl.Texture,
        bends: perturb.Perturb,
        domain: Domain,
        kept: tuple[float, float],
        cells: int,
    ) -> moderngl.Texture:
        """Return `heights` displaced by `bends`, which are held back by no border of the land."""
        grids = self._grids
        along_z, along_x = perturb.fields(bends, domain.seed)
        shifts = [grids.texture(*heights.size) for _ in range(2)]
        for field, shift in zip((along_z, along_x), shifts, strict=True):
            self._draw(_asked(field, cells), field.frequency, kept, shift)
        reach = [
            bends.reach / 100 * cells / share * field.share(cells, cells)
            for field, share in zip((along_z, along_x), kept, strict=True)
        ]
        bent = grids.texture(*heights.size)
        textures = {"u_heights": heights, "u_shift_z": shifts[0], "u_shift_x": shifts[1]}
        grids.run("kernels/perturb/smooth.frag", bent, textures, {"u_reach": (reach[1], reach[0])})
        grids.give_back(*shifts)
        return bent

    def _draw(
        self,
        asked: Request,
        frequency: float,
        kept: tuple[float, float],
        into: moderngl.Texture,
        count: int | None = None,
        amplitude: float = 1.0,
    ) -> None:
        """Fill `into` with noise of `frequency` cycles across the domain, of which sides are `kept` (z, x)."""
        # noise has x along rows
        z, x = (frequency * share for share in kept)
        self._grids.tool(NoiseMap).draw(
            asked,
            into.size,
            extent=((1 + 2 * self.beyond) * z, (1 + 2 * self.beyond) * x),
            origin=(-self.beyond * z, -self.beyond * x),
            count=count,
            amplitude=amplitude,
            into=into,
        )


def _asked(field: FractalField, cells: int) -> Request:
    octaves = field.kept(cells, cells)
    return evaluate.request(
        KIND, DIMENSION, field.seed, None, {"octaves": octaves, "lacunarity": LACUNARITY, "gain": field.gain}
    )


def _moved(frame: tuple[float, ...], kept: tuple[float, float], first: float) -> tuple[float, ...]:
    """Return the landform's `frame` on the land, for that of the form, which begins `first` cells before it."""
    x0, z0, x_column, z_column, x_row, z_row = frame
    x_column, z_column, x_row, z_row = kept[1] * x_column, kept[1] * z_column, kept[0] * x_row, kept[0] * z_row
    return (x0 - first * (x_column + x_row), z0 - first * (z_column + z_row), x_column, z_column, x_row, z_row)


def fitted(recipe: Heights, land: Heights) -> tuple[Heights, float]:
    """Return the form around the land by what the `recipe` makes, and how far ground takes it, 0 to 1.

    `recipe` is (n, n) over all of the form, `land` (cells + 1)² over the land. Inside, the form is the land's own, of
    what is wider than two of `CELLS`.
    """
    cells = len(land) - 1
    first = (len(recipe) - cells) // 2
    inside = np.s_[first : first + cells + 1, first : first + cells + 1]
    means = _means(recipe)[inside]
    made, found = means - means.mean(), land - land.mean()
    variance, relief = float((made * made).mean()), float((found * found).mean())
    common = float((made * found).mean())
    if min(variance, relief) <= 0:
        return np.zeros_like(recipe), 0.0
    form = land.mean() + common / variance * (recipe - means.mean())
    left = land - form[inside]
    for _ in range((cells // CELLS) ** 2 - 1):  # what is finer would be drawn out from the border as streaks
        left = _means(left)
    out = np.arange(len(recipe)) - first
    nearest = np.clip(out, 0, cells)
    away = (np.abs(out - nearest) / cells).astype(np.float32)
    fades = np.exp(-np.hypot(away[:, None], away) / _FADES)
    form = (form + left[np.ix_(nearest, nearest)] * fades).astype(np.float32)
    low, high = _LEAST_AGREEMENT
    share = min(max((common / math.sqrt(variance * relief) - low) / (high - low), 0.0), 1.0)
    return form, share * share * (3 - 2 * share)


def _joined(form: Heights, inner: Heights, cells: int, beyond: float) -> Heights:
    """Return `form` of so many `cells` a side of the land with `inner` in it, which reaches `beyond` the land.

    What is `inner` goes on mirrored, as shaders/draw/land/recipe_form.glsl has it, until `form` has taken its place.
    """
    coarser = round((1 + 2 * beyond) * cells)
    inner = inner[:: len(inner) // coarser, :: len(inner) // coarser]
    at = np.arange(len(form)) - (len(form) - coarser) // 2
    to_and_fro = np.minimum(np.abs((at + coarser) % (2 * coarser) - coarser), coarser - 1)
    away = np.abs(at - np.clip(at, beyond * cells, (1 + beyond) * cells)) / cells - beyond
    share = np.clip(np.maximum(away[:, None], away) / _JOINS, 0, 1).astype(np.float32)
    share = share * share * (3 - 2 * share)
    return (1 - share) * inner[np.ix_(to_and_fro, to_and_fro)] + share * form


def _finer(values: Heights, times: int) -> Heights:
    """Return `values` with so many `times` as many places along each axis, straight lines between them."""
    for _ in range(2 if times > 1 else 0):
        at = np.arange(times * len(values)) / times
        before = np.minimum(at.astype(np.intp), len(values) - 2)
        part = np.minimum(at - before, 1.0).astype(np.float32)[:, None]
        values = (values[before] + part * (values[before + 1] - values[before])).T
    return values


def _means(recipe: Heights) -> Heights:
    """Return the means of `recipe` around its places, over as much as those of the land are."""
    for _ in range(2):
        framed = np.concatenate([recipe[:1], recipe, recipe[-1:]])
        recipe = ((framed[:-2] + 2 * recipe + framed[2:]) / 4).T
    return recipe
