"""The land's border as it lies in the picture."""

from __future__ import annotations

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.projection import Pixel, Size, project

_STEPS = 96  # along a side: a few pixels each in a picture of the whole land


def outline(camera: Camera, size: Size, field: HeightField, exaggeration: float = 1.0) -> tuple[Pixel | None, ...]:
    """Return the pixels that show the border of `field`, drawn so many times as high, once around and closed.

    None stands for a place behind the eye.
    """
    rows, columns = field.rows, field.columns
    first_row, last_row, first_column, last_column = np.split(field.border, np.cumsum([columns, columns, rows]))
    along_x, along_z = (np.linspace(0, side - 1, min(side, _STEPS + 1)).round().astype(int) for side in (columns, rows))
    sides = (
        (along_x, 0 * along_x, first_row[along_x]),
        (0 * along_z + columns - 1, along_z, last_column[along_z]),
        (along_x[::-1], 0 * along_x + rows - 1, last_row[along_x[::-1]]),
        (0 * along_z, along_z[::-1], first_column[along_z[::-1]]),
    )
    column, row, height = np.concatenate([np.array(side, np.float64) for side in sides], axis=1)
    places = np.stack([column * field.cell_size[1], exaggeration * height, row * field.cell_size[0]], axis=-1)
    return tuple(project(camera, size, place) for place in places)
