"""The DirectX demo's erosion: each cell slides half its steepest drop to that neighbour, in place.

In raster order over the interior, for each cell the largest drop d = h[r, c] − h[neighbour] among the eight neighbours
(the first in scan order wins a tie); where 0 < d ≤ threshold, d/2 moves to that neighbour. A higher threshold
therefore moves more: it is not a talus angle. In place and in raster order by definition, so it runs on the CPU only.

A sweep runs over the skewed layout of `wavefront.py`, all cells of one t = 3r + c at once. Sweeps are pipelined over
threads: sweep k follows sweep k − 1 eight places of t behind, since each reaches four to either side, and so gives the
serial result. In u = t + 8k that means that sweep k may visit all up to some u once sweep k − 1 has. Bands of u are
therefore cut alike for all sweeps, the sweeps are cut into one group a thread, and group g works on band b while group
g + 1 works on band b − 1.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import real, whole
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import wavefront
from fellview.terrain.erosion.kind import Kind, Parameters
from fellview.terrain.erosion.wavefront import REACH, block_runs
from fellview.terrain.progress import Progress

_LAG = 2 * REACH  # in t, between a sweep and the next
_CELLS_A_BAND = 1 << 15  # 128 KiB, so that a group finds its band in the core's own cache; fewer cost too many barriers
_COST_A_CALL = 1 << 23  # in cells, of 2 to 4 ns each: some 20 ms between two reports
_COST_A_RUN = 100  # in cells, what a run of cells costs beside its cells


@dataclass(frozen=True)
class Demo(Parameters):
    """What only the DirectX demo's erosion has."""

    iterations: int = whole(
        10,
        0,
        10_000,
        slider=(0, 100),
        unit="sweeps",
        useful=(0, 60),
        tip="Low leaves it rough, high lets slopes settle into smooth sheets.",
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
    )


@kernel()
def _begin(flat, heights, drops, count, centre):
    """Note the old heights of the `count` cells that begin at `centre`, and no drop yet."""
    for i in range(count):
        heights[i] = flat[centre + i]
        drops[i] = np.float32(0)


@kernel()
def _compare(flat, heights, drops, count, n0, n1, n2, n3):
    """Raise `drops` to the largest of themselves and the drops to four neighbours."""
    for i in range(count):
        height = heights[i]
        drop = drops[i]
        drop = max(drop, height - flat[n0 + i])
        drop = max(drop, height - flat[n1 + i])
        drop = max(drop, height - flat[n2 + i])
        drop = max(drop, height - flat[n3 + i])
        drops[i] = drop


@kernel()
def _take(flat, heights, drops, count, centre, threshold):
    """Lower the cells that slide; a drop that does not slide becomes NaN, which equals nothing."""
    for i in range(count):
        drop = drops[i]
        slides = (drop > np.float32(0)) & (drop <= threshold)
        drops[i] = drop if slides else np.float32(np.nan)
        taken = np.float32(0.5) * drop
        flat[centre + i] = heights[i] - (taken if slides else np.float32(0))


@kernel()
def _give(flat, heights, drops, count, neighbour):
    """Raise the neighbours that a drop leads to; such a drop becomes NaN, so that it is given once.

    Differences are compared, not heights: two neighbours of unlike height can have the same drop once it is rounded.
    """
    for i in range(count):
        drop = drops[i]
        height = flat[neighbour + i]
        hit = heights[i] - height == drop
        given = np.float32(0.5) * drop
        flat[neighbour + i] = height + (given if hit else np.float32(-0.0))  # adding −0 changes nothing, not even −0
        drops[i] = np.float32(np.nan) if hit else drop


@kernel()
def _sweep(flat, rows, columns, start, first, last, threshold):
    """Visit the cells of t from `first` to `last` − 1 once.

    Short loops over few arrays: the compiler makes vector code only where few pairs of arrays might overlap.
    """
    longest = min(rows, columns // 3 + 1)
    heights = np.empty(longest, np.float32)
    drops = np.empty(longest, np.float32)
    for t in range(max(first, REACH), min(last, start.size - REACH)):
        count, (n0, n1, n2, n3, centre, n4, n5, n6, n7) = block_runs(rows, columns, start, t)
        _begin(flat, heights, drops, count, centre)
        _compare(flat, heights, drops, count, n0, n1, n2, n3)
        _compare(flat, heights, drops, count, n4, n5, n6, n7)
        _take(flat, heights, drops, count, centre, threshold)
        for neighbour in (n0, n1, n2, n3, n4, n5, n6, n7):  # the first in scan order wins a tie
            _give(flat, heights, drops, count, neighbour)


@kernel(parallel=True)
def _sweeps(flat, rows, columns, start, sweeps, threshold, groups, band, cancel):
    """Run `sweeps` sweeps over the skewed heights `flat`; may stop early on `cancel`."""
    each = (sweeps + groups - 1) // groups
    bands = (start.size + _LAG * (sweeps - 1) + band - 1) // band
    for step in range(bands + groups - 1):
        if cancel[0]:
            return
        for group in prange(max(0, step - bands + 1), min(step, groups - 1) + 1):
            for sweep in range(group * each, min(sweeps, (group + 1) * each)):
                first = (step - group) * band - _LAG * sweep
                _sweep(flat, rows, columns, start, first, first + band, threshold)


def run(
    parameters: Demo,
    domain: Domain,
    heights: Heights,
    progress: Progress,
    cells_a_band: int = _CELLS_A_BAND,
    cost_a_call: int = _COST_A_CALL,
) -> Heights:
    """Return the heights after all sweeps, float32 [row, column]; mass is kept to rounding.

    How the work is shared out, in bands of so many cells and calls of so much cost, changes no height.
    """
    rows, columns = heights.shape
    if rows < 3 or columns < 3:
        return heights.copy()  # no interior
    start = wavefront.starts(rows, columns)
    flat = np.empty(heights.size, np.float32)
    wavefront.skew(read_only(heights), start, flat, progress.cancel)
    threads = os.cpu_count() or 1
    band = max(1, cells_a_band * start.size // heights.size)
    most = max(4 * threads, cost_a_call // (heights.size + _COST_A_RUN * start.size))
    left = parameters.iterations
    while left:
        sweeps = min(left, most)
        groups = min(threads, sweeps)
        _sweeps(flat, rows, columns, start, sweeps, np.float32(parameters.threshold), groups, band, progress.cancel)
        left -= sweeps
        reached = parameters.iterations - left
        progress.report(parameters.key, reached / parameters.iterations, reached, parameters.iterations)
        if left and progress.ends_with(reached):
            break
        if left and progress.wants_picture:
            progress.show(_unskewed(flat, start, heights, progress))
    return _unskewed(flat, start, heights, progress)


def _unskewed(flat: Heights, start: NDArray[np.int64], like: Heights, progress: Progress) -> Heights:
    heights = np.empty_like(like)
    wavefront.unskew(flat, start, heights, progress.cancel)
    return heights


KIND = Kind(
    name="demo",
    how="as in the DirectX demo",
    parameters=Demo,
    run=run,
    active=lambda parameters: parameters.iterations > 0 and parameters.threshold > 0,
    main=("iterations",),
    ends_after="iterations",
    in_cells=True,
    bench_runs={512: 9},
)
