"""Pictures as files, written some rows after the other: PNG, which carries its recipe, JPEG, WebP and OpenEXR.

PNG and OpenEXR take the memory of some rows, whatever their size. Pillow has no JPEG and no WebP by rows: the picture
is held in memory until its end, three bytes a pixel, or four with alpha.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fellview.core import exr, png
from fellview.core.errors import InputError
from fellview.io import pictures
from fellview.io.atomic import told_of, writing

Size = tuple[int, int]
"""Width and height in pixels."""

Pixels = NDArray[np.uint8]
"""[row, column, rgba]."""

_Rows = TypeVar("_Rows")

EXR = ".exr"
_PNG = ".png"
_OF_PILLOW: Mapping[str, tuple[str, int, Mapping[str, Any]]] = {
    # JPEG's colours are as fine as its light, or red edges would bleed
    ".jpg": ("JPEG", 65_535, {"quality": 95, "subsampling": 0}),
    ".jpeg": ("JPEG", 65_535, {"quality": 95, "subsampling": 0}),
    ".webp": ("WEBP", 16_383, {"quality": 95}),
}
"""The format's name, most pixels a side, and how it is saved, by suffix."""

SUFFIXES = (_PNG, *_OF_PILLOW, EXR)


def require(path: Path, size: Size, *, transparent: bool = False) -> None:
    """Raise `InputError` where a picture of `size` cannot be written to `path`: by its suffix, or for its size."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"{path}: {path.suffix or 'no suffix'}: expected .png, which carries the recipe, or one of"
            f" {', '.join(SUFFIXES[1:])}"
        )
    name, most, _ = _OF_PILLOW.get(suffix, ("", max(size), {}))
    if max(size) > most:
        raise InputError(
            f"--size {size[0]}x{size[1]}: {suffix} has at most {most:,} pixels a side; .png and .exr have more"
        )
    if transparent and name == "JPEG":
        raise InputError(f"{path}: {suffix} is never transparent; expected .png, .webp or .exr")


def carries_recipe(path: Path) -> bool:
    """Return whether a picture at `path` opens as its scene."""
    return path.suffix.lower() == _PNG


@contextmanager
def rows_of_colours(
    path: Path, size: Size, recipe: str, taken: str = "", *, transparent: bool = False
) -> Iterator[Callable[[Pixels], None]]:
    """Give what writes the next rows of the picture at `path`, which takes its place when the block ends well.

    A PNG has the `recipe` inside and how it was `taken`. `InputError` where it cannot be written, or takes more memory
    than there is.
    """
    channels = 4 if transparent else 3
    with writing(path) as file:
        if carries_recipe(path):
            writer = png.RowWriter(file, size, channels, pictures.text_chunks(recipe, taken))
            yield _naming(path, lambda pixels: writer.write(pixels[..., :channels]))
            return
        from PIL import Image

        name, _, options = _OF_PILLOW[path.suffix.lower()]
        try:
            whole = np.empty((size[1], size[0], channels), np.uint8)
            filled = 0

            def write(pixels: Pixels) -> None:
                nonlocal filled
                whole[filled : filled + len(pixels)] = pixels[..., :channels]
                filled += len(pixels)

            yield write
            Image.fromarray(whole).save(file, name, **options)
        except MemoryError:
            told = f"{size[0]}x{size[1]}: takes more memory than there is"
            raise InputError(f"{path}: {told}; .png takes that of some rows") from None


@contextmanager
def rows_of_channels(
    path: Path, size: Size, channels: Mapping[str, type[np.generic]], recipe: str
) -> Iterator[Callable[[Mapping[str, NDArray[Any]]], None]]:
    """Do the same for an OpenEXR picture of `channels`, their types by name."""
    with writing(path) as file:
        yield _naming(path, exr.RowWriter(file, size, channels, {pictures.RECIPE_KEY: recipe}).write)


def _naming(path: Path, write: Callable[[_Rows], None]) -> Callable[[_Rows], None]:
    """Return `write`, which names `path` where that cannot be written; several files may be written at a time."""

    def named(rows: _Rows) -> None:
        with told_of(path):
            write(rows)

    return named
