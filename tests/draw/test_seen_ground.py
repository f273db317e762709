"""The ground that a camera sees, from above: boxes of a grid that hold all of it, and not much more."""

import numpy as np
import pytest

from fellview.draw.land.seen_ground import seen_ground
from fellview.scene.groups.camera import Camera
from fellview.view import projection

SIDES_M = (1200.0, 800.0)
FIRST, STEP, VERTICES, STRIPS = -1.5, 1 / 32, 129, 8


def covered(seen):
    """Return which vertices of the grid lie in its boxes, bool [row, column]."""
    mask = np.zeros((VERTICES, VERTICES), bool)
    for left, bottom, columns, rows in seen.boxes(FIRST, STEP, VERTICES, STRIPS):
        assert left % 2 == bottom % 2 == 0 and left + columns <= VERTICES and bottom + rows <= VERTICES
        mask[bottom : bottom + rows, left : left + columns] = True
    return mask


@pytest.mark.parametrize("seed", range(40))
def test_boxes_hold_all_that_any_pixel_may_show(seed):
    chance = np.random.default_rng(seed)
    x, z = (chance.uniform(-1.4, 2.4) * side for side in SIDES_M)
    yaw, pitch, view = chance.uniform(0, 360), chance.uniform(-40, 20), chance.uniform(20, 70)
    camera = Camera(x=x, y=300.0, z=z, yaw=yaw, pitch=pitch, field_of_view=view)
    aspect = chance.uniform(0.6, 2.0)
    seen = seen_ground(camera, aspect, SIDES_M)
    if seen is None:
        return
    right, up, ahead = projection.axes(yaw, pitch)
    rise = np.tan(np.radians(view) / 2)
    across, along = chance.uniform(-1, 1, (2, 4000))
    ways = ahead + (across * aspect * rise)[:, None] * right + (along * rise)[:, None] * up
    places = np.array([x, z]) + ways[:, [0, 2]] * 10 ** chance.uniform(0, 4, (4000, 1))
    at = (places / SIDES_M - FIRST) / STEP
    column, row = at[((at > 0) & (at < VERTICES - 1)).all(axis=1)].T
    mask = covered(seen)
    for rows, columns in ((np.floor, np.floor), (np.floor, np.ceil), (np.ceil, np.floor), (np.ceil, np.ceil)):
        assert mask[rows(row).astype(int), columns(column).astype(int)].all()


@pytest.mark.parametrize("yaw", range(0, 360, 15))
def test_they_hold_little_else(yaw):
    camera = Camera(x=600.0, y=300.0, z=400.0, yaw=float(yaw), pitch=-5.0, field_of_view=42.0)
    seen = seen_ground(camera, 1.35, (800.0, 800.0))
    assert 0.1 < covered(seen).mean() < 0.4


def test_an_eye_that_looks_down_or_along_parallel_lines_sees_no_wedge():
    down = Camera(x=600.0, y=900.0, z=400.0, yaw=30.0, pitch=-85.0, field_of_view=42.0)
    assert seen_ground(down, 1.35, SIDES_M) is None
    assert seen_ground(down.replace(pitch=-10.0), 1.35, SIDES_M) is not None
    assert seen_ground(down.replace(pitch=-10.0, projection="orthographic"), 1.35, SIDES_M) is None
