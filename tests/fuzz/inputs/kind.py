"""One way in from outside: what makes a case of it, and what reads that.

A kind makes a case out of a seed alone, so that a failure comes again by its kind and number.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from fellview.core import decoders  # noqa: F401 # loads its libraries before calls are watched

Bytes = Callable[[Random], bytes]


@dataclass(frozen=True)
class Kind:
    """One way in. `make` fills a folder and returns what to read in it; `read` does, and returns every line it told.

    A kind that is `sure` has to take whatever is there; the others may refuse it by a `FellviewError`. Into folders
    that it names itself, `may_write`, it may try to.
    """

    make: Callable[[Random, Path], Any]
    read: Callable[[Any, Path], list[str]]
    sure: bool = False
    may_write: tuple[str, ...] = ()


def placed(random: Random, path: Path, content: Callable[[], bytes]) -> None:
    """Put `content` at `path`; one time in twenty what is no regular file, or nothing."""
    way = random.randrange(200)
    if way == 0:
        os.mkfifo(path)
    elif way == 1:
        path.symlink_to(random.choice(("/dev/zero", "/dev/urandom", "/dev/full", "/dev/tty", "/proc/self/mem")))
    elif way == 2:
        path.symlink_to(path.name)
    elif way == 3:
        path.mkdir()
    elif way == 4:
        path.symlink_to("nowhere")
    elif way == 5:
        pipe = path.with_name("pipe")
        os.mkfifo(pipe)
        path.symlink_to(pipe)
    elif way == 6:
        with path.open("wb") as file:
            file.truncate(random.choice((1 << 20, 3_000_000_000, 20_000_000_000)))
    elif way == 7:
        path.write_bytes(b"")
    elif way == 8:
        path.write_bytes(random.randbytes(random.choice((1, 8, 100, 10_000))))
    elif way == 9:
        path.symlink_to("/proc/self/environ")
    else:
        path.write_bytes(content())


def with_neighbours(random: Random, folder: Path) -> None:
    """Put what a recipe may name beside it."""
    if random.random() < 0.1:
        os.mkfifo(folder / "pipe.r16")
        (folder / "loop.png").symlink_to("loop.png")
