"""Troughs and canyons have their profiles, and valleys beside them that join as they should."""

import math

import numpy as np
import pytest

from fellview.terrain.landforms import form
from tests.terrain.landforms.laid import REGULAR, SQUARE, from_middle, lay

BARE = {"side_valleys": 0.0, "tributaries": 0}  # a trough alone


@pytest.mark.parametrize("exponent", [1.5, 2.0, 2.5])
def test_trough_s_cross_profile_is_the_power_of_its_exponent(exponent):
    heights, one = lay(SQUARE, kind="trough", exponent=exponent, **BARE, rotation=20.0, **REGULAR)
    x, z = from_middle(SQUARE)
    across = np.abs(x * math.cos(math.radians(20)) + z * math.sin(math.radians(20)))
    half = one.size / 200 * 4000
    wall = (across > 0.15 * half) & (across < 0.9 * half)
    rise = heights[wall] + one.height
    assert np.polyfit(np.log(across[wall]), np.log(rise), 1)[0] == pytest.approx(exponent, rel=0.02)
    assert heights.min() == pytest.approx(-one.height, rel=1e-3)


def test_side_valleys_hang_above_the_trough():
    bare, one = lay(SQUARE, kind="trough", **BARE, **REGULAR)
    hung, _ = lay(SQUARE, kind="trough", **BARE | {"side_valleys": 1.0}, **REGULAR)
    x, _ = from_middle(SQUARE)
    beside = np.abs(x) > 1.1 * one.size / 200 * 4000
    cut = (hung < bare - 5) & beside
    assert cut.sum() > 2000
    assert hung[cut].min() > -0.7 * one.height, "their floors stay above the main one"


@pytest.mark.parametrize("seed", [1, 2])
def test_tributaries_join_nearly_level_and_rise_inland(seed):
    bare, one = lay(SQUARE, seed=seed, kind="trough", **BARE, **REGULAR)
    joined, _ = lay(SQUARE, seed=seed, kind="trough", **BARE | {"tributaries": 2}, **REGULAR)
    x, _ = from_middle(SQUARE)
    half = one.size / 200 * 4000
    near = (np.abs(x) > 1.02 * half) & (np.abs(x) < 1.2 * half)
    far = np.abs(x) > 2.5 * half
    cut = joined < bare - 0.3 * one.height
    assert cut[near].any() and cut[far].any()
    assert joined[near].min() < -0.7 * one.height, "level with the main floor, not hanging"
    assert joined[far].min() > joined[near].min() + 0.05 * one.height
    assert (joined <= bare + 1e-3).all() and joined.min() >= -1.02 * one.height, (
        "they cut, and no deeper than the main one"
    )


@pytest.mark.parametrize("layers", [1, 3, 6])
def test_a_canyon_s_walls_are_level_layers_of_cliff_and_slope(layers):
    heights, one = lay(SQUARE, kind="canyon", layers=layers, side_canyons=0.0, floor=20.0, **REGULAR)
    half = one.size / 200 * 4000
    row = heights[100]
    across = np.abs(from_middle(SQUARE)[0][100])
    assert row[across < 0.19 * half] == pytest.approx(-one.height, abs=1e-3), "a flat floor of a fifth of its width"
    # the rim is rounded by a quarter of `rounded_foot` at most
    assert np.abs(row[across > 1.02 * half]).max() <= form.rounded_foot(one.height) / 4 + 1e-3
    # benches, scree at 35° and cliffs of 78°, as far as there is room for them
    run, layer = 0.8 * half / layers, one.height / layers
    scree, cliff = 0.34 * layer / math.tan(math.radians(35)), 0.6 * layer / math.tan(math.radians(78))
    assert scree + cliff < 0.9 * run, "there is"
    for n in range(layers):
        foot = 0.2 * half + n * run
        for share, rise in ((0.0, 0.0), (1 - (scree + cliff) / run, 0.06), (1 - cliff / run, 0.4), (1.0, 1.0)):
            wanted = (n + rise) * layer - one.height
            got = np.interp(foot + share * run, across[256:], row[256:])
            # a cell of 7.8 m, of which one side may lie on the cliff
            assert got == pytest.approx(wanted, abs=0.5 * SQUARE.cell_size[1] * math.tan(math.radians(78)))


def test_a_river_s_bed_winds_in_the_floor_and_nowhere_else():
    dry, one = lay(SQUARE, kind="canyon", floor=30.0, side_canyons=0.0, irregularity=0.3)
    cut, _ = lay(SQUARE, kind="canyon", floor=30.0, side_canyons=0.0, irregularity=0.3, bed=12.0)
    fallen = dry - cut
    assert fallen.min() >= 0 and fallen.max() == pytest.approx(12.0, abs=0.01)
    assert (dry[fallen > 1] < -0.9 * one.height).mean() > 0.99
    beds = (fallen > 6).sum(axis=1)
    assert beds.min() > 0, "from end to end"
    middles = [np.flatnonzero(row > 6).mean() - np.flatnonzero(below < -0.99 * one.height).mean()
               for row, below in zip(fallen, dry, strict=True)]  # fmt: skip
    assert np.ptp(middles) > beds.mean(), "it swings by more than its width"


def test_side_canyons_cut_mesas_out_of_the_rim():
    plain, one = lay(SQUARE, kind="canyon", side_canyons=0.0)
    cut, _ = lay(SQUARE, kind="canyon", side_canyons=1.0)
    assert (cut <= plain + 1e-3).all()
    assert np.mean(cut < -0.3 * one.height) > 1.3 * np.mean(plain < -0.3 * one.height)
    assert cut.min() >= -1.0001 * one.height
