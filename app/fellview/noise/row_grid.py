"""Sums of octaves over a regular grid for kinds whose rows have a kernel of their own (`fill_row`).

A template: a kind binds `fill_row(o, r, out, slope_x, slope_y, damped, scratch, family)`, which fills a row (columns,)
with octave o of row r, and its slopes where `damped`; `scratch` is float32 (4, columns) to work in, and `family` the
tuple of arrays and numbers that the kind's `rows_of` lays out. A row's octaves are summed while it is in cache.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core import compiled
from fellview.core.compiled import Kernel, kernel
from fellview.core.height_field import Heights
from fellview.noise.fractal import DAMPED, FBM, HYBRID, RIDGED, accumulate
from fellview.noise.octave_sum import OctaveSum

Rows = tuple[Kernel, tuple[Any, ...]]
"""One of `band_of`, and the family that its row kernel takes."""

RowsOf = Callable[[OctaveSum, int, int], Rows]
"""What a kind has beside its row kernel: the rows of a sum over a grid of so many rows and columns."""

SCRATCH_ROWS = 4


def fill_row(o, r, out, slope_x, slope_y, damped, scratch, family):
    """Fill one row; each kind binds its own."""
    raise NotImplementedError


@kernel()
def _band(band, out, mode, amplitudes, bias, bands, cancel, family):
    """Fill one band of rows of out (rows, columns) with bias and the sum of octaves."""
    rows, columns = out.shape
    layer = np.empty(columns, np.float32)
    slope_x = np.empty(columns if mode == DAMPED else 0, np.float32)
    slope_y = np.empty(columns if mode == DAMPED else 0, np.float32)
    state_x = np.empty(columns, np.float32)
    state_y = np.empty(columns, np.float32)
    scratch = np.empty((SCRATCH_ROWS, columns), np.float32)
    alone = mode == FBM and amplitudes.size == 1
    for r in range(rows * band // bands, rows * (band + 1) // bands):
        if cancel[0]:
            break
        row = out[r]
        if not alone:
            row[:] = bias
            state_x[:] = np.float32(1) if mode in (RIDGED, HYBRID) else np.float32(0)
            state_y[:] = np.float32(0)
        for o in range(amplitudes.size):
            fill_row(o, r, row if alone else layer, slope_x, slope_y, mode == DAMPED, scratch, family)
            if not alone:
                accumulate(mode, amplitudes[o], layer, slope_x, slope_y, row, state_x, state_y)
            elif amplitudes[0] != np.float32(1) or bias != np.float32(0):
                for c in range(columns):
                    row[c] = bias + amplitudes[0] * row[c]


def band_of(label: str, fill_row: Kernel) -> Kernel:
    """Return the kernel that fills a band of rows by a row kernel; `label` names it in the cache."""
    return _band.bound(label, fill_row=fill_row)


def fill(rows_of: RowsOf, out: Heights, wanted: OctaveSum, bands: int, cancel: NDArray[np.uint8]) -> None:
    """Fill `out` (rows, columns) with the sum of octaves of a kind by its `rows_of`."""
    band, family = rows_of(wanted, *out.shape)
    compiled.each_in_threads(bands, band, out, wanted.mode, wanted.amplitudes, wanted.bias, bands, cancel, family)
