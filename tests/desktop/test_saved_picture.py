"""What the notice of a saved picture shows of it, and what it does with its file."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from fellview.core.errors import FellviewError
from fellview.desktop.saved_picture import SavedPicture, small, small_of
from fellview.ui.status import Saved

PIXELS = np.random.default_rng(5).integers(0, 256, (400, 1600, 4), np.uint8)


@pytest.fixture
def notices():
    return []


@pytest.fixture
def copied():
    return []


@pytest.fixture
def saved(notices, copied):
    session = SimpleNamespace(notices=notices, notify=lambda text, passing=False: notices.append(text))
    kept = {}
    textures = SimpleNamespace(
        id=lambda key: 7 if key in kept else None, put=lambda key, one: kept.update({key: one}) or 7
    )
    return SavedPicture(session, textures, copied.append)


def test_a_picture_shows_small_with_its_own_proportions(saved, notices, tmp_path):
    path = tmp_path / "land.png"
    saved.note("Saved it", path, small(PIXELS))
    assert saved.shown is None, "its notice is not there"
    notices.append("Saved it")
    assert saved.shown == saved.shown == Saved("Saved it", 7, (160, 40))
    notices.clear()
    assert saved.shown is None


def test_what_is_read_back_is_what_was_saved(tmp_path):
    Image.fromarray(PIXELS[..., :3]).save(tmp_path / "land.png")
    np.testing.assert_array_equal(small_of(tmp_path / "land.png"), small(PIXELS))
    assert small(PIXELS).shape == (80, 320, 3)
    np.testing.assert_allclose(small(PIXELS).mean(axis=(0, 1)), PIXELS[..., :3].mean(axis=(0, 1)), atol=1)


def test_what_is_transparent_is_seen_over_squares(tmp_path):
    pixels = np.zeros((200, 320, 4), np.uint8)
    pixels[100:] = 255
    Image.fromarray(pixels).save(tmp_path / "land.png")
    seen = small_of(tmp_path / "land.png")
    assert (seen[-1] == 255).all() and len(np.unique(seen[0])) == 2 and seen[0].min() > 60 and seen[0].max() < 200


def test_a_file_that_is_not_shown_has_a_notice_with_its_buttons_alone(saved, notices, tmp_path):
    (tmp_path / "land.exr").write_bytes(b"\x76\x2f\x31\x01")
    saved.note("Saved it", tmp_path / "land.exr", small_of(tmp_path / "land.exr"))
    notices.append("Saved it")
    assert saved.shown == Saved("Saved it")


def test_its_path_is_copied_and_its_folder_shown(saved, copied, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("subprocess.Popen", lambda words, **_: opened.append(words))
    for act in (saved.copy_path, saved.show_in_folder):
        with pytest.raises(FellviewError, match="no picture was saved yet"):
            act()
    saved.note("Saved it", tmp_path / "land.png", None)
    saved.copy_path()
    saved.show_in_folder()
    assert copied == [str(tmp_path / "land.png")] and opened == [["xdg-open", str(tmp_path)]]


def test_a_desktop_without_a_program_for_it_is_told_of(saved, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    saved.note("Saved it", tmp_path / "land.png", None)
    with pytest.raises(FellviewError, match=r"cannot show it: No such file"):
        saved.show_in_folder()
