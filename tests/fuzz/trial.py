"""One case of one kind, and whether it was taken as every input has to be.

Either it is read, or it is refused by one line of plain text that names it. No other exception, no word on standard
error, no process, no connection, nothing unpickled, nothing written elsewhere, and not for longer than a few seconds.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from fellview.core.errors import FellviewError
from tests.fuzz.inputs.registry import KINDS

CPU_S = 10.0
"""Processor time that a case may take: the largest that is taken, a hundred million cells, needs three seconds."""
WAITS_S = 20.0
"""Time by the clock, processor or not: what waits for a pipe waits for ever."""
MEMORY_BYTES = 4 << 30
"""Address space that a process of trials may have beyond what it starts with."""
LONGEST_LINE = 1_100
"""Letters of what a person is told: an error's, and what is said around it."""

_OTHERS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "pty.spawn")
_CALLS = ("socket.connect", "socket.bind", "pickle.find_class", "ctypes.dlopen", "webbrowser.open")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class _Late(BaseException):
    """The time of a case is over; not an `Exception`, so that nothing takes it for a fault of the file."""


@dataclass(frozen=True)
class Fault:
    """What one case did that none may do. `sort` tells faults of one cause from others."""

    kind: str
    number: int
    sort: str
    text: str


class _Watch:
    """What the process does while a case is read."""

    def __init__(self) -> None:
        self.inside: Path | None = None
        self.allowed: tuple[str, ...] = ()
        self.seen: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, given: tuple[Any, ...]) -> None:
        if self.inside is None:
            return
        if event in _OTHERS:
            self.seen.append(f"process: {event} {given[:2]!r}"[:200])
        elif event in _CALLS:
            self.seen.append(f"call: {event} {given[:2]!r}"[:200])
        elif event == "open" and isinstance(given[2], int) and given[2] & _WRITING:
            if not isinstance(given[0], (str, bytes)):
                return
            path = Path(os.path.abspath(os.fsdecode(given[0])))  # noqa: PTH100 - no link followed
            named = {str(path), str(path.parent)} & {*self.allowed}  # a nameless file in a folder opens the folder
            # a link of the case may lead to /proc, where no file can be made: trying to is refused
            if not named and not path.is_relative_to(self.inside) and not path.is_relative_to("/proc"):
                self.seen.append(f"wrote elsewhere: {given[0]!r}"[:200])


_watch: _Watch | None = None


def _ring(number: int, frame: Any) -> None:
    raise _Late


@contextlib.contextmanager
def _timed() -> Iterator[None]:
    signal.signal(signal.SIGALRM, _ring)
    signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_REAL, WAITS_S)
    signal.setitimer(signal.ITIMER_PROF, CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)


def limit_memory() -> None:
    """Have this process refused memory beyond `MEMORY_BYTES` more than it has."""
    words = Path("/proc/self/statm").read_text().split()
    most = int(words[0]) * resource.getpagesize() + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def unprintable(text: str) -> str:
    """Return what is wrong with `text` as a line for a person; nothing where it is one."""
    if not text.strip():
        return "says nothing"
    wrong = sorted({letter for letter in text if not letter.isprintable()})
    if wrong:
        return f"has {wrong[:3]!r}"
    return f"is {len(text)} letters long" if len(text) > LONGEST_LINE else ""


def _place(fault: BaseException) -> str:
    """Return where in Fellview `fault` was raised or came through, for telling causes apart."""
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if "/fellview/" in frame.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "?"


def _names(text: str, path: Path) -> bool:
    return path.name in text or str(path.parent) in text


@contextlib.contextmanager
def _error_goes_to(descriptor: int) -> Iterator[None]:
    """Send what this process and its libraries write to standard error elsewhere."""
    sys.stderr.flush()
    kept = os.dup(2)
    os.dup2(descriptor, 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(kept, 2)
        os.close(kept)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), Path(os.devnull).open("wb") as nowhere, _error_goes_to(nowhere.fileno()):
        warnings.simplefilter("ignore")
        yield


def run(kind: str, number: int, keep: Path | None = None) -> list[Fault]:
    """Make the case of that number, have it read, and return its faults; with any, its files are copied to `keep`."""
    with tempfile.TemporaryDirectory(prefix="f-") as name:
        folder = Path(name)
        with quiet():
            given = KINDS[kind].make(Random(f"{kind} {number}"), folder)
        faults = judged(kind, number, given, folder)
        if faults and keep is not None:
            shutil.rmtree(keep, ignore_errors=True)
            keep.mkdir(parents=True)
            _keep(folder, keep, given)
    return faults


def judged(kind: str, number: int, given: Any, folder: Path) -> list[Fault]:
    """Have what is `given` in `folder` read as that kind is, and return the faults; `number` is only told."""
    global _watch
    _watch = _watch or _Watch()
    faults: list[Fault] = []

    def note(sort: str, text: str) -> None:
        faults.append(Fault(kind, number, sort, " ".join(text.split())[:300]))

    inputs = KINDS[kind]
    there = {path.name for path in folder.iterdir()}
    before = resource.getrusage(resource.RUSAGE_SELF)
    lines: list[str] = []
    with tempfile.TemporaryFile() as errors, warnings.catch_warnings():  # which forgets what was warned of before
        _watch.inside, _watch.allowed, _watch.seen = folder, inputs.may_write, []
        try:
            with _error_goes_to(errors.fileno()), _timed():
                lines = inputs.read(given, folder)
        except _Late:
            note("hangs", f"longer than {CPU_S:.0f} s of processor or {WAITS_S:.0f} s")
        except FellviewError as fault:
            lines = [str(fault)]
            if inputs.sure:
                note(f"refused at {_place(fault)}", str(fault))
            elif isinstance(given, Path) and given.name.isprintable() and not _names(str(fault), given):
                note(f"unnamed at {_place(fault)}", str(fault))
        except Exception as fault:
            note(f"{type(fault).__name__} at {_place(fault)}", str(fault))
        finally:
            _watch.inside = None
        errors.seek(0)
        printed = errors.read(2000).decode(errors="replace")
    if printed:
        note("prints", printed)
    for line in lines:
        if wrong := unprintable(line.replace(str(folder), "")):
            note("line " + ("too long" if wrong.startswith("is") else "unprintable"), f"{wrong}: {line!r}")
    for seen in _watch.seen:
        note(seen.partition(":")[0], seen)
    after = resource.getrusage(resource.RUSAGE_SELF)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if spent > CPU_S and not any(fault.sort == "hangs" for fault in faults):
        note("slow", f"{spent:.1f} s of processor")
    left = {path.name for path in folder.iterdir()} - there
    if left and kind != "state":  # which is written anew
        note("litter", ", ".join(sorted(left)))
    return faults


def _keep(folder: Path, keep: Path, given: Any) -> None:
    """Copy the regular files of a case that are small enough to look at."""
    (keep / "given.txt").write_text(f"{given!r}"[:20_000], encoding="utf-8")
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 10_000_000:
            target = keep / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
