"""Sums of octaves over a regular grid for kinds whose rows have a kernel of their own (`fill_row`).

A template: a kind binds `fill_row(o, r, out, slope_x, slope_y, damped, scratch, family)`, which fills a row (columns,)
with octave o of row r, and its slopes where `damped`; `scratch` is float32 (4, columns) to work in, and `family` the
tuple of arrays and numbers that the kind's `fill` made. A row's octaves are summed while it is in cache.
"""

from __future__ import annotations

import numpy as np

from fellview.core.compiled import kernel, prange
from fellview.noise.fractal import DAMPED, FBM, HYBRID, RIDGED, accumulate

SCRATCH_ROWS = 4


def fill_row(o, r, out, slope_x, slope_y, damped, scratch, family):
    """Fill one row; each kind binds its own."""
    raise NotImplementedError


@kernel(parallel=True)
def sum_rows(out, mode, amplitudes, bias, bands, cancel, family):
    """Fill out (rows, columns) with bias and the sum of octaves, by bands of rows."""
    rows, columns = out.shape
    for band in prange(bands):
        layer = np.empty(columns, np.float32)
        slope_x = np.empty(columns if mode == DAMPED else 0, np.float32)
        slope_y = np.empty(columns if mode == DAMPED else 0, np.float32)
        state_x = np.empty(columns, np.float32)
        state_y = np.empty(columns, np.float32)
        scratch = np.empty((SCRATCH_ROWS, columns), np.float32)
        for r in range(rows * band // bands, rows * (band + 1) // bands):
            if cancel[0]:
                break
            if mode == FBM and amplitudes.size == 1:
                fill_row(0, r, out[r], slope_x, slope_y, False, scratch, family)
                if amplitudes[0] != np.float32(1) or bias != np.float32(0):
                    for c in range(columns):
                        out[r, c] = bias + amplitudes[0] * out[r, c]
                continue
            out[r] = bias
            state_x[:] = np.float32(1) if mode in (RIDGED, HYBRID) else np.float32(0)
            state_y[:] = np.float32(0)
            for o in range(amplitudes.size):
                fill_row(o, r, layer, slope_x, slope_y, mode == DAMPED, scratch, family)
                accumulate(mode, amplitudes[o], layer, slope_x, slope_y, out[r], state_x, state_y)
