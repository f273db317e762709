"""White noise over a regular grid: a row's hash is started once, and each sample carries it on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.noise import row_grid
from fellview.noise.evaluate import Request
from fellview.noise.fractal import Octave
from fellview.noise.kind import started
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


def fill(
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
    """Fill `out` with the sum of octaves of white noise."""
    rows, columns = out.shape
    factor = np.array([octave.factor for octave in octaves])
    shift = np.array([octave.shift for octave in octaves])
    family = (
        (frequency * np.arange(rows) / rows * factor[:, None] + shift[:, :1]).astype(np.float32),
        (frequency * np.arange(columns) / columns * factor[:, None] + shift[:, 1:2]).astype(np.float32),
        (z * factor + shift[:, 2]).astype(np.float32),
        (w * factor + shift[:, 3]).astype(np.float32),
        started(asked.seed),
    )
    row_grid.sum_rows(_BY_DIMENSION[asked.dimension], out, asked, octaves, amplitude, bands, cancel, family)
