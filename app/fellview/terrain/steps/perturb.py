"""Displaces the ground sideways: as the DirectX demo does, or smoothly.

The demo's: every cell takes its height from a cell that noise points to.

    u = r + trunc(N(F·r/R, F·c/C, 0)·D),  v = c + trunc(N(F·r/R, F·c/C, 1)·D),  h'[r, c] = h[u, v]

u and v are clamped into the grid. N is the classic noise with the scene's seed; D is in cells.

The smooth one is a domain warp: the land is read at p + d(p), with d a pair of random fields (`fractal_field.py`) in
shares of the land, so that it is the same land on every grid. Heights between cells are bicubic (Catmull-Rom). Towards
the border d shrinks, so that no point is read from outside:

    d' = d / √(1 + (d/s)²),   s = half the way to the border that d points at

Ground along the border is thus drawn out twice at most across it, where clamping would smear it into streaks and
mirroring would fold it. Limits: reach times frequency above about 1 folds the land over itself.

References: K. Perlin, "An image synthesizer", SIGGRAPH 1985, doi:10.1145/325165.325247; E. Catmull, R. Rom, "A class of
local interpolating splines" (1974), doi:10.1016/B978-0-12-079050-0.50020-5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, switch, whole
from fellview.noise import classic
from fellview.noise.classic import axis, row
from fellview.noise.tables import PERMUTATION_2002
from fellview.terrain.domain import Domain
from fellview.terrain.fractal_field import FractalField, seed_of
from fellview.terrain.progress import Progress
from fellview.terrain.resample import cubic
from fellview.terrain.step import Step

_CELLS_A_BLOCK = 1 << 20  # about 5 ms of work between two looks at the cancel flag
_ALONG_Z, _ALONG_X = 0x5A, 0x58  # purposes of the two fields
_DEMO, _SMOOTH = {"mode": ("demo",)}, {"mode": ("smooth",)}


@dataclass(frozen=True)
class Perturb(Group):
    """How far and how finely the ground is torn or bent sideways."""

    key: ClassVar[str] = "perturb"
    title: ClassVar[str] = "Perturb"

    enabled: bool = switch(True, tip="Tears or bends the ground sideways; off leaves it as the noise made it.")
    mode: str = choice(
        "demo",
        ("demo", "smooth"),
        tip="Demo tears the ground cell by cell, smooth bends it like cloth and looks the same at every grid size.",
    )
    distance: float = real(
        32.0,
        0.0,
        8192.0,
        slider=(0, 64),
        unit="cells",
        tip="Low keeps hills round, high tears them into ragged ground.",
        only=_DEMO,
    )
    frequency: float = real(
        32.0,
        0.01,
        4096.0,
        slider=(1, 64),
        unit="cycles",
        scale="log",
        tip="Low bends whole hills, high frays their edges.",
        only=_DEMO,
    )
    reach: float = real(
        5.0,
        0.0,
        100.0,
        slider=(0, 25),
        unit="% of the land",
        useful=(0, 12),
        tip="The farthest that ground moves. Low leaves hills round, high winds and folds them.",
        only=_SMOOTH,
    )
    bend_frequency: float = real(
        3.0,
        0.01,
        4096.0,
        slider=(1, 64),
        unit="cycles",
        scale="log",
        label="Frequency",
        useful=(1, 8),
        tip="Low sweeps whole ranges along, high crumples slopes.",
        only=_SMOOTH,
    )
    octaves: int = whole(
        4,
        1,
        12,
        slider=(1, 8),
        useful=(2, 5),
        tip="Layers of ever finer bends. One winds gently, many fray every edge.",
        only=_SMOOTH,
    )
    gain: float = real(
        0.4,
        0.0,
        1.0,
        unit="×",
        useful=(0.2, 0.6),
        tip="How strong each finer layer is. Low is flowing, high is tattered.",
        only=_SMOOTH,
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


@kernel(inline="always")
def _held(shift, at, side):
    """Return `shift` cells, shortened so that a point at cell `at` of `side` goes half way to the border at most."""
    half_way = np.float32(0.5) * np.float32(side - 1 - at if shift > 0 else at)
    length = np.sqrt(half_way * half_way + shift * shift)
    return shift * (half_way / length) if length > 0 else np.float32(0)


@kernel(parallel=True)
def _bend(heights, shift_z, shift_x, bent, cancel):
    """Fill `bent` with `heights` read at each cell plus its shifts, in cells, bicubically."""
    rows, columns = heights.shape
    for r in prange(rows):
        if cancel[0]:
            continue
        for c in range(columns):
            v = _held(shift_z[r, c], r, rows)
            u = _held(shift_x[r, c], c, columns)
            i, k = np.floor(v), np.floor(u)
            along, across = cubic(v - i), cubic(u - k)
            first_row, first_column = r + int(i) - 1, c + int(k) - 1
            n0 = min(max(first_column, 0), columns - 1)
            n1 = min(max(first_column + 1, 0), columns - 1)
            n2 = min(max(first_column + 2, 0), columns - 1)
            n3 = min(max(first_column + 3, 0), columns - 1)
            total = np.float32(0)
            for tap in range(4):
                line = heights[min(max(first_row + tap, 0), rows - 1)]
                total += along[tap] * (
                    (across[0] * line[n0] + across[1] * line[n1]) + (across[2] * line[n2] + across[3] * line[n3])
                )
            bent[r, c] = total


def fields(parameters: Perturb, seed: int) -> tuple[FractalField, FractalField]:
    """Return the fields of the smooth displacement along z and x, in parts of the reach."""
    z, x = (
        FractalField(parameters.bend_frequency, parameters.octaves, parameters.gain, seed_of(seed, purpose))
        for purpose in (_ALONG_Z, _ALONG_X)
    )
    return z, x


def _smooth(parameters: Perturb, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    rows, columns = heights.shape
    share = parameters.reach / 100
    along_z, along_x = fields(parameters, domain.seed)
    shift_z = along_z.drawn(rows, columns, share * rows, progress.cancel)
    progress.report(Perturb.key, 0.4)  # about what the first of two fields takes
    shift_x = along_x.drawn(rows, columns, share * columns, progress.cancel)
    progress.report(Perturb.key, 0.8)
    bent = np.empty_like(heights)
    _bend(read_only(heights), shift_z, shift_x, bent, progress.cancel)
    return bent


def run(parameters: Perturb, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the displaced heights, float32 [row, column]."""
    if parameters.mode == "smooth":
        return _smooth(parameters, domain, heights, progress)
    displaced: Heights = _displace(
        read_only(heights),
        np.float32(parameters.frequency),
        np.float32(parameters.distance),
        classic.gradients(domain.seed),
        PERMUTATION_2002,
        progress.cancel,
    )
    return displaced


def active(parameters: Perturb) -> bool:
    """Return whether any ground moves."""
    return parameters.enabled and (parameters.reach if parameters.mode == "smooth" else parameters.distance) > 0


STEP = Step(
    Perturb,
    run,
    active,
    scratch_bytes=lambda parameters: 8 if parameters.mode == "smooth" else 0,  # the two shifts
    in_cells=lambda parameters: parameters.mode == "demo",
)
