"""Height maps as files: every number can be had back from the file and its sidecar."""

import dataclasses
import json

import numpy as np
import OpenEXR
import pytest
import tifffile
from PIL import Image

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.heightmaps.georeference import Georeference
from fellview.heightmaps.registry import WRITTEN_SUFFIXES
from fellview.heightmaps.sidecar import path_of as sidecar_path
from fellview.io import heights
from fellview.scene import recipe
from fellview.scene.scene import Scene

SOUTH = (".npy", ".raw")
REAL = (".npy", ".tif", ".tiff", ".r32", ".exr", ".asc")
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
    match path.suffix.lower():
        case ".npy":
            return np.load(path)
        case ".tif" | ".tiff":
            return tifffile.imread(path)
        case ".exr":
            return OpenEXR.File(str(path), separate_channels=True).channels()[facts.get("mask", "Y")].pixels
        case ".asc":
            return np.loadtxt(path, np.float32, skiprows=len(path.read_text().splitlines()) - facts["rows"])
        case ".r32":
            return np.fromfile(path, "<f4").reshape(facts["rows"], facts["columns"])
    if path.suffix.lower() == ".png":
        with Image.open(path) as image:
            assert image.mode in ("I;16", "I") and image.size == (facts["columns"], facts["rows"])
            return np.asarray(image).astype(np.int64)
    return np.fromfile(path, "<u2").reshape(facts["rows"], facts["columns"]).astype(np.int64)


@pytest.mark.parametrize("suffix", REAL)
def test_real_numbers_are_exact(tmp_path, suffix):
    field, path = a_field(), tmp_path / f"land{suffix}"
    heights.export(path, field, RECIPE)
    found = read(path)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, field.heights)


@pytest.mark.parametrize("suffix", [".png", ".r16", ".raw"])
@pytest.mark.parametrize(("low", "high"), [(-120.0, 1850.0), (0.0, 1e-3), (-1e5, 1e5), (100_000.0, 100_000.5)])
def test_sixteen_bits_decode_to_half_a_step(tmp_path, suffix, low, high):
    field, path = a_field(low=low, high=high), tmp_path / f"land{suffix}"
    heights.export(path, field, RECIPE)
    facts, found = sidecar(path), read(path)
    assert found.min() == 0 and found.max() == 65535, "the whole range of numbers is used"
    step = (facts["maximum_m"] - facts["minimum_m"]) / 65535
    decoded = facts["minimum_m"] + found * step
    np.testing.assert_allclose(decoded, field.heights, rtol=0, atol=step / 2 * (1 + 1e-6))


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
@pytest.mark.parametrize("mask", ["", "slope"])
def test_all_but_arrays_and_unitys_begin_in_the_north_and_columns_run_along_x(tmp_path, suffix, mask):
    first_row = "south" if suffix in SOUTH else "north"
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
    assert (found == (42.5 if suffix in REAL else 0)).all()


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_the_sidecar_says_what_the_numbers_mean(tmp_path, suffix):
    field, path = a_field(), tmp_path / f"land{suffix}"
    heights.export(path, field, RECIPE)
    facts = sidecar(path)
    assert (facts["rows"], facts["columns"]) == (7, 11)
    assert (facts["cell_size_x_m"], facts["cell_size_z_m"]) == (0.75, 2.5)
    assert (facts["minimum_m"], facts["maximum_m"]) == (-120.0, 1850.0)
    assert (facts["size_x_m"], facts["size_z_m"]) == (11 * 0.75, 7 * 2.5)
    assert (facts["span_x_m"], facts["span_z_m"]) == (10 * 0.75, 6 * 2.5)
    south = "row 0 at z = 0" if suffix in SOUTH else "the last row at z = 0"
    assert facts["orientation"].startswith(south) and "columns along x" in facts["orientation"]
    assert ("float32" in facts["format"]) == (suffix in REAL)
    assert ("little-endian" in facts["format"]) == (suffix in (".r16", ".r32", ".raw"))
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
    if suffix not in REAL:
        found = found / 65535 * (500 - 1.875) + 1.875
    np.testing.assert_allclose(found, area, atol=0.0 if suffix in REAL else 0.005)


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


@pytest.mark.parametrize(
    ("suffix", "bits", "kind"), [(".png", 8, "u1"), (".png", 16, "u2"), (".tif", 16, "u2"), (".tif", 32, "f4")]
)
def test_bits_are_chosen_among_those_that_the_format_has(tmp_path, suffix, bits, kind):
    path = tmp_path / f"land{suffix}"
    heights.export(path, a_field(), RECIPE, options=heights.Options(bits=bits))
    with Image.open(path) as image:
        assert np.asarray(image).dtype == kind
    assert sidecar(path)["bits"] == bits
    with pytest.raises(InputError, match=r"bits = 24: .* is written with .* bits a number"):
        heights.export(path, a_field(), RECIPE, options=heights.Options(bits=24))


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_a_range_is_the_lands_own_or_a_fixed_one(tmp_path, suffix):
    field, path = a_field(), tmp_path / f"land{suffix}"
    most = 1 if suffix in REAL else 65535
    for chosen, low, high in ((heights.OWN, -120.0, 1850.0), ((-500.0, 2500.0), -500.0, 2500.0)):
        heights.export(path, field, RECIPE, options=heights.Options(range=chosen, sea_level=low))
        facts, found = sidecar(path), read(path)
        assert (facts["minimum_m"], facts["maximum_m"]) == (low, high)
        assert (facts["lowest_m"], facts["highest_m"]) == (-120.0, 1850.0)
        assert (facts["minimum_number"], facts["maximum_number"], facts["sea_level_number"]) == (0, most, 0)
        decoded = low + found.astype(float) / most * (high - low)
        np.testing.assert_allclose(decoded, field.heights, atol=(high - low) * (1e-7 if suffix in REAL else 1 / 65535))


def test_a_geotiff_says_where_it_lies_and_how_large_its_cells_are(tmp_path):
    where = Georeference(25832, 500_000.0, 5_000_000.0)
    heights.export(tmp_path / "land.tif", a_field(), RECIPE, options=heights.Options(georeference=where))
    with tifffile.TiffFile(tmp_path / "land.tif") as file:
        page = file.pages[0]
        keys = page.geotiff_tags
        assert page.tags[33550].value == (0.75, 2.5, 0.0)
        # the corner that is tied lies half a cell beyond the first height: 6 cells north of the corner of the land
        assert page.tags[33922].value == (0, 0, 0, 500_000 - 0.375, 5_000_000 + 6.5 * 2.5, 0)
        assert page.tags[42113].value == "-9999"
    assert keys["ProjectedCSTypeGeoKey"] == 25832 and keys["GTRasterTypeGeoKey"] == 1


def test_no_height_is_taken_for_none(tmp_path):
    heights.export(tmp_path / "land.tif", a_field(low=-20_000.0), RECIPE)
    with tifffile.TiffFile(tmp_path / "land.tif") as file:
        assert file.pages[0].tags[42113].value == "-999999"


def test_a_code_that_is_no_projected_system_is_refused():
    with pytest.raises(InputError, match=r"crs = EPSG:40000: expected a projected system in metres"):
        Georeference(40000)


def test_a_system_in_degrees_is_refused():
    with pytest.raises(InputError, match=r"crs = EPSG:4326: counts in degrees; expected a projected system in metres"):
        Georeference(4326)


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_heights_are_not_written_without_their_sidecar(tmp_path, suffix):
    path = tmp_path / f"land{suffix}"
    sidecar_path(path).mkdir()  # nothing can be written in its place
    with pytest.raises(InputError, match="cannot be written"):
        heights.export(path, a_field(), RECIPE)
    assert [one.name for one in tmp_path.iterdir()] == [sidecar_path(path).name]
