"""The window's router between the engines: on the GPU, jobs advance in slices between frames, in the drawing thread.

What the GPU has no twin for runs in the compute process, whole: run here it would hold the window up, and the compiled
kernels belong to that process. For their sake masks are made there too, of heights that are read back for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator

from fellview.compute.process import ComputeProcess
from fellview.compute.protocol import (
    AT_ONCE_S,
    COARSE_WITHIN_S,
    Advanced,
    Event,
    Failed,
    Finished,
    Job,
    Listener,
    Lost,
    Previewed,
    Stopped,
    ToldProgress,
)
from fellview.core.errors import Cancelled, FellviewError
from fellview.gpu.choice import Choice
from fellview.gpu.engine import EngineLost, GpuEngine, GpuField
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline, Result
from fellview.terrain.progress import Progress

_REPORT_EVERY_S = 0.03  # each report wakes the window


class EngineRouter:
    """A `Computer` that routes jobs to the GPU engine once it has one (`use`), and to a compute process else.

    Whoever owns the OpenGL context calls `advance` while `busy`. An engine that fails is `Lost`, and its job with it.
    With `holds` the first job waits for `use`; else the process has it while OpenGL starts. `clock` gives seconds that
    only rise. A job expected to take over `at_once_s` comes on a coarse grid first.
    """

    def __init__(
        self,
        listener: Listener,
        process: Callable[[Listener], ComputeProcess] = ComputeProcess,
        holds: bool = False,
        clock: Callable[[], float] = time.monotonic,
        at_once_s: float = AT_ONCE_S,
    ) -> None:
        self._holds = holds
        self._held: Job | None = None
        self._listener = listener
        self._clock = clock
        self._at_once_s = at_once_s
        self.process = process(listener)
        """What computes on the CPU."""
        self._choice = Choice("cpu", "starting")
        self._reason = self._lost = ""
        self._engine: GpuEngine | None = None
        self._pipeline: Pipeline | None = None
        self._work: Generator[None, None, Result] | None = None
        self._job = Job({})
        self._progress = Progress()
        self._slices = 1
        self._step = ""
        self._reported = 0.0

    def use(self, choice: Choice, engine: GpuEngine | None) -> None:
        """Compute as `choice` says from the next job on."""
        self._choice, self._engine = choice, engine
        self._pipeline = Pipeline(engine) if engine is not None else None
        self._holds = False
        if self._held is not None:
            self.submit(self._held)
            self._held = None

    @property
    def name(self) -> str:
        """What computes the newest job; after a loss, what was lost."""
        return "CPU" if self._reason else self._choice.name.upper()

    @property
    def engine(self) -> str:
        """What computes the newest job, and why."""
        reason = self._lost or self._reason
        return f"cpu: {reason}" if reason else self._choice.text

    @property
    def busy(self) -> bool:
        """Return whether a job waits for `advance`."""
        return self._work is not None

    @property
    def process_id(self) -> int | None:
        """The operating system's number of the compute process."""
        return self.process.process_id

    def get_ready(self) -> None:
        """Have the compute process started where it was not yet."""
        self.process.get_ready()

    def submit(self, job: Job) -> None:
        """Start `job` where it can be computed."""
        if self._holds:
            self._held = job
            return
        self._reason = self._cpu_reason(self._engine, job) if self._engine is not None else ""
        if self._pipeline is None or self._reason:
            self.process.submit(job)
            return
        self.process.give_up_masks()
        self._job = job
        self._progress, self._step = ToldProgress(self._tell), ""
        self._work = self._run(self._pipeline, job)

    def _run(self, pipeline: Pipeline, job: Job) -> Generator[None, None, Result]:
        """Return the job's result in slices, and tell its land on a coarse grid before where it takes long."""
        coarse = pipeline.coarse(job.groups, self._at_once_s, COARSE_WITHIN_S)
        if coarse is not None and job.wants(coarse):
            try:
                result = yield from pipeline.begin(coarse, ToldProgress(self._note, self._progress.cancel))
            except EngineLost:
                raise
            except FellviewError:
                pass  # the grid itself may do better, or says what is wrong
            else:
                self._listener(Previewed(job.groups, result.field))
                yield
        return (yield from pipeline.begin(job.groups, self._progress))

    @staticmethod
    def _cpu_reason(engine: GpuEngine, job: Job) -> str:
        """Return why `engine` cannot compute `job`; empty where it can."""
        for step in STEPS:
            parameters = job.groups[step.key]
            if step.active(parameters) and engine.twin_of(step, parameters) is None:
                variant = next(
                    (getattr(parameters, name) for name in ("kind", "mode") if hasattr(parameters, name)), ""
                )
                title = parameters.title
                return f"{title} ({variant}) runs there only" if variant else f"{title} runs there only"
        return ""

    def _note(self, event: Event) -> None:
        """Begin anew to find out how many slices may come in a row where another step's are met."""
        if isinstance(event, Advanced) and event.step != self._step:
            self._step, self._slices = event.step, 1

    def _tell(self, event: Event) -> None:
        self._note(event)
        now = self._clock()
        if now - self._reported >= _REPORT_EVERY_S:
            self._reported = now
            self._listener(event)

    def advance(self, budget_s: float) -> None:
        """Work on the job for about `budget_s` seconds, at least one slice.

        OpenGL only notes what it is told, so the clock is read after waiting for it. Slices between two waits become
        more while they take under a quarter of the budget, since each wait costs, and fewer when they take over half.
        """
        start = self._clock()
        while self._work is not None:
            begun = self._clock()
            taken = 0
            while taken < self._slices:
                self._slice()
                taken += 1
            if self._work is None or self._engine is None or self._pipeline is None:
                return
            told = self._clock()
            self._engine.passes.context.finish()
            now = self._clock()
            self._pipeline.waited_s += now - told
            if now - begun < budget_s / 4:
                self._slices *= 2
            elif now - begun > budget_s / 2:
                self._slices = max(1, self._slices // 2)
            if now - start + (now - begun) > budget_s:
                return

    def _slice(self) -> None:
        if self._work is None:
            return
        try:
            next(self._work)
        except StopIteration as end:
            self._work = None
            self._finish(end.value)
        except Cancelled:
            self._work = None
            self._listener(Stopped())
        except EngineLost as fault:
            self._lose(str(fault))
        except FellviewError as fault:
            self._work = None
            self._listener(Failed(self._job.groups, str(fault)))
        except Exception as fault:  # whatever else goes wrong, the window goes on
            self._lose(f"{type(fault).__name__}: {fault}")

    def _finish(self, result: Result) -> None:
        """Tell the result, and have its masks follow."""
        job = self._job
        groups = {**job.groups, **result.changed}
        self._listener(Finished(groups, result))
        if job.masks and isinstance(result.field, GpuField):
            self.process.make_masks(job, groups, *result.field.read_back(), result.field.cell_size)

    def _lose(self, reason: str) -> None:
        self._lost = reason
        self._drop()
        self._listener(Lost(reason))

    def _drop(self) -> None:
        """Give back what nobody draws from any more."""
        self._work = self._pipeline = None
        if self._engine is not None:
            self._engine.passes.trim()
            self._engine = None

    def cancel(self) -> None:
        """Ask the job under way to stop, which it does with its next slice."""
        self._progress.cancel[0] = 1
        self.process.cancel()

    def keep(self) -> None:
        """Ask the step at work to end with what it has reached."""
        self._progress.keep[0] = 1
        self.process.keep()

    def acknowledge_death(self) -> None:
        """Say that the compute process's death was taken in."""
        self.process.acknowledge_death()

    def close(self) -> None:
        """End for good; textures that are drawn from stay until the context goes."""
        self._drop()
        self.process.close()
