"""The parts of `gpu_check.py`: each gives its report again and again as it grows, so that a cut part still tells.

A part does its items one after the other: an item that fails is told under ``failed``, one for which no time is left
under ``cut``, and one that two engines disagree in under ``beyond``. What the CPU computes to compare with comes from
other processes, since compiling kernels takes longer than all the rest.
"""

from __future__ import annotations

import contextlib
import functools
import math
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.bench import bare, parity
from fellview.bench import draw as bench_draw
from fellview.bench.parity import NoiseCase
from fellview.bench.pictures import differences
from fellview.capture import capture
from fellview.core import png
from fellview.core.errors import one_line
from fellview.core.height_field import HeightField
from fellview.draw.overlay.noise_lab import NoiseLab
from fellview.draw.overlay.overlay import Overlay
from fellview.draw.present import PresentPass
from fellview.draw.renderer import Renderer
from fellview.draw.target import Size
from fellview.gpu import choice, formats, programs
from fellview.gpu import context as gpu_context
from fellview.gpu.engine import GpuEngine
from fellview.gpu.memory import graphics_memory
from fellview.gpu.noise_map import NoiseMap
from fellview.gpu.passes import size_bytes
from fellview.io import scenes
from fellview.noise import registry
from fellview.scene.groups import view_modes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.masks import watered
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline
from fellview.terrain.step import Land

Report = dict[str, Any]

LEAST_CORRELATION = 0.9999
"""Of a scene's heights by both engines."""

_LIMITS = (
    "GL_VENDOR",
    "GL_MAX_TEXTURE_SIZE",
    "GL_MAX_ARRAY_TEXTURE_LAYERS",
    "GL_MAX_TEXTURE_IMAGE_UNITS",
    "GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS",
    "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS",
    "GL_MAX_UNIFORM_BLOCK_SIZE",
    "GL_MAX_FRAGMENT_UNIFORM_BLOCKS",
    "GL_MAX_DRAW_BUFFERS",
    "GL_MAX_SAMPLES",
    "GL_MAX_VIEWPORT_DIMS",
    "GL_SUBPIXEL_BITS",
)
_EXTENSIONS = (
    "GL_ARB_timer_query",
    "GL_EXT_texture_filter_anisotropic",
    "GL_KHR_parallel_shader_compile",
    "GL_ARB_get_program_binary",
    "GL_NVX_gpu_memory_info",
    "GL_ATI_meminfo",
)  # that say what else could be made use of, or measured
_MB = 1 << 20
_FRAMES = 8  # of a turn, whose median counts
_TURN_DEG = 3.0
_SLOWEST = 8  # programs that are named
_AMPLIFICATION = 8  # a difference of two levels becomes visible
_SHEET_ACROSS = 4
_MOST_WORKERS = 8  # each takes half a gigabyte
_PICTURE_SAMPLES = 4  # as the approved pictures have
_RENDERED = ("alpine-range", "rocky-coast", "canyon")  # large: the most passes, the sea, the most rock


@dataclass(frozen=True)
class Plan:
    """How large everything is; `out` is the folder that pictures go to."""

    out: Path
    presets: tuple[str, ...] = scenes.presets()
    steps: tuple[str, ...] = tuple(step.key for step in STEPS)
    noises: tuple[str, ...] = registry.kinds()
    scene_side: int = 256
    """Cells of the lands that both engines compute."""
    picture_side: int = 256
    """Cells of the lands in the approved pictures."""
    shader_side: int = 64
    shader_size: Size = (160, 90)
    pass_sizes: tuple[Size, ...] = ((1920, 1080), (3840, 2160))
    pass_sides: tuple[int, ...] = (1024, 4096)
    pass_runs: int = 5
    slider_sides: tuple[int, ...] = (512, 1024, 2048, 4096)
    slider_size: Size = (1920, 1080)
    memory_sides: tuple[int, ...] = (1024, 2048, 4096)
    workers: int = min(os.cpu_count() or 1, _MOST_WORKERS)
    """Processes that compute what the GPU is compared with; at 0 this one does."""
    approved: Path = paths.assets().parent / "tests" / "golden" / "pictures"


def small(out: Path) -> Plan:
    """Return the plan for software OpenGL: everything is done, on few cells and pixels."""
    return Plan(
        out,
        scene_side=64,
        shader_side=32,
        shader_size=(64, 36),
        pass_sizes=((320, 180),),
        pass_sides=(128,),
        pass_runs=1,
        slider_sides=(64,),
        slider_size=(160, 90),
        memory_sides=(128,),
    )


class Clock:
    """The time that a part has."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    @property
    def left_s(self) -> float:
        """How long it still has; never below 0."""
        return max(self._ends - time.monotonic(), 0.0)


Part = Callable[[Plan, Clock], Iterator[Report]]


def _each(report: Report, key: str, items: Mapping[str, Callable[[], Any]], clock: Clock) -> Iterator[Report]:
    """Do the `items`, and keep what each returns by its name under `key` of the `report`, which is given after each."""
    done = report.setdefault(key, {})
    for name, work in items.items():
        if not clock.left_s:
            report.setdefault("cut", []).append(f"{key}: {name}")
            continue
        try:
            done[name] = work()
        except TimeoutError:
            report.setdefault("cut", []).append(f"{key}: {name}")
        except Exception as fault:  # whatever a driver makes of it: the others are still to be told of
            report.setdefault("failed", {})[f"{key}: {name}"] = f"{type(fault).__name__}: {one_line(str(fault))}"[:500]
        yield report
    yield report


def renderer(plan: Plan, clock: Clock) -> Iterator[Report]:
    """What draws, and its limits."""
    with _context() as context:
        yield {
            "renderer": gpu_context.renderer(context),
            "version": gpu_context.version_text(context),
            "software": gpu_context.is_software(context),
            "engine": choice.choose("auto", context).text,
            "limits": {name: context.info.get(name) for name in _LIMITS},
            "extensions": {name: name in context.extensions for name in _EXTENSIONS},
            "number_of_extensions": len(context.extensions),
            "draws_into": {
                dtype: [count for count in (1, 2, 4) if formats.of(context).draws(count, dtype)]
                for dtype in ("f1", "f2", "f4")
            },
            "multisamples": [count for count in (2, 4, 8) if formats.of(context).multisamples("f2", count)],
            "max_anisotropy": context.max_anisotropy,
            "memory": graphics_memory(context) or "unknown: the driver does not tell",
            "processors": os.cpu_count(),
            "missing": [name for name in bare.PACKAGES if not bare.is_there(name)],
        }


@contextlib.contextmanager
def _context() -> Iterator[Any]:
    context = gpu_context.standalone()
    try:
        yield context
    finally:
        context.release()


@contextlib.contextmanager
def _computed(
    plan: Plan, work: Callable[..., Any], wanted: Mapping[str, tuple[Any, ...]], clock: Clock
) -> Iterator[Any]:
    """Give a function that returns what `work` makes of the arguments `wanted` under a name; `TimeoutError` if late."""
    if not plan.workers:
        yield lambda name: work(*wanted[name])
        return
    pool = ProcessPoolExecutor(plan.workers, multiprocessing.get_context("spawn"))
    futures = {name: pool.submit(work, *arguments) for name, arguments in wanted.items()}
    try:
        yield lambda name: futures[name].result(clock.left_s)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():  # which may be compiling, and nobody waits for it any more
            process.kill()


def _scene_on_cpu(preset: str, side: int) -> HeightField:
    """Return the land of a preset with every mask that it has."""
    scene = parity.scene_of(preset, side)
    field = watered(Pipeline(CpuEngine()).run(scene.terrain_groups()).field, scene.water)
    return HeightField(field.heights, field.cell_size, dict(field.masks))


def lands(plan: Plan, clock: Clock) -> Iterator[Report]:
    """Every scene's heights and masks by both engines."""
    report: Report = {"cells": f"{plan.scene_side}²", "least_correlation": LEAST_CORRELATION}
    wanted = {preset: (preset, plan.scene_side) for preset in plan.presets}
    with _context() as context, _computed(plan, _scene_on_cpu, wanted, clock) as on_cpu:
        engine = GpuEngine(context)

        def compared(preset: str) -> Report:
            scene = parity.scene_of(preset, plan.scene_side)
            gpu = Pipeline(engine).run(scene.terrain_groups()).field
            gpu = watered(gpu, scene.water)
            cpu = on_cpu(preset)
            apart = parity.fields_apart(cpu, gpu, tuple(sorted(set(cpu.masks) & set(gpu.masks))))
            if not apart["correlation"] >= LEAST_CORRELATION:
                report.setdefault("beyond", []).append(preset)
            return apart

        items = {preset: functools.partial(compared, preset) for preset in plan.presets}
        yield from _each(report, "scenes", items, clock)
        engine.release()


def _step_on_cpu(case: tuple[str, str, str]) -> Land:
    with tempfile.TemporaryDirectory() as folder:
        return _step_case(case, Path(folder)).on_cpu()


def _step_case(case: tuple[str, str, str], folder: Path) -> parity.StepCase:
    key, name, option = case
    return parity.step_case(next(step for step in STEPS if step.key == key), name, option, folder)


def _noise_on_cpu(cases: tuple[NoiseCase, ...]) -> list[Any]:
    return [case.on_cpu() for case in cases]


def _noise_cases(kind: str, dimension: int) -> tuple[NoiseCase, ...]:
    """Return a sum of octaves, and a warped one far from the origin."""
    return (
        NoiseCase(kind, dimension, 77, parity.PLACES[1], None, {"octaves": 3}),
        NoiseCase(kind, dimension, 2**32 - 1, parity.PLACES[2], None, {"octaves": 2, "warp": 1.0}),
    )


def _step_cases(plan: Plan) -> dict[str, tuple[str, str, str]]:
    """Return every way of every step that does something, by name."""
    return {
        f"{step.key} {option}".strip(): (step.key, name, option)
        for step, name, option in parity.CASES
        if step.key in plan.steps and option != "none"
    }


def twins(plan: Plan, clock: Clock) -> Iterator[Report]:
    """Every way of every step by both engines, and every noise."""
    report: Report = {"noise_excess": "difference as a share of what is allowed"}
    families = {f"{k} {d}": (k, d) for k, d in parity.FAMILIES if k in plan.noises}
    steps = _step_cases(plan)
    with _context() as context, tempfile.TemporaryDirectory() as folder:
        engine, noise_map = GpuEngine(context), NoiseMap(context)

        def step(on_cpu: Callable[[str], Land], name: str) -> Report:
            case = _step_case(steps[name], Path(folder))
            gpu = case.on_gpu(engine)
            apart = case.apart(on_cpu(name), gpu)
            if not case.holds(apart):
                report.setdefault("beyond", []).append(name)
            told = {"largest_m": apart.largest_m, "changes_correlate": apart.alike}
            if not case.allowed.alike:
                told["share_beyond"] = apart.share
            more = {"on_the_cpu": True} if engine.twin_of(case.step, case.parameters) is None else {}
            return {key: float(f"{value:.4g}") for key, value in told.items()} | more

        def noise(on_cpu: Callable[[str], list[Any]], name: str) -> float:
            cases = _noise_cases(*families[name])
            gpu = [case.on_gpu(noise_map) for case in cases]
            excess = max(case.excess(*both) for case, *both in zip(cases, on_cpu(name), gpu, strict=True))
            if not excess <= 1:
                report.setdefault("beyond", []).append(name)
            return round(excess, 4)

        with _computed(plan, _step_on_cpu, {name: (case,) for name, case in steps.items()}, clock) as on_cpu:
            yield from _each(report, "steps", {name: functools.partial(step, on_cpu, name) for name in steps}, clock)
        wanted = {name: (_noise_cases(*family),) for name, family in families.items()}
        with _computed(plan, _noise_on_cpu, wanted, clock) as on_cpu:
            items = {name: functools.partial(noise, on_cpu, name) for name in families}
            yield from _each(report, "noises", items, clock)
        engine.release()


def shaders(plan: Plan, clock: Clock) -> Iterator[Report]:
    """Every program made, and what it took; first and second frames of every scene and view mode."""
    built: list[programs.Built] = []
    report: Report = {}
    with _context() as context, programs.told(built.append), tempfile.TemporaryDirectory() as folder:
        engine = GpuEngine(context)

        def told() -> Report:
            slowest = sorted(built, key=lambda one: -one.seconds)[:_SLOWEST]
            used = frozenset().union(*(one.files for one in built))
            every = {path.relative_to(paths.shaders()).as_posix() for path in paths.shaders().rglob("*.*")}
            return report | {
                "programs": len(built),
                "compile_and_link_ms": round(1000 * sum(one.seconds for one in built), 1),
                "slowest_ms": [[one.vertex, one.fragment, round(1000 * one.seconds, 1)] for one in slowest],
                "files_in_no_program": sorted(every - used),
            }

        def frames(drawing: Renderer, scene: Scene) -> Report:
            field = Pipeline(engine).run(scene.terrain_groups()).field
            took = []
            for _ in range(2):
                drawing.show(field)
                start = time.perf_counter()
                for samples in (1, drawing.resting_samples):
                    drawing.refine(scene, plan.shader_size, samples, 0)
                context.finish()
                took.append(time.perf_counter() - start)
            return {"first_ms": round(1000 * took[0], 1), "again_ms": round(1000 * took[1], 1)}

        drawing = Renderer(context)
        seen = {preset: parity.scene_of(preset, plan.shader_side) for preset in plan.presets}
        measured = scenes.load(scenes.MEASURED).replace(
            {"grid.rows": plan.shader_side, "grid.columns": plan.shader_side, "view.legend": False}
        )
        modes = {mode: measured.replace({"view.mode": mode}) for mode in view_modes.NAMES}
        everything = measured.replace({**_everything(), "view.stage": "slab"})
        seen |= {f"view {name}": scene for name, scene in modes.items()} | {"everything, as a slab": everything}
        items = {name: functools.partial(frames, drawing, scene) for name, scene in seen.items()}
        for _ in _each(report, "frames", items, clock):
            yield told()

        def window() -> None:
            for kind in (Overlay, PresentPass, NoiseLab):
                kind(context)

        def twin(name: str) -> None:
            case = _step_case(_step_cases(plan)[name], Path(folder))
            if engine.twin_of(case.step, case.parameters) is not None:
                case.on_gpu(engine)

        def noise(kind: str) -> None:
            for dimension in registry.get(kind).dimensions:
                for case in _noise_cases(kind, dimension):
                    noise_map.draw(case.request, (8, 8), extent=3.0).release()

        noise_map = NoiseMap(context)
        others: dict[str, Callable[[], None]] = {"the window": window}
        others |= {name: functools.partial(twin, name) for name in _step_cases(plan)}
        others |= {f"noise map of {kind}": functools.partial(noise, kind) for kind in plan.noises}
        for _ in _each(report, "others", others, clock):
            yield told()
        del report["others"]  # that they are made is all that there is to say
        yield told()
        engine.release()


def _everything() -> dict[str, Any]:
    """Return what there is to draw; without Pillow all but letters."""
    marks = {} if bare.is_there("PIL") else {"view.scale_bar": False}
    return {**bench_draw.EVERYTHING, **marks}


def passes(plan: Plan, clock: Clock) -> Iterator[Report]:
    """What each pass takes, in ms, of frames of the measured scene with all there is."""
    report: Report = {}
    with _context() as context:
        drawing = Renderer(context)

        def timed(size: Size, side: int) -> dict[str, float]:
            of = bench_draw.Plan(runs=plan.pass_runs, everything=_everything())
            found = bench_draw.passes(context, drawing, of, *size, side, panel=bare.is_there("imgui_bundle"))
            return {name.partition(", ")[2].partition(", ")[2]: _ms(seconds) for name, seconds, _ in found}

        items = {
            f"{width}×{height}, {side}²": functools.partial(timed, (width, height), side)
            for side in plan.pass_sides
            for width, height in plan.pass_sizes
        }
        yield from _each(report, "ms", items, clock)


def _ms(seconds: Iterable[float]) -> float:
    return round(1000 * statistics.median(seconds), 3)


def sliders(plan: Plan, clock: Clock) -> Iterator[Report]:
    """From a slider that changes everything (the seed) to heights and to the picture, in ms, and frames of a turn."""
    width, height = plan.slider_size
    report: Report = {
        "size": f"{width}×{height}",
        "heights_ms": "until the GPU has them",
        "picture_ms": "until they are drawn, one sample, from the slider on",
        "turn_ms": "a frame of a turn, until it is drawn",
        "turn_gpu_ms": "of that by the GPU's own clock",
    }
    with _context() as context:
        drawing = Renderer(context)
        drawing.wait_for_masks()

        def slid(engine: GpuEngine, preset: str, side: int) -> Report:
            scene = scenes.load(preset).replace({"grid.rows": side, "grid.columns": side})
            pipeline = Pipeline(engine)
            _drawn(drawing, pipeline, scene, plan.slider_size)  # compiles
            context.finish()
            changed = scene.replace({"noise.seed": int(scene.groups()["noise"].values()["seed"]) + 1})
            start = time.perf_counter()
            field = pipeline.run(changed.terrain_groups()).field
            context.finish()
            heights_s = time.perf_counter() - start
            drawing.show(field)
            drawing.draw(changed, plan.slider_size, 1)
            context.finish()
            picture_s = time.perf_counter() - start
            turned, by_gpu = _turn(context, drawing, changed, plan.slider_size)
            on_cpu = [
                step.key
                for step in STEPS
                if step.active(changed.terrain_groups()[step.key])
                and engine.twin_of(step, changed.terrain_groups()[step.key]) is None
            ]
            times = {"heights_ms": _ms([heights_s]), "picture_ms": _ms([picture_s]), "turn_ms": turned}
            return times | {"turn_gpu_ms": by_gpu} | ({"on_the_cpu": on_cpu} if on_cpu else {})

        for side in plan.slider_sides:
            engine = GpuEngine(context)
            items = {preset: functools.partial(slid, engine, preset, side) for preset in plan.presets}
            yield from _each(report, f"{side}²", items, clock)
            drawing.show(HeightField(np.zeros((2, 2), np.float32), (1.0, 1.0)))  # whose textures go with the engine
            engine.release()


def _drawn(drawing: Renderer, pipeline: Pipeline, scene: Scene, size: Size) -> HeightField:
    field = pipeline.run(scene.terrain_groups()).field
    drawing.show(field)
    drawing.draw(scene, size, 1)
    return field


def _turn(context: Any, drawing: Renderer, scene: Scene, size: Size) -> tuple[float, float]:
    """Return the median ms of the frames of a turn: until each is drawn, and by the GPU's own clock."""
    query = context.query(time=True)
    seconds, by_gpu = [], []
    for number in range(1 + _FRAMES):
        seen = scene.with_group(scene.camera.turned(number * _TURN_DEG))
        start = time.perf_counter()
        with query:
            drawing.draw(seen, size, 1)
        context.finish()
        if number:
            seconds.append(time.perf_counter() - start)
            by_gpu.append(query.elapsed / 1e9)
    return _ms(seconds), _ms(by_gpu)


def pictures(plan: Plan, clock: Clock) -> Iterator[Report]:
    """Scenes as drawn here against the approved pictures, which Mesa's software driver drew; and five PNGs."""
    report: Report = {"levels": "of 255; a block is 5×5 pixels"}
    shown: dict[str, tuple[NDArray[np.uint8], NDArray[np.uint8]]] = {}
    wanted = {preset: (preset, plan.picture_side) for preset in plan.presets}
    with _context() as context, _computed(plan, _scene_on_cpu, wanted, clock) as on_cpu:
        drawing = Renderer(context)

        def compared(preset: str) -> Report:
            path = plan.approved / f"{preset}.png"
            expected = png.decoded(path.read_bytes()) if path.is_file() else None
            size = (256, 144) if expected is None else (expected.shape[1], expected.shape[0])
            scene = parity.scene_of(preset, plan.picture_side)
            actual = capture.still(drawing, scene, on_cpu(preset), size, _PICTURE_SAMPLES)[..., :3]
            shown[preset] = actual, actual if expected is None else expected
            if expected is None:
                return {"skipped": f"no approved picture at {path}"}
            mean, block = differences(actual, expected)
            largest = int(np.abs(actual.astype(int) - expected).max())
            return {"mean": round(mean, 4), "largest_block": round(block, 2), "largest": largest}

        def sheets() -> list[str]:
            plan.out.mkdir(parents=True, exist_ok=True)
            apart = [np.abs(a.astype(int) - b) * _AMPLIFICATION for a, b in shown.values()]
            return [
                _written(plan.out / "scenes.png", _sheet([actual for actual, _ in shown.values()])),
                _written(plan.out / f"differences-{_AMPLIFICATION}-times.png", _sheet([*apart])),
            ]

        def large(preset: str) -> str:
            scene = parity.scene_of(preset, plan.picture_side)
            start = time.perf_counter()
            pixels = capture.still(drawing, scene, on_cpu(preset), plan.slider_size, drawing.resting_samples)
            report.setdefault("large_ms", {})[preset] = _ms([time.perf_counter() - start])
            return _written(plan.out / f"{preset}.png", pixels[..., :3])

        yield from _each(report, "scenes", {name: functools.partial(compared, name) for name in plan.presets}, clock)
        rendered = [name for name in _RENDERED if name in plan.presets]
        items: dict[str, Callable[[], Any]] = {"sheets": sheets} if shown else {}
        items |= {name: functools.partial(large, name) for name in rendered}
        yield from _each(report, "written", items, clock)


def _sheet(parts: list[NDArray[Any]]) -> NDArray[np.uint8]:
    """Return pictures side by side, in rows."""
    rows, columns = parts[0].shape[:2]
    across = min(_SHEET_ACROSS, len(parts))
    sheet = np.zeros((math.ceil(len(parts) / across) * rows, across * columns, 3), np.uint8)
    for number, part in enumerate(parts):
        row, column = rows * (number // across), columns * (number % across)
        sheet[row : row + rows, column : column + columns] = np.minimum(part, 255)
    return sheet


def _written(path: Path, pixels: NDArray[np.uint8]) -> str:
    path.write_bytes(png.encoded(np.ascontiguousarray(pixels)))
    return str(path)


def memory(plan: Plan, clock: Clock) -> Iterator[Report]:
    """What lands of each size take: of the card where its driver tells, of textures, and of the process."""
    report: Report = {}
    with _context() as context:
        before = graphics_memory(context)
        report["graphics_mb"] = {name: value // _MB for name, value in before.items()} or "unknown: nobody tells"
        drawing = Renderer(context)
        drawing.wait_for_masks()

        def taken(side: int) -> Report:
            engine = GpuEngine(context)
            scene = scenes.load(scenes.OPENING_PRESET).replace({"grid.rows": side, "grid.columns": side})
            field = _drawn(drawing, Pipeline(engine), scene, plan.slider_size)
            context.finish()
            now = graphics_memory(context)
            of_engine = sum(map(size_bytes, (*engine.passes.in_use, *engine.passes.spare)))
            told = {"engine_textures_mb": of_engine // _MB, "process_mb": process_mb()}
            if now:
                told["graphics_taken_mb"] = (before["free"] - now["free"]) // _MB
            drawing.show(HeightField(np.zeros((2, 2), np.float32), (1.0, 1.0)))
            del field
            engine.release()
            return told

        items = {f"{side}²": functools.partial(taken, side) for side in plan.memory_sides}
        yield from _each(report, scenes.OPENING_PRESET, items, clock)


def process_mb() -> int | str:
    """Return the memory that this process has now, in MB, where Linux tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // _MB
    except (OSError, ValueError, AttributeError):
        return "unknown"
