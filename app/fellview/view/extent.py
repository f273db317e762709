"""What the camera must know of a height field at once: its box, and how near the ground can be."""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights, blocks

Vector = NDArray[np.float64]


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

    def top_near(self, x: float, z: float) -> float:
        """Return the highest ground in the block at (x, z), or in the nearest one; in metres."""
        row = np.clip(np.searchsorted(self.block_edges_z, z, "right") - 1, 0, self.block_tops.shape[0] - 1)
        column = np.clip(np.searchsorted(self.block_edges_x, x, "right") - 1, 0, self.block_tops.shape[1] - 1)
        return float(self.block_tops[row, column])

    def distance_at_least(self, point: Vector) -> float:
        """Return a distance in metres within which no ground lies about `point` (x, y, z); 0 where unsure."""
        x, y, z = point
        aside = _outside(x, self.block_edges_x)[np.newaxis, :]
        along = _outside(z, self.block_edges_z)[:, np.newaxis]
        above = np.maximum(y - self.block_tops, 0)
        return float(np.sqrt(np.min(aside**2 + along**2 + above**2)))


def _outside(coordinate: float, edges: Vector) -> Vector:
    return np.maximum(np.maximum(edges[:-1] - coordinate, coordinate - edges[1:]), 0)


_latest: tuple[weakref.ref[HeightField], Extent] | None = None


def extent(field: HeightField) -> Extent:
    """Return the extent of `field`.

    The latest answer is kept: reading 2048² heights takes milliseconds, and every frame asks. It is found again by the
    field's identity, which holds because heights are never written after they are made.
    """
    global _latest
    if _latest is not None and _latest[0]() is field:
        return _latest[1]
    measured = _measured(field)
    _latest = (weakref.ref(field), measured)
    return measured


def _measured(field: HeightField) -> Extent:
    (starts_z, ends_z), (starts_x, ends_x) = blocks(field.rows), blocks(field.columns)
    edges_z = np.array([*starts_z, ends_z[-1]]) * field.cell_size[0]
    edges_x = np.array([*starts_x, ends_x[-1]]) * field.cell_size[1]
    lowest, highest = field.height_range
    low, high = np.array([0.0, lowest, 0.0]), np.array([edges_x[-1], highest, edges_z[-1]])
    return Extent(low, high, field.block_tops, edges_z, edges_x)
