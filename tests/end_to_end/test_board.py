"""The board of variants and the previews along a slider in the real window, by mouse and keys.

One window serves all tests, in this order.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from fellview.io import scenes
from fellview.scene import recipe
from fellview.ui import along_slider, board, drawn, theme
from fellview.ui.board import Board, Pictures
from fellview.ui.board_view import BEFORE, BoardView
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from tests.end_to_end.window import LAND, SIZE, Viewer, differ, on, places, screen, until, xdotool

pytestmark = pytest.mark.usefixtures("let_go")

_OTHER = 10  # of 255: how far pictures of two lands are from each other in the mean, at the least
COMES_WITHIN_S = 400.0  # the process gives way to all others, and compiles shaders where there are none


@pytest.fixture(scope="module")
def scene():
    return scenes.load("directx-demo").replace({"grid.rows": 96, "grid.columns": 96, "erosion.kind": "thermal"})


@pytest.fixture(scope="module")
def viewer(clipboard, tmp_path_factory, scene):
    folder = tmp_path_factory.mktemp("board")
    (folder / "scene.toml").write_text(recipe.to_text(scene))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FELLVIEW_STATE", str(folder / "state"))
        one = Viewer(clipboard, "view", folder / "scene.toml")
        yield one
        one.destroy()


def laid_out(scene, state: Board):
    """Return where buttons, fields and pictures of the board are: a window that is not there lays it out likewise."""
    host, panel, view = Host(), Panel(), BoardView()
    host.resize(SIZE, SIZE)
    for _ in range(4):
        host.new_frame(1 / 60)
        panel.draw(
            scene, scene, Status(), True, lambda active, _, area: view.draw(active, area, state, Pictures({}), 0)
        )
        host.end_frame()
    found = {kind: drawn.places(kind) for kind in ("button", "track", "entry")}
    host.close()
    return found


def part(place):
    left, top, width, height = (round(one) for one in place)
    return slice(top + 3, top + height - 3), slice(left + 3, left + width - 3)


def has_picture(place) -> bool:
    """Return whether a picture has come there: more than one colour, and none of them the empty cell's alone."""
    return len(np.unique(screen(part(place)).reshape(-1, 3), axis=0)) > 200


def has_other(place, before: np.ndarray) -> bool:
    """Return whether another picture has come there: neither the one `before`, at any level, nor that dimmed."""
    now, empty = screen(part(place)).astype(float), 255 * np.array(theme.TRACK[:3])
    dimmed = BEFORE * before + (1 - BEFORE) * empty
    return has_picture(place) and min(np.abs(now - one).mean() for one in (before, dimmed)) > _OTHER


def all_have_come(places) -> None:
    until(lambda: all(has_picture(place) for place in places), "a picture in every cell", COMES_WITHIN_S)


def have_open(viewer, where) -> None:
    """Have the board open: a run of some of these tests alone begins with the land."""
    left, top, _, height = cells(where)[1]
    beside = (slice(round(top), round(top + height)), slice(round(left) - 3, round(left) - 2))
    ground = np.array([255 * part for part in theme.GROUND[:3]])
    if np.abs(screen(beside) - ground).max() > 20:
        viewer.key("v")


def click(viewer, place, *modifiers: str) -> None:
    viewer.point(on(place, 0.5))
    for name in modifiers:
        xdotool("keydown", name)
    xdotool("sleep", 0.2, "click", 1, "sleep", 0.2)
    for name in modifiers:
        xdotool("keyup", name)
    viewer.park()


def cells(where):
    return [place for name, place in sorted(where["entry"].items()) if name.startswith("board")]


def test_a_picture_along_a_parameter_becomes_the_scene_in_one_step(viewer, scene):
    before = viewer.scene()
    state = board.opened(Board(), before)
    where = laid_out(before, state)
    viewer.key("v")
    all_have_come(cells(where))
    found, _ = board.cells(state, before)
    click(viewer, where["entry"]["board 7"])
    viewer.scene(lambda now: now == found[7].scene.viewed_as(now), "the scene of the eighth picture")
    viewer.key("ctrl+z")
    viewer.scene(lambda now: now == before, "the scene from before")


@pytest.mark.slow
def test_a_drag_of_a_slider_draws_the_board_anew(viewer, scene):
    now = viewer.scene()
    where, sliders = laid_out(now, board.opened(Board(), now)), places(now)[0]
    have_open(viewer, where)
    all_have_come(cells(where))
    middle = where["entry"]["board 4"]
    picture = screen(part(middle))
    track = sliders["noise.amplitude"]
    viewer.drag(on(track, 0.5), on(track, 0.85))
    until(lambda: has_other(middle, picture), "another picture in the middle", COMES_WITHIN_S)
    viewer.key("ctrl+z")
    viewer.scene(lambda one: one == now, "the scene from before")


@pytest.mark.slow
def test_a_plane_is_chosen_and_left_by_escape(viewer, scene):
    now = viewer.scene()
    state = board.opened(Board(), now)
    where = laid_out(now, state)
    have_open(viewer, where)
    all_have_come(cells(where))
    along = screen(part(where["entry"]["board 0"]))
    click(viewer, where["button"]["Plane"])
    until(lambda: has_other(where["entry"]["board 0"], along), "another picture", COMES_WITHIN_S)
    all_have_come(cells(where))
    plane, _ = board.cells(dataclasses.replace(state, kind="plane"), now)
    click(viewer, where["entry"]["board 2"])
    viewer.scene(lambda one: one == plane[2].scene.viewed_as(one), "the upper right of the plane")
    viewer.key("ctrl+z")
    viewer.key("Escape")
    viewer.scene(lambda one: one == now, "the scene from before")
    viewer.rest()
    assert not all(has_picture(place) for place in cells(where)[:1]) or differ(screen(LAND), along)


@pytest.mark.slow
def test_lands_that_differ_come_and_two_are_mixed(viewer, scene):
    now = viewer.scene()
    viewer.key("v")
    where = laid_out(now, board.opened(Board(), now))
    click(viewer, where["button"]["Different"])
    found = tuple(board.axes.along(now, "noise.amplitude", count=12))  # as many: where they stand is all that counts
    where = laid_out(now, dataclasses.replace(board.opened(Board(), now), kind="dispersed", found=found))
    all_have_come(cells(where))
    before = [(place, screen(part(place))) for place in cells(where)]
    for name in ("board 1", "board 6"):
        click(viewer, where["entry"][name], "ctrl")
    assert viewer.scene() == now
    click(viewer, where["button"]["Mix"])
    # one child may look much like what was in its cell, all do not
    until(lambda: any(has_other(*one) for one in before), "other pictures", COMES_WITHIN_S)
    viewer.key("v")
    viewer.rest()


@pytest.mark.slow
def test_each_seed_has_a_good_view_of_its_own_which_is_taken_with_it(viewer, scene):
    now = viewer.scene()
    viewer.key("v")
    state = dataclasses.replace(board.opened(Board(), now), kind="seeds")
    where = laid_out(now, state)
    click(viewer, where["button"]["Seeds"])
    all_have_come(cells(where))
    middle = where["entry"]["board 4"]
    by_camera = screen(part(middle))
    click(viewer, where["button"]["Good views"])
    until(lambda: has_other(middle, by_camera), "a good view", COMES_WITHIN_S)
    all_have_come(cells(where))
    click(viewer, where["entry"]["board 4"])
    wanted = board.cells(state, now)[0][4].scene
    taken = viewer.scene(lambda one: one.noise.seed == wanted.noise.seed, "the fifth seed")
    assert taken.viewed_as(wanted) == wanted and taken.camera != now.camera
    viewer.key("ctrl+z")
    click(viewer, where["button"]["Good views"])
    viewer.key("v")
    viewer.rest()


@pytest.mark.slow
def test_a_padlock_keeps_its_parameter_when_the_rest_is_randomised(viewer, scene):
    before = viewer.scene()
    track = places(before)[0]["noise.amplitude"]
    lock = next(place for name, place in locks(before).items() if name == "noise.amplitude")
    viewer.point(on(track, 0.5))
    click(viewer, lock)
    viewer.key("ctrl+r")
    after = viewer.scene(lambda one: one.noise.frequency != before.noise.frequency, "another frequency")
    assert after.noise.amplitude == before.noise.amplitude and after.noise.seed == before.noise.seed
    viewer.key("ctrl+z")
    click(viewer, lock)
    viewer.scene(lambda one: one == before, "the scene from before")


def locks(scene):
    """Return where padlocks are."""
    host, panel = Host(), Panel()
    host.resize(SIZE, SIZE)
    for _ in range(4):
        host.new_frame(1 / 60)
        panel.draw(scene, scene, Status())
        host.end_frame()
    found = drawn.places("lock")
    host.close()
    return found


@pytest.mark.slow
def test_alt_over_a_slider_shows_previews_and_a_click_sets_one(viewer, scene):
    before = viewer.scene()
    track = places(before)[0]["noise.amplitude"]
    viewer.point(on(track, 0.5))
    with viewer.holding("alt"):
        where = previews(before, track)
        xdotool("sleep", 0.4)
        all_have_come(where)
        viewer.point(on(where[5], 0.5))
        xdotool("click", 1, "sleep", 0.3)
    value = along_slider.along(before, "noise.amplitude")[5]
    viewer.scene(lambda one: one == before.replace({"noise.amplitude": value}), "the sixth value")
    viewer.rest()
    assert differ(screen(part(where[5])), np.zeros_like(screen(part(where[5]))))
    viewer.key("ctrl+z")


def previews(scene, track):
    host, panel, strip = Host(), Panel(), along_slider.Strip()
    host.resize(SIZE, SIZE)
    host.mouse_move(*on(track, 0.5))
    host.key(342, True, 4)
    for _ in range(6):
        host.new_frame(1 / 60)
        panel.draw(scene, scene, Status(), True, lambda active, _, area: strip.draw(active, area, Pictures({})))
        host.end_frame()
    found = [place for name, place in drawn.places("entry").items() if name.startswith("preview")]
    host.close()
    return found
