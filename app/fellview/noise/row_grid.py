"""Sums of octaves over a regular grid for kinds whose rows have a kernel of their own (`fill_row`).

A template: a kind binds `fill_row(o, r, out, slope_x, slope_y, damped, scratch, family)`, which fills a row (columns,)
with octave o of row r, and its slopes where `damped`; `scratch` is float32 (4, columns) to work in, and `family` the
tuple of arrays and numbers that the kind's `fill` made. A row's octaves are summed while it is in cache.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core import compiled
from fellview.core.compiled import Kernel, kernel
from fellview.core.height_field import Heights
from fellview.noise import fractal
from fellview.noise.evaluate import Request
from fellview.noise.fractal import DAMPED, FBM, HYBRID, RIDGED, Octave, accumulate

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


def sum_rows(
    band: Kernel,
    out: Heights,
    asked: Request,
    octaves: list[Octave],
    amplitude: float,
    bands: int,
    cancel: NDArray[np.uint8],
    family: tuple[Any, ...],
) -> None:
    """Fill `out` (rows, columns) with the sum of octaves by `band`, one of `band_of`."""
    half = 0.5 * amplitude
    scale, bias = (half, half) if asked.unit_range else (amplitude, 0.0)
    compiled.each_in_threads(
        bands,
        band,
        out,
        fractal.MODES.index(asked.sum.fractal),
        np.array([scale * octave.amplitude for octave in octaves], np.float32),
        np.float32(bias),
        bands,
        cancel,
        family,
    )
