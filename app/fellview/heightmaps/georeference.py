"""Where a land lies on Earth, as GeoTIFF says it.

A cell's height is that of its middle, as a pixel that is an area has it: the corner that a file is tied to lies half a
cell to the west and north of the first height.

Source: OGC, GeoTIFF Standard 1.1 (19-008r4), https://docs.ogc.org/is/19-008r4/19-008r4.html, sections 7 and B.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fellview.core.errors import InputError

PIXEL_SCALE, TIEPOINT, GEO_KEYS, GEO_TEXTS = 33550, 33922, 34735, 34737
"""Tags of a GeoTIFF."""

_MODEL, _RASTER, _CITATION, _PROJECTED, _LINEAR_UNIT = 1024, 1025, 1026, 3072, 3076
_PROJECTED_MODEL, _AREA, _USER_DEFINED, _METRE = 1, 1, 32767, 9001
_LOCAL_NAME = "local metres|"
_PROJECTED_CODES = (1024, 32766)  # what GeoTIFF has room for beside its own 32767


@dataclass(frozen=True)
class Georeference:
    """A projected system of coordinates in metres by its EPSG code, 0 for local ones, and where the land lies in it.

    `east` and `north` are the coordinates of the land's south-western corner, its x = 0 and z = 0. `InputError` for a
    code that GeoTIFF has no room for.
    """

    epsg: int = 0
    east: float = 0.0
    north: float = 0.0

    def __post_init__(self) -> None:
        low, high = _PROJECTED_CODES
        if self.epsg and not low <= self.epsg <= high:
            raise InputError(f"crs = EPSG:{self.epsg}: expected a projected system in metres, EPSG:{low} to {high}")


LOCAL = Georeference()


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
