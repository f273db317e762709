"""The DirectX demo's erosion: each cell slides half its steepest drop to that neighbour, in place.

In raster order over the interior, for each cell the largest drop d = h[r, c] − h[neighbour] among the eight neighbours
(the first in scan order wins a tie); where 0 < d ≤ threshold, d/2 moves to that neighbour. A higher threshold
therefore moves more: it is not a talus angle. In place and in raster order by definition, so it runs on the CPU only.

Sweeps are pipelined over threads: rows are cut into bands, and sweep k works on band b while sweep k + 1 works on band
b − 2. A row touches its two neighbours, so two bands apart nothing is shared and the result is the serial one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel, prange
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, whole
from fellview.core.progress import Progress
from fellview.terrain.domain import Domain
from fellview.terrain.step import Step

_BAND_ROWS = 16  # fewer rows cost a thread barrier too often, more leave a thread idle at the ends
_CELLS_PER_CALL = 1 << 22  # about 10 ms of sweeps between two reports


@dataclass(frozen=True)
class Erosion(Group):
    """How the ground wears down."""

    key: ClassVar[str] = "erosion"
    title: ClassVar[str] = "Erosion"

    kind: str = choice("demo", ("none", "demo"), tip="How the ground wears: not at all, or as in the DirectX demo.")
    iterations: int = whole(
        10,
        0,
        10_000,
        slider=(0, 100),
        unit="sweeps",
        tip="Low leaves it rough, high lets slopes settle into smooth sheets.",
        only={"kind": ("demo",)},
    )
    threshold: float = real(
        1.0,
        0.0,
        100_000.0,
        slider=(0.01, 3),
        unit="m a cell",
        scale="log",
        tip="Drops up to this height slide. Low moves only gentle slopes, high moves everything; at 1 nearly all of the"
        " demo's terrain moves. It works the other way round from a talus angle.",
        only={"kind": ("demo",)},
    )


@kernel(inline="always")
def _larger(a, b):
    return a if a > b else b


@kernel()
def _sweep(heights, first, last, threshold):
    """Sweep rows `first` to `last` − 1 once. The largest drop comes first, whose it is only where something moves."""
    columns = heights.shape[1]
    for r in range(first, last):
        for c in range(1, columns - 1):
            height = heights[r, c]
            d0 = height - heights[r - 1, c - 1]
            d1 = height - heights[r - 1, c]
            d2 = height - heights[r - 1, c + 1]
            d3 = height - heights[r, c - 1]
            d4 = height - heights[r, c + 1]
            d5 = height - heights[r + 1, c - 1]
            d6 = height - heights[r + 1, c]
            d7 = height - heights[r + 1, c + 1]
            drop = _larger(_larger(_larger(d0, d1), _larger(d2, d4)), _larger(_larger(d5, d6), _larger(d7, d3)))
            if drop > np.float32(0) and drop <= threshold:
                moved = drop * np.float32(0.5)
                heights[r, c] = height - moved
                if drop == d0:
                    heights[r - 1, c - 1] += moved
                elif drop == d1:
                    heights[r - 1, c] += moved
                elif drop == d2:
                    heights[r - 1, c + 1] += moved
                elif drop == d3:
                    heights[r, c - 1] += moved
                elif drop == d4:
                    heights[r, c + 1] += moved
                elif drop == d5:
                    heights[r + 1, c - 1] += moved
                elif drop == d6:
                    heights[r + 1, c] += moved
                else:
                    heights[r + 1, c + 1] += moved


@kernel(parallel=True)
def _sweeps(heights, count, threshold, band_rows, cancel):
    """Run `count` sweeps; at time t sweep k works on band t − 2k."""
    rows = heights.shape[0]
    bands = (rows - 2 + band_rows - 1) // band_rows
    for time in range(bands + 2 * (count - 1)):
        if cancel[0]:
            return
        first_sweep = max(0, (time - bands + 2) // 2)
        last_sweep = min(count - 1, time // 2)
        for sweep in prange(first_sweep, last_sweep + 1):
            first_row = 1 + (time - 2 * sweep) * band_rows
            _sweep(heights, first_row, min(first_row + band_rows, rows - 1), threshold)


def run(parameters: Erosion, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the heights after all sweeps, float32 [row, column]; mass is kept to rounding."""
    eroded = heights.copy()
    rows, columns = heights.shape
    if rows < 3 or columns < 3:
        return eroded  # no interior
    left = parameters.iterations
    while left:
        count = min(left, max(1, _CELLS_PER_CALL // heights.size))
        _sweeps(eroded, count, np.float32(parameters.threshold), _BAND_ROWS, progress.cancel)
        left -= count
        progress.report(Erosion.key, 1 - left / parameters.iterations)
    return eroded


STEP = Step(
    Erosion,
    run,
    active=lambda parameters: parameters.kind != "none" and parameters.iterations > 0 and parameters.threshold > 0,
)
