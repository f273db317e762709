"""Runs the steps in order and remembers every result, so that a change reruns only what comes after it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.parameters import Group
from fellview.core.progress import Progress
from fellview.terrain import erosion, imported, noise, perturb, smooth
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.engine import Engine
from fellview.terrain.masks import Masks

STEPS = (noise.STEP, imported.STEP, perturb.STEP, erosion.STEP, smooth.STEP)
"""Every step in running order."""

_MAKING = (
    noise.STEP.key,
    imported.STEP.key,
    perturb.STEP.key,
)  # what these made is the base that erosion and deposition count from

_BUDGET_BYTES = 512 << 20  # twice the steps of a 2048² terrain, or one 8192² height field


@dataclass(frozen=True)
class StepTime:
    """How long one step took; `remembered` tells that its result was still there."""

    step: str
    milliseconds: float
    remembered: bool


@dataclass(frozen=True)
class Result:
    """A finished terrain: the height field and what each active step cost."""

    field: HeightField
    times: tuple[StepTime, ...]


@dataclass
class Pipeline:
    """The steps, run by `engine`, with the results kept least-recently-used within `budget_bytes`.

    A result's key is (key of the result below, the step's parameters, revision, domain, engine); it says all that the
    result depends on. Inactive steps pass the result below through, key and all.
    """

    engine: Engine
    budget_bytes: int = _BUDGET_BYTES
    _kept: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)

    def run(self, groups: Mapping[str, Group], progress: Progress | None = None) -> Result:
        """Return the terrain of `groups` (a parameter group by step key, and `grid`).

        Raises `Cancelled` when `progress` says so, `InputError` or `FellviewError` when a step cannot run.
        """
        progress = progress or Progress()
        domain = _domain(groups)
        active = [step for step in STEPS if step.active(groups[step.key])]
        require_memory(domain.grid, max(step.scratch_bytes(groups[step.key]) for step in active))
        key: Hashable = (domain, self.engine.name)
        handle = made = None
        times = []
        for step in active:
            parameters = groups[step.key]
            others = tuple(groups[kind.key] for kind in step.reads)
            key = (key, step.key, step.revision, parameters, others)
            start = time.perf_counter()
            remembered = key in self._kept
            if remembered:
                handle = self._kept[key]
                self._kept.move_to_end(key)
            else:
                progress.report(step.key, 0.0)
                handle = self.engine.run(step, parameters, replace(domain, others=others), handle, progress)
                self._remember(key, handle)
            if step.key in _MAKING:
                made = handle
            times.append(StepTime(step.key, 1000 * (time.perf_counter() - start), remembered))
        assert handle is not None, "the noise step is always active"
        land = self.engine.to_cpu(handle)
        masks = Masks(land, domain.grid.cell_size, self.engine.to_cpu(made).heights)
        return Result(HeightField(land.heights, domain.grid.cell_size, masks), tuple(times))

    def _remember(self, key: Hashable, handle: Any) -> None:
        self._kept[key] = handle
        total = sum(self.engine.size_bytes(kept) for kept in self._kept.values())
        while total > self.budget_bytes and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            total -= self.engine.size_bytes(dropped)


def remarks(groups: Mapping[str, Group]) -> tuple[str, ...]:
    """Return a line for each active step that does less than `groups` ask for."""
    domain = _domain(groups)
    texts = (step.remark(groups[step.key], domain) for step in STEPS if step.active(groups[step.key]))
    return tuple(text for text in texts if text)


def _domain(groups: Mapping[str, Group]) -> Domain:
    grid, base = groups["grid"], groups["noise"]
    assert isinstance(grid, Grid) and isinstance(base, noise.Noise)
    return Domain(grid, base.seed)


_BYTES_A_CELL = 4 * 6  # a step's input and output, two noise layers, and two results of earlier steps, float32


def require_memory(grid: Grid, scratch_bytes: int = 0) -> None:
    """Raise `InputError` when the machine says that it has too little free memory for `grid`.

    `scratch_bytes` a cell are what the hungriest step takes beside its input and output.
    """
    available = _available_bytes()
    bytes_a_cell = _BYTES_A_CELL + scratch_bytes
    needed = grid.rows * grid.columns * bytes_a_cell
    if available is not None and needed > available:
        side = int((available / bytes_a_cell) ** 0.5)
        raise InputError(
            f"grid.rows × grid.columns = {grid.rows} × {grid.columns}: needs {needed >> 20} MB of memory,"
            f" {available >> 20} MB are free; expected at most {side} × {side}"
        )


def _available_bytes() -> int | None:
    """Return the memory that Linux says is available; none elsewhere, where allocation itself tells."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:  # noqa: PTH123 - not a file of ours
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
