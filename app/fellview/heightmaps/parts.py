"""A height map that is taken in a block of rows at a time, so that no more of it is in memory than is kept.

One of more cells than are kept comes out coarser: the mean of n × n cells is the height of the one in their place, as
they cover its ground.
"""

from __future__ import annotations

import math
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.core.height_field import Heights

BLOCK_BYTES = 16_000_000
"""About how much of a file is read at once."""


class Parts:
    """Collects the blocks of a height map of `rows` × `columns` cells; `no_data` is the value that is no height."""

    def __init__(self, rows: int, columns: int, no_data: float | None = None) -> None:
        self.step = max(math.ceil(math.sqrt(rows * columns / foreign.HEIGHTS.most_pixels)), 1)
        """How many cells a side become one."""
        self._shape = rows, columns
        with np.errstate(over="ignore"):  # a value that float32 has not is no cell's
            self._no_data = np.float32(np.nan if no_data is None else no_data)
        coarse = -(-rows // self.step), -(-columns // self.step)
        self._values = np.full(coarse, np.nan, np.float32) if self.step == 1 else np.zeros(coarse, np.float32)
        self._counts = None if self.step == 1 else np.zeros(coarse, np.uint16)

    def put(self, row: int, column: int, block: NDArray[Any]) -> None:
        """Take in `block` [row, column], whose first cell lies at (row, column); what lies outside is left out."""
        block = block[: self._shape[0] - row, : self._shape[1] - column]
        with np.errstate(over="ignore", invalid="ignore"):
            heights = block.astype(np.float32)
        if self._counts is None:
            self._values[row : row + block.shape[0], column : column + block.shape[1]] = heights
            return
        there = np.isfinite(heights) & (heights != self._no_data)
        heights[~there] = 0
        first_row, rows = self._groups(row, block.shape[0])
        first_column, columns = self._groups(column, block.shape[1])
        place = np.s_[first_row : first_row + rows.size, first_column : first_column + columns.size]
        for into, values in ((self._values, heights), (self._counts, there.astype(np.uint16))):
            with np.errstate(over="ignore", invalid="ignore"):  # what grows beyond all numbers is no height
                into[place] += np.add.reduceat(np.add.reduceat(values, rows, axis=0), columns, axis=1)

    def _groups(self, start: int, count: int) -> tuple[int, NDArray[np.intp]]:
        """Return the first coarse cell of `count` cells from `start` on, and where among them each one begins."""
        first = start // self.step
        begins = np.arange(first * self.step, start + count, self.step) - start
        return first, np.maximum(begins, 0)

    def values(self) -> Heights:
        """Return what was collected, float32 [row, column], NaN where the coarse cell holds no height."""
        if self._counts is None:
            return self._values
        with np.errstate(invalid="ignore"):
            return np.where(self._counts, self._values / np.maximum(self._counts, 1), np.float32(np.nan))


def rows_at_once(columns: int, bytes_each: int) -> int:
    """Return how many rows of so many columns make a block."""
    return max(BLOCK_BYTES // (columns * bytes_each), 1)


def from_file(path: Path, file: BufferedReader, kind: np.dtype[Any], shape: tuple[int, int]) -> Heights:
    """Return the numbers that follow in `file`, row after row of `shape` (rows, columns); `InputError` if cut off."""
    rows, columns = shape
    parts, at_once = Parts(rows, columns), rows_at_once(columns, kind.itemsize)
    for row in range(0, rows, at_once):
        count = min(at_once, rows - row) * columns
        block = np.fromfile(file, kind, count)
        if block.size < count:
            done = row * columns + block.size
            raise InputError(f"{path}: cut off after {done} cells: expected {rows} × {columns}")
        parts.put(row, 0, block.reshape(-1, columns))
    return parts.values()
