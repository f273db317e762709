"""Contact sheets: what --vary means, and that every picture on the sheet is the scene with its values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PIL import Image

from fellview.capture import capture, contact_sheet
from fellview.cli import main
from fellview.core.errors import InputError
from fellview.core.parameters import Declaration
from fellview.io import scenes
from fellview.library import generate
from fellview.noise import registry

SMALL = scenes.load("directx-demo").replace({"grid.rows": 24, "grid.columns": 24})
SIZE = (64, 40)


def test_a_list_gives_its_values():
    assert contact_sheet.variation(SMALL, "noise.seed=3,1,2").values == (3, 1, 2)
    assert contact_sheet.variation(SMALL, "noise.kind=white,worley").values == ("white", "worley")


def test_a_range_is_cut_evenly_on_the_parameters_own_scale():
    assert contact_sheet.variation(SMALL, "noise.frequency=2:32:5").values == pytest.approx((2, 4, 8, 16, 32))
    assert contact_sheet.variation(SMALL, "sun.azimuth=0:90:4").values == pytest.approx((0, 30, 60, 90))
    assert contact_sheet.variation(SMALL, "smooth.iterations=0:10:3").values == (0, 5, 10)


@pytest.mark.parametrize(
    "text",
    [
        "noise.seed",
        "noise.seed=",
        "noise.frequency=1:2",
        "noise.frequency=1:2:0",
        "noise.frequency=1:2:x",
        "a.b=1",
        "noise.frequency=0:2:3",
        "noise.kind=pink",
        "noise.seed=1,,2",
        "noise.frequency=1:2:²",
        "noise.frequency=1:2:٣",
        "noise.frequency=1:2:-3",
        "noise.frequency=1:2:000",
    ],
)
def test_what_cannot_be_varied_is_named(text):
    with pytest.raises(InputError, match=text.partition("=")[0]):
        contact_sheet.variation(SMALL, text)


def test_every_picture_is_the_scene_with_its_values():
    seeds, modes = (1, 2, 3), ("textured", "normals")
    variations = [
        contact_sheet.variation(SMALL, "noise.seed=1,2,3"),
        contact_sheet.variation(SMALL, "view.mode=textured,normals"),
    ]
    page = contact_sheet.sheet(*contact_sheet.combinations(SMALL, variations), SIZE, 1, lambda step, fraction: None)
    for row, mode in enumerate(modes):
        for column, seed in enumerate(seeds):
            scene = SMALL.replace({"noise.seed": seed, "view.mode": mode})
            alone = capture.picture(scene, generate(scene, "cpu"), SIZE, samples=1)[..., :3]
            top, left = 6 + row * (SIZE[1] + 26 + 6), 6 + column * (SIZE[0] + 6)
            part = page[top : top + SIZE[1], left : left + SIZE[0]]
            np.testing.assert_array_equal(part, alone, err_msg=f"{mode}, seed {seed}")


def test_a_sheet_of_too_many_pictures_is_refused():
    with pytest.raises(InputError, match="401 pictures"):
        contact_sheet.combinations(SMALL, [contact_sheet.variation(SMALL, "noise.seed=0:400:401")])


@pytest.mark.parametrize(
    "count", ["401", "100000000", "1" + "0" * 30, "9" * 5000, "0" * 20 + "500"], ids=["401", "8", "30", "5000", "zeros"]
)
def test_values_are_counted_before_they_are_made(count, monkeypatch):
    monkeypatch.setattr(Declaration, "spread", None)
    with pytest.raises(InputError, match=r"noise\.frequency: .* pictures; expected at most 400") as refusal:
        contact_sheet.variation(SMALL, f"noise.frequency=1:2:{count}")
    assert len(str(refusal.value)) < 200


def test_a_long_list_is_counted_before_it_is_read(monkeypatch):
    monkeypatch.setattr(Declaration, "parsed", None)
    with pytest.raises(InputError, match="1000001 pictures"):
        contact_sheet.variation(SMALL, "noise.seed=" + "1," * 1_000_000 + "1")


def test_pictures_of_several_variations_are_counted_before_they_are_listed(monkeypatch):
    monkeypatch.setattr(itertools, "product", None)
    variations = [contact_sheet.variation(SMALL, "noise.frequency=1:2:400")] * 10
    with pytest.raises(InputError, match=f"{400**10} pictures"):
        contact_sheet.combinations(SMALL, variations)


@pytest.mark.parametrize(
    "words", [["render"], ["export"], ["sheet", "--vary", "noise.seed=1,2"]], ids=lambda one: one[0]
)
def test_an_output_that_cannot_be_written_is_refused_before_anything_is_computed(tmp_path, monkeypatch, capsys, words):
    for name in ("fellview.library.generate_with_notices", "fellview.capture.contact_sheet.sheet"):
        monkeypatch.setattr(name, lambda *_: pytest.fail("computed"))
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "read-only.png").write_text("mine")
    (tmp_path / "read-only.png").chmod(0o444)
    there = sorted(tmp_path.iterdir())
    for out in ("folder.png", "file/land.png", "read-only.png"):
        assert main([*words, "directx-demo", "-o", str(tmp_path / out)]) == 2
        told = capsys.readouterr().err
        assert out in told and "cannot be written" in told and told.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == there


def test_an_export_whose_sidecar_cannot_be_written_is_refused_before_anything_is_computed(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("fellview.library.generate_with_notices", lambda *_: pytest.fail("computed"))
    (tmp_path / "land.npy.json").mkdir()
    assert main(["export", "directx-demo", "-o", str(tmp_path / "land.npy")]) == 2
    assert "land.npy.json" in capsys.readouterr().err


def test_the_command_draws_every_kind_of_noise(tmp_path, capsys):
    path = tmp_path / "kinds.png"
    kinds = ",".join(registry.kinds())
    words = ["sheet", "directx-demo", "--vary", f"noise.kind={kinds}", "--set", "grid.rows=16", "-o", str(path)]
    assert main([*words, "--set", "grid.columns=16", "--size", "32x20"]) == 0
    assert scenes.load(path) == scenes.load("directx-demo").replace({"grid.rows": 16, "grid.columns": 16})


def test_a_sheet_by_workers_is_the_one_of_this_process(tmp_path):
    words = ["sheet", "directx-demo", "--set", "grid.rows=24", "--set", "grid.columns=24", "--size", "32x20"]
    words += ["--random", "3", "--lock", "erosion"]
    pages = []
    for name, more in (("here.png", []), ("workers.png", ["--workers", "2"])):
        assert main([*words, *more, "-o", str(tmp_path / name)]) == 0
        pages.append(np.asarray(Image.open(tmp_path / name)))
    np.testing.assert_array_equal(*pages)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "0 of --vary, --disperse, --random and --shelf"),
        (["--vary", "noise.seed=1,2", "--random", "3"], "2 of --vary"),
        (["--vary", "noise.seed=1,2", "--lock", "noise"], "--lock"),
        (["--random", "0"], "count = 0"),
        (["--disperse", "401"], "count = 401"),
        (["--random", "2", "--amount", "1.5"], "amount = 1.5"),
        (["--random", "2", "--lock", "hills"], "hills: no such group"),
        (["--random", "2", "--lock", "noise.hills"], "noise.hills: no such parameter"),
        (["--random", "2", "--workers", "0"], "--workers 0"),
        (["--random", "2", "--scheduler", "tcp://10.0.0.1:8786"], "expected tls://"),
        (["--random", "2", "--scheduler", "tls://a:1", "--workers", "2"], "--workers 2"),
    ],
)
def test_what_a_sheet_cannot_be_is_named(tmp_path, capsys, words, told):
    assert main(["sheet", "directx-demo", *words, "-o", str(tmp_path / "sheet.png")]) == 2
    line = capsys.readouterr().err
    assert told in line and line.count("\n") == 1
