"""What nobody foresaw: a line for the person, and the traceback in a log of bounded size that never fails itself."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import stat
import traceback
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from fellview import version
from fellview.core.errors import InputError, one_line
from fellview.io.atomic import writing

LARGEST_BYTES = 128 * 1024
"""How much of the log outlives a start, and how much one run adds to it at most."""

_LARGEST_BLOCK = 6 * 1024  # bytes of one traceback: its ends tell the most
_LONGEST_LINE = 200  # characters
_HEAD = "== "


class CrashLog:
    """The file ``crash.log`` in `folder`: a block for each error, newest last, and a line where one comes again."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "crash.log"
        self._times: Counter[tuple[str, ...]] = Counter()
        self._written = 0
        with contextlib.suppress(OSError, InputError):
            self._shorten()

    def note(self, fault: BaseException, doing: str) -> str:
        """Write `fault`, which came while `doing`, and return one line that tells a person of it."""
        try:
            key = _key(fault)
            self._times[key] += 1
            times = self._times[key]
            if times == 1:
                self._append(f"{_heading(doing)}\n{_block(fault)}")
            elif times & (times - 1) == 0:  # 2, 4, 8, ...: what fails sixty times a second fills no disk
                self._append(f"{_heading(doing)}: {key[0]} as above, {times} times by now\n")
        except Exception:  # a full disk, no memory: what is told must not fail like what it tells of
            pass
        return f"{doing.capitalize()} failed: {_line(fault)}; {self.path} says more"

    def tell_signals(self) -> None:
        """Have what ends the process by a signal, such as a crash inside a library, write where Python was."""
        with contextlib.suppress(OSError):
            faulthandler.enable(self._opened())

    def _append(self, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        if self._written + len(data) > LARGEST_BYTES:
            return
        self._written += len(data)
        descriptor = self._opened()
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)

    def _opened(self) -> int:
        """Return the log opened for adding to it; `OSError` where something else has its name."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(self.path, flags, 0o600)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError("is no regular file")
        return descriptor

    def _shorten(self) -> None:
        """Leave the newest whole blocks of a log that has grown too large."""
        status = self.path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size <= LARGEST_BYTES:
            return
        with self.path.open("rb") as file:
            file.seek(status.st_size - LARGEST_BYTES // 2)
            newest = file.read(LARGEST_BYTES)
        begin = newest.find(f"\n{_HEAD}".encode()) + 1
        with writing(self.path) as file:
            file.write(newest[begin:])


def _heading(doing: str) -> str:
    return f"{_HEAD}{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, Fellview {version.VERSION}, {doing}"


def _key(fault: BaseException) -> tuple[str, ...]:
    """Return what two errors have in common that are the same one again: its kind, and where it comes from."""
    frames = traceback.extract_tb(fault.__traceback__, limit=-3)
    return (type(fault).__name__, *(f"{frame.filename}:{frame.lineno}" for frame in frames))


def _block(fault: BaseException) -> str:
    text = "".join(traceback.format_exception(fault))
    if len(text) > _LARGEST_BLOCK:
        half = _LARGEST_BLOCK // 2
        text = f"{text[:half]}\n[...]\n{text[-half:]}"
    return text


def _line(fault: BaseException) -> str:
    """Return the kind of `fault` and its text, without what would break a line."""
    try:
        said = " ".join(str(fault).split())
    except Exception:  # an error may fail even at its own text
        said = ""
    text = f"{type(fault).__name__}: {said}" if said else type(fault).__name__
    text = one_line(text)
    return text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 1]}…"
