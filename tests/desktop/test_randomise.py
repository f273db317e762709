"""Randomise in the window: what is locked stays, and it is one undo step."""

import pytest

from tests.headless_window import opened, turn
from tests.session.scripted import SMALL


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer, 2)
        yield viewer


def test_what_is_not_locked_is_drawn_anew_in_one_step(viewer):
    viewer.session.locked = viewer.session.locked | {"noise.frequency"}
    viewer.act("randomise")
    scene = viewer.session.scene
    assert scene.changed_since(SMALL) and viewer.session.undo_label == "Randomise"
    assert scene.noise.frequency == SMALL.noise.frequency and (scene.sun, scene.camera) == (SMALL.sun, SMALL.camera)
    viewer.act("undo")
    assert viewer.session.scene == SMALL and viewer.session.undo_label == ""


def test_where_all_is_locked_nothing_changes_and_that_is_told(viewer):
    viewer.session.locked = frozenset(SMALL.groups())
    viewer.act("randomise")
    assert viewer.session.scene == SMALL and viewer.session.undo_label == ""
    assert any("locked" in text for text in viewer.session.notices)
