"""Heights of a whole shelf: the same number is the same height in every file."""

import json

import numpy as np
import pytest
from PIL import Image

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.export import shelf_heights
from fellview.heightmaps import sidecar
from fellview.io.heights import Options
from fellview.scene.scene import Scene
from fellview.studio.shelf import Shelf, stems

LAND = Scene(name="Dunes").replace({"grid.rows": 8, "grid.columns": 8})


def kept(*seeds):
    shelf = Shelf()
    for seed in seeds:
        shelf = shelf.keep(LAND.replace({"noise.seed": seed}))
    return shelf


def generate(scene):
    """A land from 0 to as many metres as its seed."""
    return HeightField(np.linspace(0, scene.noise.seed, 64, dtype=np.float32).reshape(8, 8), (2.0, 2.0))


def test_one_range_spans_all_lands(tmp_path):
    files, shared, told = shelf_heights.export(tmp_path / "out", kept(100, 400), ".png", generate, Options())
    assert shared == (0.0, 400.0) and told == []
    assert [path.name for path in files] == ["1-dunes-1.png", "2-dunes-2.png"]
    tops = [int(np.asarray(Image.open(path)).max()) for path in files]
    assert tops == [pytest.approx(65535 / 4, abs=1), 65535]
    facts = [json.loads(sidecar.path_of(path).read_text()) for path in files]
    assert [(one["minimum_m"], one["maximum_m"]) for one in facts] == [(0.0, 400.0)] * 2
    assert [one["highest_m"] for one in facts] == [100.0, 400.0]


def test_a_range_of_ones_own_is_taken_and_what_it_cuts_is_told(tmp_path):
    _, shared, told = shelf_heights.export(tmp_path, kept(100, 400), ".r16", generate, Options(range=(0.0, 200.0)))
    assert shared == (0.0, 200.0)
    assert len(told) == 1 and told[0].startswith("Dunes 2: ")


def test_nothing_is_written_where_a_land_cannot_be_computed(tmp_path):
    def fails(scene):
        if scene.noise.seed == 400:
            raise InputError("no land")
        return generate(scene)

    with pytest.raises(InputError, match="no land"):
        shelf_heights.export(tmp_path / "out", kept(100, 400), ".png", fails, Options())
    assert not list(tmp_path.glob("out/*"))


def test_what_cannot_be_is_refused(tmp_path):
    with pytest.raises(InputError, match="no land is kept"):
        shelf_heights.export(tmp_path, Shelf(), ".png", generate, Options())
    with pytest.raises(InputError, match=r"\.doc"):
        shelf_heights.export(tmp_path, kept(1), ".doc", generate, Options())


def test_files_are_named_by_number_and_what_a_land_is_called():
    shelf = kept(*range(10))
    first = shelf.variants[0].id
    named = stems(shelf.rename(first, "Ridge / high: 2 ★"))
    assert named[0] == "01-ridge-high-2" and named[9] == "10-dunes-10"
    assert stems(Shelf().keep(LAND, "★"))[0] == "1-land"
    assert len(stems(Shelf().keep(LAND, "y" * 80))[0]) == 42
