"""The land as it is drawn: heights times the view's exaggeration. Whatever meets the eye's land asks this one."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights


class ExaggeratedField(HeightField):
    """A field `times` as high as another; its heights are multiplied when they are first asked for."""

    def __init__(self, field: HeightField, times: float) -> None:
        # not the base's, which would want the heights: they may lie on the GPU
        self._field, self._times = field, times
        low, high = field.height_range
        self.height_range = times * low, times * high
        self.block_tops = times * field.block_tops

    @property
    def cell_size(self) -> tuple[float, float]:  # type: ignore[override]
        """Side of a cell (z, x) in metres."""
        return self._field.cell_size

    @property
    def masks(self) -> Mapping[str, Heights]:  # type: ignore[override]
        """None: masks are of the land as it is."""
        return {}

    @functools.cached_property
    def heights(self) -> Heights:  # type: ignore[override]
        """Heights in metres as drawn, float32 [row, column], read-only."""
        heights = self._field.heights * self._field.heights.dtype.type(self._times)
        heights.flags.writeable = False
        return heights

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Heights:
        """Return the heights as drawn of the vertices [rows, columns]; the others stay where they are."""
        heights = self._field.at(rows, columns)
        return heights * heights.dtype.type(self._times)

    @property
    def rows(self) -> int:
        """Number of cells along z."""
        return self._field.rows

    @property
    def columns(self) -> int:
        """Number of cells along x."""
        return self._field.columns


def badge(times: float) -> tuple[str, ...]:
    """Return what the window says of land drawn `times` as high, in one line; nothing of land that is as it is."""
    return () if times == 1 else (f"heights ×{times:.3g}",)


_latest: tuple[weakref.ref[HeightField], float, HeightField] | None = None


def exaggerated(field: HeightField, times: float) -> HeightField:
    """Return `field` drawn `times` as high; itself at 1.

    The latest answer is kept, so that what is remembered of a field by its identity (`extent`) stays.
    """
    global _latest
    if times == 1:
        return field
    if _latest is not None and _latest[0]() is field and _latest[1] == times:
        return _latest[2]
    made = ExaggeratedField(field, times)
    _latest = (weakref.ref(field), times, made)
    return made
