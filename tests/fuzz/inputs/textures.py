"""Textures of one's own."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
from PIL import Image

from fellview.draw.ground import ground_textures
from tests.fuzz import damage
from tests.fuzz.inputs.height_maps import tiff_bytes
from tests.fuzz.inputs.kind import Bytes, Kind, placed
from tests.fuzz.inputs.pictures import foreign, picture_bytes, pixels, saved


def _of(name: str) -> Bytes:
    """Return what makes pictures of the format that Pillow calls `name`, whole or damaged."""

    def made(random: Random) -> bytes:
        image = Image.fromarray(pixels(random)[..., :3].copy())
        content = saved(random.choice((image, image.convert("L"), image.resize((1, 1)))), name)
        return content if random.random() < 0.3 else damage.damaged(random, content)

    return made


TEXTURE_FILES: dict[str, Bytes] = {
    "PNG": picture_bytes,
    "JPEG": _of("JPEG"),
    "TIFF": tiff_bytes,
    "WEBP": _of("WEBP"),
    "GIF": _of("GIF"),
    "BMP": _of("BMP"),
}
"""By the formats' names: what makes a picture of that format, whole or damaged."""


def _make_texture(random: Random, folder: Path) -> Path:
    path = folder / f"rock{random.choice(('.png', '.jpg', '.gif', '.tif', '.eps', '.psd'))}"
    makers = (*TEXTURE_FILES.values(), foreign)
    placed(random, path, lambda: random.choice(makers)(random))
    return path


def _read_texture(path: Path, folder: Path) -> list[str]:
    for found in ground_textures.found(str(folder)).values():
        layer = ground_textures.read(found)
        assert layer.shape == (ground_textures.SIZE, ground_textures.SIZE, 3) and layer.dtype == np.uint8
    return []


KINDS: dict[str, Kind] = {
    "texture": Kind(_make_texture, _read_texture),
}
