"""How a long computation says how far it is, shows what it has, and learns that it is to end."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import Cancelled

_LONG_S = 1.5  # a shorter run shows nothing on its way, which would only make its end later
# between two pictures: as long as this share of the run so far, as drawing one may take cores from it for half a second
_PAUSE_SHARE, _LEAST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 0.5, 2.0


class Progress:
    """A cancel flag that kernels read, a flag to keep what has been reached, and places to report to.

    `cancel` is uint8 (1,), 0 while the result is wanted; kernels take it as an argument and return early when it is
    not 0. `keep` is uint8 (1,), 1 when an iterative step is to end with what it has. Both may lie in shared memory.
    `report` receives a step's name and the fraction of that step that is done, `show` heights on their way, float32
    [row, column], on whatever grid the step works on. `clock` gives seconds that only rise.
    """

    def __init__(
        self,
        cancel: NDArray[np.uint8] | None = None,
        report: Callable[[str, float], None] | None = None,
        keep: NDArray[np.uint8] | None = None,
        show: Callable[[NDArray[np.float32]], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cancel = np.zeros(1, np.uint8) if cancel is None else cancel
        self.keep = np.zeros(1, np.uint8) if keep is None else keep
        self._report = report
        self._show = show
        self._clock = clock
        self._reached: int | None = None
        self._begun = clock()
        self._next_picture = self._begun + _LONG_S

    def check(self) -> None:
        """Raise `Cancelled` when the result is no longer wanted."""
        if self.cancel[0]:
            raise Cancelled

    def report(self, step: str, fraction: float, iteration: int = 0, iterations: int = 0) -> None:
        """Say that `step` is done to `fraction` (0 to 1), and stop when nobody wants it.

        A step that asks `ends_with` also says its `iteration` out of `iterations`; for others they are 0.
        """
        self.check()
        if self._report:
            self._report(step, fraction)

    def ends_with(self, iteration: int) -> bool:
        """Return whether the step is to end with what `iteration` of its iterations have made; it then must."""
        if not self.keep[0]:
            return False
        self._reached = iteration
        return True

    def take_reached(self) -> int | None:
        """Return with how many iterations the step before this call ended early, none where it did not."""
        reached, self._reached = self._reached, None
        if reached is not None:
            self.keep[0] = 0  # the steps that follow run to their ends
        return reached

    @property
    def wants_picture(self) -> bool:
        """Return whether the run is long, somebody watches it, and the last picture is old enough."""
        return self._show is not None and self._clock() >= self._next_picture

    def show(self, heights: NDArray[np.float32]) -> None:
        """Show `heights` as a picture on the way; ask `wants_picture` first, since they take time to make."""
        if self._show is not None:
            self._show(heights)
            now = self._clock()
            pause = _PAUSE_SHARE * (now - self._begun)
            self._next_picture = now + min(max(pause, _LEAST_PAUSE_S), _LONGEST_PAUSE_S)
