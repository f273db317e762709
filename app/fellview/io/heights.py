"""Height maps out, of each format that `heightmaps` writes, with a sidecar that says what the numbers mean.

North is +z. A picture, and what is read as one, begins with its northernmost row, as it is seen from above; .npy is the
height field as it is, whose row 0 lies at z = 0 in the south, and Unity's .raw begins there, too. Columns run along x,
to the east. Real numbers are metres; words run over the land's own range of heights, or over one that is given.

A cell's height is that of one place: cell r of n lies at r/n of the land, and the first and the last height (n − 1)
cells apart. `size_m` is the land's, `span_m` that from the first height to the last, which programs that put a corner
on each height go by.
"""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fellview.core.errors import InputError, named, quoted
from fellview.core.height_field import HeightField
from fellview.heightmaps import registry, sidecar
from fellview.heightmaps.encoding import REAL, Encoding
from fellview.heightmaps.georeference import LOCAL, Georeference
from fellview.heightmaps.height_format import HeightFormat, Raster
from fellview.io.atomic import writing_together
from fellview.terrain.pipeline.pipeline import FIELDS
from fellview.terrain.step import HEIGHT

OWN: tuple[float, float] = (np.inf, -np.inf)
"""Stands for a land's own range of heights."""

_ROWS = {"north": "the last row at z = 0, rows against z", "south": "row 0 at z = 0, rows along z"}
_NO_DATA = (-9999.0, -999_999.0)  # the usual one, and one for land that reaches down there


@dataclass(frozen=True)
class Options:
    """How heights are written. `bits` a number, 0 for what the format writes first.

    `range` are the heights in metres that the lowest and the highest number stand for, `OWN` for the land's own;
    without one real numbers are metres, and words have the land's own. `sea_level` in metres is told in the sidecar.
    `channel` is what a format that has names calls the heights.
    """

    bits: int = 0
    range: tuple[float, float] | None = None
    sea_level: float | None = None
    georeference: Georeference = LOCAL
    channel: str = "Y"


USUAL = Options()


def height_range(text: str) -> tuple[float, float]:
    """Return the range that ``LOW:HIGH`` in metres or ``own`` names; `InputError` where `text` is none."""
    if text == "own":
        return OWN
    low, _, high = text.partition(":")
    try:
        found = float(low), float(high)
    except ValueError:
        raise InputError(f"range = {quoted(text)}: expected LOW:HIGH in metres, or own") from None
    Encoding(REAL, found)  # which refuses what is no range
    return found


def require_georeference(of_format: HeightFormat, place: Georeference) -> None:
    """Raise `InputError` where `place` is in a system of coordinates that the format has no room for."""
    if place.epsg and not of_format.georeferenced:
        raise InputError(
            f"crs = EPSG:{place.epsg}: {of_format.title} has no room for it; expected GeoTIFF, .tif, or none"
        )


def encoding(of_format: HeightFormat, field: HeightField, options: Options) -> Encoding:
    """Return how the heights of `field` are written; `InputError` where the format cannot do it."""
    require_georeference(of_format, options.georeference)
    bits = options.bits or of_format.bits[0]
    if bits not in of_format.bits:
        told = " or ".join(map(str, of_format.bits))
        raise InputError(f"bits = {bits}: {of_format.title} is written with {told} bits a number")
    chosen = options.range
    if chosen == OWN or (chosen is None and bits != REAL):
        chosen = field.height_range
    return Encoding(bits, chosen)


def export(
    path: Path, field: HeightField, recipe: str, mask: str = "", options: Options = USUAL
) -> tuple[Encoding, list[str]]:
    """Write the heights of `field` to `path` by its suffix, or its mask of that name, and the sidecar; both or neither.

    Returns how they were encoded, and remarks for a person. `InputError` where the land has no such mask, or the format
    no such numbers.
    """
    of_format, write = registry.writer(path)
    if mask and mask not in field.masks:
        raise InputError(f"mask = {named(mask)}: this land has none; expected one of {', '.join(field.masks)}")
    values = dataclasses.replace(field, heights=field.masks[mask]) if mask else field
    coded = encoding(of_format, values, options)
    numbers = coded.encoded(values.heights)
    raster = Raster(
        numbers[::-1] if of_format.first_row == "north" else numbers,
        field.cell_size,
        next((one for one in _NO_DATA if one < values.height_range[0]), -float(np.finfo(np.float32).max)),
        mask or options.channel,
        options.georeference,
    )
    facts = _facts(of_format, values, coded, mask, None if mask else options.sea_level)
    # the sidecar first: a pair of which only one was replaced is then known by a fingerprint that is not the file's
    with writing_together(sidecar.path_of(path), path) as (beside, file):
        write(file, raster)
        file.seek(0)
        facts |= {"recipe": recipe, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
        beside.write(sidecar.encoded(facts))
    return coded, [] if mask else coded.remarks(values.heights, field.cell_size)


def _facts(
    of_format: HeightFormat, field: HeightField, coded: Encoding, mask: str, sea_level: float | None
) -> dict[str, Any]:
    """Return what the sidecar says of the numbers, but for the file's fingerprint and the recipe."""
    low, high = coded.range or field.height_range
    if mask:
        of_mask = FIELDS[mask]
        what: dict[str, Any] = {"mask": mask, "unit": of_mask.unit, "description": of_mask.description}
        what |= {"categorical": of_mask.categorical, "minimum": low, "maximum": high}
    else:
        lowest, highest = field.height_range
        what = {"unit": HEIGHT.unit, "minimum_m": low, "maximum_m": high, "lowest_m": lowest, "highest_m": highest}
    if sea_level is not None:
        what |= {"sea_level_m": sea_level, "sea_level_number": coded.number(sea_level)}
    along_z, along_x = field.cell_size
    size_z, size_x = field.size
    first, last = (0.0, coded.most) if coded.range else (low, high)
    return {
        "format": of_format.numbers(coded.bits),
        "bits": coded.bits,
        "rows": field.rows,
        "columns": field.columns,
        **what,
        "minimum_number": first,
        "maximum_number": last,
        "cell_size_x_m": along_x,
        "cell_size_z_m": along_z,
        "size_x_m": size_x,
        "size_z_m": size_z,
        "span_x_m": (field.columns - 1) * along_x,
        "span_z_m": (field.rows - 1) * along_z,
        "first_row": of_format.first_row,
        "orientation": f"{_ROWS[of_format.first_row]}, columns along x; left-handed, y up, z to the north",
    }
