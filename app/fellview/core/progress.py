"""How a long computation says how far it is and learns that nobody wants it any more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import Cancelled


class Progress:
    """A cancel flag that kernels read, and a place to report to.

    `cancel` is uint8 (1,), 0 while the result is wanted; kernels take it as an argument and return early when it is
    not 0. It may lie in shared memory. `report` receives a step's name and the fraction of that step that is done.
    """

    def __init__(
        self, cancel: NDArray[np.uint8] | None = None, report: Callable[[str, float], None] | None = None
    ) -> None:
        self.cancel = np.zeros(1, np.uint8) if cancel is None else cancel
        self._report = report

    def check(self) -> None:
        """Raise `Cancelled` when the result is no longer wanted."""
        if self.cancel[0]:
            raise Cancelled

    def report(self, step: str, fraction: float) -> None:
        """Say that `step` is done to `fraction` (0 to 1), and stop when nobody wants it."""
        self.check()
        if self._report:
            self._report(step, fraction)
