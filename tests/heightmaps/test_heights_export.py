"""Height maps as files: every number can be had back from the file and its sidecar."""

import dataclasses
import json

import numpy as np
import pytest
from PIL import Image

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.heightmaps.registry import WRITTEN_SUFFIXES
from fellview.heightmaps.sidecar import path_of as sidecar_path
from fellview.io import heights
from fellview.scene import recipe
from fellview.scene.scene import Scene

RECIPE = recipe.to_text(Scene(name="Exported"))


def a_field(rows=7, columns=11, low=-120.0, high=1850.0):
    """Heights of which no two are alike, so that a turned or mirrored file cannot pass."""
    values = np.linspace(low, high, rows * columns, dtype=np.float32)
    return HeightField(np.random.default_rng(5).permutation(values).reshape(rows, columns), (2.5, 0.75))


def sidecar(path):
    return json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))


def read(path):
    """Return the file's numbers [row, column] from z = 0, as a program reads them that knows the sidecar alone."""
    found = as_it_is(path)
    return found[::-1] if sidecar(path)["first_row"] == "north" else found


def as_it_is(path):
    """Return the file's numbers [row, column]."""
    facts = sidecar(path)
    if path.suffix.lower() == ".npy":
        return np.load(path)
    if path.suffix.lower() == ".png":
        with Image.open(path) as image:
            assert image.mode in ("I;16", "I") and image.size == (facts["columns"], facts["rows"])
            return np.asarray(image).astype(np.int64)
    return np.fromfile(path, "<u2").reshape(facts["rows"], facts["columns"]).astype(np.int64)


def test_npy_is_exact(tmp_path):
    field, path = a_field(), tmp_path / "land.npy"
    heights.export(path, field, RECIPE)
    found = np.load(path)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, field.heights)


@pytest.mark.parametrize("suffix", [".png", ".r16"])
@pytest.mark.parametrize(("low", "high"), [(-120.0, 1850.0), (0.0, 1e-3), (-1e5, 1e5), (100_000.0, 100_000.5)])
def test_sixteen_bits_decode_to_half_a_step(tmp_path, suffix, low, high):
    field, path = a_field(low=low, high=high), tmp_path / f"land{suffix}"
    heights.export(path, field, RECIPE)
    facts, found = sidecar(path), read(path)
    assert found.min() == 0 and found.max() == 65535, "the whole range of numbers is used"
    step = (facts["maximum_m"] - facts["minimum_m"]) / 65535
    decoded = facts["minimum_m"] + found * step
    np.testing.assert_allclose(decoded, field.heights, rtol=0, atol=step / 2 * (1 + 1e-6))


@pytest.mark.parametrize(("suffix", "first_row"), [(".npy", "south"), (".png", "north"), (".r16", "north")])
@pytest.mark.parametrize("mask", ["", "slope"])
def test_pictures_begin_in_the_north_and_arrays_at_z_0_and_columns_run_along_x(tmp_path, suffix, first_row, mask):
    land = np.zeros((4, 6), np.float32)
    land[0, 5] = 1.0  # z = 0 in the south, the largest x
    land[3, 0] = 0.5
    path = tmp_path / f"land{suffix}"
    heights.export(path, HeightField(land, (1.0, 1.0), {"slope": land}), RECIPE, mask)
    assert sidecar(path)["first_row"] == first_row
    for found, south in ((as_it_is(path), 0 if first_row == "south" else 3), (read(path), 0)):
        assert np.unravel_index(found.argmax(), found.shape) == (south, 5)
        assert found[3 - south, 0] == pytest.approx(found.max() / 2, abs=1) and np.count_nonzero(found) == 2


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_flat_ground_comes_back_flat(tmp_path, suffix):
    path = tmp_path / f"land{suffix}"
    heights.export(path, HeightField(np.full((3, 5), 42.5, np.float32), (1.0, 1.0)), RECIPE)
    facts, found = sidecar(path), read(path)
    assert facts["minimum_m"] == facts["maximum_m"] == 42.5
    assert (found == (42.5 if suffix == ".npy" else 0)).all()


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_the_sidecar_says_what_the_numbers_mean(tmp_path, suffix):
    field, path = a_field(), tmp_path / f"land{suffix}"
    heights.export(path, field, RECIPE)
    facts = sidecar(path)
    assert (facts["rows"], facts["columns"]) == (7, 11)
    assert (facts["cell_size_x_m"], facts["cell_size_z_m"]) == (0.75, 2.5)
    assert (facts["minimum_m"], facts["maximum_m"]) == (-120.0, 1850.0)
    south = "row 0 at z = 0" if suffix == ".npy" else "the last row at z = 0"
    assert facts["orientation"].startswith(south) and "columns along x" in facts["orientation"]
    assert ("float32" in facts["format"]) == (suffix == ".npy") and ("little-endian" in facts["format"]) == (
        suffix == ".r16"
    )
    scene, notices = recipe.from_text(facts["recipe"])
    assert scene == Scene(name="Exported") and not notices


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_a_mask_is_written_like_heights_and_says_what_it_is(tmp_path, suffix):
    field, path = a_field(), tmp_path / f"mask{suffix}"
    area = np.linspace(1.875, 500, field.heights.size, dtype=np.float32).reshape(field.heights.shape)
    field = dataclasses.replace(field, masks={"drainage_area": area, "slope": field.heights})
    heights.export(path, field, RECIPE, "drainage_area")
    facts = sidecar(path)
    assert (facts["mask"], facts["unit"], facts["minimum"], facts["maximum"]) == ("drainage_area", "m²", 1.875, 500.0)
    assert "minimum_m" not in facts
    found = read(path)
    if suffix != ".npy":
        found = found / 65535 * (500 - 1.875) + 1.875
    np.testing.assert_allclose(found, area, atol=0.0 if suffix == ".npy" else 0.005)


def test_a_mask_that_the_land_has_not_is_refused_with_those_it_has(tmp_path):
    field = dataclasses.replace(a_field(), masks={"slope": a_field().heights})
    with pytest.raises(InputError, match=r"mask = snow: .*slope"):
        heights.export(tmp_path / "mask.npy", field, RECIPE, "snow")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_an_upper_case_suffix_is_the_same_format(tmp_path, suffix):
    field = a_field()
    lower, upper = tmp_path / f"land{suffix}", tmp_path / f"LAND{suffix.upper()}"
    heights.export(lower, field, RECIPE)
    heights.export(upper, field, RECIPE)
    assert lower.read_bytes() == upper.read_bytes() and sidecar(lower) == sidecar(upper)


def test_two_formats_of_one_name_keep_their_own_sidecars(tmp_path):
    for suffix in WRITTEN_SUFFIXES:
        heights.export(tmp_path / f"land{suffix}", a_field(), RECIPE)
    assert len(list(tmp_path.iterdir())) == 2 * len(WRITTEN_SUFFIXES)


@pytest.mark.parametrize("name", ["land.bmp", "land", "land.npy.zip"])
def test_a_foreign_suffix_is_refused_with_the_known_ones(tmp_path, name):
    with pytest.raises(InputError) as refusal:
        heights.export(tmp_path / name, a_field(), RECIPE)
    assert all(suffix in str(refusal.value) for suffix in (name, *WRITTEN_SUFFIXES))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_heights_are_not_written_without_their_sidecar(tmp_path, suffix):
    path = tmp_path / f"land{suffix}"
    sidecar_path(path).mkdir()  # nothing can be written in its place
    with pytest.raises(InputError, match="cannot be written"):
        heights.export(path, a_field(), RECIPE)
    assert [one.name for one in tmp_path.iterdir()] == [sidecar_path(path).name]
