"""The window's side of the processes that draw thumbnails: it starts them when the first are wished for.

A wish costs the window nothing but a message. Pictures come back through the connection, which a thread reads. A
process that dies is started anew with the next wish; of the wish it had, nothing more comes.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from fellview.thumbnails import server
from fellview.thumbnails.messages import Answer, Disperse, Order, Pause, Wish


class ThumbnailProcesses:
    """Starts, feeds, pauses and ends the processes. `wake` is called from another thread when `take` has something.

    Each of `count` draws every so many-th picture of a wish, so that all of a level come before finer ones. No more are
    started than a wish has pictures.
    """

    def __init__(
        self,
        wake: Callable[[], None],
        count: int = min(server.MOST, os.cpu_count() or 1),
        serve: Callable[[Connection], None] = server.serve,
    ) -> None:
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

        def came(answer: Answer) -> None:
            self._answers.put(answer)
            wake()

        self._processes = [_Process(came, serve) for _ in range(count)]
        self._held = False

    def wish(self, order: Wish | Disperse) -> None:
        """Have `order` done in the place of what is under way."""
        for number, one in enumerate(self._processes):
            if isinstance(order, Wish):
                part: Wish | Disperse = replace(order, share=(number, len(self._processes)))
            else:  # what is measured for it would be measured twice
                part = order if number == 0 else Wish(order.number, (), (1, 1))
            if number == 0 or one.runs or (isinstance(part, Wish) and part.places):
                one.start(self._held)
                one.send(part)

    def pause(self, held: bool) -> None:
        """Have nothing done while `held`."""
        if held != self._held:
            self._held = held
            for one in self._processes:
                one.send(Pause(held))

    def take(self) -> list[Answer]:
        """Return what has come."""
        answers = []
        with contextlib.suppress(queue.Empty):
            while True:
                answers.append(self._answers.get_nowait())
        return answers

    def close(self) -> None:
        """End the processes."""
        for one in self._processes:
            one.end()


class _Process:
    """One of them; `came` is called from another thread with each of its answers."""

    def __init__(self, came: Callable[[Answer], None], serve: Callable[[Connection], None]) -> None:
        self._came, self._serve = came, serve
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    @property
    def runs(self) -> bool:
        """Return whether it was started and has not died."""
        return self._process is not None and self._process.is_alive()

    def start(self, held: bool) -> None:
        """Start it, where it does not run: it takes a second or two until the first picture is begun."""
        if self.runs:
            return
        self.end()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=self._serve, args=(theirs,), name="fellview-thumbnails", daemon=True)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._listen, args=(self._connection,), name="fellview-thumbnails", daemon=True).start()
        self.send(Pause(held))

    def send(self, order: Order) -> None:
        """Send it an order, where it was started."""
        if self._connection is not None:
            with contextlib.suppress(OSError):  # it has died
                self._connection.send(order)

    def end(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None

    def _listen(self, connection: Connection) -> None:
        with contextlib.suppress(EOFError, OSError, TypeError):  # it has ended, or was closed here
            while True:
                self._came(connection.recv())
