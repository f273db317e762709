"""The viewer's frames in a window that no display shows: one size a frame, and events while a slow one is drawn."""

from types import SimpleNamespace

import numpy as np
import pytest

from fellview import window
from fellview.window import Extent, Window
from tests.headless_window import SIZE, opened, turn
from tests.unit.session.scripted import SMALL


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer, 6)
        yield viewer


def test_a_window_resized_in_the_middle_of_a_frame_has_one_size_for_all_of_it(viewer, monkeypatch):
    panel, resized = viewer._panel.draw, []

    def resize(*arguments):
        outcome = panel(*arguments)
        viewer.window.extent = lambda: Extent((16, 16), SIZE, 1.0)  # as asked while the system is at it
        resized.append(True)
        return outcome

    monkeypatch.setattr(viewer._panel, "draw", resize)
    before = viewer.area_pixels()
    viewer.draw_anew()
    turn(viewer)
    assert resized
    assert viewer.area_pixels() == before


def test_a_windows_sizes_are_of_one_moment(monkeypatch):
    sizes = iter([(1280, 720), (40, 30), (40, 30), (40, 30)])
    monkeypatch.setattr(window.glfw, "get_window_size", lambda handle: next(sizes))
    monkeypatch.setattr(window.glfw, "get_framebuffer_size", lambda handle: (40, 30))
    monkeypatch.setattr(window.glfw, "get_window_content_scale", lambda handle: (1.0, 1.0))
    assert Window.extent(SimpleNamespace(_window=None)) == Extent((40, 30), (40, 30), 1.0)


def test_a_land_larger_than_opengl_draws_is_drawn_as_large_as_it_can(viewer):
    viewer.window.size = (100_000, 300)
    viewer.bare = True
    viewer.on_resize()
    turn(viewer, 2)
    assert viewer.area_pixels() == (viewer.window.context.info["GL_MAX_TEXTURE_SIZE"], 300)


def test_the_land_follows_the_window_with_the_frame_after(viewer):
    viewer.window.size = (500, 300)
    viewer.on_resize()
    turn(viewer, 4)
    width, height = viewer.area_pixels()
    assert width + round(viewer._panel.scene_rect[0]) == 500
    assert np.ptp(viewer.window.pixels()[-200:, :500], axis=(0, 1)).min() > 0
    assert height < 300
