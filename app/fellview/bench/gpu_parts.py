"""The parts of `gpu_check.py`: each gives its report again and again as it grows, so that a cut part still tells."""

from __future__ import annotations

import functools
import math
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.bench import bare, gpu_against_cpu, parity
from fellview.bench import draw as bench_draw
from fellview.bench.gpu_against_cpu import noise_cases, scene_on_cpu, step_case, step_cases
from fellview.bench.gpu_plan import Clock, Part, Plan, Report, a_context, computed, each
from fellview.bench.pictures import differences
from fellview.capture import capture
from fellview.core import png
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
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline

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
_PICTURE_SAMPLES = 4  # as the approved pictures have
_RENDERED = ("alpine-range", "rocky-coast", "canyon")  # large: the most passes, the sea, the most rock


def renderer(plan: Plan, clock: Clock) -> Iterator[Report]:
    """What draws, and its limits."""
    with a_context() as context:
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


def shaders(plan: Plan, clock: Clock) -> Iterator[Report]:
    """Every program made, and what it took; first and second frames of every scene and view mode."""
    built: list[programs.Built] = []
    report: Report = {}
    with a_context() as context, programs.told(built.append), tempfile.TemporaryDirectory() as folder:
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
        for _ in each(report, "frames", items, clock):
            yield told()

        def window() -> None:
            for kind in (Overlay, PresentPass, NoiseLab):
                kind(context)

        def twin(name: str) -> None:
            case = step_case(step_cases(plan)[name], Path(folder))
            if engine.twin_of(case.step, case.parameters) is not None:
                case.on_gpu(engine)

        def noise(kind: str) -> None:
            for dimension in registry.get(kind).dimensions:
                for case in noise_cases(kind, dimension):
                    noise_map.draw(case.request, (8, 8), extent=3.0).release()

        noise_map = NoiseMap(context)
        others: dict[str, Callable[[], None]] = {"the window": window}
        others |= {name: functools.partial(twin, name) for name in step_cases(plan)}
        others |= {f"noise map of {kind}": functools.partial(noise, kind) for kind in plan.noises}
        for _ in each(report, "others", others, clock):
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
    with a_context() as context:
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
        yield from each(report, "ms", items, clock)


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
    with a_context() as context:
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
            yield from each(report, f"{side}²", items, clock)
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
    with a_context() as context, computed(plan, scene_on_cpu, wanted, clock) as on_cpu:
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

        yield from each(report, "scenes", {name: functools.partial(compared, name) for name in plan.presets}, clock)
        rendered = [name for name in _RENDERED if name in plan.presets]
        items: dict[str, Callable[[], Any]] = {"sheets": sheets} if shown else {}
        items |= {name: functools.partial(large, name) for name in rendered}
        yield from each(report, "written", items, clock)


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
    with a_context() as context:
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
        yield from each(report, scenes.OPENING_PRESET, items, clock)


def process_mb() -> int | str:
    """Return the memory that this process has now, in MB, where Linux tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // _MB
    except (OSError, ValueError, AttributeError):
        return "unknown"


PARTS: dict[str, Part] = {
    "renderer": renderer,
    "lands": gpu_against_cpu.lands,
    "twins": gpu_against_cpu.twins,
    "shaders": shaders,
    "passes": passes,
    "sliders": sliders,
    "pictures": pictures,
    "memory": memory,
}
"""All of them by name."""
