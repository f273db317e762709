"""The land as views are judged by it: drawn heights on a small grid, what lies around them, and what is worth seeing.

What is around the land is part of every view. It is reckoned as the land mirrored at its sides where the scene has it
go on, whatever is drawn there, and else level: the sea, or the plain in which the land lies. Of the ten scenes' views
that are suggested so, the worst is in the best 2 of 100 by the ground that is drawn around it, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.scene.groups.sun import Sun
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.masks import masks_there

CELLS = 256
"""Along the longer side: views are judged by forms that are larger than a few cells."""

_RELIEF_CELLS = 8  # a side of the squares in which relief is told: what is seen as one form in a small picture
_COARSER = 3  # levels, each of half the cells: as far away as the sight lines' steps are longer than a cell
_CUT_WIDTHS, _CUT_SHARE = 0.005, 0.05  # of the land's width, and of its border
_LEAST_WATER = 0.02  # of the land: a few ponds are nothing to look for
_SHADOW_STEPS = 40  # towards the sun, each longer than the one before, up to the land's width

Grid = NDArray[np.float32]


@dataclass(frozen=True)
class Survey:
    """The land and as much around it on each side, on a small grid; places are in metres from the land's first vertex.

    `levels` are the drawn surface of ground and water in metres, float32 [row, column], each with half the cells of the
    one before, as high as the highest of theirs. `relief` (0 level … 1 the land's boldest), `water` (0 or 1) and
    `light` (what the sun gives the ground, 0 … 1) are of the finest. `cell` is (z, x) in metres, `size` the land's
    (z, x), and `first` the cell (row, column) of its first vertex. `goes_on` tells that there is land around it.
    """

    levels: tuple[Grid, ...]
    relief: Grid
    water: Grid
    light: Grid
    cell: tuple[float, float]
    size: tuple[float, float]
    first: tuple[int, int]
    goes_on: bool

    @property
    def width(self) -> float:
        """The larger horizontal side in metres."""
        return max(self.size)

    @property
    def is_wet(self) -> bool:
        """Whether there is water on the land that a picture may show."""
        return float(self.water[self.inner].mean()) > _LEAST_WATER

    @property
    def stands_m(self) -> float:
        """By how many metres an edge has to stand above what is around the land to be seen as cut off."""
        return _CUT_WIDTHS * self.width

    @property
    def has_cut_sides(self) -> bool:
        """Whether some of the land's border stands above what is around it."""
        land = self.levels[0][self.inner]
        border = np.concatenate([land[0], land[-1], land[:, 0], land[:, -1]])
        stands = border - self.levels[0][0, 0] > self.stands_m
        return not self.goes_on and float(stands.mean()) > _CUT_SHARE

    @property
    def inner(self) -> tuple[slice, slice]:
        """The part of the finest grid that is the land."""
        rows, columns = (round(size / cell) for size, cell in zip(self.size, self.cell, strict=True))
        return slice(self.first[0], self.first[0] + rows), slice(self.first[1], self.first[1] + columns)


def survey(field: HeightField, scene: Scene) -> Survey:
    """Return what views of `scene` are judged by; `field` is its land as computed.

    Lakes whose masks have not come are none yet.
    """
    step = max(max(field.rows, field.columns) / CELLS, 1.0)
    picked_rows = np.arange(0, field.rows, step).astype(np.intp)
    picked_columns = np.arange(0, field.columns, step).astype(np.intp)
    ground = np.asarray(field.at(picked_rows[:, None], picked_columns[None, :]), np.float32)
    surface, border_m = ground, float(field.border.mean())
    masks = masks_there(field, scene.water)
    if masks is not None and scene.water.lakes and "lake_depth" in masks:
        surface = ground + np.asarray(masks["lake_depth"], np.float32)[picked_rows[:, None], picked_columns[None, :]]
    has_sea = scene.water.enabled and scene.water.sea
    if has_sea:
        surface = np.maximum(surface, np.float32(scene.water.sea_level))
    times, view = np.float32(scene.view.exaggeration), scene.view
    cell = step * field.cell_size[0], step * field.cell_size[1]
    wet = (surface > ground).astype(np.float32)
    goes_on = view.stage == "landscape" and view.surroundings == "land"
    if goes_on:
        height = view.surroundings_height / 100
        around = border_m + height * (_mirrored(surface) - np.float32(border_m))
        wet_around = _mirrored(wet)
    else:
        level = scene.water.sea_level if has_sea else border_m
        around = _padded(surface, level)
        wet_around = _padded(wet, float(has_sea))
    inner = slice(ground.shape[0], 2 * ground.shape[0]), slice(ground.shape[1], 2 * ground.shape[1])
    around[inner] = surface
    drawn = np.ascontiguousarray(times * around, np.float32)
    levels = [drawn]
    while len(levels) <= _COARSER and min(levels[-1].shape) > 1:
        levels.append(_highest_of_four(levels[-1]))
    return Survey(
        tuple(levels),
        _relief(drawn, inner),
        wet_around,
        _light(drawn, levels[1], cell, scene.sun),
        cell,
        (field.rows * field.cell_size[0], field.columns * field.cell_size[1]),
        (inner[0].start, inner[1].start),
        goes_on,
    )


def _mirrored(values: Grid) -> Grid:
    """Return `values` with as much mirrored on each side."""
    return np.block([[part[:, ::-1], part, part[:, ::-1]] for part in (values[::-1], values, values[::-1])])


def _padded(values: Grid, level: float) -> Grid:
    """Return `values` with as much that is `level` on each side."""
    rows, columns = values.shape
    return np.pad(values, ((rows, rows), (columns, columns)), constant_values=np.float32(level))


def _highest_of_four(heights: Grid) -> Grid:
    rows, columns = (side // 2 for side in heights.shape)
    fours = heights[: 2 * rows, : 2 * columns].reshape(rows, 2, columns, 2)
    return np.ascontiguousarray(fours.max(axis=(1, 3)))


def _relief(heights: Grid, inner: tuple[slice, slice]) -> Grid:
    """Return how bold the forms are at each place: the height between the lowest and the highest nearby, 0 … 1."""
    side = _RELIEF_CELLS
    rows, columns = (length // side for length in heights.shape)
    squares = heights[: rows * side, : columns * side].reshape(rows, side, columns, side)
    ranges = squares.max(axis=(1, 3)) - squares.min(axis=(1, 3))
    spread = np.kron(ranges, np.ones((side, side), np.float32))
    out = np.zeros_like(heights)
    out[: spread.shape[0], : spread.shape[1]] = spread
    boldest = max(float(np.quantile(out[inner], 0.95)), 1e-6)
    return np.minimum(out / np.float32(boldest), np.float32(1))


def _light(heights: Grid, coarser: Grid, cell: tuple[float, float], sun: Sun) -> Grid:
    """Return the cosine between the ground's normal and the sun's direction, 0 where it is turned away or in shadow."""
    slope_z, slope_x = np.gradient(heights, *cell)
    azimuth, elevation = np.radians(sun.azimuth), np.radians(sun.elevation)
    across_x, across_z = np.sin(azimuth), np.cos(azimuth)
    rise = np.sin(elevation) - (slope_x * across_x + slope_z * across_z) * np.cos(elevation)
    cosine = np.maximum(rise / np.sqrt(1 + slope_x**2 + slope_z**2), 0)
    if sun.shadows:
        shade = _in_shadow(coarser, (2 * cell[0], 2 * cell[1]), (across_z, across_x), float(np.tan(elevation)))
        rows, columns = 2 * shade.shape[0], 2 * shade.shape[1]
        cosine[:rows, :columns][shade.repeat(2, axis=0).repeat(2, axis=1)] = 0
    return cosine.astype(np.float32)


def _in_shadow(heights: Grid, cell: tuple[float, float], way: tuple[float, float], tangent: float) -> NDArray[np.bool_]:
    """Return where something on the `way` (z, x) to a sun that is so high hides it; the ways begin at a cell."""
    shade = np.zeros(heights.shape, bool)
    steps = np.unique(np.round(np.geomspace(1, min(heights.shape) / 3, _SHADOW_STEPS)).astype(int))
    for step in steps:
        down, right = (round(step * part * min(cell) / side) for part, side in zip(way, cell, strict=True))
        distance = float(np.hypot(down * cell[0], right * cell[1]))
        (rows, rows_there), (columns, columns_there) = _shifted(len(heights), down), _shifted(heights.shape[1], right)
        limit = heights[rows, columns] + np.float32(distance * tangent)
        shade[rows, columns] |= heights[rows_there, columns_there] > limit
    return shade


def _shifted(length: int, by: int) -> tuple[slice, slice]:
    """Return which of `length` cells have another `by` cells further on, and those others."""
    return slice(max(-by, 0), length - max(by, 0)), slice(max(by, 0), length - max(-by, 0))
