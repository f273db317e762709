"""The small land that views are judged by: what lies around it, its water, its light."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.viewpoints.survey import CELLS, survey

SEA = {"water.enabled": True, "water.sea": True, "water.sea_level": 5.0, "water.lakes": False}


def rising(rows=64, columns=96, cell=(10.0, 10.0)):
    """A land that rises by a metre a column."""
    return HeightField(np.tile(np.arange(columns, dtype=np.float32), (rows, 1)), cell)


def test_the_land_lies_amid_a_plain_as_high_as_its_border():
    field = rising()
    land = survey(field, Scene())
    heights = land.levels[0]
    assert np.array_equal(heights[land.inner], field.heights)
    around = np.ones(heights.shape, bool)
    around[land.inner] = False
    assert np.ptp(heights[around]) == 0 and heights[0, 0] == pytest.approx(field.border.mean())


def test_where_land_goes_on_it_is_mirrored_at_each_side():
    scene = Scene().replace({"view.surroundings": "land"})
    heights = survey(rising(), scene).levels[0]
    assert np.array_equal(heights[0], [*range(95, -1, -1), *range(96), *range(95, -1, -1)])
    lower = survey(rising(), scene.replace({"view.surroundings_height": 50.0})).levels[0]
    border = rising().border.mean()
    assert lower[0, 0] - border == pytest.approx((95 - border) / 2, rel=1e-5)


def test_the_sea_covers_what_is_below_it_and_reaches_all_around():
    land = survey(rising(), Scene().replace(SEA))
    heights = land.levels[0]
    assert heights[land.inner].min() == 5 and heights[0, 0] == 5
    assert land.water[land.inner].mean() == pytest.approx(5 / 96) and land.water[0, 0] == 1
    assert land.is_wet and not survey(rising(), Scene()).is_wet


def test_a_large_land_is_surveyed_on_few_cells_and_in_the_same_metres():
    field = HeightField(np.zeros((1000, 1500), np.float32), (2.0, 3.0))
    land = survey(field, Scene())
    assert land.levels[0].shape[1] == 3 * CELLS
    assert land.size == field.size
    assert (land.inner[1].stop - land.inner[1].start) * land.cell[1] == pytest.approx(field.size[1], rel=0.01)


def test_heights_are_those_that_are_drawn():
    land = survey(rising(), Scene().replace({"view.exaggeration": 3.0}))
    assert np.array_equal(land.levels[0][land.inner], 3 * rising().heights)


@pytest.mark.parametrize(("azimuth", "east_is_lit"), [(90.0, True), (270.0, False)])
def test_a_wall_throws_its_shadow_away_from_the_sun(azimuth, east_is_lit):
    heights = np.zeros((64, 64), np.float32)
    heights[:, 32] = 100.0
    scene = Scene().replace({"sun.azimuth": azimuth, "sun.elevation": 45.0, "sun.shadows": True})
    land = survey(HeightField(heights, (10.0, 10.0)), scene)
    light = land.light[land.inner][32]
    east, west = light[36:40].mean(), light[25:29].mean()  # within 100 m, which the shadow is long
    lit, dark = (east, west) if east_is_lit else (west, east)
    assert lit == pytest.approx(np.sin(np.radians(45)), rel=0.01) and dark == 0
    assert light[5] == pytest.approx(lit) and light[60] == pytest.approx(lit)  # beyond it
    without = survey(HeightField(heights, (10.0, 10.0)), scene.replace({"sun.shadows": False}))
    assert without.light[without.inner][32, 25:29].min() > 0
