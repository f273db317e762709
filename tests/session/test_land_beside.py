"""A land that is computed beside the session's own, to be compared with it."""

import numpy as np
import pytest

from fellview.compute.protocol import Failed, Masked, Stopped
from fellview.io.land_cache import Whole
from tests.session.scripted import SMALL, compute, finish, level, seed, shown_seed

OTHER = SMALL.replace({"noise.seed": 50})


def test_another_land_is_computed_beside_once_nothing_else_is_wanted(session):
    seed(session, 2)
    session.compare(OTHER)
    assert compute(session).job == session.scene.terrain_groups()
    finish(session)
    assert compute(session).job == OTHER.terrain_groups()
    assert session.settled and not session.busy and session.compared is None
    finish(session)
    assert shown_seed(session) == 2 and session.compared.heights[0, 0] == 50


def test_the_land_beside_comes_with_its_masks(session):
    session.compare(OTHER, frozenset({"slope"}))
    assert compute(session).masks[-1] == {"slope"}
    finish(session)
    slopes = np.ones((24, 32), np.float32)
    compute(session).say(Masked(OTHER.terrain_groups(), {"slope": slopes}))
    assert session.poll() and session.compared.masks["slope"] is slopes
    assert not session.result.field.masks


def test_what_is_wanted_goes_before_the_land_beside_which_then_begins_anew(session):
    session.compare(OTHER)
    seed(session, 3)
    assert session.busy is False and compute(session).cancels == 1
    compute(session).say(Stopped())
    session.poll()
    assert session.busy and compute(session).job["noise"].seed == 3
    finish(session)
    assert compute(session).job["noise"].seed == 50
    finish(session)
    assert session.compared is not None and shown_seed(session) == 3


def test_masks_of_the_land_beside_that_were_given_up_are_asked_for_again(session):
    session.compare(OTHER, frozenset({"slope"}))
    finish(session)
    seed(session, 3)
    finish(session)
    assert compute(session).job["noise"].seed == 50 and compute(session).masks[-1] == {"slope"}


def test_another_one_takes_its_place_and_none_forgets_it(session):
    session.compare(OTHER)
    session.compare(SMALL.replace({"noise.seed": 51}))
    assert compute(session).cancels == 1
    finish(session)  # it was quicker
    assert session.compared is None
    finish(session)
    assert session.compared.heights[0, 0] == 51
    session.compare(None)
    assert session.compared is None


def test_a_land_beside_that_fails_is_told_once_and_leaves_all_else_alone(session):
    session.compare(OTHER)
    compute(session).say(Failed(OTHER.terrain_groups(), "too large"))
    session.poll()
    assert session.notices == ["too large"] and session.compared is None and not session.busy
    asked = len(compute(session).jobs)
    seed(session, 4)
    finish(session)
    assert len(compute(session).jobs) == asked + 1


def test_other_masks_of_the_land_beside_leave_its_heights_as_they_are(session):
    session.compare(OTHER)
    finish(session)
    land = session.compared
    session.compare(OTHER, frozenset({"slope"}))
    assert session.compared is land
    finish(session)
    slopes = np.ones((24, 32), np.float32)
    compute(session).say(Masked(OTHER.terrain_groups(), {"slope": slopes}))
    assert session.poll() and session.compared.heights is land.heights and set(session.compared.masks) == {"slope"}


@pytest.fixture
def kept(session):
    """The session where the other land was kept with its slopes."""
    groups = OTHER.terrain_groups()
    land = level(groups).with_masks({"slope": np.ones((24, 32), np.float32)})
    session.store.keep_whole_land(groups, Whole(land, frozenset({"slope"}), OTHER.water.for_masks({"slope"})))
    session.store.flush()
    return session


def test_a_land_that_was_kept_is_there_at_once_and_nothing_is_computed(kept):
    asked = len(compute(kept).jobs)
    kept.compare(OTHER, frozenset({"slope"}))
    assert kept.compared.heights[0, 0] == 50 and "slope" in kept.compared.masks
    assert len(compute(kept).jobs) == asked


def test_masks_that_were_not_kept_with_it_are_computed_behind_it(kept):
    kept.compare(OTHER, frozenset({"slope", "curvature"}))
    assert kept.compared.heights[0, 0] == 50
    assert compute(kept).masks[-1] == {"slope", "curvature"}


def test_another_scene_is_shown_in_its_place_and_nothing_is_undone_by_that(session):
    scene = session.scene
    session.show_instead(OTHER)
    finish(session)
    assert shown_seed(session) == 50 and session.visible == OTHER.viewed_as(scene) and session.scene is scene
    assert session.shows_other and not session.can_cancel and not session.undo_label
    session.show_instead(None)
    assert session.visible is scene and not session.shows_other


def test_the_land_beside_is_begun_once_the_masks_of_what_is_wanted_have_come(session):
    session.want_masks(frozenset({"slope"}))
    session.compare(OTHER)
    finish(session)
    assert compute(session).job == SMALL.terrain_groups()
    compute(session).say(Masked(SMALL.terrain_groups(), {"slope": np.ones((24, 32), np.float32)}))
    session.poll()
    assert compute(session).job == OTHER.terrain_groups()
