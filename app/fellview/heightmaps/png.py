"""PNG of one channel: grey of 16 or 8 bits, the northernmost row first."""

from __future__ import annotations

from typing import BinaryIO

from fellview.heightmaps import picture
from fellview.heightmaps.height_format import HeightFormat, Raster


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster` as a picture of grey."""
    from PIL import Image

    Image.fromarray(raster.values).save(file, "PNG")


FORMAT = HeightFormat("PNG", (".png",), "north", picture.read, write, (16, 8), ", grey")
