"""What takes long to write, written apart from the window, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fellview.core.errors import InputError, named, one_line
from fellview.core.work import Work
from fellview.desktop import window
from fellview.desktop.exporting import NOTHING
from fellview.desktop.faults import Faults
from fellview.io import atomic
from fellview.io.reading import Reading
from fellview.session.session import Session

_LIMIT_S = 86_400.0  # a long film takes hours, and Cancel ends what nobody waits for any more
_WATCHED_S = 10.0  # whoever waited so long for the end may look elsewhere


class FileWriter:
    """Writes one thing at a time in a thread of its own, all of its files or none, and tells of it.

    What a person should know stays until it is taken away; the last line, where it went, passes: where that was not
    quick, once the hand is back at the window.
    """

    def __init__(self, session: Session, faults: Faults, redraw: Callable[[], None]) -> None:
        self._session, self._faults, self._redraw = session, faults, redraw
        self._writing: Reading[Sequence[str]] | None = None
        self._work = Work()
        self._seen: tuple[str, float] | None = None
        self._notice = self._given_up = ""

    @property
    def under_way(self) -> tuple[str, Work, float] | None:
        """What is being written, the work and for how many seconds it has gone on."""
        return None if self._writing is None else (self._writing.name, self._work, self._writing.seconds)

    def write(self, name: str, write: Callable[[Work], Sequence[str]], given_up: str = NOTHING) -> None:
        """Have `write` write `name` apart from the window; the lines that it returns become notices.

        The last of them says where it went, and `given_up` what there is of it where it is given up. `InputError` while
        something else is being written.
        """
        if self._writing is not None:
            raise InputError(f"{name}: {self._writing.name} is still being written; export it afterwards")
        work = self._work = Work(window.wake)
        self._given_up = given_up

        def written() -> Sequence[str]:
            with atomic.all_or_none(work.check):
                return write(work)

        self._notice = f"Exporting {named(one_line(name))}…"
        self._session.notify(self._notice)
        self._writing = Reading(name, written, window.wake, _LIMIT_S)
        self._redraw()

    def take(self) -> None:
        """Tell of what was written, once it is, and show how far it is."""
        writing = self._writing
        if writing is None:
            return
        if not writing.over:
            if self._seen != self._work.at:
                self._seen = self._work.at
                self._redraw()
            return
        self._writing = None
        self._session.withdraw(self._notice)
        with self._faults.guarded(f"writing {writing.name}"):
            *remarks, where = writing.result()
            for line in remarks:
                self._session.notify(line)
            self._session.notify(where, passing=True, unseen=writing.seconds >= _WATCHED_S)
        self._redraw()

    def give_up(self) -> bool:
        """Do without what is being written: what was there before stays. Return whether there was something.

        Files that come one by one stay, too.
        """
        if self._writing is None:
            return False
        self._session.withdraw(self._notice)
        self._session.notify(f"{self._writing.name}: given up, {self._given_up}", passing=True)
        self._writing = None
        self._work.cancel()
        self._redraw()
        return True

    def close(self) -> None:
        """Leave nothing of what is being written."""
        self._work.cancel()
        atomic.abandon()
