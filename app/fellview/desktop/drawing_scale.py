"""How large pictures of something that moves are drawn: as large as frames are in time."""

from __future__ import annotations

SCALES = (1.0, 0.89, 0.8, 0.71, 0.63, 0.56, 0.5, 0.45, 0.4, 0.36, 0.32, 0.28, 0.26, 0.24)
"""Of the picture's pixels a side. Each step has about 0.8 times the pixels of the one before, so that frames use most
of the time that they have: a moving picture lacks the less, the more pixels its frames have. The last two have fewer
triangles, too (`draw/land/terrain.py`), which take most of a frame that is late still."""

_IN_TIME_S = 0.048  # what is left of a fifteenth of a second beside the panel, computing and what comes between frames
_FAR_FROM_IT = 1.5  # times that, from which on one frame alone is late: less may be something else that the machine did
_LATE = 2  # frames in a row that are late
_STEPS_AT_ONCE = 4  # what a frame takes once, as when a shader is first needed, says little of the next
_STEADY = 3  # frames in a row with room: one alone may have had little to draw
_TRIED = 12  # frames after which a larger scale has proved to be in time
_LEAST_PAUSE, _MOST_PAUSE = 12, 192  # frames before a scale that has not is tried again: ever more, up to some 10 s


class DrawingScale:
    """Follows what moving frames take, step by step: smaller where they are late, larger after some with room.

    There is room where the next step would be in time if all that a frame takes went by its pixels.
    """

    def __init__(self, first: float = 1.0) -> None:
        self._step = SCALES.index(first)
        self._late = self._with_room = 0
        self._frames_here: int | None = None  # since this step was tried; None where it has proved to be in time
        self._too_large = -1  # the last step that was tried and late
        self._pause, self._paused = _LEAST_PAUSE, 0  # frames before that is tried again, and how many are left

    @property
    def scale(self) -> float:
        """How many of the picture's pixels a side the next moving frame is drawn with, 1 for all."""
        return SCALES[self._step]

    def note(self, seconds: float) -> None:
        """Take in what a moving frame of this scale took."""
        self._paused = max(self._paused - 1, 0)
        if seconds > _IN_TIME_S:
            self._late, self._with_room = self._late + 1, 0
            if self._late >= _LATE or seconds > _FAR_FROM_IT * _IN_TIME_S:
                self._become_smaller(self.scale**2 * _IN_TIME_S / seconds)
            return
        self._late = 0
        self._prove()
        larger = self._step - 1
        if larger < 0 or (larger <= self._too_large and self._paused):
            return
        has_room = seconds * (SCALES[larger] / self.scale) ** 2 < _IN_TIME_S
        self._with_room = self._with_room + 1 if has_room else 0
        if self._with_room >= _STEADY:
            self._step, self._with_room, self._frames_here = larger, 0, 0

    def _prove(self) -> None:
        """Count a frame in time at a step that is being tried."""
        if self._frames_here is None:
            return
        self._frames_here += 1
        if self._frames_here >= _TRIED:
            self._frames_here = None
            if self._step <= self._too_large:
                self._too_large, self._pause = -1, _LEAST_PAUSE

    def _become_smaller(self, share: float) -> None:
        """Take the first step with no more than that `share` of the picture's pixels, or the farthest in reach."""
        if self._frames_here is not None:
            self._pause = min(2 * self._pause, _MOST_PAUSE) if self._step == self._too_large else _LEAST_PAUSE
            self._too_large, self._paused = self._step, self._pause
        self._late, self._frames_here = 0, None
        last = min(self._step + _STEPS_AT_ONCE, len(SCALES) - 1)
        within = (step for step in range(self._step + 1, last) if SCALES[step] ** 2 <= share)
        self._step = next(within, last)
