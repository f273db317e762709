"""Holes in height maps, filled from what is around them.

Means of 2 × 2 cells, of those that are there, make a coarser map with smaller holes, until none is left; then each
finer map takes into its holes what the coarser one has there, blended between its four nearest cells. So a hole is as
smooth as it is wide and meets its border.

Source: S. J. Gortler et al., "The Lumigraph" (1996), doi:10.1145/237170.237200, section 3.4: pull-push.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import Heights


def filled(values: Heights, missing: NDArray[np.bool_]) -> Heights:
    """Return `values` with heights in place of the `missing` ones, of which at least one is not."""
    levels = [np.where(missing, np.float32(np.nan), values)]
    while np.isnan(levels[-1]).any():
        levels.append(_coarser(levels[-1]))
    found = levels.pop()
    while levels:
        finer = levels.pop()
        holes = np.nonzero(np.isnan(finer))
        finer[holes] = _at(found, holes)
        found = finer
    return found


def _coarser(values: Heights) -> Heights:
    """Return the means of 2 × 2 cells, of those that are there; NaN where none is."""
    rows, columns = values.shape
    even = np.pad(values, ((0, rows % 2), (0, columns % 2)), constant_values=np.nan)
    cells = np.stack([even[r::2, c::2] for r in (0, 1) for c in (0, 1)])
    count = (~np.isnan(cells)).sum(axis=0)
    with np.errstate(invalid="ignore"):
        total = np.nansum(cells, axis=0, dtype=np.float64)
        return np.where(count, total / np.maximum(count, 1), np.nan).astype(np.float32)


def _at(coarse: Heights, places: tuple[NDArray[np.intp], ...]) -> Heights:
    """Return the heights of `coarse` at `places` (rows, columns) of the map twice as fine."""
    near, share = zip(*(_nearest(at, count) for at, count in zip(places, coarse.shape, strict=True)), strict=True)
    (top, low), (left, right) = near
    v, u = share
    upper = coarse[top, left] * (1 - u) + coarse[top, right] * u
    lower = coarse[low, left] * (1 - u) + coarse[low, right] * u
    return (upper * (1 - v) + lower * v).astype(np.float32)


def _nearest(
    fine: NDArray[np.intp], count: int
) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float32]]:
    """Return the two coarse cells beside each fine one along an axis, and the share of the second."""
    at = np.clip((fine - 0.5) / 2, 0, count - 1)  # a coarse cell's middle lies between those of its two
    first = np.floor(at).astype(np.intp)
    return (first, np.minimum(first + 1, count - 1)), (at - first).astype(np.float32)
