import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.look import Camera
from fellview.view import framing, projection
from fellview.view.extent import extent


def land(rows=40, columns=60, cell=(4.0, 3.0), low=100.0, high=160.0):
    heights = np.linspace(low, high, rows * columns, dtype=np.float32).reshape(rows, columns)
    return HeightField(heights, cell)


LANDS = [land(), land(rows=2, columns=2, low=0, high=0), land(rows=8, columns=300, low=-900, high=4000)]
SIZES = [(1280, 720), (300, 900)]


def corner_pixels(camera, size, field):
    box = extent(field)
    return [projection.project(camera, size, c) for c in itertools.product(*zip(box.low, box.high, strict=True))]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("field", LANDS)
@pytest.mark.parametrize("view", [framing.frame, framing.top, framing.front, framing.side])
@pytest.mark.parametrize(("yaw", "pitch", "lens"), [(0, -20, 45), (123, -70, 15), (270, -90, 90), (45, 0, 45)])
def test_the_whole_land_is_in_view_and_fills_it(view, field, size, yaw, pitch, lens):
    start = Camera(x=5e4, y=-7, z=3, yaw=yaw, pitch=pitch, field_of_view=lens)
    camera = view(start, field, size[0] / size[1])
    pixels = np.array(corner_pixels(camera, size, field), float)  # a None, behind the eye, would be NaN
    share = np.abs(pixels / size * 2 - 1)
    assert share.max() < 0.96
    assert share.max() > 0.94  # as near as it can be
    assert camera.field_of_view == lens


@pytest.mark.parametrize(("yaw", "pitch"), [(0.0, -20.0), (200.0, -90.0)])
def test_frame_keeps_the_direction(yaw, pitch):
    camera = framing.frame(Camera(yaw=yaw, pitch=pitch), land(), 1.6)
    assert (camera.yaw, camera.pitch) == (yaw, pitch)


@pytest.mark.parametrize("pitch", [0.0, 30.0, 90.0])
def test_frame_never_looks_at_the_underside(pitch):
    field = land(low=0, high=0)
    camera = framing.frame(Camera(pitch=pitch), field, 1.6)
    assert camera.pitch < 0
    assert camera.y > 0


def test_framing_twice_changes_nothing():
    once = framing.frame(Camera(yaw=77.0), land(), 1.6)
    assert framing.frame(once, land(), 1.6) == once


def test_top_is_a_map_with_x_right_and_z_up():
    field, size = land(), (800, 600)
    camera = framing.top(Camera(), field, 4 / 3)
    origin, along_x, along_z = (
        projection.project(camera, size, p) for p in [(0, 100, 0), (177, 100, 0), (0, 100, 156)]
    )
    assert along_x[0] > origin[0] and along_x[1] == pytest.approx(origin[1])
    assert along_z[1] < origin[1] and along_z[0] == pytest.approx(origin[0])


def test_front_looks_along_z_and_side_along_minus_x():
    np.testing.assert_allclose(projection.forward(framing.front(Camera(), land(), 1.6)), (0, 0, 1), atol=1e-12)
    np.testing.assert_allclose(projection.forward(framing.side(Camera(), land(), 1.6)), (-1, 0, 0), atol=1e-12)


@pytest.mark.parametrize("view", [framing.top, framing.front, framing.side])
def test_views_along_an_axis_have_parallel_sight_lines(view):
    camera = view(Camera(pitch=12), land(), 1.6)
    assert camera.is_parallel and framing.is_top(camera) == (view is framing.top)
    assert not framing.is_top(camera.replace(projection="perspective"))
    assert not framing.is_top(camera.replace(yaw=10.0))


def test_the_mode_stays():
    assert framing.frame(Camera(mode="demo"), land(), 1.6).mode == "demo"
