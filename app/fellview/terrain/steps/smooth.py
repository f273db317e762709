"""Smooths the ground at the end: by the DirectX demo's sweeps, or by a radius.

The demo's: each interior cell becomes the mean of its 3×3 block, in place and in raster order. The sweep runs over the
skewed layout of `wavefront.py`, all cells of one t = 3r + c at once. On one thread: a sweep takes little longer than
handing it to two would.

By radius: a Gaussian of standard deviation σ, in metres the same along z and x and on every grid. Along each axis it is
a chain of five-tap blurs whose taps lie 1, 2, 4, … cells apart, so that time grows with the logarithm of σ only:

    b(v) = ¼·[v, 4 − 2v, v] ∗ ¼·[v, 4 − 2v, v] = [v²/16, v/2 − v²/4, 1 − v + 3v²/8, v/2 − v²/4, v²/16]

It has variance v; with taps 2ʲ apart, 4ʲ·v. All but the last have v = 1, the binomial (1, 4, 6, 4, 1)/16, which
removes just what the next one's wider taps cannot see; the last one's v makes the variance σ² exactly. The kernel is a
little flatter than the Gaussian (excess kurtosis −0.3). The land is mirrored at its border, so that its mean stays.

Reference: P. J. Burt, "Fast filter transforms for image processing", Computer Graphics and Image Processing 16 (1981),
doi:10.1016/0146-664X(81)90092-7.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, switch, whole
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import wavefront
from fellview.terrain.erosion.wavefront import REACH, block_runs
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step


@dataclass(frozen=True)
class Smooth(Group):
    """How much the ground is smoothed at the end."""

    key: ClassVar[str] = "smooth"
    title: ClassVar[str] = "Smoothing"

    enabled: bool = switch(True, tip="Rounds the finished ground; off leaves every edge.")
    mode: str = choice(
        "demo",
        ("demo", "radius"),
        tip="Demo sweeps over neighbouring cells, radius rounds by a length that is the same at every grid size.",
    )
    iterations: int = whole(
        1,
        0,
        1000,
        slider=(0, 10),
        unit="sweeps",
        label="Sweeps",
        tip="Low keeps every edge, high melts small detail.",
        only={"mode": ("demo",)},
    )
    radius: float = real(
        0.5,
        0.0,
        25.0,
        slider=(0, 5),
        unit="% of the land",
        tip="Low takes the grain off, high leaves only broad swells.",
        only={"mode": ("radius",)},
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


def _sweeps(parameters: Smooth, heights: Heights, progress: Progress) -> Heights:
    rows, columns = heights.shape
    if rows < 3 or columns < 3:
        return heights.copy()  # no interior
    start = wavefront.starts(rows, columns)
    flat = np.empty(heights.size, np.float32)
    wavefront.skew(read_only(heights), start, flat, progress.cancel)
    for sweep in range(parameters.iterations):
        _sweep(flat, rows, columns, start, progress.cancel)
        progress.report(Smooth.key, (sweep + 1) / parameters.iterations)
    smoothed = np.empty_like(heights)
    wavefront.unskew(flat, start, smoothed, progress.cancel)
    return smoothed


@kernel(inline="always")
def _mirrored(i, side):
    """Return the cell that stands for cell `i` of `side` cells, which are mirrored at both ends."""
    i = i % (2 * side)
    return i if i < side else 2 * side - 1 - i


@kernel(parallel=True)
def _blur_along_z(heights, apart, w0, w1, w2, out, cancel):
    rows, columns = heights.shape
    for r in prange(rows):
        if cancel[0]:
            continue
        far, near = heights[_mirrored(r - 2 * apart, rows)], heights[_mirrored(r - apart, rows)]
        here = heights[r]
        next_, last = heights[_mirrored(r + apart, rows)], heights[_mirrored(r + 2 * apart, rows)]
        for c in range(columns):
            out[r, c] = w0 * here[c] + (w1 * (near[c] + next_[c]) + w2 * (far[c] + last[c]))


@kernel(parallel=True)
def _blur_along_x(heights, apart, w0, w1, w2, out, cancel):
    rows, columns = heights.shape
    for r in prange(rows):
        if cancel[0]:
            continue
        line, result = heights[r], out[r]
        inner = max(columns - 2 * apart, 0)
        for c in range(min(2 * apart, columns)):
            near, next_ = line[_mirrored(c - apart, columns)], line[_mirrored(c + apart, columns)]
            far, last = line[_mirrored(c - 2 * apart, columns)], line[_mirrored(c + 2 * apart, columns)]
            result[c] = w0 * line[c] + (w1 * (near + next_) + w2 * (far + last))
        for c in range(2 * apart, inner):
            near, next_, far, last = line[c - apart], line[c + apart], line[c - 2 * apart], line[c + 2 * apart]
            result[c] = w0 * line[c] + (w1 * (near + next_) + w2 * (far + last))
        for c in range(max(inner, min(2 * apart, columns)), columns):
            near, next_ = line[_mirrored(c - apart, columns)], line[_mirrored(c + apart, columns)]
            far, last = line[_mirrored(c - 2 * apart, columns)], line[_mirrored(c + 2 * apart, columns)]
            result[c] = w0 * line[c] + (w1 * (near + next_) + w2 * (far + last))


@dataclass(frozen=True)
class Blur:
    """One five-tap blur along z or x: its taps lie `apart` cells from each other; weights from the middle outwards."""

    along_z: bool
    apart: int
    weights: tuple[float, float, float]


def blurs(radius: float, domain: Domain, rows: int, columns: int) -> list[Blur]:
    """Return the chain of blurs whose variance along each axis is the square of `radius` percent of the land."""
    deviation_m = radius / 100 * math.sqrt(domain.grid.size_x * domain.grid.size_z)
    found = []
    for along_z, side, length_m in ((True, rows, domain.grid.size_z), (False, columns, domain.grid.size_x)):
        # twice the mirrored land leaves e^(−2π²) of any difference: the mean, to float32's last bits
        left = min(deviation_m * side / length_m, 2.0 * side) ** 2
        apart = 1
        while left > 0:
            v = min(left / apart**2, 1.0)
            found.append(Blur(along_z, apart, (1 - v + 3 * v * v / 8, v / 2 - v * v / 4, v * v / 16)))
            left, apart = left - v * apart**2, 2 * apart
    return found


def _by_radius(parameters: Smooth, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    before, after, spare = heights, np.empty_like(heights), np.empty_like(heights)
    chain = blurs(parameters.radius, domain, *heights.shape)
    for done, blur in enumerate(chain, start=1):
        kernel_ = _blur_along_z if blur.along_z else _blur_along_x
        kernel_(read_only(before), blur.apart, *(np.float32(weight) for weight in blur.weights), after, progress.cancel)
        before, after = after, spare if done == 1 else before
        progress.report(Smooth.key, done / len(chain))
    return before


def run(parameters: Smooth, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the smoothed heights, float32 [row, column]."""
    if parameters.mode == "radius":
        return _by_radius(parameters, domain, heights, progress)
    return _sweeps(parameters, heights, progress)


def active(parameters: Smooth) -> bool:
    """Return whether anything is smoothed."""
    return parameters.enabled and (parameters.radius if parameters.mode == "radius" else parameters.iterations) > 0


STEP = Step(
    Smooth,
    run,
    active,
    scratch_bytes=lambda parameters: 4,  # the skewed layout, or the other of two fields
    in_cells=lambda parameters: parameters.mode == "demo",
)
