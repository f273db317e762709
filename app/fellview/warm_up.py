"""Kernels and shaders compiled ahead, so that no slider and no picture waits for the compiler when it first needs one.

Kernels go into the cache folder, and shaders into that of the driver, which all processes share. Software OpenGL
compiles for the state that it draws in, at the first draw; so every preset is drawn as the window does. It keeps what
it has compiled by a shader's inner form, which is another one where the shader itself comes from the cache: with Mesa
22.3 a second and a third process still compile a part. So all is done again, each time in new processes.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from fellview import paths
from fellview.core import compiled
from fellview.core.errors import FellviewError, InputError
from fellview.core.height_field import HeightField
from fellview.draw.ground import cover
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.water.water import drawn_masks
from fellview.gpu import choice
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.io.atomic import write_text
from fellview.library import generate_with_notices
from fellview.scene.scene import Scene

SOFTWARE_ROUNDS = 3
"""How often software OpenGL has to see every scene; a driver of hardware sees each once."""

_SIDE = 256  # cells: what is compiled does not depend on how many there are, and few are computed at once
_SIZE = (397, 301)  # likewise; both odd, for software OpenGL tells powers of two apart
_TURN_DEG = 20.0
_RESTING_FRAMES = 2  # the first, and one that is added to it
_MOST_PROCESSES = 4  # each takes half a gigabyte
_NOTE = "warm-up.txt"
_WHAT = "compiling kernels and shaders"

Report = Callable[[str, float], None]


def is_done(preset: str, folder: Path | None = None) -> bool:
    """Return whether what `preset` needs is compiled of the kernels and shaders as they are now, as noted in `folder`.

    That is the cache folder where none is given.
    """
    return preset in _done(folder or paths.cache_folder())


def run(presets: Sequence[str], report: Report = lambda what, fraction: None, folder: Path | None = None) -> list[str]:
    """Compile what `presets` need, on all cores; return what went wrong, a line each.

    `report` is told what is under way and the fraction that is done. What is done is noted in `folder`, the cache
    folder where none is given. `FellviewError` without OpenGL 3.3.
    """
    folder = folder or paths.cache_folder()
    rounds = _rounds()
    spawn = multiprocessing.get_context("spawn")
    faults: dict[str, str] = {}
    report(_WHAT, 0.0)
    for number in range(rounds):
        # new processes every time: one that has a program does not ask the driver's cache for it
        processes = min(len(presets), os.cpu_count() or 1, _MOST_PROCESSES)
        leave_ctrl_c = signal.signal, (signal.SIGINT, signal.SIG_IGN)  # to this process, which ends them
        with ProcessPoolExecutor(processes, spawn, *leave_ctrl_c) as pool, _ended_with_this_one():
            under_way = {pool.submit(compile_for, name): name for name in presets}
            for done, future in enumerate(as_completed(under_way), start=1):
                name = under_way[future]
                try:
                    future.result()
                except (FellviewError, BrokenProcessPool) as fault:
                    faults[name] = f"{name}: {fault}"
                report(_WHAT, (number * len(presets) + done) / (rounds * len(presets)))
    with contextlib.suppress(InputError):  # then it is done again
        write_text(
            folder / _NOTE, "\n".join([_sources(), *sorted({*_done(folder), *presets} - {*faults})]), durable=False
        )
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


def compile_for(preset: str) -> None:
    """Compute `preset` and draw it as the window does, in a process that has drawn nothing before."""
    scene = scenes.load(preset).replace({"grid.rows": _SIDE, "grid.columns": _SIDE})
    fields = [generate_with_notices(scene, engine, None, lambda text: None) for engine in _engines()]
    with gpu_context.aside() as context:
        for field in fields:
            _draw(Renderer(context), scene, field, context.finish)


def _draw(renderer: Renderer, scene: Scene, field: HeightField, finish: Callable[[], None]) -> None:
    """Draw `scene` as it comes about in the window: sky, bare land, land with masks, at rest, and under the hand."""
    renderer.wait_for_masks()
    wanted = (drawn_masks(scene.water) | cover.masks(scene)) & set(field.masks)
    lands = (
        None,
        HeightField(field.heights, field.cell_size),
        field.with_masks({mask: field.masks[mask] for mask in sorted(wanted)}),
    )
    camera = scene.camera
    for land, turn in itertools.product(lands, range(2)):
        if land is not None:
            renderer.show(land)
        seen = scene.with_group(camera.replace(yaw=camera.yaw + turn * _TURN_DEG))
        whole(renderer.passes(seen, _SIZE, 1, 0))
        for number in range(_RESTING_FRAMES):
            whole(renderer.passes(seen, _SIZE, renderer.resting_samples, number))
        finish()


def _engines() -> tuple[str, ...]:
    return ("cpu", "gpu") if choice.here("auto").name == "gpu" else ("cpu",)


def _rounds() -> int:
    with gpu_context.aside() as context:
        return SOFTWARE_ROUNDS if gpu_context.is_software(context) else 1


def _done(folder: Path) -> set[str]:
    """Return the presets that are noted as done with the kernels and shaders of now."""
    try:
        sources, *names = (folder / _NOTE).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return set()
    return set(names) if sources == _sources() else set()


def _sources() -> str:
    """Return what tells the kernels and shaders of now from others."""
    digest = hashlib.sha256(compiled.sources().encode())
    for source in sorted(paths.shaders().rglob("*.*")):
        digest.update(source.relative_to(paths.shaders()).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()
