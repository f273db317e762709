"""What fails in the window's process: a refusal becomes a notice, anything else a line in the crash log, too."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fellview.core.errors import FellviewError
from fellview.desktop import window
from fellview.io.crashes import CrashLog

_FAILURES_AT_ONCE = 3  # turns of the loop in a row that may fail before it pauses, longer and longer
_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 1.0


class Faults:
    """Ends what fails and tells of it with `notify`: whatever fails, the window stays, and what the person has made."""

    def __init__(self, crashes: CrashLog, notify: Callable[[str], None], redraw: Callable[[], None]) -> None:
        self.crashes = crashes
        self.failed_turns = 0
        """Turns of the loop before this one, in a row, in which something failed."""
        self._notify, self._redraw = notify, redraw
        self._from_threads: queue.SimpleQueue[tuple[str, BaseException]] = queue.SimpleQueue()
        self._failed = False  # something in this turn of the loop

    @contextmanager
    def guarded(self, doing: str) -> Iterator[None]:
        """End the block where it raises: what it refuses becomes a notice.

        So does an error that nobody foresaw, with its traceback in the crash log.
        """
        try:
            yield
        except FellviewError as fault:
            self._notify(str(fault))
        except Exception as fault:
            self._take(doing, fault)

    def begin_turn(self) -> None:
        """Begin a turn of the loop in which nothing has failed yet."""
        self._failed = False

    def end_turn(self) -> None:
        """Tell what has failed in other threads; pause where turns fail one after the other."""
        while not self._from_threads.empty():
            self._take(*self._from_threads.get())
        self.failed_turns = self.failed_turns + 1 if self._failed else 0
        if self.failed_turns > _FAILURES_AT_ONCE:
            time.sleep(min(_PAUSE_S * (self.failed_turns - _FAILURES_AT_ONCE), _LONGEST_PAUSE_S))

    def note_thread(self, ended: threading.ExceptHookArgs) -> None:
        """Have it told that a thread has ended by an error; called in that thread."""
        if ended.exc_value is not None and not isinstance(ended.exc_value, SystemExit):
            name = ended.thread.name if ended.thread is not None else "a thread"
            self._from_threads.put((name, ended.exc_value))
            window.wake()

    def _take(self, doing: str, fault: BaseException) -> None:
        self._failed = True
        self._notify(self.crashes.note(fault, doing))
        self._redraw()
