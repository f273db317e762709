import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view import projection
from fellview.view.controllers import CAMERA_MOVEMENTS, DRAGS, KEYS, WORLD_MOVEMENTS, Controller, target
from fellview.view.extent import extent
from fellview.view.ground import clearance, floor_at
from fellview.view.picking import hit

SIZE = (1280, 720)
MIDDLE = (640, 360)


def hills(amplitude=12.0, rows=101, columns=101, cell=(2.0, 2.0)):
    z, x = np.mgrid[:rows, :columns]
    return HeightField((amplitude * np.sin(x / 9) * np.cos(z / 7)).astype(np.float32), cell)


HILLS = hills()
FLAT = hills(amplitude=0.0)
ORBIT = Camera(x=100.0, y=90.0, z=-60.0, yaw=10.0, pitch=-30.0)
DEMO = Camera(mode="demo", x=100.0, y=7.5, z=100.0, yaw=0.0, pitch=0.0)


def eye(camera):
    return projection.eye(camera)


def dragged(kind, camera, cursors, field=HILLS):
    """Return the cameras after each of `cursors` but the first, where the button goes down."""
    controller = Controller()
    controller.begin_drag(kind, camera, SIZE, cursors[0], field)
    cameras = []
    for cursor in cursors[1:]:
        camera = controller.drag(camera, SIZE, cursor, field)
        cameras.append(camera)
    return cameras


def after_keys(camera, movements, seconds, steps, field=HILLS, fast=False):
    controller = Controller()
    for movement in movements:
        controller.press(movement, fast)
    for _ in range(steps):
        camera = controller.advance(camera, seconds / steps, field)
    return camera


class TestTables:
    def test_every_binding_names_something_the_controller_knows(self):
        controller = Controller()
        for movement in KEYS.values():
            controller.press(movement)
        for kind in DRAGS.values():
            controller.begin_drag(kind, ORBIT, SIZE, MIDDLE, HILLS)
            assert controller.dragging == kind

    def test_every_movement_has_a_key(self):
        assert set(KEYS.values()) == {*CAMERA_MOVEMENTS, *WORLD_MOVEMENTS}

    def test_unknown_words_are_refused_with_the_known_ones(self):
        with pytest.raises(ValueError, match=r"'sideways'.*forward"):
            Controller().press("sideways")
        with pytest.raises(ValueError, match=r"'spin'.*orbit"):
            Controller().begin_drag("spin", ORBIT, SIZE, MIDDLE, HILLS)


class TestKeys:
    @pytest.mark.parametrize(
        ("movement", "axis", "sign"),
        [
            ("forward", projection.forward, 1),
            ("back", projection.forward, -1),
            ("right", projection.right, 1),
            ("left", projection.right, -1),
            ("up", projection.up, 1),
            ("down", projection.up, -1),
            ("rise", lambda camera: np.array([0, 1, 0]), 1),
            ("sink", lambda camera: np.array([0, 1, 0]), -1),
        ],
    )
    def test_each_moves_along_its_axis_a_quarter_of_the_width_a_second(self, movement, axis, sign):
        moved = after_keys(ORBIT, [movement], 0.1, 1)
        np.testing.assert_allclose(eye(moved) - eye(ORBIT), sign * axis(ORBIT) * 200 / 4 * 0.1, atol=1e-9)
        assert (moved.yaw, moved.pitch) == (ORBIT.yaw, ORBIT.pitch)

    @pytest.mark.parametrize("camera", [ORBIT, ORBIT.replace(y=20.0, z=100.0, pitch=-60.0), DEMO])
    @pytest.mark.parametrize("movements", [["forward"], ["left", "down"], ["sink", "forward", "right"]])
    def test_ten_short_frames_go_as_far_as_one_long_one(self, camera, movements):
        long = after_keys(camera, movements, 0.1, 1)
        assert long != camera
        np.testing.assert_allclose(eye(after_keys(camera, movements, 0.1, 10)), eye(long), rtol=1e-9)
        # any other rate comes close: the speed changes with the height on the way
        np.testing.assert_allclose(eye(after_keys(camera, movements, 0.1, 7)), eye(long), atol=0.02)

    def test_seven_hundredths_are_seven_steps_whatever_the_quotient_rounds_to(self):
        low = ORBIT.replace(y=20.0, z=100.0, pitch=-60.0)
        once, seven = after_keys(low, ["forward"], 0.07, 1), after_keys(low, ["forward"], 0.07, 7)
        np.testing.assert_allclose(eye(seven), eye(once), rtol=1e-12)

    def test_a_hitch_moves_no_farther_than_a_quarter_of_a_second(self):
        assert after_keys(ORBIT, ["forward"], 30.0, 1) == after_keys(ORBIT, ["forward"], 0.25, 1)

    def test_time_that_runs_backwards_moves_nothing(self):
        assert after_keys(ORBIT, ["forward"], -1.0, 1) is ORBIT

    def test_shift_is_four_times_faster(self):
        once = eye(after_keys(ORBIT, ["back"], 0.1, 1)) - eye(ORBIT)
        fast = eye(after_keys(ORBIT, ["back"], 0.1, 1, fast=True)) - eye(ORBIT)
        np.testing.assert_allclose(fast, 4 * once, rtol=1e-9)

    def test_shift_may_come_and_go_while_a_key_is_held(self):
        controller = Controller()
        controller.press("back")
        slow = controller.advance(ORBIT, 0.1, HILLS)
        controller.set_fast(True)
        assert np.linalg.norm(eye(controller.advance(ORBIT, 0.1, HILLS)) - eye(ORBIT)) == pytest.approx(20)
        controller.set_fast(False)
        assert controller.advance(ORBIT, 0.1, HILLS) == slow

    def test_a_diagonal_is_no_faster(self):
        moved = after_keys(ORBIT, ["forward", "right", "up"], 0.1, 1)
        assert np.linalg.norm(eye(moved) - eye(ORBIT)) == pytest.approx(5)

    def test_opposite_keys_hold_the_eye(self):
        assert after_keys(ORBIT, ["forward", "back"], 0.1, 1) == ORBIT

    def test_speed_scales_with_the_land(self):
        large = hills(cell=(200.0, 200.0))
        high = ORBIT.replace(y=9000.0)
        moved = after_keys(high, ["right"], 0.1, 1, field=large)
        assert np.linalg.norm(eye(moved) - eye(high)) == pytest.approx(500)

    def test_near_the_ground_the_eye_goes_slower_but_goes(self):
        low = Camera(x=100, y=clearance(FLAT) + 0.5, z=100, pitch=0.0)
        way = np.linalg.norm(eye(after_keys(low, ["forward"], 0.1, 1, field=FLAT)) - eye(low))
        assert 0.2 < way < 1

    @pytest.mark.parametrize("movement", ["sink", "forward", "down"])
    def test_no_key_takes_the_eye_through_the_ground(self, movement):
        camera = Camera(x=60.0, y=40.0, z=60.0, pitch=-70.0, yaw=40.0)
        for _ in range(80):
            camera = after_keys(camera, [movement], 0.1, 1, fast=True)
            assert camera.y >= floor_at(HILLS, camera.x, camera.z) - 1e-9

    def test_flying_level_into_a_hill_climbs_it(self):
        camera = Camera(x=0.0, y=1.0, z=1.0, yaw=90.0, pitch=0.0)
        heights = []
        for _ in range(60):
            camera = after_keys(camera, ["forward"], 0.1, 1)
            heights.append(camera.y)
        assert max(heights) > 8  # the ridges on its way are nine metres high

    def test_moving_tells_whether_a_key_is_down(self):
        controller = Controller()
        assert not controller.moving
        controller.press("forward")
        controller.press("left")
        controller.release("forward")
        assert controller.moving
        controller.release("left")
        controller.release("left")
        assert not controller.moving
        assert controller.advance(ORBIT, 0.1, HILLS) is ORBIT

    def test_losing_the_focus_lets_go_of_everything(self):
        controller = Controller()
        controller.press("forward", fast=True)
        controller.begin_drag("orbit", ORBIT, SIZE, MIDDLE, HILLS)
        controller.clear()
        assert not controller.moving and controller.dragging is None
        assert controller.drag(ORBIT, SIZE, (0, 0), HILLS) is ORBIT
        controller.press("back")
        assert np.linalg.norm(eye(controller.advance(ORBIT, 0.1, HILLS)) - eye(ORBIT)) == pytest.approx(5)


class TestOrbit:
    @pytest.mark.parametrize("cursor", [(640, 400), (300, 600), (900, 450)])
    def test_the_pivot_keeps_its_pixel_and_its_distance(self, cursor):
        pivot = hit(HILLS, *projection.ray(ORBIT, SIZE, cursor))
        path = [cursor] + [(cursor[0] + 3 * i, cursor[1] + 2 * i) for i in range(1, 60)]
        for camera in dragged("orbit", ORBIT, path):
            assert projection.project(camera, SIZE, pivot) == pytest.approx(cursor, abs=1e-6)
            assert np.linalg.norm(eye(camera) - pivot) == pytest.approx(np.linalg.norm(eye(ORBIT) - pivot))

    def test_nothing_jumps_at_the_press(self):
        still, one_pixel = dragged("orbit", ORBIT, [(300, 600), (300, 600), (301, 600)])
        assert still is ORBIT
        assert one_pixel.yaw == pytest.approx(ORBIT.yaw + 180 / 720)
        assert one_pixel.pitch == pytest.approx(ORBIT.pitch)
        assert np.linalg.norm(eye(one_pixel) - eye(ORBIT)) < 1

    def test_the_near_ground_follows_the_hand(self):
        # about the middle: ground nearer than the pivot moves right with a drag to the right, down with one down
        for delta, axis in (((40, 0), 0), ((0, 40), 1)):
            pivot = hit(HILLS, *projection.ray(ORBIT, SIZE, MIDDLE))
            near = pivot + 0.3 * (eye(ORBIT) - pivot)
            (camera,) = dragged("orbit", ORBIT, [MIDDLE, (MIDDLE[0] + delta[0], MIDDLE[1] + delta[1])])
            assert projection.project(camera, SIZE, near)[axis] > MIDDLE[axis] + 1

    def test_there_and_back_is_where_it_began(self):
        cameras = dragged("orbit", ORBIT, [MIDDLE, (700, 380), (500, 300), MIDDLE])
        np.testing.assert_allclose(eye(cameras[-1]), eye(ORBIT), atol=1e-9)
        assert cameras[-1].yaw == pytest.approx(ORBIT.yaw)

    @pytest.mark.parametrize("kind", ["orbit", "look"])
    @pytest.mark.parametrize("step", [37, -37])
    def test_long_drags_stop_at_the_poles_and_never_flip(self, kind, step):
        path = [(640, 400 + step * i) for i in range(100)]
        cameras = dragged(kind, ORBIT, path)
        assert all(abs(camera.pitch) <= 89 for camera in cameras)
        assert {camera.yaw for camera in cameras} == {ORBIT.yaw}
        assert all(projection.up(camera)[1] > 0 for camera in cameras)
        turns = np.diff([camera.pitch for camera in cameras]) * step
        assert (turns <= 1e-9).all()  # down the screen is down in pitch, and never back

    def test_many_turns_keep_the_yaw_in_its_range(self):
        for camera in dragged("orbit", ORBIT, [(640 + 499 * i, 400) for i in range(60)]):
            assert 0 <= camera.yaw <= 360

    def test_a_view_from_the_top_is_not_thrown_back_by_a_press(self):
        top = Camera(x=100, y=300, z=100, pitch=-90)
        sideways, tilted = dragged("orbit", top, [(640, 400), (650, 400), (650, 390)])
        assert sideways.pitch == -90
        assert tilted.pitch == pytest.approx(-90 + 10 * 180 / 720)

    def test_orbiting_low_stays_above_the_ground_at_the_same_distance(self):
        pivot = hit(HILLS, *projection.ray(ORBIT, SIZE, (640, 400)))
        distance = np.linalg.norm(eye(ORBIT) - pivot)
        path = [(640 + 15 * i, 400 - 5 * i) for i in range(150)]
        cameras = dragged("orbit", ORBIT, path)
        gaps = [camera.y - floor_at(HILLS, camera.x, camera.z) for camera in cameras]
        assert min(gaps) >= 0
        assert min(gaps) < 0.01  # it was held back, and by no more than needed
        for camera in cameras:
            assert np.linalg.norm(eye(camera) - pivot) == pytest.approx(distance)

    def test_on_the_sky_it_turns_about_a_point_as_far_as_the_land(self):
        level = ORBIT.replace(pitch=10.0)
        far_off = target(level, SIZE, MIDDLE, HILLS)
        np.testing.assert_allclose(
            np.linalg.norm(far_off - eye(level)), np.linalg.norm([100, 0, 100] - eye(level)), rtol=0.01
        )
        (camera,) = dragged("orbit", level, [MIDDLE, (700, 360)])
        assert projection.project(camera, SIZE, far_off) == pytest.approx(MIDDLE, abs=1e-6)

    def test_even_from_the_lands_very_centre_the_sky_has_a_point(self):
        centre = Camera(x=100, y=0, z=100, pitch=40)
        np.testing.assert_allclose(eye(centre), extent(FLAT).centre)
        assert np.linalg.norm(target(centre, SIZE, MIDDLE, FLAT) - eye(centre)) > 1

    def test_land_that_rose_over_the_pivot_during_the_drag_lifts_the_eye_out(self):
        raised = HeightField(FLAT.heights + 500, FLAT.cell_size)
        controller = Controller()
        inside = ORBIT.replace(z=50.0)
        controller.begin_drag("orbit", inside, SIZE, MIDDLE, FLAT)
        camera = controller.drag(inside, SIZE, (650, 360), raised)
        assert camera.y == pytest.approx(500 + clearance(raised))

    def test_keys_work_during_a_drag(self):
        controller = Controller()
        controller.begin_drag("look", ORBIT, SIZE, MIDDLE, HILLS)
        controller.press("forward")
        moved = controller.advance(ORBIT, 0.1, HILLS)
        turned = controller.drag(moved, SIZE, (650, 360), HILLS)
        np.testing.assert_array_equal(eye(turned), eye(moved))
        assert turned.yaw > moved.yaw


class TestPanAndLook:
    @pytest.mark.parametrize("cursor", [(640, 400), (300, 600), (900, 300)])
    def test_the_grabbed_ground_stays_under_the_cursor(self, cursor):
        grabbed = hit(HILLS, *projection.ray(ORBIT, SIZE, cursor))
        path = [cursor] + [(cursor[0] - 7 * i, cursor[1] + 2 * i) for i in range(1, 60)]
        for place, camera in zip(path[1:], dragged("pan", ORBIT, path), strict=True):
            assert projection.project(camera, SIZE, grabbed) == pytest.approx(place, abs=1e-6)
            assert (camera.yaw, camera.pitch) == (ORBIT.yaw, ORBIT.pitch)

    def test_panning_into_the_ground_stops_on_it_and_finds_the_point_again(self):
        camera = ORBIT.replace(pitch=-20.0)
        grabbed = hit(HILLS, *projection.ray(camera, SIZE, MIDDLE))
        low, back = dragged("pan", camera, [MIDDLE, (640, -300), MIDDLE])
        assert low.y == pytest.approx(floor_at(HILLS, low.x, low.z))
        assert projection.project(low, SIZE, grabbed) != pytest.approx((640, -300), abs=1)
        assert projection.project(back, SIZE, grabbed) == pytest.approx(MIDDLE, abs=1e-6)

    def test_a_point_that_keys_have_left_behind_is_not_dragged_along(self):
        controller = Controller()
        controller.begin_drag("pan", ORBIT, SIZE, MIDDLE, HILLS)
        beyond = ORBIT.replace(z=400.0)
        assert controller.drag(beyond, SIZE, (700, 360), HILLS) is beyond

    def test_looking_turns_in_place_towards_the_drag(self):
        (camera,) = dragged("look", ORBIT, [MIDDLE, (740, 310)])
        np.testing.assert_array_equal(eye(camera), eye(ORBIT))
        assert camera.yaw == pytest.approx(ORBIT.yaw + 100 * 2 * 45 / 720)
        assert camera.pitch == pytest.approx(ORBIT.pitch + 50 * 2 * 45 / 720)

    def test_a_long_lens_turns_slower(self):
        (wide,) = dragged("look", ORBIT, [MIDDLE, (740, 360)])
        (long,) = dragged("look", ORBIT.replace(field_of_view=4.5), [MIDDLE, (740, 360)])
        assert (wide.yaw - ORBIT.yaw) == pytest.approx(10 * (long.yaw - ORBIT.yaw))


class TestWheel:
    @pytest.mark.parametrize("cursor", [(640, 400), (300, 600)])
    def test_a_notch_takes_a_tenth_of_the_way_to_the_ground_under_the_cursor(self, cursor):
        point = hit(HILLS, *projection.ray(ORBIT, SIZE, cursor))
        camera = Controller().wheel(ORBIT, SIZE, 1, cursor, HILLS)
        np.testing.assert_allclose(eye(camera), eye(ORBIT) + (point - eye(ORBIT)) / 10, atol=1e-9)
        assert projection.project(camera, SIZE, point) == pytest.approx(cursor, abs=1e-6)

    def test_a_notch_back_undoes_a_notch_forth(self):
        controller = Controller()
        there = controller.wheel(ORBIT, SIZE, 1, MIDDLE, HILLS)
        assert there.z > ORBIT.z
        np.testing.assert_allclose(eye(controller.wheel(there, SIZE, -1, MIDDLE, HILLS)), eye(ORBIT), atol=1e-9)

    def test_half_notches_add_up(self):
        controller = Controller()
        halves = controller.wheel(controller.wheel(ORBIT, SIZE, 0.5, MIDDLE, HILLS), SIZE, 0.5, MIDDLE, HILLS)
        np.testing.assert_allclose(eye(halves), eye(controller.wheel(ORBIT, SIZE, 1, MIDDLE, HILLS)), atol=1e-9)

    @pytest.mark.parametrize("notches", [1, 5, 1e9])
    def test_never_through_the_ground(self, notches):
        controller, camera = Controller(), ORBIT
        for _ in range(150):
            camera = controller.wheel(camera, SIZE, notches, (500, 500), HILLS)
            assert camera.y >= floor_at(HILLS, camera.x, camera.z) - 1e-9

    def test_backing_into_a_hill_ends_above_it(self):
        camera = Camera(x=100.0, y=-5.0, z=30.0, yaw=0.0, pitch=0.0)
        for _ in range(30):
            camera = Controller().wheel(camera, SIZE, -1, MIDDLE, HILLS)
            assert camera.y >= floor_at(HILLS, camera.x, camera.z) - 1e-9

    def test_away_for_ever_stays_finite(self):
        camera = ORBIT
        for _ in range(20):
            camera = Controller().wheel(camera, SIZE, -1e9, (640, 10), HILLS)
        assert max(abs(eye(camera))) <= 1e9

    def test_while_looking_it_sets_the_speed_of_the_keys(self):
        controller = Controller()
        controller.begin_drag("look", ORBIT, SIZE, MIDDLE, HILLS)
        assert controller.wheel(ORBIT, SIZE, 2, MIDDLE, HILLS) is ORBIT
        controller.press("back")
        way = np.linalg.norm(eye(controller.advance(ORBIT, 0.1, HILLS)) - eye(ORBIT))
        assert way == pytest.approx(5 * 1.25**2)
        controller.wheel(ORBIT, SIZE, 1e9, MIDDLE, HILLS)
        assert np.isfinite(eye(controller.advance(ORBIT, 0.1, HILLS))).all()


class TestDemo:
    @pytest.mark.parametrize("kind", ["orbit", "pan", "look"])
    def test_a_drag_turns_a_fifth_of_a_degree_a_pixel_and_nothing_else(self, kind):
        (camera,) = dragged(kind, DEMO, [MIDDLE, (740, 500)])
        assert camera == DEMO.replace(yaw=20.0)

    def test_a_notch_moves_a_tenth_along_the_view_axis(self):
        tilted = DEMO.replace(yaw=90.0, pitch=30.0)
        camera = Controller().wheel(tilted, SIZE, -3, (0, 0), HILLS)
        np.testing.assert_allclose(eye(camera) - eye(tilted), -0.3 * projection.forward(tilted), atol=1e-9)

    @pytest.mark.parametrize("fast", [False, True])
    def test_a_key_moves_36_a_second_along_the_cameras_axes(self, fast):
        moved = after_keys(DEMO, ["forward"], 1.0, 30, fast=fast)
        np.testing.assert_allclose(eye(moved) - eye(DEMO), (0, 0, 36), atol=1e-9)
        two_keys = after_keys(DEMO, ["right", "down"], 1 / 30, 1)
        np.testing.assert_allclose(eye(two_keys) - eye(DEMO), (1.2, -1.2, 0), atol=1e-9)

    def test_the_ground_holds_nothing_back(self):
        assert after_keys(DEMO, ["down"], 2.0, 60).y == pytest.approx(7.5 - 72)

    def test_each_mode_takes_over_from_the_other_at_once(self):
        below = after_keys(DEMO, ["down"], 2.0, 60).replace(mode="orbit")
        lifted = after_keys(below, ["right"], 0.1, 1)
        assert lifted.y >= floor_at(HILLS, lifted.x, lifted.z) - 1e-9
        controller = Controller()
        controller.begin_drag("orbit", DEMO, SIZE, MIDDLE, HILLS)
        turned = controller.drag(DEMO.replace(mode="orbit", y=50.0), SIZE, (650, 360), HILLS)
        assert turned.yaw > 0
        np.testing.assert_array_equal(eye(turned), (100, 50, 100))  # the press found no pivot, so it turns in place


def test_a_frame_never_waits_long_on_the_largest_land():
    # no clock: what makes these slow is reading every height, so count how often that happens
    reads = []

    class Counted(np.ndarray):
        def max(self, *arguments, **options):
            reads.extend(["max"] * (self.shape == HILLS.heights.shape))
            return super().max(*arguments, **options)

        def min(self, *arguments, **options):
            reads.extend(["min"] * (self.shape == HILLS.heights.shape))
            return super().min(*arguments, **options)

    field = HeightField(HILLS.heights.view(Counted), HILLS.cell_size)
    controller, camera = Controller(), ORBIT
    controller.press("right")
    for _, cursor in itertools.product(range(3), [(640, 400), (300, 10)]):
        camera = controller.advance(camera, 0.01, field)
        camera = controller.wheel(camera, SIZE, 1, cursor, field)
        projection.clip_planes(camera, field)
    assert 0 < len(reads) <= 2
