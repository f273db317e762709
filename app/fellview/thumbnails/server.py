"""The process of thumbnails: takes the newest wish and draws it level by level, while nobody else wants the processor.

One thread listens, so that a wish or a pause stops what is under way within a pass or 30 ms of a kernel; what has been
drawn of a wish is not drawn again after a pause.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from fellview.core import compiled
from fellview.core.errors import Cancelled, FellviewError, one_line
from fellview.gpu import context as gpu_context
from fellview.scene.scene import Scene
from fellview.thumbnails.messages import Answer, Disperse, Drawn, Failed, Found, Measured, Pause, Wish
from fellview.thumbnails.painter import LEVELS, Painter
from fellview.variants.disperse import CANDIDATES, SHOWN, disperse

MOST = 2
"""Processes that share a wish: one alone leaves half of two cores unused, as a context draws from one thread."""

_BEHIND = 19  # of niceness: as far behind the window as one can be
_KEPT = 120  # pictures, for a board that is opened again or goes back: two grids of 5 × 5, in all levels


def serve(connection: Connection) -> None:
    """Serve until the connection ends; runs in the process of thumbnails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_BEHIND)
    threads = str(max((os.cpu_count() or 1) // MOST, 1))  # more would only get in each other's way
    os.environ["NUMBA_NUM_THREADS"] = threads  # read when numba is imported
    os.environ.setdefault("LP_NUM_THREADS", threads)  # Mesa's, of software OpenGL: read with the first context
    compiled.load()
    desk = _Desk(connection)
    threading.Thread(target=desk.listen, name="fellview-orders", daemon=True).start()
    with gpu_context.aside() as context, contextlib.suppress(OSError):  # the window is gone
        Server(Painter(context, desk.cancel), desk.cancel, connection.send).run(desk.take)
    os._exit(0)  # whatever a driver's threads do


class _Desk:
    """What lies on the desk: the newest order, and whether it is to wait."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._changed = threading.Condition()
        self._newest: Wish | Disperse | None = None
        self._held = False
        self.cancel = np.zeros(1, np.uint8)

    def listen(self) -> None:
        """Take orders until the connection ends, which ends the process."""
        with contextlib.suppress(EOFError, OSError):
            while (order := self._connection.recv()) is not None:
                with self._changed:
                    if isinstance(order, Pause):
                        self._held = order.held
                    else:
                        self._newest = order
                    self.cancel[0] = 1
                    self._changed.notify()
        os._exit(0)

    def take(self, has_work: bool) -> Wish | Disperse | None:
        """Return the newest order, None where that is the one before; wait while there is nothing to be done."""
        with self._changed:
            while self._held or not (has_work or self._newest is not None):
                self._changed.wait()
            order, self._newest = self._newest, None
            self.cancel[0] = 0
            return order


class Server:
    """Does what is wished for; `painter` draws, `cancel` stops it, and `answer` sends what was made."""

    def __init__(self, painter: Painter, cancel: Any, answer: Callable[[Answer], None]) -> None:
        self._painter, self.cancel, self.answer = painter, cancel, answer
        self._order: Wish | Disperse | None = None
        self._left: list[tuple[int, int]] = []  # of a wish: level and place
        self._kept: OrderedDict[Any, Drawn] = OrderedDict()
        self._measured: dict[Any, Any] = {}  # by scene, of the spread under way

    def run(self, take: Callable[[bool], Wish | Disperse | None]) -> None:
        """Do what `take` gives, for ever."""
        while True:
            order = take(self.has_work)
            if order is not None:
                self.begin(order)
            with contextlib.suppress(Cancelled):
                self.go_on()

    def begin(self, order: Wish | Disperse) -> None:
        """Take `order` in the place of the one before."""
        self._order = order
        self._measured.clear()
        if isinstance(order, Wish):
            self._left = [(level, place) for level in range(len(LEVELS)) for place in order.places]

    @property
    def has_work(self) -> bool:
        """Return whether something of the order is left."""
        return self._order is not None

    def go_on(self) -> None:
        """Do the next part of the order; raise `Cancelled` where it is stopped, and it stays the next."""
        match self._order:
            case Wish() as wish if self._left:
                level, place = self._left[0]
                answer = self._made(wish, level, place)
                self._left.pop(0)
                if isinstance(answer, Failed):
                    self._left = [one for one in self._left if one[1] != place]
                self.answer(answer)
            case Disperse() as wish:
                self.answer(Found(wish.number, tuple(self._dispersed(wish))))
                self._order = None
            case _:
                self._order = None

    def _made(self, wish: Wish, level: int, place: int) -> Drawn | Failed:
        scene = wish.scenes[place]
        key = (scene, wish.size, level, wish.look)
        kept = self._kept.get(key)
        if kept is None:
            try:
                pixels, camera = self._painter.draw(scene, wish.size, LEVELS[level], wish.look)
            except FellviewError as fault:
                return Failed(wish.number, place, one_line(str(fault)))
            size = pixels.shape[1], pixels.shape[0]
            kept = Drawn(wish.number, place, level, size, np.ascontiguousarray(pixels).tobytes(), camera)
            self._kept[key] = kept
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return replace(kept, number=wish.number, place=place)

    def _dispersed(self, wish: Disperse) -> list[Scene]:
        spread = wish.spread
        return disperse(
            spread.around,
            SHOWN,
            CANDIDATES,
            spread.amount,
            spread.around.noise.seed,
            spread.locked,
            _Stoppable(self.cancel, self._measured),
            lambda fraction: self.answer(Measured(wish.number, fraction)),
        )


class _Stoppable:
    """Does tasks in this process until `cancel` is set; begun anew, it finds in `done` what it had done."""

    def __init__(self, cancel: Any, done: dict[Any, Any]) -> None:
        self._cancel, self._done = cancel, done

    def map(
        self, task: Callable[[Any], Any], items: Any, report: Callable[[float], None] = lambda fraction: None
    ) -> list[Any]:
        """Return what `task` gives for each of `items`."""
        for number, item in enumerate(items, start=1):
            if item in self._done:
                continue
            if self._cancel[0]:
                raise Cancelled
            self._done[item] = task(item)
            report(number / len(items))
        return [self._done[item] for item in items]
