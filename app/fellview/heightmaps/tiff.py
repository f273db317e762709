"""TIFF of one channel, GeoTIFF among them: float32 or 16-bit words, the northernmost row first."""

from __future__ import annotations

import io
from typing import BinaryIO

import numpy as np

from fellview.heightmaps import georeference, picture
from fellview.heightmaps.height_format import HeightFormat, Raster

_ROWS_A_STRIP = 64  # a strip is unpacked at once: 2 MB of the widest land
_GDAL_NO_DATA = 42113


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster` with the tags of a GeoTIFF, packed without loss."""
    import tifffile

    tags = georeference.tags(raster.georeference, raster.values.shape[0], raster.cell_size)
    if raster.values.dtype.kind == "f":
        tags.append((_GDAL_NO_DATA, "s", 0, f"{raster.no_data:g}", True))
    content = io.BytesIO()  # tifffile takes no file that is known by its number alone
    tifffile.imwrite(
        content,
        np.ascontiguousarray(raster.values),
        photometric="minisblack",
        compression="zlib",
        rowsperstrip=_ROWS_A_STRIP,
        metadata=None,
        software="Fellview",
        extratags=tags,
    )
    file.write(content.getbuffer())


FORMAT = HeightFormat("TIFF", (".tif", ".tiff"), "north", picture.read, write, (32, 16), ", a GeoTIFF of one channel")
