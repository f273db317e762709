"""Smooth simplex noise after OpenSimplex2S: wider supports than simplex noise, so that no zero line follows an edge.

Each lattice point q adds max(0, r² − |p − q|²)⁴ · (g · (p − q)), g = table[below(hash(q), 24)] (see hash.py).

2-D: the lattice of simplex noise (F = (√3 − 1)/2, G = (3 − √3)/6) with r² = 2/3, the squared distance of neighbours.
Six points can reach p: with the cell ⌊p + s⌋ and (i, j) = (1, 0) where the offset x0 ≥ y0, else (0, 1), they are the
cell's origin plus (0, 0), (i, j), (1, 1), (j, i), (i − 1, j − 1), (i + 1, j + 1). Gradients: 24 unit vectors at the
angles 7.5° + 15°·k.

3-D: p is first turned so that the z axis lies along the lattice's main diagonal (x' = x + s + z/√3, y' = y + s + z/√3,
z' = z/√3 − (x + y)/√3 with s = (x + y)(1/√3 − 1)/2): slices of constant z then show triangles, not squares. The lattice
is body-centred: whole numbers, and whole numbers plus ½, r² = ¾; the eight corners of p's cube in either are all that
reach p. They are hashed by their doubled coordinates. Gradients: the 24 corners of a rhombicuboctahedron
(±1, ±1, ±(1+√2)) in any order, normalised.

Three derivatives are continuous. Source of the idea: K. Spencer, OpenSimplex2 ("smooth" variant), 2020; the gradients,
scale and search are this file's own.
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

SKEW_2D = (math.sqrt(3) - 1) / 2
UNSKEW_2D = (3 - math.sqrt(3)) / 6
RADIUS_SQUARED_2D = 2 / 3
RADIUS_SQUARED_3D = 3 / 4
DIAGONAL = 1 / math.sqrt(3)
TURN = (1 / math.sqrt(3) - 1) / 2

SCALE = {2: 18.241961, 3: 12.155125}
"""By dimension: the inverse of the largest sum that the best gradients at every point can give, maximised numerically
over a cell, so that the noise stays in [−1, 1]."""


def gradients(dimension: int) -> NDArray[np.float64]:
    """Return the 24 gradients (24, 4) of a dimension.

    3-D: by the axis of the long component (z, y, x), then by signs, the last axis fastest, + before −.
    """
    if dimension == 2:
        angles = np.radians(7.5 + 15.0 * np.arange(24))
        return padded(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    long = 1 + math.sqrt(2)
    vectors = [
        (a * x, b * y, c * z)
        for x, y, z in ((1, 1, long), (1, long, 1), (long, 1, 1))
        for a, b, c in itertools.product((1, -1), repeat=3)
    ]
    return padded(np.array(vectors) / math.sqrt(2 + long * long))


@kernel()
def _points_2d(first, last, points, scale, vectors, started, out):
    for n in range(first, last):
        x, y = points[n, 0], points[n, 1]
        skew = SKEW_2D * (x + y)
        cell_x, cell_y = math.floor(x + skew), math.floor(y + skew)
        unskew = UNSKEW_2D * (cell_x + cell_y)
        x0, y0 = x - cell_x + unskew, y - cell_y + unskew
        i = 1 if x0 >= y0 else 0
        j = 1 - i
        noise = dx = dy = 0.0
        for k in range(6):
            a = (0, i, 1, j, i - 1, i + 1)[k]
            b = (0, j, 1, i, j - 1, j + 1)[k]
            xk, yk = x0 - a + (a + b) * UNSKEW_2D, y0 - b + (a + b) * UNSKEW_2D
            t = RADIUS_SQUARED_2D - xk * xk - yk * yk
            if t > 0.0:
                h = hash_cell(cell_x + a, cell_y + b, 0, 0, 2, started)
                g = vectors[np.int64(below(h, 24))]
                along = g[0] * xk + g[1] * yk
                t3 = t * t * t
                pull = -8.0 * t3 * along
                noise += t3 * t * along
                dx += pull * xk + t3 * t * g[0]
                dy += pull * yk + t3 * t * g[1]
        out[n, 0], out[n, 1], out[n, 2] = scale * noise, scale * dx, scale * dy


@kernel()
def _points_3d(first, last, points, scale, vectors, started, out):
    for n in range(first, last):
        x, y, z = points[n, 0], points[n, 1], points[n, 2]
        s = (x + y) * TURN + z * DIAGONAL
        turned_x, turned_y, turned_z = x + s, y + s, (z - x - y) * DIAGONAL
        noise = dx = dy = dz = 0.0
        for half in range(2):
            ox, oy, oz = turned_x - 0.5 * half, turned_y - 0.5 * half, turned_z - 0.5 * half
            cell_x, cell_y, cell_z = math.floor(ox), math.floor(oy), math.floor(oz)
            for bits in range(8):
                a, b, c = bits & 1, bits >> 1 & 1, bits >> 2
                xk, yk, zk = ox - cell_x - a, oy - cell_y - b, oz - cell_z - c
                t = RADIUS_SQUARED_3D - xk * xk - yk * yk - zk * zk
                if t > 0.0:
                    h = hash_cell(
                        2 * (cell_x + a) + half, 2 * (cell_y + b) + half, 2 * (cell_z + c) + half,
                        0, 3, started,
                    )  # fmt: skip
                    g = vectors[np.int64(below(h, 24))]
                    along = g[0] * xk + g[1] * yk + g[2] * zk
                    t3 = t * t * t
                    pull = -8.0 * t3 * along
                    noise += t3 * t * along
                    dx += pull * xk + t3 * t * g[0]
                    dy += pull * yk + t3 * t * g[1]
                    dz += pull * zk + t3 * t * g[2]
        out[n, 0] = scale * noise
        # the turn's transpose brings the derivatives back
        out[n, 1] = scale * (dx + (dx + dy) * TURN - dz * DIAGONAL)
        out[n, 2] = scale * (dy + (dx + dy) * TURN - dz * DIAGONAL)
        out[n, 3] = scale * (dx + dy + dz) * DIAGONAL


def evaluate(points: Points, options: Ranged, tables: Tables, seed: int, period: int) -> NDArray[np.float64]:
    """Return the noise and its derivatives at points (n, d), float64 (n, 1 + d)."""
    count, dimension = points.shape
    out = np.empty((count, 1 + dimension))
    fill = _points_2d if dimension == 2 else _points_3d
    each_point(fill, points, SCALE[dimension], tables.vectors, started(seed), out)
    return out


def tables(seed: int, dimension: int, given: Given) -> Tables:
    """Return the gradients of a dimension."""
    only(given)
    return Tables(NO_TABLES.permutation, gradients(dimension))


KIND = Kind(
    name="opensimplex",
    title="Smooth simplex",
    tip="Simplex noise with wider hills that melt into each other.",
    options=Ranged,
    dimensions=(2, 3),
    glsl="opensimplex",
    flat_dimension=2,
    bounds=lambda dimension, options: (-1.0, 1.0),
    smoothness=lambda options: 3,
    evaluate=evaluate,
    tables=tables,
    tiles=False,
)
