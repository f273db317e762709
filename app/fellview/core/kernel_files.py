"""Compiled kernels in files: code that comes back as it was written, or not at all.

Compiled code is a pickle, which runs whatever it names, and machine code, of which one wrong bit may end the process.
So a file begins with a fingerprint of its name and of all that follows, and nothing of it is used before that is right.
A file that fails is dropped, and a file that cannot be written is left out: kernels can be compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from pathlib import Path

from fellview import paths

SUFFIX = ".kernel"

_BEGINS = b"Fellview kernel\n"
_HEAD = len(_BEGINS) + hashlib.sha256().digest_size
_MOST_BYTES = 64_000_000  # the largest is under one million
_UNFINISHED = ".part"
_ABANDONED_S = 3600.0  # no kernel takes that long to write


def read(path: Path) -> bytes | None:
    """Return what was written to `path`; none where there is nothing, and where it is damaged, which is dropped."""
    try:
        status = path.stat()  # before opening: at a pipe that would wait
        written = path.read_bytes() if stat.S_ISREG(status.st_mode) and status.st_size <= _MOST_BYTES else b""
    except FileNotFoundError:
        return None
    except OSError:
        written = b""
    head, content = written[:_HEAD], written[_HEAD:]
    if head == _BEGINS + _fingerprint(path, content):
        return content
    drop(path)
    return None


def write(path: Path, content: bytes) -> None:
    """Keep `content` in `path`, in place of what was there, or leave it out where that cannot be."""
    part = path.with_name(f"{path.name}.{os.getpid()}{_UNFINISHED}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(_BEGINS + _fingerprint(path, content) + content)
        part.replace(path)
    except OSError:  # a full disk, a folder that nobody may write to: the next start compiles again
        with contextlib.suppress(OSError):
            part.unlink()


def drop(path: Path) -> None:
    """Remove what lies at `path`, whatever that is, where it can be removed."""
    try:
        path.unlink()
    except OSError:
        paths.remove_tree(path)


def any_kept(folder: Path) -> bool:
    """Return whether a kernel is kept in `folder`."""
    return any(path.suffix == SUFFIX for path in _entries(folder))


def sweep(folder: Path) -> None:
    """Remove what processes that were killed left half written in `folder`, over an hour ago."""
    oldest = time.time() - _ABANDONED_S
    for path in _entries(folder):
        with contextlib.suppress(OSError):
            if path.suffix == _UNFINISHED and path.stat().st_mtime < oldest:
                drop(path)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _fingerprint(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\n" + content).digest()
