"""What is seen from an eye: as far as geometry says, and nothing that is behind something."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.viewpoints.panorama import BINS, DIRECTIONS, panorama
from fellview.viewpoints.survey import survey

EAST, NORTH, WEST, SOUTH = (DIRECTIONS * turn // 4 for turn in (1, 0, 3, 2))  # azimuths from +z over +x
SIDE, CELL = 200, 10.0
MIDDLE_M = SIDE * CELL / 2


def seen_from(heights, x=MIDDLE_M, y=20.0, z=MIDDLE_M):
    field = HeightField(np.asarray(heights, np.float32), (CELL, CELL))
    return panorama(survey(field, Scene()), np.array([[x, y, z]]))


def test_over_a_plain_the_ground_rises_to_the_horizon_the_same_all_around():
    seen = seen_from(np.zeros((SIDE, SIDE)))
    expected = -20.0 / seen.ends
    assert np.allclose(seen.tops[:, 0, :], expected[:, np.newaxis], rtol=1e-5)


def test_a_wall_rises_by_its_height_over_its_distance_and_hides_what_is_behind():
    heights = np.random.default_rng(1).uniform(0, 1, (SIDE, SIDE))
    heights[:, 150:152] = 120.0
    seen = seen_from(heights)
    tangent = seen.tops[-1, 0]
    assert tangent[EAST] == pytest.approx((120 - 20) / (50 * CELL), rel=0.06)  # the wall's foot lies within a step
    assert tangent[WEST] < 0
    beyond = seen.ends > 80 * CELL  # of the bins that begin behind it
    assert seen.seen[beyond, 0, EAST].sum() == 0 < seen.seen[beyond, 0, WEST].sum()


def test_all_of_the_relief_is_seen_from_high_above_and_little_from_a_pit():
    heights = np.random.default_rng(1).uniform(0, 2, (SIDE, SIDE))
    above = seen_from(heights, y=500.0).seen.sum()
    assert above == pytest.approx(1, abs=0.1)
    heights[95:106, 95:106] = -40
    assert seen_from(heights, y=-38.0).seen.sum() < 0.05 * above


def test_what_is_told_of_a_bin_is_of_the_ground_that_is_seen_there():
    scene = Scene().replace({"water.enabled": True, "water.sea": True, "water.sea_level": 0.0})
    heights = np.full((SIDE, SIDE), -5.0, np.float32)
    heights[:, :100] = 5.0  # the western half is land
    seen = panorama(survey(HeightField(heights, (CELL, CELL)), scene), np.array([[MIDDLE_M, 50.0, MIDDLE_M]]))
    assert np.allclose(seen.water[BINS // 2 :, 0, EAST], 1)
    on_land = slice(BINS // 2, BINS // 2 + 5)
    assert np.all(seen.water[on_land, 0, WEST] == 0)


def test_the_land_s_edge_is_seen_where_it_stands_free_and_nothing_hides_it():
    heights = np.zeros((SIDE, SIDE))
    heights[:, 190:] = 50.0  # the eastern edge is a cliff; the plain around is nearly as low as the rest
    cut = seen_from(heights, y=80.0).cut[0]
    assert cut[EAST] and not cut[WEST] and not cut[NORTH]
    heights[:, 150:152] = 120.0
    assert not seen_from(heights, y=80.0).cut[0, EAST]
