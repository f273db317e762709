"""Scree: rock that comes off walls alone, rests at its angle below them, and is neither made nor lost on the way."""

import math

import numpy as np
import pytest

from fellview.core.compiled import read_only
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.steps import scree
from fellview.terrain.steps.scree import Scree
from tests.lands import rolling

CELL_M = 25.0
FALLEN = Scree(enabled=True, fallen=8.0, angle=35.0, walls=42.0)


def run(heights, parameters=FALLEN):
    rows, columns = heights.shape
    grid = Grid(rows=rows, columns=columns, size_x=columns * CELL_M, size_z=rows * CELL_M)
    return scree.run(parameters, Domain(grid, 5), heights, Progress())


def cliff(cells=192, degrees=60.0, high_m=300.0):
    """Return a plain with a wall across its middle, which rises along z."""
    z = (np.arange(cells) - cells // 2) * CELL_M
    rise = np.clip(z * math.tan(math.radians(degrees)), 0, high_m)
    return np.repeat(rise[:, None], cells, axis=1).astype(np.float32)


def gully(cells=192):
    """Return that wall with a funnel of 50° cut into it that opens on the plain in the middle."""
    z, x = (np.mgrid[:cells, :cells] - cells // 2) * CELL_M
    return np.minimum(cliff(cells), math.tan(math.radians(50)) * np.hypot(x, np.maximum(z, 0))).astype(np.float32)


def test_land_without_walls_stays_to_the_bit():
    gentle = rolling(96, 96, 8.0)
    land = run(gentle)
    np.testing.assert_array_equal(land.heights, gentle)
    assert not land.fields["scree_depth"].any()


def test_nothing_sinks_and_the_field_is_what_was_laid():
    wall = cliff()
    land = run(wall)
    depth = land.fields["scree_depth"]
    assert depth.min() == 0 and depth.max() > 10
    np.testing.assert_allclose(land.heights - wall, depth, atol=1e-3)
    assert depth[: wall.shape[0] // 2 - 8].max() == 0, "200 m from the wall nothing lies"


@pytest.mark.parametrize("angle", [30.0, 36.0])
def test_an_apron_stands_at_the_angle_of_rest(angle):
    """In a straight slope below the wall, whatever stands above."""
    land = run(cliff(), FALLEN.replace(angle=angle))
    foot = slice(0, 98)
    top, deep = land.heights[foot, 96], land.fields["scree_depth"][foot, 96] > 3
    slopes = np.degrees(np.arctan(np.diff(top) / CELL_M))[deep[1:] & deep[:-1]]
    assert slopes.size >= 1
    assert np.median(slopes) == pytest.approx(angle, abs=1.5)


def test_more_lies_under_a_gully_than_beside_it():
    below = run(gully()).fields["scree_depth"][:96].sum(axis=0)
    assert below[93:100].mean() > 1.3 * below[30:60].mean()


def test_rock_is_neither_made_nor_lost():
    """All rounds move what fell and no more: what lies at the end is what the walls shed."""
    rock = read_only(cliff(128))  # as the step hands it on: kernels are compiled for that
    planned = scree.plan(FALLEN, Domain(Grid(rows=128, columns=128, size_x=3200.0, size_z=3200.0), 5))
    lz, lx, across = (np.float32(length) for length in planned.lengths)
    rest, cancel = np.float32(planned.rest), np.zeros(1, np.uint8)
    loose, given, after = np.zeros((3, *rock.shape), np.float32)
    scree._shed(rock, lz, lx, *(np.float32(t) for t in planned.walls), np.float32(8), loose, cancel)
    shed = loose.sum(dtype=np.float64)
    assert shed > 0
    for _ in range(40):
        scree._give(rock, loose, (rest * lz, rest * lx, rest * across), np.float32(scree.RATE), given, cancel)
        scree._take(rock, loose, given, (rest * lz, rest * lx, rest * across), after, cancel)
        loose, after = after, loose
    assert loose.min() >= 0
    assert loose.sum(dtype=np.float64) == pytest.approx(shed, rel=1e-5)


def test_a_mirrored_wall_has_mirrored_scree():
    land = gully()
    here, there = run(land).heights, run(np.ascontiguousarray(land[:, ::-1])).heights[:, ::-1]
    np.testing.assert_allclose(here[:, 1:-1], there[:, 1:-1], atol=2e-2)


def test_grids_finer_than_its_own_show_the_same_scree():
    domain = [Domain(Grid(rows=n, columns=n, size_x=6000.0, size_z=6000.0), 5) for n in (512, 1024)]
    plans = [scree.plan(FALLEN, each) for each in domain]
    assert plans[0] == plans[1]


def test_scree_is_a_deposit():
    scene = Scene().replace(
        {"grid.rows": 96, "grid.columns": 96, "noise.kind": "simplex", "smooth.enabled": False}
        | {"erosion.kind": "none", "scree.enabled": True, "scree.walls": 15.0, "scree.angle": 12.0}
    )
    field = Pipeline(CpuEngine()).run(scene.terrain_groups()).field
    np.testing.assert_allclose(field.masks["deposition_depth"], field.masks["scree_depth"], atol=1e-3)
    assert field.masks["scree_depth"].max() > 0.5
