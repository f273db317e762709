"""Kernels and shaders compiled ahead, so that no slider and no picture waits for the compiler when it first needs one.

Kernels go into the cache folder, and shaders into that of the driver, which all processes share. Software OpenGL
compiles for the state that it draws in, at the first draw; so every scene is drawn as the window does. What it has
compiled it keeps by a shader's inner form, and compiling changes that form: what a process compiles of a shader after
the first state is not found again by one that has the first state from the cache (Mesa 22.3). Shaders meet two states,
the land's and that of the grids around it, so all is done twice, the second time in new processes.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import multiprocessing
import os
import queue
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np

from fellview.core import compiled
from fellview.core.errors import FellviewError
from fellview.core.height_field import HeightField
from fellview.draw import compiled_ahead
from fellview.draw.ground import cover
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.water.water import drawn_masks
from fellview.gpu import choice
from fellview.gpu import context as gpu_context
from fellview.io import land_cache, scenes
from fellview.library import generate_with_notices
from fellview.scene.scene import Scene

SOFTWARE_ROUNDS = 2
"""How often software OpenGL has to see every scene; a driver of hardware sees each once."""

_EVEN, _ODD = 256, 240  # cells a side: software OpenGL tells powers of two apart, and few are computed at once
_SIZE = (397, 301)  # likewise, of pictures
_TURN_DEG = 20.0
_MOVING_SCALES = (0.5, 1.0)  # of pictures under the hand: fewer pixels, and all of them
_RESTING_FRAMES = 2  # the first, and one that is added to it
_MOST_PROCESSES = 4  # each takes half a gigabyte
_BEHIND = 19  # as far behind others as one can be
_WHAT = "compiling kernels and shaders"

Report = Callable[[str, float], None]


def run(
    presets: Sequence[str],
    report: Report = lambda what, fraction: None,
    folder: Path | None = None,
    *,
    kernels: bool = True,
) -> list[str]:
    """Compile what `presets` need, or scenes in files, on all cores; return what went wrong, a line each.

    `report` is told what is under way and the fraction that is done. What is done is noted in `folder`, the cache
    folder where none is given. Without `kernels` only those are compiled that shaders wait for. `FellviewError` without
    OpenGL 3.3.
    """
    rounds = _rounds()
    spawn = multiprocessing.get_context("spawn")
    faults: dict[str, str] = {}
    report(_WHAT, 0.0)
    for number in range(rounds):
        tasks: list[tuple[Callable[[str], None], str]] = [(compile_shaders, name) for name in presets]
        if number == 0 and kernels:
            tasks += [(compile_kernels, name) for name in presets]
        # new processes every time: one that has a program does not ask the driver's cache for it
        processes = min(len(tasks), os.cpu_count() or 1, _MOST_PROCESSES)
        with ProcessPoolExecutor(processes, spawn, _begin) as pool, _ended_with_this_one():
            under_way = {pool.submit(compile_, name): name for compile_, name in tasks}
            for done, future in enumerate(as_completed(under_way), start=1):
                name = under_way[future]
                try:
                    future.result()
                except (FellviewError, BrokenProcessPool) as fault:
                    faults[name] = f"{name}: {fault}"
                report(_WHAT, (number + done / len(tasks)) / rounds)
    kinds = [compiled_ahead.kind(scenes.load(name)) for name in presets if name not in faults]
    if set(presets) >= set(scenes.presets()):
        kinds.append(compiled_ahead.PRESETS)
    compiled_ahead.note(kinds, folder)
    return list(faults.values())


@contextlib.contextmanager
def _ended_with_this_one() -> Iterator[None]:
    """End the processes that compile where this one is interrupted: a scene takes a minute."""
    try:
        yield
    except BaseException:
        for process in multiprocessing.active_children():
            process.kill()
        raise


def _begin() -> None:
    """Have OpenGL as the window has it, leave Ctrl+C to the process that has started this one, and end with it."""
    gpu_context.thread_calls()
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)  # not when its work is done: a scene takes half a minute

    threading.Thread(target=follow, name="fellview-follow", daemon=True).start()


def compile_kernels(preset: str) -> None:
    """Compute `preset` on a small grid, as land of that size and as coarse land is computed."""
    small = _small(scenes.load(preset))
    for engine in _engines():
        generate_with_notices(small, engine, None, lambda text: None)
    with compiled.in_one_thread():
        generate_with_notices(small, "cpu", None, lambda text: None)


def compile_shaders(preset: str) -> None:
    """Draw `preset` as the window does, in a process that has drawn nothing before."""
    whole_scene = scenes.load(preset)
    scene, fields = _small(whole_scene), []
    if _has_land(whole_scene):
        fields.append(_shipped(whole_scene))
    else:
        fields += [generate_with_notices(scene, engine, None, lambda text: None) for engine in _engines()]
    with gpu_context.aside() as context:
        for field in fields:
            _draw(Renderer(context), scene, field, context.finish)


def _has_land(scene: Scene) -> bool:
    """Return whether the land of `scene` comes with the program, so that shaders need not wait for kernels."""
    return _engines() == ("cpu",) and land_cache.load(Path(), scene.terrain_groups()) is not None


def _shipped(scene: Scene) -> HeightField:
    """Return the land of `scene` that comes with the program, with masks that only look like its own."""
    field = land_cache.load(Path(), scene.terrain_groups())
    assert field is not None
    masks = {name: np.zeros_like(field.heights) for name in drawn_masks(scene.water) | cover.masks(scene)}
    if "river_width" in masks:
        masks["river_width"][field.rows // 2] = field.cell_size[0]
    return field.with_masks(masks)


def _small(scene: Scene) -> Scene:
    """Return `scene` on a grid of few cells for which software OpenGL compiles what it does for its own."""
    return scene.replace({"grid.rows": _like(scene.grid.rows), "grid.columns": _like(scene.grid.columns)})


def _like(side: int) -> int:
    """Return a short side for which software OpenGL compiles what it does for `side`."""
    return _EVEN if side & (side - 1) == 0 else _ODD


def _draw(renderer: Renderer, scene: Scene, field: HeightField, finish: Callable[[], None]) -> None:
    """Draw `scene` as it comes about in the window: sky, bare land, land with masks, at rest, and under the hand."""
    renderer.wait_for_masks()
    wanted = (drawn_masks(scene.water) | cover.masks(scene)) & set(field.masks)
    lands = (
        None,
        HeightField(field.heights, field.cell_size),
        field.with_masks({mask: field.masks[mask] for mask in sorted(wanted)}),
    )
    for land, turn in itertools.product(lands, range(2)):
        if land is not None:
            renderer.show(land)
        seen = scene.with_group(scene.camera.turned(turn * _TURN_DEG))
        for scale in _MOVING_SCALES:
            whole(renderer.passes(seen, _SIZE, 1, 0, scale=scale))
        for number in range(_RESTING_FRAMES):
            whole(renderer.passes(seen, _SIZE, renderer.resting_samples, number))
        finish()


def _engines() -> tuple[str, ...]:
    return ("cpu", "gpu") if choice.here("auto").name == "gpu" else ("cpu",)


def _rounds() -> int:
    with gpu_context.aside() as context:
        return SOFTWARE_ROUNDS if gpu_context.is_software(context) else 1


# -- beside a window ---------------------------------------------------------------------------------------------------


def beside_window() -> None:
    """Compile for a window what is not compiled yet, in the time that nobody else wants, until standard input ends.

    That has a JSON string a line: the recipe of a scene that the window shows. The last one comes first, and then the
    presets. When all that one takes is compiled, or cannot be, its kind (`compiled_ahead.py`) is written out.
    """
    _yield_to_others()
    wanted: queue.LifoQueue[str] = queue.LifoQueue()

    def take() -> None:
        for line in sys.stdin:
            wanted.put(json.loads(line))
        for process in multiprocessing.active_children():
            process.kill()
        os._exit(0)

    threading.Thread(target=take, name="fellview-orders", daemon=True).start()
    presets = iter(scenes.presets())
    with tempfile.TemporaryDirectory(prefix="fellview-") as folder:
        path = Path(folder) / "scene.toml"
        while True:
            scene = _next(wanted, presets)
            if not compiled_ahead.is_done(scene):
                scenes.save(path, scene)
                run([str(path)], kernels=False)
            print(compiled_ahead.kind(scene), flush=True)


def _next(wanted: queue.LifoQueue[str], presets: Iterator[str]) -> Scene:
    """Return the scene that was wanted last, or else the next of `presets`, or wait for one."""
    try:
        text = wanted.get(block=False)
    except queue.Empty:
        if (preset := next(presets, None)) is not None:
            return scenes.load(preset)
        compiled_ahead.note([compiled_ahead.PRESETS])
        text = wanted.get()
    return scenes.from_text(text, "the window's scene", Path.cwd())[0]


def _yield_to_others() -> None:
    """Have this process, and those that it starts, run where nobody else wants the processor."""
    if hasattr(os, "nice"):
        os.nice(_BEHIND)
