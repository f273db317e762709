"""The harness of approved pictures must let a CPU's rounding pass and nothing that a person would see."""

import numpy as np
import pytest
from PIL import Image

from tests import pictures


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "APPROVED", tmp_path / "approved")
    monkeypatch.setattr(pictures, "FAILURES", tmp_path / "failures")
    monkeypatch.setattr(pictures, "approving", False)
    return tmp_path


@pytest.fixture
def land(folders, monkeypatch):
    """An approved picture: dark land with a slanted edge under a bright sky."""
    rows, columns = np.mgrid[:144, :256]
    pixels = np.full((144, 256, 4), 255, np.uint8)
    pixels[..., :3] = np.where(rows > 60 + columns // 9, 40 + columns // 4, 200)[..., None]
    with monkeypatch.context() as patch:
        patch.setattr(pictures, "approving", True)
        pictures.approve("land", pixels)
    return pixels


def refused(pixels) -> str:
    with pytest.raises(pytest.fail.Exception) as failure:
        pictures.approve("land", pixels)
    return str(failure.value)


def test_same_picture_passes_with_and_without_alpha(land):
    pictures.approve("land", land)
    pictures.approve("land", land[..., :3])


def test_rounding_passes(land, folders):
    noisy = land.copy()
    noisy[::6, ::6, :3] += 1
    noisy[70, 80, :3] = 200  # one pixel of the edge falls the other way
    pictures.approve("land", noisy)
    assert not (folders / "failures").exists()


def test_one_level_everywhere_is_a_change(land):
    assert "1.000 of 255 on the mean" in refused(land + np.uint8([1, 1, 1, 0]))


def test_small_square_is_a_change(land):
    land[20:24, 30:34, :3] = 100
    assert "in the worst block" in refused(land)


def test_mirrored_picture_is_a_change(land):
    refused(land[:, ::-1])


def test_shift_by_one_pixel_is_a_change(land):
    refused(np.roll(land, 1, axis=0))


def test_failure_names_three_pictures_that_show_it(land, folders):
    changed = land.copy()
    changed[:, :20, 0] += 5
    message = refused(changed)
    found = {}
    for kind in ("actual", "expected", "difference"):
        path = folders / "failures" / f"land.{kind}.png"
        assert str(path) in message
        found[kind] = np.asarray(Image.open(path))
    assert (found["actual"] == changed[..., :3]).all()
    assert (found["expected"] == land[..., :3]).all()
    assert (found["difference"][:, :20, 0] == 5 * 16).all()
    assert (found["difference"][:, 20:] == 0).all()


def test_old_failures_go_when_the_picture_is_right_again(land, folders):
    refused(land[:, ::-1])
    pictures.approve("land", land)
    assert not list((folders / "failures").iterdir())


def test_other_size_is_a_change(land):
    assert "128×144 pixels: expected 256×144" in refused(land[:, ::2])


def test_without_an_approved_picture_the_test_fails_and_keeps_the_actual_one(folders):
    with pytest.raises(pytest.fail.Exception, match="no picture was approved yet"):
        pictures.approve("new", np.zeros((4, 4, 3), np.uint8))
    assert (folders / "failures" / "new.actual.png").exists()
    assert not (folders / "approved").exists()


def test_floats_are_refused(folders):
    with pytest.raises(AssertionError, match="expected uint8"):
        pictures.approve("land", np.zeros((4, 4, 3)))


def test_flag_is_read(pytestconfig):
    assert pictures.approving == pytestconfig.getoption("approve_pictures")
