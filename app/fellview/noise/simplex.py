"""Simplex noise: gradients on the corners of a triangle (tetrahedron, …) grid, each with a round support.

The skew s = F·Σ pₐ with F = (√(d+1) − 1)/d takes the simplex lattice to whole numbers: the cell is ⌊p + s⌋, and
x0 = p − cell + G·Σ cell with G = (1 − 1/√(d+1))/d is the offset from its origin. Ordering the coordinates of x0 by size
gives the simplex: from corner to corner the largest remaining axis steps first (of equal ones the earlier axis).
Corner k lies at offset dₖ = x0 − stepsₖ + k·G, and

    N(p) = scale · Σₖ max(0, ½ − |dₖ|²)⁴ · (gₖ · dₖ),   gₖ = table[below(hash(cellₖ), entries)]   (see hash.py)

In one dimension there is no skew and the support is max(0, 1 − d²)⁴. Gradients: 1-D ±1…±8 eighths, 2-D (±1, ±2) and
(±2, ±1), 3-D the twelve edges of a cube, 4-D the 32 edges of a hypercube, in the order of `gradients`. The support ends
inside the simplices next to its corner, so three derivatives are continuous. Zero on every lattice point.

Source: K. Perlin, "Noise hardware", SIGGRAPH course 2001; S. Gustavson, "Simplex noise demystified", 2005, for the
gradients; radius² ½ (not 0.6) in every dimension, without which 3-D and 4-D jump at the simplices' faces.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.noise.hash import below, hash_cell
from fellview.noise.kind import Given, Kind, Points, each_point, only, started
from fellview.noise.options import NO_TABLES, Ranged, Tables, padded

DIMENSION = 2
SKEW = 0.0
UNSKEW = 0.0
RADIUS_SQUARED = 0.5

SCALE = {1: 3.160493, 2: 45.230614, 3: 76.880750, 4: 62.777707}
"""By dimension: the inverse of the largest sum that the best gradients at every corner can give, maximised numerically
over the simplex, so that the noise fills [−1, 1]."""


def gradients(dimension: int) -> NDArray[np.float64]:
    """Return the gradients (entries, 4) of a dimension; the last axis varies fastest, + before −."""
    if dimension == 1:
        return padded(np.array([sign * size / 8 for sign in (1, -1) for size in range(1, 9)]))
    if dimension == 2:
        return padded(np.array([(a * x, b * y) for x, y in ((1, 2), (2, 1)) for a in (1, -1) for b in (1, -1)], float))
    # the edges of a (hyper)cube: all axes but one are ±1, by the axis left out
    edges = []
    for missing in range(dimension):
        for signs in itertools.product((1.0, -1.0), repeat=dimension - 1):
            edge = list(signs)
            edge.insert(missing, 0.0)
            edges.append(edge)
    return padded(np.array(edges))


@kernel()
def _points(first, last, points, scale, vectors, started, out):
    """A template over DIMENSION; local names follow the docstring above."""
    for n in range(first, last):
        x = points[n, 0]
        y = points[n, 1] if DIMENSION > 1 else 0.0
        z = points[n, 2] if DIMENSION > 2 else 0.0
        w = points[n, 3] if DIMENSION > 3 else 0.0
        skew = SKEW * (x + y + z + w)
        cell_x = math.floor(x + skew)
        cell_y = math.floor(y + skew) if DIMENSION > 1 else 0
        cell_z = math.floor(z + skew) if DIMENSION > 2 else 0
        cell_w = math.floor(w + skew) if DIMENSION > 3 else 0
        unskew = UNSKEW * (cell_x + cell_y + cell_z + cell_w)
        x0, y0, z0, w0 = x - cell_x + unskew, y - cell_y + unskew, z - cell_z + unskew, w - cell_w + unskew
        # an axis' rank is how many others it precedes; an axis of rank r steps at corner d − r
        rank_x = rank_y = rank_z = rank_w = 0
        if DIMENSION > 1:
            rank_x += x0 >= y0
            rank_y += x0 < y0
        if DIMENSION > 2:
            rank_x += x0 >= z0
            rank_z += x0 < z0
            rank_y += y0 >= z0
            rank_z += y0 < z0
        if DIMENSION > 3:
            rank_x += x0 >= w0
            rank_w += x0 < w0
            rank_y += y0 >= w0
            rank_w += y0 < w0
            rank_z += z0 >= w0
            rank_w += z0 < w0
        noise = dx = dy = dz = dw = 0.0
        for k in range(DIMENSION + 1):
            i, j = int(rank_x >= DIMENSION - k), int(DIMENSION > 1 and rank_y >= DIMENSION - k)
            m, q = int(DIMENSION > 2 and rank_z >= DIMENSION - k), int(DIMENSION > 3 and rank_w >= DIMENSION - k)
            xk, yk = x0 - i + k * UNSKEW, y0 - j + k * UNSKEW if DIMENSION > 1 else 0.0
            zk = z0 - m + k * UNSKEW if DIMENSION > 2 else 0.0
            wk = w0 - q + k * UNSKEW if DIMENSION > 3 else 0.0
            t = RADIUS_SQUARED - xk * xk - yk * yk - zk * zk - wk * wk
            if t > 0.0:
                h = hash_cell(cell_x + i, cell_y + j, cell_z + m, cell_w + q, DIMENSION, started)
                g = vectors[np.int64(below(h, vectors.shape[0]))]
                along = g[0] * xk + g[1] * yk + g[2] * zk + g[3] * wk
                t3 = t * t * t
                noise += t3 * t * along
                # ∂(t⁴ g·d)/∂a = t⁴ g_a − 8 t³ (g·d) d_a
                pull = -8.0 * t3 * along
                dx += pull * xk + t3 * t * g[0]
                dy += pull * yk + t3 * t * g[1]
                dz += pull * zk + t3 * t * g[2]
                dw += pull * wk + t3 * t * g[3]
        out[n, 0] = scale * noise
        out[n, 1] = scale * dx
        if DIMENSION > 1:
            out[n, 2] = scale * dy
        if DIMENSION > 2:
            out[n, 3] = scale * dz
        if DIMENSION > 3:
            out[n, 4] = scale * dw


def skew(dimension: int) -> tuple[float, float]:
    """Return F and G of a dimension; in one there is nothing to skew."""
    root = math.sqrt(dimension + 1)
    return (0.0, 0.0) if dimension == 1 else ((root - 1) / dimension, (1 - 1 / root) / dimension)


def radius_squared(dimension: int) -> float:
    """Return the squared radius of a corner's support."""
    return 1.0 if dimension == 1 else 0.5


_BY_DIMENSION = {
    d: _points.bound(str(d), DIMENSION=d, SKEW=skew(d)[0], UNSKEW=skew(d)[1], RADIUS_SQUARED=radius_squared(d))
    for d in (1, 2, 3, 4)
}


def evaluate(points: Points, options: Ranged, tables: Tables, seed: int, period: int) -> NDArray[np.float64]:
    """Return the noise and its derivatives at points (n, d), float64 (n, 1 + d)."""
    count, dimension = points.shape
    out = np.empty((count, 1 + dimension))
    each_point(_BY_DIMENSION[dimension], points, SCALE[dimension], tables.vectors, started(seed), out)
    return out


def tables(seed: int, dimension: int, given: Given) -> Tables:
    """Return the gradients of a dimension."""
    only(given)
    return Tables(NO_TABLES.permutation, gradients(dimension))


KIND = Kind(
    name="simplex",
    title="Simplex",
    tip="Gradient noise on triangles: hills without a direction of their own.",
    options=Ranged,
    dimensions=(1, 2, 3, 4),
    glsl="simplex",
    flat_dimension=2,
    bounds=lambda dimension, options: (-1.0, 1.0),
    smoothness=lambda options: 3,
    evaluate=evaluate,
    tables=tables,
    zero_on_lattice=False,  # it is, but on the simplex lattice, not on whole numbers
    tiles=False,
)
