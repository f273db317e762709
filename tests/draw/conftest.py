"""What the tests of drawing share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import pytest

from fellview.draw.land import surroundings
from fellview.draw.land.surroundings_frame import Extent

_AS_DRAWN = surroundings._FINE, surroundings._COARSE, surroundings._OUTERMOST


@pytest.fixture
def coarse_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have light maps of few cells around lands, for what holds of pictures whatever shadows they show.

    Those of usual size cost twice as much as all the rest of a small picture.
    """
    _change(monkeypatch, lambda extent: dataclasses.replace(extent, light=(64, 64), sky=16))


@pytest.fixture(scope="module")
def half_as_fine() -> Iterator[None]:
    """Have ground around lands half as fine, for what holds of it however fine it is: it costs a quarter."""
    fine, (near, _), _ = _AS_DRAWN
    halved = {extent.cells for extent in (*fine, near)}  # those farther out are coarse as they are

    def half(extent: Extent) -> Extent:
        cells, finer = (count // 2 if count in halved else count for count in (extent.cells, extent.finer_cells))
        return dataclasses.replace(extent, cells=cells, finer_cells=finer)

    with pytest.MonkeyPatch.context() as patch:
        _change(patch, half)
        yield


@pytest.fixture
def as_fine_as_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have ground around lands as fine as it is in pictures, where all others of a file have it `half_as_fine`."""
    for name, extents in zip(("_FINE", "_COARSE", "_OUTERMOST"), _AS_DRAWN, strict=True):
        monkeypatch.setattr(surroundings, name, extents)


def _change(patch: pytest.MonkeyPatch, change: Callable[[Extent], Extent]) -> None:
    """Have every frame around lands as `change` gives it."""
    for name, extents in (("_FINE", surroundings._FINE), ("_COARSE", surroundings._COARSE)):
        patch.setattr(surroundings, name, tuple(map(change, extents)))
    patch.setattr(surroundings, "_OUTERMOST", change(surroundings._OUTERMOST))
