"""What is seen all around from places over the land: how high the ground rises, by distance and direction.

From each eye sight lines go out over the ground in even directions, in steps that grow with the distance. What rises
higher than all before is seen: the tangent of its elevation is the highest yet. A picture's columns are such lines, so
that any direction, pitch and lens is judged from one panorama.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.viewpoints.survey import Grid, Survey

DIRECTIONS = 180
"""Sight lines all around: 2° apart, some 35 over a picture of usual width."""

BINS = 24
"""Distances that are told apart, evenly by their logarithm: each is 1.3 times the one before."""

_STEPS_A_BIN = 5
_NEAREST, _FARTHEST = 1 / 400, 1.6  # of the land's width

Values = NDArray[np.float32]


@dataclass(frozen=True)
class Panorama:
    """What is seen from some eyes, float32 [bin, eye, direction].

    `tops` is the tangent of the highest elevation up to the end of each bin of distances. `relief`, `water` and `light`
    are means over what is newly seen in the bin, `seen` the share of the whole land's relief that lies there. `ends`
    are where bins end, in metres. `cut`, bool [eye, direction], tells that the land's edge is seen as a cliff.
    """

    tops: Values
    relief: Values
    water: Values
    light: Values
    seen: Values
    ends: NDArray[np.float64]
    cut: NDArray[np.bool_]


def panorama(land: Survey, eyes: NDArray[np.float64]) -> Panorama:
    """Return what is seen from `eyes`, float64 [eye, (x, y, z)] in metres."""
    azimuths = np.radians(np.arange(DIRECTIONS) * (360 / DIRECTIONS))
    to_x, to_z = np.sin(azimuths).astype(np.float32), np.cos(azimuths).astype(np.float32)
    x, y, z = (eyes[:, i : i + 1].astype(np.float32) for i in range(3))
    spread = np.geomspace(_NEAREST, _FARTHEST, BINS * _STEPS_A_BIN + 1)
    growth = float(spread[1] / spread[0]) - 1
    steps = land.width * spread[1:]
    tops, relief, water, light, seen = (np.zeros((BINS, len(eyes), DIRECTIONS), np.float32) for _ in range(5))
    highest = np.full(tops.shape[1:], -np.inf, np.float32)
    for index, within in enumerate(steps.reshape(BINS, _STEPS_A_BIN)):
        newly = np.zeros_like(highest)
        for distance in within:
            columns = (x + np.float32(distance) * to_x) / np.float32(land.cell[1]) + land.first[1]
            rows = (z + np.float32(distance) * to_z) / np.float32(land.cell[0]) + land.first[0]
            tangent = (_heights(land, rows, columns, distance * growth) - y) / np.float32(distance)
            rise = np.maximum(tangent - highest, 0)
            np.minimum(rise, 1, out=rise)  # of the first step, which is seen down to the feet
            highest = np.maximum(highest, tangent)
            newly += rise
            boldness = _at(land.relief, rows, columns)
            relief[index] += rise * boldness
            water[index] += rise * _at(land.water, rows, columns)
            light[index] += rise * _at(land.light, rows, columns)
            area = np.float32(distance**2 * growth * 2 * np.pi / DIRECTIONS)
            seen[index] += np.where((rise > 0) & _is_inside(land, rows, columns), boldness * area, 0)
        tops[index] = highest
        for values in (relief, water, light):
            values[index] /= np.maximum(newly, 1e-9)
    whole = float(land.relief[land.inner].mean()) * land.size[0] * land.size[1]
    seen /= np.float32(max(whole, 1e-9))
    ends = steps[_STEPS_A_BIN - 1 :: _STEPS_A_BIN]
    return Panorama(tops, relief, water, light, seen, ends, _shows_cut(land, eyes, (to_x, to_z), tops, ends))


def _shows_cut(
    land: Survey, eyes: NDArray[np.float64], ways: tuple[Values, Values], tops: Values, ends: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return where the land's edge stands above what is around it, and nothing before it hides that: [eye, direction].

    Where land goes on there is no edge. An eye beside the land sees none of the sides that are turned away from it.
    """
    shows = np.zeros(tops.shape[1:], bool)
    if land.goes_on:
        return shows
    x, y, z = (eyes[:, i : i + 1].astype(np.float32) for i in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        to_edge = [
            np.where(way > 0, (side - place) / way, np.where(way < 0, -place / way, np.inf))
            for place, way, side in zip((x, z), ways, land.size[::-1], strict=True)
        ]
    away = np.clip(np.minimum(*to_edge), ends[0], ends[-1]).astype(np.float32)
    inside = (x >= 0) & (x <= land.size[1]) & (z >= 0) & (z <= land.size[0])
    columns = (x + away * ways[0]) / np.float32(land.cell[1]) + land.first[1]
    rows = (z + away * ways[1]) / np.float32(land.cell[0]) + land.first[0]
    inner_rows, inner_columns = land.inner
    row = np.asarray(np.clip(rows, inner_rows.start, inner_rows.stop - 1), np.float32)
    column = np.asarray(np.clip(columns, inner_columns.start, inner_columns.stop - 1), np.float32)
    edge = _at(land.levels[0], row, column)
    before = np.maximum(np.searchsorted(ends, away) - 1, 0)
    hidden_up_to = np.take_along_axis(tops, before[np.newaxis], axis=0)[0]
    stands = edge - land.levels[0][0, 0] > land.stands_m
    return np.asarray(inside & stands & ((edge - y) / away >= hidden_up_to))


def _is_inside(land: Survey, rows: Values, columns: Values) -> NDArray[np.bool_]:
    """Return whether places in cells are on the land, and not around it."""
    inner_rows, inner_columns = land.inner
    inside = (rows >= inner_rows.start) & (rows < inner_rows.stop)
    return inside & (columns >= inner_columns.start) & (columns < inner_columns.stop)


def _at(grid: Grid, rows: Values, columns: Values, level: int = 0) -> Values:
    """Return what `grid`, which has one cell for 2^`level` a side, has at places in cells; beyond it, at its edge."""
    row = np.clip(rows.astype(np.int32) >> level, 0, grid.shape[0] - 1)
    column = np.clip(columns.astype(np.int32) >> level, 0, grid.shape[1] - 1)
    return grid.ravel().take(row * grid.shape[1] + column)


def _heights(land: Survey, rows: Values, columns: Values, step_m: float) -> Values:
    """Return the heights in metres at places in cells; where steps are longer than cells, the highest around.

    Else a sight line would pass by peaks.
    """
    level = int(np.clip(np.log2(step_m / min(land.cell)), 0, len(land.levels) - 1))
    if level:
        return _at(land.levels[level], rows, columns, level)
    grid = land.levels[0]
    rows, columns = (np.clip(at, 0, side - 1.001) for at, side in zip((rows, columns), grid.shape, strict=True))
    row, column = rows.astype(np.int32), columns.astype(np.int32)
    down, right = rows - row, columns - column
    flat, corner, below = grid.ravel(), row * grid.shape[1] + column, grid.shape[1]
    near = flat.take(corner) * (1 - right) + flat.take(corner + 1) * right
    far = flat.take(corner + below) * (1 - right) + flat.take(corner + below + 1) * right
    return near * (1 - down) + far * down
