"""Jobs advance in slices between a window's frames, can be kept and cancelled, and go to the process where need be."""

import itertools
import queue

import numpy as np
import pytest

from fellview.compute.protocol import Advanced, Failed, Finished, Job, Lost, Previewed, Stopped
from fellview.compute.router import EngineRouter
from fellview.core.errors import InputError
from fellview.gpu.choice import choose
from fellview.gpu.engine import TWINS, GpuEngine, GpuField
from fellview.gpu.twin import GpuLand
from fellview.terrain.pipeline.pipeline import Pipeline
from tests.gpu.engine.lands import broken, land, scene
from tests.gpu.engine.routed import NoProcess, advance, computing, said


@pytest.fixture
def compute(context, engine):
    return computing(context, engine)


def test_a_job_advances_in_slices_to_the_engines_result(compute, engine):
    groups = scene().terrain_groups()
    compute.submit(Job(groups))
    assert compute.busy and said(compute) == [], "nothing is done before the first slice"
    assert advance(compute, 0.0) > 3
    *advances, end = said(compute)
    assert isinstance(end, Finished) and end.groups == groups and all(isinstance(one, Advanced) for one in advances)
    whole = Pipeline(engine).run(groups).field
    np.testing.assert_array_equal(end.result.field.heights, whole.heights)
    assert compute.process.jobs == [] and compute.engine == "gpu: llvmpipe" and compute.name == "GPU"


def test_what_takes_long_is_shown_coarse_first(context, engine):
    compute = computing(context, engine, at_once_s=0.0)
    groups = scene(grid__rows=160, grid__columns=200, perturb__mode="smooth").terrain_groups()
    compute.submit(Job(groups))
    advance(compute)
    shown = [event for event in said(compute) if not isinstance(event, Advanced)]
    assert [type(event) for event in shown] == [Previewed, Finished] and shown[0].groups == shown[1].groups == groups
    coarse, whole = shown[0].field, shown[1].result.field
    assert coarse.columns < whole.columns == 200 and coarse.size == whole.size
    assert coarse.texture_in(engine.passes.context) is not None and "heights" not in vars(coarse)
    step = whole.columns // coarse.columns
    assert np.corrcoef(coarse.heights.ravel(), whole.heights[::step, ::step].ravel())[0, 1] > 0.95


def test_a_coarse_land_that_cannot_be_does_not_hold_up_the_land(context, engine_with):
    run = TWINS["perturb"][-1].run

    def only_fine(passes, parameters, domain, below):
        if domain.grid.columns < 200:
            raise InputError("perturb: no such land")
        return (yield from run(passes, parameters, domain, below))

    compute = computing(context, engine_with(perturb=only_fine), at_once_s=0.0)
    compute.submit(Job(scene(grid__rows=160, grid__columns=200, perturb__mode="smooth").terrain_groups()))
    advance(compute)
    assert [type(event) for event in said(compute) if not isinstance(event, Advanced)] == [Finished]


@pytest.mark.parametrize("kind", ["thermal", "fluvial", "hydraulic"])
def test_what_is_reached_can_be_kept(context, engine, kind):
    compute = computing(context, engine, clock=itertools.count().__next__)  # long enough ago for every report
    groups = scene(erosion__kind=kind, erosion__duration=400.0, grid__rows=40, grid__columns=48).terrain_groups()
    compute.submit(Job(groups))
    at = None
    while not (at and at.iteration):
        assert compute.busy, "it ended first"
        compute.advance(0.0)
        at = next((event for event in reversed(said(compute)) if isinstance(event, Advanced)), at)
    assert at.step == "erosion" and at.iteration < at.iterations
    compute.keep()
    advance(compute)
    end = said(compute)[-1]
    kept = end.groups["erosion"].stop_after
    assert at.iteration <= kept < at.iterations
    assert end.groups == {**groups, "erosion": groups["erosion"].replace(stop_after=kept)}


def test_masks_are_made_by_the_process_of_what_is_read_back(compute):
    wanted = frozenset({"slope", "water_depth"})
    groups = scene(erosion__kind="hydraulic").terrain_groups()
    compute.submit(Job(groups, wanted))
    advance(compute)
    field = said(compute)[-1].result.field
    ((job, of, read, base, cell_size),) = compute.process.masks
    assert job.masks == wanted and of == groups and cell_size == field.cell_size
    np.testing.assert_array_equal(read.heights, field.heights)
    np.testing.assert_array_equal(np.maximum(base - read.heights, 0), field.masks["erosion_depth"])
    assert set(read.fields) == {"water_depth", "sediment", "water_speed"}
    compute.submit(Job(scene(erosion__kind="none").terrain_groups()))
    assert compute.process.masks == [], "given up"


def test_waiting_for_the_device_counts_as_the_steps_time(context, clock):
    """OpenGL only notes what it is told, so a step's slices alone say little of what it costs."""

    class Slow:
        def __getattr__(self, name):
            return getattr(context, name)

        def finish(self):
            clock.now += 0.25

    timed = computing(context, GpuEngine(Slow()), clock=clock)
    timed.submit(Job(scene(erosion__duration=400.0).terrain_groups()))
    advance(timed, 0.0)
    times = {time.step: time.milliseconds for time in said(timed)[-1].result.times}
    assert times["erosion"] >= 250


def longest_slice(router, clock):
    """Return how long the longest slice of a job takes that is advanced by 10 ms at a time, in seconds."""
    router.submit(Job(scene().terrain_groups()))
    longest = 0.0
    while router.busy:
        start = clock.now
        router.advance(0.01)
        longest = max(longest, clock.now - start)
    return longest


def test_quick_slices_of_one_step_do_not_hold_up_frames_in_the_next(context, engine_with, clock):
    def steps_of(cost_s):
        def run(passes, parameters, domain, below):
            for step in range(1000):
                clock.now += cost_s
                yield step / 1000
            return GpuLand(passes.upload(land().heights))

        return run

    timed = computing(context, engine_with(perturb=steps_of(1e-6), erosion=steps_of(0.004)), clock=clock)
    longest = longest_slice(timed, clock)
    assert longest <= 0.014


@pytest.mark.parametrize("asked", ["gpu", "cpu"])
def test_the_first_job_waits_for_the_engine_that_was_asked_for(context, engine, asked):
    one = EngineRouter(queue.SimpleQueue().put, NoProcess, holds=True)
    job = Job(scene().terrain_groups())
    one.submit(job)
    assert not one.busy and one.process.jobs == []
    one.use(choose(asked, context), engine if asked == "gpu" else None)
    assert one.busy == (asked == "gpu") and one.process.jobs == ([] if asked == "gpu" else [job])


def test_slices_keep_to_the_budget(context, engine_with, clock):
    def slow(passes, parameters, domain, below):
        for step in range(100):
            clock.now += 0.002  # what the graphics device takes for a slice
            yield step / 100
        return GpuLand(passes.upload(land().heights))

    timed = computing(context, engine_with(erosion=slow), clock=clock)
    longest = longest_slice(timed, clock)
    assert 0.004 <= longest <= 0.014, "the guess of a wait may be doubled once"


def test_a_cancelled_job_stops_with_its_next_slice_and_the_next_one_works(compute):
    compute.submit(Job(scene().terrain_groups()))
    compute.advance(0.0)
    compute.cancel()
    assert advance(compute) <= 2
    assert isinstance(said(compute)[-1], Stopped)
    compute.submit(Job(scene().terrain_groups()))
    advance(compute)
    assert isinstance(said(compute)[-1], Finished)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"erosion.kind": "demo"}, "Erosion (demo) runs there only"),
        ({"smooth.iterations": 2}, "Smoothing (demo) runs there only"),
    ],
)
def test_what_only_the_cpu_computes_goes_to_the_process_whole(compute, changes, reason):
    job = Job(scene().replace(changes).terrain_groups())
    compute.submit(job)
    assert compute.process.jobs == [job] and not compute.busy
    assert compute.engine == f"cpu: {reason}" and compute.name == "CPU"


def test_a_job_that_cannot_be_done_fails_and_the_engine_stays(context, engine_with):
    def spoil(passes, parameters, domain, below):
        yield 1.0
        return GpuLand(passes.upload(np.full((24, 32), np.nan, np.float32)))

    compute = computing(context, engine_with(perturb=spoil))
    compute.submit(Job(scene().terrain_groups()))
    advance(compute)
    failed = said(compute)[-1]
    assert isinstance(failed, Failed) and "not finite" in failed.reason and compute.engine == "gpu: llvmpipe"


def test_a_lost_engine_is_told_once_and_what_is_shown_stays(context, engine_with):
    compute = computing(context, engine_with(erosion=broken))
    compute.submit(Job(scene(erosion__kind="none").terrain_groups()))
    advance(compute)
    shown = said(compute)[-1].result.field
    compute.submit(Job(scene(erosion__kind="thermal").terrain_groups()))
    advance(compute)
    lost = [event for event in said(compute) if not isinstance(event, Advanced)]
    assert len(lost) == 1 and isinstance(lost[0], Lost) and "erosion on the GPU" in lost[0].reason
    assert compute.engine.startswith("cpu: erosion on the GPU") and compute.name == "GPU"
    compute.close()
    assert compute.process.closed and not compute.busy
    assert isinstance(shown, GpuField) and np.isfinite(shown.heights).all(), "its texture is still there"
