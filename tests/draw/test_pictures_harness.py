"""The harness of approved pictures must let a CPU's rounding pass and nothing that a person would see."""

import numpy as np
import pytest
from PIL import Image

from tests.pictures import GALLERY, Gallery


@pytest.fixture
def gallery(tmp_path):
    return Gallery(tmp_path / "approved", tmp_path / "failures")


@pytest.fixture
def land(gallery):
    """An approved picture: dark land with a slanted edge under a bright sky."""
    rows, columns = np.mgrid[:144, :256]
    pixels = np.full((144, 256, 4), 255, np.uint8)
    pixels[..., :3] = np.where(rows > 60 + columns // 9, 40 + columns // 4, 200)[..., None]
    Gallery(gallery.approved, gallery.failures, approving=True).approve("land", pixels)
    return pixels


def refused(gallery, pixels) -> str:
    with pytest.raises(pytest.fail.Exception) as failure:
        gallery.approve("land", pixels)
    return str(failure.value)


def test_same_picture_passes_with_and_without_alpha(land, gallery):
    gallery.approve("land", land)
    gallery.approve("land", land[..., :3])


def test_rounding_passes(land, gallery):
    noisy = land.copy()
    noisy[::6, ::6, :3] += 1
    noisy[70, 80, :3] = 200  # one pixel of the edge falls the other way
    gallery.approve("land", noisy)
    assert not gallery.failures.exists()


def test_one_level_everywhere_is_a_change(land, gallery):
    assert "1.000 of 255 on the mean" in refused(gallery, land + np.uint8([1, 1, 1, 0]))


def test_small_square_is_a_change(land, gallery):
    land[20:24, 30:34, :3] = 100
    assert "in the worst block" in refused(gallery, land)


def test_mirrored_picture_is_a_change(land, gallery):
    refused(gallery, land[:, ::-1])


def test_shift_by_one_pixel_is_a_change(land, gallery):
    refused(gallery, np.roll(land, 1, axis=0))


def test_failure_names_three_pictures_that_show_it(land, gallery):
    changed = land.copy()
    changed[:, :20, 0] += 5
    message = refused(gallery, changed)
    found = {}
    for kind in ("actual", "expected", "difference"):
        path = gallery.failures / f"land.{kind}.png"
        assert str(path) in message
        found[kind] = np.asarray(Image.open(path))
    assert (found["actual"] == changed[..., :3]).all()
    assert (found["expected"] == land[..., :3]).all()
    assert (found["difference"][:, :20, 0] == 5 * 16).all()
    assert (found["difference"][:, 20:] == 0).all()


def test_old_failures_go_when_the_picture_is_right_again(land, gallery):
    refused(gallery, land[:, ::-1])
    gallery.approve("land", land)
    assert not list(gallery.failures.iterdir())


def test_other_size_is_a_change(land, gallery):
    assert "128×144 pixels: expected 256×144" in refused(gallery, land[:, ::2])


def test_without_an_approved_picture_the_test_fails_and_keeps_the_actual_one(gallery):
    with pytest.raises(pytest.fail.Exception, match="no picture was approved yet"):
        gallery.approve("new", np.zeros((4, 4, 3), np.uint8))
    assert (gallery.failures / "new.actual.png").exists()
    assert not gallery.approved.exists()


def test_floats_are_refused(gallery):
    with pytest.raises(AssertionError, match="expected uint8"):
        gallery.approve("land", np.zeros((4, 4, 3)))


def test_flag_is_read(pytestconfig):
    assert GALLERY.approving == pytestconfig.getoption("approve_pictures")
