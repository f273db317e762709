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
from fellview.terrain.domain import Domain
from fellview.terrain.step import Step


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
def _displace(heights, shift_rows, shift_columns, distance):
    rows, columns = heights.shape
    displaced = np.empty_like(heights)
    for r in prange(rows):
        for c in range(columns):
            u = min(max(r + int(shift_rows[r, c] * distance), 0), rows - 1)
            v = min(max(c + int(shift_columns[r, c] * distance), 0), columns - 1)
            displaced[r, c] = heights[u, v]
    return displaced


def run(parameters: Perturb, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the displaced heights, float32 [row, column]."""
    rows, columns = heights.shape
    shift_rows = classic.grid(rows, columns, parameters.frequency, 0.0, domain.seed)
    progress.report(Perturb.key, 0.3)
    shift_columns = classic.grid(rows, columns, parameters.frequency, 1.0, domain.seed)
    progress.report(Perturb.key, 0.6)
    displaced: Heights = _displace(heights, shift_rows, shift_columns, np.float32(parameters.distance))
    return displaced


STEP = Step(Perturb, run, active=lambda parameters: parameters.distance > 0)
