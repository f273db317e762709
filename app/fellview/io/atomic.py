"""Files are written beside their place and renamed into it, so that no half-written file is ever seen.

What a person saved is on the disk when writing has ended: the file's bytes before it takes its place, and its place in
the folder after. Caches go without, since a disk may take a tenth of a second for it.

Files that belong together are written in one block of `all_or_none`, whoever writes them, and are renamed at its end.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from io import BufferedRandom
from pathlib import Path

from fellview.core.errors import Cancelled, InputError

_BEGINS, _ENDS = ".fellview-", ".part"
"""Around what `secrets` makes up: the name of a file while it is written, whatever it will be called."""

_UNFINISHED = re.compile(re.escape(_BEGINS) + "[a-z0-9_]{8}" + re.escape(_ENDS))
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_ABANDONED_S = 3600.0  # no file takes that long to write: who began one that old was killed


@dataclass
class _Together:
    """Files that wait for their places: of each its part, its place and its name; and folders made for them.

    Nothing more joins what is `abandoned`.
    """

    parts: list[tuple[Path, Path, Path]] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    abandoned: bool = False

    def add(self, path: Path, durable: bool) -> tuple[Path, int | None]:
        """Make room for a new file that will be `path`; return where it is written, and the mode that it is to have."""
        if self.abandoned:
            raise Cancelled
        place = _place(path)
        self.folders += _make_folder(place.parent, durable)
        part = place.with_name(f"{_BEGINS}{secrets.token_hex(4)}{_ENDS}")
        self.parts.append((part, place, path))
        return part, _mode(place)

    def take_places(self, durable: bool) -> None:
        """Rename all parts, one right after the other."""
        for part, place, path in self.parts:
            with told_of(path):
                part.replace(place)
        if durable:
            for folder in {place.parent for _, place, _ in self.parts}:
                _settle(folder)

    def drop(self, first: int = 0) -> None:
        """Remove the parts from number `first` on that have not taken their places."""
        for part, _, _ in self.parts[first:]:
            with contextlib.suppress(OSError):
                part.unlink()
        del self.parts[first:]

    def drop_folders(self) -> None:
        """Remove the folders that were made, as far as nothing is in them."""
        for folder in reversed(self.folders):
            with contextlib.suppress(OSError):
                folder.rmdir()


_together: ContextVar[_Together | None] = ContextVar("_together", default=None)
_under_way: list[_Together] = []  # blocks of `all_or_none`
_alone: list[_Together] = []  # files that are in none
_joining = threading.Lock()  # held while a file joins those that wait, and while they take their places


@contextlib.contextmanager
def all_or_none(check: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Have all files that this block writes take their places at its end, one right after the other, else none.

    Whatever ends the block early, or is raised by `check` at its end, leaves everything as it was before. A block
    inside of another ends with that.
    """
    if _together.get() is not None:
        yield
        check()
        return
    together = _Together()
    _under_way.append(together)
    before = _together.set(together)
    try:
        yield
        with _joining:
            if together.abandoned:
                raise Cancelled
            check()
            together.take_places(durable=True)
    finally:
        _together.reset(before)
        _under_way.remove(together)
        together.drop()
        together.drop_folders()


def abandon() -> None:
    """Remove what blocks of `all_or_none` have written so far; for the end of a process that does not wait for them.

    Where one of them is ending, its files take their places first. What they write from now on is `Cancelled`.
    """
    with _joining:
        _drop_all(_under_way)


def abandon_everything() -> None:
    """Remove what is being written, in such blocks and alone; for the end of a process that nobody waits for."""
    with _joining:
        _drop_all((*_under_way, *_alone))


def _drop_all(several: Iterable[_Together]) -> None:
    for together in several:
        together.abandoned = True
        together.drop()
        together.drop_folders()


@contextlib.contextmanager
def writing(path: Path, durable: bool = True) -> Iterator[BufferedRandom]:
    """Open a file, to be written and read, that takes the place of `path` when the block ends well.

    Otherwise it is dropped. Where `path` is a symbolic link, the file that it leads to is replaced. A file that was
    there gives its mode to the new one. `InputError` names `path` where it cannot be written.
    """
    with writing_together(path, durable=durable) as (file,):
        yield file


@contextlib.contextmanager
def writing_together(*paths: Path, durable: bool = True) -> Iterator[tuple[BufferedRandom, ...]]:
    """Open files that take the places of `paths` one right after the other when the block ends well; else none does.

    A process that is killed in between has replaced the first ones only. In a block of `all_or_none` they wait for its
    end.
    """
    together, is_alone = _together.get() or _Together(), _together.get() is None
    first = len(together.parts)
    written = False
    if is_alone:
        _alone.append(together)
    try:
        with contextlib.ExitStack() as opened:
            files = []
            for path in paths:
                with told_of(path), _joining:
                    files.append(opened.enter_context(_created(*together.add(path, durable))))
            with told_of(paths[-1]):
                yield tuple(files)
            for path, file in zip(paths, files, strict=True):
                with told_of(path):
                    file.flush()
                    if durable:
                        os.fsync(file.fileno())
        if is_alone:
            with _joining:
                if together.abandoned:
                    raise Cancelled
                together.take_places(durable)
        written = True
    finally:
        if is_alone:
            _alone.remove(together)
        if not written:
            together.drop(first)


def require_writable(*paths: Path) -> None:
    """Raise `InputError` where one of `paths` cannot be written; nothing is left behind.

    For work that takes long: its result's place is looked at before.
    """
    for path in paths:
        with told_of(path):
            folder = _place(path).parent
            while not folder.exists():
                folder = folder.parent
            with tempfile.TemporaryFile(dir=folder):
                pass


def write_text(path: Path, text: str, durable: bool = True) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all."""
    with writing(path, durable) as file:
        file.write(text.encode())


def write_texts(texts: Mapping[Path, str]) -> None:
    """Replace the file at each path with its text, all together or none; `InputError` where one cannot be written."""
    with all_or_none():
        for path, text in texts.items():
            write_text(path, text)


def sweep(folders: Iterable[Path]) -> None:
    """Remove what was being written into `folders`, though not below them, when its writer was killed over an hour ago.

    Nothing else is touched, and what cannot be removed stays.
    """
    oldest = time.time() - _ABANDONED_S
    for folder in folders:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if not _UNFINISHED.fullmatch(entry.name):
                    continue
                with contextlib.suppress(OSError):
                    if entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime < oldest:
                        Path(entry).unlink()


def _place(path: Path) -> Path:
    """Return where a file for `path` goes, links followed; `OSError` where there is something it must not replace.

    Renaming asks for no right to write what it replaces, and for root every file is writable: hence the look at the
    mode.
    """
    if "\0" in str(path):
        raise OSError("a name cannot have a NUL character")
    place = Path(os.path.realpath(path))
    try:
        mode = place.lstat().st_mode
    except FileNotFoundError:
        return place
    if stat.S_ISLNK(mode):
        raise OSError("its symbolic links lead in a circle")
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(21, "is a folder")
    if not stat.S_ISREG(mode):
        raise OSError("is no regular file")
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(place, os.W_OK):
        raise PermissionError(13, "is read-only")
    return place


def _mode(place: Path) -> int | None:
    """Return the permissions of the file at `place`, if there is one."""
    return stat.S_IMODE(place.stat().st_mode) & 0o777 if place.exists() else None


@contextlib.contextmanager
def _created(part: Path, mode: int | None) -> Iterator[BufferedRandom]:
    """Open the new file `part` with permissions `mode`; without one as the user's mask has them."""
    # from its first moment it is never more open than it ends: a private file is nobody else's meanwhile
    descriptor = os.open(part, _NEW, 0o666 if mode is None else mode)
    file = os.fdopen(descriptor, "w+b")
    try:
        if mode is not None:
            part.chmod(mode)  # what the user's mask took
        yield file
    finally:
        with contextlib.suppress(OSError):  # what could not be written has been told, and stands in its buffer still
            file.close()


def _make_folder(folder: Path, durable: bool) -> list[Path]:
    """Make `folder` and those above it that are missing; return them, the outermost first."""
    missing: list[Path] = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        if durable:
            _settle(one.parent)
    return missing[::-1]


def _settle(folder: Path) -> None:
    """Have the names in `folder` on the disk, where the system can be asked for that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Raise `InputError` that names `path` for any `OSError` of the block."""
    try:
        yield
    except OSError as fault:
        raise InputError(f"{path}: cannot be written: {fault.strerror or fault}") from None
