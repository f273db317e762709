"""What computes the steps: an engine runs one step and hands back a handle to its result."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from fellview.core.errors import FellviewError, InputError
from fellview.core.height_field import Heights
from fellview.core.parameters import Group
from fellview.core.progress import Progress
from fellview.terrain.domain import Domain
from fellview.terrain.step import Step


class Engine(Protocol):
    """Runs steps; a handle is whatever the engine keeps heights in."""

    name: str

    def run(self, step: Step, parameters: Group, domain: Domain, below: Any | None, progress: Progress) -> Any:
        """Return a handle to the result of `step` on the handle `below` (none for the first step)."""

    def to_cpu(self, handle: Any) -> Heights:
        """Return the heights behind `handle`, float32 [row, column], read-only."""

    def size_bytes(self, handle: Any) -> int:
        """Return the memory that `handle` holds."""


class CpuEngine:
    """The reference: numba kernels over numpy arrays; a handle is the read-only array itself."""

    name = "cpu"

    def run(self, step: Step, parameters: Group, domain: Domain, below: Heights | None, progress: Progress) -> Heights:
        """Run `step` in this process; `FellviewError` where its heights are not finite or do not fit into memory."""
        shape = domain.grid.rows, domain.grid.columns
        try:
            # a broadcast zero has the shape and takes no memory
            base = np.broadcast_to(np.float32(0), shape) if below is None else below
            heights = step.run(parameters, domain, base, progress)
        except MemoryError:
            raise InputError(
                f"grid.rows × grid.columns = {shape[0]} × {shape[1]}: step {step.key} does not fit into memory;"
                " take a smaller grid"
            ) from None
        progress.check()
        if not np.isfinite(heights).all():
            raise FellviewError(f"{step.key}: the result is not finite everywhere; the step was stopped")
        heights.flags.writeable = False
        return heights

    def to_cpu(self, handle: Heights) -> Heights:
        """Return `handle`, which is the array already."""
        return handle

    def size_bytes(self, handle: Heights) -> int:
        """Return the bytes of the array."""
        return handle.nbytes
