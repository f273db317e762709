"""Lakes in hollows are those of a flood from the lowest way out up, cell by cell."""

import numpy as np
import pytest

from fellview.draw.land import hollows
from fellview.terrain.hydrology.flow import flow
from tests.lands import rolling

ALL = {"fill": 1.0, "least_cells": 1.0, "least_depth_m": 0.0}


def border(shape):
    """Return where water leaves over the border, bool [row, column]."""
    leaves = np.ones(shape, bool)
    leaves[1:-1, 1:-1] = False
    return leaves


def rugged(seed=3, side=97):
    rng = np.random.default_rng(seed)
    return (rolling(side, side, 200.0, seed=seed) + rng.normal(0, 6, (side, side))).astype(np.float32)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_they_stand_as_high_as_those_of_a_flood(seed):
    heights = rugged(seed)
    rows, columns = heights.shape
    filled = flow(heights, (10.0, 10.0), np.zeros(1, np.uint8)).level.reshape(rows + 2, columns + 2)[1:-1, 1:-1]
    levels = hollows.lakes(heights, border(heights.shape), **ALL)
    assert np.maximum(levels, heights) == pytest.approx(filled, abs=0.01)
    assert (levels > heights).mean() > 0.1


def test_level_ground_drains():
    heights = np.zeros((33, 33), np.float32)
    assert (hollows.lakes(heights, border(heights.shape), **ALL) == hollows.NOWHERE_M).all()
    heights[10:20, 12:18] = -5.0
    levels = hollows.lakes(heights, border(heights.shape), **ALL)
    assert np.array_equal(levels > hollows.NOWHERE_M, heights < 0) and levels.max() == 0.0


def test_water_leaves_where_it_may():
    z, x = np.meshgrid(np.linspace(-1, 1, 65), np.linspace(-1, 1, 65), indexing="ij")
    bowl = (100 * (z * z + x * x)).astype(np.float32)
    leaves = border(bowl.shape)
    assert hollows.lakes(bowl, leaves, **ALL).max() == pytest.approx(100.0, rel=0.05)
    leaves[32, 32] = True
    assert hollows.lakes(bowl, leaves, **ALL).max() == hollows.NOWHERE_M


def test_they_are_as_full_as_large_and_as_deep_as_is_asked_for():
    heights, leaves = rugged(), border((97, 97))
    full = hollows.lakes(heights, leaves, **ALL)
    half = hollows.lakes(heights, leaves, **{**ALL, "fill": 0.5})
    assert 0 < (half > heights).sum() < (full > heights).sum() and (half <= full).all()
    large = hollows.lakes(heights, leaves, **{**ALL, "least_cells": 30})
    sizes, all_sizes = (np.unique(one[one > heights], return_counts=True)[1] for one in (large, full))
    assert sizes.min() >= 30 > all_sizes.min()
    deep = hollows.lakes(heights, leaves, **{**ALL, "least_depth_m": 20.0})
    for level in np.unique(deep[deep > heights]):
        assert level - heights[deep == level].min() >= 20.0


@pytest.mark.parametrize("share", [0.0, 0.03, 0.08])
def test_no_more_is_wet_than_is_asked_for(share):
    heights, leaves = rugged(), border((97, 97))
    levels = hollows.lakes(heights, leaves, **ALL, most_share=share)
    wet = (levels > heights)[~leaves].mean()
    assert wet <= share and wet == pytest.approx(share, abs=0.002)
