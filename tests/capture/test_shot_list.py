"""Lists of shots: what they multiply, that they go on where they were stopped, and what they never replace."""

import contextlib
import itertools
from dataclasses import replace

import numpy as np
import pytest

from fellview.batch import batch as batches
from fellview.batch.batch import InProcess
from fellview.capture import shot, shot_list
from fellview.capture.shot import Shot, Taken
from fellview.cli import main
from fellview.core.errors import FellviewError, InputError
from fellview.draw.renderer import Renderer
from fellview.io import pictures, scenes
from fellview.scene.bookmarks import Bookmark
from fellview.scene.groups.camera import Camera

WHOLE = """
shots = 1
scene = "directx-demo"
size = "32x20"
samples = 1
transparent = false
passes = ["depth"]
name = "{scene}-{variant}-{camera}-{sun}-{view}-{number}"

[[variants]]
name = "Small land"
grid.rows = 16
grid.columns = 16
[[variants]]
scene = "other.toml"

[[cameras]]
name = "as it is"
[[cameras]]
bookmark = 2
[[suns]]
elevation = 6
[[views]]
mode = "slope"
"""
BRIEF = 'shots = 1\nscene = "directx-demo"\nsize = "16x10"\nsamples = 1\n[[views]]\nmode = "normals"\n'
SEEDS = BRIEF + "".join(f"[[variants]]\nnoise.seed = {n}\ngrid.rows = 8\ngrid.columns = 8\n" for n in (1, 2, 3))


@pytest.fixture
def listed(tmp_path):
    """Return what reads a list with a text, whose pictures go into the folder out."""

    def listed(text):
        path = tmp_path / "list.toml"
        path.write_text(text)
        return shot_list.load(path, tmp_path / "out")[0]

    return listed


def test_every_variant_is_taken_by_every_camera_sun_and_view(listed, tmp_path):
    eye = Camera(x=7.0)
    other = replace(scenes.load("dunes"), bookmarks=(Bookmark(2, "here", eye),))
    scenes.save(tmp_path / "other.toml", other)
    demo = replace(scenes.load("directx-demo"), bookmarks=(Bookmark(2, "there", eye),))
    scenes.save(tmp_path / "demo.toml", demo)
    small = demo.replace({"grid.rows": 16, "grid.columns": 16})
    found = listed(WHOLE.replace('"directx-demo"', '"demo.toml"'))
    light = {"sun.elevation": 6.0, "view.mode": "slope"}
    cameras = (None, eye)
    expected = [
        (one if camera is None else one.with_group(camera)).replace(light)
        for one, camera in itertools.product((small, other), cameras)
    ]
    assert [one.scene for one in found] == expected
    assert {one.shot for one in found} == {Shot((32, 20), 1, False, ("depth",))}
    names = [
        "directx-demo-small-land-as-it-is-1-1-001.png",
        "directx-demo-small-land-2-1-1-002.png",
        "desert-dunes-2-as-it-is-1-1-003.png",
        "desert-dunes-2-2-1-1-004.png",
    ]
    assert [one.path for one in found] == [tmp_path / "out" / name for name in names]


def test_a_list_of_nothing_is_one_picture_as_the_scene_has_it(listed):
    (one,) = listed("shots = 1\n")
    assert one.scene == scenes.load(scenes.OPENING_PRESET) and one.shot == Shot()
    assert one.path.name == "001-alpine-range-21-1280x720.png"


def mtimes(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


@pytest.fixture
def undrawn(monkeypatch):
    """Have black pictures written in the place of drawn ones, which takes no OpenGL."""

    def write(tools, one):
        pictures.save(one.path, np.zeros((*one.shot.size[::-1], 4), np.uint8), one.recipe)
        return Taken((one.path,))

    monkeypatch.setattr(shot_list.land_renderer, "opened", contextlib.nullcontext)
    monkeypatch.setattr(shot_list, "_take", write)


def test_a_list_goes_on_where_it_was_stopped_and_replaces_nothing_else(listed, undrawn, tmp_path, capsys):
    seeds = SEEDS.replace("samples = 1", "samples = 4")  # as a picture has that does not tell
    (tmp_path / "list.toml").write_text(seeds)
    words = ["shots", str(tmp_path / "list.toml"), "-o", str(tmp_path / "out"), "--engine", "cpu"]
    assert main(words) == 0
    paths = [one.path for one in listed(seeds)]
    assert capsys.readouterr().out.split() == [str(path) for path in paths]
    before, content = mtimes(tmp_path / "out"), paths[1].read_bytes()
    paths[1].unlink()
    paths[2].write_bytes(b"mine")
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 2 and f"{paths[2]}: is there already, and is something else" in told.err
    assert "1 of 3 shots failed" in told.err and told.out.split() == [str(path) for path in paths[:2]]
    assert paths[1].read_bytes() == content and paths[2].read_bytes() == b"mine"
    assert mtimes(tmp_path / "out")[paths[0].name] == before[paths[0].name], "it was left alone"


def test_a_picture_of_another_recipe_or_shot_is_something_else(listed, tmp_path):
    one, other, _ = listed(SEEDS)
    pixels = np.zeros((10, 16, 4), np.uint8)
    one.path.parent.mkdir()
    for scene, size in ((other.scene, 10), (one.scene, 9)):
        pictures.save(one.path, pixels[:size], scenes.to_text(scene, one.path.parent, shared=True))
        with pytest.raises(InputError, match="is something else: it is not replaced"):
            one.is_taken()


def test_a_shot_that_fails_ends_no_other(listed, tmp_path):
    text = SEEDS.replace("samples = 1\n", 'samples = 1\npasses = ["slope"]\n')
    (tmp_path / "out").mkdir()
    first, _, _ = found = listed(text)
    first.path.with_suffix(".slope.exr").mkdir()
    done = list(shot_list.take(found, "cpu", InProcess()))
    assert str(first.path.with_suffix(".slope.exr")) in done[0].failed and not done[0].files
    assert [len(one.files) for one in done[1:]] == [2, 2]
    for one, taken in zip(found[1:], done[1:], strict=True):
        assert all(path.exists() for path in taken.files) and taken.files[0] == one.path
        assert scenes.load(one.path) == one.scene and shot.taken(one.path) == replace(one.shot, passes=())


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (FellviewError("OpenGL: the graphics driver is lost"), "OpenGL: the graphics driver is lost"),
        (MemoryError(), "takes more memory than there is; expected a smaller one"),
    ],
    ids=["driver", "memory"],
)
def test_a_loss_while_drawing_leaves_no_file_and_the_list_goes_on(listed, monkeypatch, fault, told):
    faults = [fault]

    def require_sound(renderer):
        if faults:
            raise faults[0]

    monkeypatch.setattr(Renderer, "require_sound", require_sound)
    found = listed(SEEDS)
    taken = shot_list.take(found, "cpu", InProcess())
    assert next(taken).failed.startswith(f"{found[0].path}: {told}")
    faults.clear()
    assert [one.files for one in taken] == [(one.path,) for one in found[1:]]
    assert set(found[0].path.parent.iterdir()) == {one.path for one in found[1:]}


def test_passes_that_lack_beside_their_picture_are_taken(listed, tmp_path):
    text = BRIEF + "[[variants]]\ngrid.rows = 8\ngrid.columns = 8\n"
    assert [one.failed for one in shot_list.take(listed(text), "cpu", InProcess())] == [""]
    (one,) = listed(text.replace("samples = 1\n", 'samples = 1\npasses = ["depth"]\n'))
    assert not one.is_taken()
    assert [one.failed for one in shot_list.take([one], "cpu", InProcess())] == [""]
    assert one.is_taken() and one.path.with_suffix(".depth.exr").exists()


@pytest.mark.slow
def test_worker_processes_take_the_same_pictures(listed, tmp_path):
    found = listed(SEEDS)
    list(shot_list.take(found, "cpu", InProcess()))
    here = [one.path.read_bytes() for one in found]
    for one in found:
        one.path.unlink()
    with batches.opened(2) as batch:
        assert sorted(path for taken in shot_list.take(found, "cpu", batch) for path in taken.files) == [
            one.path for one in found
        ]
    assert [one.path.read_bytes() for one in found] == here


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "shots = None: expected 1"),
        ("shots = true\n", "shots = True: expected 1"),
        ("shots = 1\nlens = 3\n", "lens: no such key; expected shots, scene"),
        ("shots = 1\nscene = 3\n", "scene = 3: expected a text"),
        ('shots = 1\nscene = "none.toml"\n', "none.toml: cannot be read"),
        ('shots = 1\nsize = "large"\n', "size = 'large': expected WIDTHxHEIGHT"),
        ("shots = 1\nsamples = 999\n", "--samples 999: expected 1 to 256"),
        ("shots = 1\nsamples = 1.5\n", "samples = 1.5: expected a whole number"),
        ("shots = 1\ntransparent = 1\n", "transparent = 1: expected true or false"),
        ('shots = 1\npasses = ["deep"]\n', "--passes deep: expected some of depth"),
        ('shots = 1\nname = "../{number}"\n', "expected a file's name, without its folder"),
        ('shots = 1\nname = "{lens}"\n', "expected none but {scene}"),
        (f'shots = 1\nname = "{"a" * 300}"\n', "expected at most 200 bytes"),
        ('shots = 1\nname = "one"\n[[suns]]\n[[suns]]\nelevation = 3\n', "two shots would be one.png"),
        ("shots = 1\n[[suns]]\nelevation = 95\n", "suns: sun.elevation = 95"),
        ("shots = 1\n[[suns]]\nname = 3\n", "suns 1: name = 3: expected a text"),
        ("shots = 1\n[suns]\nelevation = 3\n", "suns = {'elevation': 3}: expected at least one"),
        ("shots = 1\n[[cameras]]\nbookmark = 3\n", "cameras: bookmark = 3: expected none, for the scene has none"),
        ("shots = 1\n[[variants]]\nseed = 3\n", "variants: seed = 3: expected group.name = value"),
        ("shots = 1\n" + "[[suns]]\n" * 50 + "[[views]]\n" * 50, "2,500 shots: expected at most 2,000"),
    ],
)
def test_what_is_no_list_is_refused_in_one_line(listed, text, message):
    with pytest.raises(InputError) as refusal:
        listed(text)
    assert message in str(refusal.value) and "list.toml: " in str(refusal.value)
