"""The list of shots in the viewer: put together, counted, saved, opened, and taken by a process of its own."""

import dataclasses
from pathlib import Path

import pytest

from fellview.capture import shot_list
from fellview.core.errors import InputError
from fellview.core.work import Work
from fellview.desktop import shots as shots_desk
from fellview.desktop.exporting import ProcessError
from fellview.io import atomic
from fellview.scene.bookmarks import Bookmark
from fellview.scene.scene import Scene
from fellview.studio.shots import AXES, Shots
from fellview.ui import drawn
from fellview.ui.shots import Answer
from tests.headless_window import opened, turn

SCENE = Scene(name="plain").replace({"grid.rows": 32, "grid.columns": 32})
MARKED = dataclasses.replace(SCENE, bookmarks=(Bookmark(2, "Tarn", SCENE.camera.replace(yaw=20.0)),))


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, MARKED, tmp_path, (320, 200)) as viewer:
        viewer.layout.panel_shown = False
        viewer.session.set_shelf(viewer.session.shelf.keep(SCENE.replace({"noise.seed": 9})), "Keep")
        turn(viewer, 2)
        yield viewer


def add(viewer, axis, *names):
    """Add what is offered under these names; return the shots."""
    desk = viewer.shots
    for name in names:
        desk.shots = desk.shots.with_entry(axis, next(one for one in desk.offered()[axis] if one.name == name))
    return desk.shots


def filled(viewer):
    add(viewer, "variants", "as it is", viewer.session.shelf.variants[0].name)
    add(viewer, "cameras", "now", "Tarn")
    add(viewer, "suns", "noon", "low")
    add(viewer, "views", "Slope")
    viewer.shots.shots = viewer.shots.shots.replace({"take.size": "64x48", "take.passes": "depth, normal"})


def test_it_tells_how_many_pictures_they_are(viewer):
    viewer.act("shots")
    turn(viewer, 2)
    assert "1 picture" in drawn.words("remark")
    filled(viewer)
    viewer.redraw()
    turn(viewer, 2)
    assert "2 × 2 × 2 × 1 = 8 pictures" in drawn.words("remark")
    viewer.shots._answer = Answer(viewer.shots.shots.without_entry("variants", 1))
    viewer.shots.apply()
    turn(viewer, 2)
    assert viewer.shots.shots.count == 4
    viewer.shots.shots = viewer.shots.shots.replace({"take.size": "64"})
    viewer.redraw()
    turn(viewer, 2)
    assert any("64" in text and "expected" in text for text in drawn.words("remark"))
    with pytest.raises(InputError):
        viewer.shots.export()


def test_what_is_saved_is_what_fellview_shots_reads_and_opens_again(viewer, tmp_path):
    filled(viewer)
    path = tmp_path / "list" / "mine.toml"
    atomic.write_texts(viewer.shots.texts(path))
    listed, notices = shot_list.load(path, tmp_path)
    assert not notices and len(listed) == 8
    assert {(one.scene.noise.seed, one.scene.camera.yaw, one.scene.sun.elevation) for one in listed} == {
        (seed, yaw, elevation)
        for seed in (SCENE.noise.seed, 9)
        for yaw in (SCENE.camera.yaw, 20.0)
        for elevation in (55.0, 5.0)
    }
    assert {(one.scene.view.mode, one.shot.size, one.shot.passes) for one in listed} == {
        ("slope", (64, 48), ("depth", "normal"))
    }
    before = viewer.shots.shots
    viewer.session.open(Scene())
    viewer.shots.shots = Shots()
    viewer.shots.open(*shot_list.opened(path))
    assert viewer.shots.shots == before and viewer.session.scene == MARKED
    assert set(before.entries) == set(AXES)


def test_a_shot_that_fails_is_a_line_and_the_others_are_taken(viewer, tmp_path, monkeypatch):
    filled(viewer)
    seen = []

    def run(command, title, work):
        seen.append(len(shot_list.load(Path(command[1]), tmp_path)[0]))
        raise ProcessError(["a.png: cannot be written: No space left on device", "x.toml: 1 of 8 shots failed"])

    monkeypatch.setattr(shots_desk, "run", run)
    with atomic.all_or_none():  # as the writer calls it
        told = viewer.shots.export().write(tmp_path / "out", MARKED, None, Work())
    assert seen == [8]
    assert told == [
        "a.png: cannot be written: No space left on device",
        f"{tmp_path / 'out'}: not all are taken; taking the list again tries the others",
    ]
