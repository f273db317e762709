"""The DirectX demo's smoothing: each interior cell becomes the mean of its 3×3 block, in place and in raster order.

The sweep runs over the skewed layout of `skewed.py`, all cells of one t = 3r + c at once. On one thread: a sweep takes
little longer than handing it to two would.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, whole
from fellview.core.progress import Progress
from fellview.terrain import skewed
from fellview.terrain.domain import Domain
from fellview.terrain.skewed import REACH, block_runs
from fellview.terrain.step import Step


@dataclass(frozen=True)
class Smooth(Group):
    """How often the ground is smoothed at the end."""

    key: ClassVar[str] = "smooth"
    title: ClassVar[str] = "Smoothing"

    iterations: int = whole(
        1, 0, 1000, slider=(0, 10), unit="sweeps", label="Sweeps", tip="Low keeps every edge, high melts small detail."
    )


@kernel()
def _add(flat, totals, count, n0, n1, n2, n3):
    """Add four runs to `totals`, in this order."""
    for i in range(count):
        totals[i] = (((totals[i] + flat[n0 + i]) + flat[n1 + i]) + flat[n2 + i]) + flat[n3 + i]


@kernel()
def _sweep(flat, rows, columns, start, cancel):
    """Visit the cells of every t of the skewed layout once; may stop early on `cancel`.

    Each block is summed in scan order, as the demo does: float32 sums depend on their order.
    """
    totals = np.empty(min(rows, columns // 3 + 1), np.float32)
    for t in range(REACH, start.size - REACH):
        if cancel[0]:
            return
        count, (n0, n1, n2, n3, n4, n5, n6, n7, n8) = block_runs(rows, columns, start, t)
        for i in range(count):
            totals[i] = flat[n0 + i]
        _add(flat, totals, count, n1, n2, n3, n4)
        _add(flat, totals, count, n5, n6, n7, n8)
        for i in range(count):
            flat[n4 + i] = totals[i] / np.float32(9)


def run(parameters: Smooth, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the smoothed heights, float32 [row, column]."""
    rows, columns = heights.shape
    if rows < 3 or columns < 3:
        return heights.copy()  # no interior
    start = skewed.starts(rows, columns)
    flat = np.empty(heights.size, np.float32)
    skewed.skew(heights, start, flat, progress.cancel)
    for sweep in range(parameters.iterations):
        _sweep(flat, rows, columns, start, progress.cancel)
        progress.report(Smooth.key, (sweep + 1) / parameters.iterations)
    smoothed = np.empty_like(heights)
    skewed.unskew(flat, start, smoothed, progress.cancel)
    return smoothed


STEP = Step(Smooth, run, active=lambda parameters: parameters.iterations > 0, in_cells=lambda parameters: True)
