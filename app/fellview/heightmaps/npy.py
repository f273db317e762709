"""NumPy's own format: row 0 at z = 0 in the south."""

from __future__ import annotations

import tokenize
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.heightmaps import parts
from fellview.heightmaps.height_format import HeightFormat, Numbers, Raster, require_shape

_LONGEST_HEADER = 1000  # bytes: NumPy's own of an array of numbers has some 120
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
# what NumPy raises at headers that are none
_DAMAGED = (ValueError, RecursionError, MemoryError, SyntaxError, TypeError, OverflowError, tokenize.TokenError)


def read(path: Path, facts: Mapping[str, Any]) -> Numbers:
    """Return the array in a file, which is of numbers and whole; objects are never loaded."""
    with foreign.opened(path, foreign.HEIGHTS) as file:
        try:
            version = np.lib.format.read_magic(file)
            if version not in _HEADERS:
                raise ValueError(f"version {version[0]}.{version[1]} of the format")
            shape, by_columns, dtype = _HEADERS[version](file, max_header_size=_LONGEST_HEADER)
        except _DAMAGED as fault:
            reason = next(iter(str(fault).splitlines()), "") or "damaged"
            raise InputError(f"{path}: cannot be read: no array that NumPy saved: {reason}") from None
        if len(shape) != 2 or dtype.kind not in "uif" or dtype.subdtype:
            raise InputError(f"{path}: {len(shape)} axes of {dtype}: expected numbers over rows and columns")
        require_shape(path, shape)
        values = parts.from_file(path, file, dtype, shape[::-1] if by_columns else shape)
    return Numbers(values.T if by_columns else values, dtype)


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster` as an array."""
    np.save(file, raster.values, allow_pickle=False)


FORMAT = HeightFormat("NPY", (".npy",), "south", read, write)
