"""Measures every scene under the hand: in the real window, between the pictures that show something new.

Each scene has a window in a process of its own, and a script is its hand (see hand.py). Run as
``python -m fellview.bench.live_scenes SCENE ORDERS`` it is that process; ORDERS is a JSON object with the names of
measurements (``only``) and the numbers of a `Plan` (``plan``).
"""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fellview.bench import hand
from fellview.bench.timing import gaps, spread, timed
from fellview.core.errors import FellviewError
from fellview.io import scenes

# the viewer is imported where it is run: the compute process imports this module again, as the one it was started from
if TYPE_CHECKING:
    from fellview.desktop.viewer import Viewer

_CHILD_TIMEOUT_S = 3600
_LATEST_S = 120.0  # that anything is waited for; a machine that is shared may take long
_YARDSTICK_SIDE = 512

Measured = tuple[str, list[float], dict[str, Any]]
Turns = Generator[None, None, dict[str, Any]]
"""A measurement: each turn of the window's loop takes it a step on."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """How long and how often each measurement goes."""

    width: int = 1280
    height: int = 720
    orbit_s: float = 10.0
    flight_s: float = 10.0
    sun_s: float = 5.0


USUAL = Plan()
BRIEF = Plan(orbit_s=1.0, flight_s=1.0, sun_s=1.0)
"""All measurements as short as they go: to see that they work, and roughly how it stands."""


def measure(
    folder: Path,
    names: Sequence[str] = (),
    only: Sequence[str] = (),
    plan: Plan = USUAL,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Measured]:
    """Return (name, seconds, more figures) of each scene of `names` and each measurement of `only`; of all if empty.

    `folder` holds the windows' state meanwhile; `tell` is told what is under way, and of scenes that failed.
    `ratio` is of medians, to a full frame of the scene that benchmarks measure. `FellviewError` where all have failed.
    """
    names, only = names or scenes.presets(), only or tuple(MEASUREMENTS)
    tell("yardstick")
    yardstick = yardstick_s((plan.width, plan.height))
    reports: list[Measured] = []
    fault: FellviewError | None = None
    for name in names:
        tell(name)
        try:
            found = _child(name, only, plan, {"FELLVIEW_STATE": str(folder / "state")})
        except FellviewError as reason:
            tell(f"{name}: {reason}")
            fault = reason
            continue
        for measurement in only:
            figures = found[measurement]
            seconds = figures.pop("seconds")
            ratio = {"ratio": round(statistics.median(seconds) / yardstick, 3)}
            told = {"scene": name, "measurement": measurement, **spread(seconds), **ratio, **figures}
            reports.append((f"live: {name}, {measurement}", seconds, told))
    if fault is not None and not reports:
        raise fault
    return reports


def table(reports: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return `reports` as the lines of a table: a row for each scene, a column for each measurement.

    A column has the median, the 95th percentile and the largest in ms.
    """
    ours = [one for one in reports if "scene" in one]
    columns = list(dict.fromkeys(one["measurement"] for one in ours))
    rows = [["median / 95 % / largest, ms", *columns]]
    for scene in dict.fromkeys(one["scene"] for one in ours):
        cells = {one["measurement"]: _cell(one) for one in ours if one["scene"] == scene}
        rows.append([scene, *(cells.get(column, "–") for column in columns)])
    if not ours:
        return []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _cell(report: Mapping[str, Any]) -> str:
    return f"{report['median_ms']:.0f} / {report['late_95_ms']:.0f} / {report['largest_ms']:.0f}"


def yardstick_s(size: tuple[int, int]) -> float:
    """Return the median seconds of a picture of `size` that stays what it is: the measured scene, every cell drawn."""
    from fellview.draw.renderer import Renderer
    from fellview.gpu import context as gpu_context
    from fellview.library import generate

    scene = scenes.load(scenes.MEASURED).replace({"grid.rows": _YARDSTICK_SIDE, "grid.columns": _YARDSTICK_SIDE})
    field = generate(scene)
    with gpu_context.aside() as context:
        renderer = Renderer(context)
        renderer.show(field)
        return statistics.median(timed(lambda: renderer.draw(scene, size, 1, full=True), 5, context.finish))


def _child(scene: str, only: Sequence[str], plan: Plan, environment: dict[str, str]) -> dict[str, Any]:
    """Have a process of its own measure `scene`; return what it printed."""
    orders = json.dumps({"only": list(only), "plan": dataclasses.asdict(plan)})
    command = [sys.executable, "-m", "fellview.bench.live_scenes", scene, orders]
    done = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=_CHILD_TIMEOUT_S, check=False
    )
    if done.returncode:
        raise FellviewError((done.stderr.strip().splitlines() or [f"bench live: {scene}: the viewer failed"])[-1])
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


# -- within the window's process ---------------------------------------------------------------------------------------


class Desk:
    """The window that is measured, its hand, and when it showed new pictures of the land."""

    def __init__(self, viewer: Viewer, plan: Plan) -> None:
        from fellview.desktop.window import wake

        self.viewer, self.plan = viewer, plan
        self.hand = hand.Hand(viewer.window, wake)
        self.shown: list[float] = []
        """When the screen got a picture of the land, of which those are none that only make the last one finer."""
        self._seen = viewer.pictures.count
        self._home = viewer.session.scene.camera
        self._swap = viewer.window.swap_buffers
        viewer.window.swap_buffers = self._swapped  # type: ignore[method-assign]

    @property
    def land(self) -> hand.Rectangle:
        """The land's part of the window."""
        return self.viewer.layout.panel.scene_rect

    def rest(self) -> Generator[None]:
        """Go on until everything is computed, and the picture is as fine as it gets."""
        latest = time.monotonic() + _LATEST_S
        while time.monotonic() < latest:
            pictures, session = self.viewer.pictures, self.viewer.session
            fine = pictures.up_to_date and pictures.refine_in is None and not pictures.under_way
            if session.complete and (fine or pictures.waves_move):
                return
            yield

    def home(self) -> Generator[None]:
        """Look again from where the scene does, and rest."""
        self.viewer.session.set_camera(self._home)
        self.viewer.redraw()
        yield  # as long as nothing is drawn, the picture is up to date
        yield from self.rest()

    def gesture(self, gesture: hand.Gesture, seconds: float) -> Generator[None, None, list[float]]:
        """Carry `gesture` out for so long and until the next picture; return the seconds between pictures."""
        self.shown.clear()
        begun = self.hand.begin(gesture)
        latest = begun + seconds + _LATEST_S
        while (not self.shown or self.shown[-1] < begun + seconds) and time.monotonic() < latest:
            yield
        self.hand.end()
        if not self.shown:
            raise FellviewError(f"bench live: no picture within {seconds + _LATEST_S:g} s of a gesture")
        return gaps(begun, self.shown)

    def _swapped(self) -> None:
        self._swap()
        if self.viewer.pictures.count > self._seen:
            self.shown.append(time.monotonic())
        self._seen = self.viewer.pictures.count


def _moving(gesture: Callable[[Desk], hand.Gesture], seconds: Callable[[Plan], float]) -> Callable[[Desk], Turns]:
    """Return the measurement of frames while a gesture lasts."""

    def measurement(desk: Desk) -> Turns:
        yield from desk.home()
        return {"seconds": (yield from desk.gesture(gesture(desk), seconds(desk.plan)))}

    return measurement


MEASUREMENTS: dict[str, Callable[[Desk], Turns]] = {
    "orbit": _moving(lambda desk: hand.orbit(desk.land, desk.viewer.session.scene.camera), lambda plan: plan.orbit_s),
    "flight": _moving(
        lambda desk: hand.flight(desk.land, desk.viewer.session.scene.camera), lambda plan: plan.flight_s
    ),
    "sun": _moving(lambda desk: hand.sun(desk.land), lambda plan: plan.sun_s),
}
"""What is measured of a scene, by name."""


def watched(scene: str, only: Sequence[str], plan: Plan) -> dict[str, Any]:
    """Open the window on `scene`; return what each measurement of `only` finds."""
    from fellview.desktop.viewer import run

    found: dict[str, Any] = {}

    def script(viewer: Viewer) -> Generator[None]:
        desk = Desk(viewer, plan)
        yield from desk.rest()
        for name in only:
            found[name] = yield from MEASUREMENTS[name](desk)
            yield from desk.home()
        desk.hand.leave()
        viewer.window.close()

    under_way: list[Generator[None]] = []

    def watch(viewer: Viewer, drawn: bool) -> None:
        if not under_way:
            under_way.append(script(viewer))
        next(under_way[0], None)

    run(scenes.load(scene), (plan.width, plan.height), None, watch)
    return found


def _main() -> int:
    scene, orders = sys.argv[1], json.loads(sys.argv[2])
    try:
        print(json.dumps(watched(scene, orders["only"], Plan(**orders["plan"]))))
    except FellviewError as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_main())
