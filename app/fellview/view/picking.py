"""What a ray from the eye meets on the ground."""

from __future__ import annotations

import numpy as np

from fellview.core.height_field import HeightField
from fellview.view.extent import Vector, extent


def height_at(field: HeightField, x: float, z: float) -> float:
    """Return the height in metres of the drawn ground at (x, z); outside the domain, that of its nearest edge."""
    return float(heights_at(field, np.array([x]), np.array([z]))[0])


def heights_at(field: HeightField, x: Vector, z: Vector) -> Vector:
    """Return the heights in metres of the drawn ground at the points `x`, `z` (n,); see `height_at`.

    The drawn triangles of a cell are (r c, r+1 c, r+1 c+1) and (r c, r+1 c+1, r c+1), and each is flat.
    """
    across = np.clip(np.asarray(x, np.float64) / field.cell_size[1], 0, field.columns - 1)
    along = np.clip(np.asarray(z, np.float64) / field.cell_size[0], 0, field.rows - 1)
    column = np.minimum(across.astype(np.intp), max(field.columns - 2, 0))
    row = np.minimum(along.astype(np.intp), max(field.rows - 2, 0))
    across -= column
    along -= row
    # the way from [r, c] to [r+1, c+1] goes by the triangle's own third corner: first along the larger step
    larger, smaller = np.maximum(across, along), np.minimum(across, along)
    by_row = along >= across
    next_row = np.minimum(row + 1, field.rows - 1)
    next_column = np.minimum(column + 1, field.columns - 1)
    rows = np.stack([row, np.where(by_row, next_row, row), next_row])
    columns = np.stack([column, np.where(by_row, column, next_column), next_column])
    corner, third, opposite = field.at(rows, columns).astype(np.float64)
    return corner + (third - corner) * larger + (opposite - third) * smaller


def hit(field: HeightField, origin: Vector, direction: Vector) -> Vector | None:
    """Return the first point (x, y, z) in metres where the ray meets the ground from above, or None.

    Ground met from beneath does not count: back faces are not drawn, so a person sees through them. `direction` need
    not be a unit vector.

    Over one triangle both ray and ground are straight, so their difference in height is a broken line whose knots lie
    where the ray, seen from above, crosses a row, a column or a diagonal of the grid. A 2048² field has at most some
    8,000 knots on a ray; all are evaluated at once, and the answer is exact. Rejected: marching by block maxima, which
    takes more code and a Python loop to save under a millisecond.
    """
    origin, direction = np.asarray(origin, np.float64), np.asarray(direction, np.float64)
    span = _span_in_box(field, origin, direction)
    if span is None:
        return None
    start, end = span
    across = (origin[0] / field.cell_size[1], direction[0] / field.cell_size[1])
    along = (origin[2] / field.cell_size[0], direction[2] / field.cell_size[0])
    diagonal = (across[0] - along[0], across[1] - along[1])
    crossings = [_whole_crossings(*line, start, end) for line in (across, along, diagonal)]
    knots = np.concatenate([[start], np.sort(np.concatenate(crossings)), [end]])
    points = origin + knots[:, np.newaxis] * direction
    above = points[:, 1] - heights_at(field, points[:, 0], points[:, 2])
    entries = np.flatnonzero((above[:-1] >= 0) & (above[1:] < 0))
    if not entries.size:
        return None
    first = entries[0]
    part = above[first] / (above[first] - above[first + 1])
    met: Vector = points[first] + part * (points[first + 1] - points[first])
    return met


def _span_in_box(field: HeightField, origin: Vector, direction: Vector) -> tuple[float, float] | None:
    """Return where the ray enters and leaves the land's box, as multiples of `direction`; None where it misses."""
    box = extent(field)
    # a flat land's box is as thin as a sheet: a little more on both sides lets the ray pass from above to below
    room = np.array([0.0, 1e-3 * (1 + box.high[1] - box.low[1]), 0.0])
    low, high = box.low - room, box.high + room
    start, end = 0.0, np.inf
    for axis in range(3):
        if direction[axis] == 0:
            if not low[axis] <= origin[axis] <= high[axis]:
                return None
            continue
        with np.errstate(over="ignore"):  # a ray as good as level meets its limit at infinity, which is right
            one, other = sorted((limit[axis] - origin[axis]) / direction[axis] for limit in (low, high))
        start, end = max(start, one), min(end, other)
    return (start, end) if start < end < np.inf else None


def _whole_crossings(offset: float, slope: float, start: float, end: float) -> Vector:
    """Return the places t between `start` and `end` at which `offset + slope·t` is a whole number, in any order."""
    if slope == 0:
        return np.empty(0)
    first, last = sorted((offset + slope * start, offset + slope * end))
    places: Vector = (np.arange(np.ceil(first), np.floor(last) + 1) - offset) / slope
    return np.clip(places, start, end)
