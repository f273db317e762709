"""Heights in the colours of Terrarium tiles: h = 256·red + green + blue/256 − 32768 metres.

A tile's place in the map of the world is in its name or its folders: zoom, column, row.

Source: Tilezen Joerd, "Terrarium" in docs/formats.md; OpenStreetMap, "Slippy map tilenames".
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.heightmaps import earth
from fellview.heightmaps.height_format import Numbers

_LOWEST_M, _HIGHEST_M = -12_000.0, 9_000.0  # a kilometre below the deepest sea, and just above Mount Everest
_ZERO_M = 32768
_TILE = re.compile(r"(?<!\d)(\d{1,2})[/_x-](\d{1,8})[/_x-](\d{1,8})$", re.ASCII)
_DEEPEST_ZOOM = 24


def numbers(path: Path, colours: NDArray[np.uint8]) -> Numbers:
    """Return the heights of `colours`, uint8 [row, column, rgb]; `InputError` where they are no land's."""
    heights = colours[..., :3].astype(np.float32) @ np.array([256, 1, 1 / 256], np.float32) - np.float32(_ZERO_M)
    low, high = float(heights.min()), float(heights.max())
    if not _LOWEST_M <= low <= high <= _HIGHEST_M:
        raise InputError(
            f"{path}: its pixels are colours, as Terrarium heights of {low:g} to {high:g} m; expected one channel of"
            f" grey, or Terrarium heights of {_LOWEST_M:g} to {_HIGHEST_M:g} m"
        )
    found = _TILE.search(path.with_suffix("").as_posix())
    zoom, row = (int(found[1]), int(found[3])) if found else (0, 0)
    if not found or not zoom <= _DEEPEST_ZOOM or not row < 2**zoom:
        told = "colours taken as Terrarium heights; no zoom/column/row in its name, so that its size is not known"
        return Numbers(heights, heights.dtype, on_earth=True, remark=told)
    cell = earth.tile_pixel_m(zoom, row, colours.shape[1])
    return Numbers(heights, heights.dtype, (cell, cell), on_earth=True, remark="colours taken as Terrarium heights")
