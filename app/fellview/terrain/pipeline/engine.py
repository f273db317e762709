"""What computes the steps: an engine runs one step and hands back a handle to its result."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol

import numpy as np

from fellview.core.errors import FellviewError, InputError
from fellview.core.height_field import HeightField
from fellview.core.parameters import Group
from fellview.terrain.domain import Domain
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step

ENGINES = ("auto", "cpu", "gpu")
"""What a person may ask for; auto is the GPU where OpenGL is hardware."""


class Engine(Protocol):
    """Runs steps; a handle is whatever the engine keeps heights in."""

    name: str

    def run(self, step: Step, parameters: Group, domain: Domain, below: Any | None, progress: Progress) -> Any:
        """Return a handle to the result of `step` on the handle `below` (none for the first step)."""

    def begin(
        self, step: Step, parameters: Group, domain: Domain, below: Any | None, progress: Progress
    ) -> Generator[float, None, Any]:
        """Return the same in slices: a generator that yields the fraction done and returns the handle."""

    def to_cpu(self, handle: Any) -> Land:
        """Return the land behind `handle`; its arrays are read-only."""

    def field(self, handle: Any, base: Any, cell_size: tuple[float, float]) -> HeightField:
        """Return the height field of `handle`; `base` is the handle that erosion started from."""

    def plus_change(self, handle: Any, before: Any, after: Any) -> Any:
        """Return `handle` with its heights changed by as much as `after`'s are from those of `before`; no fields."""

    def size_bytes(self, handle: Any) -> int:
        """Return the memory that `handle` holds."""


class NotFiniteError(FellviewError):
    """A step gave NaN or infinity."""

    def __init__(self, step: Step) -> None:
        super().__init__(f"{step.key}: the result is not finite everywhere; the step was stopped")


class CpuEngine:
    """The reference: numba kernels over numpy arrays; a handle is the land itself, of read-only arrays."""

    name = "cpu"

    def run(self, step: Step, parameters: Group, domain: Domain, below: Land | None, progress: Progress) -> Land:
        """Run `step` in this process; `FellviewError` where its heights are not finite or do not fit into memory."""
        shape = domain.grid.rows, domain.grid.columns
        # a broadcast zero has the shape and takes no memory
        before = below or Land(np.broadcast_to(np.float32(0), shape))
        try:
            made = step.run(parameters, domain, before.heights, progress)
        except MemoryError:
            raise InputError(
                f"grid.rows × grid.columns = {shape[0]} × {shape[1]}: step {step.key} does not fit into memory;"
                " take a smaller grid"
            ) from None
        progress.check()
        land = made if isinstance(made, Land) else Land(made)
        if not np.isfinite(land.heights).all():
            raise NotFiniteError(step)
        for values in (land.heights, *land.fields.values()):
            values.flags.writeable = False
        return Land(land.heights, {**before.fields, **land.fields})

    def begin(
        self, step: Step, parameters: Group, domain: Domain, below: Land | None, progress: Progress
    ) -> Generator[float, None, Land]:
        """Return the same in one slice."""
        yield 0.0
        return self.run(step, parameters, domain, below, progress)

    def to_cpu(self, handle: Land) -> Land:
        """Return `handle`, which is the land already."""
        return handle

    def field(self, handle: Land, base: Land, cell_size: tuple[float, float]) -> HeightField:
        """Return the height field of `handle`."""
        return HeightField(handle.heights, cell_size, Masks(handle, cell_size, base.heights))

    def plus_change(self, handle: Land, before: Land, after: Land) -> Land:
        """Return `handle` changed by as much as `after` is from `before`."""
        heights = after.heights - before.heights
        heights += handle.heights
        heights.flags.writeable = False
        return Land(heights)

    def size_bytes(self, handle: Land) -> int:
        """Return the bytes of the arrays; fields of earlier steps count again."""
        return handle.heights.nbytes + sum(values.nbytes for values in handle.fields.values())
