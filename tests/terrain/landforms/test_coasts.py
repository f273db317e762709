"""A coast has shelf and cliff, and rocks before it that stand as their beds do."""

import numpy as np
import pytest

from fellview.terrain.domain import Grid
from fellview.terrain.landforms import coast
from tests.terrain.landforms.laid import REGULAR, SQUARE, from_middle, lay, place_of, slope_degrees

# what the rocks are to have, as their papers and pictures do
ACROSS_BEDS, ALONG_BEDS = (0.6, 0.8), (-0.8, 0.6)  # on a coast, directions x and z
STACK_WALL, SKERRY_WALL = 8.0, 0.35  # tangents of 83° and 19°
DIP = 0.22  # of a stack's top, by which one side stands higher than the middle
RIB_M, RIB_APART = 1.6, 0.0075  # out of a skerry; from rib to rib on the shelf, of the land's shorter side


def test_stacks_stand_sheer_in_the_sea_and_skerries_low():
    plain, _ = lay(SQUARE, kind="coast", stacks=0.0)
    stood, one = lay(SQUARE, kind="coast", stacks=1.0)
    found = coast.rocks(one, place_of(one, SQUARE))
    risen = (stood > plain + 0.01) & (stood > 0)
    assert risen.any() and (stood >= plain - 1e-3).all()
    tall = found[:, 4] > 1
    assert tall.sum() > 5 and (~tall).sum() > 5
    assert found[tall, 3].min() > 4 * found[~tall, 3].max()
    sheer = slope_degrees(stood, SQUARE)[risen & (stood > 0.2 * one.height)]
    assert np.percentile(sheer, 80) > 60


def _alone(way_x, way_z, top, wall, ribs=0.0):
    """Return places from the middle and heights, in metres, of a rock of 20 m radius alone that no noise bends."""
    s = np.full(81, -50, np.float32)
    at = np.linspace(-20.0, 20.0, 81).astype(np.float32)
    x, z = np.float32(way_x) * at, np.float32(way_z) * at
    numbers = (np.float32(value) for value in (0, 0, 20, top, wall, ribs, 5.0))
    coast._stand(x, z, np.zeros_like(at), *numbers, s)
    return at, s


def test_stacks_slant_as_the_beds_dip_and_to_no_other_side():
    _, along = _alone(*ALONG_BEDS, 60, STACK_WALL)
    np.testing.assert_allclose(along, along[::-1], atol=1e-3)
    assert along[40] > along[30] > along[26] > 50, "a dome"
    assert along[0] < 0.2 * 60, "over a foot of what fell off it"
    _, across = _alone(*ACROSS_BEDS, 60, STACK_WALL)
    assert across[54] - across[26] == pytest.approx(60 * DIP * 2 * 0.35, rel=0.05)


def test_skerries_are_no_tables():
    """From the middle to the brink the ground falls all the way, and ribs of rock stand out of it."""
    at, back = _alone(*ALONG_BEDS, 4, SKERRY_WALL)
    half = back[40:78]  # to the foot that waves have planed
    assert (np.diff(half) < 0).all() and half[20] < 0.75 * half[0], "halfway out it has fallen by a quarter"
    _, ribbed = _alone(*ACROSS_BEDS, 4, SKERRY_WALL, ribs=1.0)
    _, smooth = _alone(*ACROSS_BEDS, 4, SKERRY_WALL)
    assert np.ptp((ribbed - smooth)[abs(at) < 10]) == pytest.approx(RIB_M, rel=0.15)


def test_ribs_stand_on_the_shelf_of_a_worn_coast_where_the_grid_shows_them():
    fine = Grid(rows=1024, columns=1024, size_x=4000.0, size_z=4000.0)
    heights, one = lay(fine, kind="coast", headlands=0.0, stacks=0.0, irregularity=0.3)
    x, _ = from_middle(fine)
    shelf = (x < -0.35 * one.shelf / 100 * 4000) & (x > -0.65 * one.shelf / 100 * 4000)
    ups = (heights[1:-1] > heights[:-2]) & (heights[1:-1] > heights[2:])
    apart = 1 / (ups & shelf[1:-1]).sum() * shelf.sum() * fine.cell_size[0]
    assert apart == pytest.approx(RIB_APART * 4000 / ACROSS_BEDS[1], rel=0.4)
    coarse = Grid(rows=64, columns=64, size_x=4000.0, size_z=4000.0)
    assert coast.prepare(one, place_of(one, coarse)).numbers["ribs_m"] == 0


def test_a_coast_has_a_shelf_a_cliff_and_a_sea_floor():
    heights, one = lay(SQUARE, kind="coast", headlands=0.0, stacks=0.0, **REGULAR)
    x, _ = from_middle(SQUARE)
    slope = slope_degrees(heights, SQUARE)
    width = one.shelf / 100 * 4000
    assert np.median(slope[(x < -20) & (x > 20 - width)]) == pytest.approx(coast.SHELF_ANGLE, abs=0.1)
    row = heights[256]
    steepest = np.degrees(np.arctan(np.diff(row).max() / SQUARE.cell_size[1]))
    assert steepest == pytest.approx(coast.CLIFF_ANGLE, abs=1.0)
    assert heights.min() == pytest.approx(-coast.SEA_FLOOR * one.height, rel=0.02)
    assert heights.max() <= one.height * 1.001
    assert (heights[:, :200] < 0).all() and (heights[:, 260:] > 0).all()
