"""Height maps in: every format, what its numbers mean, how it lies on the land, and files that went away."""

import json
from pathlib import Path

import numpy as np
import OpenEXR
import pytest
from PIL import Image, TiffImagePlugin

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.heightmaps import height_file
from fellview.heightmaps.registry import WRITTEN_SUFFIXES
from fellview.io import carried, imports, scenes
from fellview.io import heights as exports
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.steps import imported
from fellview.terrain.steps.imported import Imported

REAL = (".npy", ".tif", ".tiff", ".r32", ".exr", ".asc")
BARE = Scene().replace({"perturb.enabled": False, "erosion.enabled": False, "smooth.enabled": False})
RANDOM = np.random.default_rng(3)
WORDS = RANDOM.integers(0, 65536, (6, 9)).astype(np.uint16)
METRES = (RANDOM.random((6, 9)) * 900 - 100).astype(np.float32)


def land(parameters, rows, columns, size_z=200.0, size_x=200.0, below=None):
    domain = Domain(Grid(rows=rows, columns=columns, size_z=size_z, size_x=size_x), 1)
    return imported.run(
        parameters, domain, np.zeros((rows, columns), np.float32) if below is None else below, Progress()
    )


def written(path, values):
    """Write `values` by the suffix of `path`."""
    match path.suffix:
        case ".npy":
            np.save(path, values)
        case ".r16" | ".r32" | ".raw":
            path.write_bytes(values.tobytes())
        case ".exr":
            header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
            OpenEXR.File(header, {"Y": np.ascontiguousarray(values)}).write(str(path))
        case ".asc":
            head = f"ncols {values.shape[1]}\nnrows {values.shape[0]}\nxllcorner 0\nyllcorner 0\ncellsize 2.5"
            np.savetxt(path, values, "%.9g", header=head, comments="")
        case _:
            Image.fromarray(values).save(path)
    return path


def about(value):
    return pytest.approx(float(value), rel=1e-6)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("a.png", WORDS),
        ("a.PNG", WORDS),
        ("a.tif", WORDS),
        ("a.tiff", METRES),
        ("a.npy", METRES),
        ("a.npy", METRES.astype(np.float64)),
        ("a.npy", WORDS),
        ("a-9x6.r16", WORDS),
        ("9x6 b.r32", METRES),
        ("a-9x6.raw", WORDS),
        ("a.exr", METRES),
        ("a.asc", METRES),
        ("square.r16", WORDS[:6, :6]),
        ("square.r32", METRES[:6, :6]),
        ("eight bits.png", (WORDS >> 8).astype(np.uint8)),
    ],
)
def test_every_format_is_read_as_it_was_written(tmp_path, name, values):
    path = tmp_path / name
    written(path.with_suffix(path.suffix.lower()), values).rename(path)
    file = height_file.read(path)
    np.testing.assert_array_equal(file.values, values.astype(np.float32))
    bits = {np.dtype(np.uint16): 65535, np.dtype(np.uint8): 255}.get(values.dtype)
    assert file.span == ((0, bits) if bits else (about(values.min()), about(values.max())))
    assert (file.metres is None) == bool(bits)
    assert file.north_first == (path.suffix not in (".npy", ".raw"))


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_what_was_exported_comes_back_as_the_same_land(tmp_path, suffix):
    field = HeightField(METRES, (4.0, 2.5))
    path = tmp_path / f"land{suffix}"
    exports.export(path, field, "")
    scene, notices = imports.chosen(BARE, path)
    assert notices == []
    assert scene.grid.size_z == 24 and scene.grid.size_x == 22.5
    back = land(scene.imported, 6, 9)
    np.testing.assert_allclose(back, METRES, atol=0 if suffix in REAL else 900 / 65535)


@pytest.mark.parametrize("name", ["slope.npy", "slope.png", "slope-9x6.r16"])
def test_an_exported_mask_comes_back_the_same_way_round(tmp_path, name):
    """Its sidecar tells no heights, and the format alone which row is the first."""
    exports.export(tmp_path / name, HeightField(METRES * 0, (4.0, 2.5), {"slope": METRES}), "", "slope")
    scene, _ = imports.chosen(Scene(), tmp_path / name)
    back = land(scene.imported, 6, 9)
    assert np.corrcoef(back.ravel(), METRES.ravel())[0, 1] > 0.9999


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
@pytest.mark.parametrize("first_row", ["north", "south", None])
def test_the_sidecar_says_which_row_is_the_first(tmp_path, suffix, first_row):
    """Sidecars that do not say were written beside rows from the south, whatever the format."""
    values = METRES[::-1] if first_row == "north" else METRES
    words = np.rint((values - METRES.min()) / np.ptp(METRES) * 65535).astype(np.uint16)
    path = written(tmp_path / f"a{suffix}", values if suffix in REAL else words)
    facts = {"rows": 6, "columns": 9, "minimum_m": float(METRES.min()), "maximum_m": float(METRES.max())}
    facts |= {"first_row": first_row} if first_row else {}
    (tmp_path / f"a{suffix}.json").write_text(json.dumps(facts))
    scene, _ = imports.chosen(Scene(), path)
    np.testing.assert_allclose(land(scene.imported, 6, 9), METRES, atol=900 / 65535)


def test_a_first_row_of_no_meaning_is_refused(tmp_path):
    path = written(tmp_path / "a.npy", METRES)
    facts = {"rows": 6, "columns": 9, "minimum_m": 0, "maximum_m": 3, "first_row": "east"}
    (tmp_path / "a.npy.json").write_text(json.dumps(facts))
    with pytest.raises(InputError, match=r"first_row = 'east': expected north or south"):
        height_file.read(path)


def test_a_recipe_keeps_the_way_round_that_was_chosen(tmp_path):
    """One saved while exports began in the south has its rows as they are."""
    path = written(tmp_path / "a-9x6.r16", WORDS)
    parameters = Imported(path=str(path), lowest=0, highest=65535, sha256=height_file.digest(path))
    np.testing.assert_allclose(land(parameters, 6, 9), WORDS, atol=0.1)


def test_words_run_from_lowest_to_highest_and_may_be_turned_over(tmp_path):
    path = str(written(tmp_path / "a-9x6.r16", WORDS))
    up = land(Imported(path=path, lowest=-50, highest=150), 6, 9)
    np.testing.assert_allclose(up, -50 + WORDS / 65535 * 200, atol=1e-3)
    down = land(Imported(path=path, lowest=150, highest=-50), 6, 9)
    np.testing.assert_allclose(up + down, 100, atol=1e-3)
    below = RANDOM.random((6, 9)).astype(np.float32)
    added = land(Imported(path=path, lowest=-50, highest=150, blend="add"), 6, 9, below=below)
    np.testing.assert_allclose(added, up + below, atol=1e-4)


def test_orientation_reaches_all_eight_ways(tmp_path):
    path = str(written(tmp_path / "a.npy", METRES[:6, :6]))
    low, high = float(METRES[:6, :6].min()), float(METRES[:6, :6].max())
    found = set()
    for turn in range(8):
        rows, columns, swap = bool(turn & 1), bool(turn & 2), bool(turn & 4)
        here = land(
            Imported(
                path=path, lowest=low, highest=high, rows_reversed=rows, columns_reversed=columns, transposed=swap
            ),
            6,
            6,
        )
        wanted = METRES[:6, :6].T if swap else METRES[:6, :6]
        wanted = wanted[::-1] if rows else wanted
        np.testing.assert_allclose(here, wanted[:, ::-1] if columns else wanted, atol=1e-3)
        found.add(here.round(1).tobytes())
    assert len(found) == 8


def smooth_file(tmp_path, side):
    z, x = np.mgrid[0:side, 0:side] / side * 2 * np.pi
    return written(tmp_path / f"smooth{side}.npy", (100 * np.sin(z) * np.cos(2 * x)).astype(np.float32))


def test_a_file_is_the_same_land_on_every_grid(tmp_path):
    parameters = Imported(path=str(smooth_file(tmp_path, 128)), lowest=-100, highest=100)
    for side in (32, 64, 200, 256):
        z, x = np.mgrid[0:side, 0:side] / side * 2 * np.pi
        error = np.abs(land(parameters, side, side) - 100 * np.sin(z) * np.cos(2 * x))
        inside = slice(side // 32, side * 31 // 32)  # along the border there is nothing beyond to blend with
        # a tent of a cell to either side takes π²/3·(2/side)² off two waves: 1.3 % on 32 cells
        assert error[inside, inside].max() < (2.0 if side == 32 else 0.5 if side == 64 else 0.05)


def test_a_cell_size_shows_the_middle_of_the_file(tmp_path):
    parameters = Imported(path=str(smooth_file(tmp_path, 128)), lowest=-100, highest=100, cell_size=10.0)
    whole = land(parameters, 128, 128, 1280.0, 1280.0)
    middle = land(parameters, 64, 64, 640.0, 640.0)
    np.testing.assert_allclose(middle, whole[32:96, 32:96], atol=1e-3)
    wide = land(parameters, 256, 256, 2560.0, 2560.0)
    np.testing.assert_allclose(wide[64:192, 64:192], whole, atol=1e-3)
    assert (wide[:64] == wide[:1]).all()  # the border goes on


def test_a_geotiff_tells_how_far_its_cells_lie_apart_and_which_are_empty(tmp_path):
    values = METRES.copy()
    values[2, 3], values[0, 0] = -9999, np.nan
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[33550], tags.tagtype[33550] = (30.0, 25.0, 0.0), 12
    tags[42113] = "-9999"
    Image.fromarray(values).save(tmp_path / "dem.tif", tiffinfo=tags)
    scene, notices = imports.chosen(Scene(), tmp_path / "dem.tif")
    assert (scene.grid.size_z, scene.grid.size_x) == (6 * 25.0, 9 * 30.0)
    assert scene.imported.rows_reversed
    assert "2 cells hold no height and are filled" in notices[0]
    filled = land(scene.imported, 6, 9)[::-1]
    around = np.where(values == -9999, np.nan, values)
    assert np.nanmin(around) <= min(filled[2, 3], filled[0, 0]) <= max(filled[2, 3], filled[0, 0]) <= np.nanmax(around)
    there = ~np.isnan(around)
    np.testing.assert_array_equal(filled[there], values[there])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jpg", b"", r"a\.jpg: \.jpg: expected one of \.npy, \.png"),
        ("a.png", b"no picture", "cannot be read"),
        ("a.r16", bytes(7), "3 cells and 1 bytes"),
        ("a-3x3.r16", bytes(20), "10 cells and 0 bytes are not 3 × 3"),
        ("a.npy", b"\x93NUMPY", "cannot be read"),
        ("a.r32", np.full(9, np.nan, "<f4").tobytes(), "no cell holds a finite height"),
        ("a.r16", bytes(2), "1 × 1 cells: expected 2 × 2"),
    ],
)
def test_what_is_no_height_map_is_refused_in_one_line(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        height_file.read(tmp_path / name)
    assert "\n" not in str(caught.value) and name in str(caught.value)


@pytest.mark.parametrize("values", [np.zeros((2, 2, 2), "f4"), np.zeros((2, 2), bool), np.zeros((2, 2), complex)])
def test_arrays_that_are_no_grid_of_numbers_are_refused(tmp_path, values):
    with pytest.raises(InputError, match="expected numbers over rows and columns"):
        height_file.read(written(tmp_path / "a.npy", values))


def test_colour_is_refused_with_what_is_expected(tmp_path):
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    with pytest.raises(
        InputError,
        match="its pixels are colours, as Terrarium heights of -32768 to -32768 m; expected",
    ):
        height_file.read(tmp_path / "a.png")


def test_heights_beyond_what_a_land_may_have_are_refused_with_the_files_name(tmp_path):
    path = tmp_path / "sky.npy"
    np.save(path, np.array([[0.0, 3e38], [1.0, 2.0]], np.float32))
    with pytest.raises(InputError, match=r"sky\.npy: imported\.highest = .*-100000 to 100000 m"):
        imports.chosen(Scene(), path)


@pytest.mark.parametrize("compression", ["tiff_lzw", "tiff_adobe_deflate"])
def test_damaged_tiff_is_refused_without_a_word_of_the_decoders_own(tmp_path, capfd, compression):
    path = tmp_path / "map.tif"
    Image.fromarray(WORDS).save(path, compression=compression)
    content = bytearray(path.read_bytes())
    content[8:40] = bytes(range(100, 132))
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"map\.tif: cannot be read"):
        height_file.read(path)
    assert capfd.readouterr().err == ""


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"gone\.npy: cannot be read: No such file"):
        land(Imported(path=str(tmp_path / "gone.npy")), 4, 4)


# -- recipes


@pytest.fixture
def chosen(tmp_path):
    (tmp_path / "maps").mkdir()
    scene, _ = imports.chosen(Scene(), written(tmp_path / "maps" / "a.npy", METRES))
    return scene


def test_a_recipe_names_its_file_from_where_it_lies(tmp_path, chosen):
    scenes.save(tmp_path / "valley.toml", chosen)
    assert 'path = "maps/a.npy"' in (tmp_path / "valley.toml").read_text()
    assert scenes.load_with_notices(tmp_path / "valley.toml") == (chosen, [])
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (tmp_path / "maps").rename(moved / "maps")
    (tmp_path / "valley.toml").rename(moved / "valley.toml")
    scene, notices = scenes.load_with_notices(moved / "valley.toml")
    assert notices == [] and scene.imported.path == str(moved / "maps" / "a.npy")


def test_a_scene_opens_without_a_missing_or_changed_file(tmp_path, chosen):
    scenes.save(tmp_path / "valley.toml", chosen)
    file = tmp_path / "maps" / "a.npy"
    np.save(file, METRES + 1)
    scene, notices = scenes.load_with_notices(tmp_path / "valley.toml")
    assert "has changed since it was chosen" in notices[0] and "opens without it" in notices[0]
    assert not scene.imported.enabled
    file.unlink()
    scene, notices = scenes.load_with_notices(tmp_path / "valley.toml")
    assert "cannot be read: No such file" in notices[0]
    heights = Pipeline(CpuEngine()).run(scene.terrain_groups()).field.heights
    plain = BARE.replace({"grid.size_z": 200.0 * 6 / 9, "grid.rows": 6, "grid.columns": 9})
    plain = Pipeline(CpuEngine()).run(plain.terrain_groups()).field.heights
    np.testing.assert_array_equal(heights, plain)
    # nothing is lost: written again, the recipe still names the file
    assert "a.npy" in scenes.to_text(scene, tmp_path)


def test_a_file_changed_under_an_open_scene_stops_the_step_by_name(tmp_path, chosen):
    land(chosen.imported, 4, 4)
    np.save(chosen.imported.path, METRES + 1)
    height_file.read_cached.cache_clear()
    with pytest.raises(InputError, match=r"imported\.path = .*has changed"):
        land(chosen.imported, 4, 4)


def test_the_sidecar_must_hold_heights(tmp_path):
    path = written(tmp_path / "a.npy", METRES)
    facts = {"rows": 6, "columns": 9, "minimum_m": "low", "maximum_m": 3}
    (tmp_path / "a.npy.json").write_text(json.dumps(facts))
    with pytest.raises(InputError, match=r"a\.npy\.json: minimum_m, maximum_m"):
        height_file.read(path)


def test_text_without_a_file_reads_as_ever():
    assert recipe.from_text("version = 1")[0].imported == Imported()


@pytest.mark.filterwarnings("error")
def test_a_value_for_nothing_that_no_cell_can_have_is_no_warning(tmp_path):
    path = tmp_path / "far.tif"
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[42113] = "1e300"  # GDAL_NODATA, beyond float32
    Image.fromarray(np.arange(12, dtype=np.float32).reshape(3, 4)).save(path, tiffinfo=tags)
    assert height_file.read(path).filled == 0


# -- files inside of recipes


@pytest.mark.parametrize("name", ["a.npy", "a.png", "wide.r16"])
def test_a_recipe_carries_a_small_file_and_opens_without_it(tmp_path, monkeypatch, name):
    monkeypatch.setenv("FELLVIEW_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "maps" / name
    exports.export(path, HeightField(METRES, (4.0, 2.5)), "")  # a raw one whose size its sidecar alone tells
    scene, _ = imports.chosen(BARE, path)
    scene = scene.replace({"imported.carried": True})
    expected = land(scene.imported, 6, 9)
    scenes.save(tmp_path / "valley.toml", scene)
    assert scenes.load_with_notices(tmp_path / "valley.toml") == (scene, []), "the file is there, and is taken"
    for one in path.parent.iterdir():
        one.unlink()
    opened, notices = scenes.load_with_notices(tmp_path / "valley.toml")
    assert notices == [] and opened.imported.enabled and opened.imported.content == ""
    height_file.read_cached.cache_clear()
    np.testing.assert_array_equal(land(opened.imported, 6, 9), expected)
    assert scenes.to_text(opened, tmp_path).count("content = ") == 1, "saved again it carries it again"
    assert len(scenes.to_text(opened, tmp_path)) > len(recipe.to_text(opened))


def test_the_demos_camera_is_left_for_one_that_sees_all_of_another_land(tmp_path):
    demo = BARE.replace({"camera.mode": "demo"})
    path = tmp_path / "valley.npy"
    exports.export(path, HeightField(METRES, (400.0, 250.0)), "")
    scene, _ = imports.chosen(demo, path)
    assert scene.camera.mode == "orbit" and scene.camera.replace(mode="demo") == demo.camera
    same, _ = imports.chosen(scene.replace({"camera.mode": "demo"}), path)
    assert same.camera.mode == "demo", "a land of the same size is seen as before"


def test_a_copied_recipe_carries_its_file_or_says_that_it_does_not(tmp_path, monkeypatch):
    monkeypatch.setenv("FELLVIEW_CACHE", str(tmp_path / "cache"))
    scene, _ = imports.chosen(BARE, written(tmp_path / "a.npy", METRES))
    text, told = scenes.to_clipboard(scene)
    assert f"it names {tmp_path / 'a.npy'} and has it not inside" in told
    assert scenes.from_text(text, "pasted text", Path("/")) == (scene, []), "where the file is, it needs no more"
    carrying = scene.replace({"imported.carried": True})
    expected = land(scene.imported, 6, 9)
    with_it, told = scenes.to_clipboard(carrying)
    assert told == "The recipe is on the clipboard, with a.npy inside"
    (tmp_path / "a.npy").unlink()
    _, notices = scenes.from_text(text, "pasted text", Path("/"))
    assert len(notices) == 1 and "a.npy" in notices[0] and "opens without it" in notices[0]
    opened, notices = scenes.from_text(with_it, "pasted text", Path("/"))
    height_file.read_cached.cache_clear()
    assert notices == []
    np.testing.assert_array_equal(land(opened.imported, 6, 9), expected)
    assert scenes.to_clipboard(BARE)[1] == "The recipe is on the clipboard"


def test_a_recipe_carries_as_much_as_it_says(tmp_path, monkeypatch):
    monkeypatch.setenv("FELLVIEW_CACHE", str(tmp_path / "cache"))
    noise = np.random.default_rng(4).integers(0, 65536, (380, 380)).astype(np.uint16)  # packs to 361,000 letters
    scene, _ = imports.chosen(BARE, written(tmp_path / "a.png", noise))
    scene = scene.replace({"imported.carried": True})
    assert carried.left_out(scene.imported) == ""
    scenes.save(tmp_path / "valley.toml", scene)
    (tmp_path / "a.png").unlink()
    opened, notices = scenes.load_with_notices(tmp_path / "valley.toml")
    assert notices == [] and height_file.digest(Path(opened.imported.path)) == scene.imported.sha256


def test_what_is_carried_is_the_file_of_the_fingerprint(tmp_path, monkeypatch):
    monkeypatch.setenv("FELLVIEW_CACHE", str(tmp_path / "cache"))
    scene, _ = imports.chosen(BARE, written(tmp_path / "a.npy", METRES))
    text = scenes.to_text(scene.replace({"imported.carried": True}), tmp_path)
    (tmp_path / "a.npy").unlink()
    for wrong in (text.replace(scene.imported.sha256, "0" * 64), text.replace('content = "', 'content = "x')):
        opened, notices = scenes.from_text(wrong, "pasted text", tmp_path)
        assert "imported.content: carries another file" in notices[0] and not opened.imported.enabled
    assert not (tmp_path / "cache" / "imported").exists()


def test_a_file_that_is_too_large_is_named_and_told_of(tmp_path):
    noise = np.random.default_rng(4).random((600, 600)).astype(np.float32)
    scene, _ = imports.chosen(BARE, written(tmp_path / "a.npy", noise))
    scene = scene.replace({"imported.carried": True})
    assert "too large to be carried" in carried.left_out(scene.imported)
    assert 'content = ""' in scenes.to_text(scene, tmp_path)
    assert carried.left_out(scene.imported.replace(carried=False)) == ""
