"""A window has one size for the whole of a frame, and the land follows it."""

from types import SimpleNamespace

import numpy as np

from fellview.desktop import window
from fellview.desktop.window import Extent, Window
from tests.headless_window import SIZE, turn


def test_a_window_resized_in_the_middle_of_a_frame_has_one_size_for_all_of_it(viewer):
    asked, shown = [], []

    def extent():
        asked.append(True)
        return Extent(SIZE if len(asked) == 1 else (16, 16), SIZE, 1.0)  # as asked while the system is at it

    while viewer.pictures.under_way or not viewer.pictures.up_to_date:
        turn(viewer)  # a frame that a slow picture interrupts is drawn twice
    viewer.window.extent = extent
    viewer.window.swap_buffers = lambda: shown.append(viewer.layout.area_pixels())
    before = viewer.layout.area_pixels()
    viewer.redraw()
    turn(viewer)
    assert shown[0] == before
    viewer.redraw()
    for _ in range(200):  # a slow picture is drawn over several turns
        turn(viewer)
        if len(shown) > 1:
            break
    assert shown[-1] != before, "the next frame has the new size"


def test_a_windows_sizes_are_of_one_moment(monkeypatch):
    sizes = iter([(1280, 720), (40, 30), (40, 30), (40, 30)])
    monkeypatch.setattr(window.glfw, "get_window_size", lambda handle: next(sizes))
    monkeypatch.setattr(window.glfw, "get_framebuffer_size", lambda handle: (40, 30))
    monkeypatch.setattr(window.glfw, "get_window_content_scale", lambda handle: (1.0, 1.0))
    assert Window.extent(SimpleNamespace(_window=None)) == Extent((40, 30), (40, 30), 1.0)


def test_a_land_larger_than_opengl_draws_is_drawn_as_large_as_it_can(viewer):
    viewer.window.size = (100_000, 300)
    viewer.layout.bare = True
    viewer.on_resize()
    turn(viewer, 2)
    assert viewer.layout.area_pixels() == (viewer.window.context.info["GL_MAX_TEXTURE_SIZE"], 300)


def test_the_land_follows_the_window_with_the_frame_after(viewer):
    viewer.window.size = (500, 300)
    viewer.on_resize()
    turn(viewer, 4)
    width, height = viewer.layout.area_pixels()
    assert width + round(viewer.layout.panel.scene_rect[0]) == 500
    assert np.ptp(viewer.window.pixels()[-200:, :500], axis=(0, 1)).min() > 0
    assert height < 300
