"""OpenEXR of named channels: float32, the northernmost row first.

Files are read here and not by the library OpenEXR, which prints what it finds damaged and passes over it: flat pictures
in rows, not packed or by deflate, as programs write them unless told otherwise.

Source: Academy Software Foundation, "OpenEXR File Layout",
https://openexr.com/en/latest/OpenEXRFileLayout.html
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.core.exr import RowWriter
from fellview.heightmaps.height_format import HeightFormat, Numbers, Raster, require_shape
from fellview.heightmaps.parts import Parts

_NAMES = ("Y", "height", "Z", "R")
"""What heights are called in files of several channels, the most telling first."""

_MAGIC, _VERSION, _LONG_NAMES = 20000630, 2, 0x400
_TYPES = (np.dtype("<u4"), np.dtype("<f2"), np.dtype("<f4"))
_ROWS = {0: 1, 2: 1, 3: 16}
"""Rows in a chunk by the way it is packed: not at all, or by deflate, one row or sixteen."""
_MOST_ATTRIBUTES, _LONGEST_NAME, _LONGEST_VALUE = 1000, 256, 1 << 20
_MOST_CHANNELS = 64


@dataclass(frozen=True)
class _Header:
    """What the beginning of a file says; `channels` are their types by name, in the order in which they are stored."""

    channels: Mapping[str, np.dtype[Any]]
    packed: int
    top: int
    rows: int
    columns: int


def read(path: Path, facts: Mapping[str, Any]) -> Numbers:
    """Return the channel of heights: the only one, or the first of `_NAMES` that there is."""
    with foreign.opened(path, foreign.HEIGHTS) as file:
        try:
            header = _header(file)
        except (ValueError, LookupError, struct.error) as fault:
            raise _refused(path, fault) from None
        require_shape(path, (header.rows, header.columns))
        only = next(iter(header.channels)) if len(header.channels) == 1 else ""
        name = only or next((one for one in _NAMES if one in header.channels), "")
        if not name:
            raise InputError(
                f"{path}: channels {quoted(list(header.channels))}: expected one, or one of {', '.join(_NAMES)}"
            )
        parts = Parts(header.rows, header.columns)
        try:
            for row, block in _blocks(file, header, name):
                parts.put(row, 0, block)
        except (ValueError, LookupError, struct.error, zlib.error) as fault:
            raise _refused(path, fault) from None
    return Numbers(parts.values(), header.channels[name])


def _refused(path: Path, fault: Exception) -> InputError:
    expected = "a flat OpenEXR picture in rows, unpacked or packed by ZIP"
    told = "cut off" if isinstance(fault, struct.error) else fault or "damaged"
    return InputError(f"{path}: cannot be read: {told}; expected {expected}")


def _header(file: BufferedReader) -> _Header:
    """Return the header, and leave `file` behind it; `ValueError` where the file is none that is read."""
    magic, version = struct.unpack("<iI", file.read(8))
    if magic != _MAGIC:
        raise ValueError("no OpenEXR file")
    if version & ~_LONG_NAMES != _VERSION:
        raise ValueError("tiles, deep pixels or several pictures in one file")
    said: dict[str, bytes] = {}
    for _ in range(_MOST_ATTRIBUTES):
        name = _name(file)
        if not name:
            break
        _name(file)  # its type, which is known by the name
        (length,) = struct.unpack("<i", file.read(4))
        if not 0 <= length <= _LONGEST_VALUE:
            raise ValueError(f"an attribute of {length} bytes")
        said[name] = file.read(length)
    (packed,) = said["compression"]
    if packed not in _ROWS:
        raise ValueError(f"packed in way {packed}")
    left, top, right, bottom = struct.unpack("<4i", said["dataWindow"])
    return _Header(_channels(said["channels"]), packed, top, bottom - top + 1, right - left + 1)


def _name(file: BufferedReader) -> str:
    """Return the text up to the next NUL."""
    found = b""
    while (one := file.read(1)) != b"\0":
        found += one
        if not one or len(found) > _LONGEST_NAME:
            raise ValueError("its header breaks off")
    return found.decode("latin-1")


def _channels(told: bytes) -> dict[str, np.dtype[Any]]:
    """Return the types of the channels by name, of the list that a header has."""
    found: dict[str, np.dtype[Any]] = {}
    while told and told[0] and len(found) < _MOST_CHANNELS:
        name, _, told = told.partition(b"\0")
        kind, _, across, down = struct.unpack("<iIii", told[:16])
        if (across, down) != (1, 1):
            raise ValueError("channels of fewer cells than the picture has")
        found[name.decode("latin-1")] = _TYPES[kind]
        told = told[16:]
    return found


def _blocks(file: BufferedReader, header: _Header, name: str) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the chunks of the channel `name`: their first row, and the numbers [row, column]."""
    at_once = _ROWS[header.packed]
    chunks = -(-header.rows // at_once)
    offsets = struct.unpack(f"<{chunks}Q", file.read(8 * chunks))
    widths = {one: header.columns * kind.itemsize for one, kind in header.channels.items()}
    begin = sum(widths[one] for one in list(widths)[: list(widths).index(name)])
    for offset in offsets:
        file.seek(offset)
        row, length = struct.unpack("<ii", file.read(8))
        row -= header.top
        if not 0 <= row < header.rows or row % at_once:
            raise ValueError(f"a chunk of row {row}")
        rows = min(at_once, header.rows - row)
        size = rows * sum(widths.values())
        if not 0 < length <= size:
            raise ValueError(f"a chunk of {length} bytes")
        found = file.read(length)
        if length < size:
            found = _unpacked(zlib.decompressobj().decompress(found, size))
        if len(found) != size:
            raise ValueError("cut off")
        lines = np.frombuffer(found, np.uint8).reshape(rows, -1)[:, begin : begin + widths[name]]
        yield row, np.ascontiguousarray(lines).view(header.channels[name])


def _unpacked(found: bytes) -> bytes:
    """Return the bytes of a chunk whose differences to the one before, halves apart, are `found`."""
    steps = np.frombuffer(found, np.uint8).copy()
    steps[1:] -= np.uint8(128)  # no difference is written as 128
    halves = np.cumsum(steps, dtype=np.uint8)
    mixed = np.empty_like(halves)
    middle = (halves.size + 1) // 2
    mixed[0::2], mixed[1::2] = halves[:middle], halves[middle:]
    return mixed.tobytes()


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster` as the one channel of its name."""
    rows, columns = raster.values.shape
    RowWriter(file, (columns, rows), {raster.channel: np.float32}, {}).write({raster.channel: raster.values})


FORMAT = HeightFormat("EXR", (".exr",), "north", read, write, layout=", one named channel")
