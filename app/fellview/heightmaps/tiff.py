"""TIFF of one channel, GeoTIFF among them: float32 or 16-bit words, the northernmost row first.

Files are read a block of rows or a tile at a time where they are not packed, or packed by deflate; what else Pillow
knows is unpacked whole. Source: Adobe, TIFF Revision 6.0 (1992), sections 14 and 15; TIFF Technical Note 3 (2005) for
the predictor of real numbers.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.heightmaps import georeference, picture
from fellview.heightmaps.height_format import HeightFormat, Numbers, Raster, require_shape
from fellview.heightmaps.parts import Parts, rows_at_once

_ROWS_A_STRIP = 64  # a strip is unpacked at once: 2 MB of the widest land
_GDAL_NO_DATA = 42113
_TAGS = (
    georeference.PIXEL_SCALE,
    georeference.TIEPOINT,
    georeference.MATRIX,
    georeference.GEO_KEYS,
    georeference.GEO_NUMBERS,
    _GDAL_NO_DATA,
)
_PLAIN, _DEFLATE = (1,), (8, 32946)
_NO_PREDICTOR, _DIFFERENCES, _REAL_DIFFERENCES = 1, 2, 3
_LARGEST_TILE = 1 << 26  # bytes; usual ones have a megabyte at most
_DAMAGED = (
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    MemoryError,
    RuntimeError,
    struct.error,
    zlib.error,
)
"""What tifffile raises at files that are not what they say, and what unpacking does."""


def read(path: Path, facts: Mapping[str, Any]) -> Numbers:
    """Return the one channel of a TIFF, how its cells lie on Earth and the value that stands for none."""
    from fellview.core import tiff_pages

    with foreign.opened(path, foreign.HEIGHTS) as file:
        try:
            page = tiff_pages.first(file)
            tags = {code: _numbers(page.tags[code].value) for code in _TAGS if code in page.tags}
            ours = _is_read_here(page)
            rows, columns = (int(page.imagelength), int(page.imagewidth)) if ours else (0, 0)  # of damaged ones several
        except _DAMAGED:
            ours, tags = False, {}
        no_data = next(iter(tags.get(_GDAL_NO_DATA, ())), None)
        if ours:
            require_shape(path, (rows, columns))
            parts = Parts(rows, columns, no_data)
            try:
                for row, column, block in _blocks(file, page):
                    parts.put(row, column, block)
            except _DAMAGED as fault:
                reason = str(fault) or "damaged"
                raise InputError(f"{path}: cannot be read: {reason}; expected {foreign.HEIGHTS.accepted}") from None
            values, step = parts.values(), parts.step
            dtype = np.dtype(np.int32) if page.dtype.kind == "i" else page.dtype  # whole metres, as Pillow has them
    if not ours:
        whole = picture.read(path, facts)
        values, dtype, step = whole.values, whole.dtype, 1
        rows = values.shape[0]
    lie = georeference.lie(tags, rows)
    cell = (lie.cell_size[0] * step, lie.cell_size[1] * step) if lie.cell_size else None
    return Numbers(values, dtype, cell, no_data, lie.height_m, lie.first_row, lie.on_earth)


def _numbers(told: Any) -> list[float]:
    """Return what a tag says as numbers, of whatever type it wrote them; none where they are none."""
    each = told if isinstance(told, (tuple, list)) else (told,)
    try:
        return [float(one.strip("\0 ") if isinstance(one, str) else one) for one in each]
    except (TypeError, ValueError, ArithmeticError):
        return []


def _is_read_here(page: Any) -> bool:
    """Return whether `page` is one channel of numbers that is not packed, or by deflate."""
    real = page.dtype is not None and page.dtype.kind == "f"
    predicted = _NO_PREDICTOR if page.predictor is None else int(page.predictor)
    return (
        page.dtype is not None
        and page.dtype.kind in "uif"
        and 8 * page.dtype.itemsize == page.bitspersample
        and page.samplesperpixel == 1
        and int(page.imagedepth) == 1
        and int(page.fillorder) == 1
        and int(page.photometric) in (0, 1)
        and int(page.compression) in (*_PLAIN, *_DEFLATE)
        and predicted in (_NO_PREDICTOR, _REAL_DIFFERENCES if real else _DIFFERENCES)
        and not (int(page.photometric) == 0 and page.dtype.kind == "u")  # white is 0: Pillow turns it over
        and not (predicted == _REAL_DIFFERENCES and page.parent.byteorder == ">")  # which libtiff has otherwise
    )


def _blocks(file: BufferedReader, page: Any) -> Iterator[tuple[int, int, NDArray[Any]]]:
    """Yield the blocks of `page`: the row and column of the first cell, and the numbers [row, column]."""
    if page.is_tiled:
        height, width = page.tilelength, page.tilewidth
    else:
        height, width = min(page.rowsperstrip, page.imagelength), page.imagewidth
    across, down = -(-page.imagewidth // width), -(-page.imagelength // height)
    if page.is_tiled and height * width * page.dtype.itemsize > _LARGEST_TILE:
        raise ValueError(f"tiles of {width} × {height} cells")
    if not len(page.dataoffsets) == len(page.databytecounts) == across * down:
        raise ValueError(f"{len(page.dataoffsets)} parts in place of {across * down}")
    for number, (offset, length) in enumerate(zip(page.dataoffsets, page.databytecounts, strict=True)):
        row, column = number // across * height, number % across * width
        if length == 0:  # a part that was left out is all nothing
            continue
        rows = height if page.is_tiled else min(height, page.imagelength - row)
        file.seek(offset)
        for block in _rows(file, page, length, rows, width):
            yield row, column, block
            row += block.shape[0]


def _rows(file: BufferedReader, page: Any, length: int, rows: int, columns: int) -> Iterator[NDArray[Any]]:
    """Yield the blocks of a strip or tile of so many rows and columns that lies in the next `length` bytes."""
    kind = page.dtype.newbyteorder(page.parent.byteorder)
    unpack = zlib.decompressobj() if int(page.compression) in _DEFLATE else None
    packed = b""
    at_once = rows_at_once(columns, kind.itemsize)
    for start in range(0, rows, at_once):
        count = min(at_once, rows - start)
        wanted, found = count * columns * kind.itemsize, b""
        while len(found) < wanted:
            if not packed and length:
                packed = file.read(min(length, wanted - len(found)))
                length = length - len(packed) if packed else 0
            if unpack is None:
                got, packed = packed, b""
            else:
                got = unpack.decompress(packed, wanted - len(found))
                packed = unpack.unconsumed_tail
            if not (got or packed or length):
                raise ValueError("cut off")
            found += got
        yield _unpredicted(np.frombuffer(found, np.uint8), page, kind, count, columns)


def _unpredicted(found: NDArray[np.uint8], page: Any, kind: np.dtype[Any], rows: int, columns: int) -> NDArray[Any]:
    """Return the numbers of bytes that may be differences to those to the left."""
    predicted = _NO_PREDICTOR if page.predictor is None else int(page.predictor)
    if predicted == _REAL_DIFFERENCES:  # of bytes, all first ones of a row's numbers first, the highest byte leading
        lines = np.cumsum(found.reshape(rows, -1), axis=1, dtype=np.uint8)
        split = lines.reshape(rows, kind.itemsize, columns).transpose(0, 2, 1)
        return np.ascontiguousarray(split).view(kind.newbyteorder(">"))[..., 0]
    numbers = found.view(kind).reshape(rows, columns)
    if predicted == _DIFFERENCES:
        native = kind.newbyteorder("=")
        return np.cumsum(numbers.astype(native), axis=1, dtype=native)
    return numbers


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster` with the tags of a GeoTIFF, packed without loss."""
    import tifffile

    tags = georeference.tags(raster.georeference, raster.values.shape[0], raster.cell_size)
    if raster.values.dtype.kind == "f":
        tags.append((_GDAL_NO_DATA, "s", 0, f"{raster.no_data:g}", True))
    content = io.BytesIO()  # tifffile takes no file that is known by its number alone
    tifffile.imwrite(
        content,
        np.ascontiguousarray(raster.values),
        photometric="minisblack",
        compression="zlib",
        rowsperstrip=_ROWS_A_STRIP,
        metadata=None,
        software="Fellview",
        extratags=tags,
    )
    file.write(content.getbuffer())


FORMAT = HeightFormat("TIFF", (".tif", ".tiff"), "north", read, write, (32, 16), ", a GeoTIFF of one channel", True)
