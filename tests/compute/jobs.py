"""A compute process that tests give jobs to, and what it says."""

import queue
import time

import psutil

from fellview.compute.process import ComputeProcess
from fellview.compute.protocol import Advanced, Job, Previewed
from fellview.scene.scene import Scene

ANSWERS_WITHIN_S = 120  # the first job of all may compile every kernel
STOPS_WITHIN_S = 0.5  # of processor time: a busy machine's clock goes on while nothing is done
LONG = {"grid.rows": 1024, "grid.columns": 1024, "erosion.iterations": 10_000}  # some 20 s of sweeps
RIVERS = {"perturb.distance": 0.0, "smooth.iterations": 0, "erosion.kind": "fluvial", "noise.octaves": 8}


class Jobs:
    """A compute process and what it says."""

    def __init__(self, *arguments, **named) -> None:
        self._events = queue.SimpleQueue()
        self.advances: list[Advanced] = []
        self.previews: list[Previewed] = []
        self.process = ComputeProcess(self._events.put, *arguments, **named)

    def answer(self, within: float = ANSWERS_WITHIN_S):
        """Return the event that ends the job under way; progress is noted."""
        end = time.monotonic() + within
        while True:
            event = self._events.get(timeout=max(end - time.monotonic(), 0.001))
            if isinstance(event, Previewed):
                self.previews.append(event)
            elif isinstance(event, Advanced):
                self.advances.append(event)
            else:
                return event

    def run(self, scene: Scene, *masks: str):
        self.process.submit(Job(scene.terrain_groups(), frozenset(masks)))
        return self.answer()

    def await_step(self, step: str) -> None:
        while True:
            event = self._events.get(timeout=ANSWERS_WITHIN_S)
            if isinstance(event, Previewed):
                self.previews.append(event)
            elif isinstance(event, Advanced) and event.step == step:
                return

    def await_end(self) -> None:
        """Wait until the process has ended."""
        end = time.monotonic() + ANSWERS_WITHIN_S
        while self.process.alive:
            assert time.monotonic() < end
            time.sleep(0.01)

    def await_rest(self) -> None:
        """Wait until the process does nothing any more."""
        end, used = time.monotonic() + ANSWERS_WITHIN_S, -1.0
        while used != (used := self.used_s()):
            assert time.monotonic() < end
            time.sleep(0.3)

    def used_s(self) -> float:
        """Return the seconds of processor time that the process has used."""
        times = psutil.Process(self.process.process_id).cpu_times()
        return times.user + times.system

    def rest(self) -> list:
        """Return what was said and not taken yet."""
        events = []
        while not self._events.empty():
            events.append(self._events.get())
        return events


def scene(rows: int = 24, columns: int = 32, **changes) -> Scene:
    return Scene().replace(
        {"grid.rows": rows, "grid.columns": columns} | {key.replace("__", "."): value for key, value in changes.items()}
    )
