"""What each pass takes of a moving frame of the finished scenes: while the camera orbits, and while a slider drags."""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fellview.core.height_field import HeightField
from fellview.draw import stopwatch
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.target import Size
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.scene import Scene

Measured = tuple[str, list[float], dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Plan:
    """How large frames and lands are, and how many frames are drawn."""

    size: Size = (940, 696)
    """Of the picture beside the panel of a window of 1280×720, in pixels."""
    scale: float = 0.36
    """Of the picture's pixels a side that a moving frame is drawn with; such as software OpenGL settles at."""
    side: int | None = None
    """Cells a side of the land that is orbited; as the scene has it if None."""
    coarse_side: int = 128
    """Cells a side of the land that a dragged slider shows."""
    frames: int = 12
    warm_frames: int = 3
    """Frames before, which compile shaders and fill what pictures before are kept in."""
    turn_deg: float = 1.5
    """By which the camera orbits from frame to frame."""
    lift_m: float = 0.01
    """By which a dragged slider's land rises from frame to frame: heights that are shown already do not go up."""


USUAL = Plan()


def measure(chosen: Sequence[str] = (), plan: Plan = USUAL) -> list[Measured]:
    """Return name, seconds of each frame and figures of every pass, of the `chosen` scenes or of all.

    `share` is of the sum of the medians of a frame's passes. Passes wait for each other while they are measured, so
    that their sum is more than the frame that nobody measures, which is given too.
    """
    return [one for name in chosen or scenes.presets() for one in _of_scene(name, plan)]


def _of_scene(name: str, plan: Plan) -> list[Measured]:
    """Measure one scene with a context and a renderer of its own, as a window has them: masks wait from then on."""
    scene = scenes.load(name)
    if plan.side is not None:
        scene = scene.replace({"grid.rows": plan.side, "grid.columns": plan.side})
    context = gpu_context.standalone()
    try:
        renderer = Renderer(context)
        renderer.show(generate(scene, "cpu"))
        whole(renderer.passes(scene, plan.size, renderer.resting_samples, 0))
        renderer.wait_for_masks()
        reports = _of_land(context, renderer, scene, name, plan)
        for _, _, figures in reports:
            figures["renderer"] = gpu_context.renderer(context)
        return reports
    finally:
        context.release()


def _of_land(context: Any, renderer: Renderer, scene: Scene, name: str, plan: Plan) -> list[Measured]:
    coarse = generate(scene.replace({"grid.rows": plan.coarse_side, "grid.columns": plan.coarse_side}), "cpu")

    def moved(scene: Scene) -> None:
        whole(renderer.passes(scene, plan.size, 1, 0, scale=plan.scale))

    def orbit(number: int) -> None:
        moved(scene.with_group(scene.camera.replace(yaw=(scene.camera.yaw + plan.turn_deg * number) % 360)))

    def slider(number: int) -> None:
        with stopwatch.part("heights"):
            lifted = coarse.heights + np.float32(plan.lift_m * number)
            renderer.show(HeightField(lifted, coarse.cell_size, coarse.masks))
        moved(scene)

    return [*_of_motion(context, f"{name}, orbit", orbit, plan), *_of_motion(context, f"{name}, slider", slider, plan)]


def _of_motion(context: Any, label: str, draw: Callable[[int], None], plan: Plan) -> list[Measured]:
    """Draw frames in pairs, one as a whole and one by its passes, so that both meet the same load of the machine."""
    frames: list[float] = []
    passes: dict[str, list[float]] = {}
    for number in range(plan.warm_frames + plan.frames):
        context.finish()
        start = time.perf_counter()
        draw(2 * number)
        context.finish()
        whole_s = time.perf_counter() - start
        with stopwatch.running(context) as parts:
            draw(2 * number + 1)
        if number >= plan.warm_frames:
            frames.append(whole_s)
            for name, seconds in parts.items():
                passes.setdefault(name, []).append(seconds)
    medians = {name: statistics.median(seconds) for name, seconds in passes.items()}
    together = sum(medians.values())
    return [
        (f"passes: {label}, whole frame", frames, {}),
        *(
            (f"passes: {label}, {name}", passes[name], {"share": round(medians[name] / together, 3)})
            for name in sorted(passes, key=medians.__getitem__, reverse=True)
        ),
    ]
