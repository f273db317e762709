"""The real window itself: how idle it is, what it hides, its sizes, how it ends and starts again.

One window serves all tests but the last ones, in this order.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from fellview.capture import capture
from fellview.core.errors import InputError
from fellview.io import scenes, sessions, settings
from fellview.ui import theme
from tests.end_to_end.window import (
    LAND,
    PANEL,
    SIZE,
    WITHIN_S,
    Box,
    Viewer,
    alike,
    cpu_s,
    differ,
    gone,
    kept,
    screen,
    until,
    xdotool,
)
from tests.lands import RUGGED

pytestmark = pytest.mark.usefixtures("own_state", "let_go")


def test_a_picture_that_is_refined_takes_no_more_processor_time(viewer):
    viewer.park()

    def quiet() -> bool:
        start = cpu_s(viewer.process.pid)
        time.sleep(3)
        return cpu_s(viewer.process.pid) - start < 0.06  # 2 % of a core

    until(quiet, "an end of refining", 3 * WITHIN_S)


def test_tab_hides_the_panel_and_h_everything(viewer):
    picture = viewer.rest()
    viewer.key("Tab")
    viewer.changed(picture[PANEL], PANEL)
    without = viewer.rest()
    assert without[PANEL].mean() > 100  # land, and no dark panel
    viewer.key("Tab")
    viewer.shows(picture[PANEL], PANEL)
    viewer.key("h")
    until(lambda: screen(PANEL).mean() > 100, "no panel")
    line: Box = (slice(700, 718), slice(4, 1276))  # where the status line was
    until(lambda: differ(screen(line), picture[line]), "no status line")
    viewer.key("h")
    viewer.shows(picture[PANEL], PANEL)


@pytest.mark.parametrize("key", ["F1", pytest.param("question", marks=pytest.mark.slow)])
def test_help_shows_and_goes(viewer, key):
    picture = viewer.rest()
    viewer.key(key)
    viewer.changed(picture[LAND])
    assert viewer.rest()[LAND].mean() < picture[LAND].mean()  # a dark window over the land
    viewer.key("Escape")
    viewer.shows(picture[LAND])
    assert viewer.process.poll() is None


def whole(size: tuple[int, int]) -> Callable[[], bool]:
    """Return whether the window of `size` is filled: a status line all along its foot, and land above its right end."""

    def check() -> bool:
        picture = screen().astype(int)
        width, height = size
        foot = picture[height - 4, 2 : width - 2]
        bar = np.array([255 * part for part in theme.TRACK[:3]])
        corner = picture[4 : height // 3, width - 8 : width]
        return bool((np.abs(foot - bar) < 24).all() and corner.min(axis=(0, 1)).max() > 40)

    return check


def test_the_picture_fills_the_window_at_any_size(viewer, usual_size):
    picture = viewer.rest()
    assert whole(SIZE)()
    for size in ((900, 560), (640, 400), (1100, 700)):
        xdotool("windowsize", "--sync", viewer.window, *size)
        until(whole(size), f"a filled window of {size}")
    xdotool("windowsize", "--sync", viewer.window, 2, 2)
    xdotool("windowsize", "--sync", viewer.window, *SIZE)
    until(whole(SIZE), "a filled window")
    viewer.shows(picture[LAND])


@pytest.mark.slow
def test_fullscreen_and_back(viewer, usual_size):
    xdotool("windowsize", "--sync", viewer.window, 900, 560)
    until(whole((900, 560)), "a filled window")
    viewer.key("F11")
    until(lambda: viewer.geometry == SIZE, "the whole screen")
    until(whole(SIZE), "a filled screen")
    viewer.take_focus()
    viewer.key("F11")
    until(lambda: viewer.geometry == (900, 560), "the window from before")
    until(whole((900, 560)), "a filled window")


def test_ctrl_f_finds_a_parameter_and_types_no_command(viewer):
    before, picture = viewer.scene(), viewer.rest()
    viewer.key("Tab")
    viewer.changed(picture[PANEL], PANEL)
    viewer.key("ctrl+f", "r", "a", "i", "n")  # R would be another seed
    few = (slice(330, 640), PANEL[1])
    until(lambda: screen(few).std() < 3, "few rows")
    viewer.key("Escape")
    viewer.shows(picture[PANEL], PANEL)
    assert viewer.scene() == before


@pytest.mark.slow
def test_the_panels_edge_is_dragged_and_its_width_kept(viewer, folders):
    picture = viewer.rest()
    edge = theme.PANEL_WIDTH
    strip = (slice(40, 640), slice(round(edge) + 10, round(edge) + 90))
    viewer.drag((edge, 300), (edge + 100, 320))
    until(lambda: screen(strip).mean() < 80, "a wider panel")
    assert settings.load(folders[0]).panel_width == pytest.approx(theme.PANEL_WIDTH + 100, abs=1)
    viewer.point((edge + 100, 300))
    xdotool("click", "--repeat", 2, "--delay", 30, 1)
    viewer.park()
    viewer.shows(picture[LAND])
    until(lambda: settings.load(folders[0]).panel_width == theme.PANEL_WIDTH, "the usual width kept")


def test_it_comes_back_after_it_was_put_away(viewer):
    picture = viewer.rest()
    xdotool("windowunmap", "--sync", viewer.window)
    until(lambda: alike(screen(LAND), np.zeros_like(screen(LAND))), "an empty screen")
    xdotool("windowmap", "--sync", viewer.window)
    viewer.take_focus()
    until(lambda: alike(screen(LAND), picture[LAND]), "the picture from before")


def test_closing_leaves_no_process_and_the_next_start_continues(viewer, clipboard, folders):
    viewer.key("u", "u")  # the camera counts too
    viewer.drag((800, 450), (850, 440))
    viewer.rest()
    now = viewer.scene()
    home = scenes.load(kept(folders[0], "home.toml"))
    viewer.press_close()
    viewer.ends()
    assert scenes.load(kept(folders[0])) == now
    again = Viewer(clipboard, "--out", folders[1])
    try:
        assert again.scene() == now
        assert scenes.load(kept(folders[0], "home.toml")) == home
        again.process.send_signal(signal.SIGTERM)
        again.ends()
    finally:
        again.destroy()
    assert scenes.load(kept(folders[0])) == now


@pytest.mark.slow
def test_a_saved_picture_opens_in_the_window(clipboard, folders):
    path = folders[1] / "saved.png"
    wanted = scenes.load(RUGGED).replace({"noise.seed": 77})
    capture.save(path, wanted, np.zeros((2, 2, 4), np.uint8))
    viewer = Viewer(clipboard, path)
    try:
        assert viewer.scene() == wanted
        viewer.process.send_signal(signal.SIGINT)  # Ctrl+C in the terminal
        assert viewer.process.wait(timeout=WITHIN_S) in (0, 130)
        assert "Traceback" not in viewer.process.stderr.read()
        until(lambda: all(gone(number) for number in viewer.children), "the end of every child")
    finally:
        viewer.destroy()


@pytest.mark.slow
def test_an_unreadable_session_opens_the_opening_scene_with_a_notice(clipboard, folders):
    claim = sessions.claim(folders[0], anew=True)
    (claim.folder / sessions.SESSION).write_text("version = 99\n")
    claim.release()
    viewer = Viewer(clipboard)
    try:
        # a frame that is not refined yet may shine through it, and the screen may rest before the notice is on it
        until(lambda: viewer.notices() == 1, "a notice")
        opening = scenes.load(scenes.OPENING_PRESET)
        assert replace(viewer.scene(), camera=opening.camera) == opening
    finally:
        viewer.process.kill()  # no chance to close anything
        viewer.process.wait()
        until(lambda: all(gone(number) for number in viewer.children), "the end of every child")
        viewer.destroy()
    with contextlib.suppress(InputError):
        scenes.load(kept(folders[0]))  # whole or not at all
