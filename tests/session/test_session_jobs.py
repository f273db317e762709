"""What the session computes and shows: the newest request wins, and what breaks costs a notice."""

import random

import numpy as np
import pytest

from fellview.compute.protocol import Advanced, Died, Failed, Lost, Masked, Stopped
from fellview.session.session import Session
from tests.session.scripted import SMALL, ScriptedCompute, compute, finish, seed, shown_seed

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


def test_how_a_process_died_is_told(session):
    compute(session).say(Died("did not answer"))
    session.poll()
    assert session.notices == ["The compute process did not answer; a new one was started."]


def test_masks_of_a_process_that_died_are_asked_for_again_once(session):
    session.want_masks(frozenset({"slope"}))
    finish(session)
    for _ in range(2):
        assert not session.complete
        begun = len(compute(session).jobs)
        compute(session).say(Died())
        session.poll()
        if session.busy:
            assert len(compute(session).jobs) == begun + 1 and compute(session).masks[-1] == {"slope"}
            finish(session)
    assert session.complete and len(compute(session).jobs) == begun
    seed(session, 2)
    finish(session)
    assert compute(session).masks[-1] == {"slope"} and not session.complete
    mask(session, ["slope"])
    assert session.complete


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


def test_a_notice_is_one_line_of_letters_whatever_it_names(session):
    session.notify("a\nb.tif: \x1b[31mno heights", passing=True)
    assert session.notices == [r"a\nb.tif: \x1b[31mno heights"]
    assert session.passes_in is not None
