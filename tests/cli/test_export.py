"""`fellview export`: what it writes and prints, and how it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import fellview
from tests.command_line import SMALL, refused


@pytest.mark.parametrize("suffix", [".npy", ".png", ".r16"])
def test_export_writes_heights_and_a_sidecar(run, tmp_path, suffix):
    path = tmp_path / f"land{suffix}"
    assert run("export", "directx-demo", *SMALL, "-o", path) == (0, f"{path}\n", "")
    facts = json.loads((tmp_path / f"land{suffix}.json").read_text(encoding="utf-8"))
    assert (facts["rows"], facts["columns"]) == (32, 48)
    if suffix == ".npy":
        scene = fellview.load("directx-demo").replace({"grid.rows": 32, "grid.columns": 48})
        np.testing.assert_array_equal(np.load(path), fellview.generate(scene).heights)


@pytest.mark.parametrize("suffix", [".npy", ".png", ".r16"])
def test_what_was_exported_is_taken_in_the_same_way_round(run, tmp_path, suffix):
    path, again = tmp_path / f"land{suffix}", tmp_path / "again.npy"
    assert run("export", "directx-demo", *SMALL, "-o", path)[0] == 0
    bare = (f"--set={step}" for step in ("erosion.kind=none", "smooth.enabled=false", "perturb.enabled=false"))
    status, _, err = run("export", "directx-demo", *SMALL, *bare, "--set", f"imported.path={path}", "-o", again)
    assert (status, err) == (0, "")
    heights = fellview.generate(fellview.load("directx-demo").replace({"grid.rows": 32, "grid.columns": 48})).heights
    for found, alike in ((np.load(again), True), (np.load(again)[::-1], False)):
        assert (np.corrcoef(found.ravel(), heights.ravel())[0, 1] > 0.999) == alike


def test_export_for_a_program_writes_its_files_and_prints_what_to_type(run, tmp_path):
    status, out, err = run("export", "directx-demo", "--for", "unreal", "--size", "127", "-o", tmp_path / "out")
    path, text_path, *text = out.splitlines()
    assert status == 0 and Path(path).parent == tmp_path / "out"
    assert Path(text_path).read_text(encoding="utf-8").splitlines() == text
    assert any(line.split()[:2] == ["Scale", "Z"] for line in text)
    assert "make another land on 127 × 127" in err
    with Image.open(path) as image:
        assert image.size == (127, 127) and image.mode == "I;16"


def test_export_computes_the_land_at_the_size_that_is_asked_for(run, tmp_path):
    path = tmp_path / "land.npy"
    flat = ("--set", "grid.size_x=100", "--set", "noise.enabled=false")
    assert run("export", "directx-demo", *SMALL, *flat, "--size", "40", "-o", path)[0] == 0
    assert np.load(path).shape == (40, 20)


def test_what_is_asked_of_an_export_is_held_to_what_there_is(run, tmp_path):
    path = tmp_path / "land.png"
    refused(run("export", "--for", "maya", "-o", tmp_path), "--for maya", "unreal, unity, godot")
    refused(run("export", "--for", "unity", "--bits", "8", "-o", tmp_path), "--bits 8", "--for")
    refused(run("export", "--for", "unity", "--size", "1000", "-o", tmp_path), "size = 1000", "Unity", "1025")
    refused(run("export", "--range", "high", "-o", path), "'high'", "LOW:HIGH in metres, or own")
    refused(run("export", "--crs", "WGS84", "-o", path), "'WGS84'", "EPSG:25832")
    refused(run("export", "--origin", "12", "-o", path), "'12'", "EAST,NORTH")
    refused(run("export", "directx-demo", *SMALL, "--bits", "24", "-o", path), "bits = 24", "16 or 8")
    assert not list(tmp_path.iterdir())


def test_export_writes_a_mask(run, tmp_path):
    path = tmp_path / "steep.npy"
    assert run("export", "directx-demo", *SMALL, "--mask", "slope", "-o", path) == (0, f"{path}\n", "")
    steep = np.load(path)
    assert 0 <= steep.min() < steep.max() < 90
    refused(run("export", "directx-demo", *SMALL, "--mask", "lava", "-o", path), "lava", "slope, curvature")


@pytest.mark.parametrize("suffix", [".glb", ".obj", ".stl"])
def test_export_writes_a_mesh_and_tells_its_error(run, tmp_path, suffix):
    path = tmp_path / f"land{suffix}"
    status, out, err = run("export", "directx-demo", *SMALL, "--triangles", "500", "-o", path)
    assert status == 0 and path.stat().st_size > 500 * 6
    assert set(map(Path, out.splitlines())) == set(tmp_path.iterdir()) >= {path}
    assert "499 triangles, at most" in err and err.count("\n") == 1


def test_export_writes_a_slab_to_be_printed(run, tmp_path):
    path = tmp_path / "land.stl"
    status, out, err = run("export", "directx-demo", *SMALL, "--slab", "2", "--scale", "5000", "-o", path)
    assert (status, out) == (0, f"{path}\n") and "printed at 1 : 5000" in err and "2 mm of base" in err


def test_export_writes_maps_of_the_ground(run, tmp_path):
    status, out, err = run(
        "export", "directx-demo", *SMALL, "--maps", "colour,weights", "--texels", "2", "-o", tmp_path
    )
    assert (status, err) == (0, "")
    assert set(map(Path, out.splitlines())) == set(tmp_path.iterdir()) >= {tmp_path / "maps.json"}
    with Image.open(tmp_path / "colour.png") as picture:
        assert picture.size == (95, 63)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--triangles", "1", "-o", "a.glb"], ["triangles = 1", "2 to 100000000"]),
        (["--triangles", "many", "-o", "a.glb"], ["--triangles", "'many'"]),
        (["--error", "nan", "-o", "a.glb"], ["error = nan", "0 to 10000 m"]),
        (["--levels", "2", "-o", "a.obj"], ["levels = 2", "a.obj", ".glb"]),
        (["--slab", "2", "-o", "a.glb"], ["slab = 2", ".stl"]),
        (["--scale", "2", "-o", "a.stl"], ["--scale 2", "--slab"]),
        (["--triangles", "9", "-o", "a.png"], ["--triangles 9", "a.png", ".glb"]),
        (["--texels", "2", "-o", "a.png"], ["--texels 2", "--maps"]),
        (["--mask", "slope", "-o", "a.glb"], ["--mask slope", "mesh"]),
        (["--texels", "17", "-o", "a.glb"], ["texels = 17", "1 to 16"]),
        (["--maps", "lava", "-o", "maps"], ["maps = lava", "colour, normal"]),
        (["--maps", "all", "--normals", "up", "-o", "maps"], ["normals = up", "opengl, directx"]),
        (["--maps", "all", "--tile", "1", "-o", "maps"], ["tile = 1", "3 to 16384"]),
        (["--maps", "all", "--slab", "1", "-o", "maps"], ["--slab 1", "--maps"]),
    ],
)
def test_export_of_meshes_and_maps_refuses_in_one_line(run, tmp_path, monkeypatch, words, parts):
    monkeypatch.chdir(tmp_path)
    refused(run("export", "directx-demo", *SMALL, *words), *parts)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("target", "size", "side", "normals"), [("unreal", 127, 127, "directx"), ("unity", 33, 32, "opengl")]
)
def test_a_target_gets_maps_as_it_has_them(run, tmp_path, target, size, side, normals):
    words = ["--for", target, "--size", str(size), "--maps", "normal,weights"]
    status, out, _ = run("export", "directx-demo", *words, "-o", tmp_path)
    assert status == 0 and "Maps: " in out
    stem = f"directx-demo-{target}"
    told = json.loads((tmp_path / f"{stem}-maps.json").read_text(encoding="utf-8"))
    assert told["maps"]["normal"]["convention"] == normals
    for name in told["maps"]:
        with Image.open(tmp_path / f"{stem}-{name}.png") as picture:
            assert picture.size == (side, side)


def test_a_target_gets_a_mesh_beside_its_heights(run, tmp_path):
    words = ["--for", "blender", "--size", "32", "--triangles", "300", "--texels", "0"]
    status, out, err = run("export", "directx-demo", *words, "-o", tmp_path)
    assert status == 0 and str(tmp_path / "directx-demo-blender.glb") in out.splitlines()
    assert " triangles, at most " in err
    refused(run("export", "directx-demo", *words, "--slab", "2", "-o", tmp_path), "--slab 2", "--for")
    refused(run("export", "directx-demo", *words, "--tile", "9", "-o", tmp_path), "--tile 9", "--maps")
