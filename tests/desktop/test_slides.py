"""The deck in the viewer: its list, what is added to it, undo, and that it is kept."""

import dataclasses

import numpy as np
import pytest

from fellview.scene.bookmarks import Bookmark, with_bookmark
from fellview.scene.groups.camera import Camera
from fellview.studio import deck_file
from fellview.studio.deck import Deck, Slide
from fellview.thumbnails.messages import Drawn
from fellview.thumbnails.painter import LEVELS
from fellview.ui import drawn
from fellview.ui.slides import Answer
from tests.headless_window import IdleThumbnails, opened, turn
from tests.session.scripted import SMALL


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer)
        yield viewer


def captions(viewer):
    return [one.caption for one in viewer.session.deck.slides]


def test_what_is_seen_bookmarks_and_starred_lands_become_slides_one_undo_step_each(viewer):
    session = viewer.session
    viewer.act("slides.add")
    marks = with_bookmark((), Bookmark(2, "Low", Camera(y=30.0)))
    session.set(dataclasses.replace(session.scene, bookmarks=marks), "Bookmark 2")
    viewer.act("slides.bookmarks")
    session.set_shelf(session.shelf.keep(SMALL.replace({"noise.seed": 9}), "Kept"), "Keep")
    session.set_shelf(session.shelf.star(session.shelf.variants[0].id, True), "Star")
    viewer.act("slides.starred")
    assert captions(viewer) == [SMALL.name, "Low", "Kept"]
    assert viewer.beside.shown == "slides" and viewer.slides.chosen == 2
    viewer.act("undo")
    assert captions(viewer) == [SMALL.name, "Low"]
    viewer.act("redo")
    assert captions(viewer) == [SMALL.name, "Low", "Kept"]


def test_the_list_shows_captions_and_what_is_done_there_is_one_step(viewer):
    viewer.session.set_deck(Deck((Slide(SMALL, "One"), Slide(SMALL, "Two"))), "Slides")
    viewer.act("slides")
    for _ in range(3):
        turn(viewer)
    assert {"caption 1", "caption 2"} <= drawn.places("entry").keys()
    assert {"View", "Bookmarks", "Starred", "Open…", "Save…", "Present"} <= drawn.places("button").keys()
    viewer.slides._answer = Answer(viewer.session.deck.move(1, 0), "Move slide")
    viewer.slides.apply()
    assert captions(viewer) == ["Two", "One"] and viewer.session.undo_label == "Move slide"
    viewer.act("cancel")
    assert not viewer.beside.shown and captions(viewer) == ["Two", "One"]


def test_slides_have_thumbnails_of_their_own_cameras_drawn_apart_while_the_list_is_open(viewer):
    process = viewer.layout.board._processes = IdleThumbnails()
    near = SMALL.with_group(SMALL.camera.replace(yaw=40.0))
    other = SMALL.replace({"noise.seed": 9})
    viewer.session.set_deck(Deck((Slide(near, "One"), Slide(other, "Two"), Slide(near, "Three"))), "Slides")
    turn(viewer, 2)
    assert not process.wishes, "nobody sees the list"
    viewer.act("slides")
    turn(viewer, 2)
    assert process.wishes[-1].scenes == (near, other), "each land once"
    size = process.wishes[-1].size
    pixels = np.full((size[1], size[0], 4), 50, np.uint8)
    process.answers = [Drawn(process.wishes[-1].number, 0, len(LEVELS) - 1, size, pixels.tobytes())]
    turn(viewer, 3)
    assert set(viewer.slides._thumbnails.ids()) == {near}
    assert process.wishes[-1].scenes == (other,), "which is still to come"
    wishes = len(process.wishes)
    viewer.session.set_deck(viewer.session.deck.move(2, 1), "Move slide")
    turn(viewer, 2)
    assert len(process.wishes) == wishes, "what is asked for is asked for once"
    assert {"slide 1", "slide 2", "slide 3"} <= drawn.places("entry").keys()


def test_a_slide_of_what_is_seen_has_the_windows_picture_at_once(viewer, monkeypatch):
    process = viewer.layout.board._processes = IdleThumbnails()
    monkeypatch.setattr(viewer.pictures, "seen", lambda: np.full((40, 60, 4), 90, np.uint8))
    viewer.act("slides.add")
    turn(viewer, 2)
    assert set(viewer.slides._thumbnails.ids()) == {viewer.session.deck.slides[0].scene}
    assert not process.wishes


def test_a_deck_is_kept_with_the_session(viewer):
    viewer.session.set_deck(Deck((Slide(SMALL, "One"),)), "Slides")
    viewer.session.store.flush()
    assert viewer.session.store.load_deck() == viewer.session.deck
    viewer.session.set_deck(Deck(), "Delete slide")
    viewer.session.store.flush()
    assert viewer.session.store.load_deck() == Deck()


def test_a_dropped_deck_is_opened_on_its_first_slide(viewer, tmp_path):
    other = SMALL.replace({"noise.seed": 40})
    deck_file.save(tmp_path / "deck.toml", Deck((Slide(other, "Other"),)))
    viewer.on_drop(tmp_path / "deck.toml")
    for _ in range(100):
        turn(viewer)
        if viewer.session.deck.slides:
            break
    assert captions(viewer) == ["Other"] and viewer.session.scene == other
