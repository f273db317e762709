"""What the tests of drawing share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import pytest

from fellview.draw.land import surroundings

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
    halved = (*fine, near)  # those farther out are coarse as they are

    def half(extent: surroundings._Extent) -> surroundings._Extent:
        return dataclasses.replace(extent, cells=extent.cells // 2) if extent in halved else extent

    with pytest.MonkeyPatch.context() as patch:
        _change(patch, half)
        yield


@pytest.fixture
def as_fine_as_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have ground around lands as fine as it is in pictures, where all others of a file have it `half_as_fine`."""
    for name, extents in zip(("_FINE", "_COARSE", "_OUTERMOST"), _AS_DRAWN, strict=True):
        monkeypatch.setattr(surroundings, name, extents)
    _change(monkeypatch, lambda extent: extent)


def _change(patch: pytest.MonkeyPatch, change: Callable[[surroundings._Extent], surroundings._Extent]) -> None:
    """Have every frame around lands as `change` gives it."""
    fine, (near, far) = (tuple(map(change, extents)) for extents in (surroundings._FINE, surroundings._COARSE))
    outermost = change(surroundings._OUTERMOST)
    patch.setattr(surroundings, "_FINE", fine)
    patch.setattr(surroundings, "_COARSE", (near, far))
    patch.setattr(surroundings, "_OUTERMOST", outermost)
    patch.setattr(surroundings, "_INSIDE", {far: near, outermost: far})
