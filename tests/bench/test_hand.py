"""The scripted hand: where it goes, how fast, and that the window learns of it in real time."""

import itertools

import pytest

from fellview.bench import hand
from fellview.bench.hand import Button, Gesture, Hand, Key, Move
from fellview.scene.groups.camera import Camera

LAND = (340.0, 0.0, 940.0, 720.0)
SECONDS = 10


class Window:
    """Writes down what it is told."""

    def __init__(self):
        self.told, self.waits = [], []
        self.wait = self.waits.append

    def glfw_mouse_event_callback(self, window, x, y):
        self.told.append((x, y))

    def glfw_mouse_button_callback(self, window, button, action, modifiers):
        self.told.append((button, action))

    def glfw_key_event_callback(self, window, key, scancode, action, modifiers):
        self.told.append((chr(key), action))


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def _ticks(gesture):
    return list(itertools.islice(gesture.ticks, round(SECONDS / hand.TICK_S)))


def _path(ticks):
    return [event for events in ticks for event in events if isinstance(event, Move)]


GESTURES = {
    "orbit": lambda: hand.orbit(LAND, Camera()),
    "orbit, demo": lambda: hand.orbit(LAND, Camera(mode="demo")),
    "flight": lambda: hand.flight(LAND, Camera()),
    "flight, demo": lambda: hand.flight(LAND, Camera(mode="demo")),
    "sun": lambda: hand.sun(LAND),
}


@pytest.mark.parametrize("name", GESTURES)
def test_a_gesture_stays_over_the_land_and_lets_go_of_all_that_it_holds(name):
    gesture = GESTURES[name]()
    ticks = _ticks(gesture)
    path = _path(ticks)
    assert len(path) == len(ticks), "a place every tick"
    assert all(LAND[0] < one.x < LAND[0] + LAND[2] and LAND[1] < one.y < LAND[1] + LAND[3] for one in path)
    held = {(type(one), vars(one).get("name") or one.letter) for one in ticks[0] if not isinstance(one, Move)}
    let_go = {(type(one), vars(one).get("name") or one.letter) for one in gesture.end}
    assert held == let_go and held
    assert all(one.down for one in ticks[0] if not isinstance(one, Move))
    assert not any(one.down for one in gesture.end)
    assert {type(one) for events in ticks[1:] for one in events} == {Move}


@pytest.mark.parametrize(("camera", "pixels_a_second"), [(Camera(), 30 * 720 / 180), (Camera(mode="demo"), 30 / 0.2)])
def test_an_orbit_turns_thirty_degrees_a_second(camera, pixels_a_second):
    path = _path(_ticks(hand.orbit(LAND, camera)))
    steps = [abs(after.x - before.x) for before, after in itertools.pairwise(path)]
    # at the turns less
    assert sorted(steps)[len(steps) // 2] == pytest.approx(pixels_a_second * hand.TICK_S)
    assert max(steps) == pytest.approx(pixels_a_second * hand.TICK_S)


def test_a_flight_looks_to_one_side_for_long():
    path = _path(_ticks(hand.flight(LAND, Camera())))
    rises = [after.x > before.x for before, after in itertools.pairwise(path)]
    assert all(rises[: round(5 / hand.TICK_S)]), "five seconds to the right"


TRACK = (100.0, 40.0, 200.0, 22.0)


@pytest.mark.parametrize(("fraction", "way"), [(0.2, 1), (0.9, -1)])
def test_a_slider_is_pressed_at_its_grip_moved_at_once_and_then_held(fraction, way):
    gesture = hand.slide(TRACK, fraction, 0.25)
    ticks = list(itertools.islice(gesture.ticks, 120))
    moves = [(number, one) for number, events in enumerate(ticks) for one in events if isinstance(one, Move)]
    press = next(number for number, events in enumerate(ticks) if Button("left", True) in events)
    assert moves[0] == (0, Move(100 + 200 * fraction, 51))
    assert 0 < press < moves[1][0] and moves[1][0] * hand.TICK_S == pytest.approx(hand.SLIDE_FIRST_S)
    assert moves[1][1].x == pytest.approx(moves[0][1].x + way * 25)
    assert moves[-1][0] * hand.TICK_S == pytest.approx(hand.SLIDE_LAST_S)
    assert moves[-1][1].x == pytest.approx(moves[0][1].x + way * 50)
    assert not any(ticks[moves[-1][0] + 1 :]) and gesture.end == (Button("left", False),)


@pytest.mark.parametrize("fraction", [0.0, 1.0])
def test_a_grip_at_an_end_is_pressed_within_the_slider(fraction):
    ticks = list(itertools.islice(hand.slide(TRACK, fraction).ticks, 120))
    press, last = (one.x for events in (ticks[0], ticks[42]) for one in events)
    assert 100 < press < 300 and abs(last - press) == pytest.approx(50, abs=5)


@pytest.mark.parametrize("fraction", [0.0, 0.5, 1.0])
def test_a_slider_is_dragged_to_and_fro_within_its_track(fraction):
    ticks = _ticks(hand.wiggle(TRACK, fraction))
    assert ticks[0][0].x == pytest.approx(100 + 200 * fraction, abs=5) and ticks[0][1] == Button("left", True)
    xs = [one.x for one in _path(ticks)]
    assert min(xs) > 100 and max(xs) < 300
    assert max(xs[1:]) - min(xs[1:]) == pytest.approx(100, abs=5)


def test_a_triangle_goes_to_and_fro():
    assert [hand.triangle(t, 2.0) for t in (0, 1, 2, 3, 4, 5)] == [0, 1, 0, -1, 0, 1]


def test_the_window_learns_of_all_that_has_come_when_it_asks_and_of_nothing_before():
    window, clock = Window(), Clock()
    one = Hand(window, clock=clock)
    window.wait(0.5)
    assert window.waits == [0.5] and not window.told
    places = [(Move(float(x), 2.0),) for x in range(100)]
    begun = one.begin(Gesture(iter([(Key("W", True), Button("right", True)), *places]), (Button("right", False),)))
    assert begun == clock.now
    window.wait(0)
    assert window.told == [("W", 1), (1, 1)]
    clock.now += 3.5 * hand.TICK_S  # a slow frame
    window.wait(0)
    assert window.told[2:] == [(0.0, 2.0), (1.0, 2.0), (2.0, 2.0)]
    window.wait(0)
    assert len(window.told) == 5
    one.end()
    assert window.told[5:] == [(1, 0)]
    clock.now += 1
    window.wait(0)
    assert len(window.told) == 6
