"""The compute process: what it makes of jobs, and how they fail and stop."""

import resource
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fellview.compute.flags import Flag
from fellview.compute.messages import ELSEWHERE
from fellview.compute.protocol import Failed, Finished, Job, Masked, Stopped
from fellview.compute.warm_up import MASKS
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.step import Land
from tests.compute.jobs import ANSWERS_WITHIN_S, LONG, RIVERS, STOPS_WITHIN_S, Jobs, scene


@pytest.fixture(scope="module")
def running():
    jobs = Jobs()
    yield jobs
    jobs.process.close()


@pytest.mark.parametrize(
    ("rows", "columns"), [(2, 2), (2, 3), (3, 3), (48, 64), (512, 3), (5, 300)], ids=lambda side: str(side)
)
def test_heights_are_the_pipelines_to_the_last_bit(running, rows, columns):
    wanted = scene(rows, columns, grid__size_x=300.0, erosion__iterations=3)
    answer = running.run(wanted)
    here = Pipeline(CpuEngine()).run(wanted.terrain_groups())
    assert isinstance(answer, Finished)
    assert answer.groups == wanted.terrain_groups()
    heights = answer.result.field.heights
    assert heights.dtype == np.float32
    assert heights.tobytes() == here.field.heights.tobytes() and heights.shape == (rows, columns)
    assert answer.result.field.cell_size == here.field.cell_size
    assert [one.step for one in answer.result.times] == [one.step for one in here.times]


def test_a_result_outlives_the_jobs_after_it(running):
    first = running.run(scene(noise__seed=3)).result.field.heights
    copy = first.copy()
    running.run(scene(noise__seed=4))
    running.run(scene(200, 200, noise__seed=5))  # more shared memory than before
    assert np.array_equal(first, copy)
    assert not first.flags.writeable


def test_a_slider_of_a_late_step_finds_the_steps_before_it_as_coarse_as_it_shows_them(running):
    wanted = scene(512, 512, noise__seed=12).replace(RIVERS)
    # no coarse land is shown: finer land is seen already
    running.process.submit(Job(wanted.terrain_groups(), seen=512 * 512))
    assert isinstance(running.answer(), Finished)
    running.await_rest()  # the next job would come before
    found = {}
    for side in (64, 128, 256):
        coarse = wanted.replace({"grid.rows": side, "grid.columns": side, "erosion.duration": 7.0})
        found[side] = {one.step: one.remembered for one in running.run(coarse).result.times}
    assert any(each["noise"] and not each["erosion"] for each in found.values())


def test_steps_are_remembered_between_jobs(running):
    running.run(scene(noise__seed=11))
    times = running.run(scene(noise__seed=11, smooth__iterations=3)).result.times
    assert {one.step: one.remembered for one in times} == {
        "noise": True, "perturb": True, "erosion": True, "smooth": False
    }  # fmt: skip


def test_progress_names_the_steps_in_order(running):
    running.advances.clear()
    running.run(scene(noise__seed=12))
    assert list(dict.fromkeys(one.step for one in running.advances)) == ["noise", "perturb", "erosion", "smooth"]
    assert all(0 <= one.fraction <= 1 for one in running.advances)


def test_a_job_that_breaks_fails_in_one_line_and_the_next_one_works(running):
    broken = scene().terrain_groups()
    broken["erosion"] = broken["smooth"]  # no such parameters
    running.process.submit(Job(broken))
    answer = running.answer()
    assert isinstance(answer, Failed)
    assert answer.groups == broken
    assert "Smooth" in answer.reason and "\n" not in answer.reason
    assert isinstance(running.run(scene()), Finished)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process")
def test_too_little_memory_fails_in_one_line_and_the_next_job_works(jobs):
    jobs.run(scene())
    number = jobs.process.process_id
    used = int(Path(f"/proc/{number}/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.prlimit(number, resource.RLIMIT_AS)
    resource.prlimit(number, resource.RLIMIT_AS, (used + (24 << 20), before[1]))
    answer = jobs.run(scene(2048, 2048))  # 16 MiB for each step's result
    resource.prlimit(number, resource.RLIMIT_AS, before)
    assert isinstance(answer, Failed)
    assert "\n" not in answer.reason
    assert isinstance(jobs.run(scene()), Finished)
    assert jobs.process.process_id == number


@pytest.mark.parametrize("step", ["noise", "erosion"])
def test_a_cancelled_job_stops_soon_and_the_next_one_works(running, step):
    wanted = scene(noise__seed=21, noise__octaves=16).replace(LONG)
    if step == "noise":
        wanted = wanted.replace({"grid.rows": 4096, "grid.columns": 4096, "noise.seed": 22})
    small = {"grid.rows": 16, "grid.columns": 16, "erosion.iterations": 1}
    assert isinstance(running.run(wanted.replace(small)), Finished)  # compiling cannot be stopped
    running.process.submit(Job(wanted.terrain_groups()))
    running.await_step(step)
    start = running.used_s()
    running.process.cancel()
    assert isinstance(running.answer(), Stopped)
    assert running.used_s() - start < STOPS_WITHIN_S
    assert isinstance(running.run(scene()), Finished)


def test_cancelling_nothing_does_not_stop_the_next_job(running):
    running.run(scene())
    running.process.cancel()
    assert isinstance(running.run(scene(noise__seed=31)), Finished)


def test_what_takes_long_shows_the_same_land_coarse_first(running):
    running.previews.clear()
    wanted = scene(768, 512, grid__size_z=1500.0, grid__size_x=1000.0).replace(RIVERS | {"noise.seed": 41})
    answer = running.run(wanted)
    assert isinstance(answer, Finished)
    coarse = running.previews[0]
    assert coarse.groups == wanted.terrain_groups()
    assert coarse.field.rows * 2 == coarse.field.columns * 3 and coarse.field.rows < 768
    assert coarse.field.size == answer.result.field.size
    grid = {"grid.rows": coarse.field.rows, "grid.columns": coarse.field.columns}
    here = Pipeline(CpuEngine()).run(wanted.replace(grid).terrain_groups())
    assert np.array_equal(coarse.field.heights, here.field.heights)
    assert not coarse.field.heights.flags.writeable


def test_what_is_quick_or_in_cells_is_not_shown_coarse(running):
    running.run(scene(24, 32).replace(RIVERS))  # compiled or loaded by now
    running.previews.clear()
    running.run(scene(24, 32).replace(RIVERS | {"noise.seed": 42}))
    running.run(scene(300, 300, noise__seed=43))  # the demo's steps
    assert running.previews == []


def test_long_erosion_shows_itself_and_can_be_kept(running):
    wanted = scene(1024, 1024).replace({"erosion.iterations": 10_000, "noise.seed": 44})  # some 20 s
    running.run(wanted.replace({"erosion.iterations": 1}))
    running.previews.clear()
    running.advances.clear()
    running.process.submit(Job(wanted.terrain_groups()))
    time.sleep(3.0)
    running.process.keep()
    answer = running.answer()
    assert isinstance(answer, Finished)
    reached = answer.groups["erosion"].iterations
    assert 0 < reached < 10_000
    assert answer.groups == wanted.replace({"erosion.iterations": reached}).terrain_groups()
    assert (running.advances[0].iterations, running.advances[-1].step) == (0, "smooth")
    assert {one.iterations for one in running.advances if one.iteration} == {10_000}
    assert 1 <= len(running.previews) <= 4
    assert all(one.field.heights.shape == (1024, 1024) for one in running.previews)
    here = Pipeline(CpuEngine()).run(answer.groups)
    assert np.array_equal(answer.result.field.heights, here.field.heights)


def test_asking_to_keep_does_not_reach_the_next_job(running):
    running.run(scene(noise__seed=45))
    running.process.keep()
    answer = running.run(scene(300, 300, noise__seed=45, erosion__iterations=500))
    assert isinstance(answer, Finished) and answer.groups["erosion"].iterations == 500


def test_masks_come_after_the_heights_and_are_the_lands(running):
    wanted = scene(200, 150, noise__seed=46)
    finished = running.run(wanted, "slope", "drainage_area", "erosion_depth", "no_such_field")
    assert isinstance(finished, Finished) and not finished.result.field.masks
    masked = running.answer()
    assert isinstance(masked, Masked) and masked.groups == wanted.terrain_groups()
    here = Pipeline(CpuEngine()).run(wanted.terrain_groups()).field
    assert set(masked.masks) == {"slope", "drainage_area", "erosion_depth"}
    for name, mask in masked.masks.items():
        assert np.array_equal(mask, here.masks[name]), name
        assert not mask.flags.writeable


def await_that_it_waits(flags) -> None:
    """Return once the process has begun anew to wait for what is compiled elsewhere."""
    end = time.monotonic() + ANSWERS_WITHIN_S
    for waits in (0, 1):
        while flags[Flag.WAITS_ELSEWHERE] != waits:
            assert time.monotonic() < end
            time.sleep(0.001)


@pytest.mark.parametrize("seen", [0, 24 * 32], ids=["nothing seen", "all seen"])
def test_land_is_shown_without_what_is_compiled_elsewhere_unless_a_better_one_is_seen(running, seen):
    flags = running.process._child.flags
    wanted = scene(24, 32).replace(RIVERS | {"perturb.distance": 3.0, "noise.seed": 43 + seen})
    running.run(wanted.replace({"noise.seed": 42}))  # compiled or loaded by now
    running.previews.clear()
    running.advances.clear()
    flags[ELSEWHERE["perturb"]] = flags[ELSEWHERE["erosion"]] = 1
    running.process.submit(Job(wanted.terrain_groups(), seen=seen))
    running.await_step("perturb")
    await_that_it_waits(flags)
    flags[ELSEWHERE["perturb"]] = 0
    running.await_step("erosion")
    while not flags[Flag.WAITS_ELSEWHERE]:
        time.sleep(0.001)
    await_that_it_waits(flags)
    flags[ELSEWHERE["erosion"]] = 0
    finished = running.answer()
    without = [wanted.replace({"erosion.kind": "none", "perturb.distance": bent}) for bent in (0.0, 3.0)]
    expected = [Pipeline(CpuEngine()).run(one.terrain_groups()).field.heights for one in (*without, wanted)]
    previews = [one.field.heights for one in running.previews]
    assert len(previews) == (0 if seen else 2)
    for heights, there in zip((*previews, finished.result.field.heights), expected[-1 - len(previews) :], strict=True):
        assert np.array_equal(heights, there)
    assert finished.groups == wanted.terrain_groups()


def test_a_job_that_waits_for_what_is_compiled_elsewhere_can_be_cancelled(running):
    flags = running.process._child.flags
    flags[ELSEWHERE["erosion"]] = 1
    running.process.submit(Job(scene(noise__seed=45).terrain_groups()))
    await_that_it_waits(flags)
    running.process.cancel()
    assert isinstance(running.answer(), Stopped)
    flags[ELSEWHERE["erosion"]] = 0
    assert isinstance(running.run(scene(noise__seed=45)), Finished)


def test_masks_that_are_compiled_elsewhere_follow_and_hold_nothing_up(running):
    flags = running.process._child.flags
    flags[ELSEWHERE[MASKS]] = 1
    assert isinstance(running.run(scene(noise__seed=48), "slope"), Finished)
    await_that_it_waits(flags)
    assert isinstance(running.run(scene(noise__seed=49), "slope"), Finished)
    assert running.rest() == []
    flags[ELSEWHERE[MASKS]] = 0
    masked = running.answer()
    assert isinstance(masked, Masked) and masked.groups == scene(noise__seed=49).terrain_groups()


def test_masks_of_land_that_was_computed_elsewhere(running):
    """Those that were ordered last come, and are the land's; earlier ones do only if they were begun by then."""
    wanted = scene(erosion__kind="hydraulic")
    here = Pipeline(CpuEngine()).run(wanted.terrain_groups()).field
    base = Pipeline(CpuEngine()).run(scene(erosion__kind="none", smooth__iterations=0).terrain_groups()).field.heights
    fields = {name: here.masks[name] for name in ("water_depth", "sediment", "water_speed")}
    land = Land(here.heights, fields)
    for names in ({"slope"}, {"drainage_area", "erosion_depth", "water_depth", "none such"}):
        job = Job(wanted.terrain_groups(), frozenset(names))
        running.process.make_masks(job, job.groups, land, base, here.cell_size)
    masked = running.answer()
    if isinstance(masked, Masked) and set(masked.masks) == {"slope"}:
        masked = running.answer()
    assert isinstance(masked, Masked) and masked.groups == wanted.terrain_groups()
    assert set(masked.masks) == {"drainage_area", "erosion_depth", "water_depth"}
    np.testing.assert_array_equal(masked.masks["drainage_area"], here.masks["drainage_area"])
    np.testing.assert_array_equal(masked.masks["water_depth"], fields["water_depth"])
    np.testing.assert_array_equal(masked.masks["erosion_depth"], np.maximum(base - here.heights, 0))
    assert running.rest() == []


def test_masks_give_way_to_the_next_job(running):
    every = ("slope", "curvature", "drainage_area", "erosion_depth", "deposition_depth")
    running.run(scene(), *every)  # compiles
    assert isinstance(running.answer(), Masked)
    running.run(scene(2048, 2048, erosion__iterations=1), *every)
    start = running.used_s()
    answer = running.run(scene(noise__seed=47))
    assert isinstance(answer, Finished), "masks that nobody waits for any more"
    assert answer.groups == scene(noise__seed=47).terrain_groups()
    assert running.used_s() - start < STOPS_WITHIN_S
    running.run(scene(2100, 2100, erosion__iterations=1), "slope")  # its shared memory is larger: all anew
    assert isinstance(running.answer(), Masked)
