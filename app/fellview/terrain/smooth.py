"""The DirectX demo's smoothing: each interior cell becomes the mean of its 3×3 block, in place and in raster order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, whole
from fellview.core.progress import Progress
from fellview.terrain.domain import Domain
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
def _sweep(heights, cancel):
    """Sum each block in scan order, as the demo does: float32 sums depend on their order."""
    rows, columns = heights.shape
    for r in range(1, rows - 1):
        if cancel[0]:
            return
        for c in range(1, columns - 1):
            total = heights[r - 1, c - 1] + heights[r - 1, c]
            total += heights[r - 1, c + 1]
            total += heights[r, c - 1]
            total += heights[r, c]
            total += heights[r, c + 1]
            total += heights[r + 1, c - 1]
            total += heights[r + 1, c]
            total += heights[r + 1, c + 1]
            heights[r, c] = total / np.float32(9)


def run(parameters: Smooth, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the smoothed heights, float32 [row, column]."""
    smoothed = heights.copy()
    for sweep in range(parameters.iterations):
        _sweep(smoothed, progress.cancel)
        progress.report(Smooth.key, (sweep + 1) / parameters.iterations)
    return smoothed


STEP = Step(Smooth, run, active=lambda parameters: parameters.iterations > 0)
