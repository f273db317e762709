import subprocess
import sys

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view import projection
from fellview.view.picking import height_at

SIZE = (640, 480)
EYE = Camera(x=10.0, y=20.0, z=30.0, yaw=0.0, pitch=0.0, field_of_view=90.0)


def hills(rows=48, columns=65, cell=(5.0, 3.0), amplitude=20.0):
    z, x = np.mgrid[:rows, :columns]
    return HeightField((amplitude * np.sin(x / 7) * np.cos(z / 5)).astype(np.float32), cell)


def on_screen(camera, point, near=1.0, far=1000.0, size=SIZE):
    """Return normalised device coordinates through the bytes that a shader gets, multiplied as GLSL does."""
    # GLSL reads a mat4's bytes column by column, so `M * vec4` uses the transpose of how numpy shows them
    bytes_of_mat4 = projection.view_projection(camera, size, near, far).tobytes()
    matrix = np.frombuffer(bytes_of_mat4, np.float32).reshape(4, 4).T
    clip = matrix @ np.array([*point, 1.0], np.float32)
    return clip[:3] / clip[3], clip[3]


def test_looking_along_z_plus_x_is_right_and_plus_y_is_up():
    right_of_axis, _ = on_screen(EYE, (11, 20, 40))
    above_axis, _ = on_screen(EYE, (10, 21, 40))
    assert right_of_axis[0] > 0 and right_of_axis[1] == pytest.approx(0, abs=1e-6)
    assert above_axis[1] > 0 and above_axis[0] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("yaw", "ahead", "to_the_right"),
    [
        (0, (0, 0, 1), (1, 0, 0)),
        (90, (1, 0, 0), (0, 0, -1)),
        (180, (0, 0, -1), (-1, 0, 0)),
        (270, (-1, 0, 0), (0, 0, 1)),
    ],
)
def test_yaw_turns_from_z_towards_x(yaw, ahead, to_the_right):
    camera = EYE.replace(yaw=yaw)
    np.testing.assert_allclose(projection.forward(camera), ahead, atol=1e-12)
    np.testing.assert_allclose(projection.right(camera), to_the_right, atol=1e-12)
    np.testing.assert_allclose(projection.up(camera), (0, 1, 0), atol=1e-12)


def test_positive_pitch_looks_up():
    assert projection.forward(EYE.replace(pitch=30.0))[1] == pytest.approx(0.5)


def test_the_field_of_view_is_vertical():
    # 90° sees as far up as ahead, and 4:3 of that aside
    edge, _ = on_screen(EYE, (10 + 10 * 4 / 3, 20 + 10, 40))
    np.testing.assert_allclose(edge[:2], (1, 1), rtol=1e-6)


def test_depth_runs_from_near_to_far_and_points_behind_have_negative_w():
    near, _ = on_screen(EYE, (10, 20, 31), near=1, far=100)
    far, _ = on_screen(EYE, (10, 20, 130), near=1, far=100)
    _, w_behind = on_screen(EYE, (10, 20, 20))
    assert near[2] == pytest.approx(-1, abs=1e-5)
    assert far[2] == pytest.approx(1, abs=1e-5)
    assert w_behind < 0


def test_exactly_one_reflection():
    assert np.linalg.det(projection._view(EYE.replace(yaw=33.0, pitch=-12.0))[:3, :3]) == pytest.approx(-1)


def test_the_lands_triangles_are_clockwise_where_they_face_the_eye():
    above = Camera(x=0.5, y=10.0, z=0.5, yaw=20.0, pitch=-90.0)
    a, b, c = (on_screen(above, corner)[0][:2] for corner in [(0, 0, 0), (0, 0, 1), (1, 0, 1)])  # r c, r+1 c, r+1 c+1
    (ux, uy), (vx, vy) = b - a, c - a
    assert ux * vy - uy * vx < 0


def test_project_agrees_with_the_matrix():
    camera = EYE.replace(yaw=33.0, pitch=-12.0)
    for point in [(40, 5, 80), (20, 30, 50), (30, 0, 45)]:
        device, _ = on_screen(camera, point)
        x, y = projection.project(camera, SIZE, point)
        assert x == pytest.approx((device[0] + 1) / 2 * SIZE[0], abs=1e-3)
        assert y == pytest.approx((1 - device[1]) / 2 * SIZE[1], abs=1e-3)


def test_pixels_count_from_the_top_left():
    _, top_left = projection.ray(EYE, SIZE, (0, 0))
    _, middle = projection.ray(EYE, SIZE, (320, 240))
    assert top_left[0] < 0 < top_left[1]
    np.testing.assert_allclose(middle, projection.forward(EYE), atol=1e-12)
    assert projection.project(EYE, SIZE, (10, 20, 31)) == pytest.approx((320, 240))


def test_nothing_is_projected_from_behind_the_eye():
    assert projection.project(EYE, SIZE, (10, 20, 29)) is None


def test_a_minimised_window_divides_by_nothing():
    assert np.isfinite(projection.view_projection(EYE, (0, 0), 1, 10)).all()
    assert np.isfinite(projection.ray(EYE, (0, 0), (0, 0))[1]).all()


def test_the_demo_has_its_own_clip_planes():
    assert projection.clip_planes(EYE.replace(mode="demo"), hills()) == (1.0, 1000.0)


@pytest.mark.parametrize("height", [0.3, 5.0, 100.0, 10_000.0])
@pytest.mark.parametrize("place", [(96.0, 120.0), (-50.0, 20.0), (10.0, 900.0)])
def test_clip_planes_enclose_all_that_is_seen_in_any_direction(height, place):
    field = hills()
    x, z = place
    camera = Camera(x=x, z=z, y=max(height_at(field, x, z), -20.0) + height)
    near, far = projection.clip_planes(camera, field)
    row, column = np.mgrid[: field.rows, : field.columns]
    points = np.stack([column * 3.0, field.heights, row * 5.0], axis=-1).reshape(-1, 3)
    for yaw in range(0, 360, 40):
        for pitch in (-80, -30, 0):
            turned = camera.replace(yaw=float(yaw), pitch=float(pitch))
            offsets = (points - projection.eye(camera)) @ projection.axes(yaw, pitch).T
            half_height, half_width = projection.half_extents(turned, 16 / 9)
            depth = offsets[:, 2]
            seen = (np.abs(offsets[:, 0]) <= half_width * depth) & (np.abs(offsets[:, 1]) <= half_height * depth)
            assert projection.clip_planes(turned, field) == (near, far)
            assert not seen.any() or (near < depth[seen].min() and depth[seen].max() < far)


def test_clip_planes_follow_the_eye_away_from_the_land():
    field = hills()
    close, _ = projection.clip_planes(Camera(x=100, y=25, z=100), field)
    distant, far = projection.clip_planes(Camera(x=100, y=5000, z=100), field)
    assert distant > 100 * close
    assert far < 3 * distant


def test_reading_the_room_imports_neither_pyrr_nor_opengl():
    code = (
        "import sys, fellview.view.controllers, fellview.view.framing;"
        "print(sorted({'pyrr', 'moderngl', 'imgui_bundle', 'numba', 'glfw'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
