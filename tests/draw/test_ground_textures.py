"""The ground's textures: how they are made and read, and a person's own in their place."""

from __future__ import annotations

import importlib.util
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from fellview import paths
from fellview.core.errors import InputError
from fellview.draw.ground import ground_textures
from fellview.draw.renderer import Renderer
from fellview.io import scenes
from fellview.scene.groups.ground import MATERIALS
from fellview.scene.scene import Scene
from tests.drawn_ramp import WHERE, from_above, ramp, seen


def _script():
    path = paths.assets().parent / "scripts" / "make_textures.py"
    if not path.exists():
        pytest.skip("scripts stand in the source tree only")
    spec = importlib.util.spec_from_file_location("make_textures", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_textures_are_small_and_all_there():
    files = [paths.assets() / "textures" / f"{name}.png" for name in MATERIALS]
    assert sum(path.stat().st_size for path in files) < 4 << 20


@pytest.mark.parametrize("name", MATERIALS)
def test_textures_tile(name):
    """Across the seam neighbours differ no more than elsewhere."""
    pixels = ground_textures.read(paths.assets() / "textures" / f"{name}.png").astype(float).mean(axis=2)
    for axis in (0, 1):
        steps = np.abs(np.diff(pixels, axis=axis)).mean()
        seam = np.abs(np.take(pixels, 0, axis) - np.take(pixels, -1, axis)).mean()
        assert seam < 1.5 * steps


def test_the_script_makes_the_same_textures_again():
    script = _script()
    number = list(script.RECIPES).index("snow")
    made = np.asarray(script.tiling("snow", number).convert("RGB"))
    kept = ground_textures.read(paths.assets() / "textures" / "snow.png")
    assert np.abs(made.astype(int) - kept).max() <= 24  # a step of tone, where another FFT rounds the other way
    assert (made != kept).mean() < 0.01


def test_the_script_makes_the_same_reliefs_again():
    script = _script()
    number = list(script.RELIEFS).index("ripples")
    with Image.open(paths.assets() / "textures" / "reliefs" / "ripples.png") as picture:
        kept = np.asarray(picture).astype(int)
    assert np.abs(np.asarray(script.relief("ripples", number)).astype(int) - kept).max() <= 16  # a step
    assert tuple(script.RELIEFS) == ground_textures.RELIEFS


def test_patches_are_what_the_shader_takes_them_for():
    layers = ground_textures.patches().astype(float)
    assert layers.mean(axis=(0, 1)) == pytest.approx(np.full(4, 127.5), abs=1)
    assert layers.std(axis=(0, 1)) == pytest.approx(np.full(4, 42.0), rel=0.03)


def _picture(mode, size):
    values = np.random.default_rng(1).random((size[1], size[0]))
    if mode == "I;16":
        return Image.fromarray((values * 65535).astype(np.uint16))
    if mode == "F":
        return Image.fromarray(values.astype(np.float32))
    if mode == "I":
        return Image.fromarray((values * 65535).astype(np.int32))
    if mode == "LAB":
        return Image.merge("LAB", [_picture("L", size), *(Image.new("L", size, 128) for _ in "ab")])
    return Image.fromarray((values * 255).astype(np.uint8)).convert(mode)


@pytest.mark.parametrize("mode, suffix", [("L", "png"), ("RGB", "jpg"), ("RGBA", "png"), ("P", "png"), ("1", "png"),
                                          ("I;16", "png"), ("F", "tif"), ("CMYK", "jpg"), ("LA", "png"),
                                          ("CMYK", "tif"), ("YCbCr", "jpg"), ("LAB", "tif"), ("I", "tif"),
                                          ("P", "gif"), ("RGB", "webp"), ("RGB", "bmp"), ("1", "tif")])  # fmt: skip
@pytest.mark.parametrize("size", [(1, 4096), (300, 200)])
def test_pictures_of_any_kind_and_size_are_taken(tmp_path, mode, suffix, size):
    path = tmp_path / f"rock.{suffix}"
    _picture(mode, size).save(path)
    assert ground_textures.found(str(tmp_path)) == {"rock": path}
    layer = ground_textures.read(path)
    assert layer.shape == (ground_textures.SIZE, ground_textures.SIZE, 3)
    if size[0] > 1:
        assert layer.mean() == pytest.approx(127.5, abs=20)


def test_of_a_moving_picture_the_first_frame_is_taken(tmp_path):
    frames = [Image.new("RGB", (32, 32), colour) for colour in ((200, 30, 20), (20, 30, 200))]
    for suffix in ("gif", "png", "webp", "tif"):
        path = tmp_path / f"rock.{suffix}"
        frames[0].save(path, save_all=True, append_images=frames[1:])
        red, _, blue = ground_textures.read(path).reshape(-1, 3).mean(axis=0)
        assert red > 150 and blue < 60, suffix


def test_clear_parts_lie_on_grey_whatever_hides_in_them(tmp_path):
    path = tmp_path / "rock.png"
    Image.new("RGBA", (16, 16), (255, 0, 0, 0)).save(path)
    assert np.abs(ground_textures.read(path).astype(int) - 128).max() <= 1


def test_a_picture_that_no_memory_holds_is_refused_by_its_size(tmp_path):
    """Told from its header alone: 20,000 × 20,000 pixels in 45 bytes."""
    header = struct.pack(">4sIIBBBBB", b"IHDR", 20_000, 20_000, 8, 2, 0, 0, 0)
    path = tmp_path / "rock.png"
    chunks = (header, b"IDAT")
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(struct.pack(">I", len(one) - 4) + one + struct.pack(">I", zlib.crc32(one)) for one in chunks)
    )
    with pytest.raises(InputError, match=r"rock\.png: .*pixels: expected at most \d+ a side"):
        ground_textures.read(path)


@pytest.mark.parametrize("fault", ["cut off", "no numbers", "too wide", "a folder", "a link to nothing"])
def test_what_is_no_texture_is_refused_with_its_name_and_the_reason(tmp_path, fault):
    path = tmp_path / ("rock.tif" if fault == "no numbers" else "rock.png")
    if fault == "cut off":
        _picture("RGB", (300, 200)).save(path)
        path.write_bytes(path.read_bytes()[:5000])
    elif fault == "no numbers":
        Image.fromarray(np.full((8, 8), np.nan, np.float32)).save(path)
    elif fault == "too wide":
        Image.new("1", (20_000, 2)).save(path)
    elif fault == "a folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "gone.png")
    with pytest.raises(InputError, match=r"rock\.") as refused:
        ground_textures.read(path)
    assert "\n" not in str(refused.value)


def test_a_persons_picture_takes_the_place_of_a_material_and_keeps_its_colour(renderer, tmp_path):
    Image.new("RGB", (40, 30), (40, 60, 220)).save(tmp_path / "sand.png")
    field = ramp(0.0)
    changes = {**WHERE, "ground.palette": "desert", "sun.light": "#ffffff", "sun.ambient": 0.0}
    scene = from_above(field, {**changes, "ground.textures": str(tmp_path)})
    shown = seen(renderer, scene, field)[40:80, 60:100].mean(axis=(0, 1))
    assert not renderer.take_notices()
    assert np.abs(shown - [40, 60, 220]).max() < 12


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_a_broken_picture_is_refused_in_a_line_and_the_land_is_drawn(renderer, tmp_path, content):
    (tmp_path / "rock.png").write_bytes(content)
    field = ramp(0.0)
    scene = from_above(field, {**WHERE, "ground.textures": str(tmp_path)})
    seen(renderer, scene, field)
    (notice,) = renderer.take_notices()
    assert "rock.png" in notice and "rock keeps its own" in notice and "\n" not in notice
    seen(renderer, scene, field)
    assert not renderer.take_notices()  # told once


@pytest.mark.parametrize("make", [lambda folder: None, lambda folder: folder.mkdir()])
def test_a_folder_without_textures_is_refused_in_a_line(renderer, tmp_path, make):
    folder = tmp_path / "mine"
    make(folder)
    field = ramp(0.0)
    seen(renderer, from_above(field, {**WHERE, "ground.textures": str(folder)}), field)
    (notice,) = renderer.take_notices()
    assert "ground.textures" in notice and "the ground keeps its own" in notice


def test_a_recipe_names_textures_from_where_it_lies(tmp_path):
    scene = Scene().replace({"ground.textures": str(tmp_path / "textures" / "mine")})
    (tmp_path / "a").mkdir()
    scenes.save(tmp_path / "a" / "one.toml", scene)
    text = (tmp_path / "a" / "one.toml").read_text(encoding="utf-8")
    assert 'textures = "../textures/mine"' in text
    assert scenes.load(tmp_path / "a" / "one.toml").ground.textures == str(tmp_path / "textures" / "mine")


def test_a_person_without_materials_reads_no_textures(context, eroded, monkeypatch):
    monkeypatch.setattr(ground_textures, "load", lambda *_: pytest.fail("nobody asked for materials"))
    fresh = Renderer(context)
    seen(fresh, scenes.load("directx-demo"), eroded)
