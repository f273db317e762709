"""The frame over the land while the form of a picture is open: in it stands what the file will show."""

import numpy as np
import pytest
from PIL import Image

from fellview.capture import capture
from fellview.compute.protocol import Finished
from fellview.core.height_field import HeightField
from fellview.draw.renderer import Renderer
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import Result
from fellview.ui import overlays
from tests.headless_window import opened, turn

BACKSPACE, ESCAPE = 259, 256
WINDOW = (320, 200)
SIDE, CELL = 64, 20.0
SCENE = Scene(name="hills").replace({
    "grid.rows": SIDE, "grid.columns": SIDE, "grid.size_x": SIDE * CELL, "grid.size_z": SIDE * CELL,
    "camera.x": 500.0, "camera.y": 260.0, "camera.z": -150.0, "camera.pitch": -15.0, "view.mode": "normals",
})  # fmt: skip
ALIKE = 2.0  # of 255, on the mean: 0.3 to 1.1 as measured, and 16 where the window's lens is not the picture's


@pytest.fixture(scope="module")
def land():
    rows, columns = np.mgrid[:SIDE, :SIDE]
    return HeightField((80 * np.sin(rows / 5) * np.cos(columns / 7)).astype(np.float32), (CELL, CELL))


@pytest.fixture(scope="module")
def viewer(context, tmp_path_factory, land):
    with opened(context, SCENE, tmp_path_factory.mktemp("viewer"), WINDOW) as viewer:
        viewer.layout.panel_shown = False
        viewer.session.set(SCENE.replace({"noise.seed": 7}), "Seed")
        turn(viewer)
        viewer.compute.process.say(Finished(viewer.session.scene.terrain_groups(), Result(land, ())))
        turn(viewer, 3)
        yield viewer


@pytest.fixture
def form(viewer):
    """Return what types another text into the form's size, and has all drawn that goes with it."""
    viewer.act("picture.as")
    turn(viewer, 4)
    typed = ""

    def press(key):
        for down in (True, False):
            viewer.host.key(key, down)
            viewer.redraw()
            turn(viewer)

    def type_size(text):
        nonlocal typed
        for _ in typed:
            press(BACKSPACE)
        viewer.host.text(text)
        viewer.redraw()
        turn(viewer, 4)
        typed = text

    yield type_size
    press(ESCAPE)
    turn(viewer, 3)
    assert not viewer.session.previews


@pytest.mark.parametrize("size", [(216, 384), (400, 400), (640, 400), (840, 360)])
def test_the_file_shows_what_is_in_the_frame(context, viewer, land, form, size):
    form(f"{size[0]}x{size[1]}")
    area = (0.0, 0.0, *viewer.layout.panel.scene_rect[2:])
    left, top, width, height = map(round, overlays.frame_in(area, size[0] / size[1]))
    framed = viewer.pictures.present.kept.pixels()[top : top + height, left : left + width, :3]
    taken = capture.still(Renderer(context), viewer.session.scene, land, size, 1)
    small = np.asarray(Image.fromarray(taken[..., :3]).resize((width, height), Image.Resampling.BOX))
    assert np.abs(small.astype(float) - framed).mean() < ALIKE


def test_the_scene_stays_as_it_is(viewer, form):
    before, steps = viewer.session.scene, viewer.session.history.steps
    form("840x360")
    assert viewer.session.previews and viewer.session.visible.camera.field_of_view > before.camera.field_of_view
    form("36x64")
    assert viewer.session.visible == before, "the window shows more than the picture"
    form("840x360")
    form("840x")
    assert not viewer.session.previews, "there is no such picture"
    form("840x360")
    assert viewer.session.previews
    assert viewer.session.scene == before and viewer.session.history.steps == steps
