"""Good views in the window: looked for beside it, drawn between its frames, chosen, closed; offered where needed."""

import time

import numpy as np
import pytest

from fellview.compute.protocol import Finished
from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import Result
from fellview.viewpoints.find import MOST
from tests.headless_window import opened, turn

SIDE, CELL = 64, 20.0
SCENE = Scene(name="hills").replace(
    {"grid.rows": SIDE, "grid.columns": SIDE, "grid.size_x": SIDE * CELL, "grid.size_z": SIDE * CELL}
)


def hills(seed):
    """A land whose middle is the higher the larger the seed."""
    z, x = np.mgrid[:SIDE, :SIDE] / 6
    heights = 60 * np.sin(x) * np.cos(0.8 * z) + 200 * seed * (np.hypot(x - 5, z - 5) < 2)
    return HeightField(heights.astype(np.float32), (CELL, CELL))


def finish(viewer):
    groups = viewer.session.scene.terrain_groups()
    viewer.compute.process.say(Finished(groups, Result(hills(groups["noise"].seed), ())))
    turn(viewer, 2)


def until(viewer, condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        turn(viewer)


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SCENE.replace({"noise.seed": 1}), tmp_path, (640, 250)) as viewer:
        finish(viewer)
        turn(viewer, 6)
        yield viewer


def thumbnails(viewer):
    return [one.texture for one in viewer.views.strip.thumbnails]


def test_a_view_is_looked_for_shown_and_flown_to(viewer):
    assert viewer.views.strip is None
    viewer.act("views")
    until(viewer, lambda: not viewer.views.strip.wait)
    until(viewer, lambda: len(thumbnails(viewer)) == MOST and None not in thumbnails(viewer))
    before = viewer.session.scene
    viewer.views.choose(2)
    assert viewer.session.scene.camera == before.camera, "it flies there"
    until(viewer, lambda: viewer.views.strip.thumbnails[2].chosen)
    after = viewer.session.scene
    assert after.with_group(before.camera) == before and after.camera != before.camera
    assert [one.chosen for one in viewer.views.strip.thumbnails] == [number == 2 for number in range(MOST)]
    assert viewer.session.undo_label == ""
    viewer.act("cancel")
    assert viewer.views.strip is None and viewer.session.scene == after


def test_other_light_has_views_looked_for_anew(viewer):
    viewer.act("views")
    until(viewer, lambda: not viewer.views.strip.wait)
    viewer.session.set(viewer.session.scene.replace({"sun.azimuth": 10.0}), "Sun")
    assert viewer.views.strip.wait
    until(viewer, lambda: not viewer.views.strip.wait)
    viewer.act("views")
    assert viewer.views.strip is None and not viewer.pictures.stills_wait


def test_a_seed_that_leaves_the_view_blocked_is_told_of(viewer):
    camera = viewer.session.scene.camera.replace(x=600.0, z=345.0, y=70.0, yaw=0.0, pitch=0.0)
    viewer.session.set_camera(camera)
    viewer.act("seed.next")
    finish(viewer)
    assert any("G finds" in text for text in viewer.session.notices)
    assert viewer.session.scene.camera.yaw == camera.yaw, "the camera stays"
