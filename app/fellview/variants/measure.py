"""The measure by which two lands differ as the eye sees it: how high, how steep, how grained, how drained, how rough.

A land is measured on a small grid. Numbers of one kind make a block, and blocks count the same, however many numbers
each has. Nothing in them tells where on the land something is: the same hills turned or mirrored look like themselves.
That is told by the arrangement alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.noise.statistics import radial_power_spectrum
from fellview.scene.scene import Scene
from fellview.terrain.pipeline import masks
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.variants.axes import grid_of

Numbers = NDArray[np.float64]

SIDE = 64
"""Cells along the longer side of a land that is measured: as few as still tell valleys from ridges."""

_OUTER = (2.0, 98.0)  # percentiles that stand for the lowest and the highest ground; single needles do not count
_LEVELS = (10, 25, 40, 50, 60, 75, 90)  # percentiles of the hypsometry
_SLOPES_DEG = (0.0, 4.0, 9.0, 16.0, 25.0, 35.0, 90.0)  # plain, gentle, hilly, steep, scree, rock
_CYCLES = (1, 2, 4, 8, 16, 32)  # a domain: octaves of the spectrum
_DRAINED = (0.001, 0.005, 0.02, 0.08)  # shares of the land that drain through a cell
_SCALES = (1, 2, 4)  # cells over which roughness is told
_SQUARES = 16  # a side of the land: valleys and ridges by which one tells where one is
_ROUNDS = 20  # of exchanges; five usually do
_LEAST = 1e-6  # what nothing counts as where a logarithm is taken
_FAR = 2.5  # spreads from the middle: farther counts the same, or single broken lands would be all that differs


def blocks(field: HeightField) -> tuple[Numbers, ...]:
    """Return what is told of a land: hypsometry, slopes, spectrum, drainage and roughness, each float64 (n,)."""
    heights = field.heights.astype(np.float64)
    width = max(field.size)
    low, high = np.percentile(heights, _OUTER)
    relief = max(float(high - low), _LEAST * width)
    hypsometry = np.append((np.percentile(heights, _LEVELS) - low) / relief, np.log(relief / width))
    steep = masks.slope(field.heights, field.cell_size)
    shares = np.histogram(steep, _SLOPES_DEG)[0] / steep.size
    spectrum = radial_power_spectrum(heights, window=True)
    power = spectrum.power * spectrum.modes
    octaves = [power[first:last].sum() for first, last in itertools.pairwise(_CYCLES)]
    grain = np.log(np.maximum(octaves, _LEAST * power.sum() + 1e-30) / (power.sum() + 1e-30))
    area = masks.drainage_area(field.heights, field.cell_size) / (field.size[0] * field.size[1])
    drained = np.log([np.mean(area > share) + _LEAST for share in _DRAINED])
    rough = [np.log(_bend(heights, cells) / relief + _LEAST) for cells in _SCALES]
    return hypsometry, np.sqrt(shares), grain, drained, np.asarray(rough)


def _bend(heights: Numbers, cells: int) -> float:
    """Return the root mean square of how far heights lie from the mean of those `cells` to either side."""
    if min(heights.shape) <= 2 * cells:
        return 0.0
    along = heights[cells:-cells] - (heights[: -2 * cells] + heights[2 * cells :]) / 2
    across = heights[:, cells:-cells] - (heights[:, : -2 * cells] + heights[:, 2 * cells :]) / 2
    return float(np.sqrt((np.mean(along**2) + np.mean(across**2)) / 2))


def arrangement(field: HeightField) -> Numbers:
    """Return which way the ground slopes in each of `_SQUARES`² squares of a land, float64 (n,), of length 1."""
    rows, columns = (np.linspace(0, side - 1, SIDE).round().astype(int) for side in field.heights.shape)
    heights = field.heights[np.ix_(rows, columns)].astype(np.float64)
    within = SIDE // _SQUARES
    slopes = np.stack(np.gradient(heights, *(side / SIDE for side in field.size)))
    coarse = slopes.reshape(2, _SQUARES, within, _SQUARES, within).mean(axis=(2, 4)).ravel()
    coarse -= coarse.mean()
    return coarse / max(float(np.linalg.norm(coarse)), _LEAST)  # type: ignore[no-any-return]


class Told(NamedTuple):
    """What is told of a land: what it looks like anywhere, and what lies where."""

    blocks: tuple[Numbers, ...]
    arrangement: Numbers


def measured(scene: Scene) -> Told:
    """Return what is told of the land of `scene`, computed on the CPU on a grid of `SIDE`."""
    field = Pipeline(CpuEngine()).run(grid_of(scene, SIDE).terrain_groups()).field
    return Told(blocks(field), arrangement(field))


def points(told: Sequence[tuple[Numbers, ...]]) -> Numbers:
    """Return lands as points between which distances tell how they differ, float64 [land, number].

    Every number is counted in spreads of all lands from their middle, and every block has the same part.
    """
    columns = []
    for block in zip(*told, strict=True):
        values = np.asarray(block)
        middle = np.median(values, axis=0)
        spread = np.percentile(values, 84, axis=0) - np.percentile(values, 16, axis=0)  # two of a normal distribution
        scaled = (values - middle) / np.maximum(spread / 2, 1e-9 + 1e-3 * np.abs(middle))
        columns.append(np.clip(scaled, -_FAR, _FAR) / np.sqrt(values.shape[1]))
    return np.concatenate(columns, axis=1)


def distances(told: Sequence[Told]) -> Numbers:
    """Return how far lands are from each other, float64 [land, land].

    How they look counts in its median over all pairs, and as much as 1 − the correlation of their arrangements.
    """
    apart = between(points([one.blocks for one in told]))
    arranged = np.asarray([one.arrangement for one in told])
    found = apart / max(float(np.median(apart)), _LEAST) + 1 - arranged @ arranged.T
    np.fill_diagonal(found, 0)
    return found  # type: ignore[no-any-return]


def between(places: Numbers) -> Numbers:
    """Return the distances between `places`, float64 [place, place]."""
    return np.linalg.norm(places[:, None] - places[None], axis=2)  # type: ignore[no-any-return]


def farthest(apart: Numbers, count: int) -> list[int]:
    """Return which `count` lie far from each other: their distances to the next of them are large in the mean.

    `apart` holds the distances of all. Each next one is the farthest from those before it (Gonzalez 1985,
    doi:10.1016/0304-3975(85)90224-5: their least distance is at least half of the best that can be had); then each is
    exchanged for whichever raises the mean, until none does.
    """
    chosen = [int(np.argmax(apart.mean(axis=0)))]
    while len(chosen) < min(count, len(apart)):
        nearest = apart[chosen].min(axis=0)
        nearest[chosen] = -1
        chosen.append(int(np.argmax(nearest)))
    best = nearest_neighbours(apart, chosen).mean()
    for _ in range(_ROUNDS if 2 < len(chosen) < len(apart) else 0):
        before = best
        for place in range(len(chosen)):
            rest = chosen[:place] + chosen[place + 1 :]
            to_rest = apart[:, rest]
            means = (np.minimum(nearest_neighbours(apart, rest), to_rest).sum(axis=1) + to_rest.min(axis=1)) / len(
                chosen
            )
            means[rest] = -1
            better = int(np.argmax(means))
            if means[better] > best + _LEAST:
                chosen[place], best = better, means[better]
        if best == before:
            break
    return chosen


def nearest_neighbours(apart: Numbers, chosen: Sequence[int]) -> Numbers:
    """Return the distance of each of those `chosen` to the next of them, float64 (n,); `apart` holds all distances."""
    among = apart[np.ix_(chosen, chosen)].copy()
    np.fill_diagonal(among, np.inf)
    return among.min(axis=1)  # type: ignore[no-any-return]
