"""Pictures that carry their recipe: PNG files with the scene's text in a chunk."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from fellview import version
from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.io.atomic import writing

RECIPE_KEY = "fellview-recipe"
"""The keyword of the text chunk that holds the recipe."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 1_000_000  # a second's work; writers of many give each some kilobytes of pixels
_AT_ONCE = 1 << 20  # bytes
_END, _TEXTS = b"IEND", (b"iTXt", b"zTXt", b"tEXt")


def require_suffix(path: Path) -> None:
    """Raise `InputError` where `path` is no PNG file's name."""
    if path.suffix.lower() != ".png":
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected .png, which carries the recipe")


def save(path: Path, pixels: NDArray[np.uint8], recipe: str) -> None:
    """Write `pixels`, uint8 [row, column, rgba], as a PNG whose text chunk holds `recipe`."""
    from PIL import Image, PngImagePlugin

    require_suffix(path)
    chunks = PngImagePlugin.PngInfo()
    chunks.add_text("Software", f"Fellview {version.VERSION}")
    chunks.add_itxt(RECIPE_KEY, recipe, zip=True)
    with writing(path) as file:
        # alpha is 255 everywhere in a picture of land and sky
        Image.fromarray(np.ascontiguousarray(pixels[..., :3])).save(file, "PNG", pnginfo=chunks)


def has_recipe(path: Path) -> bool:
    """Return whether the picture at `path` carries a recipe; `InputError` where it is no picture."""
    return _recipe_text(path) is not None


def read_recipe(path: Path) -> str:
    """Return the recipe text inside the picture at `path`; `InputError` where there is none."""
    text = _recipe_text(path)
    if text is None:
        raise InputError(f"{path}: carries no recipe; expected a picture that Fellview saved")
    return text


def _recipe_text(path: Path) -> str | None:
    """Return the text of the first chunk of that keyword; nothing is decoded but that, and of that as much as allowed.

    All chunks are read up to the last one, which tells a whole picture from one that is cut off.
    """
    found = None
    with foreign.opened(path, foreign.PICTURE) as file:
        try:
            if file.read(len(_SIGNATURE)) != _SIGNATURE:
                raise ValueError
            for _ in range(_MOST_CHUNKS):
                kind, data = _chunk(file)
                if kind == _END:
                    return found
                if found is None and kind in _TEXTS and data.startswith(RECIPE_KEY.encode() + b"\0"):
                    found = _text(kind, data[len(RECIPE_KEY) + 1 :])
        except (ValueError, struct.error, zlib.error):
            pass
    raise InputError(
        f"{path}: cannot be read: truncated or not a PNG picture; expected a picture that Fellview saved, with a recipe"
        f" of at most {foreign.RECIPE.most_bytes:,} bytes"
    )


def _chunk(file: BinaryIO) -> tuple[bytes, bytes]:
    """Return the kind of the next chunk and its data, if text as much as a recipe can take; `ValueError` if damaged."""
    length, kind = struct.unpack(">I4s", file.read(8))
    kept, checksum = b"", zlib.crc32(kind)
    while length:
        part = file.read(min(length, _AT_ONCE))
        if not part:
            raise ValueError
        length -= len(part)
        checksum = zlib.crc32(part, checksum)
        if kind in _TEXTS and len(kept) <= foreign.RECIPE.most_bytes:
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
