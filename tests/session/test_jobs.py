"""Jobs alone: the newest request wins, the last good result stays, and what breaks is told."""

import random

import numpy as np
import pytest

from fellview.compute.protocol import Advanced, Died, Failed, Lost, Masked, Stopped
from fellview.session.jobs import Jobs
from tests.session.scripted import SMALL, ScriptedCompute, level, shown_seed


@pytest.fixture
def adopted():
    """The groups of the lands that were kept before their step's end and are wanted still."""
    return []


@pytest.fixture
def jobs(clock, told, woken, adopted):
    """Jobs over two scripted computers, with the land of seed 1 computed."""

    def adopt(groups):
        adopted.append(groups)
        jobs.want(groups, SMALL.water)

    jobs = Jobs([ScriptedCompute] * 2, lambda: woken.append(True), told.append, adopt, clock)
    want(jobs, 1)
    finish(jobs)
    return jobs


def groups_of(number, **changed):
    return SMALL.replace({"noise.seed": number, **changed}).terrain_groups()


def want(jobs, number, **changed):
    jobs.want(groups_of(number, **changed), SMALL.water)


def finish(jobs):
    jobs.computer.finish()
    assert jobs.poll()


# -- the newest wins -------------------------------------------------------------------------------------------------


def test_one_job_runs_and_the_newest_of_those_that_waited_comes_next(jobs):
    begun = len(jobs.computer.jobs)
    for number in range(2, 20):
        want(jobs, number)
    assert [job["noise"].seed for job in jobs.computer.jobs[begun:]] == [2]
    finish(jobs)
    assert [job["noise"].seed for job in jobs.computer.jobs[begun:]] == [2, 19]
    assert shown_seed(jobs) == 2 and not jobs.settled
    finish(jobs)
    assert shown_seed(jobs) == 19 and jobs.settled
    assert len(jobs.computer.jobs) == begun + 2


def test_a_quick_job_may_finish_while_newer_values_wait_and_a_slow_one_is_stopped(jobs, clock):
    want(jobs, 2)
    want(jobs, 3)
    assert jobs.computer.cancels == 0
    clock.now += 0.5
    want(jobs, 4)
    assert jobs.computer.cancels == 1
    jobs.computer.say(Stopped())
    jobs.poll()
    assert jobs.computer.job["noise"].seed == 4
    assert shown_seed(jobs) == 1  # the last good one


def test_a_slow_job_is_stopped_also_where_no_further_value_comes(jobs, clock):
    want(jobs, 2)
    want(jobs, 3)
    clock.now += 0.5
    jobs.computer.say(Advanced("erosion", 0.1))
    jobs.poll()
    assert (jobs.advanced.step, jobs.advanced.fraction) == ("erosion", 0.1)
    assert jobs.computer.cancels == 1


def test_a_slow_job_that_is_still_wanted_is_left_alone(jobs, clock):
    want(jobs, 2)
    clock.now += 60
    jobs.computer.say(Advanced("erosion", 0.1))
    jobs.poll()
    assert jobs.computer.cancels == 0
    assert jobs.computing_for == 60


def test_values_that_came_back_need_no_further_job(jobs):
    want(jobs, 2)
    want(jobs, 3)
    want(jobs, 2)
    begun = len(jobs.computer.jobs)
    finish(jobs)
    assert jobs.settled and len(jobs.computer.jobs) == begun


def test_events_wake_the_window_and_are_taken_in_by_poll_alone(jobs, woken):
    want(jobs, 2)
    woken.clear()
    jobs.computer.finish()
    assert woken and shown_seed(jobs) == 1
    assert jobs.poll() and shown_seed(jobs) == 2
    assert not jobs.poll()


# -- previews --------------------------------------------------------------------------------------------------------


def land_seed(jobs):
    return int(jobs.land.heights[0, 0])


def is_coarse(jobs):
    return jobs.land.heights.shape != (24, 32)


def test_a_preview_is_drawn_and_is_no_result(jobs):
    want(jobs, 2)
    jobs.computer.preview()
    jobs.poll()
    assert (land_seed(jobs), is_coarse(jobs)) == (2, True)
    assert jobs.land.size == jobs.result.field.size  # the same extent
    assert shown_seed(jobs) == 1 and not jobs.settled
    finish(jobs)
    assert (land_seed(jobs), is_coarse(jobs)) == (2, False) and jobs.settled


def test_how_far_a_job_has_come_changes_nothing_that_is_drawn_at_once(jobs):
    want(jobs, 2)
    jobs.computer.say(Advanced("noise", 0.5))
    assert not jobs.poll() and jobs.advanced is not None


def test_what_has_shown_its_preview_is_stopped_at_once_for_newer_values(jobs):
    want(jobs, 2)
    want(jobs, 3)
    assert jobs.computer.cancels == 0  # its preview is still to come
    jobs.computer.preview()
    jobs.poll()
    assert land_seed(jobs) == 2 and jobs.computer.cancels == 1
    jobs.computer.say(Stopped())
    jobs.poll()
    assert land_seed(jobs) == 2  # until the next one has something to show
    jobs.computer.preview()
    jobs.poll()
    want(jobs, 4)
    assert land_seed(jobs) == 3 and jobs.computer.cancels == 2


def test_going_back_to_what_is_there_shows_it_in_full_at_once(jobs):
    want(jobs, 2)
    jobs.computer.preview()
    jobs.poll()
    want(jobs, 1)
    assert (land_seed(jobs), is_coarse(jobs)) == (1, False)
    assert jobs.computer.cancels == 1
    jobs.computer.preview()  # too late
    jobs.poll()
    assert (land_seed(jobs), is_coarse(jobs)) == (1, False)
    jobs.computer.finish()  # it was quicker than the flag
    jobs.poll()
    assert shown_seed(jobs) == 1 and jobs.settled


def test_a_failure_takes_its_preview_away(jobs, told):
    want(jobs, 2)
    jobs.computer.preview()
    jobs.computer.say(Failed(jobs.computer.job, "erosion: the result is not finite everywhere"))
    jobs.poll()
    assert (land_seed(jobs), is_coarse(jobs)) == (1, False)
    assert told == ["erosion: the result is not finite everywhere"]


@pytest.mark.parametrize("draw", range(40))
def test_nothing_older_is_ever_shown_after_something_newer(jobs, clock, draw):
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
            want(jobs, newest)
        elif not jobs.busy:
            continue
        elif move == "preview":
            jobs.computer.preview()
        elif move == "advance":
            jobs.computer.say(Advanced("noise", 0.5))
        elif move == "finish":
            jobs.computer.finish()
        elif move == "stop" and jobs.computer.cancels:
            jobs.computer.say(Stopped())
        elif move == "die":
            jobs.computer.say(Died())
        elif move == "fail":
            jobs.computer.say(Failed(jobs.computer.job, "no"))
        jobs.poll()
        now = (land_seed(jobs), not is_coarse(jobs))
        assert now >= before or (move in ("die", "fail") and not jobs.busy and now == (shown_seed(jobs), True))
        before = now
    while jobs.busy:
        finish(jobs)
    assert not is_coarse(jobs) and land_seed(jobs) == shown_seed(jobs)


# -- keeping what a step has reached ---------------------------------------------------------------------------------


LONG = {"erosion.iterations": 100}


def long_erosion(jobs, clock):
    want(jobs, 1, **LONG)
    clock.now += 4
    jobs.computer.say(Advanced("erosion", 0.0, 0, 100))
    jobs.poll()
    clock.now += 3
    jobs.computer.say(Advanced("erosion", 0.3, 30, 100))
    jobs.poll()


def keep(jobs, reached):
    """Have the erosion end with what it has `reached`; return the groups that say so."""
    groups = jobs.computer.job
    kept = {**groups, "erosion": groups["erosion"].replace(iterations=reached)}
    jobs.computer.finish(kept)
    jobs.poll()
    return kept


def test_what_is_kept_is_adopted_and_needs_no_job_of_its_own(jobs, clock, adopted):
    long_erosion(jobs, clock)
    assert jobs.seconds_left == pytest.approx(7)
    assert jobs.can_keep
    jobs.keep_so_far()
    assert jobs.computer.keeps == 1 and not jobs.can_keep  # once is enough
    begun = len(jobs.computer.jobs)
    kept = keep(jobs, 31)
    assert adopted == [kept] and jobs.result_groups == kept
    assert jobs.settled and len(jobs.computer.jobs) == begun  # it is what is wanted now: nothing to compute


def test_what_does_not_count_its_iterations_cannot_be_kept(jobs):
    want(jobs, 2)
    jobs.computer.say(Advanced("noise", 0.5))
    jobs.poll()
    assert not jobs.can_keep
    jobs.keep_so_far()
    assert jobs.computer.keeps == 0


def test_what_was_kept_under_newer_values_is_not_adopted(jobs, clock, adopted):
    long_erosion(jobs, clock)
    jobs.keep_so_far()
    want(jobs, 2, **LONG)
    keep(jobs, 31)
    assert adopted == []
    assert jobs.computer.job == groups_of(2, **LONG)


def test_how_long_a_step_takes_yet_is_told_after_half_a_second_and_never_of_compiling(jobs, clock):
    want(jobs, 2)
    assert jobs.seconds_left is None
    jobs.computer.say(Advanced("noise", 0.5))
    jobs.poll()
    clock.now += 0.4
    assert jobs.seconds_left is None
    clock.now += 0.6
    assert jobs.seconds_left == pytest.approx(1)
    jobs.computer.say(Advanced("noise", 0.5, compiling=True))
    jobs.poll()
    assert jobs.seconds_left is None


# -- masks -----------------------------------------------------------------------------------------------------------


def mask(jobs, names):
    heights = jobs.result.field.heights
    jobs.computer.say(Masked(jobs.computer.job, dict.fromkeys(names, heights)))
    jobs.poll()


def test_masks_follow_the_heights_and_leave_them_alone(jobs):
    jobs.want_masks(frozenset({"slope"}))
    assert jobs.computer.masks[-1] == {"slope"}  # of the land that is there, too
    finish(jobs)
    assert jobs.settled and not jobs.result.field.masks
    heights = jobs.result.field.heights
    mask(jobs, ["slope"])
    assert set(jobs.result.field.masks) == {"slope"} and jobs.result.field.heights is heights
    begun = len(jobs.computer.jobs)
    want(jobs, 1)
    jobs.want_masks(frozenset({"slope"}))
    jobs.want_masks(frozenset())
    assert len(jobs.computer.jobs) == begun


def test_masks_of_an_older_land_are_dropped_and_those_that_gave_way_asked_for_again(jobs):
    jobs.want_masks(frozenset({"slope"}))
    finish(jobs)
    want(jobs, 2)  # comes before the masks
    old = jobs.computer.jobs[-2]
    jobs.computer.say(Masked(old, {"slope": np.zeros((24, 32), np.float32)}))
    jobs.poll()
    assert not jobs.result.field.masks
    want(jobs, 1)
    jobs.computer.say(Stopped())
    jobs.poll()
    assert jobs.busy and jobs.computer.masks[-1] == {"slope"} and jobs.computer.job == old
    finish(jobs)
    mask(jobs, ["slope"])
    assert jobs.settled and set(jobs.result.field.masks) == {"slope"}


# -- what breaks -----------------------------------------------------------------------------------------------------


def test_a_failed_job_keeps_the_last_good_terrain_and_is_not_tried_again(jobs, told):
    want(jobs, 2)
    jobs.computer.say(Failed(jobs.computer.job, "too large"))
    jobs.poll()
    assert shown_seed(jobs) == 1
    assert told == ["too large"]
    assert not jobs.busy
    begun = len(jobs.computer.jobs)
    want(jobs, 2)
    assert len(jobs.computer.jobs) == begun
    want(jobs, 3)
    finish(jobs)
    assert shown_seed(jobs) == 3


def test_values_that_failed_under_newer_ones_do_not_hold_those_up(jobs):
    want(jobs, 2)
    want(jobs, 3)
    jobs.computer.say(Failed(jobs.computer.job, "too large"))
    jobs.poll()
    finish(jobs)
    assert shown_seed(jobs) == 3


def test_going_back_to_the_shown_values_after_a_failure_shows_them(jobs):
    want(jobs, 2)
    jobs.computer.say(Failed(jobs.computer.job, "too large"))
    jobs.poll()
    want(jobs, 1)
    if jobs.busy:
        finish(jobs)
    assert shown_seed(jobs) == 1 and jobs.settled


def test_a_process_that_died_is_given_the_job_again_once(jobs, told):
    want(jobs, 2)
    begun = len(jobs.computer.jobs)
    jobs.computer.say(Died())
    jobs.poll()
    assert len(told) == 1
    assert [job["noise"].seed for job in jobs.computer.jobs[begun:]] == [2]
    jobs.computer.say(Died())
    jobs.poll()
    assert len(jobs.computer.jobs) == begun + 1 and not jobs.busy
    assert shown_seed(jobs) == 1
    want(jobs, 3)
    finish(jobs)
    assert shown_seed(jobs) == 3


def test_each_values_get_a_second_try(jobs):
    want(jobs, 2)
    jobs.computer.say(Died())
    want(jobs, 3)
    jobs.poll()  # died on 2; now computes 3
    begun = len(jobs.computer.jobs)
    assert jobs.computer.job["noise"].seed == 3
    jobs.computer.say(Died())
    jobs.poll()
    assert [job["noise"].seed for job in jobs.computer.jobs[begun:]] == [3]


def test_how_a_process_died_is_told(jobs, told):
    jobs.computer.say(Died("did not answer"))
    jobs.poll()
    assert told == ["The compute process did not answer; a new one was started."]


def test_masks_of_a_process_that_died_are_asked_for_again_once(jobs):
    jobs.want_masks(frozenset({"slope"}))
    finish(jobs)
    for _ in range(2):
        assert not jobs.complete
        begun = len(jobs.computer.jobs)
        jobs.computer.say(Died())
        jobs.poll()
        if jobs.busy:
            assert len(jobs.computer.jobs) == begun + 1 and jobs.computer.masks[-1] == {"slope"}
            finish(jobs)
    assert jobs.complete and len(jobs.computer.jobs) == begun
    want(jobs, 2)
    finish(jobs)
    assert jobs.computer.masks[-1] == {"slope"} and not jobs.complete
    mask(jobs, ["slope"])
    assert jobs.complete


def test_a_process_that_dies_idle_costs_a_notice(jobs, told):
    jobs.computer.say(Died())
    jobs.poll()
    assert len(told) == 1
    assert jobs.settled and shown_seed(jobs) == 1
    want(jobs, 2)
    jobs.computer.say(Died())
    jobs.poll()
    finish(jobs)
    assert shown_seed(jobs) == 2


def test_a_computer_that_is_lost_hands_its_job_to_the_next_one(jobs, told):
    want(jobs, 2)
    lost = jobs.computer
    lost.say(Advanced("noise", 0.5))
    lost.say(Lost("the graphics device was reset"))
    lost.say(Stopped())  # nothing that it says afterwards counts
    jobs.poll()
    assert lost.closed and jobs.computer is not lost
    assert [job["noise"].seed for job in jobs.computer.jobs] == [2]
    assert len(told) == 1 and "the graphics device was reset" in told[0]
    lost.finish()
    assert not jobs.poll() and shown_seed(jobs) == 1
    finish(jobs)
    assert shown_seed(jobs) == 2 and jobs.settled


def test_the_last_computer_that_is_lost_leaves_the_terrain_as_it_is(jobs, told):
    for number in (2, 3):
        want(jobs, number)
        jobs.computer.say(Lost("no device"))
        jobs.poll()
    assert jobs.computer.closed and shown_seed(jobs) == 1 and not jobs.busy
    begun = len(jobs.computer.jobs)
    want(jobs, 4)
    assert len(jobs.computer.jobs) == begun
    assert len(told) == 2


def test_what_is_lost_is_closed_once_and_what_is_left_at_the_end(jobs):
    closed = []
    first = jobs.computer
    first.close = lambda: closed.append("first")
    first.say(Lost("no device"))
    jobs.poll()
    jobs.computer.close = lambda: closed.append("second")
    jobs.close()
    assert closed == ["first", "second"]


# -- a land that was kept --------------------------------------------------------------------------------------------


@pytest.fixture
def fresh(clock, told, woken, adopted):
    """Jobs that have computed nothing yet."""
    return Jobs([ScriptedCompute], lambda: woken.append(True), told.append, adopted.append, clock)


def test_there_is_nothing_to_show_before_the_first_land(fresh):
    assert (fresh.land, fresh.result, fresh.busy, fresh.computing_for) == (None, None, False, 0)
    want(fresh, 1)
    assert fresh.busy and not fresh.settled and fresh.land is None


def test_a_land_that_was_kept_is_shown_until_it_is_computed_and_keeps_its_array(fresh):
    kept = level(groups_of(7))
    fresh.recall(groups_of(7), kept)
    want(fresh, 7)
    assert fresh.land is kept and fresh.result is None
    assert fresh.computer.seen == [24 * 32]
    finish(fresh)
    assert fresh.land is fresh.result.field
    assert fresh.land.has_heights_of(kept)  # or the window would upload it again


def test_a_land_that_was_kept_counts_for_its_own_groups_only(fresh):
    fresh.recall(groups_of(7), level(groups_of(7)))
    want(fresh, 7)
    want(fresh, 9)
    finish(fresh)  # the first job, which nobody wants any more
    assert fresh.computer.seen == [24 * 32, 0]
