"""Own presets, as two windows put them there."""

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.scene.scene import Scene
from fellview.studio import presets
from fellview.studio.shelf import Shelf

LAND = Scene(name="Dunes").replace({"grid.rows": 16, "grid.columns": 16})
FIRST, SECOND = Shelf().keep(LAND, "One").keep(LAND.replace({"noise.seed": 2}), "Two").variants


def pixels(value):
    return np.full((9, 16, 3), value, np.uint8)


def test_what_is_put_there_comes_back_with_its_thumbnail(tmp_path):
    assert presets.load(tmp_path).shelf == Shelf()
    presets.add(tmp_path, FIRST, pixels(1))
    added = presets.add(tmp_path, SECOND, pixels(2))
    found = presets.load(tmp_path)
    assert found.shelf == added.shelf == Shelf((FIRST, SECOND))
    assert [int(found.thumbnails[one.id][0, 0, 0]) for one in (FIRST, SECOND)] == [1, 2]
    assert added.thumbnails.keys() == found.thumbnails.keys()


def test_one_of_the_same_name_is_replaced(tmp_path):
    presets.add(tmp_path, FIRST, pixels(1))
    other = Shelf().keep(LAND.replace({"noise.seed": 9}), "One").variants[0]
    assert presets.add(tmp_path, other, None).shelf == presets.load(tmp_path).shelf == Shelf((other,))
    assert presets.load(tmp_path).thumbnails == {}


def test_one_is_taken_away(tmp_path):
    presets.add(tmp_path, FIRST, None)
    presets.add(tmp_path, SECOND, None)
    assert presets.remove(tmp_path, FIRST.id).shelf == presets.load(tmp_path).shelf == Shelf((SECOND,))


def test_what_cannot_be_read_is_not_written_over(tmp_path):
    (tmp_path / "presets.toml").write_text("project = 99\n")
    with pytest.raises(InputError, match="a newer Fellview wrote it"):
        presets.add(tmp_path, FIRST, None)
    assert (tmp_path / "presets.toml").read_text() == "project = 99\n"
