"""Measures the real window from within: its start, a slider's way to the screen, and how idle it is.

Each measurement runs the viewer in a process of its own, as a person would start it, with its frames watched. Run as
``python -m fellview.bench.live MEASUREMENT NUMBER`` it is that process; NUMBER is the clock when it was launched, or
the seconds that a drag lasts.
"""

from __future__ import annotations

import functools
import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fellview.bench import windows
from fellview.compute.process import ComputeProcess
from fellview.compute.protocol import Job, Listener
from fellview.io import scenes
from fellview.scene.scene import Scene

# the viewer is imported where it is run: the compute process imports this module again, as the one it was started from
if TYPE_CHECKING:
    from fellview.desktop.viewer import Viewer

_WARM_STARTS = 5
_SLIDES = 20
_SLID = "directx-demo"  # the scene whose slider is
_PRESSES = 20
_PRESS_STEP_S = 0.037  # by which each press comes later after its rest, so that they fall into every part of a frame
_REST_S = 0.6  # between two moves: the refined picture has been drawn by then
_SETTLE_S = 5.0  # the last of the session's writing is done by then
_IDLE_S = 5.0
_WINDOW = (1280, 720)
_TIMEOUT_S = 120
_LONG_DRAG_S = 20.0
_DRAG_S = 2.0  # with each slider, there and back
_DRAGGED = ("noise.frequency", "noise.gain", "noise.amplitude", "erosion.duration")
_POINTER_EVERY_S = 1 / 60

Measured = tuple[str, list[float], dict[str, Any]]


def measure(folder: Path, only: Sequence[str] = ()) -> list[Measured]:
    """Return (name, seconds of each run, more figures) of each measurement of `only`, or of all if it is empty.

    `folder` holds the state meanwhile. But for the very first start, windows find what is compiled in the caches that
    the machine has: that of `measured_scenes` is to be there. `FellviewError` where no window can be opened.
    """
    return [one for name in only or MEASUREMENTS for one in MEASUREMENTS[name](folder)]


def measured_scenes(only: Sequence[str] = ()) -> list[Scene]:
    """Return what the windows of the measurements `only`, or of all if it is empty, show."""
    opening, demo = scenes.load(scenes.OPENING_PRESET), scenes.load(_SLID)
    shown = {"start": opening, "slide": demo, "drag": _dragged(), "press": opening, "idle": opening}
    return [shown[name] for name in only or MEASUREMENTS]


def _first(folder: Path) -> dict[str, str]:
    """Return what a window finds that is the first on its machine: no state yet, and nothing compiled."""
    return {"FELLVIEW_STATE": str(folder / "state"), "FELLVIEW_CACHE": str(folder / "cache")}


def _warm(folder: Path) -> dict[str, str]:
    """Return what a window finds where all is compiled that it takes: nothing is compiled beside it."""
    from fellview.desktop.background_warm_up import VARIABLE  # here: windows that are measured import this module first

    return {"FELLVIEW_STATE": str(folder / "state"), VARIABLE: "no"}


def _starts(folder: Path) -> list[Measured]:
    """The very first land is in the simple look, as a person sees it; others are in the full one.

    Warm ones follow a session whose picture has come to rest, which they show until they have drawn one.
    """
    first = _start(_first(folder))
    _start(_warm(folder))
    warm = [_start(_warm(folder)) for _ in range(_WARM_STARTS)]
    return [
        ("live: very first start, window up", [first["window"]], {}),
        ("live: very first start, progress line", [first["progress"]], {}),
        ("live: very first start, terrain", [first["terrain"]], {}),
        ("live: very first start, terrain in full", [first["full"]], {}),
        ("live: warm start, window up with its last picture", [start["picture"] for start in warm], {}),
        ("live: warm start, panel", [start["panel"] for start in warm], {}),
        ("live: warm start, terrain drawn", [start["terrain"] for start in warm], {}),
        ("live: warm start, terrain in full", [start["full"] for start in warm], {}),
    ]


def _slides(folder: Path) -> list[Measured]:
    seconds = _child("slide", _warm(folder))["slides"]
    return [("live: slider to changed picture, 512²", seconds, {"largest_ms": round(1000 * max(seconds))})]


def _drags(folder: Path) -> list[Measured]:
    dragged, still = drag_gaps(folder)
    figures = {
        "late_99_ms": round(late_ms(dragged["gaps"])),
        "late_99_of_frames_without_computing_ms": round(late_ms(still["frame_gaps"])),
        "lands_shown_a_second": round(dragged["lands"] / sum(dragged["gaps"]), 1),
    }
    return [("live: between frames of a drag, 512² rivers", dragged["gaps"], figures)]


def _presses(folder: Path) -> list[Measured]:
    presses = {where: _child(f"press-{where}", _warm(folder))["presses"] for where in ("resting", "flying")}
    return [
        (f"live: press to shown, {where}", seconds, {"largest_ms": round(1000 * max(seconds))})
        for where, seconds in presses.items()
    ]


def _rests(folder: Path) -> list[Measured]:
    share = _child("idle", _warm(folder))["share"]
    return [("live: processor time a second, idle", [share], {"share_of_a_core": round(share, 4)})]


MEASUREMENTS: dict[str, Callable[[Path], list[Measured]]] = {
    "start": _starts,
    "slide": _slides,
    "drag": _drags,
    "press": _presses,
    "idle": _rests,
}
"""What is measured of the window itself, by name."""


def _child(measurement: str, environment: dict[str, str], number: float | None = None) -> dict[str, Any]:
    """Run one measurement in a process of its own and return what it printed; it is told `number` or its launch."""
    told = repr(time.monotonic() if number is None else number)
    answer: dict[str, Any] = windows.child("live", (measurement, told), environment, _TIMEOUT_S)
    return answer


def _start(environment: dict[str, str]) -> dict[str, float]:
    """Start a window in a process of its own; return when it showed what (`start.py`)."""
    answer: dict[str, float] = windows.child("start", (repr(time.monotonic()),), environment, _TIMEOUT_S)
    return answer


class _Slider:
    """Drags the noise frequency to and fro, and takes the time from each move to the swap that shows its land."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._moved_at: float | None = None
        self._next_move = 0.0

    def watch(self, viewer: Viewer, drawn: bool) -> None:
        """Look at one turn of the loop: note a finished picture, or move once the last one has come to rest."""
        now = time.monotonic()
        if self._moved_at is not None:
            if drawn and viewer.session.settled and viewer.pictures.up_to_date:
                self.seconds.append(now - self._moved_at)
                self._moved_at = None
                self._rest(now)
                if len(self.seconds) > _SLIDES:
                    viewer.window.close()
        elif viewer.session.settled and self._next_move == 0.0:
            self._rest(now)
        elif viewer.session.settled and now >= self._next_move:
            self._move(viewer)

    def _rest(self, now: float) -> None:
        self._next_move = now + _REST_S
        from fellview.desktop.window import wake

        threading.Timer(_REST_S + 0.01, wake).start()

    def _move(self, viewer: Viewer) -> None:
        """Press in the middle of the slider the first time, then move; both through the window's own callbacks."""
        from fellview.desktop.window import LEFT_BUTTON, PRESSED

        left, top, width, height = viewer.layout.panel.place("noise.frequency")
        x = left + (0.5 if len(self.seconds) % 2 else 0.55) * width
        self._moved_at = time.monotonic()
        viewer.window.glfw_mouse_event_callback(None, x, top + height / 2)
        if not self.seconds:
            viewer.window.glfw_mouse_button_callback(None, LEFT_BUTTON, PRESSED, 0)


def _slide(launched: float) -> dict[str, list[float]]:
    from fellview.desktop.viewer import run

    slider = _Slider()
    run(scenes.load(_SLID), _WINDOW, None, slider.watch)
    return {"slides": slider.seconds[1:]}  # the first also pays for the press


class _FirstOnly(ComputeProcess):
    """Computes the first land and nothing after it: a window in which only drawing takes time."""

    def __init__(self, listener: Listener) -> None:
        super().__init__(listener)
        self._begun = False

    def submit(self, job: Job) -> None:
        """Start the first job; leave every other one unanswered."""
        if not self._begun:
            self._begun = True
            super().submit(job)


class _Drag:
    """Drags one slider after the other to and fro without a rest.

    Takes the time between pictures of the land, and between all frames: those of the panel alone come in between.
    """

    def __init__(self, seconds: float) -> None:
        self.gaps: list[float] = []
        self.frame_gaps: list[float] = []
        self.lands = 0
        self._seconds = seconds
        self._began: float | None = None
        self._last_picture = self._last_frame = 0.0
        self._drawn = 0
        self._slider = ""
        self._land: object = None
        self._awake = threading.Event()

    def watch(self, viewer: Viewer, drawn: bool) -> None:
        """Look at one turn of the loop: note a frame, and move the pointer on."""
        now = time.monotonic()
        if self._began is None:
            if viewer.session.settled and drawn:
                self._began = self._last_picture = self._last_frame = now
                self._drawn, self._land = viewer.pictures.count, viewer.session.land
                threading.Thread(target=self._wake, daemon=True).start()
            return
        if drawn:
            self.frame_gaps.append(now - self._last_frame)
            self._last_frame = now
        if drawn and viewer.pictures.count > self._drawn:
            self._drawn = viewer.pictures.count
            self.gaps.append(now - self._last_picture)
            self._last_picture = now
            self.lands += viewer.session.land is not self._land
            self._land = viewer.session.land
        done = now - self._began
        if done > self._seconds:
            self._awake.set()
            viewer.window.close()
        else:
            self._move(viewer, done)

    def _wake(self) -> None:
        from fellview.desktop.window import wake

        while not self._awake.wait(_POINTER_EVERY_S):
            wake()

    def _move(self, viewer: Viewer, done: float) -> None:
        from fellview.desktop.window import LEFT_BUTTON, PRESSED, RELEASED

        slider = _DRAGGED[int(done / _DRAG_S) % len(_DRAGGED)]
        left, top, width, height = viewer.layout.panel.place(slider)
        x = left + width * (0.5 + 0.3 * math.sin(2 * math.pi * done / _DRAG_S))
        if slider != self._slider:
            if self._slider:
                viewer.window.glfw_mouse_button_callback(None, LEFT_BUTTON, RELEASED, 0)
            viewer.window.glfw_mouse_event_callback(None, x, top + height / 2)
            viewer.window.glfw_mouse_button_callback(None, LEFT_BUTTON, PRESSED, 0)
            self._slider = slider
        else:
            viewer.window.glfw_mouse_event_callback(None, x, top + height / 2)


def _dragged() -> Scene:
    """Return the scene whose sliders are dragged: rivers at 512²."""
    return scenes.load(scenes.MEASURED).replace(
        {"perturb.distance": 0.0, "smooth.iterations": 0, "erosion.kind": "fluvial", "noise.amplitude": 1000.0}
    )


def _drag(process: type[ComputeProcess], seconds: float) -> dict[str, Any]:
    from fellview.desktop.viewer import run

    drag = _Drag(seconds)
    run(_dragged(), _WINDOW, None, drag.watch, process=process)
    return {"gaps": drag.gaps, "frame_gaps": drag.frame_gaps, "lands": drag.lands}


def late_ms(gaps: list[float]) -> float:
    """Return the 99th percentile of the seconds between frames, in ms."""
    return 1000 * float(np.percentile(gaps, 99))


def drag_gaps(folder: Path, seconds: float = _LONG_DRAG_S) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return gaps between pictures, between frames, and lands shown while sliders are dragged.

    First with computing, then without: no land comes after the first.
    """
    computing = _child("drag", _warm(folder), seconds)
    return computing, _child("drag-still", _warm(folder), seconds)


class _Press:
    """Presses F1 again and again, and takes the time from each press to the swap that shows what it did.

    Presses come at any time, as those of a hand do: the window tells of them when it is next asked for events.
    """

    def __init__(self, flying: bool) -> None:
        self.seconds: list[float] = []
        self._flying = flying
        self._pressed_at: float | None = None
        self._next_press = math.inf

    def watch(self, viewer: Viewer, drawn: bool) -> None:
        """Look at one turn of the loop: note an answer, or see to the next press."""
        now = time.monotonic()
        if self._next_press == math.inf:
            if viewer.session.settled and drawn:
                self._wait = viewer.window.wait
                viewer.window.wait = functools.partial(self._take_events, viewer)  # type: ignore[method-assign]
                self._rest(now, viewer)
        elif self._pressed_at is not None and drawn and viewer.layout.help_shown != self._shown:
            self.seconds.append(now - self._pressed_at)
            self._pressed_at = None
            self._rest(now, viewer)
            if len(self.seconds) > _PRESSES:
                viewer.window.close()

    def _rest(self, now: float, viewer: Viewer) -> None:
        from fellview.desktop.window import wake

        if self._flying:
            viewer.input.controller.press("forward")
        else:  # so that the picture rests, and is refined anew
            viewer.session.set_camera(viewer.session.scene.camera.turned(0.1))
            viewer.redraw()
        self._shown = viewer.layout.help_shown
        wait_s = _REST_S + len(self.seconds) * _PRESS_STEP_S
        self._next_press = now + wait_s
        threading.Timer(wait_s, wake).start()

    def _take_events(self, viewer: Viewer, seconds: float) -> None:
        from fellview.desktop.window import F1_KEY, PRESSED, RELEASED

        self._wait(seconds)
        if self._pressed_at is None and time.monotonic() >= self._next_press:
            self._pressed_at = self._next_press
            for action in (PRESSED, RELEASED):
                viewer.window.glfw_key_event_callback(None, F1_KEY, 0, action, 0)


def _press(flying: bool) -> dict[str, list[float]]:
    from fellview.desktop.viewer import run

    press = _Press(flying)
    run(scenes.load(scenes.OPENING_PRESET), _WINDOW, None, press.watch)
    return {"presses": press.seconds[1:]}  # the first also pays for what the help is drawn with


def _idle(launched: float) -> dict[str, float]:
    """Return the share of a core that the whole process takes while nobody touches the window."""
    from fellview.desktop.viewer import run
    from fellview.desktop.window import wake

    share: list[float] = []

    def sit(viewer: Viewer) -> None:
        time.sleep(_SETTLE_S)
        used, start = time.process_time(), time.monotonic()
        time.sleep(_IDLE_S)
        share.append((time.process_time() - used) / (time.monotonic() - start))
        viewer.window.close()
        wake()

    sitting: list[threading.Thread] = []

    def watch(viewer: Viewer, drawn: bool) -> None:
        if viewer.session.settled and viewer.pictures.done and not sitting:
            sitting.append(threading.Thread(target=sit, args=(viewer,)))
            sitting[0].start()

    run(None, _WINDOW, None, watch)
    sitting[0].join()
    return {"share": share[0]}


# each is told the clock at its launch, those of a drag how many seconds it lasts
_IN_A_WINDOW: dict[str, Callable[[float], Any]] = {
    "slide": _slide,
    "idle": _idle,
    "press-resting": lambda launched: _press(flying=False),
    "press-flying": lambda launched: _press(flying=True),
    "drag": lambda seconds: _drag(ComputeProcess, seconds),
    "drag-still": lambda seconds: _drag(_FirstOnly, seconds),
}


if __name__ == "__main__":
    sys.exit(windows.main(lambda: _IN_A_WINDOW[sys.argv[1]](float(sys.argv[2]))))
