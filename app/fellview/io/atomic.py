"""Files are written beside their place and renamed into it, so that no half-written file is ever seen."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from fellview.core.errors import InputError

_BEGINS, _ENDS = ".fellview-", ".part"
"""Around what `tempfile` makes up: the name of a file while it is written, whatever it will be called."""

_UNFINISHED = re.compile(re.escape(_BEGINS) + "[a-z0-9_]{8}" + re.escape(_ENDS))
_ABANDONED_S = 3600.0  # no file takes that long to write: who began one that old was killed

_asking = threading.Lock()
"""Held while the process's mask is told: two threads at once, and one of them would leave it at 0."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when the block ends well and is dropped otherwise.

    `InputError` names `path` where it cannot be written.
    """
    beside = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(21, "is a folder")
        descriptor, name = tempfile.mkstemp(_ENDS, _BEGINS, path.parent)
        beside = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            yield file
        _give_usual_mode(beside)
        beside.replace(path)
    except OSError as fault:
        raise InputError(f"{path}: cannot be written: {fault.strerror or fault}") from None
    finally:
        if beside is not None:
            beside.unlink(missing_ok=True)


def _give_usual_mode(path: Path) -> None:
    """Undo the private mode of a temporary file: readable as the user's mask allows."""
    with _asking:
        mask = os.umask(0)
        os.umask(mask)
    path.chmod(0o666 & ~mask)


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all."""
    with writing(path) as file:
        file.write(text.encode())


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
