"""What a format of height maps is, and what is read of a file of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.core.height_field import HeightField

LARGEST_SIDE = foreign.HEIGHTS.most_a_side
"""Most cells a side."""

_LARGEST_WORD = 65535


@dataclass(frozen=True)
class Numbers:
    """The numbers of a file as they stand there, `values` [row, column], the file's first row first.

    `cell_size` (along rows' order, along columns) in metres and the value `no_data` that stands for no height, where
    the file says so.
    """

    values: NDArray[Any]
    cell_size: tuple[float, float] | None = None
    no_data: float | None = None


Read = Callable[[Path, Mapping[str, Any]], Numbers]
Write = Callable[[BinaryIO, HeightField], None]


@dataclass(frozen=True)
class HeightFormat:
    """One format of height maps, by which files are read, or written, or both.

    `first_row` says which row a file begins with; a sidecar may know better. `read(path, facts)` returns the numbers of
    a file, `facts` being what its sidecar says of it, and raises `InputError` where it is no such file.
    `write(file, field)` writes the heights of a height field; `numbers` says in its sidecar what the written numbers
    are.
    """

    title: str
    suffixes: tuple[str, ...]
    first_row: Literal["north", "south"]
    read: Read | None = None
    write: Write | None = None
    numbers: str = ""


def require_shape(path: Path, shape: tuple[int, ...]) -> None:
    """Raise `InputError` where a height map of so many rows and columns is not accepted."""
    if not 2 <= min(shape) <= max(shape) <= LARGEST_SIDE:
        raise InputError(
            f"{path}: {quoted(shape[0])} × {quoted(shape[1])} cells: expected 2 × 2 to {LARGEST_SIDE} × {LARGEST_SIDE}"
        )


def sixteen_bits(field: HeightField) -> NDArray[np.uint16]:
    """Return the heights in 16 bits, the lowest as 0 and the highest as 65535, the northernmost row first.

    A flat field is all 0.
    """
    low, high = field.height_range
    span = (high - low) or 1.0
    return np.rint((field.heights[::-1].astype(np.float64) - low) * (_LARGEST_WORD / span)).astype("<u2")
