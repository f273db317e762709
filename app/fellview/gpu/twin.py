"""What a step's twin on the GPU is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import moderngl

from fellview.gpu.grid_passes import GridPasses
from fellview.terrain.domain import Domain


@dataclass(frozen=True)
class GpuLand:
    """The twin of `step.Land`: R32F textures [row, column] of heights in metres and of fields by name."""

    heights: moderngl.Texture
    fields: Mapping[str, moderngl.Texture] = field(default_factory=dict)


Run = Callable[[GridPasses, Any, Domain, GpuLand], Generator[float, None, GpuLand]]


@dataclass(frozen=True)
class Twin:
    """One step on the GPU.

    `run(passes, parameters, domain, below)` leaves `below` alone and gives new land out of `passes.texture`. It yields
    the fraction done after every few passes, so that its caller can draw a frame in between or close it; whatever
    textures it holds beside its result it gives back. `covers(parameters)` is false for what only the CPU computes.
    """

    run: Run
    covers: Callable[[Any], bool] = lambda parameters: True
