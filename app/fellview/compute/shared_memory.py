"""Blocks of shared memory that arrays go through from one process to another; the window's process owns them all."""

from __future__ import annotations

import threading
from multiprocessing.shared_memory import SharedMemory

import numpy as np

from fellview.core.height_field import Heights


class Block:
    """Shared memory that grows with what is to go in; taking from it and growing wait for each other."""

    def __init__(self) -> None:
        self._memory: SharedMemory | None = None
        self._lock = threading.Lock()

    def fit(self, size: int) -> str:
        """Return the name of a block of at least `size` bytes; what was in it may be gone."""
        with self._lock:
            if self._memory is None or self._memory.size < size:
                self._release()
                self._memory = SharedMemory(create=True, size=size)
            return self._memory.name

    def copy(self, name: str, shape: tuple[int, ...]) -> Heights | None:
        """Return a read-only copy of what lies in the block `name`; none where another one has replaced it."""
        with self._lock:
            if self._memory is None or self._memory.name != name:
                return None
            values = np.ndarray(shape, np.float32, self._memory.buf).copy()
        values.flags.writeable = False
        return values

    def release(self) -> None:
        """Give the memory back."""
        with self._lock:
            self._release()

    def _release(self) -> None:
        if self._memory is not None:
            self._memory.close()
            self._memory.unlink()
            self._memory = None


def write(name: str, arrays: list[Heights]) -> None:
    """Write `arrays` one after the other into the shared memory `name`."""
    memory = SharedMemory(name)
    start = 0
    for values in arrays:
        np.ndarray(values.shape, np.float32, memory.buf, start)[:] = values
        start += values.nbytes
    memory.close()


def read(name: str, shape: tuple[int, ...]) -> Heights:
    """Return a copy of what the shared memory `name` begins with."""
    memory = SharedMemory(name)
    values = np.ndarray(shape, np.float32, memory.buf).copy()
    memory.close()
    return values
