"""White noise over a regular grid: a row's hash is started once, and each sample carries it on."""

from __future__ import annotations

import numpy as np

from fellview.core.compiled import kernel
from fellview.noise import row_grid
from fellview.noise.kind import started
from fellview.noise.octave_sum import OctaveSum
from fellview.noise.row_grid import Rows
from fellview.noise.white import chain

DIMENSION = 2


@kernel()
def _row(o, r, out, slope_x, slope_y, damped, scratch, family):
    """Fill one row; `family` is (x, y, z, w by octave, start)."""
    xs, ys, zs, ws, started = family
    begun = chain(started, xs[o, r])
    y, z, w = ys[o], zs[o], ws[o]
    for c in range(out.size):
        h = chain(begun, y[c])
        if DIMENSION > 2:
            h = chain(h, z)
        if DIMENSION > 3:  # time is the fourth
            h = chain(h, w)
        out[c] = np.float32(np.int32(h >> np.uint32(8))) * np.float32(2.0**-23) - np.float32(1)


_BY_DIMENSION = {d: row_grid.band_of(f"white_{d}", _row.bound(str(d), DIMENSION=d)) for d in (2, 3, 4)}


def rows_of(wanted: OctaveSum, rows: int, columns: int) -> Rows:
    """Return what fills rows of white noise."""
    frequency, factor, shift = wanted.frequency, wanted.factors[:, None], wanted.shifts
    z, w = wanted.depths
    # the hash takes the bits of float32 coordinates, so that it matters in which order they are computed
    return _BY_DIMENSION[wanted.asked.dimension], (
        (frequency * np.arange(rows) / rows * factor + shift[:, :1]).astype(np.float32),
        (frequency * np.arange(columns) / columns * factor + shift[:, 1:2]).astype(np.float32),
        z.astype(np.float32),
        w.astype(np.float32),
        started(wanted.asked.seed),
    )
