"""The array cache: arrays in files that can be computed again, but not quickly.

A file is a line of JSON, filled up with spaces to a whole number of 64 bytes, and the arrays' bytes one after the
other. The line has the key that says what the arrays were computed from, their types and shapes, and a checksum of
those and the bytes. A file that is missing, damaged or of another key gives nothing, and is written anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.io.atomic import writing

_ALIGNED = 64  # bytes: no array of ours has wider numbers
_FILE = foreign.Kind("cached arrays", 500_000_000)  # bytes: textures with their coarser levels have a fifth
Arrays = tuple[NDArray[Any], ...]


def write(path: Path, key: str, arrays: Iterable[NDArray[Any]]) -> None:
    """Write `arrays`, computed from what `key` says, to `path`, whole or not at all; `InputError` where that cannot be.

    They can be computed again: nothing waits for the disk.
    """
    arrays = [np.ascontiguousarray(each) for each in arrays]
    kinds = [[each.dtype.str, list(each.shape)] for each in arrays]
    checksum = _checksum(kinds, *(_bytes(each) for each in arrays))
    line = json.dumps({"key": key, "arrays": kinds, "checksum": checksum}).encode()
    with writing(path, durable=False) as file:
        file.write(line + b" " * (-(len(line) + 1) % _ALIGNED) + b"\n")
        for each in arrays:
            file.write(_bytes(each))


def read(path: Path, key: str) -> Arrays | None:
    """Return the arrays in `path`, read-only; none where there is none, one of another key or a damaged one."""
    ahead = _ahead.pop(path, None)
    found = _content(path) if ahead is None else ahead.result()
    return found.arrays if found is not None and found.key == key else None


def read_ahead(files: Iterable[Path]) -> None:
    """Have `files` read in another thread, each for the next `read` of it, which waits for that.

    Reading and the checksum need Python's lock for hardly any of the time. A file that is written meanwhile may be read
    as it was.
    """
    wanted = {path: Future[_Content | None]() for path in files}
    _ahead.update(wanted)

    def work() -> None:
        for path, future in wanted.items():
            try:
                future.set_result(_content(path))
            except BaseException as fault:
                future.set_exception(fault)

    Thread(target=work, name="fellview-read-ahead", daemon=True).start()


def forget_ahead() -> None:
    """Forget what was read ahead, and nobody has asked for."""
    _ahead.clear()


@dataclass(frozen=True)
class _Content:
    key: str
    arrays: Arrays


_ahead: dict[Path, Future[_Content | None]] = {}


def _content(path: Path) -> _Content | None:
    """Return what is in the file at `path`; none where there is none, or a damaged one."""
    try:
        content = foreign.content(path, _FILE)
        start = content.index(b"\n") + 1
        told = json.loads(content[:start])
        key = str(told["key"])
        if _checksum(told["arrays"], memoryview(content)[start:]) != told["checksum"]:
            return None
        arrays = []
        for kind, shape in told["arrays"]:
            dtype = np.dtype(kind)
            count = math.prod(shape)
            arrays.append(np.frombuffer(content, dtype, count, start).reshape(shape))
            start += count * dtype.itemsize
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError, MemoryError):
        return None
    return _Content(key, tuple(arrays))


def folder() -> Path:
    """Return the folder of the arrays that `cached` keeps."""
    return paths.cache_folder() / "made"


def kept() -> list[Path]:
    """Return the files of the arrays that `cached` keeps, as far as there are any."""
    return sorted(folder().glob("*.arrays"))


def cached(name: str, sources: Iterable[Path], make: Callable[[], Iterable[NDArray[Any]]]) -> Arrays:
    """Return the arrays that `make` gives, out of the cache where they were computed from the same `sources` before.

    `sources` are the files that decide them: the module that computes them, and what it reads.
    """
    digest = hashlib.sha256(np.__version__.encode())  # another numpy may round otherwise
    for source in sources:
        content = source.read_bytes()
        digest.update(f"{source.name} {len(content)}\n".encode() + content)
    path, key = folder() / f"{name}.arrays", digest.hexdigest()
    found = read(path, key)
    if found is not None:
        return found
    arrays = tuple(make())
    with contextlib.suppress(InputError):  # a full disk costs the time of computing them again, and nothing else
        write(path, key, arrays)
    return arrays


def _checksum(kinds: Any, *parts: memoryview) -> int:
    checksum = zlib.crc32(json.dumps(kinds).encode())
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    return checksum


def _bytes(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data
