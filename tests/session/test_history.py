"""Undo by gestures: the recipe's history alone."""

import random
from dataclasses import replace

import pytest

from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.session.history import MOST_STEPS, History
from fellview.studio.shelf import Shelf
from tests.session.scripted import ASIDE, SMALL, seed


@pytest.fixture
def history():
    history = History()
    history.start(SMALL)
    return history


def test_a_gesture_is_one_undo_step(history):
    history.begin_gesture("Seed")
    for number in range(2, 9):
        seed(history, number)
    history.finish_gesture()
    seed(history, 20, "Another")
    assert history.undo_label == "Another"
    history.undo()
    assert (history.scene.noise.seed, history.undo_label, history.redo_label) == (8, "Seed", "Another")
    history.undo()
    assert (history.scene.noise.seed, history.undo_label, history.redo_label) == (1, "", "Seed")
    history.undo()
    assert history.scene.noise.seed == 1
    history.redo()
    history.redo()
    history.redo()
    assert (history.scene.noise.seed, history.redo_label) == (20, "")


def test_a_gesture_that_came_back_leaves_no_step(history):
    history.begin_gesture("Seed")
    seed(history, 2)
    seed(history, 1)
    history.finish_gesture()
    assert history.undo_label == ""


def test_a_gesture_that_is_taken_back_leaves_no_trace(history):
    seed(history, 5)
    history.undo()
    history.begin_gesture("Seed")
    seed(history, 2)
    assert history.take_back() and not history.take_back()
    assert (history.scene.noise.seed, history.undo_label, history.redo_label) == (1, "", "Seed")
    history.finish_gesture()
    assert history.undo_label == ""


def test_undo_during_a_gesture_takes_that_gesture_back(history):
    history.begin_gesture("Seed")
    seed(history, 2)
    history.undo()
    assert history.scene.noise.seed == 1
    history.redo()
    assert history.scene.noise.seed == 2


def test_a_new_change_drops_what_could_be_redone(history):
    seed(history, 2)
    history.undo()
    seed(history, 3)
    assert history.redo_label == ""


def test_undo_leaves_the_camera_alone(history):
    seed(history, 2)
    moved = history.scene.camera.replace(x=55.0, yaw=12.0)
    history.set_camera(moved)
    history.undo()
    assert history.scene == replace(SMALL, camera=moved)
    history.redo()
    assert history.scene == replace(SMALL.replace({"noise.seed": 2}), camera=moved)


def test_a_camera_move_is_no_undo_step(history):
    history.begin_gesture("Orbit")
    history.set_camera(history.scene.camera.replace(x=55.0))
    history.finish_gesture()
    assert history.undo_label == ""


@pytest.mark.parametrize("within", ["a gesture", "no gesture"])
@pytest.mark.parametrize("change", [*({key: value} for key, value in ASIDE.items()), {"camera.yaw": 5.0}], ids=str)
def test_how_one_looks_at_it_is_no_undo_step_and_no_change(history, change, within):
    seed(history, 2)
    seed(history, 3)
    history.undo()
    if within == "a gesture":
        history.begin_gesture("View mode")
    history.set(history.scene.replace(change), "View mode")
    history.finish_gesture()
    assert (history.undo_label, history.redo_label) == ("Seed", "Seed")
    assert history.scene == SMALL.replace({"noise.seed": 2, **change})
    history.undo()
    assert history.scene == SMALL.replace(change)
    assert not history.scene.changed_since(SMALL)
    history.redo()
    history.redo()
    assert history.scene == SMALL.replace({"noise.seed": 3, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"view.exaggeration": 2.0},
        {"view.stage": "slab"},
        {"view.surroundings": "land"},
        {"view.border": 5.0},
        {"sun.azimuth": 1.0},
        {"erosion.iterations": 3},
    ],
    ids=str,
)
def test_what_the_scene_is_stays_an_undo_step_and_a_change(history, change):
    history.set(history.scene.replace({**change, **ASIDE}), "Change")
    assert history.undo_label == "Change" and history.scene.changed_since(SMALL)
    history.undo()
    assert history.scene == SMALL.replace(ASIDE)


def test_an_opened_scene_brings_its_own_views_and_undo_those_from_before(history):
    history.set(history.scene.replace(ASIDE), "View mode")
    was = history.scene
    other = scenes.load("directx-demo")
    history.open(other)
    assert history.scene == other
    history.undo()
    assert history.scene == was
    history.redo()
    assert history.scene == other


def test_undo_of_an_opened_scene_brings_its_camera_and_home_back(history):
    history.set_camera(history.scene.camera.replace(x=55.0))
    was = history.scene
    other = scenes.load("directx-demo")
    history.open(other)
    assert (history.scene, history.home) == (other, other)
    history.undo()
    assert (history.scene, history.home) == (was, SMALL)
    history.redo()
    assert (history.scene, history.home) == (other, other)


def test_undo_history_has_an_end(history):
    for number in range(2, 702):
        seed(history, number)
    for _ in range(700):
        history.undo()
    assert history.scene.noise.seed == 201  # 500 steps back
    assert history.undo_label == ""


def test_undo_and_redo_go_through_any_sequence_of_edits(history):
    chance = random.Random(5)
    states = [history.scene.noise]
    at = 0
    for _ in range(300):
        move = chance.random()
        if move < 0.5:
            history.set(history.scene.replace({"noise.frequency": chance.uniform(1, 60)}), "Frequency")
            states[at + 1 :] = [history.scene.noise]
            at += 1
        elif move < 0.8:
            history.undo()
            at = max(at - 1, 0)
        else:
            history.redo()
            at = min(at + 1, len(states) - 1)
        assert history.scene.noise == states[at]


def test_there_is_nothing_to_go_back_to_at_the_start():
    history = History()
    history.start(SMALL, home=Scene())
    assert (history.scene, history.home) == (SMALL, Scene())
    assert not (history.undo() or history.redo() or history.take_back())
    assert (history.scene, history.undo_label, history.redo_label) == (SMALL, "", "")


def test_opening_ends_the_open_gesture_with_a_step_of_its_own(history):
    history.begin_gesture("Seed")
    seed(history, 2)
    history.open(scenes.load("directx-demo"))
    assert history.undo() and history.scene.noise.seed == 2
    assert history.undo() and history.scene == SMALL
    assert not history.undo()


# -- the shelf ---------------------------------------------------------------------------------------------------------


def test_the_shelf_goes_back_and_forth_with_the_scenes(history):
    seed(history, 5)
    history.set_shelf(kept := Shelf().keep(history.scene), "Keep small 1")
    seed(history, 7)
    history.set_shelf(starred := kept.star(kept.variants[0].id, True), "Star small 1")
    assert history.undo_label == "Star small 1"
    history.undo()
    assert (history.shelf, history.scene.noise.seed, history.redo_label) == (kept, 7, "Star small 1")
    history.undo()
    assert (history.shelf, history.scene.noise.seed) == (kept, 5)
    history.undo()
    assert (history.shelf, history.scene.noise.seed) == (Shelf(), 5)
    for _ in range(3):
        history.redo()
    assert (history.shelf, history.scene.noise.seed) == (starred, 7)


def test_a_shelf_that_is_the_same_is_no_step(history):
    history.set_shelf(kept := Shelf().keep(history.scene), "Keep small 1")
    history.set_shelf(kept.move(kept.variants[0].id, 0), "Move small 1")
    assert history.undo_label == "Keep small 1"


def test_keeping_during_a_gesture_ends_that_first(history):
    history.begin_gesture("Seed")
    seed(history, 3)
    history.set_shelf(Shelf().keep(history.scene), "Keep small 1")
    history.undo()
    assert (len(history.shelf), history.scene.noise.seed, history.undo_label) == (0, 3, "Seed")


def test_opening_under_a_name_is_told_by_that(history):
    history.open(SMALL.replace({"noise.seed": 8}), "Show small 1")
    assert history.undo_label == "Show small 1"
    history.undo()
    assert (history.scene, history.home) == (SMALL, SMALL)


# -- branches ----------------------------------------------------------------------------------------------------------


def labels(history):
    return [step.label for step in history.steps]


def test_going_back_and_changing_something_keeps_the_other_future(history):
    seed(history, 2, "One way")
    seed(history, 3, "Farther")
    history.undo()
    history.undo()
    seed(history, 9, "Another way")
    assert (history.undo_label, history.redo_label) == ("Another way", "")
    assert labels(history) == ["Start", "One way", "Farther", "Another way"]
    farther = history.steps[2]
    assert history.go(farther.number) and history.scene.noise.seed == 3
    assert (history.undo_label, history.redo_label) == ("Farther", "")
    history.undo()
    history.undo()
    assert history.redo_label == "One way"  # the branch that one was on last
    history.redo()
    history.redo()
    assert history.scene.noise.seed == 3


def test_each_step_knows_where_it_began_and_has_its_scene(history):
    seed(history, 2)
    history.undo()
    seed(history, 3)
    start, one, other = history.steps
    assert (start.parent, one.parent, other.parent) == (None, start.number, start.number)
    assert [step.scene.noise.seed for step in history.steps] == [1, 2, 3]
    assert history.now == other.number


def test_the_step_that_is_now_has_the_scene_as_it_is_looked_at(history):
    seed(history, 2)
    history.set_camera(history.scene.camera.replace(x=55.0))
    assert history.steps[-1].scene == history.scene


def test_going_to_no_step_or_to_the_present_one_does_nothing(history):
    seed(history, 2)
    assert not history.go(None) and not history.go(77) and not history.go(history.now)
    assert history.scene.noise.seed == 2


def test_going_to_a_step_of_another_opening_brings_its_home_and_camera(history):
    history.set_camera(history.scene.camera.replace(x=55.0))
    was = history.scene
    other = scenes.load("directx-demo")
    history.open(other)
    history.set(history.scene.replace({"noise.seed": 5}), "Seed")
    assert history.go(0) and (history.scene, history.home) == (was, SMALL)
    assert history.go(2) and history.home == other and history.scene.noise.seed == 5
    history.set_camera(history.scene.camera.replace(x=77.0))
    assert history.go(1) and history.scene.camera.x == 77.0  # of one opening, so that one looks on from there


def test_going_anywhere_ends_the_open_gesture(history):
    seed(history, 2)
    history.begin_gesture("Seed")
    seed(history, 3)
    assert history.go(0) and labels(history) == ["Start", "Seed", "Seed"]


def test_branches_are_bounded_and_the_present_one_stays(history):
    for number in range(2, 302):
        seed(history, number)
    for _ in range(250):
        history.undo()
    for number in range(1000, 1300):
        seed(history, number)
    assert len(history.steps) == MOST_STEPS + 1
    numbers = {step.number for step in history.steps}
    assert all(step.parent in numbers for step in history.steps if step.parent is not None)
    for expected in [*range(1298, 999, -1), 51]:  # where the other branch begins, which is shorter now
        assert history.undo() and history.scene.noise.seed == expected
    assert not history.undo()


def test_any_way_through_any_tree_leads_to_the_scenes_that_were_left(history):
    chance = random.Random(8)
    left = {0: 1}
    for number in range(2, 300):
        if chance.random() < 0.3:
            assert history.go(there := chance.choice(list(left))) or there == history.now
            assert history.scene.noise.seed == left[history.now]
        seed(history, number)
        left[history.now] = number
    assert {step.number: step.scene.noise.seed for step in history.steps} == left
