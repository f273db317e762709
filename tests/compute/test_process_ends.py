"""The compute process dies, falls silent, sleeps and is closed: nothing waits for ever, and nothing stays behind."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import numpy as np
import pytest

from fellview.compute import server
from fellview.compute.child import Child
from fellview.compute.messages import ELSEWHERE
from fellview.compute.process import Limits
from fellview.compute.protocol import Advanced, Died, Finished, Job, Masked, Stopped
from fellview.core import compiled
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from tests.compute.jobs import ANSWERS_WITHIN_S, LONG, RIVERS, Jobs, scene


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


def compile_long(groups, share, flags_name) -> None:
    """Take the helper's place: spend processor time for longer than silence may last."""
    burn(1.5 * IMPATIENT.silent_s)


def compile_never(groups, share, flags_name) -> None:
    """Take the helper's place: say nothing and do nothing."""
    time.sleep(3600)


def serve_as_at_first(connection, flags_name) -> None:
    """Take the compute process's place at a very first start."""
    server.serve(connection, flags_name, wants_help=lambda: True)


def compile_serial_forms(groups, share, flags_name) -> None:
    """Take the helper's place: have compiled what runs on one thread, and then nothing for long."""
    memory = SharedMemory(flags_name)
    memory.buf[ELSEWHERE["erosion"]] = 0
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
    jobs = Jobs(IMPATIENT, compile_apart=helper, child=Child(serve_as_at_first))
    try:
        number = jobs.process.process_id
        assert isinstance(jobs.run(scene(64, 64).replace(RIVERS)), Finished)
        (helping,) = jobs.process.helpers
        helping.join(ANSWERS_WITHIN_S)
        assert (helping.exitcode, jobs.process.process_id) == (ends, number)
    finally:
        jobs.process.close()


def test_a_job_waits_no_longer_than_for_what_runs_on_one_thread():
    jobs = Jobs(compile_apart=compile_serial_forms, child=Child(serve_as_at_first))
    try:
        assert isinstance(jobs.run(scene(64, 64).replace(RIVERS)), Finished)
        (helping,) = jobs.process.helpers
        assert helping.is_alive()
    finally:
        jobs.process.close()
    assert not helping.is_alive()


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


def test_two_processes_compile_at_any_time():
    """Another helps once the first waits, which it does for neither when both have ended."""
    wanted = scene(64, 64).replace(RIVERS | {"landform1.kind": "cone"})
    jobs = Jobs(compile_apart=compile_never, child=Child(serve_as_at_first))
    try:
        jobs.process.submit(Job(wanted.terrain_groups()))
        jobs.await_step("landform1")
        end = time.monotonic() + ANSWERS_WITHIN_S
        while len(jobs.process.helpers) < 2:
            assert time.monotonic() < end
            time.sleep(0.01)
        forms, erodes = jobs.process.helpers
        assert jobs.previews == [], "without its landforms no land is shown"
        forms.kill()
        jobs.await_step("erosion")
        erodes.kill()
        finished = jobs.answer()
        assert isinstance(finished, Finished)
        here = Pipeline(CpuEngine()).run(wanted.terrain_groups()).field
        assert np.array_equal(finished.result.field.heights, here.heights)
        assert len(jobs.process.helpers) == 2
        without = Pipeline(CpuEngine()).run(wanted.replace({"erosion.kind": "none"}).terrain_groups()).field
        assert np.array_equal(jobs.previews[0].field.heights, without.heights)
    finally:
        jobs.process.close()


@pytest.mark.parametrize(("cores", "none", "wanted"), [(1, True, False), (2, False, False), (2, True, True)])
def test_one_core_and_a_later_start_have_no_help(cores, none, wanted, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.setattr(compiled, "none_compiled", lambda: none)
    assert server.wants_help() == wanted


def test_a_later_start_has_no_help(jobs):
    assert isinstance(jobs.run(scene()), Finished)
    assert jobs.process.helpers == []


def test_who_follows_a_process_that_died_at_first_has_no_help():
    jobs = Jobs(compile_apart=compile_never, child=Child(serve_as_at_first))
    try:
        jobs.process.submit(Job(scene(64, 64).replace(RIVERS).terrain_groups()))
        jobs.await_step("erosion")
        os.kill(jobs.process.process_id, signal.SIGKILL)
        assert isinstance(jobs.answer(), Died)
        jobs.process.acknowledge_death()
        assert isinstance(jobs.run(scene(64, 64).replace(RIVERS)), Finished)
        (helper,) = jobs.process.helpers
        assert helper.is_alive()
    finally:
        jobs.process.close()
