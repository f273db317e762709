"""The window's first frame: there before the program is read, with the picture that the last session ended with."""

import subprocess
import sys
import time

import numpy as np
import pytest

from fellview import paths
from fellview.compute.child import Child
from fellview.core.errors import FellviewError
from fellview.desktop import first_frame
from fellview.desktop.viewer import Viewer
from fellview.io import last_picture, sessions
from tests.headless_window import SIZE, HeadlessWindow, opened, turn
from tests.session.scripted import SMALL, ScriptedCompute

MODULES = "import fellview.compute.child, fellview.desktop.first_frame, sys; print(*sys.modules)"


WAKES = "from fellview.desktop import window; window.wake()"


def test_what_is_told_before_there_is_a_window_says_nothing():
    done = subprocess.run([sys.executable, "-c", WAKES], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def windows(context, monkeypatch):
    """Have windows be headless ones; the list has those that were opened."""
    found = []

    def open_window(size):
        found.append(HeadlessWindow(context, size))
        return found[-1]

    monkeypatch.setattr(first_frame, "open_window", open_window)
    return found


@pytest.fixture
def seen(context, tmp_path):
    """Leave a session that showed a picture of its land; return where that was in the window."""
    with opened(context, SMALL, tmp_path) as viewer:
        for _ in range(60):
            turn(viewer)
            if viewer.pictures.seen() is not None:
                break
        assert viewer.pictures.seen() is not None
        turn(viewer, 2)
        return viewer.layout.area()


def part_of(screen, area):
    left, bottom, width, height = area
    return screen[screen.shape[0] - bottom - height : screen.shape[0] - bottom, left : left + width]


def test_it_needs_none_of_the_modules_that_take_long():
    read = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, check=True).stdout.split()
    assert "fellview.desktop.window" in read
    dear = ("fellview.scene", "fellview.terrain", "fellview.noise", "fellview.ui", "imgui_bundle", "numba")
    assert [name for name in read if name.startswith(dear)] == []


def test_it_shows_what_the_last_session_ended_with(seen, windows):
    first = first_frame.open_with_last_picture(SIZE)
    shown = windows[0].pixels()
    assert windows[0].swaps == 1
    pixels = last_picture.load(first.claim.source).pixels[..., :3]
    assert np.ptp(pixels) > 50  # a picture of something
    assert np.array_equal(part_of(shown, seen), pixels)
    rest = shown.copy()
    part_of(rest, seen)[:] = 0
    assert not rest.any()
    first.claim.release()


def test_the_viewer_shows_it_until_there_is_land(seen, windows, tmp_path):
    first = first_frame.open_with_last_picture(SIZE)
    kept = part_of(windows[0].pixels(), seen)
    viewer = Viewer(None, SIZE, tmp_path, "cpu", ScriptedCompute, first=first)
    assert viewer.window is windows[0] and windows[0].listener is viewer
    assert viewer.session.scene == SMALL
    viewer.turn()
    assert viewer.pictures.count == 0
    assert np.array_equal(part_of(windows[0].pixels(), seen), kept)
    viewer.turn()
    for _ in range(60):
        viewer.turn()
    assert viewer.pictures.count > 0 and viewer.renderer.field is not None
    viewer.close()


def test_it_stays_until_there_is_a_picture_as_fine_unless_the_hand_wants_another(seen, windows, tmp_path):
    for moves in (False, True):
        first = first_frame.open_with_last_picture(SIZE)
        kept = part_of(windows[-1].pixels(), seen)
        viewer = Viewer(None, SIZE, tmp_path, "cpu", ScriptedCompute, first=first)
        while not viewer.pictures.count:
            viewer.turn()
        assert viewer.renderer.field is not None and np.array_equal(part_of(windows[-1].pixels(), seen), kept)
        if moves:
            viewer.session.set_camera(viewer.session.scene.camera.turned(40.0))
            viewer.redraw()
            while not viewer.pictures.up_to_date:
                viewer.turn()
            viewer.turn()
            assert not np.array_equal(part_of(windows[-1].pixels(), seen), kept)
        else:
            while not viewer.pictures.done:
                assert np.array_equal(part_of(windows[-1].pixels(), seen), kept)
                viewer.turn()
            assert viewer.pictures.present.kept is not first.present or viewer.pictures.seen() is not None
        viewer.close()


def test_a_child_begins_at_once_where_there_is_no_picture(seen, windows):
    children = [Child(serve=time.sleep, waits=True) for _ in range(2)]
    first = first_frame.open_with_last_picture(SIZE, children[0])
    assert not children[0].has_begun
    other = first_frame.open_with_last_picture(SIZE, children[1])  # the session is taken
    assert children[1].has_begun
    for claim in (first.claim, other.claim):
        claim.release()
    for child in children:
        child.close()


def test_in_a_window_of_another_size_it_is_black(seen, windows):
    first = first_frame.open_with_last_picture((SIZE[0] + 2, SIZE[1]))
    assert windows[0].swaps == 1 and not windows[0].pixels().any()
    assert first.present.kept is None
    first.claim.release()


def test_at_a_first_start_it_is_black(windows):
    first = first_frame.open_with_last_picture(SIZE)
    assert first.claim.source is None and first.present.kept is None
    assert windows[0].swaps == 1 and not windows[0].pixels().any()
    first.claim.release()


@pytest.mark.parametrize("missing", ["open_window", "PresentPass"])
def test_without_a_window_or_a_shader_the_session_stays_for_the_next_one(missing, seen, windows, monkeypatch):
    def refuse(argument):
        raise FellviewError("no window: no display")

    monkeypatch.setattr(first_frame, missing, refuse)
    with pytest.raises(FellviewError, match="no display"):
        first_frame.open_with_last_picture(SIZE)
    claim = sessions.claim(paths.state_folder())
    assert claim.source is not None
    claim.release()


def test_a_picture_whose_water_moves_is_kept_too(context, tmp_path):
    wet = SMALL.replace({"water.enabled": True, "water.sea": True, "water.sea_level": 2.0, "water.animate": True})
    with opened(context, wet, tmp_path) as viewer:
        for _ in range(60):
            turn(viewer)
            if viewer.pictures.seen() is not None:
                break
        assert viewer.pictures.waves_move and viewer.pictures.seen() is not None
        folder = viewer.claim.folder
    assert last_picture.load(folder) is not None
