"""HGT of the Shuttle Radar Topography Mission: whole metres over one degree, big-endian, the northernmost row first.

The file's name has its south-western corner, and its outermost cells lie on the degree's edges.

Source: USGS, "SRTM Collection User Guide", LP DAAC.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.heightmaps import earth, parts
from fellview.heightmaps.height_format import HeightFormat, Numbers, require_shape

_CORNER = re.compile(r"([NS])(\d{2})[EW]\d{3}", re.IGNORECASE | re.ASCII)
_NO_DATA = -32768.0


def read(path: Path, facts: Mapping[str, Any]) -> Numbers:
    """Return the numbers of a file; its latitude is in its name, else it lies on the equator, with a remark."""
    kind = np.dtype(">i2")
    with foreign.opened(path, foreign.HEIGHTS) as file:
        length = os.fstat(file.fileno()).st_size
        side = math.isqrt(length // kind.itemsize)
        if side * side * kind.itemsize != length:
            raise InputError(f"{path}: {length:,} bytes: expected a square of two bytes a cell, such as 1201 × 1201")
        require_shape(path, (side, side))
        values = parts.from_file(path, file, kind, (side, side))
    named = _CORNER.search(path.stem)
    south = (int(named[2]) if named[1] in "Nn" else -int(named[2])) if named else -0.5
    along_meridian, along_parallel = earth.degree_m(south + 0.5)
    cell = along_meridian / (side - 1), along_parallel / (side - 1)
    remark = "" if named else "no latitude in its name, such as N46E007; taken as on the equator"
    return Numbers(values, np.dtype(np.int32), cell, _NO_DATA, on_earth=True, remark=remark)


FORMAT = HeightFormat("HGT", (".hgt",), "north", read)
