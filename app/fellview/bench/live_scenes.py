"""Measures every scene under the hand: in the real window, between the pictures that show something new.

Each scene has a window in a process of its own, and a script is its hand (see hand.py). Run as
``python -m fellview.bench.live_scenes SCENE ORDERS`` it is that process; ORDERS is a JSON object with the names of
measurements (``only``) and the numbers of a `Plan` (``plan``).
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fellview.bench import windows
from fellview.bench.desk import Desk
from fellview.bench.gestures import COLD, FROM_THE_START, IN_ONE_WINDOW, MEASUREMENTS, USUAL, Plan
from fellview.bench.timing import spread, timed
from fellview.core.errors import FellviewError
from fellview.desktop.background_warm_up import VARIABLE
from fellview.io import scenes

_CHILD_TIMEOUT_S = 3600
_YARDSTICK_SIDE = 512

Measured = tuple[str, list[float], dict[str, Any]]


def measure(
    folder: Path,
    names: Sequence[str] = (),
    only: Sequence[str] = (),
    plan: Plan = USUAL,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Measured]:
    """Return (name, seconds, more figures) of each scene of `names` and each measurement of `only`; of all if empty.

    `folder` holds the windows' state meanwhile; `tell` is told what is under way, what came of it, and what failed.
    `ratio` is of medians, to a full frame of the scene that benchmarks measure. `FellviewError` where all have failed.
    """
    names, only = names or scenes.presets(), only or (*IN_ONE_WINDOW, *FROM_THE_START)
    windows = [[one for one in only if one in IN_ONE_WINDOW], *([one] for one in only if one in FROM_THE_START)]
    tell("yardstick")
    yardstick = yardstick_s((plan.width, plan.height))
    reports: list[Measured] = []
    fault: FellviewError | None = None
    for name, measured in itertools.product(names, filter(None, windows)):
        tell(f"{name}: {', '.join(measured)}")
        try:
            with tempfile.TemporaryDirectory(dir=folder) as own:
                found = _child(name, measured, plan, _environment(Path(own), cold=measured == [COLD]))
        except FellviewError as reason:
            tell(f"{name}: {reason}")
            fault = reason
            continue
        for one in measured:
            if found[one]["seconds"]:  # a scene may have nothing of the kind
                reports.append(_measured(name, one, found[one], yardstick))
                _, seconds, figures = reports[-1]
                cells = _cells({"median_ms": 1000 * statistics.median(seconds), **figures})
                tell(f"{name}: {', '.join(f'{column} {cell}' for column, cell in cells.items())}")
    if fault is not None and not reports:
        raise fault
    return reports


def _environment(folder: Path, cold: bool) -> dict[str, str]:
    """Return what a window finds that has its state in `folder`, and the caches if it is `cold`: they are empty."""
    caches = ("FELLVIEW_CACHE", "MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH") if cold else ()
    # where all that is measured is compiled, nothing else is meanwhile
    return {name: str(folder / name) for name in ("FELLVIEW_STATE", *caches)} | ({} if cold else {VARIABLE: "no"})


def _measured(scene: str, measurement: str, figures: dict[str, Any], yardstick: float) -> Measured:
    seconds = figures.pop("seconds")
    ratio = {"ratio": round(statistics.median(seconds) / yardstick, 3)}
    told = {"scene": scene, "measurement": measurement, **spread(seconds), **ratio, **figures}
    return f"live: {scene}, {measurement}", seconds, told


def table(reports: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return `reports` as the lines of a table: a row for each scene, and columns for each measurement.

    A column has the median, the 95th percentile and the largest in ms, where it does not say another unit.
    """
    rows: dict[str, dict[str, str]] = {}
    for one in reports:
        if "scene" in one:
            rows.setdefault(one["scene"], {}).update(_cells(one))
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    lines = [["median / 95 % / largest, ms", *columns]]
    lines += [[scene, *(row.get(column, "–") for column in columns)] for scene, row in rows.items()]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    aligned = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    return [line.rstrip() for line in aligned] if rows else []


def _cells(report: Mapping[str, Any]) -> dict[str, str]:
    """Return what the table says of a report, by column."""
    name = report["measurement"]

    def spread_of(part: str = "") -> str:
        return " / ".join(f"{report[part + figure]:.0f}" for figure in ("median_ms", "late_95_ms", "largest_ms"))

    if "psnr_moving_db" in report:
        return {
            f"{name}: moving / full, dB": f"{report['psnr_moving_db']:.1f} / {report['psnr_full_db']:.1f}",
            "change": f"×{report['change_ratio']:.2f}",
        }
    if "worst" in report:
        return {f"{name}: worst gap, ms": f"{report['largest_ms']:.0f} ({report['worst']})"}
    return {name: spread_of()} | ({f"{name}, full": spread_of("full_")} if "full_median_ms" in report else {})


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
    answer: dict[str, Any] = windows.child("live_scenes", (scene, orders), environment, _CHILD_TIMEOUT_S)
    return answer


# -- within the window's process ---------------------------------------------------------------------------------------


def watched(scene: str, only: Sequence[str], plan: Plan) -> dict[str, Any]:
    """Open the window on `scene`; return what each measurement of `only` finds."""
    found: dict[str, Any] = {}

    def script(desk: Desk) -> Generator[None]:
        if set(only) <= set(FROM_THE_START):
            yield from desk.until(lambda: desk.viewer.renderer.field is not None)
        else:
            yield from desk.rest()
        for name in only:
            found[name] = yield from MEASUREMENTS[name](desk, plan)

    windows.scripted(scenes.load(scene), (plan.width, plan.height), script)
    return found


def _watched() -> dict[str, Any]:
    orders = json.loads(sys.argv[2])
    return watched(sys.argv[1], orders["only"], Plan(**orders["plan"]))


if __name__ == "__main__":
    sys.exit(windows.main(_watched))
