"""Ground around lands coarser than it is in pictures, for what holds of it however fine it is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from fellview.draw.land import surroundings_ring
from fellview.draw.land.surroundings_plan import Extent

AS_DRAWN = surroundings_ring.RINGS
"""The extents of ground around lands as fine as they are in pictures."""


def light_of_few_cells(patch: pytest.MonkeyPatch) -> None:
    """Have light maps around lands of few cells."""
    _change(patch, lambda extent: dataclasses.replace(extent, light=(64, 64), sky=16))


def half_as_fine(patch: pytest.MonkeyPatch) -> None:
    """Have ground around lands half as fine."""
    near, far, _ = AS_DRAWN
    halved = {extent.cells for extent in (*near, *far[1:])}  # what is coarser is so already

    def half(extent: Extent) -> Extent:
        changed = {
            name: count // 2
            for name in ("cells", "finer_cells", "coarser_cells")
            if (count := getattr(extent, name)) in halved
        }
        return dataclasses.replace(extent, **changed)

    _change(patch, half)


def _change(patch: pytest.MonkeyPatch, change: Callable[[Extent], Extent]) -> None:
    """Have every frame around lands as `change` gives it."""
    changed = tuple(tuple(map(change, ring)) for ring in surroundings_ring.RINGS)
    patch.setattr(surroundings_ring, "RINGS", changed)
