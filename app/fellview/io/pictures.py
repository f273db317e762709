"""Pictures that carry their recipe: PNG files with the scene's text in a chunk."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from fellview import version
from fellview.core import foreign, png
from fellview.core.errors import InputError
from fellview.io.atomic import writing

RECIPE_KEY = "fellview-recipe"
"""The keyword of the text chunk that holds the recipe."""

TAKEN_KEY = "fellview-shot"
"""The keyword of the text chunk that tells how the picture was taken: all that is not its recipe's or its size."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 1_000_000  # a second's work; writers of many give each some kilobytes of pixels
_AT_ONCE = 1 << 20  # bytes
_HEAD, _END, _TEXTS = b"IHDR", b"IEND", (b"iTXt", b"zTXt", b"tEXt")


def require_suffix(path: Path) -> None:
    """Raise `InputError` where `path` is no PNG file's name."""
    if path.suffix.lower() != ".png":
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected .png, which carries the recipe")


def save(path: Path, pixels: NDArray[np.uint8], recipe: str, taken: str = "") -> None:
    """Write `pixels`, uint8 [row, column, rgba], as a PNG; alpha is left out.

    Text chunks hold `recipe` and how it was `taken`.
    """
    require_suffix(path)
    with writing(path) as file:
        _write(file, pixels, recipe, taken)


def to_bytes(pixels: NDArray[np.uint8], recipe: str, taken: str = "") -> bytes:
    """Return the PNG that `save` writes."""
    file = io.BytesIO()
    _write(file, pixels, recipe, taken)
    return file.getvalue()


def _write(file: BinaryIO, pixels: NDArray[np.uint8], recipe: str, taken: str = "") -> None:
    rows, columns = pixels.shape[:2]
    png.RowWriter(file, (columns, rows), 3, text_chunks(recipe, taken)).write(pixels[..., :3])


def text_chunks(recipe: str, taken: str = "") -> list[tuple[bytes, bytes]]:
    """Return kinds and data of the chunks that tell a picture's `recipe` and how it was `taken`."""
    compressed, plain, unsaid = b"\1\0", b"\0\0", b"\0\0"  # flag and method; no language, and so no keyword in it
    chunks = [
        (b"tEXt", f"Software\0Fellview {version.VERSION}".encode("latin-1")),
        (b"iTXt", RECIPE_KEY.encode() + b"\0" + compressed + unsaid + zlib.compress(recipe.encode())),
    ]
    if taken:
        chunks.append((b"iTXt", TAKEN_KEY.encode() + b"\0" + plain + unsaid + taken.encode()))
    return chunks


def has_recipe(path: Path) -> bool:
    """Return whether the picture at `path` carries a recipe; `InputError` where it is no picture."""
    return _texts(path)[0] is not None


def read_recipe(path: Path) -> str:
    """Return the recipe text inside the picture at `path`; `InputError` where there is none."""
    text = _texts(path)[0]
    if text is None:
        raise InputError(f"{path}: carries no recipe; expected a picture that Fellview saved")
    return text


def read_taken(path: Path) -> tuple[tuple[int, int], str]:
    """Return width and height of the picture at `path`, and what it tells of how it was taken, which may be "".

    `InputError` where it is no picture.
    """
    _, taken, size = _texts(path)
    return size, taken or ""


def _texts(path: Path) -> tuple[str | None, str | None, tuple[int, int]]:
    """Return recipe and how the picture was taken, the text of the first chunk of each keyword, and its size.

    Nothing is decoded but that, and of that as much as allowed.

    All chunks are read up to the last one, which tells a whole picture from one that is cut off.
    """
    found: dict[str, str] = {}
    size = (0, 0)
    with foreign.opened(path, foreign.PICTURE) as file:
        try:
            if file.read(len(_SIGNATURE)) != _SIGNATURE:
                raise ValueError
            for _ in range(_MOST_CHUNKS):
                kind, data = _chunk(file)
                if kind == _END:
                    return found.get(RECIPE_KEY), found.get(TAKEN_KEY), size
                if kind == _HEAD:
                    size = struct.unpack(">II", data[:8])
                for key in (RECIPE_KEY, TAKEN_KEY):
                    if key not in found and kind in _TEXTS and data.startswith(key.encode() + b"\0"):
                        found[key] = _text(kind, data[len(key) + 1 :])
        except (ValueError, struct.error, zlib.error):
            pass
    raise InputError(
        f"{path}: cannot be read: truncated or not a PNG picture; expected a picture that Fellview saved, with a recipe"
        f" of at most {foreign.RECIPE.most_bytes:,} bytes"
    )


def _chunk(file: BinaryIO) -> tuple[bytes, bytes]:
    """Return the kind of the next chunk and its data, of text and the head as much as a recipe can take.

    Of others it is empty. `ValueError` where the chunk is damaged.
    """
    length, kind = struct.unpack(">I4s", file.read(8))
    kept, checksum = b"", zlib.crc32(kind)
    while length:
        part = file.read(min(length, _AT_ONCE))
        if not part:
            raise ValueError
        length -= len(part)
        checksum = zlib.crc32(part, checksum)
        if kind in (_HEAD, *_TEXTS) and len(kept) <= foreign.RECIPE.most_bytes:
            kept += part
    if struct.unpack(">I", file.read(4)) != (checksum,):
        raise ValueError
    return kind, kept


def _text(kind: bytes, data: bytes) -> str:
    """Return what a text chunk says behind its keyword; `ValueError` where it is damaged or longer than a recipe."""
    zipped = kind == b"zTXt"
    if kind == b"iTXt":  # flag, method, language, keyword in that language
        zipped = data[0:1] == b"\1"
        data = data[2:].split(b"\0", 2)[2] if data.count(b"\0", 2) > 1 else b""
    elif zipped:
        data = data[1:]  # method
    if zipped:
        unzip = zlib.decompressobj()
        data = unzip.decompress(data, foreign.RECIPE.most_bytes + 1)
        if not unzip.eof:
            raise ValueError
    if len(data) > foreign.RECIPE.most_bytes:
        raise ValueError
    return data.decode("utf-8" if kind == b"iTXt" else "latin-1")
