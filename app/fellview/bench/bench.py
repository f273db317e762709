"""What this machine does: `fellview bench demo|engines|landforms|erosion|draw|passes|live|explore|capture|all`.

A benchmark returns medians of several runs. Ratios compare with a yardstick of the same run; absolute times mean
something only beside the machine's name.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fellview.bench.timing import timed
from fellview.core.errors import InputError, quoted

Report = dict[str, Any]

_RUNS = 15


def run(
    name: str,
    as_json: bool,
    engine: str = "auto",
    chosen_scenes: Sequence[str] = (),
    only: Sequence[str] = (),
    brief: bool = False,
) -> None:
    """Run the benchmark `name`, or all; print a table, or with `as_json` one JSON object.

    `engine` is for `engines` alone: auto measures the CPU's and the GPU's. `only` (measurements)
    and `brief` are for `live` and `capture` alone, `chosen_scenes` for `passes`, too.
    """
    if name != "all" and name not in BENCHMARKS:
        raise InputError(f"bench {name}: expected one of {', '.join(BENCHMARKS)}, all")
    chosen = {key: one for key, one in BENCHMARKS.items() if name in (key, "all")}
    if "engines" in chosen and engine != "auto":
        chosen["engines"] = functools.partial(_engines, engine)
    if chosen_scenes or only or brief:
        if name == "passes" and not (only or brief):
            chosen = {name: functools.partial(_passes, chosen_scenes)}
        elif name in ("live", "capture"):
            measured = _live if name == "live" else _capture
            chosen = {name: functools.partial(measured, chosen_scenes, only, brief)}
        else:
            raise InputError(f"bench {name}: --only and --brief are for live and capture, scenes for passes too")
    reports = [report for one in chosen.values() for report in one()]
    if as_json:
        print(json.dumps({"machine": machine(), "results": reports}, indent=2))
        return
    print(machine())
    for report in reports:
        if "scene" in report:
            continue
        extra = "  ".join(f"{key} {value}" for key, value in report.items() if key not in _COLUMNS)
        print(f"{report['name']:38} {report['median_ms']:9.1f} ms  of {report['runs']:3} runs  {extra}")
    if any("scene" in report for report in reports):
        from fellview.bench.live_scenes import table

        print(*table(reports), sep="\n")


_COLUMNS = ("name", "median_ms", "runs", "machine")


def machine() -> str:
    """Return the processor, its cores that we may use, and the system."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    return f"{model}, {len(_cores())} cores, Python {platform.python_version()}, {platform.system()}"


def _cores() -> set[int]:
    return os.sched_getaffinity(0) if sys.platform == "linux" else set(range(os.cpu_count() or 1))


def report(name: str, seconds: list[float], **more: Any) -> Report:
    """Return what one benchmark has measured: the seconds of each run, and `more` figures of its own."""
    return {
        "name": name,
        "median_ms": round(1000 * statistics.median(seconds), 3),
        "runs": len(seconds),
        "machine": machine(),
        **more,
    }


def _demo() -> list[Report]:
    """The DirectX demo's heights at 512² from nothing, and each of its steps."""
    from fellview.io import scenes
    from fellview.terrain.pipeline.engine import CpuEngine
    from fellview.terrain.pipeline.pipeline import Pipeline

    groups = scenes.load("directx-demo").terrain_groups()
    steps: dict[str, list[float]] = {}

    def from_nothing() -> None:
        for one in Pipeline(CpuEngine()).run(groups).times:
            steps.setdefault(one.step, []).append(one.milliseconds)

    seconds = timed(from_nothing, _RUNS)
    medians = {f"{step}_ms": round(statistics.median(times[1:]), 3) for step, times in steps.items()}
    return [report("demo: heights at 512²", seconds, **medians)]


def _engines(engine: str = "auto") -> list[Report]:
    """The base of the measured scene (noise of seven octaves, perturbed, and scree) at several sizes on each engine."""
    from fellview.gpu import context as gpu_context
    from fellview.gpu.engine import GpuEngine
    from fellview.io import scenes
    from fellview.terrain.pipeline.engine import CpuEngine, Engine
    from fellview.terrain.pipeline.pipeline import Pipeline

    base = scenes.load(scenes.MEASURED).replace({"erosion.kind": "thermal", "smooth.iterations": 0})
    context = gpu_context.standalone()
    engines: list[Engine] = [CpuEngine(), GpuEngine(context)]
    reports = []
    for one in engines:
        if engine not in ("auto", one.name):
            continue
        for side in (512, 1024, 2048):
            groups = base.replace({"grid.rows": side, "grid.columns": side}).terrain_groups()
            steps: dict[str, list[float]] = {}

            def from_nothing(one: Engine = one, groups: Any = groups, steps: Any = steps) -> None:
                for time_ in Pipeline(one).run(groups).times:
                    steps.setdefault(time_.step, []).append(time_.milliseconds)

            seconds = timed(from_nothing, 5)
            medians = {f"{step}_ms": round(statistics.median(times[1:]), 3) for step, times in steps.items()}
            more = {"renderer": gpu_context.renderer(context)} if one.name == "gpu" else {}
            reports.append(report(f"engines: base at {side}² on the {one.name.upper()}", seconds, **medians, **more))
    context.release()
    return reports


def _draw() -> list[Report]:
    """Still frames of several grid sizes, new heights, and a flight over lands up to 4096²."""
    from fellview.bench.draw import measure

    return [report(name, seconds, **more) for name, seconds, more in measure()]


def _passes(chosen: Sequence[str] = ()) -> list[Report]:
    """Each pass of a moving frame of the scenes, while the camera orbits and while a slider drags."""
    from fellview.bench.moving_passes import measure
    from fellview.io import scenes

    for one in chosen:
        if one not in scenes.presets():
            raise InputError(f"bench passes: scene {quoted(one)}: expected one of {', '.join(scenes.presets())}")
    return [report(name, seconds, **more) for name, seconds, more in measure(chosen)]


def _live(chosen: Sequence[str] = (), only: Sequence[str] = (), brief: bool = False) -> list[Report]:
    """The real window: start, a slider's way to the screen, an idle window's rest; and each scene under the hand.

    Without a display Xvfb is one. With `chosen` scenes it is these alone, under the hand; `only` names measurements.
    What windows take is compiled ahead, in the machine's own caches, but for those that are measured without.
    """
    from fellview.bench import gestures, live, live_scenes
    from fellview.bench.ahead import compile_ahead
    from fellview.bench.display import display
    from fellview.io import scenes

    for word, words, known in (
        ("scene", chosen, scenes.presets()),
        ("measurement", only, (*live.MEASUREMENTS, *gestures.MEASUREMENTS)),
    ):
        for one in words:
            if one not in known:
                raise InputError(f"bench live: {word} {quoted(one)}: expected one of {', '.join(known)}")
    plan = gestures.BRIEF if brief else gestures.USUAL
    of_window = [name for name in live.MEASUREMENTS if (name in only if only or chosen else True)]
    of_scenes = [name for name in gestures.MEASUREMENTS if not only or name in only]

    def tell(text: str) -> None:
        print(f"bench live: {text}", file=sys.stderr)

    measured = []
    with display((plan.width, plan.height)), tempfile.TemporaryDirectory() as folder:
        if of_window:
            compile_ahead(live.measured_scenes(of_window), tell)
        if set(of_scenes) != {gestures.COLD}:
            compile_ahead([scenes.load(name) for name in (chosen or scenes.presets()) if of_scenes], tell)
        if of_window:
            measured += live.measure(Path(folder), of_window)
        if of_scenes:
            measured += live_scenes.measure(Path(folder), chosen, of_scenes, plan, tell)
    return [report(name, seconds, **more) for name, seconds, more in measured]


def _landforms() -> list[Report]:
    """Every registered landform over level ground; `new_list_ms` is what its list takes when a slider moves."""
    import numpy as np

    from fellview.terrain.domain import Domain, Grid
    from fellview.terrain.landforms import registry
    from fellview.terrain.progress import Progress
    from fellview.terrain.steps import landform

    reports = []
    for side in (512, 1024):
        domain = Domain(Grid(rows=side, columns=side, size_x=4000.0, size_z=4000.0), 1)
        ground = np.zeros((side, side), np.float32)
        for kind in registry.names():
            one = landform.natural(landform.Landform1(kind=kind), domain)
            seconds = timed(lambda one=one, d=domain, g=ground: landform.run(one, d, g, Progress()), 9)  # type: ignore[misc]
            start = time.perf_counter()
            landform.laid(one.replace(seed=one.seed + 1), domain)
            anew = round(1000 * (time.perf_counter() - start), 2)
            reports.append(report(f"landforms: {kind} at {side}²", seconds, new_list_ms=anew))
    return reports


def _erosion() -> list[Report]:
    """Each kind of erosion at several grid sizes, and how near its kernels come to the machine's limits."""
    from fellview.bench.erosion import measure

    return [report(name, seconds, **more) for name, seconds, more in measure()]


def _explore() -> list[Report]:
    """Pictures of the board and along a slider, lands that differ, frames beside the board, and two lands compared."""
    from fellview.bench import compare, explore
    from fellview.bench.display import display

    with display((1280, 720)), tempfile.TemporaryDirectory() as folder:
        measured = [*explore.measure_all(Path(folder)), *compare.measure_all()]
    return [report(name, seconds, **more) for name, seconds, more in measured]


def _capture(chosen_scenes: Sequence[str] = (), only: Sequence[str] = (), brief: bool = False) -> list[Report]:
    """A picture of 33 million pixels, a film of 120 frames, and the scenes' pages into files."""
    from fellview.bench.capture import measure

    with tempfile.TemporaryDirectory() as folder:
        return [
            report(name, seconds, **more) for name, seconds, more in measure(Path(folder), chosen_scenes, only, brief)
        ]


BENCHMARKS: dict[str, Callable[[], list[Report]]] = {
    "demo": _demo,
    "engines": _engines,
    "landforms": _landforms,
    "erosion": _erosion,
    "draw": _draw,
    "passes": _passes,
    "live": _live,
    "explore": _explore,
    "capture": _capture,
}
"""Every benchmark by name."""
