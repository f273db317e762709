"""Lattice noise over a regular grid: sums of octaves from separable weights.

On a grid every row has one x and every column one y, and z and w are fixed. Blending the corners along z and w first
leaves three numbers a lattice point (i, j): its constant P, and its slopes X and Y along x and y. With u the far weight
and t the offset in a direction,

    N(r, c) = (1 − u_r)·(U + t_r·S) + u_r·(U' + (t_r − 1)·S')
    U = (1 − u_c)·(P + t_c·Y) + u_c·(P' + (t_c − 1)·Y'),   S = (1 − u_c)·X + u_c·X'       (primes: the next point)

U and S of a lattice row depend on the column alone. They are spread out to the samples once a lattice row; then every
sample is four multiply-adds on contiguous arrays, whatever the cell's size, with the octave's amplitude folded into the
row's four weights. Four rows at a time share the loads. Rows stay in cache while all octaves are added to them.
Rejected: a loop over the samples of one cell (one fewer load a sample, but at four samples a cell it is all overhead).

Differs from the points' reference by float32 rounding, about 2⁻²² of the range; slopes of the damped mode likewise.
Row blocks start at multiples of BLOCK whatever the number of threads, so results do not depend on it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import Kernel, kernel, prange
from fellview.noise import fractal, lattice
from fellview.noise.evaluate import Request
from fellview.noise.fractal import DAMPED, FBM, HYBRID, RIDGED, Octave, accumulate
from fellview.noise.kind import fade_code, started
from fellview.noise.lattice import corner, weight, wrap

DIMENSION = 3
BLOCK = 8  # rows that octaves are added to in turn: 64 KiB at 2048 columns, which stays in a core's own cache
_CONTRACT = {"contract"}  # fused multiply-adds; no reordering


@kernel(parallel=True)
def planes(out, i0, j0, rows, columns, z, w, fade, period, permutation, vectors, started):
    """Fill out float32 (3, rows · columns) with P, X, Y of the lattice points from (i0, j0); a template."""
    z0 = math.floor(z) if DIMENSION > 2 else 0
    w0 = math.floor(w) if DIMENSION > 3 else 0
    tz = z - z0 if DIMENSION > 2 else 0.0
    tw = w - w0 if DIMENSION > 3 else 0.0
    far_z = weight(tz, fade)[0]
    far_w = weight(tw, fade)[0]
    # on a lattice plane the far layer has no weight
    layers_z = 2 if tz > 0.0 else 1
    layers_w = 2 if tw > 0.0 else 1
    for i in prange(rows):
        x = wrap(i0 + i, period)
        for j in range(columns):
            y = wrap(j0 + j, period)
            constant = slope_x = slope_y = 0.0
            for m in range(layers_w):
                for k in range(layers_z):
                    v, gx, gy, gz, gw = corner(
                        x, y, wrap(z0 + k, period), wrap(w0 + m, period), DIMENSION, permutation, vectors, started
                    )
                    share = (far_z if k else 1.0 - far_z) * (far_w if m else 1.0 - far_w)
                    constant += share * (v + gz * (tz - k) + gw * (tw - m))
                    slope_x += share * gx
                    slope_y += share * gy
            n = i * columns + j
            out[0, n] = constant
            out[1, n] = slope_x
            out[2, n] = slope_y


@kernel(fastmath=_CONTRACT)
def _spread(planes, first, cell, offset, far, u, s):
    """Fill u and s with U and S of the lattice row that starts at `first`. The cell is unsigned: no wrap test."""
    p, x, y = planes[0, first:], planes[1, first:], planes[2, first:]
    for c in range(cell.size):
        j = cell[c]
        k = j + np.uint64(1)
        near = p[j] + y[j] * offset[c]
        u[c] = near + far[c] * (p[k] + y[k] * (offset[c] - np.float32(1)) - near)
        s[c] = x[j] + far[c] * (x[k] - x[j])


@kernel(fastmath=_CONTRACT)
def _spread_slopes(planes, first, cell, offset, far, slope, u, s):
    """Fill u and s with the derivatives of U and S along the columns."""
    p, x, y = planes[0, first:], planes[1, first:], planes[2, first:]
    for c in range(cell.size):
        j = cell[c]
        k = j + np.uint64(1)
        rise = p[k] + y[k] * (offset[c] - np.float32(1)) - p[j] - y[j] * offset[c]
        u[c] = y[j] + far[c] * (y[k] - y[j]) + slope[c] * rise
        s[c] = slope[c] * (x[k] - x[j])


@kernel(fastmath=_CONTRACT)
def _set_row(out, u0, s0, u1, s1, weights, bias):
    a, b, c, d = weights[0], weights[1], weights[2], weights[3]
    for n in range(out.size):
        out[n] = bias + a * u0[n] + b * s0[n] + c * u1[n] + d * s1[n]


@kernel(fastmath=_CONTRACT)
def _add_row(out, u0, s0, u1, s1, weights):
    a, b, c, d = weights[0], weights[1], weights[2], weights[3]
    for n in range(out.size):
        out[n] = out[n] + a * u0[n] + b * s0[n] + c * u1[n] + d * s1[n]


@kernel(fastmath=_CONTRACT)
def _add_four_rows(out0, out1, out2, out3, u0, s0, u1, s1, weights):
    """The same for four rows, (4, 4) weights: a load of the spread numbers serves four samples."""
    a0, b0, c0, d0 = weights[0, 0], weights[0, 1], weights[0, 2], weights[0, 3]
    a1, b1, c1, d1 = weights[1, 0], weights[1, 1], weights[1, 2], weights[1, 3]
    a2, b2, c2, d2 = weights[2, 0], weights[2, 1], weights[2, 2], weights[2, 3]
    a3, b3, c3, d3 = weights[3, 0], weights[3, 1], weights[3, 2], weights[3, 3]
    for n in range(out0.size):
        u, s, v, q = u0[n], s0[n], u1[n], s1[n]
        out0[n] = out0[n] + a0 * u + b0 * s + c0 * v + d0 * q
        out1[n] = out1[n] + a1 * u + b1 * s + c1 * v + d1 * q
        out2[n] = out2[n] + a2 * u + b2 * s + c2 * v + d2 * q
        out3[n] = out3[n] + a3 * u + b3 * s + c3 * v + d3 * q


@kernel()
def _add_rows(out, weights, set_them, bias, u0, s0, u1, s1):
    """Set or add the rows of `out` (n, columns), which lie in one lattice row, by weights (n, 4)."""
    r = 0
    rows = out.shape[0]
    if set_them:
        while r < rows:
            _set_row(out[r], u0, s0, u1, s1, weights[r], bias)
            r += 1
        return
    while r + 4 <= rows:
        _add_four_rows(out[r], out[r + 1], out[r + 2], out[r + 3], u0, s0, u1, s1, weights[r : r + 4])
        r += 4
    while r < rows:
        _add_row(out[r], u0, s0, u1, s1, weights[r])
        r += 1


@kernel(parallel=True)
def _sum(
    out, mode, amplitudes, bias, planes, starts, row_cell, row_weights, row_slopes, column_cell, offset, far, slope,
    bands, cancel,
):  # fmt: skip
    """Fill out (rows, columns) with the sum of octaves, by bands of whole blocks of rows.

    By octave: `starts` (octaves, 2) where its planes start and how wide a lattice row is; `row_cell` (octaves, rows);
    `row_weights`, `row_slopes` (octaves, rows, 4); `column_cell`, `offset`, `far`, `slope` (octaves, columns).
    """
    rows, columns = out.shape
    octaves = starts.shape[0]
    blocks = (rows + BLOCK - 1) // BLOCK
    for band in prange(bands):
        # two lattice rows an octave, in turn: the far one becomes the next cell's near one
        spread_u = np.empty((octaves, 2, columns), np.float32)
        spread_s = np.empty((octaves, 2, columns), np.float32)
        damped_size = columns if mode == DAMPED else 0
        along_u = np.empty((octaves, 2, damped_size), np.float32)
        along_s = np.empty((octaves, 2, damped_size), np.float32)
        held = np.full(octaves, -2, np.int64)  # never a cell, nor the one before
        near = np.zeros(octaves, np.int64)
        state_columns = columns if mode != FBM else 0
        layer = np.empty((BLOCK, state_columns), np.float32)
        state_x = np.empty((BLOCK, state_columns), np.float32)
        state_y = np.empty((BLOCK, state_columns), np.float32)
        slope_x = np.empty((BLOCK, damped_size), np.float32)
        slope_y = np.empty((BLOCK, damped_size), np.float32)
        for block in range(blocks * band // bands, blocks * (band + 1) // bands):
            if cancel[0]:
                break
            r0 = block * BLOCK
            r1 = min(r0 + BLOCK, rows)
            if mode != FBM:
                out[r0:r1] = bias
                state_x[:] = np.float32(1) if mode in (RIDGED, HYBRID) else np.float32(0)
                state_y[:] = np.float32(0)
            for o in range(octaves):
                r = r0
                while r < r1:
                    cell = row_cell[o, r]
                    stop = r + 1
                    while stop < r1 and row_cell[o, stop] == cell:
                        stop += 1
                    if held[o] != cell:
                        near[o] = 1 - near[o] if held[o] == cell - 1 else 0
                        first = starts[o, 0] + cell * starts[o, 1]
                        for step in range(1 if held[o] == cell - 1 else 0, 2):
                            slot = (near[o] + step) & 1
                            _spread(
                                planes, first + step * starts[o, 1], column_cell[o], offset[o], far[o],
                                spread_u[o, slot], spread_s[o, slot],
                            )  # fmt: skip
                            if mode == DAMPED:
                                _spread_slopes(
                                    planes, first + step * starts[o, 1], column_cell[o], offset[o], far[o], slope[o],
                                    along_u[o, slot], along_s[o, slot],
                                )  # fmt: skip
                        held[o] = cell
                    a, b = near[o], 1 - near[o]
                    u0, s0, u1, s1 = spread_u[o, a], spread_s[o, a], spread_u[o, b], spread_s[o, b]
                    if mode == FBM:
                        _add_rows(out[r:stop], row_weights[o, r:stop], o == 0, bias, u0, s0, u1, s1)
                    else:
                        zero = np.float32(0)
                        _add_rows(layer[r - r0 : stop - r0], row_weights[o, r:stop], True, zero, u0, s0, u1, s1)
                        if mode == DAMPED:
                            _add_rows(slope_x[r - r0 : stop - r0], row_slopes[o, r:stop], True, zero, u0, s0, u1, s1)
                            u0, s0, u1, s1 = along_u[o, a], along_s[o, a], along_u[o, b], along_s[o, b]
                            _add_rows(slope_y[r - r0 : stop - r0], row_weights[o, r:stop], True, zero, u0, s0, u1, s1)
                    r = stop
                if mode != FBM:
                    for r in range(r0, r1):
                        n = r - r0
                        d = n if mode == DAMPED else 0
                        accumulate(
                            mode, amplitudes[o], layer[n], slope_x[d], slope_y[d], out[r], state_x[n], state_y[n]
                        )


def axis_positions(
    count: int, frequency: float, octave: Octave, axis: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the lattice cell, int64 (count,), and the offset in it, float64 (count,), of a grid's rows or columns."""
    position = frequency * octave.factor * np.arange(count) / count + octave.shift[axis]
    cell = np.floor(position)
    return cell.astype(np.int64), position - cell


def fade_of(offset: NDArray[np.float64], code: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the far weight at each offset and its slope."""
    if code == lattice.LINEAR:
        return offset, np.ones_like(offset)
    if code == lattice.CUBIC:
        return offset * offset * (3 - 2 * offset), 6 * offset * (1 - offset)
    return offset**3 * (offset * (offset * 6 - 15) + 10), 30 * (offset * (1 - offset)) ** 2


def lattice_points(frequency: float, octaves: list[Octave]) -> int:
    """Return how many lattice points the grid of all octaves touches."""
    reach = [frequency * octave.factor + 2 for octave in octaves]
    return int(sum(cells * cells for cells in reach))


class LatticeGrid:
    """The grid of one lattice kind: its `planes` kernels by dimension, compiled when first used."""

    def __init__(self, name: str, corner: Kernel) -> None:
        self._planes = {
            d: planes.bound(f"{name}_{d}", corner=corner, DIMENSION=d)
            for d in (2, 3, 4)
        }  # fmt: skip

    def fill(
        self,
        out: NDArray[np.float32],
        asked: Request,
        octaves: list[Octave],
        frequency: float,
        z: float,
        w: float,
        amplitude: float,
        bands: int,
        cancel: NDArray[np.uint8],
    ) -> None:
        """Fill `out` with the sum of octaves."""
        rows, columns = out.shape
        mode = fractal.MODES.index(asked.sum.fractal)
        fade = fade_code(asked.options)
        half = 0.5 * amplitude
        scale, bias = (half, half) if asked.unit_range else (amplitude, 0.0)
        count = len(octaves)
        row_cell = np.empty((count, rows), np.int64)
        row_weights = np.empty((count, rows, 4), np.float32)
        row_slopes = np.empty((count, rows, 4), np.float32)
        column_cell = np.empty((count, columns), np.uint64)
        offset = np.empty((count, columns), np.float32)
        far = np.empty((count, columns), np.float32)
        slope = np.empty((count, columns), np.float32)
        starts = np.empty((count, 2), np.int64)
        filled: list[NDArray[np.float32]] = []
        for o, octave in enumerate(octaves):
            cell, t = axis_positions(rows, frequency, octave, 0)
            u, du = fade_of(t, fade)
            i0 = int(cell[0])
            row_cell[o] = cell - i0
            folded = scale * octave.amplitude if mode == FBM else 1.0
            row_weights[o] = folded * np.stack([1 - u, (1 - u) * t, u, u * (t - 1)], axis=1)
            row_slopes[o] = np.stack([-du, 1 - u - du * t, du, u + du * (t - 1)], axis=1)
            cell, t = axis_positions(columns, frequency, octave, 1)
            u, du = fade_of(t, fade)
            j0 = int(cell[0])
            column_cell[o] = cell - j0
            offset[o], far[o], slope[o] = t, u, du
            shape = int(row_cell[o, -1]) + 2, int(column_cell[o, -1]) + 2
            starts[o] = sum(part.shape[1] for part in filled), shape[1]
            part = np.empty((3, shape[0] * shape[1]), np.float32)
            self._planes[asked.dimension](
                part,
                i0,
                j0,
                *shape,
                z * octave.factor + octave.shift[2],
                w * octave.factor + octave.shift[3],
                fade,
                octave.period,
                asked.tables.permutation,
                asked.tables.vectors,
                started(asked.seed),
            )
            filled.append(part)
        amplitudes = np.array([scale * octave.amplitude for octave in octaves], np.float32)
        _sum(
            out,
            mode,
            amplitudes,
            np.float32(bias),
            filled[0] if count == 1 else np.concatenate(filled, axis=1),
            starts,
            row_cell,
            row_weights,
            row_slopes,
            column_cell,
            offset,
            far,
            slope,
            bands,
            cancel,
        )
