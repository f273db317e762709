"""What a format of height maps is, what is read of a file of one, and what is written into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.heightmaps.encoding import REAL
from fellview.heightmaps.georeference import LOCAL, Georeference

LARGEST_SIDE = foreign.HEIGHTS.most_a_side
"""Most cells a side of a file."""

FirstRow = Literal["north", "south"]


@dataclass(frozen=True)
class Numbers:
    """The numbers of a file, `values` [row, column], the file's first row first.

    `dtype` is the type that they have in the file. `cell_size` (along rows' order, along columns) in metres, the value
    `no_data` that stands for no height, what one of a whole number's `metres_each` are and `first_row` are there where
    the file says so. Of `on_earth` heights 0 is the sea's level. `remark` is a line for a person on what had to be
    guessed.
    """

    values: NDArray[Any]
    dtype: np.dtype[Any]
    cell_size: tuple[float, float] | None = None
    no_data: float | None = None
    metres_each: float | None = None
    first_row: FirstRow | None = None
    on_earth: bool = False
    remark: str = ""


@dataclass(frozen=True)
class Raster:
    """What is written into a file: `values` [row, column] as they are to stand there, the file's first row first.

    They are uint8, uint16 or float32, little-endian. `cell_size` (along rows, along columns) is in metres; `no_data`
    is a number that no cell has; `channel` is the name of the one channel, where a format has names for them.
    """

    values: NDArray[Any]
    cell_size: tuple[float, float]
    no_data: float = -9999.0
    channel: str = "Y"
    georeference: Georeference = LOCAL


Read = Callable[[Path, Mapping[str, Any]], Numbers]
Write = Callable[[BinaryIO, Raster], None]


@dataclass(frozen=True)
class HeightFormat:
    """One format of height maps, by which files are read, or written, or both.

    `first_row` says which row a file begins with; a sidecar may know better. `read(path, facts)` returns the numbers of
    a file, `facts` being what its sidecar says of it, and raises `InputError` where it is no such file.
    `write(file, raster)` writes numbers of as many bits as `bits` lists, the first unless another is asked for;
    `layout` says in words how they lie in the file. One that is `georeferenced` has room for a system of coordinates.
    """

    title: str
    suffixes: tuple[str, ...]
    first_row: FirstRow
    read: Read | None = None
    write: Write | None = None
    bits: tuple[int, ...] = (REAL,)
    layout: str = ""
    georeferenced: bool = False

    def numbers(self, bits: int) -> str:
        """Return in words what the numbers of a file are."""
        if bits == REAL:
            return f"float32{self.layout}, metres unless a range is given"
        return f"{bits}-bit words{self.layout}, the range's lowest height at 0 and its highest at {2**bits - 1}"


def require_shape(path: Path, shape: tuple[int, ...]) -> None:
    """Raise `InputError` where a height map of so many rows and columns is not accepted."""
    if not 2 <= min(shape) <= max(shape) <= LARGEST_SIDE:
        raise InputError(
            f"{path}: {quoted(shape[0])} × {quoted(shape[1])} cells: expected 2 × 2 to {LARGEST_SIDE} × {LARGEST_SIDE}"
        )
