"""What a map shows of a camera, and how it moves it: footprints, profiles and aims against plain geometry."""

import math

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view import projection
from fellview.view.aiming import aimed_at, footprint, turned_to
from fellview.view.picking import height_at, hit
from fellview.view.profile import profile

SIZE = (900, 600)
HILLS = HeightField(
    (40 * np.sin(np.arange(129) / 9)[:, None] * np.cos(np.arange(129) / 13)[None]).astype(np.float32), (5.0, 5.0)
)


def looking(**changes):
    return Camera(x=320.0, y=260.0, z=-120.0, yaw=10.0, pitch=-35.0).replace(**changes)


def middle(camera):
    return hit(HILLS, *projection.ray(camera, SIZE, (SIZE[0] / 2, SIZE[1] / 2)))


@pytest.mark.parametrize("camera", [looking(), looking(projection="orthographic", span=300.0), looking(yaw=200, z=700)])
def test_the_place_that_is_aimed_at_is_in_the_middle_from_as_far_away(camera):
    before = middle(camera)
    aimed = aimed_at(camera, HILLS, SIZE, (250.0, 330.0))
    after = middle(aimed)
    np.testing.assert_allclose(after, (250, height_at(HILLS, 250, 330), 330), atol=1e-6)
    assert (aimed.yaw, aimed.pitch, aimed.span) == (camera.yaw, camera.pitch, camera.span)
    np.testing.assert_allclose(
        after - projection.eye(aimed), before - projection.eye(camera), atol=1e-6, err_msg="side and distance stay"
    )


def test_a_camera_that_sees_the_sky_stays_and_turns():
    camera = looking(pitch=30.0)
    aimed = aimed_at(camera, HILLS, SIZE, (250.0, 330.0))
    assert (aimed.x, aimed.y, aimed.z) == (camera.x, camera.y, camera.z)
    across, down = projection.project(aimed, SIZE, (250.0, height_at(HILLS, 250, 330), 330.0))
    assert (across, down) == (pytest.approx(450), pytest.approx(300))


def test_straight_above_there_is_nothing_to_turn_to():
    camera = looking()
    assert turned_to(camera, np.array([camera.x, 0.0, camera.z])) == camera


def test_the_footprint_is_where_the_corners_of_the_picture_lie():
    camera = looking()
    level = -25.0
    for place, pixel in zip(footprint(camera, SIZE, level, 1e5), ((0, 600), (0, 0), (900, 0), (900, 600)), strict=True):
        seen = projection.project(camera, SIZE, (place[0], level, place[1]))
        assert seen == (pytest.approx(pixel[0], abs=1e-6), pytest.approx(pixel[1], abs=1e-6))


def test_a_footprint_from_straight_above_is_the_picture_s_rectangle():
    camera = looking(projection="orthographic", span=200.0, pitch=-90.0, yaw=0.0)
    corners = footprint(camera, SIZE, 0.0, 1e4)
    expected = [(170, -220), (170, -20), (470, -20), (470, -220)]
    np.testing.assert_allclose(corners, expected, atol=1e-4)


@pytest.mark.parametrize("pitch", [0.0, 20.0, 89.9, 90.0])
def test_sight_lines_into_the_sky_end_far_off(pitch):
    for x, z in footprint(looking(pitch=pitch), SIZE, 0.0, 5_000.0):
        assert math.isfinite(x) and math.isfinite(z)
        assert math.dist((x, z), (320, -120)) <= 5_000 * 1.001


def test_a_profile_is_the_ground_along_its_line():
    found = profile(HILLS, (10.0, 600.0), (500.0, 40.0), 50)
    assert found.along[-1] == pytest.approx(math.dist((10, 600), (500, 40)))
    assert np.ptp(np.diff(found.along)) == pytest.approx(0, abs=1e-9)
    assert found.heights[0] == pytest.approx(height_at(HILLS, 10, 600))
    assert found.heights[-1] == pytest.approx(height_at(HILLS, 500, 40))
    third = 10 / 49
    assert found.heights[10] == pytest.approx(height_at(HILLS, 10 + third * 490, 600 - third * 560))


def test_a_profile_of_no_length_is_level():
    found = profile(HILLS, (100.0, 100.0), (100.0, 100.0))
    assert np.ptp(found.heights) == 0 and found.along[-1] == 0
