"""What a terrain step is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fellview.core.height_field import Heights
from fellview.core.parameters import Group
from fellview.terrain.domain import Domain
from fellview.terrain.field import Field
from fellview.terrain.progress import Progress

HEIGHT = Field("height", "Height", "m", "How high the ground lies.")


@dataclass(frozen=True)
class Land:
    """What a step hands on: heights, float32 [row, column], and by name what it found out beside them.

    `fields` are float32 arrays of the same shape, such as the water that stands on the ground; they end as masks.
    """

    heights: Heights
    fields: Mapping[str, Heights] = field(default_factory=dict)


Run = Callable[[Any, Domain, Heights, Progress], Heights | Land]


@dataclass(frozen=True)
class Step:
    """One step of the pipeline.

    `run(parameters, domain, heights, progress)` returns new heights, float32 [row, column], or land with fields, and
    leaves its input alone. `reads` are the other groups whose values it finds in `domain.others`.
    `active(parameters)` is false where the step would change nothing; `remark(parameters, domain)` is a line for a
    person where the step does less than asked for, else an empty text. `revision` rises when the same parameters come
    to give another result; recipes keep it. `scratch_bytes(parameters)` are needed for each cell beside input and
    output, and `scratch_bytes_beside(other)` for each of the other groups. `in_cells(parameters)` tells that the step
    counts in cells, so that another grid is another land. `stopped(parameters, reached)` returns the parameters of
    what `reached` iterations make, to the last bit, where the step heeds `Progress.ends_with`. A step that `forms` land
    though it runs after erosion changes the ground that erosion counts from by as much: it neither wears nor lays down.
    `fields` declare all that its land can have beside heights.
    """

    parameters: type[Group]
    run: Run
    active: Callable[[Any], bool]
    remark: Callable[[Any, Domain], str] = lambda parameters, domain: ""
    revision: int = 1
    scratch_bytes: Callable[[Any], int] = lambda parameters: 0
    scratch_bytes_beside: Callable[[Any], int] = lambda other: 0
    reads: tuple[type[Group], ...] = ()
    in_cells: Callable[[Any], bool] = lambda parameters: False
    stopped: Callable[[Any, int], Group] | None = None
    forms: bool = False
    fields: tuple[Field, ...] = ()

    @property
    def key(self) -> str:
        """The step's name: the key of its parameter group."""
        return self.parameters.key
