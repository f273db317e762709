"""The DirectX demo's perturbation: every cell takes its height from a cell that noise points to.

    u = r + trunc(N(F·r/R, F·c/C, 0)·D),  v = c + trunc(N(F·r/R, F·c/C, 1)·D),  h'[r, c] = h[u, v]

u and v are clamped into the grid. N is the classic noise with the scene's seed; D is in cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel, prange
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, real
from fellview.core.progress import Progress
from fellview.noise import classic
from fellview.noise.classic import axis, row
from fellview.noise.tables import PERMUTATION_2002
from fellview.terrain.domain import Domain
from fellview.terrain.step import Step

_CELLS_A_BLOCK = 1 << 20  # about 5 ms of work between two looks at the cancel flag


@dataclass(frozen=True)
class Perturb(Group):
    """How far and how finely the ground is torn sideways."""

    key: ClassVar[str] = "perturb"
    title: ClassVar[str] = "Perturb"

    distance: float = real(
        32.0,
        0.0,
        8192.0,
        slider=(0, 64),
        unit="cells",
        tip="Low keeps hills round, high tears them into ragged ground.",
    )
    frequency: float = real(
        32.0,
        0.01,
        4096.0,
        slider=(1, 64),
        unit="cycles",
        scale="log",
        tip="Low bends whole hills, high frays their edges.",
    )


@kernel(parallel=True)
def _displace(heights, frequency, distance, gradients, permutation, cancel):
    """Return the displaced heights. Noise is made a row at a time, so that no grid of shifts is written."""
    rows, columns = heights.shape
    displaced = np.empty_like(heights)
    x0, x1, wx = axis(rows, frequency)
    cells, offsets, weights = axis(columns, frequency)
    block = max(1, _CELLS_A_BLOCK // columns)
    for first in range(0, rows, block):
        if cancel[0]:
            break
        for r in prange(first, min(first + block, rows)):
            shift = np.empty((2, columns), np.float32)
            for z in range(2):
                row(shift[z], x0[r], x1[r], wx[r], cells, offsets, weights, np.float32(z), gradients, permutation)
            for c in range(columns):
                u = min(max(r + int(shift[0, c] * distance), 0), rows - 1)
                v = min(max(c + int(shift[1, c] * distance), 0), columns - 1)
                displaced[r, c] = heights[u, v]
    return displaced


def run(parameters: Perturb, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the displaced heights, float32 [row, column]."""
    displaced: Heights = _displace(
        heights,
        np.float32(parameters.frequency),
        np.float32(parameters.distance),
        classic.gradients(domain.seed),
        PERMUTATION_2002,
        progress.cancel,
    )
    return displaced


STEP = Step(Perturb, run, active=lambda parameters: parameters.distance > 0, in_cells=lambda parameters: True)
