"""ASCII grids of Esri: a header of six lines and metres as decimal text, the northernmost row first."""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.heightmaps import georeference
from fellview.heightmaps.height_format import HeightFormat, Numbers, Raster, require_shape
from fellview.heightmaps.parts import BLOCK_BYTES, Parts

_NO_DATA = -9999.0  # where the header says nothing
_MOST_LINES, _LONGEST_LINE = 12, 200  # of a header


def read(path: Path, facts: Mapping[str, Any]) -> Numbers:
    """Return the numbers of a grid, how large its cells are, and the value that stands for none.

    A grid says nothing of its unit: cells of under a tenth at a place on the globe are taken for degrees.
    """
    with foreign.opened(path, foreign.HEIGHTS) as file:
        said = _header(path, file)
        rows, columns = (_whole(path, said, key) for key in ("nrows", "ncols"))
        require_shape(path, (rows, columns))
        no_data = said.get("nodata_value", _NO_DATA)
        parts = Parts(rows, columns, no_data)
        row = 0
        for block in _blocks(path, file, columns):
            if row + block.shape[0] > rows:
                raise InputError(f"{path}: over {rows} × {columns} numbers: expected those of its header")
            parts.put(row, 0, block)
            row += block.shape[0]
    if row < rows:
        raise InputError(f"{path}: cut off after {row} rows: expected {rows} × {columns}")
    across = said.get("dx", said.get("cellsize", math.nan))
    down = said.get("dy", said.get("cellsize", math.nan))
    west, south = (said.get(f"{axis}llcorner", said.get(f"{axis}llcenter", math.nan)) for axis in "xy")
    tags = {georeference.PIXEL_SCALE: (across, down), georeference.TIEPOINT: (0, 0, 0, west, south + rows * down, 0)}
    lie = georeference.lie(tags, rows)
    size = (lie.cell_size[0] * parts.step, lie.cell_size[1] * parts.step) if lie.cell_size else None
    return Numbers(parts.values(), np.dtype(np.float32), size, no_data, on_earth=lie.on_earth)


def _header(path: Path, file: BinaryIO) -> dict[str, float]:
    """Return the numbers of the header by key in lower case, and leave `file` at the first cell."""
    said: dict[str, float] = {}
    for _ in range(_MOST_LINES):
        start = file.tell()
        words = file.readline(_LONGEST_LINE).split()
        if len(words) != 2 or not words[0][:1].isalpha() or words[0][:3].lower() in (b"nan", b"inf"):
            file.seek(start)
            break
        with contextlib.suppress(ValueError):
            said[words[0].decode("ascii", "replace").lower()] = float(words[1])
    if not {"ncols", "nrows"} <= said.keys():
        raise InputError(f"{path}: cannot be read: no ncols and nrows at its beginning; expected an ASCII grid of Esri")
    return said


def _whole(path: Path, said: Mapping[str, float], key: str) -> int:
    if not said[key].is_integer():  # nor are infinity and NaN
        raise InputError(f"{path}: {key} = {said[key]:g}: expected a whole number")
    return int(said[key])


def _blocks(path: Path, file: BinaryIO, columns: int) -> Iterator[NDArray[np.float32]]:
    """Yield what follows in `file` as whole rows, [row, column]; lines may end anywhere."""
    left, rest, more = np.empty(0, np.float32), b"", True
    while more:
        text = file.read(BLOCK_BYTES)
        more = bool(text)
        cut = max(map(text.rfind, (b" ", b"\n", b"\t"))) + 1 if more else 0
        if more and not cut and len(text) == BLOCK_BYTES:
            raise InputError(f"{path}: cannot be read: no blank in {BLOCK_BYTES:,} characters; expected numbers")
        words, rest = (rest + text[:cut], text[cut:]) if cut else (b"" if more else rest, rest + text)
        left = np.concatenate([left, _parsed(path, words)])
        rows = left.size // columns
        if rows:
            yield left[: rows * columns].reshape(rows, columns)
            left = left[rows * columns :]
    if left.size:
        raise InputError(f"{path}: {left.size} numbers after the last whole row: expected rows of {columns}")


def _parsed(path: Path, words: bytes) -> NDArray[np.float32]:
    """Return the numbers in `words`; `InputError` where something else is among them."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)  # what older versions of NumPy say of it
            return np.fromstring(words, np.float32, sep=" ")
    except (ValueError, DeprecationWarning):
        raise InputError(f"{path}: cannot be read: something among its cells is no number; expected numbers") from None


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster` with nine digits, which is as exact as float32.

    Cells that are not square have `dx` and `dy`, as GDAL reads them, in place of the one `cellsize`.
    """
    rows, columns = raster.values.shape
    along_z, along_x = raster.cell_size
    cells = f"cellsize {along_x!r}" if along_x == along_z else f"dx {along_x!r}\ndy {along_z!r}"
    place = raster.georeference
    header = (
        f"ncols {columns}\nnrows {rows}\nxllcenter {place.east!r}\nyllcenter {place.north!r}\n"
        f"{cells}\nNODATA_value {raster.no_data:g}\n"
    )
    file.write(header.encode())
    line = " ".join(["%.9g"] * columns) + "\n"
    for row in raster.values:
        file.write((line % tuple(row)).encode())


FORMAT = HeightFormat("ASC", (".asc",), "north", read, write, layout=", decimal text")
