"""Height maps out: .npy, 16-bit .png and .r16, each with a sidecar that says what the numbers mean.

North is +z. A picture, and what is read as one, begins with its northernmost row, as it is seen from above; .npy is the
height field as it is, whose row 0 lies at z = 0 in the south. Columns run along x, to the east. The 16-bit formats map
the lowest height to 0 and the highest to 65535; a flat field is all 0.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fellview.core.errors import InputError, named
from fellview.core.height_field import HeightField
from fellview.io.atomic import writing_together
from fellview.terrain.pipeline.pipeline import FIELDS
from fellview.terrain.step import HEIGHT

_LARGEST = 65535


def _sixteen_bits(field: HeightField) -> NDArray[np.uint16]:
    """Return the heights in 16 bits, the northernmost row first."""
    low, high = field.height_range
    span = (high - low) or 1.0
    return np.rint((field.heights[::-1].astype(np.float64) - low) * (_LARGEST / span)).astype("<u2")


def _write_npy(file: BinaryIO, field: HeightField) -> None:
    np.save(file, field.heights, allow_pickle=False)


def _write_png(file: BinaryIO, field: HeightField) -> None:
    Image.fromarray(_sixteen_bits(field)).save(file, "PNG")


def _write_r16(file: BinaryIO, field: HeightField) -> None:
    file.write(_sixteen_bits(field).tobytes())


# what the numbers are, which row is the first, and what writes them
_WRITERS: dict[str, tuple[str, str, Callable[[BinaryIO, HeightField], None]]] = {
    ".npy": ("float32", "south", _write_npy),
    ".png": ("16-bit grey, minimum at 0 and maximum at 65535", "north", _write_png),
    ".r16": ("uint16 little-endian without a header, minimum at 0 and maximum at 65535", "north", _write_r16),
}
_ROWS = {"north": "the last row at z = 0, rows against z", "south": "row 0 at z = 0, rows along z"}

SUFFIXES = tuple(_WRITERS)
"""What heights can be written as."""


def require_suffix(path: Path) -> None:
    """Raise `InputError` where no height map is written by the suffix of `path`."""
    if path.suffix.lower() not in _WRITERS:
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected one of {', '.join(_WRITERS)}")


def sidecar_path(path: Path) -> Path:
    """Return where the sidecar of `path` stands: the whole name with .json behind it."""
    return path.with_name(path.name + ".json")


def export(path: Path, field: HeightField, recipe: str, mask: str = "") -> None:
    """Write the heights of `field` to `path` by its suffix, or its mask of that name, and the sidecar; both or neither.

    `InputError` where the land has no such mask.
    """
    require_suffix(path)
    if mask and mask not in field.masks:
        raise InputError(f"mask = {named(mask)}: this land has none; expected one of {', '.join(field.masks)}")
    values = dataclasses.replace(field, heights=field.masks[mask]) if mask else field
    format_text, first_row, write = _WRITERS[path.suffix.lower()]
    low, high = values.height_range
    if mask:
        what = {
            "mask": mask,
            "unit": FIELDS[mask].unit,
            "description": FIELDS[mask].description,
            "categorical": FIELDS[mask].categorical,
            "minimum": low,
            "maximum": high,
        }
    else:
        what = {"unit": HEIGHT.unit, "minimum_m": low, "maximum_m": high}
    facts = {
        "format": format_text,
        "rows": field.rows,
        "columns": field.columns,
        **what,
        "cell_size_x_m": field.cell_size[1],
        "cell_size_z_m": field.cell_size[0],
        "first_row": first_row,
        "orientation": f"{_ROWS[first_row]}, columns along x; left-handed, y up, z to the north",
        "recipe": recipe,
    }
    # the sidecar first: a pair of which only one was replaced is then known by a fingerprint that is not the file's
    with writing_together(sidecar_path(path), path) as (beside, file):
        write(file, values)
        file.seek(0)
        facts["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
        beside.write(json.dumps(facts, indent=2, ensure_ascii=False).encode() + b"\n")
