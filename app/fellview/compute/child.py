"""The process that computes, apart from what it is asked: started, ended, and the two ways to it.

Orders and answers go through a pipe. Flags lie in memory that both sides see. All of it belongs to the window's
process, so that a killed compute process leaves nothing behind.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory

import numpy as np

from fellview.compute.flags import ROOM


def _serve(connection: Connection, flags_name: str) -> None:
    """Serve jobs (`server.py`); runs in the compute process, which alone reads what that needs."""
    from fellview.compute import server

    server.serve(connection, flags_name)


class Child:
    """A compute process that runs. `serve` is what runs in it.

    It may be started long before a `ComputeProcess` takes it: it loads its kernels while the window's modules are read.
    Where it `waits`, it is not started before `begin`, which leaves the processor's cores to others; what it is sent
    until then it finds.
    """

    def __init__(self, serve: Callable[[Connection, str], None] = _serve, *, waits: bool = False) -> None:
        self.context = multiprocessing.get_context("spawn")
        self._serve = serve
        self._memory = SharedMemory(create=True, size=ROOM)
        self.flags = np.ndarray(ROOM, np.uint8, self._memory.buf)
        self._prepare()
        if not waits:
            self.begin()

    @property
    def flags_name(self) -> str:
        """The name of the shared memory that the flags lie in."""
        return self._memory.name

    def _prepare(self) -> None:
        """Make the process, and the way to it."""
        self.flags[:] = 0
        self.connection, self._theirs = self.context.Pipe()
        self.process: BaseProcess = self.context.Process(
            target=self._serve, args=(self._theirs, self.flags_name), name="fellview-compute", daemon=True
        )

    @property
    def has_begun(self) -> bool:
        """Return whether the process was started."""
        return self.process.pid is not None

    def begin(self) -> None:
        """Start the process, unless that was done."""
        if not self.has_begun:
            self.process.start()
            self._theirs.close()

    def start_anew(self) -> None:
        """Start another process in the place of this one, which has ended."""
        self.process.join()
        self.connection.close()
        self._prepare()
        self.begin()

    def end(self, within_s: float) -> None:
        """Wait for the process, which was told to end, for so long at the most, and end it then.

        The connection ends with it.
        """
        if not self.has_begun:
            self._theirs.close()
            return
        self.process.join(timeout=within_s)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()

    def close(self) -> None:
        """End the process for good, whatever it does, and give the memory back; does nothing a second time."""
        if self.connection.closed:
            return
        self.end(0)
        self.connection.close()
        del self.flags  # the view holds the memory
        self._memory.close()
        self._memory.unlink()
