"""OpenEXR pictures of named channels, written some rows after the other, in the memory of those.

They are flat and in rows, the top row first, packed by deflate sixteen rows at a time ("ZIP"), which every program
reads. Half floats or single ones, and integers, go by each channel's type.

Source: Academy Software Foundation, "OpenEXR File Layout", https://openexr.com/en/latest/OpenEXRFileLayout.html, and
"Technical Introduction to OpenEXR" for how bytes are told apart before deflate.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

_MAGIC, _VERSION, _LONG_NAMES = 20000630, 2, 0x400
_SHORT_NAME = 31  # bytes, up to which every reader takes a name
_ZIP, _ROWS = 3, 16
_TYPES = {np.dtype(np.uint32): 0, np.dtype(np.float16): 1, np.dtype(np.float32): 2}
_LEVEL = 4  # of deflate, which is what the library OpenEXR takes


class RowWriter:
    """Writes a picture of `size` (width, height) with `channels`, their types by name, into a seekable file.

    `texts` become attributes of the header. A channel's layer stands before the last dot of its name.
    """

    def __init__(
        self,
        file: BinaryIO,
        size: tuple[int, int],
        channels: Mapping[str, type[np.generic]],
        texts: Mapping[str, str],
    ) -> None:
        self._file, self._size = file, size
        self._channels = {name: np.dtype(channels[name]) for name in sorted(channels)}  # as the format wants them
        file.write(self._header(texts))
        self._table = file.tell()
        self._places: list[int] = []
        file.write(bytes(8 * -(-size[1] // _ROWS)))
        self._waiting: dict[str, NDArray[Any]] = {
            name: np.empty((0, size[0]), kind) for name, kind in self._channels.items()
        }
        self._row = 0

    def write(self, rows: Mapping[str, NDArray[Any]]) -> None:
        """Write the next rows of every channel, [row, column]; with the last ones the file is whole."""
        self._waiting = {
            name: np.concatenate([self._waiting[name], np.asarray(rows[name], kind)])
            for name, kind in self._channels.items()
        }
        count = len(next(iter(self._waiting.values())))
        last = self._row + count == self._size[1]
        whole = count if last else count - count % _ROWS
        for first in range(0, whole, _ROWS):
            self._put({name: each[first : first + _ROWS] for name, each in self._waiting.items()})
        self._waiting = {name: each[whole:] for name, each in self._waiting.items()}
        if last:
            self._file.seek(self._table)
            self._file.write(struct.pack(f"<{len(self._places)}Q", *self._places))
            self._file.seek(0, 2)

    def _put(self, rows: Mapping[str, NDArray[Any]]) -> None:
        """Write one chunk: of each row all channels in their order, packed where that is shorter."""
        count = len(next(iter(rows.values())))
        lines = np.concatenate(
            [each.astype(each.dtype.newbyteorder("<")).view(np.uint8).reshape(count, -1) for each in rows.values()],
            axis=1,
        )
        plain = lines.tobytes()
        packed = zlib.compress(_told_apart(lines.reshape(-1)).tobytes(), _LEVEL)
        data = packed if len(packed) < len(plain) else plain
        self._places.append(self._file.tell())
        self._file.write(struct.pack("<ii", self._row, len(data)) + data)
        self._row += count

    def _header(self, texts: Mapping[str, str]) -> bytes:
        width, height = self._size
        listed = b"".join(
            _text(name) + struct.pack("<iIii", _TYPES[kind], 0, 1, 1) for name, kind in self._channels.items()
        )
        box = struct.pack("<4i", 0, 0, width - 1, height - 1)
        attributes = (
            ("channels", "chlist", listed + b"\0"),
            ("compression", "compression", bytes([_ZIP])),
            ("dataWindow", "box2i", box),
            ("displayWindow", "box2i", box),
            ("lineOrder", "lineOrder", bytes([0])),
            ("pixelAspectRatio", "float", struct.pack("<f", 1)),
            ("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0)),
            ("screenWindowWidth", "float", struct.pack("<f", 1)),
            *((name, "string", value.encode()) for name, value in texts.items()),
        )
        long = any(len(name.encode()) > _SHORT_NAME for name in (*self._channels, *texts))
        told = b"".join(
            _text(name) + _text(kind) + struct.pack("<i", len(data)) + data for name, kind, data in attributes
        )
        return struct.pack("<iI", _MAGIC, _VERSION | (_LONG_NAMES if long else 0)) + told + b"\0"


def _text(name: str) -> bytes:
    return name.encode() + b"\0"


def _told_apart(found: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the bytes of even places before those of odd ones, each as its difference to the one before, plus 128."""
    halves = np.concatenate([found[0::2], found[1::2]])
    steps = halves.copy()
    steps[1:] -= halves[:-1]
    steps[1:] += np.uint8(128)
    return steps
