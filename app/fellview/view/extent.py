"""What the camera must know of a height field at once: its box, and how near the ground can be."""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights

Vector = NDArray[np.float64]

_BLOCKS = 64  # a side; 64² boxes are measured in under 0.1 ms, and 2048² cells make blocks of 32


@dataclass(frozen=True)
class Extent:
    """The bounding box of the land in metres, and the highest point of each block of cells.

    `low` and `high` are the box's corners (x, y, z). `block_tops` is float32 [block row, block column]; a block reaches
    from one entry of `block_edges_z` or `block_edges_x` to the next, in metres.
    """

    low: Vector
    high: Vector
    block_tops: Heights
    block_edges_z: Vector
    block_edges_x: Vector

    @property
    def centre(self) -> Vector:
        """The middle of the box (x, y, z)."""
        return (self.low + self.high) / 2

    @property
    def width(self) -> float:
        """The larger horizontal side in metres; the measure of speeds and clearances."""
        return float(max(self.high[0] - self.low[0], self.high[2] - self.low[2]))

    def distance_at_least(self, point: Vector) -> float:
        """Return a distance in metres within which no ground lies about `point` (x, y, z); 0 where unsure."""
        x, y, z = point
        aside = _outside(x, self.block_edges_x)[np.newaxis, :]
        along = _outside(z, self.block_edges_z)[:, np.newaxis]
        above = np.maximum(y - self.block_tops, 0)
        return float(np.sqrt(np.min(aside**2 + along**2 + above**2)))


def _outside(coordinate: float, edges: Vector) -> Vector:
    return np.maximum(np.maximum(edges[:-1] - coordinate, coordinate - edges[1:]), 0)


_latest: tuple[weakref.ref[Heights], tuple[float, float], Extent] | None = None


def extent(field: HeightField) -> Extent:
    """Return the extent of `field`.

    The latest answer is kept: reading 2048² heights takes milliseconds, and every frame asks. It is found again by the
    array's identity, which holds because heights are never written after they are made.
    """
    global _latest
    if _latest is not None and _latest[0]() is field.heights and _latest[1] == field.cell_size:
        return _latest[2]
    measured = _measured(field)
    _latest = (weakref.ref(field.heights), field.cell_size, measured)
    return measured


def _measured(field: HeightField) -> Extent:
    heights = field.heights
    (starts_z, ends_z), (starts_x, ends_x) = _blocks(field.rows), _blocks(field.columns)
    edges_z = np.array([*starts_z, ends_z[-1]]) * field.cell_size[0]
    edges_x = np.array([*starts_x, ends_x[-1]]) * field.cell_size[1]
    # neighbouring blocks share the vertices on their border, so each takes one vertex more than it has cells. Row by
    # row of blocks this reads memory in order: `np.maximum.reduceat` over the whole array took twenty times as long
    strips = np.stack([heights[s : e + 1].max(axis=0) for s, e in zip(starts_z, ends_z, strict=True)])
    tops = np.stack([strips[:, s : e + 1].max(axis=1) for s, e in zip(starts_x, ends_x, strict=True)], axis=1)
    low = np.array([0.0, heights.min(), 0.0])
    high = np.array([edges_x[-1], tops.max(), edges_z[-1]])
    return Extent(low, high, tops, edges_z, edges_x)


def _blocks(vertices: int) -> tuple[list[int], list[int]]:
    """Return the first and the last vertex of each block along a side of so many vertices."""
    last = vertices - 1
    step = max(-(-last // _BLOCKS), 1)
    starts = list(range(0, max(last, 1), step))
    return starts, [*starts[1:], last]
