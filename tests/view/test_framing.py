import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view import framing, projection
from fellview.view.edge import outline
from fellview.view.exaggeration import exaggerated
from fellview.view.extent import extent
from fellview.view.picking import height_at


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


@pytest.mark.parametrize(
    ("pitch", "found"), [(-90.0, -40.0), (-55.0, -40.0), (-33.0, -33.0), (-5.0, -30.0), (20.0, -30.0)]
)
def test_frame_keeps_the_yaw_and_looks_down_by_30_to_40_degrees(pitch, found):
    camera = framing.frame(Camera(yaw=200.0, pitch=pitch), land(), 1.6)
    assert (camera.yaw, camera.pitch) == (200.0, found)


def test_frame_leaves_a_view_along_an_axis_through_the_lens_and_keeps_the_lens_elsewhere():
    for view in (framing.top, framing.front, framing.side):
        assert not framing.frame(view(Camera(), land(), 1.6), land(), 1.6).is_parallel
    assert framing.frame(Camera(projection="orthographic", pitch=-50.0), land(), 1.6).is_parallel


GAP_M = 20.0  # between the land's border and the wall around it


def wall(high, sides):
    """Return the heights of a wall so high around `land()`, at those of its `sides` that are named."""

    def heights(x, z):
        box = extent(land())
        out = {"west": -x, "east": x - box.high[0], "south": -z, "north": z - box.high[2]}
        stands = np.any([(out[side] > GAP_M) & (out[side] < 4 * GAP_M) for side in sides], axis=0)
        return np.where(stands, 160.0 + high, -np.inf)

    return heights


def sees(camera, heights, x, z):
    """Return whether nothing of `heights` is between the eye and a place on the ground of `land()`."""
    point = np.array([x, height_at(land(), x, z), z])
    way = point + np.linspace(0, 1, 4000)[:, np.newaxis] * (projection.eye(camera) - point)
    return bool((heights(way[:, 0], way[:, 2]) <= way[:, 1]).all())


CORNERS = [(x, z) for x in (0.0, 177.0) for z in (0.0, 156.0)]


def test_frame_goes_round_what_is_in_the_way_on_one_side():
    in_the_way = wall(150.0, ["south"])
    blocked = framing.frame(Camera(), land(), 1.6)
    assert not all(sees(blocked, in_the_way, *corner) for corner in CORNERS)
    camera = framing.frame(Camera(), land(), 1.6, around=in_the_way)
    assert camera.yaw != 0 and -40 <= camera.pitch <= -30
    assert all(sees(camera, in_the_way, *corner) for corner in CORNERS)


def test_frame_looks_over_what_is_in_the_way_on_all_sides():
    in_the_way = wall(60.0, ["south", "north", "west", "east"])
    camera = framing.frame(Camera(yaw=30.0), land(), 1.6, around=in_the_way)
    assert camera.yaw == 30 and camera.pitch < -40
    assert all(sees(camera, in_the_way, *corner) for corner in CORNERS)


def test_frame_goes_round_a_ridge_of_the_land_itself():
    heights = np.zeros((100, 100), np.float32)
    heights[10:14] = 1500.0  # as wide as the land is 1,000 m
    field = HeightField(heights, (10.0, 10.0))
    assert framing.hidden(framing.fitted(Camera(pitch=-35.0), field, 1.6), field)[0] > 0.5
    camera = framing.frame(Camera(pitch=-35.0), field, 1.6)
    assert camera.yaw != 0 and -40 <= camera.pitch <= -30
    assert framing.hidden(camera, field) == (pytest.approx(0, abs=0.25), 0.0)


@pytest.mark.parametrize("exaggeration", [1.0, 2.5])
def test_the_outline_goes_once_around_the_border(exaggeration):
    field, size = land(), (1280, 720)
    drawn = exaggerated(field, exaggeration)
    camera = framing.frame(Camera(yaw=30.0), drawn, 16 / 9)
    points = np.array(outline(camera, size, field, exaggeration))
    assert points[0] == pytest.approx(points[-1])
    for x, z in CORNERS:
        corner = projection.project(camera, size, (x, height_at(drawn, x, z), z))
        assert np.abs(points - corner).max(axis=1).min() < 1e-3
    ways = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert ways.max() < 100, "no side is left out"
    behind = outline(camera.replace(x=88.0, z=78.0, y=500.0, pitch=-10.0), size, field)
    assert None in behind and any(behind)


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
