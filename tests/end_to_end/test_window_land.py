"""Going about in the real window, and what it tells of the land under the pointer.

One window serves all tests, in this order.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from fellview.io import scenes
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.ui import theme
from fellview.view.controllers import Controller, target
from fellview.view.picking import height_at
from fellview.view.projection import axes, eye, project
from tests.end_to_end.window import (
    LAND,
    PRESS_S,
    SIZE,
    Box,
    Pixels,
    differ,
    kept,
    land,
    places,
    screen,
    until,
    xdotool,
)

pytestmark = pytest.mark.usefixtures("own_state", "let_go")


def test_w_flies_forward_while_it_is_held(viewer):
    viewer.key("f")  # from where the way ahead is free
    viewer.rest()
    before, picture = viewer.scene(), screen(LAND)
    start = time.monotonic()
    with viewer.holding("w"):
        time.sleep(1.6)  # of which a loaded machine may lose a frame at either end
    held = time.monotonic() - start
    viewer.changed(picture)
    viewer.rest()
    after = viewer.scene()
    assert replace(after, camera=before.camera) == before
    assert after.camera.replace(x=0, y=0, z=0) == before.camera.replace(x=0, y=0, z=0)
    way = eye(after.camera) - eye(before.camera)
    right, up, forward = axes(before.camera.yaw, before.camera.pitch)
    assert way @ forward > 0
    assert abs(way @ right) + abs(way @ up) < 1e-6 * (way @ forward)
    # as far as the same key takes the same camera in the same time, whatever the frames were
    controller, expected = Controller(), before.camera
    controller.press("forward")
    for _ in range(100):
        expected = controller.advance(expected, held / 100, land(before))
    share = (way @ forward) / ((eye(expected) - eye(before.camera)) @ forward)
    assert 0.5 < share < 1.3
    # and nothing moves on when the key is up
    assert viewer.scene() == after


def test_movement_rests_while_ctrl_is_held(viewer):
    before = viewer.scene()
    viewer.key("ctrl+a", "ctrl+d")
    assert viewer.scene() == before


def test_dragging_turns_the_camera_about_the_ground_under_the_cursor(viewer):
    before, picture = viewer.scene(), viewer.rest()[LAND]
    rectangle = places(before)[1]
    size = (round(rectangle[2]), round(rectangle[3]))
    cursor = (size[0] // 2, size[1] // 2 + 60)
    at = (rectangle[0] + cursor[0], rectangle[1] + cursor[1])
    pivot = target(before.camera, size, cursor, land(before))
    viewer.drag(at, (at[0] + 120, at[1] - 30))
    viewer.changed(picture)
    after = viewer.scene(lambda scene: scene.camera != before.camera, "a turned camera").camera
    assert after.yaw != before.camera.yaw and after.pitch != before.camera.pitch
    far = np.linalg.norm(eye(before.camera) - pivot)
    assert np.linalg.norm(eye(after) - eye(before.camera)) > far / 20
    assert np.linalg.norm(eye(after) - pivot) == pytest.approx(far, rel=1e-3)


@pytest.mark.slow
def test_shift_and_drag_pans(viewer):
    before, picture = viewer.scene(), viewer.rest()[LAND]
    with viewer.holding("shift"):
        viewer.drag((800, 450), (700, 430))
    viewer.changed(picture)
    after = viewer.scene(lambda scene: scene.camera != before.camera, "a moved camera").camera
    assert (after.yaw, after.pitch) == (before.camera.yaw, before.camera.pitch)
    right, _, forward = axes(after.yaw, after.pitch)
    way = eye(after) - eye(before.camera)
    assert way @ right > 0  # the land goes left with the hand
    assert abs(way @ forward) < 1e-3 * np.linalg.norm(way)


def far_digits(scene: Scene) -> float:
    return scene.grid.size_x / 1000


@pytest.mark.slow
def test_the_wheel_goes_a_tenth_nearer_a_notch(viewer):
    viewer.key("Home")  # high above the ground, which would keep the eye from going back the way it came
    before, picture = viewer.scene(), viewer.rest()[LAND]
    rectangle = places(before)[1]
    size, cursor = (round(rectangle[2]), round(rectangle[3])), (500, 400)
    goal = target(before.camera, size, cursor, land(before))
    viewer.point((rectangle[0] + cursor[0], rectangle[1] + cursor[1]))
    xdotool("click", 4, "sleep", PRESS_S, "click", 4)
    viewer.changed(picture)
    viewer.rest()
    after = viewer.scene().camera
    nearer = np.linalg.norm(eye(after) - goal) / np.linalg.norm(eye(before.camera) - goal)
    assert nearer == pytest.approx(0.9**2, rel=0.01)
    xdotool("click", "--repeat", 2, "--delay", 50, 5)
    viewer.rest()
    assert eye(viewer.scene().camera) == pytest.approx(eye(before.camera), rel=1e-3, abs=far_digits(before))


def test_home_puts_the_camera_back(viewer, folders):
    viewer.key("Home")
    viewer.rest()
    assert viewer.scene().camera == scenes.load(kept(folders[0], "home.toml")).camera


def middle() -> tuple[float, float]:
    """Return a place on the screen where the opening scene has ground, near enough to see a person there."""
    rows, columns = LAND
    return (columns.start + columns.stop) / 2, rows.stop - 10


@pytest.mark.slow
def test_numpad_5_changes_the_lens_and_back(viewer):
    before, picture = viewer.scene(), viewer.rest()[LAND]
    viewer.key("KP_5")
    flat = viewer.scene(lambda scene: scene.camera.is_parallel, "an orthographic camera")
    assert differ(viewer.rest()[LAND], picture)
    viewer.key("KP_5")
    back = viewer.scene(lambda scene: not scene.camera.is_parallel, "a lens")
    assert eye(back.camera) == pytest.approx(eye(before.camera), rel=1e-6, abs=1e-3)
    assert flat.camera.yaw == back.camera.yaw == before.camera.yaw


@pytest.mark.slow
def test_t_looks_from_above_and_goes_back(viewer):
    viewer.key("Home")
    before, picture = viewer.scene(), viewer.rest()[LAND]
    viewer.key("t")
    top = viewer.scene(lambda scene: scene.camera.pitch == -90, "a view from above").camera
    assert (top.projection, top.yaw) == ("orthographic", 0)
    viewer.drag((800, 300), (700, 260), button=2)
    viewer.scene(lambda scene: scene.camera != top, "a map that was shifted")
    viewer.key("t")
    viewer.scene(lambda scene: scene == before, "the camera from before")
    viewer.shows(picture)
    # what has left the view from above otherwise goes there again
    viewer.key("t", "Home", "t")
    viewer.scene(lambda scene: scene.camera == top, "a view from above")
    viewer.key("t")
    viewer.scene(lambda scene: scene == before, "the camera from before")


def test_k_sets_a_figure_down_under_the_pointer_and_takes_it_away_there(viewer):
    viewer.point(middle())
    viewer.rest()
    before = viewer.scene()
    viewer.key("k")
    now = viewer.scene(lambda scene: scene.view.figure, "a figure")
    field = land(now)
    left, top, width, height = places(now)[1]
    size = (round(width), round(height))
    point = (now.view.figure_x, height_at(field, now.view.figure_x, now.view.figure_z), now.view.figure_z)
    seen = project(now.camera, size, point)
    assert (seen[0] + left, seen[1] + top) == pytest.approx(middle(), abs=2)
    with viewer.holding("l"):
        viewer.drag((700, 350), (900, 300))
    viewer.scene(lambda scene: scene.sun != before.sun, "another sun")
    viewer.key("z", "ctrl+z")
    undone = viewer.scene(lambda scene: scene.sun == before.sun, "the sun from before")
    assert undone.view == now.view.replace(mode="normals"), "how one looks at it is no undo step"
    viewer.point(middle())
    viewer.key("k")
    gone = viewer.scene(lambda scene: not scene.view.figure, "no figure")
    assert gone.camera == before.camera
    for _ in gone.view.declaration("mode").options[1:]:
        viewer.key("z")
    viewer.scene(lambda scene: scene.view.mode == before.view.mode, "the view from before")


@pytest.mark.slow
def test_the_status_line_tells_the_ground_under_the_pointer(viewer):
    line: Box = (slice(700, 718), slice(4, 400))

    def told(at: tuple[float, float]) -> Pixels:
        viewer.point(at)
        for _ in range(2):  # an answer says that what came before it was taken in, the second that it was drawn
            viewer.scene()
        return viewer.rest()[line]

    sky = (SIZE[0] - 8, 8)
    far = told(sky)
    one = told(middle())
    other = told((middle()[0] - 200, middle()[1] - 20))
    assert differ(one, far) and differ(other, far) and differ(one, other)
    assert not differ(told(sky), far)


def warm(box: Box = LAND) -> int:
    """Return how many pixels have the colour of what is measured, and of badges."""
    wanted = np.array([255 * part for part in theme.WARM[:3]])
    return int(np.all(np.abs(screen(box).astype(int) - wanted) < 12, axis=-1).sum())


@pytest.mark.slow
def test_m_measures_to_the_pointer_then_to_a_place_and_then_no_more(viewer):
    x, y = middle()
    viewer.point((x, y))
    viewer.rest()
    assert warm() == 0
    viewer.key("m")
    until(lambda: warm() > 10, "the start's mark")
    viewer.point((x - 250, y))
    until(lambda: warm() > 250, "a line to the pointer")
    viewer.key("m")
    viewer.point((x - 100, y - 40))
    viewer.rest()
    assert warm() > 250  # the end stays where it was set
    viewer.key("Escape")
    until(lambda: warm() == 0, "no line")
    assert viewer.process.poll() is None
    viewer.park()


@pytest.mark.slow
def test_f_looks_down_on_the_whole_land_and_marks_its_edge_for_a_moment(viewer):
    viewer.key("Home")
    before = viewer.scene(lambda scene: scene.camera.pitch > -30, "a view that is hardly tilted")
    viewer.rest()
    assert warm() == 0
    viewer.key("f")
    until(lambda: warm() > 500, "the land's edge")
    until(lambda: warm() == 0, "no edge")
    after = viewer.scene()
    assert after.camera.yaw == before.camera.yaw and -40 <= after.camera.pitch <= -30
    assert replace(after, camera=before.camera) == before
    viewer.key("Home")
    viewer.rest()


@pytest.mark.parametrize("key", [None, pytest.param("l", marks=pytest.mark.slow)], ids=["camera", "sun"])
def test_escape_during_a_drag_puts_back_what_it_changed(viewer, key):
    """Of the camera, and with L of the sun; what the hand does before it lets go changes nothing more."""
    x, y = middle()
    picture = viewer.rest()
    before = viewer.scene()
    if key:
        xdotool("keydown", key)
    viewer.drag((x, y), (x + 90, y + 30), release=False)
    viewer.changed(picture[LAND])
    viewer.key("Escape")
    viewer.point((x - 60, y))
    xdotool("mouseup", 1)
    if key:
        xdotool("keyup", key)
    viewer.rest()
    assert viewer.scene() == before
    viewer.park()


def test_a_badge_says_that_heights_are_not_drawn_as_they_are(viewer, clipboard):
    corner: Box = (slice(8, 60), slice(800, 1276))
    viewer.park()
    before = viewer.scene()
    viewer.rest()
    others = warm(corner)  # such as what a coarse grid leaves out
    clipboard.put(recipe.to_text(before.replace({"view.exaggeration": 2.0})))
    viewer.key("ctrl+v")
    until(lambda: warm(corner) > others + 20, "the badge")
    viewer.key("ctrl+z")
    until(lambda: warm(corner) == others, "no badge")
    viewer.scene(lambda scene: scene == before, "the scene from before")
