"""Worley noise over a regular grid: the nine feature points about a cell serve all its samples.

A lattice of feature points is laid out first, with one cell of margin. Along a grid row only the distance along y
varies: each feature of the 3 × 3 cells about a run of samples gives a constant (the distance along x, and along z,
joined) and a place, and a sample takes the smallest of nine joined distances: three operations each. In three
dimensions the three layers follow each other. The few samples whose distance exceeds what the 3ᵈ cells can answer for
(see `worley.py`) are done again by the points' search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange
from fellview.noise import row_grid
from fellview.noise.hash import hash_cell, more, signed, unit
from fellview.noise.kind import started
from fellview.noise.lattice import wrap
from fellview.noise.octave_sum import OctaveSum
from fellview.noise.row_grid import Rows
from fellview.noise.worley import EUCLIDEAN, F1, F2_F1, MANHATTAN, VALUE, Worley, numbers, sample

FAR = np.float32(1e30)  # beyond any squared distance, and finite


@kernel(parallel=True)
def _features(out, dimension, i0, j0, rows, columns, k0, jitter, period, started):
    """Fill out float32 (4, layers · rows · columns) with the features' x, y, z in their cells and their values."""
    layers = out.shape[1] // (rows * columns)
    for row in prange(rows):
        i = np.int64(row)
        for layer in range(layers):
            for j in range(columns):
                h = hash_cell(
                    wrap(i0 + i, period), wrap(j0 + j, period), wrap(k0 + layer, period), 0, dimension, started
                )
                n = (layer * rows + i) * columns + j
                out[0, n] = 0.5 + jitter * (unit(more(h, 1)) - 0.5)
                out[1, n] = 0.5 + jitter * (unit(more(h, 2)) - 0.5)
                out[2, n] = 0.5 + jitter * (unit(more(h, 3)) - 0.5)
                out[3, n] = signed(h)


@kernel(inline="always")
def _along(metric, rest, delta):
    """Return the distance (squared if Euclidean) of a feature that is `rest` away across the row."""
    if metric == EUCLIDEAN:
        return rest + delta * delta
    if metric == MANHATTAN:
        return rest + abs(delta)
    return rest if rest > abs(delta) else abs(delta)


@kernel(fastmath={"contract"})
def _nearest_of_nine(first, offset, rest, place):
    """Lower `first` to the nearest of nine features, by squared distance."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = rest
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = place
    for n in range(first.size):
        t = offset[n]
        d0, d1, d2 = a0 + (b0 - t) * (b0 - t), a1 + (b1 - t) * (b1 - t), a2 + (b2 - t) * (b2 - t)
        d3, d4, d5 = a3 + (b3 - t) * (b3 - t), a4 + (b4 - t) * (b4 - t), a5 + (b5 - t) * (b5 - t)
        d6, d7, d8 = a6 + (b6 - t) * (b6 - t), a7 + (b7 - t) * (b7 - t), a8 + (b8 - t) * (b8 - t)
        d0, d1, d2 = d0 if d0 < d1 else d1, d2 if d2 < d3 else d3, d4 if d4 < d5 else d5
        d3, d4 = d6 if d6 < d7 else d7, d8 if d8 < first[n] else first[n]
        d0, d1, d2 = d0 if d0 < d1 else d1, d2 if d2 < d3 else d3, d4
        d0 = d0 if d0 < d1 else d1
        first[n] = d0 if d0 < d2 else d2


@kernel(fastmath={"contract"})
def _two_nearest(metric, first, second, offset, rest, place):
    """Lower `first` and `second` by one feature."""
    for n in range(first.size):
        d = _along(metric, rest, place - offset[n])
        inner, outer = (d, first[n]) if d < first[n] else (first[n], d)
        first[n] = inner
        second[n] = outer if outer < second[n] else second[n]


@kernel(fastmath={"contract"})
def _nearest_value(metric, first, value, offset, rest, place, own):
    """Lower `first` by one feature, and take its value with it."""
    for n in range(first.size):
        d = _along(metric, rest, place - offset[n])
        nearer = d < first[n]
        first[n] = d if nearer else first[n]
        value[n] = own if nearer else value[n]


@kernel()
def _cell(metric, output, first, second, value, offset, features, n, width, height, layers, tx, tz):
    """Take into account all features about one run of samples; n is the cell's own index in the first layer."""
    for layer in range(layers):
        middle = n + layer * height * width
        if output == F1 and metric == EUCLIDEAN:  # the usual one: first[] stays in a register
            rests = (
                _across(metric, features, middle - width - 1, -1, layer, layers, tx, tz),
                _across(metric, features, middle - width, -1, layer, layers, tx, tz),
                _across(metric, features, middle - width + 1, -1, layer, layers, tx, tz),
                _across(metric, features, middle - 1, 0, layer, layers, tx, tz),
                _across(metric, features, middle, 0, layer, layers, tx, tz),
                _across(metric, features, middle + 1, 0, layer, layers, tx, tz),
                _across(metric, features, middle + width - 1, 1, layer, layers, tx, tz),
                _across(metric, features, middle + width, 1, layer, layers, tx, tz),
                _across(metric, features, middle + width + 1, 1, layer, layers, tx, tz),
            )
            one = np.float32(1)
            y = features[1]
            places = (
                y[middle - width - 1] - one, y[middle - width], y[middle - width + 1] + one,
                y[middle - 1] - one, y[middle], y[middle + 1] + one,
                y[middle + width - 1] - one, y[middle + width], y[middle + width + 1] + one,
            )  # fmt: skip
            _nearest_of_nine(first, offset, rests, places)
            continue
        for i in range(-1, 2):
            for j in range(-1, 2):
                m = middle + i * width + j
                rest = _across(metric, features, m, i, layer, layers, tx, tz)
                place = features[1, m] + np.float32(j)
                if output == VALUE:
                    _nearest_value(metric, first, value, offset, rest, place, features[3, m])
                else:
                    _two_nearest(metric, first, second, offset, rest, place)


@kernel()
def _across(metric, features, n, i, layer, layers, tx, tz):
    """Return a feature's distance across the row: along x, and along z in three dimensions."""
    delta = features[0, n] + np.float32(i) - tx
    rest = delta * delta if metric == EUCLIDEAN else abs(delta)
    return _along(metric, rest, features[2, n] + np.float32(layer - 1) - tz) if layers > 1 else rest


@kernel()
def _row(o, r, out, slope_x, slope_y, damped, scratch, family):
    """Fill one row; `family` is what `rows_of` lays out, by octave."""
    (features, starts, row_cell, row_offset, column_cell, column_offset, runs, run_starts, cells, offsets_z, metric,
     output, jitter, periods, dimension, started) = family  # fmt: skip
    columns = out.size
    height, width = starts[o, 1], starts[o, 2]
    layers = 3 if dimension > 2 else 1
    first, second, value = scratch[0], scratch[1], scratch[2]
    first[:] = FAR
    second[:] = FAR
    tx, tz = row_offset[o, r], offsets_z[o]
    for run in range(runs[o]):
        begin, end = run_starts[o, run], run_starts[o, run + 1]
        n = starts[o, 0] + (row_cell[o, r] + 1) * width + column_cell[o, begin] + 1
        _cell(
            metric, output, first[begin:end], second[begin:end], value[begin:end], column_offset[o, begin:end],
            features, n, width, height, layers, np.float32(tx), np.float32(tz),
        )  # fmt: skip
    decided = first if output in (F1, VALUE) else second
    edge_row = np.float32(min(tx, 1.0 - tx))
    if dimension > 2:
        edge_row = np.float32(min(edge_row, min(tz, 1.0 - tz)))
    unsure = 0
    for c in range(columns):
        t = column_offset[o, c]
        edge = min(edge_row, min(t, np.float32(1) - t)) + np.float32(1)
        scratch[3, c] = edge * edge if metric == EUCLIDEAN else edge
        unsure += decided[c] > scratch[3, c]
    if output == VALUE:
        out[:] = value
    else:
        for c in range(columns):
            near = np.sqrt(first[c]) if metric == EUCLIDEAN else first[c]
            far = np.sqrt(second[c]) if metric == EUCLIDEAN else second[c]
            out[c] = near if output == F1 else (far - near if output == F2_F1 else far)
    if unsure:
        x = cells[o, 0] + row_cell[o, r] + tx
        z = cells[o, 2] + tz
        for c in range(columns):
            if decided[c] > scratch[3, c]:
                y = cells[o, 1] + column_cell[o, c] + np.float64(column_offset[o, c])
                out[c] = sample(x, y, z, metric, output, jitter, periods[o], dimension, started)


_BAND = row_grid.band_of("worley", _row)


def rows_of(wanted: OctaveSum, rows: int, columns: int) -> Rows:
    """Return what fills rows of Worley noise."""
    asked, octaves = wanted.asked, wanted.octaves
    d, count = asked.dimension, len(octaves)
    assert isinstance(asked.options, Worley)
    metric, output, jitter = numbers(asked.options)
    row_cell, row_offset = wanted.cells(rows, 0)
    column_cell, column_offset = wanted.cells(columns, 1)
    runs = np.empty(count, np.int64)
    run_starts = np.zeros((count, columns + 1), np.int64)
    starts = np.empty((count, 3), np.int64)
    cells = np.empty((count, 3))
    layer = np.floor(wanted.depths[0])
    filled: list[NDArray[np.float32]] = []
    for o, octave in enumerate(octaves):
        i0, j0, k0 = int(row_cell[o, 0]), int(column_cell[o, 0]), int(layer[o])
        row_cell[o] -= i0
        column_cell[o] -= j0
        begins = np.flatnonzero(np.diff(column_cell[o], prepend=-1))
        runs[o] = len(begins)
        run_starts[o, : len(begins)] = begins
        run_starts[o, len(begins)] = columns
        height, width = int(row_cell[o, -1]) + 3, int(column_cell[o, -1]) + 3
        starts[o] = sum(part.shape[1] for part in filled), height, width
        cells[o] = i0, j0, k0
        part = np.empty((4, (3 if d > 2 else 1) * height * width), np.float32)
        _features(part, d, i0 - 1, j0 - 1, height, width, k0 - 1, jitter, octave.period, started(asked.seed))
        filled.append(part)
    return _BAND, (
        filled[0] if count == 1 else np.concatenate(filled, axis=1),
        starts,
        row_cell,
        row_offset,
        column_cell,
        column_offset.astype(np.float32),
        runs,
        run_starts,
        cells,
        wanted.depths[0] - layer,
        metric,
        output,
        jitter,
        np.array([octave.period for octave in octaves]),
        d,
        started(asked.seed),
    )
