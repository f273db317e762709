"""Films drawn into files: frames as stills have them, gone on with, cancelled without a trace, refused in one line."""

import dataclasses
import itertools

import numpy as np
import pytest
from PIL import Image

import fellview
from fellview.capture import capture
from fellview.capture import film as films
from fellview.core.errors import InputError
from fellview.gpu import choice
from fellview.io import film_files, pictures
from fellview.scene.scene import Scene
from fellview.studio.films.film import Film, Timing
from fellview.studio.films.morph import Morph
from fellview.studio.films.sweep import Sweep
from fellview.studio.films.turntable import Turntable

SIDE, SIZE = 24, (48, 32)
SCENE = Scene(name="small").replace({"grid.rows": SIDE, "grid.columns": SIDE, "erosion.kind": "none"})
TIMING = Timing(frames=3, samples=1)
FILM = Film(SCENE, Sweep({"sun.azimuth": (10.0, 250.0)}), TIMING, SIZE)


@pytest.fixture
def runs(monkeypatch):
    """The lands that were computed."""
    found = []
    run = choice.SteadyPipeline.run

    def counted(self, groups, progress=None):
        found.append(groups)
        return run(self, groups, progress)

    monkeypatch.setattr(choice.SteadyPipeline, "run", counted)
    return found


def pixels(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_numbered_pictures_are_stills_of_the_films_scenes(tmp_path, runs):
    out = tmp_path / "frames"
    times = films.take(out, FILM, "cpu")
    assert sorted(contents(out)) == ["frame-0001.png", "frame-0002.png", "frame-0003.png"]
    assert times.drawn == 3 and 0 < times.drawing_s <= times.whole_s
    assert len(runs) == 1, "no frame has another land"
    last = fellview.load(out / "frame-0003.png")
    assert last == SCENE.replace({"sun.azimuth": 250.0})
    field = fellview.generate(last, "cpu")
    expected = capture.picture(last, field, SIZE, 1)[..., :3]
    assert (pixels(out / "frame-0003.png") == expected).all()


def test_far_ground_does_not_change_in_a_film_that_rises(tmp_path):
    """From where an eye looks down at it, it is another in a picture: all of a film has one."""
    scene = SCENE.replace({"view.surroundings": "land", "camera.pitch": -15.0, "camera.field_of_view": 40.0})
    land = fellview.generate(scene, "cpu")
    middle_m = float(land.border.mean()) + 0.6 * min(land.size)
    rise_m = 1e-4 * middle_m
    heights_m = [middle_m + step * rise_m for step in (-1.5, 1.5)]
    size, out = (120, 80), tmp_path / "frames"
    motion = Sweep({"camera.y": (heights_m[0], heights_m[1])})
    films.take(out, Film(scene, motion, Timing(frames=4, samples=1), size), "cpu")
    frames = [pixels(out / f"frame-000{number}.png").astype(float) for number in (1, 2, 3, 4)]
    below, across, above = (np.abs(other - one).mean() for one, other in itertools.pairwise(frames))
    assert across < 1.2 * max(below, above)
    still = capture.picture(scene.replace({"camera.y": heights_m[0]}), land, size, 1)[..., :3]
    assert np.abs(frames[0] - still).mean() > 3 * max(below, above), "which it would change by"
    low = Film(scene, Sweep({"camera.y": (0.2 * middle_m, 0.3 * middle_m)}), Timing(frames=2, samples=1), size)
    films.take(tmp_path / "low", low, "cpu")
    still = capture.picture(scene.replace({"camera.y": 0.2 * middle_m}), land, size, 1)[..., :3]
    first = pixels(tmp_path / "low" / "frame-0001.png").astype(float)
    assert np.abs(first - still).max() <= 1, "none looks down"  # a recipe in a file has fewer digits


@pytest.mark.slow
def test_land_is_computed_anew_where_a_frame_has_another_one(tmp_path, runs):
    film = dataclasses.replace(FILM, motion=Sweep({"noise.octaves": (1, 3), "sun.elevation": (20.0, 50.0)}))
    films.take(tmp_path / "frames", film, "cpu")
    assert [groups["noise"].octaves for groups in runs] == [1, 2, 3]


@pytest.mark.slow
def test_a_morph_computes_its_two_lands_once(tmp_path, runs):
    other = SCENE.replace({"noise.seed": 9})
    films.take(tmp_path / "frames", dataclasses.replace(FILM, motion=Morph(other)), "cpu")
    assert [groups["noise"].seed for groups in runs] == [SCENE.noise.seed, 9]


def test_a_film_goes_on_behind_the_frames_that_are_there(tmp_path):
    out = tmp_path / "frames"
    films.take(out, FILM, "cpu")
    before = contents(out)
    (out / "frame-0002.png").unlink()
    assert films.take(out, FILM, "cpu").drawn == 1
    assert {name: pixels(out / name).tobytes() for name in before} == {
        name: pixels(out / name).tobytes() for name in contents(out)
    }
    assert films.take(out, FILM, "cpu").drawn == 0


@pytest.mark.slow
def test_a_webp_goes_on_through_its_numbered_pictures(tmp_path):
    through, out = tmp_path / "frames", tmp_path / "a.webp"
    films.take(through, FILM, "cpu")
    (through / "frame-0001.png").unlink()
    assert films.take(out, FILM, "cpu", through).drawn == 1
    with Image.open(out) as film:
        assert (film.n_frames, film.size) == (3, SIZE)
    assert len(contents(through)) == 3


@pytest.mark.parametrize("name", ["frames", "a.webp"])
def test_a_film_that_is_interrupted_leaves_whole_frames_only(tmp_path, monkeypatch, name):
    drawn = []
    still = capture.still

    def interrupted(*given):
        drawn.append(given)
        if len(drawn) == 3:
            raise KeyboardInterrupt
        return still(*given)

    monkeypatch.setattr(capture, "still", interrupted)
    out, through = tmp_path / name, tmp_path / "frames"
    with pytest.raises(KeyboardInterrupt):
        films.take(out, FILM, "cpu", None if out == through else through)
    assert not (tmp_path / "a.webp").exists()
    assert sorted(contents(through)) == ["frame-0001.png", "frame-0002.png"], "what was drawn, and no part of one"
    assert all(pictures.has_recipe(path) for path in through.iterdir())
    monkeypatch.setattr(capture, "still", still)
    assert films.take(out, FILM, "cpu", None if out == through else through).drawn == 1


@pytest.mark.slow
def test_a_frame_of_another_film_is_refused_and_left_alone(tmp_path):
    out = tmp_path / "frames"
    films.take(out, FILM, "cpu")
    before = contents(out)
    for other in (
        dataclasses.replace(FILM, size=(50, 32)),
        dataclasses.replace(FILM, timing=TIMING.replace(samples=2)),
        dataclasses.replace(FILM, timing=TIMING.replace(frames=2)),
        dataclasses.replace(FILM, motion=Turntable()),
    ):
        with pytest.raises(InputError, match=r"frame-000\d.png: is of another film; expected a new folder"):
            films.take(out, other, "cpu")
    assert contents(out) == before


def test_what_fails_while_encoding_ends_the_film_in_one_line(tmp_path, monkeypatch):
    def full(*given):
        raise InputError("a.webp: cannot be written: No space left on device")

    monkeypatch.setattr(film_files, "write", full)
    with pytest.raises(InputError, match="No space left"):
        films.take(tmp_path / "a.webp", FILM, "cpu")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_is_told_before_anything_is_done(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=r"file: is a file; expected a folder"):
        films.require(tmp_path / "file", FILM)
    with pytest.raises(InputError, match=r"--through .*: is not taken with a folder"):
        films.require(tmp_path / "frames", FILM, tmp_path)
    with pytest.raises(InputError, match=r"cannot be written: File name too long"):
        films.require(tmp_path / ("a" * 300), FILM)
    with pytest.raises(InputError, match=r"expected 1x1 to"):
        films.require(tmp_path / "frames", dataclasses.replace(FILM, size=(0, 9)))
    monkeypatch.setattr(films, "available_bytes", lambda: 1000)
    with pytest.raises(InputError, match=r"size 48x32: takes .* GB, and .* GB are free; expected a smaller one"):
        films.require(tmp_path / "frames", FILM)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.slow
def test_progress_tells_the_frame_and_the_time_left(tmp_path):
    told = []
    films.take(tmp_path / "frames", FILM, "cpu", report=lambda step, fraction: told.append((step, fraction)))
    assert [step.partition(",")[0] for step, _ in told] == [f"frame {number} of 3" for number in (1, 2, 3)]
    assert told[-1][0].endswith("left")
    assert [fraction for _, fraction in told] == [0, 1 / 3, 2 / 3]
