"""What a session shows before anything is computed, and what it leaves to the next one."""

import numpy as np
import pytest

from fellview.compute.protocol import Died, Failed, Finished, Masked, Stopped
from fellview.core.height_field import HeightField
from fellview.io import land_cache
from fellview.session.session import Session
from fellview.terrain.pipeline.pipeline import Result
from tests.session.scripted import SMALL, ScriptedCompute, compute, finish, keep, level, seed


@pytest.fixture
def anew(session, tmp_path):
    """Ends the session, and returns the next one in its folder."""

    def begin():
        session.close()
        following = Session(lambda: None, tmp_path / "state", computers=[ScriptedCompute])
        assert following.restore()
        return following

    return begin


def give_mask(session, number):
    """Have one mask be asked for, and come, as high as `number`."""
    session.want_masks(frozenset({"flow"}))
    finish(session)
    field = session.result.field
    masks = {name: np.full_like(field.heights, number) for name in compute(session).masks[-1]}
    compute(session).say(Masked(session.jobs.result_groups, masks))
    assert session.poll()


def test_the_next_session_takes_the_land_of_the_last_with_its_masks(session, anew):
    seed(session, 7)
    finish(session)
    give_mask(session, 3)
    following = anew()
    following.want_masks(frozenset({"flow"}))
    assert following.complete and not following.busy and not compute(following).jobs
    field = following.result.field
    assert np.all(field.heights == 7) and np.all(field.masks["flow"] == 3)
    assert field.cell_size == session.land.cell_size
    following.want_masks(frozenset({"flow", "slope"}))
    assert following.busy and compute(following).masks == [{"flow", "slope"}]


def test_a_land_that_was_taken_is_practised_behind_what_is_wanted(session, anew):
    seed(session, 7)
    finish(session)
    following = anew()
    taken = following.land
    following.practise()
    assert following.complete and not following.busy and following.advanced is None
    assert compute(following).job == following.scene.terrain_groups()
    seed(following, 8)
    assert compute(following).cancels == 1
    compute(following).say(Stopped())
    assert following.poll() and following.busy
    assert compute(following).job == following.scene.terrain_groups()
    following.undo()
    finish(following)  # which nobody wants any more
    assert following.complete and following.land is taken and not following.busy
    assert len(compute(following).jobs) == 3, "and then it is begun anew"
    finish(following)
    assert following.land is taken and len(compute(following).jobs) == 3
    following.practise()
    assert len(compute(following).jobs) == 3, "it is done"


def test_practice_gives_way_to_a_land_that_is_compared(session, anew):
    finish(session)
    following = anew()
    following.practise()
    following.compare(SMALL.replace({"noise.seed": 9}))
    assert compute(following).cancels == 1
    compute(following).say(Stopped())
    following.poll()
    assert compute(following).job["noise"].seed == 9
    compute(following).finish()
    following.poll()
    assert np.all(following.compared.heights == 9)
    assert compute(following).job == following.scene.terrain_groups()


def test_practice_comes_once_though_the_same_land_is_compared(session, anew):
    finish(session)
    following = anew()
    following.practise()
    following.compare(SMALL)
    for _ in range(3):
        compute(following).finish()
        following.poll()
    assert len(compute(following).jobs) == 2 and following.compared_complete


def test_a_land_that_was_computed_meanwhile_is_not_practised(session, anew):
    finish(session)
    following = anew()
    following.practise()
    seed(following, 8)
    compute(following).say(Stopped())
    following.poll()
    finish(following)
    following.undo()
    finish(following)
    assert following.complete and len(compute(following).jobs) == 3


@pytest.mark.parametrize("event", [Died("ended"), Failed({}, "it ended")])
def test_practice_that_fails_is_told_and_not_tried_again(session, anew, event):
    finish(session)
    following = anew()
    following.practise()
    compute(following).say(event)
    following.poll()
    assert following.complete and len(compute(following).jobs) == 1
    assert len(following.notices) == 1 and "ended" in following.notices[0]


def test_a_taken_land_that_turns_out_otherwise_is_replaced_with_its_masks(session, anew):
    give_mask(session, 3)
    following = anew()
    following.want_masks(frozenset({"flow"}))
    following.practise()
    groups = following.scene.terrain_groups()
    other = HeightField(level(groups).heights + 1, level(groups).cell_size)
    compute(following).say(Finished(groups, Result(other, ())))
    following.poll()
    assert np.array_equal(following.land.heights, other.heights)
    assert not following.complete and compute(following).masks[-1] == {"flow"}


def test_the_next_session_shows_the_land_of_the_last_before_its_masks_are_computed(session, anew):
    seed(session, 7)
    finish(session)
    session.want_masks(frozenset({"flow"}))
    finish(session)  # and its masks are on their way
    following = anew()
    assert following.result is None and following.busy
    assert np.all(following.land.heights == 7)
    assert following.land.cell_size == session.land.cell_size
    assert compute(following).seen == [24 * 32]


def test_a_land_that_turns_out_otherwise_is_replaced(session, tmp_path):
    heights = np.full((24, 32), 5.0, np.float32)
    session.close()
    (tmp_path / "state" / "whole-land.arrays").unlink(missing_ok=True)
    land_cache.store(tmp_path / "state", SMALL.terrain_groups(), HeightField(heights, SMALL.grid.cell_size))
    following = Session(lambda: None, tmp_path / "state", computers=[ScriptedCompute])
    following.start(SMALL)
    assert np.all(following.land.heights == 5)
    finish(following)
    assert np.all(following.land.heights == SMALL.noise.seed)


def test_a_recipe_without_its_land_waits_for_it(session, tmp_path):
    seed(session, 7)
    session.close()  # the land of this seed was never computed
    following = Session(lambda: None, tmp_path / "state", computers=[ScriptedCompute])
    assert following.restore()
    assert following.land is None
    assert compute(following).seen == [0]


def test_the_land_is_written_every_few_seconds_and_only_once(session, clock, tmp_path):
    path = tmp_path / "state" / "land.arrays"

    keep(session)
    assert path.exists()
    path.unlink()
    clock.now += 100
    keep(session)
    assert not path.exists()
    seed(session, 7)
    finish(session)
    keep(session)
    assert path.exists()
