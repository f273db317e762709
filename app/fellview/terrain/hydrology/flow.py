"""Where water runs on finished heights: the filled surface, and the area that drains through every cell.

Water leaves over the edge of the land, or into sinks where there are some. What `drainage.py` says of arrays and
directions holds here; there is no jitter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.core.height_field import Heights
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.drainage import LANES, ROOT, offset

Flags = NDArray[np.uint8]

NO_SINKS: NDArray[np.int32] = np.empty(0, np.int32)
_TOLD_APART = 4e-7  # of the largest height: the least slope that float32 still tells from none, rounded up from 2^-22


@dataclass(frozen=True)
class Flow:
    """Each cell's way to an outlet, flat and padded: `directions` uint8 and `area` int32 in cells, itself included.

    `order` (cells,) holds every cell after the one that it drains into. `level`, float32, is the ground with every
    hollow filled to its lowest pass: the least surface over the ground from which no cell needs to climb. Where two
    passes are the lowest to within rounding, parts of a lake may stand by either.
    """

    directions: Flags
    area: NDArray[np.int32]
    order: NDArray[np.int32]
    level: NDArray[np.float32]


class _Ground:
    """The arrays of one search."""

    def __init__(self, heights: Heights, cell_size: tuple[float, float], sinks: NDArray[np.int32], cancel: Flags):
        self.rows, self.columns = rows, columns = heights.shape
        z, x = cell_size
        self.ways = tuple(np.float32(way) for way in (z, x, math.hypot(z, x)))
        self.inverse = tuple(np.float32(1 / way) for way in (z, x, math.hypot(z, x)))
        self.flat = drainage.padded(heights, np.inf)
        self.bits = np.zeros(self.flat.size, np.uint32)
        self.directions = np.full(self.flat.size, ROOT + 1, np.uint8)
        self.cancel = cancel
        edge = drainage.border(rows, columns)
        ring = ((edge[:, 0] + 1) * (columns + 2) + edge[:, 1] + 1).astype(np.int32)
        self.roots = np.concatenate([ring, np.setdiff1d(sinks, ring).astype(np.int32)])
        self.orders, self.parents = np.empty((2, LANES, rows * columns), np.int32)
        self.counts = np.zeros(LANES, np.int64)
        drainage.find_receivers(
            self.flat, rows, columns, self.bits, self.inverse, np.float32(0), self.directions, cancel
        )
        self.directions[self.roots] = ROOT

    def climb(self) -> bool:
        """Order the cells that reach a root; return whether all do."""
        donors = np.zeros(self.flat.size, np.uint8)
        lane_starts = np.linspace(0, len(self.roots), LANES + 1).astype(np.int64)
        drainage.find_donors(self.directions, self.rows, self.columns, donors)
        drainage.climb(
            self.roots, lane_starts, donors, self.columns, self.orders, self.parents, self.counts, self.cancel
        )
        return bool(self.counts.sum() == self.rows * self.columns)

    def flood(self, least: np.float32) -> None:
        """Give `directions` ways over the lakes, whose water has a slope of about `least`."""
        settled: Any = drainage.padded(np.zeros((self.rows, self.columns), np.uint8), 2)
        drainage.mark(self.orders, self.counts, settled)
        level = self.flat.copy()
        drainage.flood(
            *(self.flat, level, self.directions, settled, self.bits, self.rows, self.columns),
            *(self.inverse, self.ways, np.float32(0), least, self.cancel),
        )


@kernel()
def _fill(order, directions, heights, columns, level):
    """Raise `level`, a copy of the padded `heights`, to the highest ground on each cell's way to its outlet."""
    stride = columns + 2
    for i in order:
        if directions[i] < ROOT:
            level[i] = max(heights[i], level[i + offset(np.int64(directions[i]), stride)])


def flow(
    heights: Heights, cell_size: tuple[float, float], cancel: Flags, sinks: NDArray[np.int32] = NO_SINKS
) -> Flow | None:
    """Return each cell's way downhill, its drainage area and the filled ground; None where `cancel` is set meanwhile.

    Hollows fill and spill over their lowest pass, but for those that hold one of the `sinks`, flat padded indices.
    """
    ground = _Ground(heights, cell_size, sinks, cancel)
    if cancel[0]:
        return None
    if not ground.climb():
        if cancel[0]:
            return None
        # over the shorter side of a cell, so that a lake's surface always falls by more than rounding
        least = _TOLD_APART * max(float(np.abs(heights).max()), 1e-30) / min(cell_size)
        ground.flood(np.float32(least))
        if cancel[0]:
            return None
        ground.climb()
    area = np.zeros(ground.flat.size, np.int32)
    drainage.sum_up(ground.orders, ground.parents, ground.counts, area, np.empty(0, np.float32), False, cancel)
    order = np.concatenate([lane[:count] for lane, count in zip(ground.orders, ground.counts, strict=True)])
    level = ground.flat.copy()
    _fill(order, ground.directions, ground.flat, ground.columns, level)
    return None if cancel[0] else Flow(ground.directions, area, order, level)
