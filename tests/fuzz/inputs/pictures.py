"""Pictures that carry their recipe, and pictures of formats that are none of ours."""

from __future__ import annotations

import contextlib
import functools
import io
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from PIL import Image

from fellview.core.errors import InputError
from fellview.io import pictures
from tests.fuzz import damage
from tests.fuzz.inputs.kind import Kind, placed, with_neighbours
from tests.fuzz.inputs.recipe_files import read_scene, recipe_bytes, recipes


def pixels(random: Random) -> np.ndarray:
    return np.frombuffer(random.randbytes(16 * 12 * 4), np.uint8).reshape(12, 16, 4)


@functools.cache
def _picture(text: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        pictures.save(path, pixels(Random(1)), text)
        return path.read_bytes()


def saved(image: Image.Image, name: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, name, **options)
    return file.getvalue()


_FOREIGN = (
    "EPS",
    "GIF",
    "BMP",
    "WEBP",
    "ICO",
    "PPM",
    "JPEG",
    "JPEG2000",
    "PDF",
    "TIFF",
    "TGA",
    "PCX",
    "SGI",
    "DDS",
    "IM",
)
_LEADS = (
    b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n/loop {loop} def {} loop\n",
    b"\xc5\xd0\xd3\xc6" + b"\x20\0\0\0\x40\0\0\0" + b"\0" * 22 + b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
    b"8BPS\0\x01" + b"\0" * 6 + b"\0\x03\0\0\0\x20\0\0\0\x20\0\x08\0\x03" + b"\0" * 200,
    b"#define x_width 99999999\n#define x_height 99999999\nstatic char x_bits[] = {\n",
    b"P6\n99999 99999\n255\n",
    b"SIMPLE  =                    T" + b" " * 50 + b"END",
    b"\x89HDF\r\n\x1a\n" + b"\0" * 100,
    b"GRIB" + b"\0" * 100,
    b"BLP2" + b"\0" * 200,
    b"icns\0\0\0\x10" + b"\0" * 100,
)
"""The beginnings of formats that Pillow knows and Fellview does not."""


def foreign(random: Random) -> bytes:
    """Return a picture of a format that is none of ours, whole or damaged."""
    if random.random() < 0.4:
        return random.choice(_LEADS) + random.randbytes(random.choice((0, 100, 5000)))
    image = Image.fromarray(pixels(random)[..., :3].copy())
    try:
        content = saved(image, random.choice(_FOREIGN))
    except (OSError, KeyError):  # not every build of Pillow writes all of them
        content = saved(image, "GIF")
    return content if random.random() < 0.5 else damage.damaged(random, content)


def picture_bytes(random: Random) -> bytes:
    """Return a picture with its recipe, damaged."""
    way = random.randrange(10)
    if way < 2:
        return foreign(random)
    if way < 4:
        text = recipe_bytes(random).decode(errors="replace").replace("\0", "")
        return _picture.__wrapped__(text)
    content = _picture(random.choice(recipes()))
    return damage.damaged(random, content) if way < 6 else damage.png(random, content)


def _make_picture(random: Random, folder: Path) -> Path:
    with_neighbours(random, folder)
    path = folder / random.choice(("land.png", "land.png", "land.PNG", "a\nb.png"))
    placed(random, path, lambda: picture_bytes(random))
    return path


def _read_picture(path: Path, folder: Path) -> list[str]:
    with contextlib.suppress(InputError):
        pictures.has_recipe(path)
    return read_scene(path, folder)


KINDS: dict[str, Kind] = {
    "picture": Kind(_make_picture, _read_picture),
}
