"""Pictures out of the window's form: what its texts mean on the command line."""

from pathlib import Path

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.work import Work
from fellview.desktop import picture_page
from fellview.io import scenes
from fellview.scene.scene import Scene

WINDOW = (940, 696)
LAND = HeightField(np.zeros((4, 4), np.float32), (1.0, 1.0))
SCENE = Scene(name="Hills").replace({"noise.seed": 7})


def texts(**changed):
    """Return what stands in the page, with some fields filled in."""
    page = picture_page.page(Path("/pictures"), "{scene}-{seed}-{size}-{number}")
    assert changed.keys() <= {field.name for field in page.fields}
    return {field.name: field.value for field in page.fields} | changed


@pytest.mark.parametrize(
    ("changed", "name", "words"),
    [
        ({}, "hills-7-1880x1392-001.png", ["--size=1880x1392", "--samples=16", "--passes="]),
        (
            {"size": "640x360", "times": "8", "samples": "256", "format": ".webp"},
            "hills-7-640x360-001.webp",
            ["--size=640x360", "--samples=256", "--passes="],
        ),
        (
            {"times": "1", "behind": "transparent", "passes": "depth, slope", "name": "a", "format": ".exr"},
            "a.exr",
            ["--size=940x696", "--samples=16", "--passes=depth,slope", "--transparent"],
        ),
        (
            {"times": "1", "behind": "studio", "marks": "none", "name": "a"},
            "a.png",
            ["--size=940x696", "--samples=16", "--passes=", "--set=view.stage=slab"]
            + [f"--set=view.{mark}=false" for mark in ("legend", "scale_bar", "north_arrow")],
        ),
    ],
)
def test_the_form_goes_to_the_command_line(tmp_path, monkeypatch, changed, name, words):
    given = []

    def run(command, title, work):
        assert command[0] == "render" and scenes.load(command[1]) == SCENE
        given.extend(command[2:])
        return ["a remark"], [command[3]]

    monkeypatch.setattr(picture_page, "run", run)
    noted = []
    export = picture_page.chosen(texts(**changed, folder=str(tmp_path)), WINDOW, lambda *told: noted.append(told))
    assert export.write(export.folder, SCENE, LAND, Work()) == ["a remark", f"Saved {tmp_path / name}"]
    assert noted == [(f"Saved {tmp_path / name}", tmp_path / name)]
    assert given == ["-o", str(tmp_path / name), *words]


def test_no_file_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(picture_page, "run", lambda command, title, work: (Path(command[3]).touch(), ([], [""]))[1])
    for name in ("{scene}-{number}", "fixed"):
        export = picture_page.chosen(texts(name=name, folder=str(tmp_path)), WINDOW)
        for _ in range(3):
            export.write(export.folder, SCENE, LAND, Work())
    expected = {"hills-001.png", "hills-002.png", "hills-003.png", "fixed.png", "fixed-002.png", "fixed-003.png"}
    assert {one.name for one in tmp_path.iterdir()} == expected


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"size": "large"}, "size = 'large': expected WIDTHxHEIGHT"),
        ({"size": "20000x9"}, "--size 20000x9: expected 1x1 to 16384x16384"),
        ({"size": "16384x9", "format": ".webp"}, "at most 16,383"),
        ({"behind": "transparent", "format": ".jpg"}, "never transparent"),
        ({"passes": "deep"}, "--passes deep: expected some of depth"),
        ({"name": "{land}"}, "expected none but {scene}, {seed}, {size}, {number}"),
        ({"name": "../out"}, "a file's name, without its folder"),
        ({"name": ""}, "name = '': expected a file's name"),
        ({"name": "x" * 300}, "(304 characters): "),
        ({"folder": ""}, "folder = ''"),
    ],
)
def test_what_will_not_do_is_refused_in_a_line(changed, message):
    with pytest.raises(InputError) as refusal:
        picture_page.chosen(texts(**changed), WINDOW)
    assert message in str(refusal.value) and "\n" not in str(refusal.value)
