"""Sums of octaves over a regular grid for kinds whose rows have a kernel of their own (`fill_row`).

A template: a kind binds `fill_row(o, r, out, slope_x, slope_y, damped, scratch, family)`, which fills a row (columns,)
with octave o of row r, and its slopes where `damped`; `scratch` is float32 (4, columns) to work in, and `family` the
tuple of arrays and numbers that the kind's `fill` made. A row's octaves are summed while it is in cache.
"""

from __future__ import annotations

import numpy as np

from fellview.core.compiled import Kernel, kernel, prange
from fellview.noise.fractal import DAMPED, FBM, HYBRID, RIDGED, accumulate

SCRATCH_ROWS = 4


def fill_row(o, r, out, slope_x, slope_y, damped, scratch, family):
    """Fill one row; each kind binds its own."""
    raise NotImplementedError


@kernel()
def _band(band, out, mode, amplitudes, bias, bands, cancel, family):
    """Fill one band of rows; see `sum_rows`."""
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


@kernel(parallel=True)
def _sum_rows(out, mode, amplitudes, bias, bands, cancel, family):
    """Fill out (rows, columns) with bias and the sum of octaves, by bands of rows."""
    for band in prange(bands):
        _band(np.int64(band), out, mode, amplitudes, bias, bands, cancel, family)


def sum_rows(label: str, fill_row: Kernel) -> Kernel:
    """Return the kernel that fills a grid from a row kernel; `label` names it in the cache."""
    return _sum_rows.bound(label, _band=_band.bound(label, fill_row=fill_row))
