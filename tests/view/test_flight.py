"""Flights: from one camera to another, eased, over hills, and ended at once by whoever moves the camera."""

import itertools
from functools import partial

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.controllers import Controller, target, through_other_lens
from fellview.view.flight import eased, flight
from fellview.view.ground import floor_at
from fellview.view.projection import eye, half_extents

SIDE, CELL = 96, 10.0
SHARES = np.linspace(0, 1, 401)


def land(heights):
    return HeightField(heights.astype(np.float32), (CELL, CELL))


Z, X = np.mgrid[:SIDE, :SIDE] * CELL
RIDGE = land(300 * np.exp(-(((X - 480) / 60) ** 2)))
CLIFF = land(np.where(X > 125, 400.0, 0.0))
SPIKES = land(np.random.default_rng(3).uniform(0, 500, (SIDE, SIDE)) ** 2 / 500)
NEVER = None
SIZE = (640, 400)
FLAT = land(np.zeros((SIDE, SIDE)))

WEST = Camera(x=100.0, y=20.0, z=480.0, yaw=350.0, pitch=-5.0)
EAST = Camera(x=860.0, y=90.0, z=400.0, yaw=30.0, pitch=-25.0, field_of_view=60.0)


def test_easing_is_monotone_and_rests_at_both_ends():
    covered = [eased(share) for share in SHARES]
    assert covered[0] == 0 and covered[-1] == 1
    assert all(after >= before for before, after in itertools.pairwise(covered))
    assert covered[1] < 1e-6 and 1 - covered[-2] < 1e-6
    assert [eased(-1), eased(0.5), eased(2)] == [0, 0.5, 1]


def test_a_flight_begins_and_ends_where_it_should_and_turns_the_shorter_way():
    found = flight(WEST, EAST, FLAT, NEVER)
    assert found.at(0, FLAT) == WEST
    assert found.at(1, FLAT) == EAST
    assert found.at(0.5, FLAT).yaw == pytest.approx(10.0)
    assert found.at(0.5, FLAT).field_of_view == pytest.approx(52.5)


@pytest.mark.parametrize("field", [RIDGE, CLIFF, SPIKES, FLAT], ids=["ridge", "cliff", "spikes", "flat"])
@pytest.mark.parametrize("ends", [(WEST, EAST), (EAST, WEST), (WEST, WEST.replace(x=110.0))])
def test_a_flight_is_over_the_ground_by_itself(field, ends):
    """Lifting at the place would do, but jumps: it may correct what lies between two looks along the way, no more."""
    start, end = (one.replace(y=max(one.y, floor_at(field, one.x, one.z))) for one in ends)
    found = flight(start, end, field, NEVER)
    places = [found.at(share, field) for share in SHARES]
    assert all(one.y >= floor_at(field, one.x, one.z) - 1e-6 for one in places)
    free = [found.at(share, FLAT) for share in SHARES]
    lifted = max(one.y - other.y for one, other in zip(places, free, strict=True))
    steepest = float(np.abs(np.diff(field.heights, axis=1)).max())
    assert lifted <= steepest / 2


def test_a_view_as_a_map_keeps_its_lens_and_goes_by_ratio():
    start = Camera(projection="orthographic", span=100.0, y=1000.0)
    found = flight(start, start.replace(span=10_000.0, x=400.0), RIDGE, NEVER)
    assert found.at(0.5, RIDGE).span == pytest.approx(1000.0)
    assert found.at(0.5, RIDGE).y == 1000.0


def test_between_two_lenses_it_is_cut_half_way_at_rest():
    """There is no lens in between: what stands in the middle then is as large in both pictures."""
    above = Camera(projection="orthographic", span=500.0, x=500.0, y=500.0, z=300.0, pitch=-60.0)
    below = Camera(x=440.0, y=250.0, z=150.0, yaw=350.0, pitch=-35.0)
    through = partial(through_other_lens, size=SIZE, field=FLAT)
    for start, end in ((below, above), (above, below)):
        found = flight(start, end, FLAT, through)
        places = [found.at(share, FLAT) for share in SHARES]
        assert np.allclose(eye(places[0]), eye(start)) and places[-1] == end
        kinds = [one.projection for one in places]
        cut = kinds.index(end.projection)
        assert kinds == [start.projection] * cut + [end.projection] * (len(SHARES) - cut)
        assert 0.25 < SHARES[cut] < 0.75
        middle = [target(one, SIZE, (320, 200), FLAT) for one in places[cut - 1 : cut + 1]]
        across = [shown_m(one, place) for one, place in zip(places[cut - 1 : cut + 1], middle, strict=True)]
        assert np.allclose(*middle, atol=5) and across[0] == pytest.approx(across[1], rel=0.02)
        moved = [np.linalg.norm(eye(one) - eye(other)) for one, other in itertools.pairwise(places)]
        del moved[cut - 1]
        assert max(moved) < 0.02 * np.linalg.norm(eye(start) - eye(end)), "it sets off and rests without a jump"


def shown_m(camera, place):
    """Return how many metres the picture is high where `place` is."""
    half = half_extents(camera, 1.0)[0]
    return camera.span if camera.is_parallel else 2 * half * np.linalg.norm(place - eye(camera))


def flying(frames=3):
    controller, camera = Controller(), WEST
    controller.fly(flight(WEST, EAST, RIDGE, NEVER))
    for _ in range(frames):
        camera = controller.advance(camera, 0.1, RIDGE)
    return controller, camera


def test_the_first_frame_of_a_flight_does_not_count_the_time_before_it():
    controller = Controller()
    controller.fly(flight(WEST, EAST, RIDGE, NEVER))
    assert controller.moving
    assert controller.advance(WEST, 9.0, RIDGE) == WEST


def test_a_flight_comes_to_its_end():
    controller, camera = flying()
    assert controller.moving and camera != WEST
    for _ in range(30):
        camera = controller.advance(camera, 0.1, RIDGE)
    assert camera == EAST
    assert not controller.moving


@pytest.mark.parametrize(
    "hand",
    [
        lambda controller, camera: controller.press("left"),
        lambda controller, camera: controller.begin_drag("orbit", camera, (640, 360), (320, 200), RIDGE),
        lambda controller, camera: controller.wheel(camera, (640, 360), 1.0, (320, 200), RIDGE),
    ],
    ids=["key", "drag", "wheel"],
)
def test_the_hand_ends_a_flight_at_once(hand):
    controller, camera = flying()
    hand(controller, camera)
    controller.clear()
    assert not controller.moving
    assert controller.advance(camera, 0.1, RIDGE) is camera
