"""The compute process's own side: takes orders, runs the pipeline, and writes what it makes into shared memory.

A preview or mask is written into its block only once the one before it has been copied out, of which a flag tells, so
that none is torn.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory

import numpy as np
from numpy.typing import NDArray

from fellview.compute import warm_up
from fellview.compute.flags import ROOM, Flag
from fellview.compute.messages import ELSEWHERE, NOTHING, Answered, HelpWanted, MaskOrder, Order, Said, Written
from fellview.compute.protocol import (
    AT_ONCE_S,
    COARSE_CELL_S,
    COARSE_WITHIN_S,
    Advanced,
    Failed,
    Finished,
    Groups,
    Masked,
    Previewed,
    Stopped,
    ToldProgress,
)
from fellview.compute.shared_memory import read, write
from fellview.compute.warm_up import SharedEngine
from fellview.core import compiled
from fellview.core.errors import Cancelled, FellviewError
from fellview.core.height_field import HeightField, Heights
from fellview.terrain.domain import Grid, group_of
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline, Result
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step
from fellview.terrain.steps import landform, noise

_BESIDE = 8  # of niceness: on software OpenGL a preview is drawn on the same cores while the land behind it is computed
_BEHIND = 12  # likewise, of what is compiled behind it; before shaders that are compiled for the full look
_HURRIED = 3  # likewise, at a very first start, of what compiles the steps of the first land
_LOOK_EVERY_S = 0.002  # whether masks have been copied out
_LOOK_ELSEWHERE_S = 0.02  # whether more is compiled

# In metres a cell, 4 bytes each: heights and previews in shared memory, their copies and the window's two textures, and
# what an iterative step makes a picture on its way with.
_BYTES_BESIDE = 4 * 8
_BYTES_A_MASK = 4 * 3  # made, in shared memory, copied out


def wants_help() -> bool:
    """Return whether others may compile most of the first land's kernels: at a very first start, and on other cores."""
    return (os.cpu_count() or 1) > 1 and compiled.none_compiled()


def serve(connection: Connection, flags_name: str, wants_help: Callable[[], bool] = wants_help) -> None:
    """Serve jobs until told to end or the connection closes; runs in the compute process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal reaches both; the window ends us
    _end_with_window()
    flags_memory = SharedMemory(flags_name)
    flags = np.ndarray(ROOM, np.uint8, flags_memory.buf)
    compiled.load()
    is_first = wants_help()
    _give_way(_HURRIED if is_first else _BESIDE)
    server = Server(flags, connection.send, is_first)
    compiled.tell_compiling(server.tell_compiling)
    with contextlib.suppress(EOFError, OSError):  # the window is gone
        while (order := connection.recv()) is not None:
            flags[Flag.NO_MASKS] = 0
            if isinstance(order, MaskOrder):
                server.answer_masks(order)
            else:
                server.answer(order)
            connection.send(Answered(order.number))
    server.leave_flags()
    flags = np.empty(0, np.uint8)  # the views hold the memory
    flags_memory.close()


def _end_with_window() -> None:
    """Have this process end once the window's has, even killed, and not when its work is done: that can take long."""
    window = multiprocessing.parent_process()
    if window is None:
        return  # it runs in the window's own process

    def follow() -> None:
        window.join()
        os._exit(1)

    threading.Thread(target=follow, name="fellview-follow", daemon=True).start()


def _give_way(by: int) -> None:
    """Go so much farther behind what the window draws."""
    if hasattr(os, "nice"):
        os.nice(by)


def compile_apart(groups: Groups, share: Sequence[str], flags_name: str) -> None:
    """Compile a `share` of what the land of `groups` takes; runs in a process that helps."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_window()
    flags_memory = SharedMemory(flags_name)
    flags = np.ndarray(ROOM, np.uint8, flags_memory.buf)

    def done(what: str) -> None:
        flags[ELSEWHERE[what]] = 0

    with contextlib.suppress(FellviewError):
        _give_way(_HURRIED)
        warm_up.compile_ahead(groups, [what for what in share if what not in warm_up.LATE], done)
        _give_way(_BEHIND - _HURRIED)
        warm_up.compile_ahead(groups, [what for what in share if what in warm_up.LATE], done)
    del done
    flags = np.empty(0, np.uint8)  # the view holds the memory
    flags_memory.close()


class Server:
    """Runs jobs in the compute process and sends what they make.

    If it `wants_help`, most kernels of the first land are for others to compile.
    """

    def __init__(self, flags: NDArray[np.uint8], send: Callable[[Said], None], wants_help: bool = False) -> None:
        self.flags = flags
        self._send = send
        self._wants_help = self._hurries = wants_help
        self._engine = SharedEngine(_place(flags, ELSEWHERE[warm_up.ALL_FORMS]))
        self._pipeline = Pipeline(self._engine)
        self._works = False

    def leave_flags(self) -> None:
        """Let go of the shared memory that the flags are in."""
        self.flags = self._engine.all_forms = np.empty(0, np.uint8)

    def tell_compiling(self, kernel: str = "") -> None:
        """Send that a kernel of the step at work is being compiled; one for masks is nobody's progress."""
        if self._works:
            self._send(Advanced(self._engine.step, self._engine.compiled, compiling=True))

    def answer(self, order: Order) -> None:
        """Run one job; a step that fails in any way must not end the process."""
        groups = order.job.groups
        self._engine.groups = groups
        if self._wants_help:
            self._want_help(groups)
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
        write(order.heights, [field.heights])
        bare = replace(result, field=HeightField(NOTHING, field.cell_size))
        self._send(Written(order.number, Finished(groups, bare), order.heights, field.heights.shape))
        if order.job.masks and isinstance(field.masks, Masks):
            self._send_masks(order, groups, field.masks.with_water(order.job.water), field.heights.shape)
        self._make_ready(groups)

    def answer_masks(self, order: MaskOrder) -> None:
        """Make masks of land that was computed elsewhere."""
        try:
            heights, base, *fields = read(order.land, (2 + len(order.fields), *order.shape))
        except FileNotFoundError:
            return  # larger land has come meanwhile
        land = Land(heights, dict(zip(order.fields, fields, strict=True)))
        self._send_masks(
            order, order.groups, Masks(land, order.cell_size, base).with_water(order.job.water), order.shape
        )

    def _run(self, order: Order) -> Result:
        """Return the job's result, and on the way show what can be shown early."""
        job, flags = order.job, self.flags
        cancel, keep = _place(flags, Flag.CANCEL), _place(flags, Flag.KEEP)
        self._await_steps(order, cancel)
        seen = job.seen  # cells of the finest preview: what is coarser would go back
        coarse = self._pipeline.coarse(job.groups, AT_ONCE_S, COARSE_WITHIN_S, COARSE_CELL_S)
        if coarse is not None and job.wants(coarse):
            # the grid itself may do better, or says what is wrong
            with contextlib.suppress(FellviewError), compiled.in_one_thread():
                result = self._pipeline.run(coarse, Progress(cancel))
                seen = result.field.heights.size
                self._show(order, result.field.heights)

        def show(heights: Heights) -> None:
            # a land on its way is less than one of which coarse cells are seen already
            if heights.size >= seen and not job.seen:
                self._show(order, heights)

        progress = ToldProgress(self._send, cancel, keep, show)
        return self._pipeline.run(job.groups, progress, _BYTES_BESIDE + _BYTES_A_MASK * len(job.masks))

    def _want_help(self, groups: Groups) -> None:
        """Leave most kernels of the land of `groups` to others."""
        self._wants_help = False
        for what in itertools.chain(*warm_up.shares(groups)):
            self.flags[ELSEWHERE[what]] = 1
        self._send(HelpWanted(groups))

    def _make_ready(self, groups: Groups) -> None:
        """Run the steps of `groups` as coarsely as a slider's first picture, unless the next order comes.

        It then waits for those alone that it changes.
        """
        if any(self.flags[place] for place in ELSEWHERE.values()):
            return
        base = group_of(groups, noise.Noise)
        all_new = {**groups, noise.STEP.key: base.replace(seed=base.seed ^ 1)}
        coarse = self._pipeline.coarse(all_new, AT_ONCE_S, COARSE_WITHIN_S, COARSE_CELL_S)
        if coarse is not None:
            # nobody has asked for it: what fails shows itself where it is
            with contextlib.suppress(Exception), compiled.in_one_thread():
                at_work = Progress(_place(self.flags, Flag.NO_MASKS))
                self._pipeline.run({**groups, Grid.key: coarse[Grid.key]}, at_work)

    def _await_steps(self, order: Order, cancel: NDArray[np.uint8]) -> None:
        """Wait for what is compiled elsewhere of the job's steps.

        Meanwhile have the others compiled, and show its land without them once its landforms are there, anew whenever
        one more is: or a hand would see nothing of what it does.
        """
        progress, groups = Progress(cancel), order.job.groups
        shown: tuple[Step, ...] = ()
        while missing := self._missing(groups):
            progress.check()
            if missing != shown and not self.flags[Flag.PREVIEW_WAITS]:
                self._show_without(missing, order, progress)
                self._engine.step, shown = missing[0].key, missing
                self.tell_compiling()
            self._wait()
        if self._hurries:
            self._hurries = False
            _give_way(_BESIDE - _HURRIED)

    def _missing(self, groups: Groups) -> tuple[Step, ...]:
        """Return the steps of the land of `groups` that are still compiled elsewhere."""
        return tuple(step for step in STEPS if self.flags[ELSEWHERE[step.key]] and step.active(groups[step.key]))

    def _show_without(self, missing: tuple[Step, ...], order: Order, progress: Progress) -> None:
        """Run the other steps than those `missing`, and show what they give, unless a better land is seen."""
        groups = order.job.groups
        self._pipeline.steps = tuple(step for step in STEPS if step not in missing)
        try:
            coarse = self._pipeline.coarse(groups, AT_ONCE_S, COARSE_WITHIN_S, COARSE_CELL_S)
            with contextlib.suppress(FellviewError), compiled.in_one_thread():
                result = self._pipeline.run(coarse or groups, progress)
                if not order.job.seen and not set(missing) & set(landform.STEPS):
                    self._show(order, result.field.heights)
        finally:
            self._pipeline.steps = STEPS

    def _wait(self) -> None:
        """Wait a moment for what is compiled elsewhere."""
        self.flags[Flag.WAITS_ELSEWHERE] = 1
        time.sleep(_LOOK_ELSEWHERE_S)
        self.flags[Flag.WAITS_ELSEWHERE] = 0

    def _show(self, order: Order, heights: Heights) -> None:
        """Send a preview, unless the one before it has not been taken yet or it is not finite."""
        if self.flags[Flag.PREVIEW_WAITS] or not np.isfinite(heights).all():
            return
        write(order.preview, [heights])
        self.flags[Flag.PREVIEW_WAITS] = 1
        grid = group_of(order.job.groups, Grid)
        cell_size = grid.replace(rows=heights.shape[0], columns=heights.shape[1]).cell_size
        event = Previewed(order.job.groups, HeightField(NOTHING, cell_size))
        self._send(Written(order.number, event, order.preview, heights.shape))

    def _send_masks(self, order: Order | MaskOrder, groups: Groups, masks: Masks, shape: tuple[int, int]) -> None:
        """Send the masks that the job wants and the land has, unless the next job comes first."""
        stop = _place(self.flags, Flag.NO_MASKS)
        names = sorted(order.job.masks & set(masks))
        while self.flags[ELSEWHERE[warm_up.MASKS]]:
            if stop[0]:
                return
            self._wait()
        try:
            made = [masks.make(name, stop) for name in names]
        except Cancelled:
            return
        while self.flags[Flag.MASKS_WAIT]:
            if stop[0]:
                return
            time.sleep(_LOOK_EVERY_S)
        try:
            write(order.masks, made)
        except FileNotFoundError:
            return  # a job on a larger grid has come meanwhile
        self.flags[Flag.MASKS_WAIT] = 1
        self._send(Written(order.number, Masked(groups, dict.fromkeys(names, NOTHING)), order.masks, shape))


def _place(flags: NDArray[np.uint8], flag: int) -> NDArray[np.uint8]:
    """Return the place of `flag` in shared memory, uint8 (1,), as kernels read it."""
    return flags[flag : flag + 1]
