"""OpenEXR of one named channel: float32, the northernmost row first."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from fellview.core.errors import FellviewError
from fellview.heightmaps.height_format import HeightFormat, Raster


def _library() -> Any:
    """Return the module OpenEXR, which comes with an extra; `FellviewError` where it is missing."""
    try:
        import OpenEXR
    except ImportError:
        raise FellviewError(".exr: needs OpenEXR, which is not installed; pip install fellview[exr]") from None
    return OpenEXR


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster` as the one channel of its name."""
    exr = _library()
    header = {"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage}
    exr.File(header, {raster.channel: np.ascontiguousarray(raster.values)}).write(file)


FORMAT = HeightFormat("EXR", (".exr",), "north", write=write, layout=", one named channel")
