"""Pictures of one channel as height maps, whatever format they are in; in colours, Terrarium's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.heightmaps import terrarium
from fellview.heightmaps.height_format import Numbers, require_shape


def read(path: Path, facts: Mapping[str, Any]) -> Numbers:
    """Return the numbers of a picture: its one channel, or the heights that its colours stand for."""
    image = foreign.picture(path, foreign.HEIGHTS)
    require_shape(path, (image.height, image.width))
    if image.mode in ("RGB", "RGBA"):
        return terrarium.numbers(path, np.asarray(image))
    if len(image.getbands()) != 1 or image.mode in ("P", "1"):
        raise InputError(f"{path}: its pixels are {image.mode}; expected one channel of grey")
    values = np.asarray(image)
    return Numbers(values, values.dtype)
