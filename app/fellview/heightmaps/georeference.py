"""Where a land lies on Earth, as GeoTIFF says it.

A cell's height is that of its middle, as a pixel that is an area has it: the corner that a file is tied to lies half a
cell to the west and north of the first height.

Source: OGC, GeoTIFF Standard 1.1 (19-008r4), https://docs.ogc.org/is/19-008r4/19-008r4.html, sections 7 and B.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fellview.core.errors import InputError, quoted
from fellview.heightmaps import earth

PIXEL_SCALE, TIEPOINT, MATRIX, GEO_KEYS, GEO_NUMBERS, GEO_TEXTS = 33550, 33922, 34264, 34735, 34736, 34737
"""Tags of a GeoTIFF."""

_MODEL, _RASTER, _CITATION, _PROJECTED = 1024, 1025, 1026, 3072
_LINEAR_UNIT, _LINEAR_UNIT_M, _VERTICAL_UNIT = 3076, 3077, 4099
_PROJECTED_MODEL, _GEOGRAPHIC_MODEL, _AREA, _USER_DEFINED, _METRE = 1, 2, 1, 32767, 9001
_UNITS_M = {9001: 1.0, 9002: 0.3048, 9003: 1200 / 3937}
"""Metres of a metre, a foot and a US survey foot, by their EPSG codes."""

_WEB_MERCATOR = (3857, 3785)
_LEAST_CELL_M, _MOST_CELL_M = 1e-3, 1e5
_LARGEST_DEGREE_CELL = 0.1  # of files that do not say what they count in: no land has cells of less than 10 cm
_LOCAL_NAME = "local metres|"
_EPSG = re.compile(r"EPSG:(\d{1,6})", re.ASCII | re.IGNORECASE)
_PROJECTED_CODES = (1024, 32766)  # what GeoTIFF has room for beside its own 32767
_IN_DEGREES = (4258, 4267, 4269, 4283, 4326, 4490, 4979)  # WGS 84 and its like, which are taken for projected ones


@dataclass(frozen=True)
class Georeference:
    """A projected system of coordinates in metres by its EPSG code, 0 for local ones, and where the land lies in it.

    `east` and `north` are the coordinates of the land's south-western corner, its x = 0 and z = 0. `InputError` for a
    code that GeoTIFF has no room for, and for well-known systems that count in degrees.
    """

    epsg: int = 0
    east: float = 0.0
    north: float = 0.0

    def __post_init__(self) -> None:
        low, high = _PROJECTED_CODES
        if self.epsg and not low <= self.epsg <= high:
            raise InputError(f"crs = EPSG:{self.epsg}: expected a projected system in metres, EPSG:{low} to {high}")
        if self.epsg in _IN_DEGREES:
            told = "counts in degrees; expected a projected system in metres, such as EPSG:25832"
            raise InputError(f"crs = EPSG:{self.epsg}: {told}")


LOCAL = Georeference()


def named(crs: str, origin: str) -> Georeference:
    """Return the place that ``EPSG:25832`` and ``EAST,NORTH`` in metres name, each empty for none.

    `InputError` where a text is no such thing.
    """
    code = _EPSG.fullmatch(crs)
    if crs and code is None:
        raise InputError(f"crs = {quoted(crs)}: expected EPSG:N, such as EPSG:25832")
    east, _, north = (origin or "0,0").partition(",")
    try:
        corner = float(east), float(north)
    except ValueError:
        corner = math.nan, math.nan
    if not all(map(math.isfinite, corner)):
        raise InputError(f"origin = {quoted(origin)}: expected EAST,NORTH in metres")
    return Georeference(int(code[1]) if code else 0, *corner)


def tags(place: Georeference, rows: int, cell_size: tuple[float, float]) -> list[tuple[Any, ...]]:
    """Return the tags of a GeoTIFF of so many `rows` as tifffile takes them: code, type, count, value, once."""
    along_z, along_x = cell_size
    west, top = place.east - along_x / 2, place.north + (rows - 0.5) * along_z
    keys = [(_MODEL, 0, 1, _PROJECTED_MODEL if place.epsg else _USER_DEFINED), (_RASTER, 0, 1, _AREA)]
    texts = []
    if place.epsg:
        keys += [(_PROJECTED, 0, 1, place.epsg)]
    else:
        keys += [(_CITATION, GEO_TEXTS, len(_LOCAL_NAME), 0)]
        texts = [(GEO_TEXTS, "s", 0, _LOCAL_NAME, True)]
    keys += [(_LINEAR_UNIT, 0, 1, _METRE)]
    directory = [1, 1, 0, len(keys), *(number for key in keys for number in key)]
    return [
        (PIXEL_SCALE, "d", 3, (along_x, along_z, 0.0), True),
        (TIEPOINT, "d", 6, (0.0, 0.0, 0.0, west, top, 0.0), True),
        (GEO_KEYS, "H", len(directory), directory, True),
        *texts,
    ]


@dataclass(frozen=True)
class Lie:
    """How a file's cells lie on Earth: `cell_size` (along rows' order, along columns) in metres, where it is told.

    `height_m` is what a whole number of height is in metres, none where nothing says that they are heights. It is
    `on_earth` where the file says where there, in degrees or a named system: 0 is then the sea's level.
    """

    cell_size: tuple[float, float] | None = None
    height_m: float | None = None
    first_row: Literal["north", "south"] = "north"
    on_earth: bool = False


def lie(tags: Mapping[int, Sequence[float]], rows: int) -> Lie:
    """Return how the cells of a TIFF of so many `rows` lie, of what its `tags` say as numbers; in doubt nothing."""
    keys = _keys(tags)
    scale, tie, matrix = (tags.get(code, ()) for code in (PIXEL_SCALE, TIEPOINT, MATRIX))
    if len(scale) >= 2:
        across, down = scale[0], scale[1]
        top, left = (tie[4] + tie[1] * down, tie[3]) if len(tie) >= 6 else (math.nan, math.nan)
    elif len(matrix) >= 8:  # of a file that is turned, too: how long a step is stays
        across, down = math.hypot(matrix[0], matrix[4]), math.copysign(math.hypot(matrix[1], matrix[5]), -matrix[5])
        top, left = matrix[7], matrix[3]
    else:
        return Lie()
    model = keys.get(_MODEL, 0)
    middle = top - rows / 2 * down
    height_m = _UNITS_M.get(int(keys.get(_VERTICAL_UNIT, _METRE)), 1.0) if keys else None
    first_row: Literal["north", "south"] = "south" if down < 0 else "north"
    across, down = abs(across), abs(down)
    degrees = model == _GEOGRAPHIC_MODEL or (not model and in_degrees(across, left, top))
    if degrees:
        along_meridian, along_parallel = earth.degree_m(middle if math.isfinite(middle) else 0.0)
        down, across = down * along_meridian, across * along_parallel
        height_m = height_m or 1.0
    else:
        unit = keys.get(_LINEAR_UNIT, _METRE)
        metres = keys.get(_LINEAR_UNIT_M, 1.0) if unit == _USER_DEFINED else _UNITS_M.get(int(unit), 1.0)
        if keys.get(_PROJECTED) in _WEB_MERCATOR and abs(middle) < earth.WORLD_M:
            metres = earth.mercator_scale(middle)
        down, across = down * metres, across * metres
    fits = all(_LEAST_CELL_M <= one <= _MOST_CELL_M for one in (across, down))  # as NaN does not
    on_earth = degrees or keys.get(_PROJECTED, _USER_DEFINED) != _USER_DEFINED
    return Lie((down, across) if fits else None, height_m, first_row, on_earth)


def in_degrees(cell: float, west: float, north: float) -> bool:
    """Return whether a cell that says nothing of its unit counts in degrees, by its size and its place."""
    return abs(cell) < _LARGEST_DEGREE_CELL and abs(west) <= 360 and abs(north) <= 90


def _keys(tags: Mapping[int, Sequence[float]]) -> dict[int, float]:
    """Return the numbers of the keys in a GeoTIFF's directory; those that point nowhere are left out."""
    directory, numbers = tags.get(GEO_KEYS, ()), tags.get(GEO_NUMBERS, ())
    found = {}
    for at in range(4, len(directory) - 3, 4):
        key, place, _, value = (int(one) if math.isfinite(one) else -1 for one in directory[at : at + 4])
        if place == 0:
            found[key] = float(value)
        elif place == GEO_NUMBERS and 0 <= value < len(numbers) and math.isfinite(numbers[value]):
            found[key] = float(numbers[value])
    return found
