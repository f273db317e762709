"""Kernels compiled ahead of their turn, so that at a very first start no slider waits for a compiler.

Compiling holds a lock of its process, and takes seconds a step. So the process that answers sliders compiles only what
comes before erosion and is soon there, and other processes the rest, into the cache folder that all have. Once
landforms are there, without which land has another shape and the eye may stand inside of it, land is shown without the
steps that are still to come. One process compiles erosion, whose rivers take as long as all other steps together, and
then what masks are made with, which has much in common with it; another landforms and what follows erosion. Forms of
kernels for one thread come first: they do for any grid until those for more are there, which take half as long again,
and coarse land is quicker with them at any time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from fellview.core import compiled
from fellview.core.errors import FellviewError
from fellview.core.parameters import Group
from fellview.terrain.domain import Domain, Grid, group_of
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step
from fellview.terrain.steps import erosion, landform, noise

MASKS, ALL_FORMS = "masks", "all forms"
"""What is compiled elsewhere beside steps: what masks are made with, and steps' kernels for more than one thread."""

LATE = MASKS, ALL_FORMS
"""What no land waits for."""

ALL = (*(step.key for step in STEPS), *LATE)
"""All that may be compiled elsewhere, steps by their keys."""

BEGINNING = tuple(step for step in STEPS[: STEPS.index(erosion.STEP)] if step not in landform.STEPS)
"""The steps that are not compiled elsewhere."""

_SIDE = 256  # most cells: kernels are compiled as quickly for few, and those that run on more threads have enough there
_WAVES = 3.0  # over the land: slopes, summits and hollows, of which erosion takes every path of its code


def shares(groups: Mapping[str, Group]) -> list[tuple[str, ...]]:
    """Return what is to be compiled elsewhere for the land of `groups`: shares of `ALL`, each in its order.

    The first is waited for most.
    """
    keys = [step.key for step in STEPS if step not in BEGINNING and _is_active(step, groups)]
    wears = tuple(key for key in keys if key == erosion.STEP.key)
    others = tuple(key for key in keys if key not in wears)
    return [share for share in (others, (*wears, *LATE)) if share]


def _is_active(step: Step, groups: Mapping[str, Group]) -> bool:
    group = groups[step.key]
    return isinstance(group, step.parameters) and step.active(group)  # what cannot be run is told by the job itself


def compile_ahead(groups: Mapping[str, Group], share: Sequence[str], done: Callable[[str], None]) -> None:
    """Have what `share` names of `ALL` compiled and kept, by runs on waves; `done` is told of each that is there.

    The waves lie on a part of the grid of `groups`, since its cells decide which kernels run.
    """
    grid, base = group_of(groups, Grid), group_of(groups, noise.Noise)
    rows, columns = min(grid.rows, _SIDE), min(grid.columns, _SIDE)
    grid = grid.replace(rows=rows, columns=columns, size_z=grid.cell_size[0] * rows, size_x=grid.cell_size[1] * columns)
    z, x = (np.linspace(0, _WAVES * 2 * np.pi, side) for side in (rows, columns))
    heights = (0.1 * min(grid.size_x, grid.size_z) / _WAVES * np.sin(z)[:, None] * np.sin(x)).astype(np.float32)
    heights.flags.writeable = False  # as the pipeline hands it over: kernels are compiled for that
    land, steps = Land(heights), {step.key: step for step in STEPS}

    def run(step: Step) -> None:
        domain = Domain(grid, base.seed, tuple(groups[kind.key] for kind in step.reads))
        CpuEngine().run(step, groups[step.key], domain, land, Progress())

    for one in share:
        with contextlib.suppress(FellviewError):  # it shows itself where it is to run
            if one == MASKS:
                dict(Masks(land, grid.cell_size, heights, Water(lakes=True, rivers=True)))
            elif one == ALL_FORMS:
                for step in STEPS:
                    if _is_active(step, groups):
                        run(step)
            else:
                with compiled.serial_forms():
                    run(steps[one])
        done(one)


class SharedEngine(CpuEngine):
    """The CPU's engine, which takes forms for one thread as long as others are compiled elsewhere.

    `all_forms` is uint8 (1,), 1 as long as that is so. `groups` are those of the job under way, and `step` is the key
    of the step at work.
    """

    def __init__(self, all_forms: np.ndarray) -> None:
        self.all_forms = all_forms
        self.groups: Mapping[str, Group] = {}
        self.step = ""

    def run(self, step: Step, parameters: Group, domain: Domain, below: Land | None, progress: Progress) -> Land:
        """Run `step`."""
        self.step = step.key
        with compiled.serial_forms() if self.all_forms[0] else contextlib.nullcontext():
            return super().run(step, parameters, domain, below, progress)

    @property
    def compiled(self) -> float:
        """Which share of the scene's steps comes before the one at work."""
        active = [each.key for each in STEPS if each.active(self.groups[each.key])]
        return active.index(self.step) / len(active) if self.step in active else 0.0
