"""Worley noise: distances to scattered feature points, one in every lattice cell.

Cell q has the hash h = hash(q) (see hash.py) and its feature at q + ½ + jitter·(unit(more(h, 1 + a)) − ½) along axis
a = 0, 1, 2. F1 and F2 are the distances, in cells, to the nearest and second nearest feature: Euclidean √Σδ²,
Manhattan Σ|δ| or Chebyshev max|δ|. The outputs are F1, F2, F2 − F1, and the value signed(h) of the nearest feature's
cell, which jumps where two features are equally near (the earlier cell in raster order of x, y, z wins a tie).

The 3ᵈ cells about a point's own are searched first. A feature farther out is at least 1 + e away, e the distance to the
nearest face of the own cell; where the wanted distance is greater, the 5ᵈ cells are searched. That is exact for
Euclidean and Chebyshev distances and for Manhattan in two dimensions; in three a Manhattan F1 above 2 needs eight
neighbouring cells whose features all crowd the far corners, less than once in a million cells.

Source: S. Worley, "A cellular texture basis function", SIGGRAPH 1996 (there several features a cell).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.core.parameters import choice, real
from fellview.noise.hash import hash_cell, more, signed, unit
from fellview.noise.kind import Kind, Points, each_point, no_tables, started
from fellview.noise.lattice import wrap
from fellview.noise.options import Options, Tables

METRICS = ("euclidean", "manhattan", "chebyshev")
OUTPUTS = ("f1", "f2", "f2-f1", "value")
EUCLIDEAN, MANHATTAN, CHEBYSHEV = range(3)
F1, F2, F2_F1, VALUE = range(4)
DIMENSION = 2


@dataclass(frozen=True)
class Worley(Options):
    """Options of Worley noise."""

    metric: str = choice(
        "euclidean", METRICS, tip="How distance is measured: round cells, diamonds (Manhattan) or squares (Chebyshev)."
    )
    output: str = choice(
        "f1",
        OUTPUTS,
        tip="F1 gives pits with ridges between, F2 crumpled plates, F2-F1 walls along cell borders, value flat"
        " plateaus.",
    )
    jitter: float = real(1.0, 0.0, 1.0, tip="Low sets the cells in rows and columns, high scatters them.")


@kernel(inline="always")
def join(metric, total, delta):
    """Return a distance (squared if Euclidean) carried on by one axis."""
    if metric == EUCLIDEAN:
        return total + delta * delta
    if metric == MANHATTAN:
        return total + abs(delta)
    return max(total, abs(delta))


@kernel()
def search(x, y, z, reach, metric, jitter, period, dimension, started):
    """Return F1, F2 (squared if Euclidean) and the nearest cell's hash from the cells up to `reach` away."""
    cell_x, cell_y, cell_z = math.floor(x), math.floor(y), math.floor(z)
    first = second = np.inf
    nearest = np.uint32(0)
    reach_y = reach if dimension > 1 else 0
    reach_z = reach if dimension > 2 else 0
    for i in range(cell_x - reach, cell_x + reach + 1):
        for j in range(cell_y - reach_y, cell_y + reach_y + 1):
            for k in range(cell_z - reach_z, cell_z + reach_z + 1):
                h = hash_cell(wrap(i, period), wrap(j, period), wrap(k, period), 0, dimension, started)
                distance = join(metric, 0.0, i + 0.5 + jitter * (unit(more(h, 1)) - 0.5) - x)
                if dimension > 1:
                    distance = join(metric, distance, j + 0.5 + jitter * (unit(more(h, 2)) - 0.5) - y)
                if dimension > 2:
                    distance = join(metric, distance, k + 0.5 + jitter * (unit(more(h, 3)) - 0.5) - z)
                if distance < first:
                    first, second, nearest = distance, first, h
                elif distance < second:
                    second = distance
    return first, second, nearest


@kernel()
def sample(x, y, z, metric, output, jitter, period, dimension, started):
    """Return the noise at one point."""
    first, second, nearest = search(x, y, z, 1, metric, jitter, period, dimension, started)
    tx, ty, tz = x - math.floor(x), y - math.floor(y), z - math.floor(z)
    edge = min(tx, 1.0 - tx)
    if dimension > 1:
        edge = min(edge, min(ty, 1.0 - ty))
    if dimension > 2:
        edge = min(edge, min(tz, 1.0 - tz))
    sure = (1.0 + edge) ** 2 if metric == EUCLIDEAN else 1.0 + edge
    if (first if output in (F1, VALUE) else second) > sure:
        first, second, nearest = search(x, y, z, 2, metric, jitter, period, dimension, started)
    if output == VALUE:
        return signed(nearest)
    if metric == EUCLIDEAN:
        first, second = math.sqrt(first), math.sqrt(second)
    if output == F1:
        return first
    return second if output == F2 else second - first


@kernel()
def _points(first, last, points, metric, output, jitter, period, started, out):
    for n in range(first, last):
        y = points[n, 1] if DIMENSION > 1 else 0.0
        z = points[n, 2] if DIMENSION > 2 else 0.0
        out[n, 0] = sample(points[n, 0], y, z, metric, output, jitter, period, DIMENSION, started)


_BY_DIMENSION = {d: _points.bound(str(d), DIMENSION=d) for d in (1, 2, 3)}


def numbers(options: Worley) -> tuple[int, int, float]:
    """Return metric, output and jitter as the kernels take them."""
    return METRICS.index(options.metric), OUTPUTS.index(options.output), options.jitter


def evaluate(points: Points, options: Worley, tables: Tables, seed: int, period: int) -> NDArray[np.float64]:
    """Return the noise at points (n, d), float64 (n, 1)."""
    out = np.empty((len(points), 1))
    each_point(_BY_DIMENSION[points.shape[1]], points, *numbers(options), period, started(seed), out)
    return out


def bounds(dimension: int, options: Worley) -> tuple[float, float]:
    """Return the range: F1 is at most a cell's diagonal; F2 at most that of 1½ cells by one cell, a neighbour's."""
    if options.output == "value":
        return -1.0, 1.0
    sides = {1: (1.0,), 2: (1.0, 1.0), 3: (1.0, 1.0, 1.0)}[dimension]
    if options.output != "f1":
        sides = (1.5, *sides[1:])
    size = {"euclidean": math.hypot(*sides), "manhattan": sum(sides), "chebyshev": max(sides)}[options.metric]
    return 0.0, size


KIND = Kind(
    name="worley",
    title="Worley",
    tip="Cells about scattered points: pits, plates or cracked ground.",
    options=Worley,
    dimensions=(1, 2, 3),
    glsl="worley",
    flat_dimension=2,
    bounds=bounds,
    smoothness=lambda options: -1 if options.output == "value" else 0,
    evaluate=evaluate,
    tables=no_tables,
    has_derivatives=False,
)
