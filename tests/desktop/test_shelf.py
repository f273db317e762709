"""The shelf in the viewer: what keys and orders make of it, and where thumbnails come from."""

import time

import numpy as np
import pytest

from fellview import paths
from fellview.core.errors import InputError
from fellview.desktop.commands.files import open_source
from fellview.desktop.shelf import SIZE, fitted
from fellview.io import sessions
from fellview.scene.scene import Scene
from fellview.session.store import Kept, Store
from fellview.studio import project
from fellview.studio.shelf import MOST, Shelf, Variant
from fellview.thumbnails.messages import Drawn
from fellview.thumbnails.painter import LEVELS
from fellview.ui.status import Order
from tests.headless_window import IdleThumbnails, opened, turn

LAND = Scene(name="Dunes").replace({"grid.rows": 16, "grid.columns": 16, "water.enabled": False})


@pytest.fixture(scope="module")
def shared(context, tmp_path_factory):
    with opened(context, LAND, tmp_path_factory.mktemp("pictures")) as one:
        one.layout.board._processes = IdleThumbnails()
        yield one


@pytest.fixture
def viewer(shared):
    shared.session.start(LAND)
    shared.shelf.chosen = None
    return shared


def names(viewer):
    return [one.name for one in viewer.session.shelf.variants]


def seed(viewer, number):
    viewer.session.set(viewer.session.scene.replace({"noise.seed": number}), "Seed")


def three(viewer):
    for number in (1, 2, 3):
        seed(viewer, number)
        viewer.act("shelf.keep")


def test_keys_keep_star_move_duplicate_and_delete_in_steps(viewer):
    three(viewer)
    assert names(viewer) == ["Dunes 1", "Dunes 2", "Dunes 3"]
    viewer.act("shelf.left")
    viewer.act("shelf.star")
    viewer.act("shelf.duplicate")
    assert names(viewer) == ["Dunes 1", "Dunes 3", "Dunes 4", "Dunes 2"]
    assert [one.star for one in viewer.session.shelf.variants] == [False, True, False, False]
    viewer.act("shelf.delete")
    assert names(viewer) == ["Dunes 1", "Dunes 3", "Dunes 2"]
    assert viewer.shelf.chosen_variant.name == "Dunes 2", "what came into its place"
    labels = []
    for _ in range(6):
        labels.append(viewer.session.undo_label)
        viewer.act("undo")
    assert labels == ["Delete Dunes 4", "Duplicate Dunes 3", "Star Dunes 3", "Move Dunes 3", "Keep Dunes 3", "Seed"]
    assert names(viewer) == ["Dunes 1", "Dunes 2"]


def test_kept_lands_are_shown_one_after_the_other(viewer):
    three(viewer)
    for action, number in (("previous", 2), ("previous", 1), ("previous", 1), ("next", 2)):
        viewer.act(f"shelf.{action}")
        assert viewer.session.scene.noise.seed == number
    assert viewer.session.undo_label == "Show Dunes 2"
    assert [one.is_now for one in viewer.shelf.strip.kept] == [False, True, False]
    viewer.act("undo")
    assert viewer.session.scene.noise.seed == 1


def test_orders_of_the_strip_are_carried_out(viewer):
    three(viewer)
    first, second, _ = (one.id for one in viewer.session.shelf.variants)
    viewer.shelf.obey(Order("rename", second, name="Best"))
    viewer.shelf.obey(Order("move", first, place=9))
    viewer.shelf.obey(Order("delete", "ffffffff"))
    assert names(viewer) == ["Best", "Dunes 3", "Dunes 1"]


def test_keys_without_a_chosen_land_say_so(viewer):
    viewer.act("shelf.delete")
    assert any("No kept land is chosen" in text for text in viewer.session.notices)
    viewer.act("shelf.next")
    viewer.act("shelf.save")
    assert any("Nothing is kept yet" in text for text in viewer.session.notices)


def test_a_full_shelf_is_told(viewer):
    full = Shelf(tuple(Variant(f"{number:08x}", "x", LAND) for number in range(MOST)))
    viewer.session.start(LAND, full)
    viewer.act("shelf.keep")
    assert any(f"expected at most {MOST}" in text for text in viewer.session.notices)
    with pytest.raises(InputError):
        viewer.shelf.keep(LAND)


def read(viewer):
    """Have the loop turn until what is opened has been read."""
    turn(viewer, 2)
    while viewer.reader.under_way is not None:
        time.sleep(0.02)
        turn(viewer)


def left(number, shelf=None):
    """Return the file of a session that another window has left, with its shelf."""
    claim = sessions.claim(paths.state_folder(), anew=True)
    store = Store(claim.folder, lambda: None, lambda text: None)
    scene = LAND.replace({"noise.seed": number})
    store.keep(Kept(scene, scene), at_once=True)
    store.keep_shelf(shelf or Shelf())
    store.close()
    claim.release()
    return claim.folder / sessions.SESSION


def test_what_another_window_left_comes_with_its_shelf_in_one_step(viewer):
    three(viewer)
    own = viewer.session.shelf
    open_source(viewer, left(70, Shelf(own.variants[:1]).keep(LAND.replace({"noise.seed": 77}), "Away")))
    read(viewer)
    assert viewer.session.scene.noise.seed == 70
    assert names(viewer) == ["Dunes 1", "Dunes 2", "Dunes 3", "Away"], "what both have stands there once"
    assert any("1 kept land came with it" in text for text in viewer.session.notices)
    viewer.act("undo")
    assert viewer.session.scene.noise.seed == 3 and viewer.session.shelf == own


def test_what_another_window_left_is_opened_though_its_shelf_is_damaged(viewer):
    three(viewer)
    path = left(70)
    path.with_name(sessions.SHELF).write_text("project = 1\n[[variants]]\nscene = 3\n")
    open_source(viewer, path)
    read(viewer)
    assert viewer.session.scene.noise.seed == 70 and len(viewer.session.shelf) == 3
    assert any("shelf.toml: variant 1" in text for text in viewer.session.notices)


def test_a_project_is_opened_in_one_step_with_its_thumbnails(viewer, tmp_path):
    three(viewer)
    other = Shelf().keep(LAND.replace({"noise.seed": 77}), "Away")
    pixels = np.full((SIZE[1], SIZE[0], 3), 99, np.uint8)
    project.save(tmp_path / "away.toml", other, {other.variants[0].id: pixels})
    open_source(viewer, tmp_path / "away.toml")
    read(viewer)
    assert names(viewer) == ["Away"] and viewer.session.scene.noise.seed == 3
    assert viewer.shelf.strip.kept[0].texture is not None
    viewer.act("undo")
    assert names(viewer) == ["Dunes 1", "Dunes 2", "Dunes 3"]


def test_what_has_no_thumbnail_is_drawn_apart_and_kept(viewer):
    process = viewer.layout.board._processes
    kept = Shelf().keep(LAND).keep(LAND.replace({"noise.seed": 5}))
    viewer.session.start(LAND, kept)
    turn(viewer)
    wish = process.wishes[-1]
    assert wish.scenes == tuple(one.scene for one in kept.variants) and wish.size == SIZE
    pixels = np.full((SIZE[1], SIZE[0], 4), 50, np.uint8)
    process.answers = [Drawn(wish.number, 1, len(LEVELS) - 1, SIZE, pixels.tobytes())]
    turn(viewer, 2)
    assert [one.texture is not None for one in viewer.shelf.strip.kept] == [False, True]
    assert process.wishes[-1].scenes == (kept.variants[0].scene,), "the other one is still to come"
    viewer.session.store.flush()
    assert project.load_thumbnails(viewer.session.store.thumbnails, kept).keys() == {kept.variants[1].id}


def test_thumbnails_are_written_once_and_again_when_their_land_is_back(viewer, monkeypatch):
    three(viewer)
    pixels = np.full((SIZE[1], SIZE[0], 3), 99, np.uint8)
    ids = [one.id for one in viewer.session.shelf.variants]
    for id in ids:
        viewer.shelf._put(id, pixels)
    written = []
    monkeypatch.setattr(viewer.session.store, "keep_thumbnails", lambda shelf, found: written.append(set(found)))
    viewer.shelf.obey(Order("rename", ids[0], name="Other"))
    turn(viewer)
    assert written == [set()]
    viewer.shelf.obey(Order("delete", ids[1]))
    turn(viewer)
    viewer.act("undo")
    turn(viewer)
    assert written == [set(), set(), {ids[1]}]


def test_a_kept_land_becomes_an_own_preset_and_is_opened(viewer):
    three(viewer)
    second = viewer.session.shelf.variants[1]
    viewer.shelf.obey(Order("preset", second.id))
    assert [one.variant for one in viewer.shelf.own_presets] == [second]
    viewer.shelf.open_own(second.id)
    assert (viewer.session.scene.name, viewer.session.scene.noise.seed) == ("Dunes 2", 2)
    viewer.shelf.forget(second.id)
    assert viewer.shelf.own_presets == ()


def test_a_picture_is_cut_to_a_thumbnail_in_its_middle():
    pixels = np.zeros((400, 1000, 4), np.uint8)
    pixels[:, 480:520] = 200
    found = fitted(pixels)
    assert found.shape == (SIZE[1], SIZE[0], 3)
    assert found[SIZE[1] // 2, SIZE[0] // 2].tolist() == [200] * 3 and found[0, 0].tolist() == [0] * 3
    assert fitted(np.zeros((50, 20, 3), np.uint8)).shape == found.shape
