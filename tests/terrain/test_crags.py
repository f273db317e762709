"""Crags: relief on steep ground alone, that runs down it, the same in metres on every grid."""

import math

import numpy as np
import pytest

from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.steps import crags
from fellview.terrain.steps.crags import Crags
from tests.lands import rolling

SIDE_M = 4000.0
RIBS = Crags(enabled=True, strength=40.0, size=400.0, slope=25.0, ledges=0.0, ledge_height=60.0)


def grid(cells):
    return Grid(rows=cells, columns=cells, size_x=SIDE_M, size_z=SIDE_M)


def run(heights, parameters, seed=5):
    return crags.run(parameters, Domain(grid(heights.shape[0]), seed), heights, Progress())


def ramp(cells, degrees, turned=0.0):
    """Return a plane that falls by `degrees` towards `turned` degrees from +z."""
    z, x = np.mgrid[:cells, :cells] * (SIDE_M / cells)
    turn = math.radians(turned)
    return (-math.tan(math.radians(degrees)) * (z * math.cos(turn) + x * math.sin(turn))).astype(np.float32)


def test_ground_under_the_angle_stays_to_the_bit_and_steeper_ground_does_not():
    land = rolling(256, 256, 200.0)
    changed = run(land, RIBS) != land
    slopes = np.degrees(np.arctan(np.hypot(*np.gradient(land.astype(float), SIDE_M / 256))))
    reach = crags.reach(RIBS, Domain(grid(256), 5))[0]
    near = np.lib.stride_tricks.sliding_window_view(slopes, (2 * reach + 1, 2 * reach + 1))
    changed = changed[reach:-reach, reach:-reach]
    gentle, steep = near.max(axis=(2, 3)) < RIBS.slope - 1, near.min(axis=(2, 3)) > RIBS.slope + 1
    assert gentle.sum() > 100 and not changed[gentle].any()
    assert steep.sum() > 100 and changed[steep].mean() > 0.99
    np.testing.assert_array_equal(run(ramp(128, RIBS.slope - 0.5), RIBS), ramp(128, RIBS.slope - 0.5))


@pytest.mark.parametrize("sharpness", [0.0, 1.0])
@pytest.mark.parametrize("ledges", [0.0, 1.0])
def test_as_much_is_raised_as_lowered(sharpness, ledges):
    slope = ramp(256, 50)
    change = run(slope, RIBS.replace(sharpness=sharpness, ledges=ledges)) - slope
    # of some hundred ribs with a deviation of a third of 50 m each
    assert abs(change.mean()) < 2.0 < change.std()


def test_the_first_octave_is_as_strong_as_it_says():
    slope = ramp(256, 45)
    change = run(slope, RIBS.replace(octaves=1, sharpness=0.0)) - slope
    # w is 1 on a plane of 45°: ±½·strength where waves are in step, nowhere more
    assert RIBS.strength / 2 * 0.9 < change.max() < RIBS.strength / 2 * 1.01
    assert -RIBS.strength / 2 * 1.01 < change.min() < -RIBS.strength / 2 * 0.9


@pytest.mark.parametrize("turned", [0.0, 25.0, 45.0, 90.0, 160.0])
def test_gullies_run_down_the_slope_whichever_way_it_falls(turned):
    slope = ramp(256, 45, turned)
    z, x = np.gradient((run(slope, RIBS.replace(octaves=1)) - slope).astype(float))
    turn = math.radians(turned)
    down, along = z * math.cos(turn) + x * math.sin(turn), x * math.cos(turn) - z * math.sin(turn)
    assert np.sqrt((along**2).mean()) > 2.5 * np.sqrt((down**2).mean())


def test_ribs_are_as_far_apart_as_their_size():
    slope = ramp(512, 45)
    change = run(slope, RIBS.replace(octaves=1)) - slope
    power = (np.abs(np.fft.rfft(change - change.mean(axis=1, keepdims=True), axis=1)) ** 2).mean(axis=0)
    cycles = np.arange(power.size)
    mean = (cycles * power)[:40].sum() / power[:40].sum()
    assert SIDE_M / mean == pytest.approx(RIBS.size, rel=0.2)


def test_no_direction_of_the_grid_shows():
    """A land turned by a quarter gets other crags, but as strong along x as along z."""
    strengths = []
    for turned in (0.0, 45.0, 90.0):
        slope = ramp(256, 45, turned)
        strengths.append((run(slope, RIBS) - slope).std())
    assert max(strengths) < 1.15 * min(strengths)


def test_nothing_jumps_from_cell_to_cell():
    """On a plane of 513 cells that no octave uses up, the steepest step is that of the ribs themselves."""
    slope = ramp(512, 45)
    change = run(slope, RIBS.replace(octaves=1, sharpness=0.0)) - slope
    step = SIDE_M / 512
    steepest = math.pi * RIBS.strength / (0.75 * RIBS.size)  # of the shortest wave
    for axis in (0, 1):
        assert np.abs(np.diff(change, axis=axis)).max() / step < 2.5 * steepest  # where waves meet, and change phase


def test_two_grids_show_the_same_ribs_and_the_finer_one_more_of_them():
    lands = {cells: rolling(cells, cells, 600.0) for cells in (256, 1024)}
    parameters = RIBS.replace(octaves=2)
    change = {cells: run(land, parameters) - land for cells, land in lands.items()}
    assert np.corrcoef(change[256].ravel(), change[1024][::4, ::4].ravel())[0, 1] > 0.97
    counts = [len(crags.octaves(RIBS.replace(octaves=8), Domain(grid(cells), 5))) for cells in (64, 256, 1024)]
    assert counts == [1, 3, 5]  # 400 m by cells of 62.5, 15.6 and 3.9 m, four or more a wave


def test_ledges_are_level_and_steep_in_turn_and_no_beds_are_cut_that_the_grid_misses():
    slope = ramp(512, 45)
    cut = run(slope, RIBS.replace(strength=0.0, ledges=1.0, dip=0.0, ledge_height=120.0))
    fall = np.degrees(np.arctan(-np.diff(cut, axis=0) / (SIDE_M / 512)))
    assert (fall < 25).mean() > 0.2 and (fall > 55).mean() > 0.1
    assert fall.min() > -1  # rising ground never falls
    fine = RIBS.replace(strength=0.0, ledges=1.0, ledge_height=3 * SIDE_M / 512)
    np.testing.assert_array_equal(run(slope, fine), slope)


def test_a_valley_keeps_its_stream_and_a_crest_does_not_keep_its_edge():
    """A V of 45° walls: along its bottom nothing is moved, on a roof of the same walls the crest is."""
    x = np.abs(np.arange(256) - 127.5) * (SIDE_M / 256)
    valley = np.repeat(x[None], 256, axis=0).astype(np.float32)
    bottom = (slice(16, -16), slice(127, 129))
    np.testing.assert_array_equal(run(valley, RIBS)[bottom], valley[bottom])
    assert np.abs(run(-valley, RIBS)[bottom] + valley[bottom]).max() > 5


def test_another_seed_is_another_rock():
    slope = ramp(256, 45)
    one, other = (run(slope, RIBS, seed) - slope for seed in (5, 6))
    assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.3


def test_what_no_rib_shows_on_is_told_in_plain_metres():
    grid = Grid(rows=16, columns=16, size_z=10_000.0, size_x=10_000.0)
    told = crags.remark(Crags(enabled=True, size=140.0), Domain(grid, 1))
    assert told == "crags.size = 140 m: cells are 625 m; ribs show from 2,500 m on"


def test_crags_are_neither_erosion_nor_deposit():
    scene = Scene().replace(
        {"grid.rows": 96, "grid.columns": 96, "erosion.kind": "thermal", "noise.kind": "simplex"}
        | {"smooth.enabled": False, "crags.slope": 10.0}
    )
    plain, craggy = (
        Pipeline(CpuEngine()).run(scene.replace({"crags.enabled": on}).terrain_groups()).field for on in (False, True)
    )
    assert np.abs(craggy.heights - plain.heights).max() > 1
    for name in ("erosion_depth", "deposition_depth"):
        np.testing.assert_allclose(craggy.masks[name], plain.masks[name], atol=1e-4)
    bare = scene.replace({"crags.enabled": True, "erosion.kind": "none"})
    field = Pipeline(CpuEngine()).run(bare.terrain_groups()).field
    assert not field.masks["erosion_depth"].any() and not field.masks["deposition_depth"].any()


def test_no_needle_of_one_cell_is_left():
    """On a cone of 60°, whose summit is as free as a needle, and on hills as rough as they come."""
    z, x = np.mgrid[:256, :256] * (SIDE_M / 256) - SIDE_M / 2
    cone = (-math.tan(math.radians(60)) * np.hypot(z, x)).astype(np.float32)
    for land in (cone, rolling(256, 256, 2500.0)):
        raised = run(land, RIBS.replace(size=120.0, strength=80.0, sharpness=1.0)).astype(float)
        around = [np.roll(raised, (r, c), (0, 1)) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
        over = (raised - np.max(around, axis=0))[1:-1, 1:-1] / (SIDE_M / 256)
        assert over.max() < 2.1 * math.sqrt(2) * crags.TIP  # neighbours have sunk at the same time, by a tip at most


def test_no_horn_stands_on_the_brink_of_a_cliff():
    """A table over a wall of 70°: ribs break up the wall, and the table's edge keeps its height."""
    x = np.mgrid[:512, :512][1] * (SIDE_M / 512) - SIDE_M / 2
    table = np.clip(-math.tan(math.radians(70)) * x, -400.0, 0.0).astype(np.float32)
    raised = run(table, RIBS.replace(size=120.0, strength=20.0))
    assert (raised - table)[np.abs(table + 200) < 100].std() > 3
    brink = table > -20
    assert raised[brink].max() < 0.5 * 20.0  # whole ribs of all octaves would be four times as high
