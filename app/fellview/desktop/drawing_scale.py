"""How large pictures of something that moves are drawn: as large as frames are in time."""

from __future__ import annotations

SCALES = (1.0, 0.75, 0.6, 0.5, 0.42, 0.34, 0.28)
"""Of the picture's pixels a side. Each step has about 0.6 times the pixels of the one before."""

_IN_TIME_S = 0.048  # what is left of a fifteenth of a second beside the panel, computing and what comes between frames
_ROOM = 0.55  # of that, under which frames may be a step larger
_STEADY = 3  # frames in a row with room: one alone may have had little to draw


class DrawingScale:
    """Follows what moving frames take, step by step: smaller at once where they are late, larger after some in time."""

    def __init__(self, first: float = 1.0) -> None:
        self._step = SCALES.index(first)
        self._with_room = 0

    @property
    def scale(self) -> float:
        """How many of the picture's pixels a side the next moving frame is drawn with, 1 for all."""
        return SCALES[self._step]

    def note(self, seconds: float) -> None:
        """Take in what a moving frame of this scale took."""
        if seconds > _IN_TIME_S:
            self._with_room = 0
            wanted = self.scale**2 * _IN_TIME_S / seconds
            last = len(SCALES) - 1
            # two steps at most: what a frame takes once, as when a shader is first needed, says little of the next
            self._step = min(
                self._step + 1 if SCALES[min(self._step + 1, last)] ** 2 <= wanted else self._step + 2, last
            )
            return
        self._with_room = self._with_room + 1 if seconds < _ROOM * _IN_TIME_S else 0
        if self._with_room >= _STEADY and self._step:
            self._step -= 1
            self._with_room = 0
