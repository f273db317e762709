"""What a step's twin on the GPU is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import moderngl

from fellview.gpu.passes import GridPasses
from fellview.terrain.domain import Domain


@dataclass(frozen=True)
class GpuLand:
    """The twin of `step.Land`: R32F textures [row, column] of heights in metres and of fields by name."""

    heights: moderngl.Texture
    fields: Mapping[str, moderngl.Texture] = field(default_factory=dict)


class Iterated(float):
    """The fraction done, after `iteration` of `iterations`, with which the step could end."""

    def __new__(cls, iteration: int, iterations: int, fraction: float | None = None) -> Iterated:
        """Make one; `fraction` is the share of the iterations unless some of them cost more than others."""
        self = super().__new__(cls, min(1.0, iteration / iterations if fraction is None else fraction))
        self.iteration, self.iterations = iteration, iterations
        return self

    iteration: int
    iterations: int


Work = Generator[float, bool, GpuLand]
Run = Callable[[GridPasses, Any, Domain, GpuLand], Work]


@dataclass(frozen=True)
class Twin:
    """One step on the GPU.

    `run(passes, parameters, domain, below)` leaves `below` alone and gives new land out of `passes.texture`. It yields
    the fraction done after every few passes, so that its caller can draw a frame in between or close it; whatever
    textures it holds beside its result it gives back. Where it yields `Iterated` and is answered true, it must end with
    what that iteration has made. `covers(parameters)` is false for what only the CPU computes.
    """

    run: Run
    covers: Callable[[Any], bool] = lambda parameters: True
