"""Pictures for files are drawn between the window's frames, each once and to its end."""

import numpy as np
import pytest
from PIL import Image

from fellview.capture import capture, shot
from fellview.capture.shot import Shot
from fellview.desktop.stills import DRAWING
from fellview.draw.renderer import Renderer
from fellview.io import scenes
from tests.desktop.frames.slow import aim, press
from tests.headless_window import opened, turn
from tests.session.scripted import SMALL


@pytest.fixture
def slow(slow):
    """The viewer whose pictures are slow, each by a few passes: one for a file has many frames."""
    slow.PASSES = 4
    return slow


def pictures(folder):
    return sorted(folder.glob("*.png"))


def until_saved(viewer, folder, count):
    for _ in range(400):
        turn(viewer)
        if len(pictures(folder)) == count and not viewer.pictures.stills_wait:
            return
    pytest.fail(f"{len(pictures(folder))} of {count} pictures are saved after 400 turns: {viewer.session.notices}")


def test_a_press_for_a_picture_is_answered_before_it_is_drawn_and_when_it_is_saved(viewer, slow, tmp_path):
    noticed, draw = [], viewer.overlay.draw
    viewer.overlay.draw = lambda *arguments: (noticed.append(tuple(viewer.session.notices)), draw(*arguments))
    press(viewer, "P")
    turn(viewer)
    assert noticed == [(DRAWING,)] and not slow.finished, "shown at once"
    seen, height = viewer.session.scene, viewer.layout.area_pixels()
    aim(viewer, 3.0)  # what comes after the press is not in the picture
    until_saved(viewer, tmp_path, 1)
    (path,) = pictures(tmp_path)
    assert viewer.session.notices == [f"Saved {path}"]
    assert scenes.load(path).camera == seen.camera
    assert shot.taken(path) == Shot(height, viewer.renderer.resting_samples), "rendered again it is the same"
    with Image.open(path) as picture:
        pixels = np.asarray(picture)
    fresh = Renderer(viewer.window.context)
    field = viewer.session.result.field
    expected = capture.still(fresh, seen, field, height, fresh.resting_samples)[..., :3]
    np.testing.assert_array_equal(pixels, expected)
    assert viewer.pictures.drawn_groups["camera"].yaw == 3.0, "the window went on meanwhile"


def test_as_many_pictures_as_views_are_made_however_often_the_key_is_pressed(viewer, slow, tmp_path):
    for yaw in (1.0, 1.0, 2.0):
        aim(viewer, yaw)
        press(viewer, "P"), press(viewer, "P")
        turn(viewer)
    until_saved(viewer, tmp_path, 2)
    assert [scenes.load(path).camera.yaw for path in pictures(tmp_path)] == [1.0, 2.0]


def test_the_window_answers_while_a_picture_for_a_file_is_drawn(viewer, slow, tmp_path):
    slow.at_pass[2 * slow.PASSES + 3] = lambda: (press(viewer, "F1"), slow.log.append("pressed"))
    press(viewer, "P")
    until_saved(viewer, tmp_path, 1)
    after = slow.after("pressed")
    assert viewer.layout.help_shown
    assert after.index("shown") < after.index("finished")


def test_a_picture_asked_for_before_the_end_is_saved(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer, 6)
        press(viewer, "P")
        viewer.queue.carry_out()
        viewer.run_settled()
        assert viewer.pictures.stills_wait and not pictures(tmp_path)
        viewer.act("picture.copy")
        viewer.queue.carry_out()
        viewer.run_settled()
        shown, attempt = [], viewer.attempt
        viewer.attempt = lambda command: (shown.append(viewer.window.visible), attempt(command))
    assert len(pictures(tmp_path)) == 1
    assert shown == [False], "a window that answers no more is not seen"
