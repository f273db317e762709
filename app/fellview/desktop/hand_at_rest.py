"""When a hand has come to rest: what takes longer than a moving picture is drawn then."""

from __future__ import annotations

import time

from fellview.desktop.input import Input

REST_S = 0.2  # a hand that has come to rest
_DRAFT_REST_S = 0.1  # and one that waits for a picture in full
_LONG_REST_S = 0.5  # and one that leaves time for what takes long
_LET_GO_S = 0.15  # within which the last picture of a movement is begun after the hand has let go
_PRESSED_S = 0.2  # within which a hand that has pressed a button is about to move


class HandAtRest:
    """Tells in how many seconds a hand will have come to rest that changes nothing more; below 0 it has."""

    def __init__(self, gestures: Input) -> None:
        self._input = gestures
        self.after_s = REST_S
        """Seconds without a change after which a hand rests, where the picture is as fine as a resting one at first."""
        self._last_change = time.monotonic()

    def note_change(self) -> None:
        """Note that the picture is to change."""
        self._last_change = time.monotonic()

    def seconds(self, *, waits: bool) -> float:
        """Return in how many seconds a picture may be refined: fewer where the hand `waits`, seeing a coarse one."""
        return max(self._since_change(self._wait_s if waits else self.after_s), self._about_to_move_s)

    @property
    def long_seconds(self) -> float:
        """Seconds until there is time for what takes long."""
        return self._since_change(_LONG_REST_S)

    @property
    def is_about_to_move(self) -> bool:
        """Whether a hand has just pressed a button: what it moves would wait for a pass of anything finer."""
        return self._about_to_move_s > 0

    @property
    def _about_to_move_s(self) -> float:
        return _PRESSED_S - self._input.held_for_s

    @property
    def _wait_s(self) -> float:
        # a wheel, a flight or a slider changes on and on, long after a hand has let the land go
        is_last = self._last_change < self._input.let_go_at + _LET_GO_S and not self._input.holds_something
        return 0.0 if is_last else min(self.after_s, _DRAFT_REST_S)

    def _since_change(self, wait_s: float) -> float:
        return self._last_change + wait_s - time.monotonic()
