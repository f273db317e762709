"""One small interface to have many tasks of one kind done: here, by worker processes, or by a Dask cluster.

A task is a function of a module, called with one item each; both travel as pickles. Results come in the items' order
and are the same wherever they were made.

    with opened(workers=4) as batch:
        lands = batch.map(measured, scenes)
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol, TypeVar

from fellview.core.errors import FellviewError, InputError

Item = TypeVar("Item")
Done = TypeVar("Done")
Report = Callable[[float], None]

MOST_WORKERS = 64


def untold(fraction: float) -> None:
    """Tell nobody."""


class Batch(Protocol):
    """Has tasks done."""

    def map(self, task: Callable[[Item], Done], items: Sequence[Item], report: Report = untold) -> list[Done]:
        """Return what `task` gives for each of `items`, in their order; `report` is told which fraction is done."""


class Stream(ABC):
    """A batch that hands results over as they come."""

    @abstractmethod
    def each(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[tuple[int, Done]]:
        """Yield the index of each of `items` and what `task` gives for it, as they are done, and keep none."""

    def map(self, task: Callable[[Item], Done], items: Sequence[Item], report: Report = untold) -> list[Done]:
        """Return what `task` gives for each of `items`, in their order; `report` is told which fraction is done."""
        done: dict[int, Done] = {}
        for index, one in self.each(task, items):
            done[index] = one
            report(len(done) / len(items))
        return [done[index] for index in range(len(items))]


class InProcess(Stream):
    """Does tasks one after the other, in this process."""

    def each(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[tuple[int, Done]]:
        """Yield the index of each of `items` and what `task` gives for it, in their order."""
        for index, item in enumerate(items):
            yield index, task(item)


class Workers(Stream):
    """Has tasks done by `count` processes of this machine; close it to end them."""

    def __init__(self, count: int) -> None:
        threads = max((os.cpu_count() or 1) // count, 1)
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(count, spawn, _begin, (threads,))

    def each(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[tuple[int, Done]]:
        """Yield them as they are done; `FellviewError` where a worker dies."""
        under_way = {self._pool.submit(task, item): index for index, item in enumerate(items)}
        try:
            for future in as_completed(list(under_way)):
                yield under_way.pop(future), future.result()  # raises at once what has gone wrong
        except BrokenProcessPool:
            raise FellviewError("a worker process has died; the machine may lack memory for so many") from None
        finally:
            for future in under_way:
                future.cancel()

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


def _begin(threads: int) -> None:
    """Make this process a worker of so many threads, which leaves Ctrl+C to the one that started it, and ends with it.

    Numba reads the number when it is imported.
    """
    os.environ["NUMBA_NUM_THREADS"] = str(threads)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, name="fellview-follow", daemon=True).start()


@contextlib.contextmanager
def opened(workers: int = 1, scheduler: str = "") -> Iterator[Stream]:
    """Give what does tasks: this process, so many `workers`, or the cluster whose Dask scheduler has that address.

    `InputError` where there cannot be so many workers, or the address is none that is safe (`cluster.py`).
    """
    if scheduler:
        from fellview.batch import cluster

        with cluster.opened(scheduler) as batch:
            yield batch
        return
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError(f"--workers {workers}: expected 1 to {MOST_WORKERS}")
    if workers == 1:
        yield InProcess()
        return
    pool: Any = Workers(workers)
    with contextlib.closing(pool):
        yield pool
