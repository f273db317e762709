"""What the parts of `gpu_check.py` share: how large everything is, how long there is, and who computes beside the GPU.

A part does its items one after the other: an item that fails is told under ``failed``, one for which no time is left
under ``cut``, and one that two engines disagree in under ``beyond``. What the CPU computes to compare with comes from
other processes, since compiling kernels takes longer than all the rest.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fellview import paths
from fellview.core.errors import one_line
from fellview.draw.target import Size
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.noise import registry
from fellview.terrain.pipeline.pipeline import STEPS

Report = dict[str, Any]

_MOST_WORKERS = 8  # each takes half a gigabyte


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


def each(report: Report, key: str, items: Mapping[str, Callable[[], Any]], clock: Clock) -> Iterator[Report]:
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


@contextlib.contextmanager
def a_context() -> Iterator[Any]:
    """Give an OpenGL context without a window."""
    context = gpu_context.standalone()
    try:
        yield context
    finally:
        context.release()


@contextlib.contextmanager
def computed(
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
