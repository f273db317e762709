"""Undo by gestures, and the scene as it was opened."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from fellview.desktop import commands
from fellview.io import scenes
from tests.session.scripted import SMALL, finish, seed, shown_seed

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


def test_a_gesture_that_is_taken_back_leaves_no_trace(session):
    seed(session, 5)
    session.undo()
    session.begin_gesture("Seed")
    seed(session, 2)
    assert session.take_back() and not session.take_back()
    assert (session.scene.noise.seed, session.undo_label, session.redo_label) == (1, "", "Seed")
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


# how one looks at the scene: what views, figure and camera are; the land, its light and its stage are not
ASIDE = {"view.mode": "slope", "view.colours": "grey", "view.figure": True, "view.figure_x": 7.0, "view.figure_z": 9.0}


@pytest.mark.parametrize("within", ["a gesture", "no gesture"])
@pytest.mark.parametrize("change", [*({key: value} for key, value in ASIDE.items()), {"camera.yaw": 5.0}], ids=str)
def test_how_one_looks_at_it_is_no_undo_step_and_no_change(session, change, within):
    seed(session, 2)
    seed(session, 3)
    session.undo()
    if within == "a gesture":
        session.begin_gesture("View mode")
    session.set(session.scene.replace(change), "View mode")
    session.finish_gesture()
    assert (session.undo_label, session.redo_label) == ("Seed", "Seed")
    assert session.scene == SMALL.replace({"noise.seed": 2, **change})
    session.undo()
    assert session.scene == SMALL.replace(change)
    assert not session.scene.changed_since(SMALL)
    session.redo()
    session.redo()
    assert session.scene == SMALL.replace({"noise.seed": 3, **change})


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
def test_what_the_scene_is_stays_an_undo_step_and_a_change(session, change):
    session.set(session.scene.replace({**change, **ASIDE}), "Change")
    assert session.undo_label == "Change" and session.scene.changed_since(SMALL)
    session.undo()
    assert session.scene == SMALL.replace(ASIDE)


def test_the_scene_as_it_was_opened_is_looked_at_as_before(session):
    seed(session, 2)
    session.set(session.scene.replace({**ASIDE, "camera.x": 3.0}), "View mode")
    commands.scene.reset_scene(SimpleNamespace(session=session))
    assert session.scene == SMALL.replace({**ASIDE, "camera.x": 3.0}) and session.undo_label == "Scene as opened"
    commands.scene.reset_scene(SimpleNamespace(session=session))
    session.undo()
    assert session.scene.noise.seed == 2 and session.undo_label == "Seed"


def test_an_opened_scene_brings_its_own_views_and_undo_those_from_before(session):
    session.set(session.scene.replace(ASIDE), "View mode")
    was = session.scene
    other = scenes.load("directx-demo")
    session.open(other)
    assert session.scene == other
    session.undo()
    assert session.scene == was
    session.redo()
    assert session.scene == other


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


# -- before ----------------------------------------------------------------------------------------------------------


def test_before_shows_the_scene_as_it_was_opened_and_comes_back(session):
    seed(session, 2)
    finish(session)
    session.set_camera(session.scene.camera.replace(x=55.0))
    now = session.scene
    session.set(session.scene.replace({"view.mode": "slope"}), "View mode")
    now = session.scene
    session.show_before(True)
    assert session.visible == replace(SMALL, camera=now.camera, view=now.view)
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
