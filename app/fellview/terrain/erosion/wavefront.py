"""A layout of the heights in which a sweep in place and in raster order is vector code, with the serial result.

The DirectX demo's erosion and smoothing visit the interior cells row by row, and each visit reads and writes the 3×3
block about its cell. Two visits whose blocks are apart may change places. Visited in the order of

    t = 3r + c

all pairs with overlapping blocks keep their places (|Δr| ≤ 2 and |Δc| ≤ 2: of two such cells the one that comes later
in raster order has the larger t), and cells of equal t have blocks that are apart: the next one lies a row down and
three columns back. So all cells of one t may be visited at once.

They are stored side by side, in the order of q = c div 3, and after them those of t + 1: cell (r, c) lies at
`start[3r + c] + c // 3` of a flat array as long as the field. The eight neighbours of a run of cells are then runs too,
those of t − 4, −3, −2, −1, +1, +2, +3, +4 in scan order.

Rejected: vectors along rows (a cell needs the result of the one before it) and several rows at once, each three columns
behind the one above, which keeps the arrays as they are but leaves the compiler with scalar code.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange

Starts = NDArray[np.int64]

REACH = 4
"""A visit at t reads and writes cells from t − 4 to t + 4."""

_CELLS_A_BLOCK = 1 << 20  # 2 to 10 ms of copying between two looks at the cancel flag


def starts(rows: int, columns: int) -> Starts:
    """Return `start` for a field of at least 3×3 cells, int64 (3·rows + columns − 3,)."""
    t = np.arange(3 * rows + columns - 3)
    lowest_q = np.maximum(0, t // 3 - rows + 1)
    highest_q = np.minimum(t // 3, (columns - 1 - t % 3) // 3)
    ends = np.cumsum(highest_q - lowest_q + 1)
    return np.concatenate([[0], ends[:-1]]) - lowest_q


@kernel()
def _extent(rows, columns, t):
    """Return the first q of `t`, and one past the last."""
    return max(0, t // 3 - rows + 1), min(t // 3, (columns - 1 - t % 3) // 3) + 1


@kernel(parallel=True)
def skew(heights, start, flat, cancel):
    """Copy `heights` into the layout, `flat`; may stop early on `cancel`."""
    rows, columns = heights.shape
    block = max(1, _CELLS_A_BLOCK * start.size // heights.size)
    for first in range(0, start.size, block):
        if cancel[0]:
            return
        for t in prange(first, min(first + block, start.size)):
            low, high = _extent(rows, columns, t)
            for q in range(low, high):
                flat[start[t] + q] = heights[t // 3 - q, 3 * q + t % 3]


@kernel(parallel=True)
def unskew(flat, start, heights, cancel):
    """Copy `flat` out of the layout into `heights`; may stop early on `cancel`."""
    rows, columns = heights.shape
    block = max(1, _CELLS_A_BLOCK * start.size // heights.size)
    for first in range(0, start.size, block):
        if cancel[0]:
            return
        for t in prange(first, min(first + block, start.size)):
            low, high = _extent(rows, columns, t)
            for q in range(low, high):
                heights[t // 3 - q, 3 * q + t % 3] = flat[start[t] + q]


@kernel()
def block_runs(rows, columns, start, t):
    """Return the number of interior cells of `t` and where the runs of their blocks begin, nine places in scan order.

    Everything is unsigned: numba gives a signed index a branch for counting from the end, which keeps loops scalar.
    """
    a, b = t // 3, t % 3
    first = max(a - rows + 2, 1 if b == 0 else 0)
    count = min(a - 1, (columns - 2 - b) // 3) + 1 - first
    west, middle, east = first - (b == 0), first, first + (b == 2)
    return np.uint64(max(0, count)), (
        np.uint64(start[t - 4] + west),
        np.uint64(start[t - 3] + middle),
        np.uint64(start[t - 2] + east),
        np.uint64(start[t - 1] + west),
        np.uint64(start[t] + middle),
        np.uint64(start[t + 1] + east),
        np.uint64(start[t + 2] + west),
        np.uint64(start[t + 3] + middle),
        np.uint64(start[t + 4] + east),
    )
