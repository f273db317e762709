"""Real elevation: true size and metres wherever a format tells them, north up, holes filled, parts put together."""

import json
import math
import zlib

import numpy as np
import OpenEXR
import pytest
import tifffile
from PIL import Image

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.heightmaps import earth, height_file, holes
from fellview.heightmaps.parts import Parts
from fellview.io import heights, imports, scenes
from fellview.scene.scene import Scene

LAND = (
    np.add.outer(np.arange(24)[::-1] * 10.0, np.arange(36) ** 2 / 5).astype(np.float32) + 100
)  # higher to the north-east


def keys(*pairs):
    return [1, 1, 0, len(pairs), *(number for key, value in pairs for number in (key, 0, 1, value))]


def geotiff(path, values, scale, corner, *pairs, numbers=(), **options):
    """Write a GeoTIFF whose north-western corner lies at `corner` (east, north)."""
    directory = keys(*pairs)
    tags = [(33550, "d", 3, (*scale, 0.0), True), (33922, "d", 6, (0.0, 0.0, 0.0, *corner, 0.0), True)]
    tags += [(34735, "H", len(directory), directory, True)]
    tifffile.imwrite(path, values, photometric="minisblack", metadata=None, extratags=tags, **options)
    return path


# -- lengths on Earth


def test_a_degree_is_as_long_as_tables_have_it():
    """National Geospatial-Intelligence Agency, length of a degree: at 0°, 45° and 60°."""
    for latitude, along, across in ((0, 110_574, 111_320), (45, 111_132, 78_847), (60, 111_412, 55_800)):
        assert earth.degree_m(latitude) == (pytest.approx(along, abs=1), pytest.approx(across, abs=1))
        assert earth.degree_m(-latitude) == earth.degree_m(latitude)


def test_a_pixel_of_a_tile_is_as_wide_as_the_world_has_them():
    assert earth.tile_pixel_m(0, 0, 256) == pytest.approx(156_543.03, abs=0.01)
    # zoom 12, row 1436 lies about 47.04° north
    latitude = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * 1436.5 / 4096))))
    assert earth.tile_pixel_m(12, 1436, 256) == pytest.approx(
        156_543.03 / 4096 * math.cos(math.radians(latitude)), 1e-6
    )


# -- GeoTIFF


@pytest.mark.parametrize(
    ("pairs", "scale", "corner", "cell"),
    [
        (((1024, 1), (3072, 25832), (3076, 9001)), (30.0, 25.0), (5e5, 5.2e6), (25.0, 30.0)),
        (((1024, 1), (3076, 9003)), (30.0, 25.0), (5e5, 5.2e6), (25 * 1200 / 3937, 30 * 1200 / 3937)),
        (((1024, 2), (2048, 4326)), (0.001, 0.002), (7.0, 46.024), None),
        (((1024, 1), (3072, 3857)), (30.0, 25.0), (8e5, 5.8e6), None),
        ((), (0.001, 0.002), (7.0, 46.024), None),
        ((), (5.0, 5.0), (0.0, 0.0), (5.0, 5.0)),
    ],
    ids=["metres", "survey feet", "degrees", "web Mercator", "degrees unsaid", "nothing said"],
)
def test_a_geotiff_has_its_true_size(tmp_path, pairs, scale, corner, cell):
    found = height_file.read(geotiff(tmp_path / "dem.tif", LAND, scale, corner, *pairs))
    if cell is None and scale[0] < 1:
        along, across = earth.degree_m(46.0)  # the middle: 24 rows of 0.002° below the corner
        cell = 0.002 * along, 0.001 * across
    elif cell is None:
        latitude = math.atan(math.sinh((5.8e6 - 12 * 25) / 6_378_137))
        cell = 25 * math.cos(latitude), 30 * math.cos(latitude)
    assert found.cell_size == pytest.approx(cell, rel=1e-9)
    assert found.north_first and found.metres == (pytest.approx(LAND.min()), pytest.approx(LAND.max()))


def test_feet_of_height_become_metres(tmp_path):
    path = geotiff(tmp_path / "dem.tif", LAND.astype("u2"), (30.0, 30.0), (0.0, 9e5), (1024, 1), (4099, 9002))
    assert height_file.read(path).metres == (0.0, pytest.approx(65535 * 0.3048))


def test_words_with_a_place_on_earth_are_metres(tmp_path):
    path = geotiff(tmp_path / "dem.tif", LAND.astype("u2"), (30.0, 30.0), (0.0, 9e5), (1024, 1))
    scene, notices = imports.chosen(Scene(), path)
    assert (scene.imported.lowest, scene.imported.highest) == (0.0, 65535.0)
    assert not any("no heights in metres" in one for one in notices)


@pytest.mark.parametrize("byteorder", "<>")
@pytest.mark.parametrize("kind", ["f4", "f8", "i2", "u2", "i4"])
@pytest.mark.parametrize(
    "options",
    [{}, {"compression": "zlib"}, {"tile": (16, 16)}, {"tile": (16, 32), "compression": "zlib"}, {"rowsperstrip": 5}],
    ids=["plain", "deflate", "tiles", "deflated tiles", "strips"],
)
def test_every_layout_of_a_tiff_is_read(tmp_path, byteorder, kind, options):
    values = LAND.astype(kind)
    tifffile.imwrite(tmp_path / "a.tif", values, photometric="minisblack", byteorder=byteorder, **options)
    np.testing.assert_array_equal(height_file.read(tmp_path / "a.tif").values, values.astype(np.float32))


def test_a_tiff_unpacks_no_more_than_its_cells(tmp_path):
    """Of a strip that would unpack to gigabytes only the cells are: it is read as if it ended there."""
    tifffile.imwrite(tmp_path / "a.tif", LAND, photometric="minisblack", compression="zlib", rowsperstrip=24)
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        offset, length = file.pages[0].dataoffsets[0], file.pages[0].databytecounts[0]
    bomb = zlib.compress(bytes(100_000_000), 9)
    content = bytearray((tmp_path / "a.tif").read_bytes())
    at = content.index(length.to_bytes(4, "little"))
    content[at : at + 4] = len(bomb).to_bytes(4, "little")
    (tmp_path / "a.tif").write_bytes(bytes(content[:offset]) + bomb)
    assert (height_file.read(tmp_path / "a.tif").values == 0).all()


# -- the other formats


def test_hgt_lies_at_the_degree_in_its_name(tmp_path):
    values = np.round(np.add.outer(np.arange(51)[::-1], np.arange(51) * 2.0)).astype(">i2")
    values[3, 4] = -32768
    for name in ("N46E007", "s46w007"):
        (tmp_path / f"{name}.hgt").write_bytes(values.tobytes())
        found = height_file.read(tmp_path / f"{name}.hgt")
        along, across = earth.degree_m(46.5 if name[0] == "N" else -45.5)
        assert found.cell_size == (along / 50, across / 50) and found.filled == 1 and found.north_first
        assert found.values[3, 4] == pytest.approx(values[2:5, 3:6][values[2:5, 3:6] >= 0].mean(), abs=2)
    (tmp_path / "alps.hgt").write_bytes(values.tobytes())
    assert "no latitude in its name" in imports.chosen(Scene(), tmp_path / "alps.hgt")[1][0]
    (tmp_path / "cut.hgt").write_bytes(values.tobytes()[:-2])
    with pytest.raises(InputError, match=r"cut\.hgt: 5,200 bytes: expected a square"):
        height_file.read(tmp_path / "cut.hgt")


def terrarium(heights):
    """Return the colours of heights in metres, uint8 [row, column, rgb]."""
    raised = np.round((heights.astype(float) + 32768) * 256).astype(np.int64)
    return np.stack([raised >> 16, (raised >> 8) & 255, raised & 255], axis=-1).astype(np.uint8)


def test_terrarium_colours_are_metres_and_the_name_tells_their_size(tmp_path):
    (tmp_path / "12" / "2138").mkdir(parents=True)
    for path in (tmp_path / "12" / "2138" / "1436.png", tmp_path / "12-2138-1436.png", tmp_path / "tile.png"):
        Image.fromarray(terrarium(LAND)).save(path)
        found = height_file.read(path)
        np.testing.assert_allclose(found.values, LAND, atol=1 / 256)
        cell = earth.tile_pixel_m(12, 1436, 36)
        assert found.cell_size == (None if path.name == "tile.png" else (cell, cell))
        assert "Terrarium" in found.remark and found.metres == found.span


@pytest.mark.parametrize("kind", ["f4", "f2", "u4"])
@pytest.mark.parametrize("packed", ["NO", "ZIPS", "ZIP"])
@pytest.mark.parametrize("names", [("Y",), ("a height of mine",), ("A", "height", "slope"), ("B", "G", "R")])
def test_the_channel_of_heights_is_found_by_its_name(tmp_path, kind, packed, names):
    others = np.ones(LAND.shape, np.float16)
    name = next((one for one in ("Y", "height", "R") if one in names), names[0])
    channels = dict.fromkeys(names, others) | {name: LAND.astype(kind)}
    header = {"compression": getattr(OpenEXR, f"{packed}_COMPRESSION"), "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, channels).write(str(tmp_path / "a.exr"))
    np.testing.assert_array_equal(height_file.read(tmp_path / "a.exr").values, LAND.astype(kind).astype(np.float32))


@pytest.mark.parametrize("packed", ["PIZ", "RLE", "DWAA"])
def test_other_ways_to_pack_an_exr_are_refused(tmp_path, packed):
    header = {"compression": getattr(OpenEXR, f"{packed}_COMPRESSION"), "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {"Y": LAND}).write(str(tmp_path / "a.exr"))
    with pytest.raises(InputError, match=r"packed in way \d; expected a flat OpenEXR .* packed by ZIP"):
        height_file.read(tmp_path / "a.exr")


def test_channels_of_unknown_names_are_refused(tmp_path):
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {"a": LAND, "b": LAND}).write(str(tmp_path / "a.exr"))
    with pytest.raises(InputError, match=r"channels \['a', 'b'\]: expected one, or one of Y, height, Z, R"):
        height_file.read(tmp_path / "a.exr")


GRID = "ncols 36\nnrows 24\n{place}\n{cell}\nNODATA_value -9999\n"


@pytest.mark.parametrize(
    ("place", "cell", "size"),
    [
        ("xllcorner 500000\nyllcorner 5200000", "cellsize 25", (25.0, 25.0)),
        ("XLLCENTER 500000\nYLLCENTER 5200000", "dx 30\ndy 25", (25.0, 30.0)),
        ("xllcorner 7\nyllcorner 45.976", "cellsize 0.002", "degrees"),
    ],
)
def test_an_ascii_grid_has_its_true_size_and_its_holes_are_filled(tmp_path, place, cell, size):
    cells = [f"{one:g}" for one in LAND.ravel()]
    cells[40] = "-9999"
    path = tmp_path / "dem.asc"
    path.write_text(
        GRID.format(place=place, cell=cell) + "\n".join(" ".join(cells[at : at + 7]) for at in range(0, 864, 7))
    )
    found = height_file.read(path)
    expected = tuple(0.002 * one for one in earth.degree_m(46.0)) if size == "degrees" else size
    assert found.cell_size == pytest.approx(expected, rel=1e-9)
    there = np.ones(LAND.shape, bool)
    there.flat[40] = False
    np.testing.assert_allclose(found.values[there], LAND[there], rtol=1e-5)
    assert found.filled == 1 and found.north_first and abs(found.values.flat[40] - LAND.flat[40]) < 15


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no grid", "no ncols and nrows"),
        ("ncols 4.5\nnrows 4\n1 2", "ncols = 4.5: expected a whole number"),
        ("ncols 2\nnrows 2\ncellsize 1\n1 2 3", "1 numbers after the last whole row"),
        ("ncols 2\nnrows 3\ncellsize 1\n1 2 3 4", "cut off after 2 rows"),
        ("ncols 2\nnrows 2\ncellsize 1\n1 2 3 4 5 6", "over 2 × 2 numbers"),
        ("ncols 2\nnrows 2\ncellsize 1\n1 2 3 four", "is no number"),
        ("ncols 99999\nnrows 2\ncellsize 1\n1", "expected 2 × 2 to 52000 × 52000"),
    ],
)
def test_what_is_no_ascii_grid_is_refused_in_a_line(tmp_path, text, message):
    (tmp_path / "dem.asc").write_text(text)
    with pytest.raises(InputError, match=message):
        height_file.read(tmp_path / "dem.asc")


# -- holes, and more cells than are kept


def test_holes_are_filled_smoothly_and_nothing_else_changes():
    z, x = np.mgrid[0:64, 0:64] / 64.0
    plane = (100 * z + 50 * x).astype(np.float32)
    missing = np.hypot(z - 0.5, x - 0.4) < 0.2
    filled = holes.filled(np.where(missing, np.float32(-1e30), plane), missing)
    np.testing.assert_array_equal(filled[~missing], plane[~missing])
    assert np.abs(filled - plane)[missing].max() < 12  # of a range of 150
    assert np.abs(np.diff(filled, axis=0)).max() < 8


@pytest.mark.parametrize("shape", [(40, 60), (41, 59)])
def test_more_cells_than_are_kept_become_their_means(monkeypatch, shape):
    kept = foreign.Kind("a height map", 10**9, most_a_side=100, most_pixels=300)
    monkeypatch.setattr(foreign, "HEIGHTS", kept)
    values = np.random.default_rng(2).random(shape).astype(np.float32)
    values[5, 7] = -9999
    whole = Parts(*shape, no_data=-9999.0)
    assert whole.step == 3
    for row in range(0, shape[0], 7):  # as strips and tiles come, with borders inside of the groups
        for column in range(0, shape[1], 16):
            whole.put(row, column, values[row : row + 7, column : column + 16])
    found = whole.values()
    for r in range(found.shape[0]):
        for c in range(found.shape[1]):
            cells = values[3 * r : 3 * r + 3, 3 * c : 3 * c + 3]
            assert found[r, c] == pytest.approx(cells[cells >= 0].mean(), rel=1e-5)


def test_a_coarser_file_keeps_its_true_size(tmp_path, monkeypatch):
    path = geotiff(tmp_path / "dem.tif", LAND, (30.0, 25.0), (0.0, 9e5), (1024, 1), compression="zlib")
    kept = foreign.Kind("a height map", 10**9, ("PNG", "TIFF"), 100, 300)
    monkeypatch.setattr(foreign, "HEIGHTS", kept)
    found = height_file.read(path)
    assert found.values.shape == (12, 18) and found.cell_size == (50.0, 60.0)


# -- the first look


def test_a_height_map_opens_as_its_land_and_nothing_else_at_its_true_size(tmp_path):
    path = geotiff(tmp_path / "Valley of 1900.tif", LAND, (30.0, 25.0), (0.0, 9e5), (1024, 1))
    scene, notices = scenes.load_with_notices(path)
    assert scene.name == "Valley of 1900"
    assert (scene.grid.rows, scene.grid.columns) == (24, 36)
    assert (scene.grid.size_z, scene.grid.size_x) == (24 * 25.0, 36 * 30.0)
    assert [step for step in ("perturb", "erosion", "crags", "smooth") if getattr(scene, step).enabled] == []
    assert scene.landform1.kind == "none" and "is shown as it is" in notices[-1]
    assert scene.imported.rows_reversed
    assert scene.ground.snow_line > scene.imported.lowest
    # dropped onto a window that shows the opening scene it is the same land
    dropped, _ = imports.chosen(scenes.load(scenes.OPENING_PRESET), path)
    assert dropped.terrain_groups() == scene.terrain_groups()


def test_a_large_file_takes_every_nth_cell_of_its_grid(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((3000, 4100), np.float32))
    scene, _ = imports.chosen(Scene(), tmp_path / "a.npy")
    assert (scene.grid.rows, scene.grid.columns) == (1000, 1367)


# -- water and snow of the first look

SHORE = (np.add.outer(np.zeros(24), np.arange(36)) * 20 - 300).astype(np.float32)  # of 36 columns 15 lie below 0 m
HOLLOW = LAND - 600 * np.exp(-(np.hypot(*np.mgrid[-12:12, -18:18]) ** 2) / 20).astype(np.float32)
DEGREES = ((1024, 2), (2048, 4326))
UTM = ((1024, 1), (3072, 25832), (3076, 9001))


def kinds(scene):
    """Return which kinds of water a scene has, and the sea's level where it has one."""
    water = scene.water
    kinds = {name for name in ("sea", "lakes", "rivers") if water.enabled and getattr(water, name)}
    return kinds, water.sea_level if "sea" in kinds else None


@pytest.mark.parametrize("preset", ["alpine-range", "fjords", "volcano", "dunes"])
@pytest.mark.parametrize(
    ("values", "scale", "keys", "level"),
    [
        (SHORE, (0.002, 0.002), DEGREES, 0.0),
        (SHORE, (30.0, 30.0), UTM, 0.0),
        (SHORE, (30.0, 30.0), ((1024, 32767),), None),
        (LAND, (30.0, 30.0), UTM, None),
        (HOLLOW, (30.0, 30.0), UTM, None),
    ],
    ids=["degrees", "UTM", "local", "all above", "a hollow below"],
)
def test_only_land_that_meets_the_sea_on_earth_has_one(tmp_path, preset, values, scale, keys, level):
    """And none has the one of the scene that it comes into: at -480 m the fjords', at 40 m the volcano's."""
    assert HOLLOW.min() < -300
    path = geotiff(tmp_path / "dem.tif", values, scale, (7.0, 46.0) if scale[0] < 1 else (5e5, 5.2e6), *keys)
    before = scenes.load(preset)
    scene, notices = imports.chosen(before, path)
    there, found = kinds(scene)
    assert ("sea" in there, found) == (level is not None, level)
    assert there - {"sea"} == kinds(before)[0] - {"sea"}
    assert any("the sea covers what is lower" in one for one in notices) == (level is not None)
    lost = "sea" in kinds(before)[0] and level is None
    assert any("Sea" in one and one.endswith(" off") for one in notices) == lost


def test_an_ascii_grid_in_degrees_meets_the_sea(tmp_path):
    header = GRID.format(place="xllcorner 7\nyllcorner 45.976", cell="cellsize 0.002")
    np.savetxt(tmp_path / "dem.asc", SHORE, header=header.strip(), comments="")
    assert kinds(imports.opened(scenes.load("alpine-range"), tmp_path / "dem.asc")[0]) == ({"sea", "rivers"}, 0.0)


@pytest.mark.parametrize(("cell", "rivers"), [(90.0, True), (900.0, False)])
def test_cells_wider_than_rivers_have_none(tmp_path, cell, rivers):
    path = geotiff(tmp_path / "dem.tif", LAND, (cell, cell), (5e5, 5.2e6), *UTM)
    scene, notices = scenes.load_with_notices(path)
    assert kinds(scene) == ({"rivers"} if rivers else set(), None)
    assert notices[-1].endswith("Rivers off") == (not rivers)


@pytest.mark.parametrize(("cell", "visibility"), [(90.0, 50.0), (2400.0, 10 * 36 * 2.4)])
def test_the_air_lets_all_of_a_land_be_seen(tmp_path, cell, visibility):
    path = geotiff(tmp_path / "dem.tif", LAND, (cell, cell), (5e5, 5.2e6), *UTM)
    assert imports.chosen(Scene(), path)[0].sky.visibility == pytest.approx(visibility)


def test_a_file_that_is_chosen_again_keeps_the_water_it_was_given(tmp_path):
    path = geotiff(tmp_path / "dem.tif", LAND, (30.0, 30.0), (5e5, 5.2e6), *UTM)
    scene = scenes.load(path).replace({"water.sea": True, "water.sea_level": 150.0})
    assert imports.chosen(scene, path)[0].water == scene.water


@pytest.mark.parametrize(("lift", "expected"), [(0.0, 0.8), (-5000.0, None)])
def test_snow_lies_high_on_land_of_any_height(tmp_path, lift, expected):
    """The scene around has it from -700 m on: a land above has it on its heights, and one below has none."""
    path = geotiff(tmp_path / "dem.tif", LAND + np.float32(lift), (30.0, 30.0), (5e5, 5.2e6), *UTM)
    scene = scenes.load(path)
    low, high = scene.imported.lowest, scene.imported.highest
    if expected is None:
        assert high < scene.ground.snow_line == -700
    else:
        assert scene.ground.snow_line == pytest.approx(low + expected * (high - low))


@pytest.mark.parametrize("preset", ["canyon", "fjords", "alpine-range", "dunes"])
def test_what_fellview_wrote_looks_as_it_did(tmp_path, preset):
    before = scenes.load(preset)
    land = LAND - 900
    field = HeightField(land, (100.0, 100.0))
    heights.export(tmp_path / "out.png", field, scenes.to_text(before, tmp_path))
    scene, notices = scenes.load_with_notices(tmp_path / "out.png")
    for key in ("water", "ground", "sun", "sky", "air", "view", "camera"):
        assert getattr(scene, key) == getattr(before, key)
    assert scene.name == before.name and scene.imported.enabled and " off" in notices[-1]
    # another scene that takes it in keeps its look, but for the water
    other = scenes.load("highlands")
    taken, _ = imports.chosen(other, tmp_path / "out.png")
    assert taken.water == before.water and (taken.sky, taken.ground.palette) == (other.sky, other.ground.palette)


@pytest.mark.parametrize("recipe", ["no recipe", 5, "", "[noise]\nseed = 'x'"])
def test_heights_beside_a_recipe_that_cannot_be_read_come_all_the_same(tmp_path, recipe):
    path = tmp_path / "out.png"
    heights.export(path, HeightField(LAND, (100.0, 100.0)), "")
    facts = json.loads((tmp_path / "out.png.json").read_text())
    (tmp_path / "out.png.json").write_text(json.dumps(facts | {"recipe": recipe}))
    scene = scenes.load(path)
    assert scene.name == "out" and scene.imported.lowest == pytest.approx(float(LAND.min()))
