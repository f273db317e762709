"""Files from outside: every one is opened here, and this table says what is read of which.

Whoever names a file, a person, a recipe or a picture that someone sent, may name a device, a pipe on which nobody
writes, or a file of any size. Only regular files are opened, without waiting, and no more is read than is stated. A
picture goes to the decoders in its row and to no other: Pillow alone would hand it to any of some forty, Ghostscript
among them. A format that joins a row joins it with its cases in the tests of foreign files.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fellview.core import png
from fellview.core.errors import InputError

# Pillow is imported with the first picture: recipes and heights are read without it
if TYPE_CHECKING:
    from PIL import Image

PICTURE_FORMATS = ("PNG", "TIFF", "JPEG", "WEBP", "GIF", "BMP")
"""The formats of pictures that are read, by Pillow's names."""

IN_TIFF = ("raw", "packbits", "tiff_lzw", "tiff_deflate", "tiff_adobe_deflate", "zstd", "jpeg")
"""What a TIFF may be packed with, of the dozens that libtiff has: without loss, and what cameras write."""

_MB = 1_000_000


@dataclass(frozen=True)
class Kind:
    """What a foreign file is to be: `name` for a person, at most `most_bytes` long.

    A picture is of one of `formats`, at most `most_a_side` pixels wide and high and of `most_pixels` in all. `others`
    are formats of pictures that Pillow does not read.
    """

    name: str
    most_bytes: int
    formats: tuple[str, ...] = ()
    most_a_side: int = 0
    most_pixels: int = 0
    others: tuple[str, ...] = ()

    @property
    def accepted(self) -> str:
        """What is accepted, in words, for error messages."""
        return f"{self.name} of at most {self.most_bytes / _MB:,.10g} MB"

    @property
    def accepted_formats(self) -> str:
        """The same for a picture."""
        told = [f"TIFF ({', '.join(IN_TIFF)})" if name == "TIFF" else name for name in self.formats]
        return f"{self.name} in {' or '.join(told)}"


_LAND_SIDE = 13_000  # cells: 676 MB of heights, and a picture of 16 bits of 338 MB
_MAP_SIDE = 4 * _LAND_SIDE  # cells of a map that is read part by part, and kept as means of up to 4 × 4

RECIPE = Kind("a recipe", _MB)
PROJECT = Kind("a project", 20 * _MB)  # two hundred recipes, a few of which carry their height map
DECK = Kind("a deck", 20 * _MB)  # likewise
SHOTS = Kind("a list of shots", _MB)
FILM = Kind("a film", _MB)
SIDECAR = Kind("a sidecar", 4 * _MB)  # a recipe whose characters are half of them escaped, and a dozen numbers
PICTURE = Kind("a picture", 1200 * _MB, ("PNG",))  # of the largest saved, and of the largest land, uncompressed
_LAND_BYTES = 8 * _LAND_SIDE**2 + _MB  # of float64
HEIGHTS = Kind("a height map", _LAND_BYTES, ("PNG", "TIFF"), _MAP_SIDE, _LAND_SIDE**2, ("EXR",))
CARRIED = Kind("a height map in a recipe", 4 * _MB)
TEXTURE = Kind("a texture", 600 * _MB, ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP"), 16_384, _LAND_SIDE**2)


@contextlib.contextmanager
def opened(path: Path, kind: Kind) -> Iterator[BufferedReader]:
    """Open the regular file at `path`, or where a link there leads, for reading bytes.

    `InputError` names `path` where there is none, where it is no regular file or too long for its `kind`, and where
    reading fails inside the block.
    """
    # on Windows there is nothing to wait for by name, and text would be translated
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        _require_regular(path, kind, _status(path))  # before, for some devices act upon being opened
        descriptor = os.open(path, flags)
        with os.fdopen(descriptor, "rb") as file:
            _require_regular(path, kind, os.fstat(descriptor))
            yield file
    except OSError as fault:
        raise InputError(f"{path}: cannot be read: {fault.strerror or fault}") from None


def _status(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except ValueError:  # a NUL in it, or half of a character
        raise InputError(f"{path}: cannot be read: no name of a file") from None


def _require_regular(path: Path, kind: Kind, status: os.stat_result) -> None:
    what = next((name for is_one, name in _NO_FILES if is_one(status.st_mode)), "")
    if what or not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: cannot be read: is {what or 'no file'}; expected {kind.accepted}")
    if status.st_size > kind.most_bytes:
        raise InputError(f"{path}: {status.st_size:,} bytes: expected {kind.accepted}")


_NO_FILES = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def content(path: Path, kind: Kind) -> bytes:
    """Return the bytes of the file at `path`; `InputError` as `opened` has it."""
    with opened(path, kind) as file:
        found = file.read(kind.most_bytes + 1)  # files of the system's own tell no length
    if found is None:  # where the system would have to wait
        raise InputError(f"{path}: cannot be read: holds nothing yet; expected {kind.accepted}")
    if len(found) > kind.most_bytes:
        raise InputError(f"{path}: over {kind.most_bytes:,} bytes: expected {kind.accepted}")
    return found


def text(path: Path, kind: Kind) -> str:
    """Return the text of the file at `path`, in UTF-8 and with ends of lines as Python has them."""
    try:
        return content(path, kind).decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: cannot be read: not a text file; expected {kind.accepted}") from None


def picture(path: Path, kind: Kind) -> Image.Image:
    """Return the picture at `path`, decoded by one of its `kind`, whatever its suffix is.

    Its size is known to be accepted before anything is decoded. `InputError` names `path` and what is wrong with it.
    """
    from fellview.core import decoders

    with opened(path, kind) as file:
        image = decoders.recognized(file, kind.formats)
        if image is None:
            raise InputError(
                f"{path}: cannot be read: not a picture of a kind that is read here; expected {kind.accepted_formats}"
            )
        width, height = image.size
        if max(width, height) > kind.most_a_side or width * height > kind.most_pixels:
            raise InputError(
                f"{path}: {width} × {height} pixels: expected at most {kind.most_a_side} a side and"
                f" {kind.most_pixels // _MB} million"
            )
        try:
            image.load()
        except decoders.DAMAGED as fault:
            reason = getattr(fault, "strerror", None) or str(fault) or "damaged"
            raise InputError(f"{path}: cannot be read: {reason}; expected {kind.accepted_formats}") from None
    return image


def own_picture(path: Path) -> NDArray[Any]:
    """Return the pixels of a PNG that comes with Fellview, uint8 [row, column, rgb] or of grey uint16 [row, column].

    Where Pillow is missing it is read without, ten times as slowly.
    """
    if importlib.util.find_spec("PIL") is None:
        return png.decoded(content(path, TEXTURE))
    image = picture(path, TEXTURE)
    return np.asarray(image.convert("RGB") if image.mode == "P" else image)
