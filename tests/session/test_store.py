"""What a session keeps on disk, alone: nothing is lost, and no frame waits for the disk."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.io import scenes, sessions
from fellview.scene.locks import USUAL
from fellview.session.store import WRITE_EVERY_S, Kept, Store
from fellview.studio import project
from fellview.studio.shelf import Shelf
from tests.session.scripted import SMALL, level

OTHER = replace(SMALL.replace({"noise.seed": 5}), camera=SMALL.camera.replace(x=0.1, yaw=33.3))
GROUPS = SMALL.terrain_groups()


@pytest.fixture
def store(tmp_path, clock, told, woken):
    store = Store(tmp_path / "state", lambda: woken.append(True), told.append, clock)
    yield store
    store.close()


def kept(store):
    """The scene that the files of `store` hold."""
    store.flush()
    return scenes.load(store.folder / "session.toml")


# -- the scenes ------------------------------------------------------------------------------------------------------


def test_what_was_kept_comes_back(store, told):
    store.keep(Kept(OTHER, SMALL))
    store.flush()
    assert store.load() == Kept(OTHER, SMALL)
    elsewhere = Store(store.folder.parent / "another", lambda: None, told.append)
    assert elsewhere.load() is None
    assert elsewhere.load(store.folder) == Kept(OTHER, SMALL)
    elsewhere.close()
    assert told == []


def test_locks_are_kept_beside_the_scenes(store):
    store.keep(Kept(OTHER, SMALL, frozenset({"camera", "noise.seed"})))
    store.flush()
    assert store.load().locked == {"camera", "noise.seed"}
    (store.folder / "locks.toml").write_text('locked = ["sun", "noise.colour", "nothing", 3]\n')
    assert store.load().locked == {"sun"}  # what other versions have is left out
    (store.folder / "locks.toml").unlink()
    assert store.load().locked == USUAL  # as of the versions before


def test_the_first_start_finds_nothing_and_says_nothing(store, told):
    assert store.load() is None
    assert told == [] and not store.poll()
    assert not store.folder.exists()


UNREADABLE = [b"version = 99\n", b"[noise\n", b"\xff\xfe\x00", None]


def spoil(path, content):
    if content is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(content)


@pytest.mark.parametrize("content", UNREADABLE)
def test_an_unreadable_session_is_moved_aside_and_told(store, told, content):
    store.keep(Kept(OTHER, SMALL))
    store.flush()
    path = store.folder / "session.toml"
    spoil(path, content)
    assert store.load() is None
    assert len(told) == 1 and "session.toml" in told[0] and "\n" not in told[0]
    assert not path.exists()
    aside = store.folder / "session-unread1.toml"
    assert aside.is_dir() if content is None else aside.read_bytes() == content


def test_what_was_moved_aside_before_stays(store):
    for number in (1, 2):
        store.keep(Kept(SMALL, SMALL), at_once=True)
        store.flush()
        spoil(store.folder / "session.toml", b"%d" % number)
        assert store.load() is None
    assert [(store.folder / f"session-unread{number}.toml").read_bytes() for number in (1, 2)] == [b"1", b"2"]


@pytest.mark.parametrize("content", UNREADABLE)
def test_a_session_comes_back_without_its_home(store, content):
    store.keep(Kept(OTHER, SMALL))
    store.flush()
    spoil(store.folder / "home.toml", content)
    assert store.load() == Kept(OTHER, OTHER)


def test_a_session_is_written_every_few_seconds_and_only_when_it_changed(store, clock):
    store.keep(Kept(SMALL, SMALL))
    assert kept(store) == SMALL
    clock.now += WRITE_EVERY_S / 3
    store.keep(Kept(OTHER, SMALL))
    assert kept(store) == SMALL
    clock.now += WRITE_EVERY_S
    store.keep(Kept(OTHER, SMALL))
    assert kept(store) == OTHER
    path = store.folder / "session.toml"
    path.unlink()
    clock.now += 60
    store.keep(Kept(OTHER, SMALL))
    store.flush()
    assert not path.exists()
    store.keep(Kept(OTHER, SMALL), at_once=True)  # which tells when the window was closed
    assert kept(store) == OTHER


def test_what_cannot_be_written_wakes_the_window_and_is_told_by_poll(store, clock, told, woken):
    store.folder.write_text("")
    for number in range(2, 5):
        store.keep(Kept(SMALL.replace({"noise.seed": number}), SMALL))
        store.flush()
        assert len(woken) == number - 1 > len(told)
        assert store.poll() and not store.poll()
        clock.now += 10
    assert len(told) == 3 and len(set(told)) == 1 and str(store.folder) in told[0]


# -- the land --------------------------------------------------------------------------------------------------------


def land(store, groups=GROUPS):
    """The heights of `groups` that the files of `store` hold, none where they do not."""
    store.flush()
    found = store.land(groups)
    return None if found is None else found.heights


def test_a_land_comes_back_by_its_recipe(store):
    assert land(store) is None
    store.keep_land(GROUPS, level(GROUPS))
    assert np.array_equal(land(store), level(GROUPS).heights)
    assert land(store, OTHER.terrain_groups()) is None
    assert store.has_land(GROUPS) and not store.has_land(OTHER.terrain_groups())


def test_a_land_is_written_every_few_seconds_or_at_once(store, clock):
    third = SMALL.replace({"noise.seed": 3}).terrain_groups()
    store.keep_land(GROUPS, level(GROUPS))
    clock.now += WRITE_EVERY_S / 3
    store.keep_land(third, level(third))
    assert not store.has_land(third) and land(store, third) is None
    store.keep_land(third, level(third), at_once=True)
    assert store.has_land(third) and np.all(land(store, third) == 3)


def test_a_damaged_land_is_none(store):
    store.keep_land(GROUPS, level(GROUPS))
    store.flush()
    path = store.folder / "land.arrays"
    path.write_bytes(path.read_bytes()[:-1])
    assert land(store) is None


def test_a_land_that_is_too_large_is_not_written_and_its_heights_are_not_read(store):
    class Huge(HeightField):
        rows = columns = 100_000

        @property
        def heights(self):
            raise AssertionError("brought back from the GPU")

    store.keep_land(GROUPS, object.__new__(Huge))
    assert store.has_land(GROUPS)  # nobody is to try again
    assert land(store) is None


def test_a_land_that_cannot_be_written_is_no_matter(store, told, woken):
    store.folder.write_text("")
    store.keep_land(GROUPS, level(GROUPS))
    store.flush()
    assert not store.poll() and (told, woken) == ([], [])


def test_no_frame_waits_for_a_land_to_be_written_but_the_end_does(tmp_path, clock):
    goes_on, begun, written = threading.Event(), threading.Event(), []

    def slow(folder, groups, field):
        begun.set()
        assert goes_on.wait(60)
        written.append(int(field.heights[0, 0]))

    store = Store(tmp_path / "state", lambda: None, print, clock, slow)
    first, second, third = (SMALL.replace({"noise.seed": number}).terrain_groups() for number in (7, 8, 9))
    for groups in (first, second):
        clock.now += 10
        store.keep_land(groups, level(groups))  # returns, though nothing can be written
        assert begun.wait(60)
    assert written == [] and store.has_land(first)  # the second waits for the first
    store.keep_land(third, level(third), at_once=True)
    goes_on.set()
    store.close()
    assert written == [7, 9]


def test_a_land_whose_writing_fails_unforeseen_costs_no_scene(tmp_path, clock):
    def fail(folder, groups, field):
        raise RecursionError("out of the blue")

    store = Store(tmp_path / "state", lambda: None, print, clock, fail)
    store.keep_land(GROUPS, level(GROUPS), at_once=True)
    store.keep(Kept(OTHER, SMALL), at_once=True)
    store.close()
    assert scenes.load(store.folder / "session.toml") == OTHER


# -- the shelf ---------------------------------------------------------------------------------------------------------


def test_the_shelf_is_written_whenever_it_has_changed(store, told):
    """Without a wait: a kill a moment later loses nothing."""
    one = Shelf().keep(SMALL)
    for shelf in (one, two := one.keep(OTHER)):
        store.keep_shelf(shelf)
    store.flush()
    assert store.load_shelf() == two
    path = store.folder / sessions.SHELF
    written = path.stat().st_mtime_ns
    store.keep_shelf(two)
    store.flush()
    assert path.stat().st_mtime_ns == written and told == []
    store.keep_shelf(Shelf())
    store.flush()
    assert not path.exists() and store.load_shelf() == Shelf()


@pytest.mark.parametrize("content", [b"project = 99\n", b"[", b"\xff"])
def test_a_shelf_that_cannot_be_read_is_moved_aside_and_told(store, told, content):
    store.keep_shelf(Shelf().keep(SMALL))
    store.flush()
    (store.folder / sessions.SHELF).write_bytes(content)
    assert store.load_shelf() == Shelf()
    assert len(told) == 1 and "shelf-unread1.toml" in told[0] and "\n" not in told[0]
    assert (store.folder / "shelf-unread1.toml").read_bytes() == content


def test_a_shelf_out_of_another_folder_is_written_into_the_own_one(store, tmp_path):
    left = tmp_path / "left"
    left.mkdir()
    shelf = Shelf().keep(OTHER)
    (left / sessions.SHELF).write_text(project.to_text(shelf))
    assert store.load_shelf(left) == shelf
    store.keep_shelf(shelf)
    store.flush()
    assert store.load_shelf() == shelf


def test_a_shelf_that_cannot_be_written_is_told(store, told):
    store.folder.mkdir()
    (store.folder / sessions.SHELF).mkdir()
    store.keep_shelf(Shelf().keep(SMALL))
    store.flush()
    assert store.poll() and len(told) == 1 and told[0].startswith("The shelf is not kept: ")


def test_thumbnails_are_kept_as_long_as_their_variants(store):
    shelf = Shelf().keep(SMALL).keep(OTHER)
    pixels = {one.id: np.full((4, 6, 3), number, np.uint8) for number, one in enumerate(shelf.variants)}
    store.keep_thumbnails(shelf, pixels)
    store.flush()
    found = project.load_thumbnails(store.thumbnails, shelf)
    assert [int(found[one.id][0, 0, 0]) for one in shelf.variants] == [0, 1]
    store.keep_thumbnails(fewer := shelf.delete(shelf.variants[0].id), {})
    store.flush()
    assert project.load_thumbnails(store.thumbnails, shelf).keys() == {one.id for one in fewer.variants}
