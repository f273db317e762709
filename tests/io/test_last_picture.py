"""The picture that a session ended with: it belongs to the session's very text, and nothing foreign is shown for it."""

import numpy as np
import pytest

from fellview.io import array_cache, last_picture, sessions
from fellview.io.last_picture import LastPicture

PART, FRAMEBUFFER = (3, 1, 8, 5), (12, 7)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / sessions.SESSION).write_text("name = 'some land'\n")
    return tmp_path


@pytest.fixture
def picture():
    pixels = np.random.default_rng(5).integers(0, 256, (5, 8, 4), np.uint8)
    return LastPicture(pixels, PART, FRAMEBUFFER)


def test_it_comes_back_as_it_was(folder, picture):
    last_picture.store(folder, picture)
    found = last_picture.load(folder)
    assert found is not None
    assert np.array_equal(found.pixels, picture.pixels)
    assert (found.part, found.framebuffer) == (PART, FRAMEBUFFER)


def test_whether_any_is_left_is_told_of_all_sessions(tmp_path, picture):
    assert not last_picture.is_left(tmp_path)
    for left in (False, True):
        claim = sessions.claim(tmp_path, anew=True)
        claim.folder.mkdir(exist_ok=True)
        (claim.folder / sessions.SESSION).write_text("name = 'some land'\n")
        if left:
            last_picture.store(claim.folder, picture)
        claim.release()
        assert last_picture.is_left(tmp_path) == left


def test_it_is_of_no_other_scene(folder, picture):
    last_picture.store(folder, picture)
    (folder / sessions.SESSION).write_text("name = 'another land'\n")
    assert last_picture.load(folder) is None


def test_without_a_session_there_is_none(tmp_path, picture):
    last_picture.store(tmp_path, picture)
    assert last_picture.load(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arrays",
    [
        [],
        [np.zeros((5, 8, 4), np.uint8)],
        [np.zeros((5, 8, 4), np.float32), np.array([*PART, *FRAMEBUFFER], np.int32)],
        [np.zeros((5, 9, 4), np.uint8), np.array([*PART, *FRAMEBUFFER], np.int32)],
        [np.zeros((5, 8, 3), np.uint8), np.array([*PART, *FRAMEBUFFER], np.int32)],
        [np.zeros((5, 8, 4), np.uint8), np.array([*PART, 10, 7], np.int32)],
        [np.zeros((5, 8, 4), np.uint8), np.array([-1, 1, 8, 5, *FRAMEBUFFER], np.int32)],
        [np.zeros((0, 8, 4), np.uint8), np.array([3, 1, 8, 0, *FRAMEBUFFER], np.int32)],
    ],
)
def test_what_is_no_picture_in_a_window_is_none(folder, picture, arrays):
    array_cache.write(folder / "picture.arrays", last_picture._key(folder), arrays)
    assert last_picture.load(folder) is None


def test_a_damaged_one_is_none(folder, picture):
    last_picture.store(folder, picture)
    path = folder / "picture.arrays"
    path.write_bytes(path.read_bytes()[:-1])
    assert last_picture.load(folder) is None
