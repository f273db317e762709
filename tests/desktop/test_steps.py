"""The list of the history's steps: what stands in it, its thumbnails, and the ways it leads."""

import pytest

from fellview.ui.steps import Answer, lanes
from tests.headless_window import opened, turn
from tests.session.scripted import SMALL


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        viewer.layout.panel_shown = False
        settle(viewer)
        yield viewer


def settle(viewer):
    """Have the loop turn until the picture is that of the scene."""
    for _ in range(200):
        turn(viewer)
        if viewer.pictures.seen() is not None:
            turn(viewer)
            return
    raise AssertionError("no picture")


def set_seed(viewer, number):
    viewer.session.set(viewer.session.scene.replace({"noise.seed": number}), "Noise: seed")
    viewer.compute.process.finish()
    settle(viewer)


def answer(viewer, **what):
    viewer.steps._answer = Answer(**what)
    viewer.steps.apply()


def test_branches_stand_beside_each_other():
    assert lanes({0: None, 1: 0, 2: 1, 3: 0, 4: 3, 5: 0}) == {0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 2}


def test_each_step_has_its_name_its_change_and_a_thumbnail(viewer):
    set_seed(viewer, 40)
    set_seed(viewer, 41)
    start, one, other = viewer.steps.rows()
    assert (start.label, start.change) == ("Start", SMALL.name)
    assert [row.label for row in (one, other)] == ["Noise: seed"] * 2
    assert [row.change for row in (one, other)] == [f"{SMALL.noise.seed} → 40", "40 → 41"]
    assert set(viewer.steps._thumbnails.ids()) == {0, 1, 2}


def test_one_goes_anywhere_and_the_other_future_stays(viewer):
    set_seed(viewer, 40)
    answer(viewer, go=0)
    viewer.compute.process.finish()
    settle(viewer)
    set_seed(viewer, 41)
    assert [(row.lane, row.on_way) for row in viewer.steps.rows()] == [(0, True), (0, False), (1, True)]
    answer(viewer, go=1)
    assert viewer.session.scene.noise.seed == 40
    assert [row.on_way for row in viewer.steps.rows()] == [True, True, False]


def test_a_step_may_be_compared_with(viewer):
    set_seed(viewer, 40)
    viewer.act("steps")
    assert viewer.beside.shown == "steps"
    answer(viewer, compare=0)
    turn(viewer)
    assert viewer.comparing.shown and not viewer.beside.shown
    assert viewer.other.comparison.old.scene == SMALL


def test_the_list_is_drawn_and_escape_closes_it(viewer):
    viewer.act("steps")
    turn(viewer, 3)
    assert viewer.beside.shown == "steps" and not viewer.faults.failed_turns
    viewer.act("cancel")
    assert not viewer.beside.shown
