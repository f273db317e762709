"""The shelf in the real window, by keys and mouse, and what a kill leaves of it.

One window serves all tests but the last, in this order.
"""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from fellview.studio import project
from fellview.studio.shelf import Shelf
from tests.end_to_end.window import Viewer, children, gone, kept, until, xdotool

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_state", "let_go")]

FIRST, SECOND = (552, 594), (784, 594)
"""Middles of the strip's thumbnails."""

KILLS = 10
LOST_S = 1.0  # that a kill may cost
PRESSED_S = 1.0  # from a press until a frame has taken it in


@pytest.fixture
def shelf(folders):
    """Return a function that waits until the shelf on disk fulfils a condition."""

    def wait(fulfils, what):
        def read():
            path = kept(folders[0], "shelf.toml")
            found = project.from_text(path.read_text(), "shelf", path.parent)[0] if path.exists() else Shelf()
            return found if fulfils(found) else None

        return until(read, what)

    return wait


def names(shelf):
    return [one.name for one in shelf.variants]


def seeds(shelf):
    return [one.scene.noise.seed for one in shelf.variants]


def test_lands_are_kept_and_one_is_renamed(viewer, shelf):
    seed = viewer.scene().noise.seed
    viewer.key("x")
    shelf(lambda shelf: len(shelf) == 1, "one kept land")
    viewer.key("r")
    viewer.scene(lambda scene: scene.noise.seed == seed + 1, "the next seed")
    viewer.key("x")
    shelf(lambda shelf: seeds(shelf) == [seed, seed + 1], "two kept lands")
    viewer.rest()
    viewer.key("F2")
    time.sleep(1)  # until the field is open
    xdotool("type", "--delay", 40, "Two glens")
    viewer.key("Return")
    shelf(lambda shelf: names(shelf)[1:] == ["Two glens"], "another name")


def test_a_star_is_given_and_undone(viewer, shelf):
    viewer.key("ctrl+b")
    shelf(lambda shelf: shelf.variants[1].star, "a star")
    viewer.key("ctrl+z")
    shelf(lambda shelf: not shelf.variants[1].star, "no star")


def test_a_click_shows_a_kept_land_and_undo_the_one_before(viewer, shelf):
    seed = viewer.scene().noise.seed
    viewer.point(FIRST)
    xdotool("click", 1)
    viewer.scene(lambda scene: scene.noise.seed == seed - 1, "the first kept land")
    viewer.key("ctrl+z")
    viewer.scene(lambda scene: scene.noise.seed == seed, "the land before")


def test_lands_are_dragged_into_another_order_and_deleted(viewer, shelf):
    before = names(shelf(len, "kept lands"))
    viewer.drag(SECOND, (FIRST[0] - 90, FIRST[1]))
    shelf(lambda shelf: names(shelf) == before[::-1], "another order")
    viewer.point(FIRST)
    xdotool("click", 1)
    viewer.rest()
    viewer.key("Delete")
    shelf(lambda shelf: names(shelf) == before[:1], "one land less")
    viewer.key("ctrl+z")
    shelf(lambda shelf: names(shelf) == before[::-1], "both lands again")


def test_whenever_the_window_is_killed_all_but_the_last_second_is_kept(clipboard, tmp_path, opened, monkeypatch):
    monkeypatch.setenv("FELLVIEW_STATE", str(tmp_path / "state"))
    draw = random.Random(1)
    least = 0
    for _ in range(KILLS):
        viewer = Viewer(clipboard, *([] if least else [opened]))
        started = time.monotonic()
        end = started + draw.uniform(0.0, 3.0)
        pressed = []
        while time.monotonic() < end:
            viewer.key("x")
            viewer.key("r")
            pressed.append(time.monotonic())
            time.sleep(0.3)
        everyone = children(viewer.process.pid)
        killed = time.monotonic()
        os.kill(viewer.process.pid, signal.SIGKILL)
        viewer.process.wait()
        viewer.process.stderr.close()
        until(lambda everyone=everyone: all(map(gone, everyone)), "an end of the processes beside it")
        path = kept(tmp_path / "state", "shelf.toml")
        shelf = project.from_text(path.read_text(), "shelf", path.parent)[0] if path.exists() else Shelf()
        old = [when for when in pressed if killed - when > LOST_S + PRESSED_S]
        assert len(shelf) >= least + len(old), "what was kept before, and in this window until a second before"
        least = len(shelf)
    assert least
