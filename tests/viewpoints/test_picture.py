"""The numbers of pictures, of lands of which they can be told without."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.view.projection import half_extents
from fellview.viewpoints.merits import merits, scores
from fellview.viewpoints.panorama import DIRECTIONS, panorama
from fellview.viewpoints.picture import SKYLINE, Lens, pictures
from fellview.viewpoints.survey import survey

SIDE, CELL = 200, 10.0
WIDTH_M = SIDE * CELL
LENS = Lens(*half_extents(Scene().camera, 16 / 9))
NORTH, EAST = 0, DIRECTIONS // 4


def taken(heights, direction, pitch=None, eye=(WIDTH_M / 2, 20.0, WIDTH_M / 2)):
    land = survey(HeightField(np.asarray(heights, np.float32), (CELL, CELL)), Scene())
    return pictures(panorama(land, np.array([eye])), WIDTH_M, LENS, direction, pitch)


def hill(x, z, height=150.0, radius=100.0):
    along, across = np.mgrid[:SIDE, :SIDE] * CELL
    return height * np.exp(-((across - x) ** 2 + (along - z) ** 2) / radius**2)


def test_the_horizon_is_in_the_middle_of_a_level_picture_and_at_the_third_of_one_that_is_placed():
    plain = np.zeros((SIDE, SIDE))
    assert taken(plain, NORTH, 0.0).skyline[0] == pytest.approx(0.5, abs=0.01)
    placed = taken(plain, NORTH)
    assert placed.skyline[0] == pytest.approx(SKYLINE, abs=0.01)
    assert taken(plain, NORTH, float(placed.pitch[0])).skyline[0] == pytest.approx(SKYLINE, abs=0.01)
    assert placed.shape[0] < 0.01 and placed.slant[0] < 0.01 and placed.blocked[0] == 0


def test_a_peak_is_where_it_stands():
    """To the right where it is clockwise from the direction of view: x is to the right of +z."""
    heights = hill(WIDTH_M / 2 + 120, WIDTH_M / 2 + 600)
    north, east = taken(heights, NORTH), taken(heights, EAST)
    assert north.peak[0] == pytest.approx(120 / 600 / LENS.half_width, abs=0.05)
    assert north.prominence[0] > 0.1 > east.prominence[0]
    mirrored = taken(heights[:, ::-1], NORTH, eye=(WIDTH_M / 2 - CELL, 20.0, WIDTH_M / 2))
    assert mirrored.peak[0] == pytest.approx(-north.peak[0], abs=0.05)


def test_a_hill_before_the_eye_blocks_the_middle_and_a_far_one_does_not():
    near = taken(hill(WIDTH_M / 2, WIDTH_M / 2 + 70, height=90, radius=40), NORTH)
    far = taken(hill(WIDTH_M / 2, WIDTH_M / 2 + 700, height=150, radius=200), NORTH)
    assert near.blocked[0] > 0.9 and far.blocked[0] == 0


def test_the_depths_share_all_of_the_ground():
    of = taken(hill(WIDTH_M / 2, WIDTH_M / 2 + 600), NORTH, -5.0)
    assert of.depths.min() > 0
    sky = 1 - of.depths.sum()
    assert sky == pytest.approx(1 - of.skyline[0], abs=0.02)
    assert of.planes[0] >= 0 and of.reach[0] > np.log(3)


def test_ground_behind_a_ridge_makes_another_plane():
    ridge = np.zeros((SIDE, SIDE))
    ridge[120:122] = 15.0  # below the eye, and it hides the ground behind it as far as four times
    ridge[190:] = 60.0
    assert taken(ridge, NORTH, 0.0).planes[0] > 0.8
    assert taken(np.zeros((SIDE, SIDE)), NORTH, 0.0).planes[0] == 0


def test_the_sun_is_best_from_the_side():
    of = taken(hill(WIDTH_M / 2, WIDTH_M / 2 + 600), NORTH)
    sun = Scene().sun.replace(elevation=20.0)
    by_azimuth = [
        scores(of, 0.0, sun.replace(azimuth=azimuth), False)[0] for azimuth in (0.0, 45.0, 90.0, 180.0, 270.0)
    ]
    ahead, between, right, behind, left = by_azimuth
    assert right == pytest.approx(left) and ahead == pytest.approx(behind)
    assert right > between > ahead


def test_every_merit_is_a_share_whatever_the_picture():
    rough = np.random.default_rng(3).normal(0, 60, (SIDE, SIDE))
    for heights in (np.zeros((SIDE, SIDE)), rough, hill(0, 0, height=5000)):
        for pitch in (None, -60.0, 60.0):
            of = taken(heights, EAST, pitch, eye=(5.0, 3.0, 5.0))
            for name, (weight, values) in merits(of, 90.0, Scene().sun, True).items():
                assert weight > 0 and values.min() >= 0 and values.max() <= 1, name
            assert 0 <= scores(of, 90.0, Scene().sun, True)[0] <= 1
