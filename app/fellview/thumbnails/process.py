"""The window's side of the process that draws thumbnails: it starts it when the first are wished for.

A wish costs the window nothing but a message. Pictures come back through the connection, which a thread reads. A
process that dies is started anew with the next wish; of the wish it had, nothing more comes.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from fellview.thumbnails import server
from fellview.thumbnails.messages import Answer, Disperse, Order, Pause, Wish


class ThumbnailProcess:
    """Starts, feeds, pauses and ends the process. `wake` is called from another thread when `take` has something."""

    def __init__(self, wake: Callable[[], None], serve: Callable[[Connection], None] = server.serve) -> None:
        self._wake, self._serve = wake, serve
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._held = False

    @property
    def process_id(self) -> int | None:
        """The operating system's number of the process; None before the first wish."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the process, where it does not run: it takes a second or two until the first picture is begun."""
        if self._process is not None and self._process.is_alive():
            return
        self._end()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=self._serve, args=(theirs,), name="fellview-thumbnails", daemon=True)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._listen, args=(self._connection,), name="fellview-thumbnails", daemon=True).start()
        self._send(Pause(self._held))

    def wish(self, order: Wish | Disperse) -> None:
        """Have `order` done in the place of what is under way."""
        self.start()
        self._send(order)

    def pause(self, held: bool) -> None:
        """Have nothing done while `held`."""
        if held != self._held:
            self._held = held
            self._send(Pause(held))

    def take(self) -> list[Answer]:
        """Return what has come."""
        answers = []
        with contextlib.suppress(queue.Empty):
            while True:
                answers.append(self._answers.get_nowait())
        return answers

    def close(self) -> None:
        """End the process."""
        self._end()

    def _send(self, order: Order) -> None:
        if self._connection is not None:
            with contextlib.suppress(OSError):  # it has died
                self._connection.send(order)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None

    def _listen(self, connection: Connection) -> None:
        with contextlib.suppress(EOFError, OSError, TypeError):  # it has ended, or was closed here
            while True:
                self._answers.put(connection.recv())
                self._wake()
