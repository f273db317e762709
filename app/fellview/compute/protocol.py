"""What the session asks of a computer of terrain, and what that says: jobs, events and the protocol between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights
from fellview.core.parameters import Group
from fellview.terrain.domain import Grid, group_of
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.pipeline import Result
from fellview.terrain.progress import Progress

Groups = Mapping[str, Group]


@dataclass(frozen=True)
class Job:
    """The terrain of `groups`, and after it those of its masks that are named in `masks`, those of water by `water`.

    `seen` are the cells of this very land that are shown already: neither coarser ones nor land on its way are asked
    for.
    """

    groups: Groups
    masks: frozenset[str] = frozenset()
    water: Water = field(default_factory=Water)
    seen: int = 0

    def wants(self, groups: Groups) -> bool:
        """Return whether a preview of the land of `groups` shows more than is shown already."""
        grid = group_of(groups, Grid)
        return grid.rows * grid.columns > self.seen


@dataclass(frozen=True)
class Advanced:
    """The job has come to `fraction` of `step`: to `iteration` of `iterations` where what is reached can be kept.

    While the kernels of `step` are `compiling`, which is once for all, `fraction` is that of all the job's steps.
    """

    step: str
    fraction: float
    iteration: int = 0
    iterations: int = 0
    compiling: bool = False


@dataclass(frozen=True)
class Previewed:
    """The job can show something already: a coarse grid of its land, or how far its erosion has come."""

    groups: Groups
    field: HeightField


@dataclass(frozen=True)
class Finished:
    """The job is done: the terrain that `groups` gave.

    They are the job's own, or where a step was told to keep what it had reached, those that give just that.
    """

    groups: Groups
    result: Result


@dataclass(frozen=True)
class Masked:
    """The masks that the job of `groups` was asked for; they follow `Finished` unless a new job was quicker."""

    groups: Groups
    masks: Mapping[str, Heights] = field(default_factory=dict)


@dataclass(frozen=True)
class Failed:
    """The job of `groups` cannot be done; `reason` is one line for a person."""

    groups: Groups
    reason: str


@dataclass(frozen=True)
class Stopped:
    """The job was cancelled."""


@dataclass(frozen=True)
class Died:
    """What computes is no more; the next job starts it again. `how` tells a person what it did."""

    how: str = "ended unexpectedly"


@dataclass(frozen=True)
class Lost:
    """What computes cannot go on at all, and its job with it; `reason` is one line for a person."""

    reason: str


Event = Advanced | Previewed | Finished | Masked | Failed | Stopped | Died | Lost
Listener = Callable[[Event], None]
"""Takes events on whatever thread they arise; it should only note them and wake the window."""

AT_ONCE_S = 0.015
"""What is expected to take longer is shown coarse first, which is drawn sooner, too: on software OpenGL a picture of
512 cells a side takes half as long again as one of 128."""

COARSE_WITHIN_S = 0.035
"""How long the coarse land may take. In most finished scenes that is enough for 64 cells a side, below which no land is
told; a third of what its picture takes on software OpenGL."""

COARSE_CELL_S = 0.4e-6
"""What a cell of coarse land that the processor computes takes until it is seen: on software OpenGL a picture of 128
cells a side of a rocky coast takes some 70 ms, of 256 some 95 and of 512 some 160."""


class ToldProgress(Progress):
    """Progress that is told to a listener, iterations and all."""

    def __init__(
        self,
        tell: Listener,
        cancel: NDArray[np.uint8] | None = None,
        keep: NDArray[np.uint8] | None = None,
        show: Callable[[Heights], None] | None = None,
    ) -> None:
        super().__init__(cancel, keep=keep, show=show)
        self._tell = tell

    def report(self, step: str, fraction: float, iteration: int = 0, iterations: int = 0) -> None:
        """Tell how far `step` is, and stop when nobody wants it."""
        self.check()
        self._tell(Advanced(step, fraction, iteration, iterations))


class Computer(Protocol):
    """Computes one job at a time and tells its listener, which it is made with.

    After `submit`, one of `Finished`, `Failed`, `Stopped`, `Died` and `Lost` follows. `Advanced` and `Previewed` may
    come before it, `Masked` after it.
    """

    @property
    def name(self) -> str:
        """What computes, for the status line."""

    def submit(self, job: Job) -> None:
        """Start `job`; the one before it must have ended, but for its masks, which are given up."""

    def cancel(self) -> None:
        """Ask the job under way to stop, which it does within some 30 ms; `Stopped` follows, or its end."""

    def keep(self) -> None:
        """Ask the step at work to end with what it has reached; the job then goes on to its end."""

    def acknowledge_death(self) -> None:
        """Say that `Died` was taken in: the next job starts anew."""

    def close(self) -> None:
        """End for good and give everything back."""
