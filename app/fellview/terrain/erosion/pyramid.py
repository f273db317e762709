"""From coarse grids to fine ones: rivers find their ways on few cells, and each finer grid goes on from there.

The coarsest level is the land on a few cells; each level has twice the cells a side of the one below it, the last is
the grid itself. Iterations that end early end on the level that they have reached: those above it only refine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from fellview.core.height_field import Heights
from fellview.terrain import resample
from fellview.terrain.progress import Progress

_REPORTS = 100  # of progress, at most: each wakes the window
_SALTS_A_SEED, _SALTS_A_LEVEL = 64, 4  # random numbers of sixteen levels, from four streams each

_Level = TypeVar("_Level")
_Left = TypeVar("_Left")


def level_sizes(rows: int, columns: int, coarsest: int) -> list[tuple[int, int]]:
    """Return the grids, coarsest first: `coarsest` cells on the longer side, twice as many, ..., the grid itself."""
    longest = max(rows, columns)
    sizes = []
    side = coarsest
    while side < longest / 1.2:  # a last level of hardly more cells would add nothing
        sizes.append((max(2, round(rows * side / longest)), max(2, round(columns * side / longest))))
        side *= 2
    return [*sizes, (rows, columns)]


def salt(seed: int, number: int) -> int:
    """Return what level `number` starts its random numbers from."""
    return seed * _SALTS_A_SEED + _SALTS_A_LEVEL * number


class Count:
    """The iterations of all levels: how many there are, how many are done, and what share of the work that is.

    `planned` are those of each level, and `costs` what one of them costs there, in any unit. `stop_after` ends them
    after so many over all levels (0: after all).
    """

    def __init__(self, planned: Sequence[int], costs: Sequence[int], stop_after: int) -> None:
        self._planned = planned
        self.runs = self._first(stop_after or sum(planned))
        """How many iterations each level runs."""
        self.in_all = sum(self.runs)
        self.reached = 0
        self.done = 0.0
        work = sum(count * cost for count, cost in zip(self.runs, costs, strict=True))
        self._shares = [cost / work for cost in costs]

    def advance(self, number: int) -> None:
        """Count one more iteration, on level `number`."""
        self.reached += 1
        self.done = min(1.0, self.done + self._shares[number])

    def end_here(self) -> None:
        """Let all levels run no further than what is reached."""
        self.runs = self._first(self.reached)

    def _first(self, left: int) -> list[int]:
        """Return how many iterations of each level are among the first `left` of all."""
        runs = []
        for count in self._planned:
            runs.append(min(count, left))
            left -= runs[-1]
        return runs


class Scheme(Protocol[_Level, _Left]):
    """What a kind of erosion does on the grids of a pyramid."""

    def begin(self, number: int, base: Heights, left: _Left | None, salt: int) -> _Level:
        """Return level `number` over the input `base` on its grid, from what the level below has `left`, if any."""

    def iterate(self, level: _Level, iteration: int) -> None:
        """Do one iteration."""

    def heights(self, level: _Level) -> Heights:
        """Return the heights so far in metres, for a picture on the way."""

    def leave(self, level: _Level, base: Heights) -> _Left:
        """Return what the next level goes on from."""


def run(
    scheme: Scheme[_Level, _Left],
    base: Heights,
    sizes: Sequence[tuple[int, int]],
    count: Count,
    seed: int,
    progress: Progress,
    name: str,
) -> _Level:
    """Return the last level after all iterations over the input `base`; progress is reported as `name`."""
    level: _Level | None = None
    left: _Left | None = None
    for number, size in enumerate(sizes):
        base_here = resample.coarser(base, *size, progress.cancel)
        progress.check()
        level = scheme.begin(number, base_here, left, salt(seed, number))
        left = None
        for iteration in range(count.runs[number]):
            scheme.iterate(level, iteration)
            progress.check()
            before = count.done
            count.advance(number)
            if int(count.done * _REPORTS) > int(before * _REPORTS):
                progress.report(name, count.done, count.reached, count.in_all)
            if count.reached < count.in_all and progress.ends_with(count.reached):
                count.end_here()
                break
            if progress.wants_picture:
                progress.show(scheme.heights(level))
        if number < len(sizes) - 1:
            left = scheme.leave(level, base_here)
            level = None  # the next one needs its room
    progress.check()
    assert level is not None, "there is always a level"
    return level
