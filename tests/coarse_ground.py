"""Ground around lands coarser than it is in pictures, for what holds of it however fine it is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from fellview.draw.land import surroundings
from fellview.draw.land.surroundings_frame import Extent

AS_DRAWN = {name: getattr(surroundings, name) for name in ("_FINE", "_COARSE", "_OUTERMOST")}
"""The extents of ground around lands as fine as they are in pictures, by the names that they have there."""


def light_of_few_cells(patch: pytest.MonkeyPatch) -> None:
    """Have light maps around lands of few cells."""
    _change(patch, lambda extent: dataclasses.replace(extent, light=(64, 64), sky=16))


def half_as_fine(patch: pytest.MonkeyPatch) -> None:
    """Have ground around lands half as fine."""
    halved = {extent.cells for extent in (*AS_DRAWN["_FINE"], AS_DRAWN["_COARSE"][0])}  # those farther out are coarse

    def half(extent: Extent) -> Extent:
        cells, finer = (count // 2 if count in halved else count for count in (extent.cells, extent.finer_cells))
        return dataclasses.replace(extent, cells=cells, finer_cells=finer)

    _change(patch, half)


def _change(patch: pytest.MonkeyPatch, change: Callable[[Extent], Extent]) -> None:
    """Have every frame around lands as `change` gives it."""
    for name in ("_FINE", "_COARSE"):
        patch.setattr(surroundings, name, tuple(map(change, getattr(surroundings, name))))
    patch.setattr(surroundings, "_OUTERMOST", change(surroundings._OUTERMOST))
