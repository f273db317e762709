"""The compute process: runs the pipeline apart from the drawing, which would hold Python's lock and starve it.

One job at a time. What it makes comes back through shared memory, and a listening thread copies it out and calls back.
Flags are bytes of shared memory that kernels and steps read. All shared memory belongs to the window's process, so
that a killed compute process leaves nothing behind; the next job then starts a new one.

A preview or mask is written into its block only once the one before it has been copied out, of which a flag tells, so
that none is torn.

A process that owes an answer and has stopped, or waits for what never comes, is ended like one that died. Compiling
takes longer than any limit, but it takes processor time, and that tells the two apart.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.compute import warm_up
from fellview.compute.protocol import (
    AT_ONCE_S,
    COARSE_WITHIN_S,
    Advanced,
    Died,
    Event,
    Failed,
    Finished,
    Groups,
    Job,
    Listener,
    Masked,
    Previewed,
    Stopped,
    ToldProgress,
)
from fellview.compute.warm_up import SharedEngine
from fellview.core import compiled
from fellview.core.errors import Cancelled, FellviewError
from fellview.core.height_field import HeightField, Heights
from fellview.terrain.domain import Grid
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.pipeline.pipeline import Pipeline, Result
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land

_CANCEL, _KEEP, _NO_MASKS, _PREVIEW_WAITS, _MASKS_WAIT, _ELSEWHERE, _WAITS_ELSEWHERE, _FLAGS = range(8)
_BEHIND = 15  # of niceness: else the first land, whose shaders are compiled then, shows after 5.2 s and not 3.8
_LOOK_EVERY_S = 0.002  # whether masks have been copied out
_SILENT_S = 10.0  # without a word and without processor time: nothing that computes takes its time so
_LISTEN_S = 1.0  # between two looks at whether it does

# In metres a cell, 4 bytes each: heights and previews in shared memory, their copies and the window's two textures, and
# what an iterative step makes a picture on its way with.
_BYTES_BESIDE = 4 * 8
_BYTES_A_MASK = 4 * 3  # made, in shared memory, copied out


@dataclass(frozen=True)
class _Order:
    """A job for the process, and the shared memory that its results go to."""

    number: int
    job: Job
    heights: str
    preview: str
    masks: str


@dataclass(frozen=True)
class _MaskOrder:
    """The masks of `job` for the process to make of the land of `groups`, which lies in shared memory `land`.

    There are its heights, those that erosion started from, and its `fields`.
    """

    number: int
    job: Job
    groups: Groups
    cell_size: tuple[float, float]
    shape: tuple[int, int]
    fields: tuple[str, ...]
    land: str
    masks: str


@dataclass(frozen=True)
class _Written:
    """Says that `what` lies in shared memory `memory`: as many arrays of `shape` as there are masks, else one."""

    number: int  # the order's
    event: Finished | Previewed | Masked
    memory: str
    shape: tuple[int, int]


class _NothingCompiled:
    """Says that the process is the first to compile anything."""


@dataclass(frozen=True)
class _Answered:
    """Says that nothing more comes of the order of that number."""

    number: int


class Silence:
    """Tells when a process has said and done nothing for `limit_s`.

    Only time counts in which the own process ran, too: between two looks at most `most_s`. So neither a machine that
    slept nor a window that was stopped with it takes it for dead.
    """

    def __init__(self, limit_s: float, most_s: float) -> None:
        self._limit_s, self._most_s = limit_s, most_s
        self._lasts_s = 0.0
        self._looked = time.monotonic()
        self._spent_s = 0.0

    def end(self) -> None:
        """Take in that something was said, or that nothing is expected."""
        self._lasts_s = 0.0
        self._looked = time.monotonic()

    def lasts(self, spent_s: float) -> bool:
        """Return whether it has lasted that long; `spent_s` is the processor time that the process has taken so far."""
        now = time.monotonic()
        self._lasts_s += min(now - self._looked, self._most_s)
        self._looked = now
        if spent_s != self._spent_s:
            self._spent_s, self._lasts_s = spent_s, 0.0
        return self._lasts_s >= self._limit_s


def processor_s(number: int | None) -> float:
    """Return the seconds of processor time, and of waiting for disks, that the process `number` has taken.

    Not a number, which is like nothing else, where the system does not tell.
    """
    import psutil  # of a job that takes long alone: a start need not wait for it

    try:
        return float(sum(psutil.Process(number).cpu_times()))
    except (psutil.Error, OSError, ValueError):
        return math.nan


class _Block:
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


class ComputeProcess:
    """Starts, feeds, cancels, restarts and ends the process.

    A `Computer`; `listener` receives its events on a thread of their own.
    """

    name = "CPU"

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._context = multiprocessing.get_context("spawn")
        self._flags_memory = SharedMemory(create=True, size=_FLAGS)
        self._flags = np.ndarray(_FLAGS, np.uint8, self._flags_memory.buf)
        self._heights, self._preview, self._masks = _Block(), _Block(), _Block()
        self._closing = False
        self._number = 0  # of orders
        self._ordered = self._answered = 0  # the last ones' numbers
        self._first: Job | None = None
        self._nothing_compiled = False
        self._helping: threading.Thread | None = None
        self._helper: BaseProcess | None = None
        self._help_lock = threading.Lock()
        self._start()

    @property
    def process_id(self) -> int | None:
        """The operating system's number of the process."""
        return self._process.pid

    def _start(self) -> None:
        self._buried = self._silent = False
        self._answered = self._ordered
        self._flags[:] = 0
        self._connection, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=_serve, args=(theirs, self._flags_memory.name), name="fellview-compute", daemon=True
        )
        self._process.start()
        theirs.close()
        self._thread = threading.Thread(target=self._listen, args=(self._connection,), daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Start `job`; the one before it must have ended. On a dead process `Died` ends it."""
        grid = job.groups["grid"]
        assert isinstance(grid, Grid)
        size = 4 * grid.rows * grid.columns
        self.give_up_masks()
        self._flags[_CANCEL] = self._flags[_KEEP] = 0
        masks = self._masks.fit(max(1, len(job.masks) * size))
        self._first = self._first or job
        self._help()
        self._order(_Order(self._number, job, self._heights.fit(size), self._preview.fit(size), masks))

    def _help(self) -> None:
        """Have a second process compile a part of the first job's kernels where none is compiled yet."""
        with self._help_lock:
            job = self._first
            if not self._nothing_compiled or job is None or self._helping is not None or self._closing:
                return
            if warm_up.helps(job.groups) and (os.cpu_count() or 1) > 1:
                self._flags[_ELSEWHERE] = 1
                self._helping = threading.Thread(target=self._await_help, args=(job.groups,), daemon=True)
                self._helping.start()

    def _await_help(self, groups: Groups) -> None:
        """Run the second process to its end, whatever that is; runs on a thread of its own."""
        try:
            helper = self._context.Process(
                target=_compile_apart, args=(groups,), name="fellview-compile", daemon=True
            )  # fmt: skip
            helper.start()
            self._helper = helper
            if self._closing:
                helper.kill()
            helper.join()
        finally:
            self._flags[_ELSEWHERE] = 0

    def make_masks(self, job: Job, groups: Groups, land: Land, base: Heights, cell_size: tuple[float, float]) -> None:
        """Make what `job` wants of the masks of `land`, which `groups` gave elsewhere; `Masked` follows, or nothing.

        `base` are the heights that erosion started from.
        """
        rows, columns = land.heights.shape
        arrays = [land.heights, base, *land.fields.values()]
        self.give_up_masks()
        memory = self._heights.fit(len(arrays) * base.nbytes)
        _write(memory, arrays)
        masks = self._masks.fit(len(job.masks) * base.nbytes)
        shape = rows, columns
        self._order(_MaskOrder(self._number, job, groups, cell_size, shape, tuple(land.fields), memory, masks))

    def give_up_masks(self) -> None:
        """Have no masks come any more of what was ordered before."""
        self._number += 1
        self._flags[_NO_MASKS] = 1  # the process takes it back as it takes the next order

    def _order(self, order: _Order | _MaskOrder) -> None:
        if self._buried:
            self._process.join()
            self._thread.join()
            self._connection.close()
            self._start()
        self._ordered = order.number
        # a broken connection is told by the listening thread as Died
        with contextlib.suppress(OSError):
            self._connection.send(order)

    def acknowledge_death(self) -> None:
        """Say that `Died` was taken in: the next job gets a new process.

        Not before, or a death that is still to be told would end the job that the new process has.
        """
        self._buried = True

    def cancel(self) -> None:
        """Ask the job under way to stop; `Stopped` follows, or its end if it was quicker."""
        self._flags[_CANCEL] = 1

    def keep(self) -> None:
        """Ask the step at work to end with what it has reached; the job then goes on to its end."""
        self._flags[_KEEP] = 1

    def close(self) -> None:
        """End the process for good and give the shared memory back."""
        self._closing = True
        self._flags[_CANCEL] = self._flags[_NO_MASKS] = 1
        with contextlib.suppress(OSError):
            self._connection.send(None)
        self._process.join(timeout=0.5)  # a step reads the flag every 30 ms; compiling does not
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._thread.join()  # its connection ended with the process
        self._connection.close()
        with self._help_lock:
            helping = self._helping
        if self._helper is not None:
            self._helper.kill()
        if helping is not None:
            helping.join()
        for block in (self._heights, self._preview, self._masks):
            block.release()
        del self._flags  # the view holds the memory
        self._flags_memory.close()
        self._flags_memory.unlink()

    def _listen(self, connection: Connection) -> None:
        """Turn messages into events until the process or the connection ends; runs on a thread of its own."""
        silence = Silence(_SILENT_S, 2 * _LISTEN_S)
        try:
            while True:
                if not connection.poll(_LISTEN_S):
                    self._look_at(silence)
                    continue
                message = connection.recv()
                silence.end()
                if isinstance(message, _NothingCompiled):
                    self._nothing_compiled = True
                    self._help()
                elif isinstance(message, _Answered):
                    self._answered = message.number
                else:
                    event = self._filled(message) if isinstance(message, _Written) else message
                    if event is not None:
                        self._listener(event)
        except (EOFError, OSError):
            if not self._closing:
                self._listener(Died("did not answer") if self._silent else Died())

    def _look_at(self, silence: Silence) -> None:
        """End the process where it owes an answer and has been silent for too long.

        Where it has nothing to do but wait for what its helper compiles, that goes for the helper, without which it
        compiles all by itself.
        """
        if self._ordered == self._answered:
            silence.end()
            return
        helper = self._helper if self._flags[_ELSEWHERE] and self._flags[_WAITS_ELSEWHERE] else None
        if helper is not None:
            if silence.lasts(processor_s(helper.pid)):
                helper.kill()
        elif silence.lasts(processor_s(self._process.pid)):
            self._silent = True
            self._process.kill()

    def _filled(self, written: _Written) -> Event | None:
        """Return the event with its arrays copied out of shared memory; none where that has been given back since."""
        match written.event:
            case Finished() as event:
                heights = self._heights.copy(written.memory, written.shape)
                assert heights is not None, "the next job has not begun"
                field = replace(event.result.field, heights=heights)
                return Finished(event.groups, replace(event.result, field=field))
            case Previewed() as event:
                heights = self._preview.copy(written.memory, written.shape)
                self._flags[_PREVIEW_WAITS] = 0
                return None if heights is None else Previewed(event.groups, replace(event.field, heights=heights))
            case Masked() as event:
                values = self._masks.copy(written.memory, (len(event.masks), *written.shape))
                self._flags[_MASKS_WAIT] = 0
                if values is None or written.number != self._number:
                    return None
                return Masked(event.groups, dict(zip(event.masks, values, strict=True)))


_NOTHING: Heights = np.empty((0, 0), np.float32)  # stands for arrays that lie in shared memory instead


def _serve(connection: Connection, flags_name: str) -> None:
    """Serve jobs until told to end or the connection closes; runs in the compute process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal reaches both; the window ends us
    _end_with_window()
    flags_memory = SharedMemory(flags_name)
    flags = np.ndarray(_FLAGS, np.uint8, flags_memory.buf)
    server = _Server(flags, connection.send)
    compiled.load()
    if compiled.none_compiled():
        connection.send(_NothingCompiled())
    compiled.tell_compiling(server.tell_compiling)
    with contextlib.suppress(EOFError, OSError):  # the window is gone
        while (order := connection.recv()) is not None:
            flags[_NO_MASKS] = 0
            if isinstance(order, _MaskOrder):
                server.answer_masks(order)
            else:
                server.answer(order)
            connection.send(_Answered(order.number))
    server.leave_flags()
    flags = np.empty(0, np.uint8)  # the views hold the memory
    flags_memory.close()


def _end_with_window() -> None:
    """Have this process end once the window's has, even killed, and not when its work is done: that can take long."""
    window = multiprocessing.parent_process()
    assert window is not None

    def follow() -> None:
        window.join()
        os._exit(1)

    threading.Thread(target=follow, name="fellview-follow", daemon=True).start()


def _compile_apart(groups: Groups) -> None:
    """Compile the erosion of `groups`; runs in the second process. A fault shows itself where the erosion is to run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_window()
    if hasattr(os, "nice"):
        os.nice(_BEHIND)
    with contextlib.suppress(FellviewError):
        warm_up.compile_erosion(groups)


class _Server:
    """Runs jobs in the compute process and sends what they make."""

    def __init__(self, flags: NDArray[np.uint8], send: Callable[[Any], None]) -> None:
        self.flags = flags
        self._send = send
        self._engine = SharedEngine(flags[_ELSEWHERE : _ELSEWHERE + 1], flags[_WAITS_ELSEWHERE : _WAITS_ELSEWHERE + 1])
        self._pipeline = Pipeline(self._engine)
        self._works = False

    def leave_flags(self) -> None:
        """Let go of the shared memory that the flags are in."""
        self.flags = self._engine.elsewhere = self._engine.waits = np.empty(0, np.uint8)

    def tell_compiling(self, kernel: str) -> None:
        """Send that a kernel of the step at work is being compiled; one for masks is nobody's progress."""
        if self._works:
            self._send(Advanced(self._engine.step, self._engine.compiled, compiling=True))

    def answer(self, order: _Order) -> None:
        """Run one job; a step that fails in any way must not end the process."""
        groups = order.job.groups
        self._engine.groups = groups
        self._works = True
        try:
            result = self._run(order)
        except Cancelled:
            self._send(Stopped())
            return
        except FellviewError as fault:
            self._send(Failed(groups, str(fault)))
            return
        except OSError:
            raise
        except Exception as fault:
            # numba's messages run over pages; the first line says what it was
            first_line = next(iter(str(fault).splitlines()), "")
            self._send(Failed(groups, f"computing failed: {type(fault).__name__}: {first_line}"))
            return
        finally:
            self._works = False
        groups = {**groups, **result.changed}
        field = result.field
        _write(order.heights, [field.heights])
        bare = replace(result, field=HeightField(_NOTHING, field.cell_size))
        self._send(_Written(order.number, Finished(groups, bare), order.heights, field.heights.shape))
        if order.job.masks:
            assert isinstance(field.masks, Masks)
            self._send_masks(order, groups, field.masks.with_water(order.job.water), field.heights.shape)

    def answer_masks(self, order: _MaskOrder) -> None:
        """Make masks of land that was computed elsewhere."""
        try:
            heights, base, *fields = _read(order.land, (2 + len(order.fields), *order.shape))
        except FileNotFoundError:
            return  # larger land has come meanwhile
        land = Land(heights, dict(zip(order.fields, fields, strict=True)))
        self._send_masks(
            order, order.groups, Masks(land, order.cell_size, base).with_water(order.job.water), order.shape
        )

    def _run(self, order: _Order) -> Result:
        """Return the job's result, and on the way show what can be shown early."""
        job, flags = order.job, self.flags
        cancel, keep = flags[_CANCEL : _CANCEL + 1], flags[_KEEP : _KEEP + 1]
        seen = job.seen  # cells of the finest preview: what is coarser would go back
        coarse = self._pipeline.coarse(job.groups, AT_ONCE_S, COARSE_WITHIN_S)
        if coarse is not None and job.wants(coarse["grid"]):
            with contextlib.suppress(FellviewError):  # the grid itself may do better, or says what is wrong
                result = self._pipeline.run(coarse, Progress(cancel))
                seen = result.field.heights.size
                self._show(order, result.field.heights)

        def show(heights: Heights) -> None:
            # a land on its way is less than one of which coarse cells are seen already
            if heights.size >= seen and not job.seen:
                self._show(order, heights)

        progress = ToldProgress(self._send, cancel, keep, show)
        return self._pipeline.run(job.groups, progress, _BYTES_BESIDE + _BYTES_A_MASK * len(job.masks))

    def _show(self, order: _Order, heights: Heights) -> None:
        """Send a preview, unless the one before it has not been taken yet or it is not finite."""
        if self.flags[_PREVIEW_WAITS] or not np.isfinite(heights).all():
            return
        grid = order.job.groups["grid"]
        assert isinstance(grid, Grid)
        _write(order.preview, [heights])
        self.flags[_PREVIEW_WAITS] = 1
        cell_size = grid.replace(rows=heights.shape[0], columns=heights.shape[1]).cell_size
        event = Previewed(order.job.groups, HeightField(_NOTHING, cell_size))
        self._send(_Written(order.number, event, order.preview, heights.shape))

    def _send_masks(self, order: _Order | _MaskOrder, groups: Groups, masks: Masks, shape: tuple[int, int]) -> None:
        """Send the masks that the job wants and the land has, unless the next job comes first."""
        stop = self.flags[_NO_MASKS : _NO_MASKS + 1]
        names = sorted(order.job.masks & set(masks))
        try:
            made = [masks.make(name, stop) for name in names]
        except Cancelled:
            return
        while self.flags[_MASKS_WAIT]:
            if stop[0]:
                return
            time.sleep(_LOOK_EVERY_S)
        try:
            _write(order.masks, made)
        except FileNotFoundError:
            return  # a job on a larger grid has come meanwhile
        self.flags[_MASKS_WAIT] = 1
        self._send(_Written(order.number, Masked(groups, dict.fromkeys(names, _NOTHING)), order.masks, shape))


def _write(name: str, arrays: list[Heights]) -> None:
    """Write `arrays` one after the other into the shared memory `name`."""
    memory = SharedMemory(name)
    start = 0
    for values in arrays:
        np.ndarray(values.shape, np.float32, memory.buf, start)[:] = values
        start += values.nbytes
    memory.close()


def _read(name: str, shape: tuple[int, ...]) -> Heights:
    """Return a copy of what the shared memory `name` begins with."""
    memory = SharedMemory(name)
    values = np.ndarray(shape, np.float32, memory.buf).copy()
    memory.close()
    return values
