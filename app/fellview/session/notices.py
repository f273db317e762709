"""What the window tells a person: a few lines, of which some pass by themselves."""

from __future__ import annotations

import time
from collections.abc import Callable

from fellview.core.errors import one_line

MOST_NOTICES = 6
_PASSES_S = 8.0  # a word that something was done is read within a few seconds; what went wrong waits for its cross


class Notices:
    """The notices that are shown, the newest last; `clock` gives seconds that only rise."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.texts: list[str] = []
        self._clock = clock
        self._ends: dict[str, float] = {}
        self._unseen: set[str] = set()  # what passes once somebody is there to read it

    def add(self, text: str, passing: bool = False, unseen: bool = False) -> None:
        """Show `text`; the newest few stay, a `passing` one for some seconds, an `unseen` one for those after `see`."""
        text = one_line(text)
        if text not in self.texts:
            self.texts = [*self.texts[-MOST_NOTICES + 1 :], text]
        if passing and unseen:
            self._ends.pop(text, None)
            self._unseen.add(text)
        elif passing:
            self._ends[text] = self._clock() + _PASSES_S

    def see(self) -> None:
        """Have what came unseen pass from now on: somebody is at the window."""
        for text in self._unseen:
            self._ends[text] = self._clock() + _PASSES_S
        self._unseen.clear()

    def withdraw(self, text: str) -> None:
        """Take `text` away, where it is shown."""
        self.texts = [one for one in self.texts if one != text]

    @property
    def passes_in(self) -> float | None:
        """Seconds until the next notice passes; none where none does."""
        ends = [self._ends[text] for text in self.texts if text in self._ends]
        return max(min(ends) - self._clock(), 0.0) if ends else None

    def let_pass(self) -> bool:
        """Take away the notices whose time is over; return whether there were any."""
        now, before = self._clock(), len(self.texts)
        self.texts = [text for text in self.texts if self._ends.get(text, now + 1) > now]
        self._ends = {text: end for text, end in self._ends.items() if text in self.texts}
        self._unseen.intersection_update(self.texts)
        return len(self.texts) < before
