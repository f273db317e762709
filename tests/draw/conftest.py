"""What the tests of drawing share."""

from __future__ import annotations

import dataclasses

import pytest

from fellview.draw.land import surroundings


@pytest.fixture
def coarse_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have light maps of few cells around lands, for what holds of pictures whatever shadows they show.

    Those of usual size cost twice as much as all the rest of a small picture.
    """

    def coarse(extent: surroundings._Extent) -> surroundings._Extent:
        return dataclasses.replace(extent, light=(64, 64), sky=16)

    fine, (near, far) = (tuple(map(coarse, extents)) for extents in (surroundings._FINE, surroundings._COARSE))
    outermost = coarse(surroundings._OUTERMOST)
    monkeypatch.setattr(surroundings, "_FINE", fine)
    monkeypatch.setattr(surroundings, "_COARSE", (near, far))
    monkeypatch.setattr(surroundings, "_OUTERMOST", outermost)
    monkeypatch.setattr(surroundings, "_INSIDE", {far: near, outermost: far})
