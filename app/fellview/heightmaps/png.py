"""PNG of one channel: 16-bit grey, the northernmost row first."""

from __future__ import annotations

from typing import BinaryIO

from fellview.core.height_field import HeightField
from fellview.heightmaps import picture
from fellview.heightmaps.height_format import HeightFormat, sixteen_bits


def write(file: BinaryIO, field: HeightField) -> None:
    """Write the heights of `field` as a picture of 16-bit grey."""
    from PIL import Image

    Image.fromarray(sixteen_bits(field)).save(file, "PNG")


FORMAT = HeightFormat("PNG", (".png",), "north", picture.read, write, "16-bit grey, minimum at 0 and maximum at 65535")
