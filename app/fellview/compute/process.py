"""The window's side of the compute process, which runs the pipeline apart from the drawing.

Drawing would hold Python's lock and starve it. One job at a time. What the process makes comes back through shared
memory, and a listening thread copies it out and calls back. All shared memory belongs to the window's process, so that
a killed compute process leaves nothing behind; the next job then starts a new one.

A process that owes an answer and has stopped, or waits for what never comes, is ended like one that died.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from fellview.compute import server, warm_up
from fellview.compute.child import Child
from fellview.compute.flags import Flag
from fellview.compute.messages import ELSEWHERE, Answered, HelpWanted, MaskOrder, Order, Said, Written
from fellview.compute.protocol import (
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
)
from fellview.compute.shared_memory import Block, write
from fellview.compute.watchdog import Silence, processor_s
from fellview.core.height_field import Heights
from fellview.terrain.domain import Grid, group_of
from fellview.terrain.step import Land


@dataclass(frozen=True)
class Limits:
    """How long a process that owes an answer may be silent, and how often that is looked at, in seconds."""

    silent_s: float = 10.0  # without a word and without processor time: nothing that computes takes its time so
    look_every_s: float = 1.0


_LIMITS = Limits()


class ComputeProcess:
    """Starts, feeds, cancels, restarts and ends the process.

    A `Computer`; `listener` receives its events on a thread of their own. `child` is a process that runs already; where
    there is none, one is started. `compile_apart` is what runs in the processes that help it at a very first start.
    `clock` gives seconds that only rise.
    """

    name = "CPU"

    def __init__(
        self,
        listener: Listener,
        limits: Limits = _LIMITS,
        clock: Callable[[], float] = time.monotonic,
        child: Child | None = None,
        compile_apart: Callable[[Groups, Sequence[str], str], None] = server.compile_apart,
    ) -> None:
        self._listener = listener
        self._limits, self._clock = limits, clock
        self._child = child or Child()
        self._compile_apart = compile_apart
        self._heights, self._preview, self._masks = Block(), Block(), Block()
        self._closing = False
        self._number = 0  # of orders
        self._ordered = self._answered = 0  # the last ones' numbers
        self._masks_follow = False  # what was ordered last
        self._to_help: list[threading.Thread] = []  # each runs a process; those that wait for their turn
        self._helping: list[threading.Thread] = []
        self._help_lock = threading.Lock()
        self.helpers: list[BaseProcess] = []
        """The processes that compile, or have compiled, a part of the first job's kernels each."""
        self._listen_to_child()

    @property
    def process_id(self) -> int | None:
        """The operating system's number of the process."""
        return self._child.process.pid

    @property
    def alive(self) -> bool:
        """Return whether the process runs."""
        return self._child.process.is_alive()

    def _listen_to_child(self) -> None:
        self._buried = self._silent = False
        self._answered = self._ordered
        self._thread = threading.Thread(target=self._listen, args=(self._child.connection,), daemon=True)
        self._thread.start()

    def get_ready(self) -> None:
        """Have the process started where it was not yet."""
        self._child.begin()

    def submit(self, job: Job) -> None:
        """Start `job`; the one before it must have ended. On a dead process `Died` ends it."""
        grid = group_of(job.groups, Grid)
        size = 4 * grid.rows * grid.columns
        self.give_up_masks()
        self._child.flags[Flag.CANCEL] = self._child.flags[Flag.KEEP] = 0
        self._masks_follow = bool(job.masks)
        masks = self._masks.fit(max(1, len(job.masks) * size))
        self._order(Order(self._number, job, self._heights.fit(size), self._preview.fit(size), masks))

    def _prepare_help(self, groups: Groups) -> None:
        """Have processes to help with the kernels of the land of `groups`, or none where some have helped before."""
        for share in warm_up.shares(groups):
            if self._helping:
                self._compiled(share)
            else:
                self._to_help.append(threading.Thread(target=self._await_help, args=(groups, share), daemon=True))

    def _help(self, said: Said) -> None:
        """Have processes help where that is prepared: one while the first compiles, another once that waits for them.

        So two compile at any time. Three would keep the first from what is waited for most.
        """
        waits = isinstance(said, Advanced) and bool(self._child.flags[ELSEWHERE[said.step]])
        with self._help_lock:
            while self._to_help and not self._closing and (waits or not self._helping):
                self._helping.append(self._to_help.pop(0))
                self._helping[-1].start()

    def _await_help(self, groups: Groups, share: Sequence[str]) -> None:
        """Run a process that compiles `share` to its end, whatever that is; runs on a thread of its own."""
        try:
            helper = self._child.context.Process(
                target=self._compile_apart,
                args=(groups, share, self._child.flags_name),
                name="fellview-compile",
                daemon=True,
            )
            helper.start()
            self.helpers.append(helper)
            if self._closing:
                helper.kill()
            helper.join()
        finally:
            self._compiled(share)

    def _compiled(self, share: Sequence[str]) -> None:
        """Have what `share` names wait for others no longer."""
        for what in share:
            self._child.flags[ELSEWHERE[what]] = 0

    def make_masks(self, job: Job, groups: Groups, land: Land, base: Heights, cell_size: tuple[float, float]) -> None:
        """Make what `job` wants of the masks of `land`, which `groups` gave elsewhere; `Masked` follows, or nothing.

        `base` are the heights that erosion started from.
        """
        rows, columns = land.heights.shape
        arrays = [land.heights, base, *land.fields.values()]
        self.give_up_masks()
        memory = self._heights.fit(len(arrays) * base.nbytes)
        write(memory, arrays)
        self._masks_follow = True
        masks = self._masks.fit(len(job.masks) * base.nbytes)
        shape = rows, columns
        self._order(MaskOrder(self._number, job, groups, cell_size, shape, tuple(land.fields), memory, masks))

    def give_up_masks(self) -> None:
        """Have no masks come any more of what was ordered before."""
        self._number += 1
        self._child.flags[Flag.NO_MASKS] = 1  # the process takes it back as it takes the next order

    def _order(self, order: Order | MaskOrder) -> None:
        if self._buried:
            self._thread.join()
            self._child.start_anew()
            self._listen_to_child()
        self._child.begin()
        self._ordered = order.number
        # a broken connection is told by the listening thread as Died
        with contextlib.suppress(OSError):
            self._child.connection.send(order)

    def acknowledge_death(self) -> None:
        """Say that `Died` was taken in: the next job gets a new process.

        Not before, or a death that is still to be told would end the job that the new process has.
        """
        self._buried = True

    def cancel(self) -> None:
        """Ask the job under way to stop; `Stopped` follows, or its end if it was quicker."""
        self._child.flags[Flag.CANCEL] = 1

    def keep(self) -> None:
        """Ask the step at work to end with what it has reached; the job then goes on to its end."""
        self._child.flags[Flag.KEEP] = 1

    def close(self) -> None:
        """End the process for good and give the shared memory back."""
        self._closing = True
        self._child.flags[Flag.CANCEL] = self._child.flags[Flag.NO_MASKS] = 1
        with contextlib.suppress(OSError):
            self._child.connection.send(None)
        self._child.end(within_s=0.5)  # a step reads the flag every 30 ms; compiling does not
        self._thread.join()  # its connection ended with the process
        with self._help_lock:
            helping = self._helping
        for helper in self.helpers:
            helper.kill()
        for thread in helping:
            thread.join()
        for block in (self._heights, self._preview, self._masks):
            block.release()
        self._child.close()

    def _listen(self, connection: Connection) -> None:
        """Turn messages into events until the process or the connection ends; runs on a thread of its own."""
        silence = Silence(self._limits.silent_s, 2 * self._limits.look_every_s, self._clock)
        try:
            while True:
                if not connection.poll(self._limits.look_every_s):
                    self._look_at(silence)
                    continue
                message: Said = connection.recv()
                silence.end()
                if isinstance(message, HelpWanted):
                    self._prepare_help(message.groups)
                self._help(message)
                if isinstance(message, Answered):
                    self._answered = message.number
                elif not isinstance(message, HelpWanted):
                    event = self._filled(message) if isinstance(message, Written) else message
                    if isinstance(event, Failed | Stopped) or (isinstance(event, Finished) and not self._masks_follow):
                        self._answered = self._ordered  # said here, as whoever listens may order the next one at once
                    if event is not None:
                        self._listener(event)
        except (EOFError, OSError):
            if not self._closing:
                self._listener(Died("did not answer") if self._silent else Died())

    def _look_at(self, silence: Silence) -> None:
        """End the process where it owes an answer and has been silent for too long.

        Where it has nothing to do but wait for what others compile, that goes for those, without which it compiles all
        by itself.
        """
        if self._ordered == self._answered:
            silence.end()
            return
        waits = self._child.flags[Flag.WAITS_ELSEWHERE]
        helpers = [helper for helper in self.helpers if helper.is_alive()] if waits else []
        if helpers:
            if silence.lasts(sum(processor_s(helper.pid) for helper in helpers)):
                for helper in helpers:
                    helper.kill()
        elif silence.lasts(processor_s(self._child.process.pid)):
            self._silent = True
            self._child.process.kill()

    def _filled(self, written: Written) -> Event | None:
        """Return the event with its arrays copied out of shared memory; none where that has been given back since."""
        match written.event:
            case Finished() as event:
                heights = self._heights.copy(written.memory, written.shape)
                assert heights is not None, "the next job has not begun"
                field = replace(event.result.field, heights=heights)
                return Finished(event.groups, replace(event.result, field=field))
            case Previewed() as event:
                heights = self._preview.copy(written.memory, written.shape)
                self._child.flags[Flag.PREVIEW_WAITS] = 0
                return None if heights is None else Previewed(event.groups, replace(event.field, heights=heights))
            case Masked() as event:
                values = self._masks.copy(written.memory, (len(event.masks), *written.shape))
                self._child.flags[Flag.MASKS_WAIT] = 0
                if values is None or written.number != self._number:
                    return None
                return Masked(event.groups, dict(zip(event.masks, values, strict=True)))
