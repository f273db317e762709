"""What the window's side of the compute process and the process itself send each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fellview.compute import warm_up
from fellview.compute.flags import ROOM, Flag
from fellview.compute.protocol import Event, Finished, Groups, Job, Masked, Previewed
from fellview.core.height_field import Heights

NOTHING: Heights = np.empty((0, 0), np.float32)
"""Stands for arrays that lie in shared memory instead."""

ELSEWHERE = {what: place for place, what in enumerate(warm_up.ALL, len(Flag))}
"""The places of further flags, by what is compiled elsewhere as long as they are set."""

assert len(Flag) + len(ELSEWHERE) <= ROOM


@dataclass(frozen=True)
class Order:
    """A job for the process, and the shared memory that its results go to."""

    number: int
    job: Job
    heights: str
    preview: str
    masks: str


@dataclass(frozen=True)
class MaskOrder:
    """The masks of `job` for the process to make of the land of `groups`, which lies in shared memory `land`.

    There are its heights, those that erosion started from, and its `fields`.
    """

    number: int
    job: Job
    groups: Groups
    cell_size: tuple[float, float]
    shape: tuple[int, int]
    fields: tuple[str, ...]
    land: str
    masks: str


@dataclass(frozen=True)
class Written:
    """Says that the arrays of `event` lie in shared memory `memory`: one of `shape`, or one a mask."""

    number: int  # the order's
    event: Finished | Previewed | Masked
    memory: str
    shape: tuple[int, int]


@dataclass(frozen=True)
class Answered:
    """Says that nothing more comes of the order of that number."""

    number: int


@dataclass(frozen=True)
class HelpWanted:
    """Says that most kernels of the land of `groups`, the first one, are left for others to compile (`warm_up.py`)."""

    groups: Groups


Said = Event | Written | Answered | HelpWanted
"""What the process says."""
