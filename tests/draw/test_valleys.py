"""Valleys lead rivers on over the ground around a land: down all the way, and out."""

import dataclasses

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land import valleys
from fellview.draw.land.valleys import Leaving, Mouth, Plot
from fellview.terrain.hydrology.flow import flow
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.step import Land
from tests.lands import rolling

PLOT = Plot(cells=32, beyond=1.5, cell_m=(50.0, 40.0))
SIDE = 4 * PLOT.cells
LAND_M2 = PLOT.cells**2 * 50.0 * 40.0
MOUTHS = (Mouth(0.4, 1.0, 20.0, 0.3 * LAND_M2), Mouth(1.0, 0.7, -30.0, 0.5 * LAND_M2))
RIVERS = Leaving(MOUTHS, 0.01 * LAND_M2, 1.0)


@pytest.fixture(scope="module", params=[3, 4, 5])
def ground(request):
    rng = np.random.default_rng(request.param)
    found = rolling(SIDE, SIDE, 300.0, seed=request.param) + rng.normal(0, 4, (SIDE, SIDE))
    return found.astype(np.float32)


@pytest.fixture(scope="module")
def courses(ground):
    return valleys.courses(ground, PLOT, RIVERS)


@pytest.fixture(scope="module")
def cut(ground):
    return valleys.cut(ground, PLOT, RIVERS)


def test_water_comes_from_everywhere_to_where_it_leaves(ground):
    leaves = np.ones(ground.shape, bool)
    leaves[1:-1, 1:-1] = False
    below = valleys.drained(ground, leaves)
    to = below
    for _ in range(20):  # 2^20 steps
        to = to[to]
    assert leaves.ravel()[to].all(), "no way runs in a circle"
    row, column = np.unravel_index(np.arange(ground.size), ground.shape)
    row_below, column_below = np.unravel_index(below, ground.shape)
    assert max(abs(row - row_below).max(), abs(column - column_below).max()) == 1


def test_ways_climb_no_higher_than_the_lowest_pass(ground):
    """The highest place on the way out is that of a flood."""
    leaves = np.ones(ground.shape, bool)
    leaves[1:-1, 1:-1] = False
    below = valleys.drained(ground, leaves)
    highest, to = ground.ravel().copy(), below
    for _ in range(20):
        highest, to = np.maximum(highest, highest[to]), to[to]
    filled = flow(ground, (1.0, 1.0), np.zeros(1, np.uint8)).level.reshape(SIDE + 2, SIDE + 2)[1:-1, 1:-1]
    assert highest.reshape(ground.shape) == pytest.approx(filled, abs=0.01)


def test_no_water_is_lost_and_the_lands_own_runs_on(ground, courses):
    """What leaves the ground is all that drains it, but beside the border, and what comes out of the land."""
    every = valleys.courses(ground, PLOT, dataclasses.replace(RIVERS, least_m2=0.0))
    ends = every.below < 0
    drains = valleys.distance(SIDE, PLOT) > 0.03
    expected = drains.sum() * 50 * 40 + sum(one.area_m2 for one in MOUTHS)
    assert every.area_m2[ends].sum() == pytest.approx(expected, rel=1e-3)
    assert {one.area_m2 for one in courses.mouths.values()} == {one.area_m2 for one in MOUTHS}
    for number, mouth in courses.mouths.items():
        down = number
        while courses.below[down] >= 0:
            assert courses.area_m2[courses.below[down]] >= courses.area_m2[down] >= mouth.area_m2
            down = courses.below[down]
        row, column = np.unravel_index(courses.cells[down], ground.shape)
        assert {row, column} & {0, SIDE - 1}, "each runs on to where the ground ends"


def test_rivers_never_run_uphill(courses, cut):
    beds = cut.heights.ravel()[courses.cells]
    flows = courses.below >= 0
    assert (beds[courses.below[flows]] <= beds[flows]).all()
    for number, mouth in courses.mouths.items():
        assert beds[number] <= mouth.height_m


def test_no_river_comes_into_the_land(courses):
    inside = np.zeros((SIDE, SIDE), bool)
    inside[PLOT.land] = True
    assert not inside.ravel()[courses.cells].any()


def test_ground_is_only_lowered_and_only_beside_rivers(ground, courses, cut):
    assert (cut.heights <= ground).all()
    assert np.array_equal(cut.heights[PLOT.land], ground[PLOT.land])
    row, column = np.unravel_index(courses.cells, ground.shape)
    z, x = np.mgrid[:SIDE, :SIDE]
    away = np.min(np.hypot(z[..., None] - row, x[..., None] - column), axis=-1)
    lower = cut.heights < ground - 0.01
    assert lower.any() and away[lower].max() <= 12 * 2**0.5
    assert cut.calm[away == 0].max() == 0 and cut.calm[away > 6].min() > 0.99


def test_centre_lines_lead_from_mouth_to_end(cut):
    """From any place that knows of a river its centre line is near, and the mouths lie on one as wide as they are."""
    z, x = np.mgrid[:SIDE, :SIDE].astype(float)
    knows = cut.widths_m > 0
    line = np.stack([z + cut.to_z, x + cut.to_x], -1)[knows]
    for mouth in MOUTHS:
        at = PLOT.first + PLOT.cells * np.array([mouth.z, mouth.x])
        away = np.hypot(*(line - at).T)
        near = np.argmin(away)
        assert away[near] < 0.2
        wide_m = RIVERS.widths_m(np.float64(mouth.area_m2))
        assert wide_m <= cut.widths_m[knows][near] <= 1.3 * wide_m, "other water may come in"
    assert np.hypot(cut.to_x, cut.to_z)[knows].max() < 5


def test_level_ground_has_rivers_too():
    found = valleys.cut(np.zeros((SIDE, SIDE), np.float32), PLOT, RIVERS)
    assert np.isfinite(found.heights).all() and (found.widths_m > 0).any()
    assert found.heights.min() == -30.0


def test_without_rivers_of_its_own_a_land_has_some_around(ground):
    found = valleys.cut(ground, PLOT, dataclasses.replace(RIVERS, mouths=()))
    assert (found.widths_m > 0).any()
    none = valleys.cut(ground, PLOT, Leaving((), 1e12, 1.0))
    assert np.array_equal(none.heights, ground) and not none.widths_m.any() and none.calm.min() == 1


@pytest.mark.parametrize("turned", range(4))
def test_rivers_leave_where_their_masks_reach_the_border(turned):
    """One that leaves a valley over a side is a mouth there, of what drains through it."""
    z, x = np.mgrid[:65, :97].astype(float)
    heights = np.rot90((0.5 * z + 2 * abs(x - 40)).astype(np.float32), turned).copy()
    cell = (10.0, 20.0) if turned % 2 == 0 else (20.0, 10.0)
    water = Water(enabled=True, rivers=True, river_share=20.0, river_width=2.0)
    masks = Masks(Land(heights, {}), cell, heights, water)
    found = valleys.leaving(HeightField(heights, cell), masks, water)
    (mouth,) = found.mouths
    across, down = np.array([40 / 96, 0.0]) - 0.5
    angle = turned * np.pi / 2
    place = 0.5 + np.array(
        [np.cos(angle) * across + np.sin(angle) * down, np.cos(angle) * down - np.sin(angle) * across]
    )
    assert (mouth.x, mouth.z) == pytest.approx(place, abs=0.02)
    assert mouth.height_m == 0 and mouth.area_m2 == pytest.approx(masks["drainage_area"].max(), rel=0.01)
    assert found.least_m2 == pytest.approx(0.2 * 64 * 96 * 200)


def test_a_river_around_the_corner_is_one():
    """The border is a ring: a river on its first and its last cell is not two."""
    heights = np.zeros((33, 33), np.float32)
    width = np.zeros_like(heights)
    width[:2, :2] = 30.0
    masks = {"river_width": width, "river_to_x": 0 * width, "river_to_z": 0 * width}
    assert len(valleys.leaving(HeightField(heights, (10.0, 10.0)), masks, Water()).mouths) == 1
