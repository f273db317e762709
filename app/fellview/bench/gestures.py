"""What is measured of a scene in its window: frames under the hand, and sliders' ways to the screen."""

from __future__ import annotations

import itertools
import statistics
import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from fellview.bench import hand, sliders
from fellview.bench.desk import Desk, Slid
from fellview.bench.fidelity import Pixels, is_sharp, psnr_db, steadiness
from fellview.bench.timing import spread
from fellview.scene.groups.camera import Camera

_BEFORE_REST_S = 0.7  # of an orbit whose hand then rests
_REST_S = 5.0  # that pictures are watched from there
_MOST_SHOWN = 60  # of them: two megabytes each
_IN_A_MINUTE = 8  # sliders of each kind
_BETWEEN_S = 1.0  # two gestures of the first minute

Figures = Generator[None, None, dict[str, Any]]
"""A measurement: each turn of the window's loop takes it a step on; it ends with `seconds` and further figures."""


@dataclass(frozen=True)
class Plan:
    """How long and how often each measurement goes."""

    width: int = 1280
    height: int = 720
    orbit_s: float = 10.0
    flight_s: float = 10.0
    sun_s: float = 5.0
    land_sliders: int = 20
    look_sliders: int = 12
    rests: int = 2
    fidelity_s: float = 3.0
    fidelity_frames: int = 8
    """Of the orbit's end, which are compared."""
    fidelity_cameras: int = 3
    """Of those, the ones whose resting pictures are drawn."""
    minute_s: float = 60.0


USUAL = Plan()
BRIEF = Plan(
    orbit_s=2.0,
    flight_s=2.0,
    sun_s=2.0,
    land_sliders=2,
    look_sliders=2,
    rests=1,
    fidelity_s=1.0,
    fidelity_frames=2,
    fidelity_cameras=1,
    minute_s=2.0,
)
"""All measurements as short as they go: to see that they work, and roughly how it stands."""


def _moving(gesture: Callable[[Desk], hand.Gesture], seconds: Callable[[Plan], float]) -> Measurement:
    """Return the measurement of frames while a gesture lasts."""

    def measurement(desk: Desk, plan: Plan) -> Figures:
        yield from desk.home()
        return {"seconds": (yield from desk.gesture(gesture(desk), seconds(plan)))}

    return measurement


def _slid(desk: Desk, keys: list[str]) -> Generator[None, None, list[Slid]]:
    """Drag the sliders of `keys`, one after the other; return what became of those that changed the picture."""
    found = []
    for key in keys:
        one = yield from desk.slide(key)
        if one is not None and one.first is not None:
            found.append(one)
    desk.viewer.layout.panel.sections.forget()
    desk.viewer.redraw()
    return found


def _land_sliders(desk: Desk, plan: Plan) -> Figures:
    """First changed pictures, and the full land: `full_..._ms`, `steps_ms` of them within its steps."""
    found = yield from _slid(desk, sliders.of_terrain(desk.viewer.session.scene, plan.land_sliders))
    if not found:
        return {"seconds": []}
    full = [one.full for one in found]
    return {
        "seconds": [one.first for one in found],
        "full_median_ms": _ms(statistics.median(full)),
        **{f"full_{name}": value for name, value in spread(full).items()},
        "full_steps_median_ms": _ms(statistics.median(one.steps for one in found)),
        "sliders": [
            {"key": one.key, "first_ms": _ms(one.first or 0.0), "full_ms": _ms(one.full), "steps_ms": _ms(one.steps)}
            for one in found
        ],
    }


def _look_sliders(desk: Desk, plan: Plan) -> Figures:
    found = yield from _slid(desk, sliders.of_look(desk.viewer.session.scene, plan.look_sliders))
    return {
        "seconds": [one.first for one in found],
        "sliders": [{"key": one.key, "first_ms": _ms(one.first or 0.0)} for one in found],
    }


def _rests(desk: Desk, plan: Plan) -> Figures:
    """From a hand that has let go to a picture at full resolution."""
    found = []
    for _ in range(plan.rests):
        yield from desk.home()
        yield from desk.gesture(_orbit(desk), _BEFORE_REST_S)
        rested = time.monotonic()
        shown = [(rested, desk.pixels())]

        def note(new: bool, shown: list[tuple[float, Pixels]] = shown) -> None:
            if len(shown) < _MOST_SHOWN:
                shown.append((time.monotonic(), desk.pixels()))

        desk.at_swap = note
        yield from desk.pause(_REST_S)
        desk.at_swap = lambda new: None
        single, first, resting = desk.drawn(desk.viewer.session.visible)
        sharp = (at for at, pixels in shown if is_sharp(pixels, single, first, resting))
        found.append(next(sharp, rested + _REST_S) - rested)
    return {"seconds": found}


def _fidelity(desk: Desk, plan: Plan) -> Figures:
    """What moving pictures lack: `psnr_..._db` against resting ones of the same cameras, `change_ratio` along the way.

    `psnr_short_db` is by how much moving ones are below full ones of one sample, at the worst camera.
    """
    yield from desk.home()
    kept: deque[tuple[Camera, Pixels]] = deque(maxlen=plan.fidelity_frames)

    def note(new: bool) -> None:
        if new:
            kept.append((desk.viewer.pictures.drawn_groups["camera"], desk.pixels()))

    desk.at_swap = note
    seconds = yield from desk.gesture(_orbit(desk), plan.fidelity_s, least=2)
    desk.at_swap = lambda new: None
    scene = desk.viewer.session.visible
    step = max((len(kept) - 1) // max(plan.fidelity_cameras - 1, 1), 1)
    singles: list[Pixels] = []
    moving_db: list[float] = []
    full_db: list[float] = []
    for number, (camera, pixels) in enumerate(kept):
        seen = scene.with_group(camera)
        if number % step == 0 and len(full_db) < plan.fidelity_cameras:
            single, _, resting = desk.drawn(seen)
            moving_db.append(psnr_db(pixels, resting))
            full_db.append(psnr_db(single, resting))
        else:
            single = desk.single(seen)
        singles.append(single)
    return {
        "seconds": seconds,
        "psnr_moving_db": round(statistics.mean(moving_db), 2),
        "psnr_full_db": round(statistics.mean(full_db), 2),
        "psnr_short_db": round(max(full - moving for full, moving in zip(full_db, moving_db, strict=True)), 2),
        "change_ratio": round(steadiness([pixels for _, pixels in kept], singles), 3),
    }


def _minute(desk: Desk, plan: Plan) -> Figures:
    """A first minute of use: gaps of all that a hand does, from the first land on; `worst` says in what."""
    end = time.monotonic() + plan.minute_s
    scene = desk.viewer.session.scene
    of_land, of_look = sliders.of_terrain(scene, _IN_A_MINUTE), sliders.of_look(scene, _IN_A_MINUTE)
    rounds: list[tuple[str, float]] = [("orbit", 6.0), ("flight", 6.0), ("sun", 3.0)]
    rounds = [*rounds, *((key, 2.0) for keys in zip(of_land, of_look, strict=False) for key in keys)]
    by_gesture: dict[str, list[float]] = {}
    for name, seconds in itertools.cycle(rounds):
        left = end - time.monotonic()
        if left <= 0 and by_gesture:
            break
        gesture = yield from _in_the_minute(desk, name)
        if gesture is not None:
            lasts = min(seconds, max(left, hand.TICK_S))
            by_gesture.setdefault(name, []).extend((yield from desk.gesture(gesture, lasts)))
            yield from desk.pause(_BETWEEN_S)
    worst = max(by_gesture, key=lambda name: max(by_gesture[name]))
    return {"seconds": [one for gaps in by_gesture.values() for one in gaps], "worst": worst}


def _in_the_minute(desk: Desk, name: str) -> Generator[None, None, hand.Gesture | None]:
    """Return the gesture `name`, or the drag of the slider of that key; None where it is out of reach."""
    panel = desk.viewer.layout.panel
    if "." in name:
        place = yield from desk.find(name)
        return None if place is None else hand.wiggle(place, sliders.place(desk.viewer.session.scene, name))
    panel.sections.forget()
    return {"orbit": _orbit, "flight": _flight, "sun": _sun}[name](desk)


def _orbit(desk: Desk) -> hand.Gesture:
    return hand.orbit(desk.land, desk.viewer.session.scene.camera)


def _flight(desk: Desk) -> hand.Gesture:
    return hand.flight(desk.land, desk.viewer.session.scene.camera)


def _sun(desk: Desk) -> hand.Gesture:
    return hand.sun(desk.land)


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


Measurement = Callable[[Desk, Plan], Figures]

IN_ONE_WINDOW: dict[str, Measurement] = {
    "orbit": _moving(_orbit, lambda plan: plan.orbit_s),
    "flight": _moving(_flight, lambda plan: plan.flight_s),
    "sun": _moving(_sun, lambda plan: plan.sun_s),
    "land-sliders": _land_sliders,
    "look-sliders": _look_sliders,
    "rest": _rests,
    "fidelity": _fidelity,
}
"""What is measured of a scene in one window, by name; each begins at rest."""

COLD = "minute-cold"
"""What is measured with every cache empty."""

FROM_THE_START: dict[str, Measurement] = {"minute": _minute, COLD: _minute}
"""What has a window of its own and begins with the first land; with every cache empty (`COLD`), or as they are."""

MEASUREMENTS = {**IN_ONE_WINDOW, **FROM_THE_START}
