"""What a terrain step is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fellview.core.height_field import Heights
from fellview.core.parameters import Group
from fellview.core.progress import Progress
from fellview.terrain.domain import Domain

Run = Callable[[Any, Domain, Heights, Progress], Heights]


@dataclass(frozen=True)
class Step:
    """One step of the pipeline.

    `run(parameters, domain, heights, progress)` returns new heights, float32 [row, column], and leaves its input alone.
    `active(parameters)` is false where the step would change nothing; `remark(parameters, domain)` is a line for a
    person where the step does less than asked for, else an empty text. `revision` rises when the same parameters come
    to give another result; recipes keep it. `scratch_bytes(parameters)` are needed for each cell beside input and
    output.
    """

    parameters: type[Group]
    run: Run
    active: Callable[[Any], bool]
    remark: Callable[[Any, Domain], str] = lambda parameters, domain: ""
    revision: int = 1
    scratch_bytes: Callable[[Any], int] = lambda parameters: 0

    @property
    def key(self) -> str:
        """The step's name: the key of its parameter group."""
        return self.parameters.key
