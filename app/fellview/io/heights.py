"""Height maps out, of each format that `heightmaps` writes, with a sidecar that says what the numbers mean.

North is +z. A picture, and what is read as one, begins with its northernmost row, as it is seen from above; .npy is the
height field as it is, whose row 0 lies at z = 0 in the south. Columns run along x, to the east. The 16-bit formats map
the lowest height to 0 and the highest to 65535; a flat field is all 0.
"""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path

from fellview.core.errors import InputError, named
from fellview.core.height_field import HeightField
from fellview.heightmaps import registry, sidecar
from fellview.io.atomic import writing_together
from fellview.terrain.pipeline.pipeline import FIELDS
from fellview.terrain.step import HEIGHT

_ROWS = {"north": "the last row at z = 0, rows against z", "south": "row 0 at z = 0, rows along z"}


def export(path: Path, field: HeightField, recipe: str, mask: str = "") -> None:
    """Write the heights of `field` to `path` by its suffix, or its mask of that name, and the sidecar; both or neither.

    `InputError` where the land has no such mask.
    """
    of_format, write = registry.writer(path)
    if mask and mask not in field.masks:
        raise InputError(f"mask = {named(mask)}: this land has none; expected one of {', '.join(field.masks)}")
    values = dataclasses.replace(field, heights=field.masks[mask]) if mask else field
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
        "format": of_format.numbers,
        "rows": field.rows,
        "columns": field.columns,
        **what,
        "cell_size_x_m": field.cell_size[1],
        "cell_size_z_m": field.cell_size[0],
        "first_row": of_format.first_row,
        "orientation": f"{_ROWS[of_format.first_row]}, columns along x; left-handed, y up, z to the north",
        "recipe": recipe,
    }
    # the sidecar first: a pair of which only one was replaced is then known by a fingerprint that is not the file's
    with writing_together(sidecar.path_of(path), path) as (beside, file):
        write(file, values)
        file.seek(0)
        facts["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
        beside.write(sidecar.encoded(facts))
