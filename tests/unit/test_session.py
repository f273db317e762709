"""The session: undo by gestures, the newest request wins, a broken job or process costs a notice, nothing is lost."""

import os
import random
import signal
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from fellview import session as module
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.jobs import Advanced, Died, Failed, Finished, Lost, Masked, Previewed, Stopped
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.session import Session
from fellview.terrain.engine import CpuEngine
from fellview.terrain.pipeline import Pipeline, Result

COMPUTES_WITHIN_S = 120  # may compile every kernel
SMALL = Scene(name="small").replace({"grid.rows": 24, "grid.columns": 32})


class ScriptedCompute:
    """Takes jobs as the compute process does, and says what a test has it say."""

    def __init__(self, listener):
        self.say = listener
        self.jobs = []
        self.cancels = self.keeps = 0
        self.masks = []
        self.buried = 0
        self.closed = False
        self.name = "scripted"

    def submit(self, job):
        self.jobs.append(job.groups)
        self.masks.append(job.masks)

    def acknowledge_death(self):
        self.buried += 1

    def cancel(self):
        self.cancels += 1

    def keep(self):
        self.keeps += 1

    def close(self):
        self.closed = True

    @property
    def job(self):
        return self.jobs[-1]

    def finish(self, groups=None):
        groups = groups or self.job
        self.say(Finished(groups, Result(level(groups), ())))

    def preview(self):
        self.say(Previewed(self.job, level(self.job, 2)))


def level(groups, coarser_by=1):
    """The land of `groups` as the scripted computer has it: as high as its seed."""
    grid = groups["grid"]
    heights = np.full((grid.rows // coarser_by, grid.columns // coarser_by), groups["noise"].seed, np.float32)
    return HeightField(heights, tuple(coarser_by * side for side in grid.cell_size))


class Clock:
    """Stands for the module `time` where the session reads it."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def session(tmp_path, clock):
    woken = []
    session = Session(lambda: woken.append(True), tmp_path / "state", computers=[ScriptedCompute] * 2)
    session.woken = woken
    session.start(SMALL)
    finish(session)
    return session


def compute(session):
    return session._compute


def finish(session):
    compute(session).finish()
    assert session.poll()


def seed(session, number, label="Seed"):
    session.set(session.scene.replace({"noise.seed": number}), label)


def shown_seed(session):
    return int(session.result.field.heights[0, 0])


# -- the newest wins -------------------------------------------------------------------------------------------------


def test_one_job_runs_and_the_newest_of_those_that_waited_comes_next(session):
    begun = len(compute(session).jobs)
    for number in range(2, 20):
        seed(session, number)
    assert [job["noise"].seed for job in compute(session).jobs[begun:]] == [2]
    finish(session)
    assert [job["noise"].seed for job in compute(session).jobs[begun:]] == [2, 19]
    assert shown_seed(session) == 2 and not session.settled
    finish(session)
    assert shown_seed(session) == 19 and session.settled
    assert len(compute(session).jobs) == begun + 2


def test_a_quick_job_may_finish_while_newer_values_wait_and_a_slow_one_is_stopped(session, clock):
    seed(session, 2)
    seed(session, 3)
    assert compute(session).cancels == 0
    clock.now += 0.5
    seed(session, 4)
    assert compute(session).cancels == 1
    compute(session).say(Stopped())
    session.poll()
    assert compute(session).job["noise"].seed == 4
    assert shown_seed(session) == 1  # the last good one


def test_a_slow_job_is_stopped_also_where_no_further_value_comes(session, clock):
    seed(session, 2)
    seed(session, 3)
    clock.now += 0.5
    compute(session).say(Advanced("erosion", 0.1))
    session.poll()
    assert (session.advanced.step, session.advanced.fraction) == ("erosion", 0.1)
    assert compute(session).cancels == 1


def test_a_slow_job_that_is_still_wanted_is_left_alone(session, clock):
    seed(session, 2)
    clock.now += 60
    compute(session).say(Advanced("erosion", 0.1))
    session.poll()
    assert compute(session).cancels == 0
    assert session.computing_for == 60


def test_values_that_came_back_need_no_further_job(session):
    seed(session, 2)
    seed(session, 3)
    seed(session, 2)
    begun = len(compute(session).jobs)
    finish(session)
    assert session.settled and len(compute(session).jobs) == begun


@pytest.mark.parametrize(
    "change", [{"sun.azimuth": 10.0}, {"view.mode": "normals"}, {"camera.x": 3.0}, {"sky.visibility": 3.0}]
)
def test_a_look_computes_nothing(session, change):
    begun = len(compute(session).jobs)
    session.set(session.scene.replace(change), "Look")
    assert session.settled and len(compute(session).jobs) == begun


def test_events_wake_the_window_and_are_taken_in_by_poll_alone(session):
    seed(session, 2)
    session.woken.clear()
    compute(session).finish()
    assert session.woken and shown_seed(session) == 1
    assert session.poll() and shown_seed(session) == 2
    assert not session.poll()


# -- previews --------------------------------------------------------------------------------------------------------


def land_seed(session):
    return int(session.land.heights[0, 0])


def is_coarse(session):
    return session.land.heights.shape != (24, 32)


def test_a_preview_is_drawn_and_is_no_result(session):
    seed(session, 2)
    compute(session).preview()
    session.poll()
    assert (land_seed(session), is_coarse(session)) == (2, True)
    assert session.land.size == session.result.field.size  # the same extent
    assert shown_seed(session) == 1 and not session.settled
    finish(session)
    assert (land_seed(session), is_coarse(session)) == (2, False) and session.settled


def test_what_has_shown_its_preview_is_stopped_at_once_for_newer_values(session):
    seed(session, 2)
    seed(session, 3)
    assert compute(session).cancels == 0  # its preview is still to come
    compute(session).preview()
    session.poll()
    assert land_seed(session) == 2 and compute(session).cancels == 1
    compute(session).say(Stopped())
    session.poll()
    assert land_seed(session) == 2  # until the next one has something to show
    compute(session).preview()
    session.poll()
    seed(session, 4)
    assert land_seed(session) == 3 and compute(session).cancels == 2


def test_going_back_to_what_is_there_shows_it_in_full_at_once(session):
    seed(session, 2)
    compute(session).preview()
    session.poll()
    session.undo()
    assert (land_seed(session), is_coarse(session)) == (1, False)
    assert compute(session).cancels == 1
    compute(session).preview()  # too late
    session.poll()
    assert (land_seed(session), is_coarse(session)) == (1, False)
    compute(session).finish()  # it was quicker than the flag
    session.poll()
    assert shown_seed(session) == 1 and session.settled


def test_a_failure_takes_its_preview_away(session):
    seed(session, 2)
    compute(session).preview()
    compute(session).say(Failed(compute(session).job, "erosion: the result is not finite everywhere"))
    session.poll()
    assert (land_seed(session), is_coarse(session)) == (1, False)
    assert session.notices == ["erosion: the result is not finite everywhere"]


@pytest.mark.parametrize("draw", range(40))
def test_nothing_older_is_ever_shown_after_something_newer(session, clock, draw):
    """Values only rise here, so that what is drawn may never go down, nor from a full land to a coarse one of the same.

    Only where computing has failed and nothing newer is wanted does the last good land come back.
    """
    chance = random.Random(draw)
    newest, before = 1, (1, True)
    for _ in range(150):
        clock.now += chance.choice([0, 0.01, 0.2])
        move = chance.choice(["set", "set", "preview", "advance", "finish", "stop", "die", "fail"])
        if move == "set":
            newest += 1
            seed(session, newest)
        elif not session.busy:
            continue
        elif move == "preview":
            compute(session).preview()
        elif move == "advance":
            compute(session).say(Advanced("noise", 0.5))
        elif move == "finish":
            compute(session).finish()
        elif move == "stop" and compute(session).cancels:
            compute(session).say(Stopped())
        elif move == "die":
            compute(session).say(Died())
        elif move == "fail":
            compute(session).say(Failed(compute(session).job, "no"))
        session.poll()
        now = (land_seed(session), not is_coarse(session))
        assert now >= before or (move in ("die", "fail") and not session.busy and now == (shown_seed(session), True))
        before = now
    while session.busy:
        finish(session)
    assert not is_coarse(session) and land_seed(session) == shown_seed(session)


# -- cancel and keep -------------------------------------------------------------------------------------------------


def test_cancel_goes_back_to_the_land_that_is_there_in_one_undo_step(session):
    session.set(session.scene.replace({"sun.azimuth": 7.0}), "Sun")
    session.begin_gesture("Seed")
    seed(session, 2)
    seed(session, 3)
    session.set_camera(session.scene.camera.replace(x=55.0))
    assert session.can_cancel
    session.cancel_job()
    assert session.scene.noise.seed == 1 and session.undo_label == "Cancel"
    assert (session.scene.sun.azimuth, session.scene.camera.x) == (7.0, 55.0)  # no part of what is computed
    assert compute(session).cancels == 1
    compute(session).say(Stopped())
    session.poll()
    assert session.settled and shown_seed(session) == 1 and not session.can_cancel
    session.undo()
    assert session.scene.noise.seed == 3 and session.busy


def test_there_is_nothing_to_cancel_before_the_first_land(tmp_path):
    fresh = Session(lambda: None, tmp_path / "state", [ScriptedCompute])
    fresh.start(SMALL)
    assert fresh.busy and not fresh.can_cancel
    fresh.cancel_job()
    assert compute(fresh).cancels == 0


def long_erosion(session, clock):
    session.set(session.scene.replace({"erosion.iterations": 100}), "Iterations")
    clock.now += 4
    compute(session).say(Advanced("erosion", 0.0, 0, 100))
    session.poll()
    clock.now += 3
    compute(session).say(Advanced("erosion", 0.3, 30, 100))
    session.poll()


def keep(session, reached):
    groups = compute(session).job
    compute(session).finish({**groups, "erosion": groups["erosion"].replace(iterations=reached)})
    session.poll()


def test_what_is_kept_is_written_into_the_recipe_as_an_undo_step(session, clock):
    long_erosion(session, clock)
    assert session.seconds_left == pytest.approx(7)
    assert session.can_keep
    session.keep_so_far()
    assert compute(session).keeps == 1 and not session.can_keep  # once is enough
    begun = len(compute(session).jobs)
    keep(session, 31)
    assert session.scene.erosion.iterations == 31 and session.undo_label == "Keep so far"
    assert session.settled and len(compute(session).jobs) == begun  # it is what it says: nothing to compute
    session.undo()
    assert session.scene.erosion.iterations == 100 and session.busy


def test_what_does_not_count_its_iterations_cannot_be_kept(session):
    seed(session, 2)
    compute(session).say(Advanced("noise", 0.5))
    session.poll()
    assert not session.can_keep
    session.keep_so_far()
    assert compute(session).keeps == 0


def test_what_was_kept_under_newer_values_is_not_written_over_them(session, clock):
    long_erosion(session, clock)
    session.keep_so_far()
    seed(session, 2)
    keep(session, 31)
    assert session.scene.erosion.iterations == 100 and session.scene.noise.seed == 2
    assert compute(session).job == session.scene.terrain_groups()


# -- masks -----------------------------------------------------------------------------------------------------------


def mask(session, names):
    heights = session.result.field.heights
    compute(session).say(Masked(compute(session).job, dict.fromkeys(names, heights)))
    session.poll()


def test_masks_follow_the_heights_and_leave_them_alone(session):
    session.want_masks(frozenset({"slope"}))
    assert compute(session).masks[-1] == {"slope"}  # of the land that is there, too
    finish(session)
    assert session.settled and not session.result.field.masks
    heights = session.result.field.heights
    mask(session, ["slope"])
    assert set(session.result.field.masks) == {"slope"} and session.result.field.heights is heights
    begun = len(compute(session).jobs)
    session.set(session.scene.replace({"sun.azimuth": 1.0}), "Sun")
    session.want_masks(frozenset({"slope"}))
    session.want_masks(frozenset())
    assert len(compute(session).jobs) == begun


def test_masks_of_an_older_land_are_dropped_and_those_that_gave_way_asked_for_again(session):
    session.want_masks(frozenset({"slope"}))
    finish(session)
    seed(session, 2)  # comes before the masks
    old = compute(session).jobs[-2]
    compute(session).say(Masked(old, {"slope": np.zeros((24, 32), np.float32)}))
    session.poll()
    assert not session.result.field.masks
    session.undo()
    compute(session).say(Stopped())
    session.poll()
    assert session.busy and compute(session).masks[-1] == {"slope"} and compute(session).job == old
    finish(session)
    mask(session, ["slope"])
    assert session.settled and set(session.result.field.masks) == {"slope"}


# -- undo ------------------------------------------------------------------------------------------------------------


def test_a_gesture_is_one_undo_step(session):
    session.begin_gesture("Seed")
    for number in range(2, 9):
        seed(session, number)
    session.finish_gesture()
    seed(session, 20, "Another")
    assert session.undo_label == "Another"
    session.undo()
    assert (session.scene.noise.seed, session.undo_label, session.redo_label) == (8, "Seed", "Another")
    session.undo()
    assert (session.scene.noise.seed, session.undo_label, session.redo_label) == (1, "", "Seed")
    session.undo()
    assert session.scene.noise.seed == 1
    session.redo()
    session.redo()
    session.redo()
    assert (session.scene.noise.seed, session.redo_label) == (20, "")


def test_a_gesture_that_came_back_leaves_no_step(session):
    session.begin_gesture("Seed")
    seed(session, 2)
    seed(session, 1)
    session.finish_gesture()
    assert session.undo_label == ""


def test_undo_during_a_gesture_takes_that_gesture_back(session):
    session.begin_gesture("Seed")
    seed(session, 2)
    session.undo()
    assert session.scene.noise.seed == 1
    session.redo()
    assert session.scene.noise.seed == 2


def test_a_new_change_drops_what_could_be_redone(session):
    seed(session, 2)
    session.undo()
    seed(session, 3)
    assert session.redo_label == ""


def test_undo_leaves_the_camera_alone(session):
    seed(session, 2)
    moved = session.scene.camera.replace(x=55.0, yaw=12.0)
    session.set_camera(moved)
    session.undo()
    assert session.scene == replace(SMALL, camera=moved)
    session.redo()
    assert session.scene == replace(SMALL.replace({"noise.seed": 2}), camera=moved)


def test_a_camera_move_is_no_undo_step(session):
    session.begin_gesture("Orbit")
    session.set_camera(session.scene.camera.replace(x=55.0))
    session.finish_gesture()
    assert session.undo_label == ""


def test_undo_of_an_opened_scene_brings_its_camera_and_home_back(session):
    session.set_camera(session.scene.camera.replace(x=55.0))
    was = session.scene
    other = scenes.load("directx-demo")
    session.open(other)
    assert (session.scene, session.home) == (other, other)
    session.undo()
    assert (session.scene, session.home) == (was, SMALL)
    session.redo()
    assert (session.scene, session.home) == (other, other)


def test_undo_computes_what_it_brings_back(session):
    seed(session, 2)
    finish(session)
    session.undo()
    finish(session)
    assert shown_seed(session) == 1 and session.settled


def test_undo_history_has_an_end(session):
    for number in range(2, 702):
        seed(session, number)
    for _ in range(700):
        session.undo()
    assert session.scene.noise.seed == 201  # 500 steps back
    assert session.undo_label == ""


def test_undo_and_redo_go_through_any_sequence_of_edits(session):
    chance = random.Random(5)
    states = [session.scene.noise]
    at = 0
    for _ in range(300):
        move = chance.random()
        if move < 0.5:
            session.set(session.scene.replace({"noise.frequency": chance.uniform(1, 60)}), "Frequency")
            states[at + 1 :] = [session.scene.noise]
            at += 1
        elif move < 0.8:
            session.undo()
            at = max(at - 1, 0)
        else:
            session.redo()
            at = min(at + 1, len(states) - 1)
        assert session.scene.noise == states[at]


# -- files and text --------------------------------------------------------------------------------------------------


def test_a_pasted_recipe_opens_and_foreign_text_changes_nothing(session):
    wanted = SMALL.replace({"noise.seed": 9, "camera.x": 4.0})
    session.paste(recipe.to_text(wanted))
    assert session.scene == wanted
    with pytest.raises(InputError, match="pasted text"):
        session.paste("3.2")
    with pytest.raises(InputError, match=r"noise\.frequency"):
        session.paste(recipe.to_text(wanted).replace("frequency = 15.0", "frequency = nan"))
    assert session.scene == wanted
    session.undo()
    assert session.scene == SMALL


def test_a_file_that_does_not_open_changes_nothing(session, tmp_path):
    wrong = tmp_path / "wrong.png"
    wrong.write_bytes(b"no picture")
    with pytest.raises(InputError, match=r"wrong\.png"):
        session.open_file(wrong)
    assert (session.scene, session.home, session.undo_label) == (SMALL, SMALL, "")


def test_opening_tells_of_changed_steps(session, tmp_path):
    path = tmp_path / "old.toml"
    text = recipe.to_text(SMALL)
    assert "erosion = 2" in text
    path.write_text(text.replace("erosion = 2", "erosion = 99"))
    session.open_file(path)
    assert len(session.notices) == 1 and "erosion" in session.notices[0]


# -- what breaks -----------------------------------------------------------------------------------------------------


def test_a_failed_job_keeps_the_last_good_terrain_and_is_not_tried_again(session):
    seed(session, 2)
    compute(session).say(Failed(compute(session).job, "too large"))
    session.poll()
    assert shown_seed(session) == 1
    assert session.notices == ["too large"]
    assert not session.busy
    begun = len(compute(session).jobs)
    session.set(session.scene.replace({"sun.azimuth": 1.0}), "Sun")
    assert len(compute(session).jobs) == begun
    seed(session, 3)
    finish(session)
    assert shown_seed(session) == 3


def test_values_that_failed_under_newer_ones_do_not_hold_those_up(session):
    seed(session, 2)
    seed(session, 3)
    compute(session).say(Failed(compute(session).job, "too large"))
    session.poll()
    finish(session)
    assert shown_seed(session) == 3


def test_going_back_to_the_shown_values_after_a_failure_shows_them(session):
    seed(session, 2)
    compute(session).say(Failed(compute(session).job, "too large"))
    session.poll()
    session.undo()
    if session.busy:
        finish(session)
    assert shown_seed(session) == 1 and session.settled


def test_a_process_that_died_is_given_the_job_again_once(session):
    seed(session, 2)
    begun = len(compute(session).jobs)
    compute(session).say(Died())
    session.poll()
    assert len(session.notices) == 1
    assert [job["noise"].seed for job in compute(session).jobs[begun:]] == [2]
    compute(session).say(Died())
    session.poll()
    assert len(compute(session).jobs) == begun + 1 and not session.busy
    assert shown_seed(session) == 1
    seed(session, 3)
    finish(session)
    assert shown_seed(session) == 3


def test_each_values_get_a_second_try(session):
    seed(session, 2)
    compute(session).say(Died())
    seed(session, 3)
    session.poll()  # died on 2; now computes 3
    begun = len(compute(session).jobs)
    assert compute(session).job["noise"].seed == 3
    compute(session).say(Died())
    session.poll()
    assert [job["noise"].seed for job in compute(session).jobs[begun:]] == [3]


def test_a_process_that_dies_idle_costs_a_notice(session):
    compute(session).say(Died())
    session.poll()
    assert len(session.notices) == 1
    assert session.settled and shown_seed(session) == 1
    seed(session, 2)
    compute(session).say(Died())
    session.poll()
    finish(session)
    assert shown_seed(session) == 2


def test_a_computer_that_is_lost_hands_its_job_to_the_next_one(session):
    seed(session, 2)
    lost = compute(session)
    lost.say(Advanced("noise", 0.5))
    lost.say(Lost("the graphics device was reset"))
    lost.say(Stopped())  # nothing that it says afterwards counts
    session.poll()
    assert lost.closed and compute(session) is not lost
    assert [job["noise"].seed for job in compute(session).jobs] == [2]
    assert len(session.notices) == 1 and "the graphics device was reset" in session.notices[0]
    lost.finish()
    assert not session.poll() and shown_seed(session) == 1
    finish(session)
    assert shown_seed(session) == 2 and session.settled


def test_the_last_computer_that_is_lost_leaves_the_terrain_as_it_is(session):
    for number in (2, 3):
        seed(session, number)
        compute(session).say(Lost("no device"))
        session.poll()
    assert compute(session).closed and shown_seed(session) == 1 and not session.busy
    begun = len(compute(session).jobs)
    seed(session, 4)
    assert len(compute(session).jobs) == begun
    assert len(session.notices) == 2


def test_notices_have_an_end_and_do_not_repeat(session):
    for number in range(30):
        session.notify(f"notice {number}")
        session.notify(f"notice {number}")
    assert session.notices == [f"notice {number}" for number in range(24, 30)]


# -- before ----------------------------------------------------------------------------------------------------------


def test_before_shows_the_scene_as_it_was_opened_and_comes_back(session):
    seed(session, 2)
    finish(session)
    session.set_camera(session.scene.camera.replace(x=55.0))
    now = session.scene
    session.show_before(True)
    assert session.visible == replace(SMALL, camera=now.camera)
    assert session.scene == now
    finish(session)
    assert shown_seed(session) == 1 and session.settled
    session.show_before(False)
    finish(session)
    assert session.visible == now and shown_seed(session) == 2
    assert session.undo_label == "Seed"


def test_before_let_go_at_once_ends_with_the_present_scene(session):
    seed(session, 2)
    finish(session)
    session.show_before(True)
    session.show_before(False)
    while session.busy:
        finish(session)
    assert shown_seed(session) == 2


# -- keeping ---------------------------------------------------------------------------------------------------------


def another(session):
    """A session that starts where `session` ended."""
    return Session(lambda: None, session.folder, [ScriptedCompute])


def test_the_session_comes_back(session):
    session.open(scenes.load("directx-demo"))
    seed(session, 77)
    session.set_camera(session.scene.camera.replace(x=0.1, yaw=33.3))
    session.close()
    assert compute(session).closed
    later = another(session)
    assert later.restore()
    assert (later.scene, later.home) == (session.scene, session.home)
    assert (later.undo_label, later.notices) == ("", [])
    assert compute(later).job == session.scene.terrain_groups()


def test_closing_during_a_gesture_keeps_what_is_seen(session):
    session.begin_gesture("Seed")
    seed(session, 5)
    session.close()
    later = another(session)
    assert later.restore() and later.scene.noise.seed == 5


def test_the_first_start_finds_nothing_and_says_nothing(tmp_path, session):
    fresh = Session(lambda: None, tmp_path / "nothing", [ScriptedCompute])
    assert not fresh.restore()
    assert fresh.notices == []


UNREADABLE = [b"version = 99\n", b"[noise\n", b"\xff\xfe\x00", None]


def spoil(path, content):
    if content is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(content)


@pytest.mark.parametrize("content", UNREADABLE)
def test_an_unreadable_session_is_a_notice(session, content):
    session.close()
    spoil(session.folder / "session.toml", content)
    later = another(session)
    assert not later.restore()
    assert len(later.notices) == 1
    assert "session.toml" in later.notices[0] and "\n" not in later.notices[0]
    assert later.scene == Scene()


@pytest.mark.parametrize("content", UNREADABLE)
def test_a_session_comes_back_without_its_home(session, content):
    seed(session, 5)
    session.close()
    spoil(session.folder / "home.toml", content)
    later = another(session)
    assert later.restore()
    assert later.scene == later.home == session.scene


def test_a_session_that_nobody_saw_is_not_kept(session):
    session.close()
    later = another(session)
    later.start(scenes.load("directx-demo"))
    later.close(keep=False)
    assert compute(later).closed
    assert scenes.load(session.folder / "session.toml") == SMALL


def test_the_session_is_written_every_few_seconds_and_only_when_it_changed(session, clock):
    path = session.folder / "session.toml"
    session.keep()
    assert scenes.load(path) == SMALL
    seed(session, 2)
    clock.now += 1
    session.keep()
    assert scenes.load(path) == SMALL
    clock.now += 3
    session.keep()
    assert scenes.load(path) == session.scene
    path.unlink()
    clock.now += 60
    session.keep()
    assert not path.exists()


def test_a_session_that_cannot_be_written_is_one_notice(session, clock, tmp_path):
    session.folder = tmp_path / "file" / "state"
    (tmp_path / "file").write_text("")
    for number in range(2, 5):
        seed(session, number)
        clock.now += 10
        session.keep()
    assert len(session.notices) == 1 and str(session.folder) in session.notices[0]


# -- with the real process -------------------------------------------------------------------------------------------


@pytest.fixture
def real(tmp_path):
    woken = threading.Event()
    session = Session(wake=woken.set, folder=tmp_path / "state")
    session.woken = woken
    session.start(SMALL)
    yield session
    session.close()


def results(session):
    """Take everything in until the session is settled; return the results that came, in order."""
    seen = []
    end = time.monotonic() + COMPUTES_WITHIN_S
    while not session.settled or session.notices:
        assert time.monotonic() < end and not session.notices
        session.woken.wait(1)
        session.woken.clear()
        if session.poll() and session.result is not None and (not seen or session.result is not seen[-1]):
            seen.append(session.result)
    return seen


def test_a_burst_ends_with_the_last_values_and_never_goes_back(real):
    results(real)
    amplitudes = [10.0 + number for number in range(60)]
    order = []
    for amplitude in amplitudes:
        real.set(real.scene.replace({"noise.amplitude": amplitude, "erosion.kind": "none"}), "Amplitude")
        time.sleep(0.005)
        if real.poll():
            order.append(real.result.field)
    results(real)
    order.append(real.result.field)
    heights = [field.height_range[1] for field in order]
    assert heights == sorted(heights)
    wanted = Pipeline(CpuEngine()).run(real.scene.terrain_groups()).field
    assert np.array_equal(real.result.field.heights, wanted.heights)


def test_a_long_job_gives_way(real):
    results(real)
    real.set(real.scene.replace({"grid.rows": 1024, "grid.columns": 1024, "erosion.iterations": 10_000}), "Long")
    while real.advanced is None or real.advanced.step != "erosion":
        real.woken.wait(1)
        real.woken.clear()
        real.poll()
    start = time.monotonic()
    real.undo()
    results(real)
    assert time.monotonic() - start < 5  # the long one takes twenty
    assert real.result.field.heights.shape == (24, 32)


def test_killing_the_process_costs_a_notice_and_a_restart(real):
    results(real)
    number = compute(real).process_id
    os.kill(number, signal.SIGKILL)
    real.woken.clear()
    while not real.notices:
        assert real.woken.wait(5)
        real.woken.clear()
        real.poll()
    assert len(real.notices) == 1
    real.notices.clear()
    seed(real, 8)
    results(real)
    assert compute(real).process_id != number
    wanted = Pipeline(CpuEngine()).run(real.scene.terrain_groups()).field
    assert np.array_equal(real.result.field.heights, wanted.heights)
