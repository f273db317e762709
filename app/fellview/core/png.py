"""PNG pictures in numpy alone, for where Pillow is missing: our own are read, and plain ones are written.

For pictures that come with Fellview and for benchmarks: what comes from outside is for `foreign.py` to open. Pictures
of any size are written row by row, in the memory of some rows.
Source: W3C, Portable Network Graphics (Third Edition), https://www.w3.org/TR/png-3/, sections 5, 9 and 11.2.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY, _RGB, _PALETTE, _RGBA = 0, 2, 3, 6
_CHANNELS = {_GREY: 1, _RGB: 3, _PALETTE: 1, _RGBA: 4}
_KINDS = {(8, kind) for kind in _CHANNELS} | {(16, _GREY)}
_SUB, _UP, _AVERAGE, _PAETH = 1, 2, 3, 4
_ROWS_AT_ONCE = 32  # whose filters are chosen together
_LEVEL = 6  # of deflate: 9 takes three times as long for a hundredth of the size


def decoded(content: bytes) -> NDArray[Any]:
    """Return the pixels of a PNG: uint8 [row, column, rgb or rgba], of grey uint8 or uint16 [row, column].

    `ValueError` where it is none, interlaced, or of a depth that none of ours has.
    """
    if not content.startswith(_SIGNATURE):
        raise ValueError("not a PNG picture")
    chunks = _chunks(content)
    columns, rows, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if (depth, kind) not in _KINDS or interlaced:
        raise ValueError(f"a PNG picture of {depth} bits, kind {kind}{', interlaced' * interlaced}: none that we write")
    width = _CHANNELS[kind] * depth // 8  # bytes a pixel
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(rows, 1 + columns * width)
    pixels = _unfiltered(lines[:, 0], lines[:, 1:].reshape(rows, columns, width))
    if kind == _PALETTE:
        return np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)[pixels[..., 0]]
    if depth == 16:
        return pixels.view(">u2")[..., 0].astype(np.uint16)
    return pixels[..., 0] if kind == _GREY else pixels


def _chunks(content: bytes) -> dict[bytes, bytes]:
    """Return the data of the chunks by kind; those of one kind make one."""
    chunks: dict[bytes, bytes] = {}
    at = len(_SIGNATURE)
    while at < len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        chunks[kind] = chunks.get(kind, b"") + content[at + 8 : at + 8 + length]
        at += 12 + length  # length, kind and checksum
    return chunks


def _unfiltered(filters: NDArray[np.uint8], filtered: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the pixels of rows whose `filters` predict a pixel from those to the left, above, and above to the left.

    The rows are turned so that a diagonal of the picture is a row: all of its pixels are worked out at once.
    """
    rows, columns, width = filtered.shape
    number = np.arange(rows)
    turned = np.zeros((rows + columns - 1, rows, width), np.int16)
    for row in range(rows):
        turned[row : row + columns, row] = filtered[row]
    # two diagonals and one row more, of the zeros that lie outside the picture
    done = np.zeros((rows + columns + 1, rows + 1, width), np.int16)
    chosen = [(filters == one)[:, None] for one in (_SUB, _UP, _AVERAGE, _PAETH)]
    for diagonal in range(rows + columns - 1):
        left, up, corner = done[diagonal + 1, 1:], done[diagonal + 1, :-1], done[diagonal, :-1]
        to_left, to_up, to_corner = np.abs(up - corner), np.abs(left - corner), np.abs(left + up - 2 * corner)
        nearer = np.where(to_up <= to_corner, up, corner)
        paeth = np.where((to_left <= to_up) & (to_left <= to_corner), left, nearer)
        predicted = np.select(chosen, [left, up, (left + up) >> 1, paeth], np.int16(0))
        inside = (number <= diagonal) & (number > diagonal - columns)
        done[diagonal + 2, 1:] = ((turned[diagonal] + predicted) & 255) * inside[:, None]
    pixels = np.empty((rows, columns, width), np.uint8)
    for row in range(rows):
        pixels[row] = done[row + 2 : row + 2 + columns, row + 1]
    return pixels


def encoded(pixels: NDArray[np.uint8]) -> bytes:
    """Return `pixels`, uint8 [row, column, rgb], as a PNG without filters."""
    rows, columns = pixels.shape[:2]
    lines = np.zeros((rows, 1 + 3 * columns), np.uint8)
    lines[:, 1:] = pixels.reshape(rows, -1)
    header = struct.pack(">IIBBBBB", columns, rows, 8, _RGB, 0, 0, 0)
    return _SIGNATURE + b"".join(
        _chunk(kind, data)
        for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))
    )


class RowWriter:
    """Writes a PNG of uint8 [row, column, rgb or rgba] into a file, some rows after the other, the top ones first.

    `chunks` are kinds and data of those that stand before the pixels. Of four filters each row has the one that leaves
    the least sum of absolute differences, as the specification suggests in section 12.7.
    """

    def __init__(
        self, file: BinaryIO, size: tuple[int, int], channels: int, chunks: Sequence[tuple[bytes, bytes]] = ()
    ) -> None:
        self._file = file
        kind = {count: kind for kind, count in _CHANNELS.items() if kind != _GREY and kind != _PALETTE}[channels]
        header = struct.pack(">IIBBBBB", *size, 8, kind, 0, 0, 0)
        file.write(_SIGNATURE + b"".join(_chunk(*each) for each in ((b"IHDR", header), *chunks)))
        self._above = np.zeros((1, size[0], channels), np.int16)
        self._deflate = zlib.compressobj(_LEVEL)
        self._rows_left = size[1]

    def write(self, pixels: NDArray[np.uint8]) -> None:
        """Write the next rows, uint8 [row, column, channel]; with the last ones the file is whole."""
        for first in range(0, len(pixels), _ROWS_AT_ONCE):
            rows = np.concatenate([self._above, pixels[first : first + _ROWS_AT_ONCE].astype(np.int16)])
            self._above = rows[-1:]
            self._put(self._deflate.compress(_filtered(rows).tobytes()))
        self._rows_left -= len(pixels)
        if not self._rows_left:
            self._put(self._deflate.flush())
            self._file.write(_chunk(b"IEND", b""))

    def _put(self, data: bytes) -> None:
        if data:
            self._file.write(_chunk(b"IDAT", data))


def _filtered(rows: NDArray[np.int16]) -> NDArray[np.uint8]:
    """Return all rows but the first, filtered, with the filter's number in front: uint8 [row, 1 + bytes]."""
    above, here = rows[:-1], rows[1:]
    left, corner = (np.pad(each[:, :-1], ((0, 0), (1, 0), (0, 0))) for each in (here, above))
    to_left, to_up, to_corner = np.abs(above - corner), np.abs(left - corner), np.abs(left + above - 2 * corner)
    nearer = np.where(to_up <= to_corner, above, corner)
    paeth = np.where((to_left <= to_up) & (to_left <= to_corner), left, nearer)
    predicted = {0: np.zeros_like(here), _SUB: left, _UP: above, _PAETH: paeth}
    found = [(here - each).astype(np.uint8).reshape(len(here), -1) for each in predicted.values()]
    cost = [np.abs(each.view(np.int8).astype(np.int16)).sum(axis=1, dtype=np.int64) for each in found]
    lines = np.empty((len(here), 1 + found[0].shape[1]), np.uint8)
    best = np.argmin(cost, axis=0)
    for number, (kind, each) in enumerate(zip(predicted, found, strict=True)):
        mine = best == number
        lines[mine, 0], lines[mine, 1:] = kind, each[mine]
    return lines


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
