"""The compute process: jobs end, fail, stop and die, and nothing stays behind."""

import os
import queue
import resource
import signal
import subprocess
import sys
import time
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import numpy as np
import psutil
import pytest

from fellview.compute import server
from fellview.compute.child import Child
from fellview.compute.messages import Flag, NothingCompiled
from fellview.compute.process import ComputeProcess, Limits
from fellview.compute.protocol import Advanced, Died, Failed, Finished, Job, Masked, Previewed, Stopped
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.step import Land

ANSWERS_WITHIN_S = 120  # the first job of all may compile every kernel
STOPS_WITHIN_S = 0.5  # of processor time: a busy machine's clock goes on while nothing is done
LONG = {"grid.rows": 1024, "grid.columns": 1024, "erosion.iterations": 10_000}  # some 20 s of sweeps


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
            if isinstance(event, Advanced) and event.step == step:
                return

    def await_end(self) -> None:
        """Wait until the process has ended."""
        end = time.monotonic() + ANSWERS_WITHIN_S
        while self.process.alive:
            assert time.monotonic() < end
            time.sleep(0.01)

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


@pytest.fixture(scope="module")
def running():
    jobs = Jobs()
    yield jobs
    jobs.process.close()


@pytest.fixture
def jobs():
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


RIVERS = {"perturb.distance": 0.0, "smooth.iterations": 0, "erosion.kind": "fluvial", "noise.octaves": 8}


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


@pytest.mark.parametrize("busy", [True, False], ids=["busy", "idle"])
def test_a_killed_process_is_told_once_and_the_next_job_starts_another(jobs, busy):
    jobs.run(scene())
    if busy:
        jobs.process.submit(Job(scene().replace(LONG).terrain_groups()))
        jobs.await_step("erosion")
    number = jobs.process.process_id
    os.kill(number, signal.SIGKILL)
    assert isinstance(jobs.answer(within=5), Died)
    jobs.process.acknowledge_death()
    answer = jobs.run(scene(noise__seed=2))
    assert isinstance(answer, Finished)
    here = Pipeline(CpuEngine()).run(scene(noise__seed=2).terrain_groups())
    assert np.array_equal(answer.result.field.heights, here.field.heights)
    assert jobs.process.process_id != number
    assert jobs.rest() == []


def test_a_death_that_is_still_to_be_told_answers_the_next_job(jobs):
    """The session must not take the old process's end for that of a job that a new one has."""
    jobs.run(scene())
    os.kill(jobs.process.process_id, signal.SIGKILL)
    jobs.await_end()
    jobs.process.submit(Job(scene(noise__seed=2).terrain_groups()))
    assert isinstance(jobs.answer(within=5), Died)
    assert jobs.rest() == []


# -- a process that does not answer ------------------------------------------------------------------------------------


IMPATIENT = Limits(silent_s=2.0, look_every_s=0.1)


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def compile_long(groups, flags_name) -> None:
    """Take the helper's place: spend processor time for longer than silence may last."""
    burn(1.5 * IMPATIENT.silent_s)


def compile_never(groups, flags_name) -> None:
    """Take the helper's place: say nothing and do nothing."""
    time.sleep(3600)


def compile_serial_forms(groups, flags_name) -> None:
    """Take the helper's place: have compiled what runs on one thread, and then nothing for long."""
    memory = SharedMemory(flags_name)
    memory.buf[Flag.SERIAL_ELSEWHERE] = 1
    memory.buf[Flag.ELSEWHERE] = 0
    time.sleep(3600)


def serve_burning(connection, flags_name) -> None:
    """Take the compute process's place: spend processor time without a word, as compiling does, and then do nothing."""
    connection.recv()
    burn(1.5 * IMPATIENT.silent_s)
    connection.send(Advanced("noise", 0.5))
    time.sleep(3600)


def serve_no_more(connection, flags_name) -> None:
    """Take the compute process's place: answer the first order, and then do nothing."""
    connection.recv()
    connection.send(Stopped())
    time.sleep(3600)


def serve_first(connection, flags_name) -> None:
    """Take the compute process's place: serve, and say at first that nothing was ever compiled."""
    connection.send(NothingCompiled())
    server.serve(connection, flags_name)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no system that stops processes")
@pytest.mark.parametrize(
    "busy", ["job", pytest.param("masks", marks=pytest.mark.slow), pytest.param("idle", marks=pytest.mark.slow)]
)
def test_a_stopped_process_that_owes_an_answer_is_told_as_dead_and_another_takes_its_place(busy):
    jobs = Jobs(IMPATIENT)
    try:
        wanted = scene().replace(LONG)
        if busy == "masks":
            jobs.run(scene(), "slope")
            assert isinstance(jobs.answer(), Masked)
            wanted = scene(1024, 1024, erosion__kind="none", smooth__iterations=0)
        else:
            jobs.run(scene())
        number = jobs.process.process_id
        if busy == "masks":
            jobs.run(wanted, "slope", "drainage_area", "curvature")
        elif busy == "job":
            jobs.process.submit(Job(wanted.terrain_groups()))
            jobs.await_step("erosion")
        os.kill(number, signal.SIGSTOP)
        if busy == "idle":
            time.sleep(3.0)
            assert jobs.rest() == [], "nobody waits for it"
            jobs.process.submit(Job(scene(noise__seed=3).terrain_groups()))
        died = jobs.answer(within=20)
        assert died == Died("did not answer")
        jobs.await_end()
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
        jobs.process.acknowledge_death()
        assert isinstance(jobs.run(scene(noise__seed=2)), Finished)
    finally:
        jobs.process.close()


def test_who_has_said_all_that_was_asked_for_owes_nothing():
    """That is known with the event itself: there is no moment in which a result is there and its process still owes."""
    jobs = Jobs(IMPATIENT, child=Child(serve_no_more))
    try:
        jobs.process.submit(Job(scene().terrain_groups()))
        assert isinstance(jobs.answer(), Stopped)
        time.sleep(3.0)
        assert jobs.rest() == [] and jobs.process.alive
    finally:
        jobs.process.close()


@pytest.mark.slow
def test_a_process_that_spends_processor_time_silently_lives_until_it_spends_none():
    jobs = Jobs(IMPATIENT, child=Child(serve_burning))
    try:
        jobs.process.submit(Job(scene().terrain_groups()))
        jobs.await_step("noise")
        assert jobs.answer(within=20) == Died("did not answer")
    finally:
        jobs.process.close()


class Jumping:
    """A clock that jumps by an hour with every look at it while `jumps`."""

    def __init__(self):
        self.jumps = False
        self.hours = 0

    def __call__(self):
        self.hours += self.jumps
        return time.monotonic() + 3600 * self.hours


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no system that stops processes")
def test_a_machine_that_slept_is_no_death():
    clock = Jumping()
    jobs = Jobs(IMPATIENT, clock)
    try:
        jobs.run(scene())
        jobs.process.submit(Job(scene(300, 300, noise__seed=6, erosion__iterations=2000).terrain_groups()))
        jobs.await_step("erosion")
        number = jobs.process.process_id
        os.kill(number, signal.SIGSTOP)  # as the machine stops all
        clock.jumps = True
        time.sleep(1.0)
        clock.jumps = False
        os.kill(number, signal.SIGCONT)
        assert clock.hours >= 1
        assert isinstance(jobs.answer(), Finished) and jobs.process.process_id == number
    finally:
        jobs.process.close()


@pytest.mark.parametrize(("helper", "ends"), [(compile_long, 0), (compile_never, -signal.SIGKILL)])
def test_a_process_that_waits_for_its_helper_lives_and_a_silent_helper_does_not(helper, ends):
    jobs = Jobs(IMPATIENT, child=Child(serve_first), compile_apart=helper)
    try:
        number = jobs.process.process_id
        assert isinstance(jobs.run(scene(64, 64, **{key.replace(".", "__"): RIVERS[key] for key in RIVERS})), Finished)
        end = time.monotonic() + ANSWERS_WITHIN_S
        while jobs.process.helper.exitcode is None:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert (jobs.process.helper.exitcode, jobs.process.process_id) == (ends, number)
    finally:
        jobs.process.close()


def test_a_job_waits_no_longer_than_for_what_runs_on_one_thread():
    jobs = Jobs(child=Child(serve_first), compile_apart=compile_serial_forms)
    try:
        assert isinstance(jobs.run(scene(64, 64, **{key.replace(".", "__"): RIVERS[key] for key in RIVERS})), Finished)
        assert jobs.process.helper.is_alive()
    finally:
        jobs.process.close()
    assert not jobs.process.helper.is_alive()


def shared_memory() -> set[str]:
    folder = Path("/dev/shm")
    return {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()


def mapped_by_us(names: set[str]) -> set[str]:
    """Return those of `names` that this process maps: other tests may run beside this one."""
    maps = Path("/proc/self/maps")
    return {name for name in names if maps.exists() and f"/dev/shm/{name}" in maps.read_text()}


@pytest.mark.parametrize("state", ["starting", "idle", "busy", "killed"])
def test_closing_leaves_no_process_and_no_shared_memory(state):
    before = shared_memory()
    jobs = Jobs()
    if state != "starting":
        jobs.run(scene())
    ours = mapped_by_us(shared_memory() - before)
    assert ours or not Path("/dev/shm").is_dir()
    if state == "busy":
        jobs.process.submit(Job(scene().replace(LONG).terrain_groups()))
        jobs.await_step("erosion")
    number = jobs.process.process_id
    if state == "killed":
        os.kill(number, signal.SIGKILL)
        jobs.answer(within=5)
    start = time.monotonic()
    jobs.process.close()
    assert time.monotonic() - start < 2
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    assert not ours & shared_memory()
    assert not any(isinstance(event, Died) for event in jobs.rest())  # the end was asked for


def test_the_process_ends_when_its_window_is_killed(tmp_path):
    # a viewer that is killed cannot close anything
    code = (
        "import sys, time\n"
        "from fellview.compute.process import ComputeProcess\n"
        "if __name__ == '__main__':\n"
        "    print(ComputeProcess(lambda event: None).process_id, flush=True)\n"
        "    time.sleep(60)\n"
    )
    script = tmp_path / "window.py"
    script.write_text(code)
    window = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    number = int(window.stdout.readline())
    window.kill()
    window.wait()
    window.stdout.close()
    end = time.monotonic() + 20  # it may still be importing
    while time.monotonic() < end:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{number}/stat").exists() and ") Z " in Path(f"/proc/{number}/stat").read_text():
            return  # ended; nobody took note, as nobody is its parent here
        time.sleep(0.1)
    os.kill(number, signal.SIGKILL)
    pytest.fail("the compute process outlived its window")


def test_the_first_job_of_all_says_what_it_prepares(tmp_path, monkeypatch):
    monkeypatch.setenv("FELLVIEW_CACHE", str(tmp_path))  # the process that is started has no kernel yet
    bare = {"perturb.distance": 0.0, "erosion.kind": "none", "smooth.iterations": 0}
    scene = Scene().replace({"grid.rows": 16, "grid.columns": 16, "noise.kind": "white", **bare})
    for first in (True, False):
        jobs = Jobs()
        try:
            assert isinstance(jobs.run(scene), Finished)
        finally:
            jobs.process.close()
        prepared = [event for event in jobs.advances if event.compiling]
        assert bool(prepared) == first
        assert all(event.step == "noise" and 0 <= event.fraction < 1 for event in prepared)


def compile_nothing(groups, flags_name) -> None:
    """Take the helper's place: leave it all to the process that is helped."""


def test_two_processes_compile_what_takes_one_long(tmp_path, monkeypatch):
    monkeypatch.setenv("FELLVIEW_CACHE", str(tmp_path))
    jobs = Jobs(compile_apart=compile_nothing)
    try:
        jobs.process.submit(Job(scenes.load(scenes.OPENING_PRESET).terrain_groups()))
        end = time.monotonic() + ANSWERS_WITHIN_S
        while jobs.process.helper is None:
            assert time.monotonic() < end
            time.sleep(0.01)
    finally:
        jobs.process.close()
