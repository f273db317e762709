"""Simplex kinds over a regular grid: a lattice point's support cuts a row in one interval.

Every lattice point q adds (r² − |d|²)⁴ · (g · d) to the points p = q + d within its radius, and nothing elsewhere.
Along a grid row only d_y varies: with a = r² − d_x² − d_z² − d_w² and b = g_x·d_x + g_z·d_z + g_w·d_w the point adds

    (a − d_y²)⁴ · (b + g_y·d_y)    where |d_y| < √a

six operations a sample on contiguous memory. A sample lies in 2.7 (2-D), 3.0 (3-D), 2.8 (4-D) supports on average
(volume of the ball times √(d + 1) points a unit), so this costs about the same in every dimension, and no sample asks
in which simplex it lies. Where intervals are shorter than a vector (over 200 cycles on 2048 columns) the lattice
points' hashes take most of the time.

Two-dimensional simplex noise is done sample by sample instead: its three hashes and eight gradients are arithmetic
without look-ups, which the compiler turns into vectors, and that is as fast at every frequency.

The points near a row at x are listed by s = i + j + k + l: their coordinates are (i, j, k, l) − s·G, so i is within
r of x + s·G, k of z + s·G, l of w + s·G, and j = s − i − k − l follows.

The smooth 3-D kind's body-centred lattice is listed by layers σ = pₓ + p_y + p_z. Turned back as in `opensimplex.py`,
with q = pₓ + p_y (always whole) and m = (1/√3 − 1)/2 + 1/√3, a point lies at X = pₓ + m·q − σ/√3, Y = p_y + m·q − σ/√3,
Z = σ/√3.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import Kernel, kernel
from fellview.noise import row_grid
from fellview.noise.hash import below, hash_cell, mix
from fellview.noise.kind import started
from fellview.noise.octave_sum import OctaveSum
from fellview.noise.opensimplex import DIAGONAL, RADIUS_SQUARED_2D, RADIUS_SQUARED_3D, SKEW_2D, TURN, UNSKEW_2D
from fellview.noise.opensimplex import SCALE as SCALE_OPENSIMPLEX
from fellview.noise.row_grid import Rows
from fellview.noise.simplex import SCALE, radius_squared, skew

DIMENSION = 2
UNSKEW = 0.0
RADIUS_SQUARED = 0.5
_CONTRACT = {"contract"}  # fused multiply-adds; no reordering


# The kernels below take whole rows and a start, not slices: numba counts references to a slice by atomic operations,
# which cost as much as a short interval. An unsigned index needs no test for wrapping and keeps the loops in vectors.
@kernel(fastmath=_CONTRACT)
def _add_run(out, start, count, ramp, first, a, b, gy):
    """Add one support's interval; `first` is d_y at its first sample, ramp[n] what n samples add to it."""
    for n in range(count):
        dy = first + ramp[np.uint64(n)]
        t = a - dy * dy
        square = t * t
        out[start + np.uint64(n)] += square * square * (b + gy * dy)


@kernel(fastmath=_CONTRACT)
def _add_run_slopes(slope_x, slope_y, start, count, ramp, first, a, b, gx, gy, dx):
    """Add one support's derivatives: ∂(t⁴ g·d) = t⁴ g − 8 t³ (g·d) d."""
    for n in range(count):
        c = start + np.uint64(n)
        dy = first + ramp[np.uint64(n)]
        t = a - dy * dy
        cube = t * t * t
        pull = np.float32(-8) * cube * (b + gy * dy)
        slope_x[c] += pull * dx + cube * t * gx
        slope_y[c] += pull * dy + cube * t * gy


@kernel()
def _add_point(out, slope_x, slope_y, damped, ramp, y_first, step, per_step, a, dx, dz, dw, place, h, vectors, scale):
    """Add the lattice point of hash h at y = `place` with the rest `a` of its squared radius."""
    half = math.sqrt(a)
    place -= y_first
    start = max(0, math.ceil((place - half) * per_step))
    stop = min(out.size, math.floor((place + half) * per_step) + 1)
    if start >= stop:
        return
    g = np.int64(below(h, vectors.shape[0]))
    gx, gy = np.float32(scale * vectors[g, 0]), np.float32(scale * vectors[g, 1])
    b = np.float32(scale * (vectors[g, 0] * dx + vectors[g, 2] * dz + vectors[g, 3] * dw))
    first = np.float32(start * step - place)
    _add_run(out, np.uint64(start), stop - start, ramp, first, np.float32(a), b, gy)
    if damped:
        _add_run_slopes(
            slope_x, slope_y, np.uint64(start), stop - start, ramp, first, np.float32(a), b, gx, gy, np.float32(dx)
        )


@kernel()
def _simplex_row(o, r, out, slope_x, slope_y, damped, scratch, family):
    """Fill one row of simplex noise; `family` is (x, first y, step, z, w by octave, ramp, scale, gradients, start)."""
    xs, y_firsts, steps, zs, ws, ramps, scale, vectors, started = family
    x, z, w = xs[o, r], zs[o], ws[o]
    y_first, step = y_firsts[o], steps[o]
    per_step = 1.0 / step
    ramp = ramps[o]
    out[:] = np.float32(0)
    if damped:
        slope_x[:] = np.float32(0)
        slope_y[:] = np.float32(0)
    radius = math.sqrt(RADIUS_SQUARED)
    others = x + (z if DIMENSION > 2 else 0.0) + (w if DIMENSION > 3 else 0.0)
    # Y = s − i − k − l − s·G with i, k, l within a radius of x, z, w + s·G, and Y within one of the row
    squeeze = 1.0 - DIMENSION * UNSKEW
    s_first = math.floor((y_first + others - DIMENSION * radius) / squeeze)
    s_last = math.ceil((y_first + step * (out.size - 1) + others + DIMENSION * radius) / squeeze)
    for s in range(s_first, s_last + 1):
        shift = s * UNSKEW
        for i in range(math.ceil(x + shift - radius), math.floor(x + shift + radius) + 1):
            dx = x - i + shift
            a_x = RADIUS_SQUARED - dx * dx
            if DIMENSION == 2:
                if a_x > 0.0:
                    j = s - i
                    h = hash_cell(i, j, 0, 0, 2, started)
                    _add_point(
                        out,
                        slope_x,
                        slope_y,
                        damped,
                        ramp,
                        y_first,
                        step,
                        per_step,
                        a_x,
                        dx,
                        0.0,
                        0.0,
                        j - shift,
                        h,
                        vectors,
                        scale,
                    )
                continue
            for k in range(math.ceil(z + shift - radius), math.floor(z + shift + radius) + 1):
                dz = z - k + shift
                a_z = a_x - dz * dz
                first_l = math.ceil(w + shift - radius) if DIMENSION > 3 else 0
                last_l = math.floor(w + shift + radius) if DIMENSION > 3 else 0
                for m in range(first_l, last_l + 1):
                    dw = w - m + shift if DIMENSION > 3 else 0.0
                    a = a_z - dw * dw
                    if a > 0.0:
                        j = s - i - k - m
                        h = hash_cell(i, j, k, m, DIMENSION, started)
                        _add_point(
                            out,
                            slope_x,
                            slope_y,
                            damped,
                            ramp,
                            y_first,
                            step,
                            per_step,
                            a,
                            dx,
                            dz,
                            dw,
                            j - shift,
                            h,
                            vectors,
                            scale,
                        )


@kernel(fastmath=_CONTRACT)
def _cells(x, y_first, step, cell_x, cell_y, x0, y0):
    """Fill in the skewed cell of each sample of a row and its offset from the cell's origin."""
    for c in range(cell_x.size):
        y = y_first + step * c
        s = SKEW_2D * (x + y)
        floor_x, floor_y = np.floor(x + s), np.floor(y + s)
        unskew = UNSKEW_2D * (floor_x + floor_y)
        cell_x[c], cell_y[c] = np.int32(floor_x), np.int32(floor_y)
        x0[c], y0[c] = np.float32(x - floor_x + unskew), np.float32(y - floor_y + unskew)


@kernel(inline="always")
def _corner(h, dx, dy):
    """Return one corner's share; the gradient is row h >> 29 of `simplex.gradients(2)`, by its bits."""
    t = np.float32(0.5) - dx * dx - dy * dy
    t = t if t > np.float32(0) else np.float32(0)
    t = t * t
    gx = np.float32(2) if h >> np.uint32(31) else np.float32(1)
    gy = np.float32(3) - gx
    gx = -gx if h >> np.uint32(30) & np.uint32(1) else gx
    gy = -gy if h >> np.uint32(29) & np.uint32(1) else gy
    return t * t * (gx * dx + gy * dy)


@kernel(fastmath=_CONTRACT)
def _corners(cell_x, cell_y, x0, y0, started, scale, out):
    """Fill a row with the sums over three corners: the cell's origin, the middle one, and the opposite one."""
    one, zero = np.uint32(1), np.uint32(0)
    step = np.float32(UNSKEW_2D)
    last = np.float32(2 * UNSKEW_2D - 1)
    for c in range(out.size):
        x, y = x0[c], y0[c]
        i, j = np.uint32(cell_x[c]), np.uint32(cell_y[c])
        along_x = x >= y
        near, far = mix(np.uint32(started ^ i)), mix(np.uint32(started ^ np.uint32(i + one)))
        first = mix(np.uint32(near ^ j))
        middle = mix(np.uint32((far if along_x else near) ^ np.uint32(j + (zero if along_x else one))))
        opposite = mix(np.uint32(far ^ np.uint32(j + one)))
        i1 = np.float32(1) if along_x else np.float32(0)
        out[c] = scale * (
            _corner(first, x, y)
            + _corner(middle, x - i1 + step, y - (np.float32(1) - i1) + step)
            + _corner(opposite, x + last, y + last)
        )


@kernel()
def _flat_simplex_row(o, r, out, slope_x, slope_y, damped, scratch, family):
    """Fill one row of two-dimensional simplex noise; `family` as for `_simplex_row`, which also makes the slopes."""
    if damped:
        _simplex_row(o, r, out, slope_x, slope_y, damped, scratch, family)
        return
    xs, y_firsts, steps, _, _, _, scale, _, started = family
    cell_x, cell_y = scratch[0].view(np.int32), scratch[1].view(np.int32)
    _cells(xs[o, r], y_firsts[o], steps[o], cell_x, cell_y, scratch[2], scratch[3])
    _corners(cell_x, cell_y, scratch[2], scratch[3], started, np.float32(scale), out)


@kernel()
def _body_centred_row(o, r, out, slope_x, slope_y, damped, scratch, family):
    """Fill one row of the smooth 3-D kind; `family` as for `_simplex_row`.

    u, v are the doubled pₓ, p_y and sigma the doubled sum of all three, so that both halves of the lattice are whole.
    """
    xs, y_firsts, steps, zs, _, ramps, scale, vectors, started = family
    x, z = xs[o, r], zs[o]
    y_first, step = y_firsts[o], steps[o]
    per_step = 1.0 / step
    y_last = y_first + step * (out.size - 1)
    ramp = ramps[o]
    out[:] = np.float32(0)
    if damped:
        slope_x[:] = np.float32(0)
        slope_y[:] = np.float32(0)
    radius = math.sqrt(RADIUS_SQUARED_3D)
    lean = TURN + DIAGONAL
    for sigma in range(math.ceil(2 * (z - radius) / DIAGONAL), math.floor(2 * (z + radius) / DIAGONAL) + 1):
        parity = sigma & 1  # three odd numbers have an odd sum, three even an even one
        dz = z - 0.5 * sigma * DIAGONAL
        a_z = RADIUS_SQUARED_3D - dz * dz
        drop = 0.5 * sigma * DIAGONAL
        # X + Y = (1 + 2·lean)·q − 2·drop with q whole
        q_first = math.floor((x + y_first - 2 * radius + 2 * drop) / (1 + 2 * lean))
        q_last = math.ceil((x + y_last + 2 * radius + 2 * drop) / (1 + 2 * lean))
        for q in range(q_first, q_last + 1):
            shift = lean * q - drop
            u_first = math.ceil(2 * (x - shift - radius))
            u_first += (u_first ^ parity) & 1
            for u in range(u_first, math.floor(2 * (x - shift + radius)) + 1, 2):
                dx = x - shift - 0.5 * u
                a = a_z - dx * dx
                if a > 0.0:
                    v = 2 * q - u
                    h = hash_cell(u, v, sigma - 2 * q, 0, 3, started)
                    _add_point(
                        out,
                        slope_x,
                        slope_y,
                        damped,
                        ramp,
                        y_first,
                        step,
                        per_step,
                        a,
                        dx,
                        dz,
                        0.0,
                        0.5 * v + shift,
                        h,
                        vectors,
                        scale,
                    )


def _row_kernel(dimension: int, radius: float) -> Kernel:
    """Return the row kernel of a simplex lattice."""
    names = {"DIMENSION": dimension, "UNSKEW": skew(dimension)[1], "RADIUS_SQUARED": radius}
    return _simplex_row.bound(f"{dimension}_{radius:.3f}", **names)


_FLAT = _flat_simplex_row.bound("2", _simplex_row=_row_kernel(2, radius_squared(2)))
_SIMPLEX = {2: row_grid.band_of("simplex_2", _FLAT)} | {
    d: row_grid.band_of(f"simplex_{d}", _row_kernel(d, radius_squared(d))) for d in (3, 4)
}
_OPENSIMPLEX = {
    2: row_grid.band_of("opensimplex_2", _row_kernel(2, RADIUS_SQUARED_2D)),
    3: row_grid.band_of("opensimplex_3", _body_centred_row),
}


def rows_of(wanted: OctaveSum, rows: int, columns: int) -> Rows:
    """Return what fills rows of simplex noise."""
    d, vectors = wanted.asked.dimension, wanted.asked.tables.vectors
    return _SIMPLEX[d], _family(wanted, rows, columns, SCALE[d], vectors)


def smooth_rows_of(wanted: OctaveSum, rows: int, columns: int) -> Rows:
    """Return what fills rows of smooth simplex noise."""
    d, vectors = wanted.asked.dimension, wanted.asked.tables.vectors
    return _OPENSIMPLEX[d], _family(wanted, rows, columns, SCALE_OPENSIMPLEX[d], gradients_in_plane(vectors, d))


def _family(wanted: OctaveSum, rows: int, columns: int, scale: float, vectors: NDArray[np.float64]) -> tuple[Any, ...]:
    """Return what `_simplex_row` and `_body_centred_row` take."""
    steps = wanted.frequency * wanted.factors / columns
    return (
        wanted.positions(rows, 0),
        wanted.shifts[:, 1].copy(),
        steps,
        *wanted.depths,
        (steps[:, None] * np.arange(columns)).astype(np.float32),
        scale,
        vectors,
        started(wanted.asked.seed),
    )


def gradients_in_plane(vectors: NDArray[np.float64], dimension: int) -> NDArray[np.float64]:
    """Return the smooth kind's gradients (24, 4) turned from the lattice's axes to the points' own."""
    if dimension == 2:
        return vectors
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    turned = np.zeros_like(vectors)
    turned[:, 0] = x + (x + y) * TURN - z * DIAGONAL
    turned[:, 1] = y + (x + y) * TURN - z * DIAGONAL
    turned[:, 2] = (x + y + z) * DIAGONAL
    return turned
