"""Raw numbers without a header, little-endian: .r16 and .raw of 16-bit words, .r32 of float32.

The northernmost row comes first, but in .raw, as Unity has it, the southernmost.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike

from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.heightmaps import parts
from fellview.heightmaps.encoding import REAL
from fellview.heightmaps.height_format import HeightFormat, Numbers, Raster, Read, require_shape

_SIZE_IN_NAME = re.compile(r"(?<!\d)(\d{1,5})x(\d{1,5})(?!\d)")


def _reader(dtype: DTypeLike) -> Read:
    """Return what reads files of numbers of `dtype`."""
    kind = np.dtype(dtype)

    def read(path: Path, facts: Mapping[str, Any]) -> Numbers:
        with foreign.opened(path, foreign.HEIGHTS) as file:
            cells, rest = divmod(os.fstat(file.fileno()).st_size, kind.itemsize)
            shape = _shape(path, cells, rest, facts)
            require_shape(path, shape)
            return Numbers(parts.from_file(path, file, kind, shape), kind)

    return read


def _shape(path: Path, cells: int, rest: int, facts: Mapping[str, Any]) -> tuple[int, int]:
    """Return rows and columns: from the sidecar, from the file's name (columns x rows), square."""
    named = _SIZE_IN_NAME.search(path.stem)
    side = math.isqrt(cells)
    if facts:
        shape = facts["rows"], facts["columns"]
    elif named:
        shape = int(named[2]), int(named[1])
    else:
        shape = side, side
    if rest or not all(isinstance(one, int) for one in shape) or shape[0] * shape[1] != cells:
        told = f"{quoted(shape[0])} × {quoted(shape[1])}"
        raise InputError(
            f"{path}: {cells} cells and {rest} bytes are not {told}; expected a square, a size in the name such as"
            " 1025x513 (columns x rows), or the sidecar"
        )
    return int(shape[0]), int(shape[1])


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster`, and nothing else."""
    file.write(raster.values.tobytes())


_LAYOUT = " without a header, little-endian"
R16 = HeightFormat("R16", (".r16",), "north", _reader("<u2"), write, (16,), _LAYOUT)
R32 = HeightFormat("R32", (".r32",), "north", _reader("<f4"), write, (REAL,), _LAYOUT)
RAW = HeightFormat("RAW", (".raw",), "south", _reader("<u2"), write, (16,), _LAYOUT + ", as Unity has them")
