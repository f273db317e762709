"""Pictures for files, for the clipboard and for thumbnails, which wait to be drawn between the window's frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fellview.capture.capture import Still

DRAWING = "Drawing a picture…"
"""The notice that stands while stills are drawn."""

Pixels = NDArray[np.uint8]

Purpose = Literal["file", "clipboard", "thumbnail"]
"""What a still is drawn for."""


@dataclass(frozen=True)
class _Asked:
    """A still that was asked for, and what is done with its pixels."""

    still: Still
    then: Callable[[Pixels], None]
    purpose: Purpose


class Stills:
    """Stills in the order in which they were asked for."""

    def __init__(self) -> None:
        self._asked: list[_Asked] = []

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def first(self) -> Still:
        """The one that is drawn next."""
        return self._asked[0].still

    def add(self, still: Still, then: Callable[[Pixels], None], purpose: Purpose) -> None:
        """Have `still` drawn, and its pixels handed to `then`.

        One that waits for the same purpose already is not drawn again: keys are soon pressed more often than pictures
        are drawn. Thumbnails are, which have a place each.
        """
        waits = any(one.purpose == purpose and one.still.is_like(still) for one in self._asked)
        if waits and purpose != "thumbnail":
            still.release()
        else:
            self._asked.append(_Asked(still, then, purpose))

    def drop(self, dropped: Sequence[Still]) -> None:
        """Draw those of the stills `dropped` that wait no more."""
        for one in self._asked:
            if one.still in dropped:
                one.still.release()
        self._asked = [one for one in self._asked if one.still not in dropped]

    def drop_all_but_files(self) -> None:
        """Draw none any more that is for no file."""
        self.drop([one.still for one in self._asked if one.purpose != "file"])

    def end(self, attempt: Callable[[Callable[[], None]], None]) -> None:
        """Have `attempt` do what is to be done with the first one, unless drawing it failed; then comes the next."""
        asked = self._asked.pop(0)
        if (pixels := asked.still.pixels) is not None:
            attempt(lambda: asked.then(pixels))
        asked.still.release()
