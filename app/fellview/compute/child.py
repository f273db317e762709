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
    """

    def __init__(self, serve: Callable[[Connection, str], None] = _serve) -> None:
        self.context = multiprocessing.get_context("spawn")
        self._serve = serve
        self._memory = SharedMemory(create=True, size=ROOM)
        self.flags = np.ndarray(ROOM, np.uint8, self._memory.buf)
        self.process, self.connection = self._started()

    @property
    def flags_name(self) -> str:
        """The name of the shared memory that the flags lie in."""
        return self._memory.name

    def _started(self) -> tuple[BaseProcess, Connection]:
        self.flags[:] = 0
        ours, theirs = self.context.Pipe()
        process = self.context.Process(
            target=self._serve, args=(theirs, self.flags_name), name="fellview-compute", daemon=True
        )
        process.start()
        theirs.close()
        return process, ours

    def start_anew(self) -> None:
        """Start another process in the place of this one, which has ended."""
        self.process.join()
        self.connection.close()
        self.process, self.connection = self._started()

    def close(self) -> None:
        """End the process for good, whatever it does, and give the memory back; does nothing a second time."""
        if self.connection.closed:
            return
        self.process.kill()
        self.process.join()
        self.connection.close()
        del self.flags  # the view holds the memory
        self._memory.close()
        self._memory.unlink()
