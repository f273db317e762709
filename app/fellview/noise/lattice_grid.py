"""Lattice noise over a regular grid: sums of octaves from separable weights.

On a grid every row has one x and every column one y, and z and w are fixed. Blending the corners along z and w first
leaves three numbers a lattice point (i, j): its constant P, and its slopes X and Y along x and y. With u the far weight
and t the offset in a direction,

    N(r, c) = (1 − u_r)·(U + t_r·S) + u_r·(U' + (t_r − 1)·S')
    U = (1 − u_c)·(P + t_c·Y) + u_c·(P' + (t_c − 1)·Y'),   S = (1 − u_c)·X + u_c·X'       (primes: the next point)

U and S of a lattice row depend on the column alone. They are spread out to the samples once a lattice row; then every
sample is four multiply-adds on contiguous arrays, whatever the cell's size, with the octave's amplitude folded into the
row's four weights. Four rows at a time share the loads. A block of rows and tile of columns stays
in cache while all octaves are added to it.
Rejected: a loop over the samples of one cell (one fewer load a sample, but at four samples a cell it is all overhead).

Differs from the points' reference by float32 rounding, about 2⁻²² of the range; slopes of the damped mode likewise.
Row blocks start at multiples of BLOCK whatever the number of threads, so results do not depend on it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fellview.core import compiled
from fellview.core.compiled import Kernel, kernel
from fellview.core.height_field import Heights
from fellview.noise import lattice
from fellview.noise.fractal import DAMPED, FBM, HYBRID, RIDGED, Octave, accumulate
from fellview.noise.kind import fade_code, started
from fellview.noise.lattice import corner, weight, wrap
from fellview.noise.octave_sum import OctaveSum

DIMENSION = 3
BLOCK = 8  # rows that octaves are added to in turn: 64 KiB with a tile's columns, well within a core's second cache
TILE = 2048  # columns; narrower tiles stay in the first cache, but their calls cost more than they save (measured)
_POINTS_A_THREAD = 4096  # some 100 µs of lattice points; waking a thread takes half of that
_CONTRACT = {"contract"}  # fused multiply-adds; no reordering


@kernel()
def planes(first, last, out, start, i0, j0, columns, z, w, fade, period, permutation, vectors, started):
    """Fill out float32 (3, any) with P, X, Y of lattice rows `first` to `last` − 1; a template.

    The lattice point (i0, j0) stands at `start`, and `columns` points make a row.
    """
    z0 = math.floor(z) if DIMENSION > 2 else 0
    w0 = math.floor(w) if DIMENSION > 3 else 0
    tz = z - z0 if DIMENSION > 2 else 0.0
    tw = w - w0 if DIMENSION > 3 else 0.0
    far_z = weight(tz, fade)[0]
    far_w = weight(tw, fade)[0]
    # on a lattice plane the far layer has no weight
    layers_z = 2 if tz > 0.0 else 1
    layers_w = 2 if tw > 0.0 else 1
    for i in range(first, last):
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
            n = start + i * columns + j
            out[0, n] = constant
            out[1, n] = slope_x
            out[2, n] = slope_y


# The kernels below take whole arrays and places in them, not slices: numba counts references to a slice by atomic
# operations, which would cost as much as the sums. Unsigned indices need no test for wrapping.
@kernel(fastmath=_CONTRACT)
def _spread(planes, first, o, begin, width, cell, offset, far, slot, u, s):
    """Fill u[o, slot] and s[o, slot] with U and S, for `width` columns from `begin`, of the lattice row at `first`."""
    for n in range(width):
        c = np.uint64(begin) + np.uint64(n)
        j = np.uint64(first) + cell[o, c]
        k = j + np.uint64(1)
        t, w = offset[o, c], far[o, c]
        near = planes[0, j] + planes[2, j] * t
        u[o, slot, n] = near + w * (planes[0, k] + planes[2, k] * (t - np.float32(1)) - near)
        s[o, slot, n] = planes[1, j] + w * (planes[1, k] - planes[1, j])


@kernel(fastmath=_CONTRACT)
def _spread_slopes(planes, first, o, begin, width, cell, offset, far, slope, slot, u, s):
    """Fill u[o, slot] and s[o, slot] with the derivatives of U and S along the columns."""
    for n in range(width):
        c = np.uint64(begin) + np.uint64(n)
        j = np.uint64(first) + cell[o, c]
        k = j + np.uint64(1)
        t = offset[o, c]
        rise = planes[0, k] + planes[2, k] * (t - np.float32(1)) - planes[0, j] - planes[2, j] * t
        u[o, slot, n] = planes[2, j] + far[o, c] * (planes[2, k] - planes[2, j]) + slope[o, c] * rise
        s[o, slot, n] = slope[o, c] * (planes[1, k] - planes[1, j])


@kernel(fastmath=_CONTRACT)
def _rows(out, r, stop, begin, width, weights, o, r_weights, fresh, bias, near, u, s):
    """Add an octave to rows r to stop − 1 of `out`, `width` columns from `begin`; the rows lie in one lattice row.

    weights[o, r_weights …] are the rows' own, u[o, near] and s[o, near] the near lattice row's spread numbers, those at
    1 − near the far one's. Where `fresh` the sum starts at `bias`. A load of them serves four rows.
    """
    o, a, b = np.uint64(o), np.uint64(near), np.uint64(1 - near)
    left = np.uint64(begin)
    while r + 4 <= stop:
        q0, q1, q2, q3 = np.uint64(r), np.uint64(r + 1), np.uint64(r + 2), np.uint64(r + 3)
        k = r_weights
        a0, b0, c0, d0 = weights[o, k, 0], weights[o, k, 1], weights[o, k, 2], weights[o, k, 3]
        a1, b1, c1, d1 = weights[o, k + 1, 0], weights[o, k + 1, 1], weights[o, k + 1, 2], weights[o, k + 1, 3]
        a2, b2, c2, d2 = weights[o, k + 2, 0], weights[o, k + 2, 1], weights[o, k + 2, 2], weights[o, k + 2, 3]
        a3, b3, c3, d3 = weights[o, k + 3, 0], weights[o, k + 3, 1], weights[o, k + 3, 2], weights[o, k + 3, 3]
        if fresh:
            for i in range(width):
                n = np.uint64(i)
                c = left + n
                u0, s0, u1, s1 = u[o, a, n], s[o, a, n], u[o, b, n], s[o, b, n]
                out[q0, c] = bias + a0 * u0 + b0 * s0 + c0 * u1 + d0 * s1
                out[q1, c] = bias + a1 * u0 + b1 * s0 + c1 * u1 + d1 * s1
                out[q2, c] = bias + a2 * u0 + b2 * s0 + c2 * u1 + d2 * s1
                out[q3, c] = bias + a3 * u0 + b3 * s0 + c3 * u1 + d3 * s1
        else:
            for i in range(width):
                n = np.uint64(i)
                c = left + n
                u0, s0, u1, s1 = u[o, a, n], s[o, a, n], u[o, b, n], s[o, b, n]
                out[q0, c] = out[q0, c] + a0 * u0 + b0 * s0 + c0 * u1 + d0 * s1
                out[q1, c] = out[q1, c] + a1 * u0 + b1 * s0 + c1 * u1 + d1 * s1
                out[q2, c] = out[q2, c] + a2 * u0 + b2 * s0 + c2 * u1 + d2 * s1
                out[q3, c] = out[q3, c] + a3 * u0 + b3 * s0 + c3 * u1 + d3 * s1
        r += 4
        r_weights += 4
    while r < stop:
        q0 = np.uint64(r)
        k = r_weights
        a0, b0, c0, d0 = weights[o, k, 0], weights[o, k, 1], weights[o, k, 2], weights[o, k, 3]
        for i in range(width):
            n = np.uint64(i)
            before = bias if fresh else out[q0, left + n]
            out[q0, left + n] = before + a0 * u[o, a, n] + b0 * s[o, a, n] + c0 * u[o, b, n] + d0 * s[o, b, n]
        r += 1
        r_weights += 1


@kernel()
def _task(
    task, out, mode, amplitudes, bias, planes, starts, row_cell, row_weights, row_slopes, column_cell, offset, far,
    slope, bands, tiles, cancel,
):  # fmt: skip
    """Fill one tile of columns of one band of whole blocks of rows with the sum of octaves.

    By octave: `starts` (octaves, 2) where its planes start and how wide a lattice row is; `row_cell` (octaves, rows);
    `row_weights`, `row_slopes` (octaves, rows, 4); `column_cell`, `offset`, `far`, `slope` (octaves, columns).
    """
    rows, columns = out.shape
    octaves = starts.shape[0]
    blocks = (rows + BLOCK - 1) // BLOCK
    band = task // tiles
    begin = (task % tiles) * TILE
    end = min(begin + TILE, columns)
    width = end - begin
    # two lattice rows an octave, in turn: the far one becomes the next cell's near one
    spread_u = np.empty((octaves, 2, width), np.float32)
    spread_s = np.empty((octaves, 2, width), np.float32)
    damped_size = width if mode == DAMPED else 0
    along_u = np.empty((octaves, 2, damped_size), np.float32)
    along_s = np.empty((octaves, 2, damped_size), np.float32)
    held = np.full(octaves, -2, np.int64)  # never a cell, nor the one before
    near = np.zeros(octaves, np.int64)
    state_size = width if mode != FBM else 0
    layer = np.empty((BLOCK, state_size), np.float32)
    state_x = np.empty((BLOCK, state_size), np.float32)
    state_y = np.empty((BLOCK, state_size), np.float32)
    slope_x = np.empty((BLOCK, damped_size), np.float32)
    slope_y = np.empty((BLOCK, damped_size), np.float32)
    for block in range(blocks * band // bands, blocks * (band + 1) // bands):
        if cancel[0]:
            break
        r0 = block * BLOCK
        r1 = min(r0 + BLOCK, rows)
        if mode != FBM:
            out[r0:r1, begin:end] = bias
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
                        start = first + step * starts[o, 1]
                        _spread(planes, start, o, begin, width, column_cell, offset, far, slot, spread_u, spread_s)
                        if mode == DAMPED:
                            _spread_slopes(
                                planes, start, o, begin, width, column_cell, offset, far, slope, slot, along_u,
                                along_s,
                            )  # fmt: skip
                    held[o] = cell
                a = near[o]
                if mode == FBM:
                    _rows(out, r, stop, begin, width, row_weights, o, r, o == 0, bias, a, spread_u, spread_s)
                else:
                    zero = np.float32(0)
                    i, j = r - r0, stop - r0
                    _rows(layer, i, j, 0, width, row_weights, o, r, True, zero, a, spread_u, spread_s)
                    if mode == DAMPED:
                        _rows(slope_x, i, j, 0, width, row_slopes, o, r, True, zero, a, spread_u, spread_s)
                        _rows(slope_y, i, j, 0, width, row_weights, o, r, True, zero, a, along_u, along_s)
                r = stop
            if mode != FBM:
                for r in range(r0, r1):
                    n = r - r0
                    d = n if mode == DAMPED else 0
                    total = out[r, begin:end]
                    accumulate(mode, amplitudes[o], layer[n], slope_x[d], slope_y[d], total, state_x[n], state_y[n])


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

    def fill(self, out: Heights, wanted: OctaveSum, bands: int, cancel: NDArray[np.uint8]) -> None:
        """Fill `out` with the sum of octaves."""
        rows, columns = out.shape
        asked, octaves, mode = wanted.asked, wanted.octaves, wanted.mode
        fade = fade_code(asked.options)
        count = len(octaves)
        row_cell, row_offset = wanted.cells(rows, 0)
        column_cell, column_offset = wanted.cells(columns, 1)
        row_weights = np.empty((count, rows, 4), np.float32)
        row_slopes = np.empty((count, rows, 4), np.float32)
        offset = np.empty((count, columns), np.float32)
        far = np.empty((count, columns), np.float32)
        slope = np.empty((count, columns), np.float32)
        starts = np.empty((count, 2), np.int64)
        lattices = []
        size = 0
        for o, octave in enumerate(octaves):
            i0, j0 = int(row_cell[o, 0]), int(column_cell[o, 0])
            row_cell[o] -= i0
            column_cell[o] -= j0
            t = row_offset[o]
            u, du = fade_of(t, fade)
            folded = wanted.scale * octave.amplitude if mode == FBM else 1.0
            row_weights[o] = folded * np.stack([1 - u, (1 - u) * t, u, u * (t - 1)], axis=1)
            row_slopes[o] = np.stack([-du, 1 - u - du * t, du, u + du * (t - 1)], axis=1)
            offset[o] = column_offset[o]
            far[o], slope[o] = fade_of(column_offset[o], fade)
            shape = int(row_cell[o, -1]) + 2, int(column_cell[o, -1]) + 2
            lattices.append((i0, j0, *shape))
            starts[o] = size, shape[1]
            size += shape[0] * shape[1]
        filled = np.empty((3, size), np.float32)
        places = zip(starts, lattices, octaves, *wanted.depths, strict=True)
        for (start, _), (i0, j0, height, width), octave, z, w in places:
            compiled.in_bands(
                height,
                1 + _POINTS_A_THREAD // width,
                self._planes[asked.dimension],
                filled,
                start,
                i0,
                j0,
                width,
                z,
                w,
                fade,
                octave.period,
                asked.tables.permutation,
                asked.tables.vectors,
                started(asked.seed),
            )
        tiles = -(-columns // TILE)
        compiled.each_in_threads(
            bands * tiles,
            _task,
            out,
            mode,
            wanted.amplitudes,
            wanted.bias,
            filled,
            starts,
            row_cell,
            row_weights,
            row_slopes,
            column_cell.astype(np.uint64),
            offset,
            far,
            slope,
            bands,
            tiles,
            cancel,
        )
