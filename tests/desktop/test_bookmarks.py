"""Bookmarks in the viewer: set, flown to, undone, and left at once when something else moves the camera."""

import numpy as np
import pytest

from fellview.compute.protocol import Finished
from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import Result
from fellview.ui import drawn
from fellview.ui.bookmarks import Answer
from tests.headless_window import opened, turn

SIDE, CELL = 32, 20.0
SCENE = Scene(name="plain").replace(
    {"grid.rows": SIDE, "grid.columns": SIDE, "grid.size_x": SIDE * CELL, "grid.size_z": SIDE * CELL}
)


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SCENE, tmp_path, (320, 200)) as viewer:
        land = HeightField(np.zeros((SIDE, SIDE), np.float32), (CELL, CELL))
        viewer.compute.process.say(Finished(viewer.session.scene.terrain_groups(), Result(land, ())))
        turn(viewer, 3)
        yield viewer


def moved(viewer):
    camera = viewer.session.scene.camera.replace(x=400.0, yaw=90.0)
    viewer.session.set_camera(camera)
    return camera


def test_a_bookmark_is_set_flown_to_and_undone(viewer):
    first = viewer.session.scene.camera
    viewer.act("bookmark.set.3")
    assert [(one.number, one.name) for one in viewer.session.scene.bookmarks] == [(3, "View 3")]
    there = moved(viewer)
    viewer.act("bookmark.3")
    assert viewer.session.scene.camera == there, "nothing jumps"
    assert viewer.animated
    while viewer.input.controller.moving:
        turn(viewer)
    assert viewer.session.scene.camera == first
    moved(viewer)
    viewer.session.undo()
    assert viewer.session.scene.bookmarks == ()
    assert viewer.session.scene.camera == there, "undo moves no camera"
    viewer.session.redo()
    assert viewer.session.scene.bookmarks[0].camera == first


def test_setting_one_again_keeps_its_name_and_computes_nothing(viewer):
    viewer.act("bookmark.set.1")
    moved(viewer)
    viewer.act("bookmark.set.1")
    assert [one.camera.x for one in viewer.session.scene.bookmarks] == [400.0]
    assert not viewer.session.busy


def test_one_that_is_not_set_is_told(viewer):
    before = viewer.session.scene
    viewer.act("bookmark.9")
    assert viewer.session.scene == before
    assert "Ctrl+9 sets it" in viewer.session.notices[-1]


def test_whatever_else_moves_the_camera_ends_the_flight(viewer):
    viewer.act("bookmark.set.2")
    moved(viewer)
    viewer.act("bookmark.2")
    turn(viewer)
    viewer.act("camera.top")
    camera = viewer.session.scene.camera
    turn(viewer, 2)
    assert viewer.session.scene.camera == camera
    assert not viewer.input.controller.moving


def test_another_kind_of_lens_is_flown_to_as_well(viewer):
    viewer.act("bookmark.set.2")
    first = viewer.session.scene.camera
    viewer.act("camera.top")
    above = viewer.session.scene.camera
    viewer.act("bookmark.2")
    assert viewer.session.scene.camera == above and above.projection != first.projection
    while viewer.input.controller.moving:
        turn(viewer)
    assert viewer.session.scene.camera == first


def until(viewer, condition):
    for _ in range(300):
        turn(viewer)
        if condition():
            return
    raise AssertionError("it never came")


def answer(viewer, **what):
    viewer.bookmarks._answer = Answer(**what)
    viewer.bookmarks.apply()


def test_the_list_shows_a_thumbnail_of_each_and_draws_anew_what_has_changed(viewer, monkeypatch):
    viewer.act("bookmark.set.1")
    moved(viewer)
    viewer.act("bookmark.set.2")
    viewer.act("bookmarks")
    until(viewer, lambda: set(viewer.bookmarks._thumbnails.ids()) == {1, 2} and not viewer.bookmarks._stills)
    assert {one.name: one.words for one in drawn.all_of("entry")} == {"bookmark 1": "View 1", "bookmark 2": "View 2"}
    asked = []
    draw_still = viewer.pictures.draw_still
    monkeypatch.setattr(viewer.pictures, "draw_still", lambda *what: [asked.append(what), draw_still(*what)])
    viewer.session.set_camera(viewer.session.scene.camera.replace(yaw=10.0))
    turn(viewer)
    assert len(asked) == 0, "the window's camera is in none of them"
    viewer.act("bookmark.set.2")
    turn(viewer)
    assert len(asked) == 1
    viewer.session.set(viewer.session.scene.replace({"sun.elevation": 12.0}), "Sun")
    turn(viewer)
    assert len(asked) == 1 + 2
    viewer.act("cancel")
    turn(viewer)
    assert not viewer.beside.shown and not viewer.bookmarks._stills


def test_bookmarks_of_one_camera_have_a_thumbnail_each(viewer):
    viewer.act("bookmark.set.1")
    viewer.act("bookmark.set.2")
    viewer.act("bookmarks")
    until(viewer, lambda: not viewer.pictures.stills_wait and viewer.bookmarks._drawn)
    assert set(viewer.bookmarks._thumbnails.ids()) == {1, 2}


def test_what_is_done_in_the_list_is_undone_a_step_each(viewer):
    viewer.act("bookmark.set.1")
    answer(viewer, what="rename", number=1, name="The tarn")
    answer(viewer, what="set", number=2)
    answer(viewer, what="delete", number=1)
    names = lambda: [(one.number, one.name) for one in viewer.session.scene.bookmarks]  # noqa: E731
    assert names() == [(2, "View 2")]
    seen = []
    for _ in range(4):
        viewer.session.undo()
        seen.append(names())
    assert seen == [[(1, "The tarn"), (2, "View 2")], [(1, "The tarn")], [(1, "View 1")], []]


def test_one_window_at_most_stands_beside_the_land(viewer):
    viewer.act("steps")
    viewer.act("bookmarks")
    assert viewer.beside.shown == "bookmarks"
    viewer.act("compare")
    turn(viewer)
    assert not viewer.beside.shown and viewer.comparing.shown
    viewer.act("bookmarks")
    turn(viewer)
    assert viewer.beside.shown == "bookmarks" and not viewer.comparing.shown
