"""Pictures of one channel as height maps, whatever format they are in."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.heightmaps.height_format import Numbers, require_shape

if TYPE_CHECKING:
    from PIL import Image

_PIXEL_SCALE, _NO_DATA = 33550, 42113  # tags of GeoTIFF and GDAL


def read(path: Path, facts: Mapping[str, Any]) -> Numbers:
    """Return the one channel of a picture, the size of its cells and the value that stands for none."""
    image = foreign.picture(path, foreign.HEIGHTS)
    if len(image.getbands()) != 1 or image.mode in ("P", "1"):
        raise InputError(f"{path}: its pixels are {image.mode}; expected one channel of grey")
    require_shape(path, (image.height, image.width))
    scale = _tag(image, _PIXEL_SCALE)
    # degrees are no metres: GeoTIFFs in them have cells far under a tenth
    apart = len(scale) > 1 and all(math.isfinite(one) and one >= 0.1 for one in scale[:2])
    empty = _tag(image, _NO_DATA)
    return Numbers(np.asarray(image), (scale[1], scale[0]) if apart else None, empty[0] if empty else None)


def _tag(image: Image.Image, tag: int) -> list[float]:
    """Return what a TIFF says under `tag` as numbers, of whatever type it wrote them; none where they are none."""
    try:
        told = getattr(image, "tag_v2", {}).get(tag)
        each = told if isinstance(told, tuple) else (told,)
        return [float(one.strip("\0 ") if isinstance(one, str) else one) for one in each]
    except (TypeError, ValueError, ArithmeticError, LookupError, struct.error):
        return []
