"""How much higher one land lies than another, place by place, in metres."""

from __future__ import annotations

from collections import ChainMap

import numpy as np
from numpy.typing import NDArray

from fellview.core import number_format
from fellview.core.height_field import HeightField, Heights

MASK = "height_difference"
"""The mask that carries it to what draws it: metres, above 0 where the land has risen."""


def height_difference(old: HeightField, new: HeightField) -> Heights:
    """Return in metres how much higher `new` is than `old` at each of its cells, float32 [row, column], read-only.

    Both lie with their first cells in one place, in true metres: cell r of n lies at r/n of the side. Between its cells
    `old` is bilinear, beyond its last ones level; where it does not reach, the difference is 0.
    """
    if old.heights.shape == new.heights.shape and old.cell_size == new.cell_size:
        apart = new.heights - old.heights
    else:
        rows, along_z, in_z = _places(old.rows, old.cell_size[0], new.rows, new.cell_size[0])
        columns, along_x, in_x = _places(old.columns, old.cell_size[1], new.columns, new.cell_size[1])
        upper, lower = old.heights[rows], old.heights[np.minimum(rows + 1, old.rows - 1)]
        strip = upper + (lower - upper) * along_z[:, None]
        left, right = strip[:, columns], strip[:, np.minimum(columns + 1, old.columns - 1)]
        apart = new.heights - (left + (right - left) * along_x)
        apart[~in_z] = 0
        apart[:, ~in_x] = 0
    apart.flags.writeable = False
    return apart


def _places(
    old_cells: int, old_m: float, new_cells: int, new_m: float
) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.bool_]]:
    """Return of each new cell along a side the old one before it, the share of the way on, and whether there is one."""
    places = np.arange(new_cells) * (new_m / old_m)
    inside = places < old_cells
    places = np.minimum(places, old_cells - 1)
    before = places.astype(np.intp)
    return before, (places - before).astype(np.float32), inside


def with_difference(old: HeightField, new: HeightField) -> HeightField:
    """Return `new` with the mask `MASK`, in which it is compared with `old`; its other masks are as they were."""
    return new.with_masks(ChainMap({MASK: height_difference(old, new)}, new.masks))  # type: ignore[arg-type]


def remark(old: HeightField, new: HeightField) -> str:
    """Return a line for a person where the lands are not of one size or grid; empty where they are."""
    if not np.allclose(old.size, new.size):
        sizes = f"{_size(old)} and {_size(new)}"
        return f"The lands are {sizes}: compared in true metres from one corner, where both are"
    if old.heights.shape != new.heights.shape:
        grids = f"{old.columns} × {old.rows} and {new.columns} × {new.rows} cells"
        return f"The lands have {grids}: compared on the grid of the second"
    return ""


def _size(field: HeightField) -> str:
    size_z, size_x = field.size
    return f"{number_format.number(size_x)} × {number_format.with_unit(size_z, 'm')}"
