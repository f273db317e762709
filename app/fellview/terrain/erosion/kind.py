"""What a kind of erosion is: its parameters, its function and all that depends on the kind elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from fellview.core.height_field import Heights
from fellview.core.parameters import Group, real, whole
from fellview.terrain.domain import Domain
from fellview.terrain.field import Field
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land


@dataclass(frozen=True)
class Parameters(Group):
    """What each kind derives a class of its own from; the scene's group `erosion` has the parameters of all kinds.

    A parameter shows with the kinds whose class has it.
    """

    key: ClassVar[str] = "erosion"
    title: ClassVar[str] = "Erosion"


@dataclass(frozen=True)
class OverTime(Parameters):
    """What kinds share that wear the land down over thousands of years, to slopes at which it stands."""

    duration: float = real(
        100.0,
        0.0,
        1000.0,
        slider=(0, 400),
        unit="kyr",
        useful=(5, 200),
        tip="Low leaves young land as it was made, high gives a mature range or long slopes of scree. The same at every"
        " grid size.",
    )
    talus_angle: float = real(
        38.0,
        1.0,
        85.0,
        slider=(10, 60),
        unit="°",
        useful=(20, 48),
        tip="The steepest slope that stands. Low lets all but gentle ground slide, high leaves cliffs.",
    )
    stop_after: int = whole(
        0,
        0,
        100_000,
        slider=(0, 400),
        unit="iterations",
        useful=(),
        tip="0 runs to the end. Low leaves the land half worn: what is reached by then is only refined. Keep so far"
        " writes it.",
        more=True,
    )


def lasts(parameters: OverTime) -> bool:
    """Return whether erosion over time changes anything."""
    return parameters.duration > 0


@dataclass(frozen=True)
class Kind:
    """One kind of erosion.

    `how` ends "How the ground wears:" in the tip of the menu. `parameters` is a class of the kind's own. It may declare
    again what another kind has only by a class that both derive from, as `OverTime`.

    `run(parameters, domain, heights, progress)` returns the worn heights in metres, float32 [row, column], or land with
    `fields`, and leaves its input alone; `active(parameters)` is false where it would change nothing. `ends_after`
    names the parameter that says after how many iterations it ends, to the last bit what `Progress.ends_with` ends
    there. `bytes_a_cell` is its peak memory beside input and output. `in_cells` tells that its units are cells, so that
    another grid is another land and a coarse preview would mislead.

    `main` are the parameters that the panel shows at once, before its "More". `bench_runs` says how often
    `fellview bench erosion` times it on a grid, by the grid's cells a side. The twin on the GPU is found by the name:
    see `gpu/twins/erosion.py`; a kind without one is computed on the CPU.
    """

    name: str
    how: str
    parameters: type[Parameters]
    run: Callable[[Any, Domain, Heights, Progress], Heights | Land]
    active: Callable[[Any], bool]
    ends_after: str = "stop_after"
    bytes_a_cell: int = 0
    in_cells: bool = False
    fields: tuple[Field, ...] = ()
    main: tuple[str, ...] = ()
    bench_runs: Mapping[int, int] = field(default_factory=lambda: {512: 9, 1024: 9})
