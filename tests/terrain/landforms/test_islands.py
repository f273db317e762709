"""Islands have shallows, and sizes that follow Korčak's law."""

import numpy as np
import pytest

from fellview.terrain.landforms import islands
from tests.lands import component_sizes
from tests.terrain.landforms.laid import SQUARE, lay, place_of


def test_shallows_lie_about_islands_and_end_in_the_deep():
    steep, one = lay(SQUARE, kind="islands")
    wide, _ = lay(SQUARE, kind="islands", shallows=0.8)
    depth = islands.SEA_FLOOR * one.height
    assert np.mean((wide < 0) & (wide > -0.15 * depth)) > 2 * np.mean((steep < 0) & (steep > -0.15 * depth))
    assert wide.min() == pytest.approx(steep.min(), rel=0.01), "as deep as before where no island is near"
    inland = steep > 0.3 * one.height
    np.testing.assert_allclose(wide[inland], steep[inland], atol=0.02 * one.height)


def test_islands_sizes_follow_korcak():
    _, one = lay(SQUARE, kind="islands", islands=300)
    _, radii = islands.spread(one, place_of(one, SQUARE))
    areas = np.sort(radii**2)[::-1]
    slope = np.polyfit(np.log(areas), np.log(np.arange(1, len(areas) + 1)), 1)[0]
    assert slope == pytest.approx(-islands.AREAS, abs=0.02)


def test_islands_on_the_ground_are_few_large_and_many_small():
    heights, _ = lay(SQUARE, kind="islands", islands=80)
    areas = np.sort(component_sizes(heights > 0))[::-1]
    areas = areas[areas >= 20]
    assert len(areas) > 25
    slope = np.polyfit(np.log(areas[2:]), np.log(np.arange(3, len(areas) + 1)), 1)[0]
    assert -1.1 < slope < -0.4, "near Korčak's −0.65; joined and cut-off islands bend it"
    assert areas[0] > 10 * np.median(areas)
    assert 0.1 < np.mean(heights > 0) < 0.5
