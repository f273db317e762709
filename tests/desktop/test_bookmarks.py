"""Bookmarks in the viewer: set, flown to, undone, and left at once when something else moves the camera."""

import numpy as np
import pytest

from fellview.compute.protocol import Finished
from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import Result
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


def test_another_kind_of_lens_is_there_at_once(viewer):
    viewer.act("bookmark.set.2")
    first = viewer.session.scene.camera
    viewer.act("camera.top")
    viewer.act("bookmark.2")
    assert viewer.session.scene.camera == first
