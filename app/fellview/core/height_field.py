"""The height field: what every step makes and every picture, mesh and export is made of."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Heights = NDArray[np.float32]

MOST_BLOCKS = 64
"""Blocks a side: 64² boxes are measured in under 0.1 ms, and 2048² cells make blocks of 32."""


def blocks(vertices: int) -> tuple[list[int], list[int]]:
    """Return the first and the last vertex of each block along a side of so many vertices.

    Neighbouring blocks share the vertex on their border.
    """
    last = vertices - 1
    starts = list(range(0, max(last, 1), _cells(vertices)))
    return starts, [*starts[1:], last]


def _cells(vertices: int) -> int:
    """Return how many cells a block has along a side of so many vertices."""
    return max(-(-(vertices - 1) // MOST_BLOCKS), 1)


def over_blocks(heights: Heights, cells: tuple[int, int], reduce: np.ufunc) -> Heights:
    """Return `reduce` of the heights at the vertices of each block of so many `cells` (z, x), those of its sides too.

    The last block of a side may be smaller.
    """
    for step in cells:
        found = heights[: max(len(heights) - 1, 1) : step].copy()
        for line in range(1, step + 1):  # whole lines at once: many times as quick as reduce.reduceat
            others = heights[line::step]
            reduce(found[: len(others)], others, out=found[: len(others)])
        heights = np.ascontiguousarray(found.T)
    return heights


@dataclasses.dataclass(frozen=True)
class HeightField:
    """Heights in metres over a regular grid.

    `heights` is float32 [row, column], read-only; rows run along z, columns along x. `cell_size` is (z, x) in metres.
    `masks` are float32 arrays of the same shape by name.
    """

    heights: Heights
    cell_size: tuple[float, float]
    masks: Mapping[str, Heights] = dataclasses.field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of cells along z."""
        return self.heights.shape[0]

    @property
    def columns(self) -> int:
        """Number of cells along x."""
        return self.heights.shape[1]

    @property
    def size(self) -> tuple[float, float]:
        """Extent of the domain (z, x) in metres."""
        return self.rows * self.cell_size[0], self.columns * self.cell_size[1]

    def has_heights_of(self, other: HeightField) -> bool:
        """Return whether `other` has the very same heights, whatever its masks."""
        return type(other) is type(self) and other.heights is self.heights

    @property
    def masks_there(self) -> bool:
        """Return whether asking for `masks` computes nothing but those."""
        return True

    def with_masks(self, masks: Mapping[str, Heights]) -> HeightField:
        """Return the same heights with other masks."""
        return dataclasses.replace(self, masks=masks)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Heights:
        """Return the heights in metres of the vertices [rows, columns], two arrays of one shape."""
        return self.heights[rows, columns]

    @functools.cached_property
    def border(self) -> Heights:
        """Heights in metres of the first and last row, then of the first and last column, float32 (n,)."""
        return np.concatenate([self.heights[0], self.heights[-1], self.heights[:, 0], self.heights[:, -1]])

    @functools.cached_property
    def height_range(self) -> tuple[float, float]:
        """Lowest and highest height in metres."""
        return float(self.heights.min()), float(self.heights.max())

    @functools.cached_property
    def block_tops(self) -> Heights:
        """Highest vertex of each block (see `blocks`) in metres, float32 [block row, block column]."""
        return over_blocks(self.heights, (_cells(self.rows), _cells(self.columns)), np.maximum)
