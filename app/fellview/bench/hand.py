"""A hand that drives the window by a script: pointer and keys come in real time, whatever frames take.

A gesture is a list of events for every 60th of a second. The window is told of them as by its system: when it next asks
for events, of all that have come by then, in order.
"""

from __future__ import annotations

import functools
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from fellview.scene.groups.camera import Camera
from fellview.view.controllers import DEMO_DEGREES_PER_PIXEL, LOOK_FIELDS_PER_HEIGHT, ORBIT_DEGREES_PER_HEIGHT

TICK_S = 1 / 60
"""Between two reports of a mouse that moves."""

ORBIT_DEGREES_PER_SECOND = 30.0
LOOK_DEGREES_PER_SECOND = 18.0
SUN_PIXELS_PER_SECOND = 120.0  # 30 degrees of azimuth
_ORBIT_TURNS_S = 1.5  # of the drag one way, so that it stays within 180 pixels of a land 720 high
_SUN_TURNS_S = 1.5
_SUN_RISES_PX = 20.0  # up and down beside the way to and fro: 5 degrees of elevation
_WIDEST_LOOK = 0.45  # of the land's width, to each side of its middle
_WIGGLE_TURNS_S = 1.0
_PRESS_TICK, _FIRST_TICK, _LAST_TICK = 6, 12, 42  # of a slider: pressed, moved at once, moved on until then
_INSIDE = 0.02  # of a slider's width from its ends: a grip that stands there is taken hold of within the slider
SLIDE_FIRST_S, SLIDE_LAST_S = _FIRST_TICK * TICK_S, _LAST_TICK * TICK_S
"""When a hand that has come to a slider first moves it, and when for the last time."""
SLIDE_REACH = 0.25
"""How far a slider is moved, of its width; half of it at once."""

Rectangle = tuple[float, float, float, float]
"""Left, top, width, height in window units."""


@dataclass(frozen=True)
class Move:
    """The pointer comes to a place, in window units."""

    x: float
    y: float


@dataclass(frozen=True)
class Button:
    """A mouse button, "left" or "right", goes down or up."""

    name: str
    down: bool


@dataclass(frozen=True)
class Key:
    """The key of a letter goes down or up."""

    letter: str
    down: bool


Event = Move | Button | Key
Events = tuple[Event, ...]


@dataclass(frozen=True)
class Gesture:
    """The events of every tick, without end, and those that let go of what is held."""

    ticks: Iterator[Events]
    end: Events


class Window(Protocol):
    """What a hand needs of the window."""

    wait: Callable[[float], None]
    glfw_mouse_event_callback: Callable[..., None]
    glfw_mouse_button_callback: Callable[..., None]
    glfw_key_event_callback: Callable[..., None]


class Hand:
    """Carries gestures out on `window`, which asks for events by its `wait`. `wake` ends a wait from another thread."""

    def __init__(
        self, window: Window, wake: Callable[[], None] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._window, self._clock = window, clock
        self._gesture: Gesture | None = None
        self._begun = 0.0
        self._ticks = 0
        self._lifted = threading.Event()
        wait = window.wait
        window.wait = functools.partial(self._wait, wait)
        if wake is not None:
            threading.Thread(target=self._wake, args=(wake,), daemon=True).start()

    def begin(self, gesture: Gesture) -> float:
        """Begin `gesture`; return the clock at its first tick."""
        self._gesture, self._begun, self._ticks = gesture, self._clock(), 0
        return self._begun

    def end(self) -> None:
        """End the gesture under way."""
        if self._gesture is not None:
            self._tell(self._gesture.end)
        self._gesture = None

    def leave(self) -> None:
        """Wake the window no more."""
        self._lifted.set()

    def _wake(self, wake: Callable[[], None]) -> None:
        """Wake the window at each tick of the gesture, as its system does when an event comes."""
        while not self._lifted.wait(TICK_S - (self._clock() - self._begun) % TICK_S):
            wake()

    def _wait(self, wait: Callable[[float], None], seconds: float) -> None:
        wait(seconds)
        while self._gesture is not None and self._begun + self._ticks * TICK_S <= self._clock():
            self._ticks += 1
            self._tell(next(self._gesture.ticks))

    def _tell(self, events: Events) -> None:
        for event in events:
            tell(self._window, event)


def tell(window: Any, event: Event) -> None:
    """Tell `window` of an event through its own callbacks."""
    from fellview.desktop.window import BUTTONS, PRESSED, RELEASED  # here, as it needs what a window does

    match event:
        case Move(x, y):
            window.glfw_mouse_event_callback(None, x, y)
        case Button(name, down):
            window.glfw_mouse_button_callback(None, BUTTONS.index(name), PRESSED if down else RELEASED, 0)
        case Key(letter, down):
            window.glfw_key_event_callback(None, ord(letter), 0, PRESSED if down else RELEASED, 0)


def triangle(seconds: float, turns_s: float) -> float:
    """Return where something is that goes to and fro between −1 and 1, one way in `turns_s`; 0 at first, then up."""
    phase = (seconds / turns_s + 0.5) % 2
    return 2 * phase - 1 if phase <= 1 else 3 - 2 * phase


def orbit(land: Rectangle, camera: Camera) -> Gesture:
    """Return a drag over `land` to and fro, at the same angular speed with every camera."""
    left, top, width, height = land
    turns_in_place = camera.mode == "demo" and not camera.is_parallel
    degrees_a_pixel = DEMO_DEGREES_PER_PIXEL if turns_in_place else ORBIT_DEGREES_PER_HEIGHT / height
    # one way is twice the reach
    reach = ORBIT_DEGREES_PER_SECOND / degrees_a_pixel * _ORBIT_TURNS_S / 2

    def ticks() -> Iterator[Events]:
        for number in itertools.count():
            place = Move(left + width / 2 + reach * triangle(number * TICK_S, _ORBIT_TURNS_S), top + 0.6 * height)
            yield (place, Button("left", True)) if number == 0 else (place,)

    return Gesture(ticks(), (Button("left", False),))


def flight(land: Rectangle, camera: Camera) -> Gesture:
    """Return a flight ahead while a second hand looks slowly to one side, and back where the land's width ends."""
    left, top, width, height = land
    turns_in_place = camera.mode == "demo" and not camera.is_parallel
    degrees_a_pixel = (
        DEMO_DEGREES_PER_PIXEL if turns_in_place else LOOK_FIELDS_PER_HEIGHT * camera.field_of_view / height
    )
    pixels_a_second = LOOK_DEGREES_PER_SECOND / degrees_a_pixel
    reach = _WIDEST_LOOK * width
    turns_s = 2 * reach / pixels_a_second

    def ticks() -> Iterator[Events]:
        for number in itertools.count():
            # half a way later than the others, so that the first turn is as long as can be
            across = triangle(number * TICK_S - turns_s / 2, turns_s)
            place = Move(left + width / 2 + reach * across, top + height / 2)
            yield (place, Button("right", True), Key("W", True)) if number == 0 else (place,)

    return Gesture(ticks(), (Key("W", False), Button("right", False)))


def sun(land: Rectangle) -> Gesture:
    """Return a drag over `land` with the sun's key held, to and fro, and up and down a little."""
    left, top, width, height = land
    reach = SUN_PIXELS_PER_SECOND * _SUN_TURNS_S / 2

    def ticks() -> Iterator[Events]:
        for number in itertools.count():
            across, down = triangle(number * TICK_S, _SUN_TURNS_S), triangle(number * TICK_S, 2 * _SUN_TURNS_S)
            place = Move(left + width / 2 + reach * across, top + height / 2 + _SUN_RISES_PX * down)
            yield (place, Key("L", True), Button("left", True)) if number == 0 else (place,)

    return Gesture(ticks(), (Button("left", False), Key("L", False)))


def wiggle(track: Rectangle, fraction: float) -> Gesture:
    """Return a drag of the slider drawn on `track`, from its grip at `fraction` to and fro without a rest."""
    middle = min(max(fraction, SLIDE_REACH), 1 - SLIDE_REACH)

    def ticks() -> Iterator[Events]:
        for number in itertools.count():
            if number == 0:
                yield (_on(track, fraction), Button("left", True))
            else:
                share = middle + SLIDE_REACH * triangle(number * TICK_S, _WIGGLE_TURNS_S)
                yield (_on(track, share),)

    return Gesture(ticks(), (Button("left", False),))


def _on(track: Rectangle, fraction: float) -> Move:
    left, top, width, height = track
    return Move(left + width * min(max(fraction, _INSIDE), 1 - _INSIDE), top + height / 2)


def slide(track: Rectangle, fraction: float, reach: float = SLIDE_REACH) -> Gesture:
    """Return a drag of the slider drawn on `track`, from its grip at `fraction` to where there is more room.

    The pointer then rests with the button held.
    """
    way = reach * (1 if fraction <= 1 / 2 else -1)

    def place(share: float) -> Move:
        return _on(track, fraction + way * share)

    def ticks() -> Iterator[Events]:
        for number in itertools.count():
            if number == 0:
                yield (place(0.0),)
            elif number == _PRESS_TICK:
                yield (Button("left", True),)
            elif _FIRST_TICK <= number <= _LAST_TICK:
                yield (place((1 + (number - _FIRST_TICK) / (_LAST_TICK - _FIRST_TICK)) / 2),)
            else:
                yield ()

    return Gesture(ticks(), (Button("left", False),))
