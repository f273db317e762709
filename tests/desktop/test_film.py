"""The film in the viewer: set, seen in the land's place without a trace, saved, opened and taken."""

import dataclasses
from pathlib import Path

import moderngl
import numpy as np
import pytest

from fellview.compute.protocol import Finished, Lost
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.work import Work
from fellview.desktop import exporting
from fellview.desktop import film as film_desk
from fellview.io import atomic
from fellview.scene.bookmarks import Bookmark
from fellview.scene.scene import Scene
from fellview.studio.films import film_file
from fellview.studio.films.settings import Settings, Swept
from fellview.terrain.pipeline.pipeline import Result
from fellview.ui import drawn
from fellview.ui.film import Answer
from tests.headless_window import opened, turn

SIDE, CELL = 32, 20.0
SCENE = Scene(name="plain").replace(
    {"grid.rows": SIDE, "grid.columns": SIDE, "grid.size_x": SIDE * CELL, "grid.size_z": SIDE * CELL}
)


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SCENE, tmp_path, (320, 200)) as viewer:
        viewer.layout.panel_shown = False
        finish(viewer)
        viewer.act("film")
        turn(viewer, 3)
        yield viewer


def finish(viewer):
    """Have the land that is wanted computed: as high as the noise's seed."""
    groups = viewer.session.visible.terrain_groups()
    heights = np.full((SIDE, SIDE), groups["noise"].seed, np.float32)
    viewer.compute.process.say(Finished(groups, Result(HeightField(heights, (CELL, CELL)), ())))
    turn(viewer, 3)


def answer(viewer, at=None, what="", **changes):
    settings = dataclasses.replace(viewer.film.settings, **changes)
    viewer.film._answer = Answer(settings, at, what)
    viewer.film.apply()
    turn(viewer, 2)


def test_scrubbing_shows_a_frame_and_nothing_of_the_scene_changes(viewer):
    before, steps = viewer.session.scene, viewer.session.history.steps
    answer(viewer, at=30)
    seen = viewer.session.visible
    assert seen.camera.yaw == pytest.approx((before.camera.yaw + 90) % 360), "a quarter of 120 frames"
    turn(viewer, 2)
    assert viewer.pictures.drawn_groups["camera"] == seen.camera
    answer(viewer, at=60)
    assert viewer.session.visible.camera.yaw == pytest.approx((before.camera.yaw + 180) % 360)
    viewer.act("cancel")
    turn(viewer, 2)
    assert viewer.session.visible == viewer.session.scene == before
    assert viewer.session.history.steps == steps and viewer.pictures.drawn_groups["camera"] == before.camera


def test_a_frame_shows_in_the_window_all_that_it_will_show(viewer):
    """The window of 320 × 200 pixels is narrower than the frames: they have its width."""
    scene = viewer.session.scene
    viewer.session.set_camera(scene.camera.replace(x=100.0, y=900.0))
    answer(viewer, at=0, kind="day", output=viewer.film.settings.output.replace(size="800x200"))
    width, height = viewer.layout.area_pixels()
    widened = np.tan(np.radians(viewer.session.visible.camera.field_of_view / 2)) * width / height
    assert widened == pytest.approx(np.tan(np.radians(scene.camera.field_of_view / 2)) * 4, rel=1e-6)


def test_a_hand_on_the_land_has_its_own_camera_back(viewer):
    before = viewer.session.scene
    answer(viewer, at=30)
    viewer.input.controller.press("forward", fast=False)
    turn(viewer, 2)
    viewer.input.controller.clear()
    assert not viewer.session.previews and viewer.film._at is None
    assert viewer.session.scene.camera.yaw == before.camera.yaw


def test_it_plays_as_time_goes_by_and_ends_with_the_last_frame(viewer):
    now = [100.0]
    viewer.film._clock = lambda: now[0]
    answer(viewer, what="play", kind="day")
    assert viewer.animated
    now[0] += 1.0
    turn(viewer)
    assert viewer.film._at == 30
    now[0] += 60.0
    turn(viewer)
    assert viewer.film._at == 119 and not viewer.film.playing
    answer(viewer, what="play")
    assert viewer.film._at == 0, "from the beginning again"


def test_what_cannot_be_is_told_and_shows_nothing(viewer):
    answer(viewer, at=3, kind="flight")
    assert not viewer.session.previews
    assert any("0 bookmarks in the scene" in line for line in drawn.words("remark"))


def test_a_sweep_has_each_frames_land_computed_and_then_the_scenes_again(viewer):
    answer(viewer, at=119, kind="sweep", swept=(Swept("noise.amplitude", 100.0, 300.0),))
    assert viewer.session.visible.noise.amplitude == 300.0 and viewer.session.busy
    finish(viewer)
    assert viewer.session.visible.noise.amplitude == 300.0 and not viewer.session.busy
    answer(viewer, what="end")
    assert viewer.session.visible == viewer.session.scene == SCENE and viewer.session.busy
    finish(viewer)
    assert viewer.session.settled and not viewer.session.undo_label


def test_an_engine_that_is_lost_during_a_preview_costs_a_notice_and_the_frame_comes(viewer):
    answer(viewer, at=119, kind="sweep", swept=(Swept("noise.amplitude", 100.0, 300.0),))
    viewer.compute.process.say(Lost("noise on the GPU: lost"))
    turn(viewer, 2)
    assert len(viewer.session.notices) == 1 and "noise on the GPU: lost" in viewer.session.notices[0]
    assert viewer.session.previews and viewer.session.visible.noise.amplitude == 300.0 and viewer.session.busy
    other, groups = viewer.session.jobs.computer, viewer.session.visible.terrain_groups()
    other.say(Finished(groups, Result(HeightField(np.full((SIDE, SIDE), 3, np.float32), (CELL, CELL)), ())))
    turn(viewer, 3)
    assert not viewer.session.busy and viewer.session.land.heights.max() == 3
    answer(viewer, what="end")
    assert viewer.session.visible == viewer.session.scene == SCENE


def test_a_driver_that_fails_during_a_preview_is_told_and_the_next_frame_is_drawn(viewer, monkeypatch):
    def lost(*given, **how):
        raise moderngl.Error("the driver is lost")

    with monkeypatch.context() as patch:
        patch.setattr(viewer.renderer, "passes", lost)
        answer(viewer, at=30)
    assert any("the driver is lost" in text for text in viewer.session.notices)
    assert len(viewer.session.notices) == 1 and viewer.session.previews
    answer(viewer, at=31)
    turn(viewer, 2)
    assert viewer.pictures.drawn_groups["camera"] == viewer.session.visible.camera


def test_what_is_changed_meanwhile_shows_in_the_frame(viewer):
    answer(viewer, at=30)
    height = viewer.session.visible.camera.y
    viewer.session.set(viewer.session.scene.replace({"noise.seed": 700}), "Seed")
    turn(viewer)
    assert viewer.session.busy
    finish(viewer)
    assert viewer.session.previews and viewer.session.land.heights.max() == 700
    assert viewer.session.visible.camera.y > height + 600, "it is planned for the land that is there now"
    answer(viewer, what="end")
    assert viewer.session.visible == viewer.session.scene and not viewer.session.busy


def test_a_morph_blends_towards_the_other_land(viewer):
    own = float(viewer.session.land.heights.max())
    answer(viewer, at=0, kind="morph", to=SCENE.replace({"noise.seed": 1000}))
    groups = viewer.session.jobs._beside.groups
    land = HeightField(np.full((SIDE, SIDE), 1000, np.float32), (CELL, CELL))
    viewer.compute.process.say(Finished(groups, Result(land, ())))
    turn(viewer, 3)
    assert viewer.session.land.heights.max() == own
    answer(viewer, at=119)
    assert viewer.session.land.heights.max() == 1000
    answer(viewer, at=60)
    assert own + 400 < viewer.session.land.heights.max() < own + 700
    answer(viewer, what="end")
    assert viewer.session.land.heights.max() == own and not viewer.session.busy


def marked(scene):
    camera = scene.camera
    two = (Bookmark(1, "One", camera), Bookmark(2, "Two", camera.replace(x=300.0, y=500.0)))
    return dataclasses.replace(scene, bookmarks=two)


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "turntable"},
        {"kind": "flight"},
        {"kind": "flight", "speed": 20.0},
        {"kind": "day"},
        {"kind": "sweep", "swept": (Swept("noise.amplitude", 100.0, 300.0), Swept("sun.elevation", 5.0, 60.0))},
        {"kind": "erosion"},
        {"kind": "morph", "to": SCENE.replace({"noise.seed": 3})},
    ],
    ids=lambda changes: " ".join(changes),
)
def test_what_is_saved_opens_as_it_was(viewer, tmp_path, changes):
    changes = dict(changes)
    settings = viewer.film.settings.replace({"film.rate": 24.0, "flight.speed": changes.pop("speed", 0.0)})
    scene = marked(SCENE).replace({"erosion.kind": "thermal"})
    viewer.session.set(scene, "Bookmarks")
    viewer.film.settings = dataclasses.replace(settings, **changes)
    made = viewer.film.made()
    film_file.save(tmp_path / "mine.toml", made)
    viewer.session.open(SCENE)
    viewer.film.settings = Settings()
    viewer.film.open(*film_file.load(tmp_path / "mine.toml"))
    assert viewer.session.scene == scene and viewer.session.undo_label
    opened_again = viewer.film.made()
    assert (opened_again.motion, opened_again.timing, opened_again.size) == (made.motion, made.timing, made.size)
    assert viewer.film.settings.kind == changes["kind"]


def test_taking_it_hands_the_film_to_a_process_with_its_scene(viewer, tmp_path, monkeypatch):
    seen = []

    def run(command, title, work):
        seen.append((command, film_file.load(Path(command[1]))[0]))
        return [], []

    monkeypatch.setattr(film_desk, "run", run)
    viewer.film.settings = viewer.film.settings.replace({"output.keep": True})
    export = viewer.film.export()
    with atomic.all_or_none():  # as the writer calls it
        told = export.write(tmp_path / "a.webp", SCENE, viewer.session.land, Work())
    command, film = seen[0]
    assert told[-1] == f"Exported {tmp_path / 'a.webp'}"
    assert command[0] == "film" and f"--through={tmp_path / 'a-frames'}" in command
    assert film == viewer.film.made()
    assert "goes on" in export.given_up, "frames are there, one by one"
    viewer.film.settings = viewer.film.settings.replace({"output.keep": False})
    assert viewer.film.export().given_up == exporting.NOTHING
    viewer.film.settings = dataclasses.replace(viewer.film.settings, kind="morph")
    with pytest.raises(InputError, match="kept on the shelf"):
        viewer.film.export()
