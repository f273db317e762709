"""The compute process: runs the pipeline apart from the drawing, which would hold Python's lock and starve it.

One job at a time. Its heights come back through shared memory, and a listening thread copies them out and calls back.
The cancel flag is one byte of shared memory that kernels read. All shared memory belongs to the window's process, so
that a killed compute process leaves nothing behind; the next job then starts a new one.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import threading
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory

import numpy as np

from fellview.core import compiled
from fellview.core.errors import Cancelled, FellviewError
from fellview.core.height_field import HeightField
from fellview.core.progress import Progress
from fellview.jobs import Advanced, Died, Failed, Finished, Groups, Job, Listener, Stopped
from fellview.terrain.domain import Grid
from fellview.terrain.engine import CpuEngine
from fellview.terrain.pipeline import Pipeline, Result, StepTime


class ComputeProcess:
    """Starts, feeds, cancels, restarts and ends the process.

    A `Computer`; `listener` receives its events on a thread of their own.
    """

    name = "CPU"

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._context = multiprocessing.get_context("spawn")
        self._cancel_memory = SharedMemory(create=True, size=1)
        self._cancel = np.ndarray(1, np.uint8, self._cancel_memory.buf)
        self._heights_memory: SharedMemory | None = None
        self._closing = False
        self._start()

    @property
    def process_id(self) -> int | None:
        """The operating system's number of the process."""
        return self._process.pid

    def _start(self) -> None:
        self._buried = False
        self._connection, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=_serve, args=(theirs, self._cancel_memory.name), name="fellview-compute", daemon=True
        )
        self._process.start()
        theirs.close()
        self._thread = threading.Thread(target=self._listen, args=(self._connection,), daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Start `job`; the one before it must have ended. On a dead process `Died` ends it."""
        groups = job.groups
        if self._buried:
            self._process.join()
            self._thread.join()
            self._connection.close()
            self._start()
        grid = groups["grid"]
        assert isinstance(grid, Grid)
        bytes_needed = 4 * grid.rows * grid.columns
        if self._heights_memory is None or self._heights_memory.size < bytes_needed:
            self._release_heights()
            self._heights_memory = SharedMemory(create=True, size=bytes_needed)
        self._cancel[0] = 0
        # a broken connection is told by the listening thread as Died
        with contextlib.suppress(OSError):
            self._connection.send((groups, self._heights_memory.name))

    def acknowledge_death(self) -> None:
        """Say that `Died` was taken in: the next job gets a new process.

        Not before, or a death that is still to be told would end the job that the new process has.
        """
        self._buried = True

    def cancel(self) -> None:
        """Ask the job under way to stop; `Stopped` follows, or its end if it was quicker."""
        self._cancel[0] = 1

    def keep(self) -> None:
        """Ask the step at work to end with what it has reached; the job then goes on to its end."""

    def close(self) -> None:
        """End the process for good and give the shared memory back."""
        self._closing = True
        self._cancel[0] = 1
        with contextlib.suppress(OSError):
            self._connection.send(None)
        self._process.join(timeout=0.5)  # a step reads the flag every 30 ms; compiling does not
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._thread.join()  # its connection ended with the process
        self._connection.close()
        self._release_heights()
        del self._cancel  # the view holds the memory
        self._cancel_memory.close()
        self._cancel_memory.unlink()

    def _release_heights(self) -> None:
        if self._heights_memory is not None:
            self._heights_memory.close()
            self._heights_memory.unlink()
            self._heights_memory = None

    def _listen(self, connection: Connection) -> None:
        """Turn messages into events until the process or the connection ends; runs on a thread of its own."""
        try:
            while True:
                message = connection.recv()
                self._listener(self._with_heights(*message) if isinstance(message, tuple) else message)
        except (EOFError, OSError):
            if not self._closing:
                self._listener(Died())

    def _with_heights(self, groups: Groups, shape: tuple[int, int], times: tuple[StepTime, ...]) -> Finished:
        """Return the finished job with its heights copied out of shared memory, which the next job overwrites."""
        assert self._heights_memory is not None
        grid = groups["grid"]
        assert isinstance(grid, Grid)
        heights = np.ndarray(shape, np.float32, self._heights_memory.buf).copy()
        heights.flags.writeable = False
        return Finished(groups, Result(HeightField(heights, grid.cell_size), times))


def _serve(connection: Connection, cancel_name: str) -> None:
    """Serve jobs until told to end or the connection closes; runs in the compute process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal reaches both; the window ends us
    cancel_memory = SharedMemory(cancel_name)
    cancel = np.ndarray(1, np.uint8, cancel_memory.buf)
    progress = Progress(cancel, lambda step, fraction: connection.send(Advanced(step, fraction)))
    pipeline = Pipeline(CpuEngine())
    compiled.load()
    with contextlib.suppress(EOFError, OSError):  # the window is gone
        while (job := connection.recv()) is not None:
            groups, heights_name = job
            connection.send(_answer(pipeline, groups, heights_name, progress))
    del cancel, progress
    cancel_memory.close()


def _answer(
    pipeline: Pipeline, groups: Groups, heights_name: str, progress: Progress
) -> Failed | Stopped | tuple[Groups, tuple[int, ...], tuple[StepTime, ...]]:
    """Run one job, its heights into shared memory; a step that fails in any way must not end the process."""
    try:
        result = pipeline.run(groups, progress)
    except Cancelled:
        return Stopped()
    except FellviewError as fault:
        return Failed(groups, str(fault))
    except OSError:
        raise
    except Exception as fault:
        # numba's messages run over pages; the first line says what it was
        first_line = next(iter(str(fault).splitlines()), "")
        return Failed(groups, f"computing failed: {type(fault).__name__}: {first_line}")
    heights = result.field.heights
    memory = SharedMemory(heights_name)
    np.ndarray(heights.shape, np.float32, memory.buf)[:] = heights
    memory.close()
    return groups, heights.shape, result.times
