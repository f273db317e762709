"""Runs the steps in order and remembers every result, so that a change reruns only what comes after it."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.parameters import Group
from fellview.terrain.domain import Domain, Grid, group_of
from fellview.terrain.pipeline import masks
from fellview.terrain.pipeline.engine import Engine
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step
from fellview.terrain.steps import (
    crags,
    curve,
    edge,
    erosion,
    imported,
    landform,
    noise,
    perturb,
    scree,
    smooth,
    terrace,
)

STEPS = (
    noise.STEP,
    imported.STEP,
    *landform.STEPS,
    perturb.STEP,
    curve.STEP,
    terrace.STEP,
    edge.STEP,
    erosion.STEP,
    crags.STEP,
    scree.STEP,
    smooth.STEP,
)
"""Every step in running order."""

TITLES = {step.key: step.parameters.title for step in STEPS}
"""What a person calls each step, by its key."""

FIELDS = {field.name: field for fields in (masks.FIELDS, *(step.fields for step in STEPS)) for field in fields}
"""Every mask that a land can have, by name."""

# what the steps before erosion made is the base that erosion and deposition count from
_BEFORE_EROSION = tuple(step.key for step in STEPS[: STEPS.index(erosion.STEP)])

_FLOAT = 4  # bytes
_COARSEST = 64  # cells on the longer side of a preview; with fewer a landform is not told
_GUESS_S_A_CELL = 1e-7  # of a step that has not been measured: between a noise of many octaves and river erosion

_BUDGET_BYTES = 512 << 20  # twice the steps of a 2048² terrain, or one 8192² height field


@dataclass(frozen=True)
class StepTime:
    """How long one step took; `remembered` tells that its result was still there."""

    step: str
    milliseconds: float
    remembered: bool


@dataclass(frozen=True)
class Result:
    """A finished terrain: the height field and what each active step cost.

    `changed` are groups by key where a step kept what it had reached: those that give just this terrain.
    """

    field: HeightField
    times: tuple[StepTime, ...]
    changed: Mapping[str, Group] = dataclasses.field(default_factory=dict)


def available_bytes() -> int | None:
    """Return the memory that Linux says is available; none elsewhere, where allocation itself tells."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:  # noqa: PTH123 - not a file of ours
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


@dataclass(frozen=True)
class _Key:
    """What a result depends on, hashed once: all the parameters of the steps below are in it."""

    of: Hashable
    hashed: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hashed", hash(self.of))

    def __hash__(self) -> int:
        return self.hashed


@dataclass
class Pipeline:
    """The steps, run by `engine`, with the results kept least-recently-used within `budget_bytes`.

    A result's key says all that it depends on: the result below, the step's parameters and revision, the domain and the
    engine. Inactive steps pass the result below through, key and all.
    """

    engine: Engine
    budget_bytes: int = _BUDGET_BYTES
    clock: Callable[[], float] = time.perf_counter
    """Seconds, by which the costs of steps are learned."""
    free_bytes: Callable[[], int | None] = available_bytes
    """Memory that is available now, or none where that cannot be told."""
    steps: tuple[Step, ...] = STEPS
    """In the order in which they run."""
    waited_s: float = 0.0
    """Seconds of the step under way that whoever takes its slices waited for the engine in between; they count."""
    _kept: OrderedDict[_Key, Any] = dataclasses.field(default_factory=OrderedDict)
    _kept_bytes: int = 0
    _seconds: dict[Hashable, dict[int, float]] = dataclasses.field(
        default_factory=dict
    )  # by kind of step, then by cells
    _again: set[Hashable] = dataclasses.field(default_factory=set)  # kinds that have run more than once

    def run(self, groups: Mapping[str, Group], progress: Progress | None = None, beside_bytes: int = 0) -> Result:
        """Return the terrain of `groups` (a parameter group by step key, and `grid`).

        `beside_bytes` a cell are what the caller will need. Raises `Cancelled` when `progress` says so, `InputError` or
        `FellviewError` when a step cannot run.
        """
        work = self.begin(groups, progress, beside_bytes)
        while True:
            try:
                next(work)
            except StopIteration as end:
                result: Result = end.value
                return result

    def begin(
        self, groups: Mapping[str, Group], progress: Progress | None = None, beside_bytes: int = 0
    ) -> Generator[None, None, Result]:
        """Return the same in slices: a generator that yields as often as the engine does and returns the result.

        Closed between two slices, it leaves the finished steps remembered.
        """
        progress = progress or Progress()
        domain = _domain(groups)
        active = [step for step in self.steps if step.active(groups[step.key])]
        require_memory(groups, self.free_bytes(), self.budget_bytes, beside_bytes)
        key = _Key((domain, self.engine.name))
        handle: Any = None
        base: Any = None
        times = []
        changed: dict[str, Group] = {}
        for step in active:
            below, parameters = key, groups[step.key]
            key = _key(below, step, groups)
            remembered = key in self._kept
            before = handle
            if remembered:
                handle, seconds = self._kept[key], 0.0
                self._kept.move_to_end(key)
            else:
                progress.report(step.key, 0.0)
                others = tuple(groups[kind.key] for kind in step.reads)
                work = self.engine.begin(step, parameters, replace(domain, others=others), handle, progress)
                self.waited_s = 0.0
                handle, seconds = yield from _timed(work, self.clock)
                seconds += self.waited_s
                reached = progress.take_reached()
                if reached is None:
                    self._note_cost(step, parameters, domain.grid, seconds)
                else:
                    assert step.stopped is not None, "a step that ends early says what parameters give that"
                    changed[step.key] = step.stopped(parameters, reached)
                    groups = {**groups, **changed}
                    key = _key(below, step, groups)
                self._remember(key, handle)
            if step.key in _BEFORE_EROSION:
                base = handle
            elif step.forms:
                base = handle if base is before else self.engine.plus_change(base, before, handle)
            times.append(StepTime(step.key, 1000 * seconds, remembered))
        assert handle is not None, "the noise step is always active"
        return Result(self.engine.field(handle, base, domain.grid.cell_size), tuple(times), changed)

    def _remember(self, key: _Key, handle: Any) -> None:
        if key in self._kept:
            self._kept_bytes -= self.engine.size_bytes(self._kept.pop(key))
        self._kept[key] = handle
        self._kept_bytes += self.engine.size_bytes(handle)
        while self._kept_bytes > self.budget_bytes and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._kept_bytes -= self.engine.size_bytes(dropped)

    def _note_cost(self, step: Step, parameters: Group, grid: Grid, seconds: float) -> None:
        """Keep what a run took; that of the first of its kind, which may have loaded or compiled its kernels, until the
        second.
        """
        kind = _kind(step, parameters)
        if len(kept := self._seconds.setdefault(kind, {})) == 1 and kind not in self._again:
            self._again.add(kind)
            kept.clear()
        kept[grid.rows * grid.columns] = seconds

    def expected_s(self, groups: Mapping[str, Group]) -> float:
        """Return how long `run` is expected to take, from what its steps took last; remembered results take no time."""
        domain = _domain(groups)
        cells = domain.grid.rows * domain.grid.columns
        key = _Key((domain, self.engine.name))
        total = 0.0
        for step in self.steps:
            if not step.active(groups[step.key]):
                continue
            key = _key(key, step, groups)
            if key in self._kept:
                continue
            measured = self._seconds.get(_kind(step, groups[step.key]))
            if measured:
                nearest = min(measured, key=lambda other: abs(math.log(other / cells)))
                total += measured[nearest] * cells / nearest
            else:
                total += _GUESS_S_A_CELL * cells
        return total

    def coarse(
        self, groups: Mapping[str, Group], at_once_s: float, within_s: float, cell_s: float = 0.0
    ) -> dict[str, Group] | None:
        """Return `groups` on a coarser grid that is expected within `within_s`, or on the coarsest that makes sense.

        Drawing takes `cell_s` a cell on top, and land that takes longer than `within_s` by that alone comes coarse
        first, too, unless it is remembered.

        None where the grid itself is expected within `at_once_s`, and where a step counts in cells, so that a coarser
        grid would be another land.
        """
        if any(step.active(groups[step.key]) and step.in_cells(groups[step.key]) for step in self.steps):
            return None
        expected_s, grid = self.expected_s(groups), group_of(groups, Grid)
        if expected_s <= at_once_s and (not expected_s or grid.rows * grid.columns * cell_s <= within_s):
            return None
        coarse = None
        share = 2  # halves, so that few grids are remembered
        while max(grid.rows, grid.columns) // share >= _COARSEST:
            rows, columns = max(2, grid.rows // share), max(2, grid.columns // share)
            coarse = {**groups, "grid": grid.replace(rows=rows, columns=columns)}
            if self.expected_s(coarse) + rows * columns * cell_s <= within_s:
                break
            share *= 2
        return coarse


def _key(below: _Key, step: Step, groups: Mapping[str, Group]) -> _Key:
    return _Key((below, step.key, step.revision, groups[step.key], tuple(groups[kind.key] for kind in step.reads)))


def _kind(step: Step, parameters: Group) -> Hashable:
    return step.key, getattr(parameters, "kind", "")


def _timed(work: Generator[float, None, Any], clock: Callable[[], float]) -> Generator[None, None, tuple[Any, float]]:
    """Do `work` slice by slice; return what it returns and the seconds that it took, without those between slices."""
    seconds = 0.0
    with contextlib.closing(work):
        while True:
            start = clock()
            try:
                next(work)
            except StopIteration as end:
                return end.value, seconds + clock() - start
            seconds += clock() - start
            yield


def remarks(groups: Mapping[str, Group]) -> tuple[str, ...]:
    """Return a line for each active step that does less than `groups` ask for."""
    domain = _domain(groups)
    texts = (step.remark(groups[step.key], domain) for step in STEPS if step.active(groups[step.key]))
    return tuple(text for text in texts if text)


def _domain(groups: Mapping[str, Group]) -> Domain:
    return Domain(group_of(groups, Grid), group_of(groups, noise.Noise).seed)


def peak_bytes(groups: Mapping[str, Group], budget_bytes: int = _BUDGET_BYTES) -> int:
    """Return the most memory that a run on `groups` holds at one time, in bytes.

    Each active step holds its input, its output and its scratch. Beside them stay the results of the steps before, as
    far as the budget goes, and the base that erosion counts from.
    """
    grid = group_of(groups, Grid)
    cells = grid.rows * grid.columns
    active = [step for step in STEPS if step.active(groups[step.key])]
    most = 0
    for number, step in enumerate(active):
        kept = min(_FLOAT * cells * number, max(budget_bytes, _FLOAT * cells))
        working = _FLOAT * (3 if number else 2) + step.scratch_bytes(groups[step.key])  # input, output, base
        working += sum(step.scratch_bytes_beside(groups[kind.key]) for kind in step.reads)
        most = max(most, kept + cells * working)
    return most


def require_memory(
    groups: Mapping[str, Group], available: int | None, budget_bytes: int = _BUDGET_BYTES, beside_bytes: int = 0
) -> None:
    """Raise `InputError` when `available` bytes of memory are too few for `groups`; without a number none are.

    `beside_bytes` a cell are what the caller needs beside the pipeline.
    """
    grid = group_of(groups, Grid)
    cells = grid.rows * grid.columns
    needed = peak_bytes(groups, budget_bytes) + beside_bytes * cells
    if available is not None and needed > available:
        side = int((available * cells / needed) ** 0.5)
        raise InputError(
            f"grid.rows × grid.columns = {grid.rows} × {grid.columns}: needs {needed >> 20} MB of memory,"
            f" {available >> 20} MB are free; expected at most {side} × {side}"
        )
