"""Kernels compiled ahead of their turn, so that two processors share a very first start.

Compiling holds a lock of its process, and takes as long for river erosion as for all the other steps of a scene. So
another process compiles that, into the cache folder that both have, and this one the rest. Forms of kernels for one
thread come first: they do for any grid until those for more are there, which take as long again.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from fellview.core import compiled
from fellview.core.height_field import Heights
from fellview.core.parameters import Group
from fellview.terrain.domain import Domain, Grid, group_of
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step
from fellview.terrain.steps import erosion
from fellview.terrain.steps.noise import Noise

_LOOK_EVERY_S = 0.02  # whether the other process is done
_WAVES = 3.0  # over the land: slopes, summits and hollows, of which erosion takes every path of its code


def helps(groups: Mapping[str, Group]) -> bool:
    """Return whether the scene's erosion is one that takes long to compile and a moment to run."""
    group = groups[erosion.STEP.key]
    return isinstance(group, erosion.Erosion) and erosion.compiles_long(group)


def compile_erosion(groups: Mapping[str, Group], serial_done: Callable[[], None] = lambda: None) -> None:
    """Have the kernels of the erosion of `groups` compiled and kept, by runs on waves of its grid.

    `serial_done` is called once those are that run on one thread.
    """
    grid, base = group_of(groups, Grid), group_of(groups, Noise)
    rows, columns = (np.linspace(0, _WAVES * 2 * np.pi, side) for side in (grid.rows, grid.columns))
    height_m = 0.1 * min(grid.size_x, grid.size_z) / _WAVES
    heights = (height_m * np.sin(rows)[:, None] * np.sin(columns)).astype(np.float32)
    heights.flags.writeable = False  # as the pipeline hands it over: kernels are compiled for that

    def run() -> None:
        _run(CpuEngine(), erosion.STEP, groups, Domain(grid, base.seed), Land(heights), Progress())

    with compiled.serial_forms():
        run()
    serial_done()
    run()


def _run(
    engine: CpuEngine, step: Step, groups: Mapping[str, Group], domain: Domain, land: Land, progress: Progress
) -> None:
    others = tuple(groups[kind.key] for kind in step.reads)
    engine.run(step, groups[step.key], replace(domain, others=others), land, progress)


class SharedEngine(CpuEngine):
    """The CPU's engine, which has erosion wait while another process compiles it.

    `elsewhere` is uint8 (1,), 1 as long as the other process compiles what it waits for, and `waits` likewise as long
    as this engine has nothing to do but wait for that; `serial` is 1 as long as kernels for more threads than one are
    still compiled there. `groups` are those of the job under way, and `step` is the key of the step at work. `show` is
    handed the heights in metres of land whose erosion has to wait. `sleep` takes the seconds until it looks again.
    """

    def __init__(
        self,
        elsewhere: np.ndarray,
        waits: np.ndarray,
        serial: np.ndarray,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.elsewhere, self.waits, self.serial = elsewhere, waits, serial
        self._sleep = sleep
        self.groups: Mapping[str, Group] = {}
        self.step = ""
        self.show: Callable[[Heights], None] = lambda heights: None

    def run(self, step: Step, parameters: Group, domain: Domain, below: Land | None, progress: Progress) -> Land:
        """Run `step`, and before an erosion that is compiled elsewhere have what follows it compiled here."""
        if step is erosion.STEP and self.elsewhere[0] and below is not None:
            self.show(below.heights)
            for later in STEPS[STEPS.index(step) + 1 :]:
                if later.active(self.groups[later.key]):
                    self.step = later.key
                    _run(CpuEngine(), later, self.groups, domain, below, progress)
            self.waits[0] = 1
            try:
                while self.elsewhere[0]:
                    progress.check()
                    self._sleep(_LOOK_EVERY_S)
            finally:
                self.waits[0] = 0
        self.step = step.key
        with compiled.serial_forms() if self.serial[0] else contextlib.nullcontext():
            return super().run(step, parameters, domain, below, progress)

    @property
    def compiled(self) -> float:
        """Which share of the scene's steps comes before the one at work."""
        active = [each.key for each in STEPS if each.active(self.groups[each.key])]
        return active.index(self.step) / len(active) if self.step in active else 0.0
