"""Pictures as files: what stands in them, and what is left when writing fails."""

import json

import numpy as np
import pytest
from PIL import Image

from fellview import version
from fellview.core import png
from fellview.core.errors import InputError
from fellview.io import atomic, pictures

PIXELS = np.random.default_rng(3).integers(0, 256, (9, 13, 4), np.uint8)
RECIPE = 'name = "Gämse ▲"\n' + "# a long line\n" * 2000


@pytest.mark.parametrize("name", ["land.png", "LAND.PNG", "two.dots.png"])
def test_pixels_and_recipe_come_back(tmp_path, name):
    pictures.save(tmp_path / name, PIXELS, RECIPE)
    assert pictures.read_recipe(tmp_path / name) == RECIPE
    with Image.open(tmp_path / name) as image:
        np.testing.assert_array_equal(np.asarray(image), PIXELS[..., :3])


def test_an_opaque_picture_stays_opaque_to_every_reader(tmp_path):
    pictures.save(tmp_path / "land.png", PIXELS, RECIPE)
    with Image.open(tmp_path / "land.png") as image:
        assert (np.asarray(image.convert("RGBA"))[..., 3] == 255).all()


def test_a_picture_says_what_wrote_it(tmp_path):
    pictures.save(tmp_path / "land.png", PIXELS, RECIPE)
    with Image.open(tmp_path / "land.png") as image:
        image.load()
        assert image.text["Software"] == f"Fellview {version.VERSION}"


def test_pixels_in_any_memory_order_are_written(tmp_path):
    pictures.save(tmp_path / "land.png", PIXELS[::-1, ::2], RECIPE)
    with Image.open(tmp_path / "land.png") as image:
        np.testing.assert_array_equal(np.asarray(image), PIXELS[::-1, ::2, :3])


@pytest.mark.parametrize("name", ["land.jpg", "land", "land.png.bmp", ".png"])
def test_another_suffix_is_refused_before_anything_is_written(tmp_path, name):
    with pytest.raises(InputError, match=r"expected \.png"):
        pictures.save(tmp_path / name, PIXELS, RECIPE)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("fault", "raised"),
    [(OSError(28, "No space left on device"), InputError), (RuntimeError("a bug"), RuntimeError)],
    ids=["disk full", "bug"],
)
def test_a_failure_leaves_nothing_beside_and_the_old_picture_alone(tmp_path, monkeypatch, fault, raised):
    path = tmp_path / "land.png"
    pictures.save(path, PIXELS, RECIPE)
    before = path.read_bytes()

    def half_written(self, pixels):
        self._file.write(before[: len(before) // 2])
        raise fault

    monkeypatch.setattr(png.RowWriter, "write", half_written)
    with pytest.raises(raised) as refusal:
        pictures.save(path, PIXELS[:1], "another")
    if raised is InputError:
        assert str(refusal.value) == f"{path}: cannot be written: No space left on device"
    assert [one.name for one in tmp_path.iterdir()] == ["land.png"] and path.read_bytes() == before


def test_a_file_is_not_there_until_it_is_whole(tmp_path):
    path = tmp_path / "facts.json"
    with atomic.writing(path) as file:
        file.write(b"{")
        file.flush()
        assert not path.exists()
        file.write(b"}")
    assert json.loads(path.read_text()) == {}
    assert [one.name for one in tmp_path.iterdir()] == ["facts.json"]
