"""Windows of the layout's own placing: panes that share the window out, and what floats over the landscape."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import ImVec2, imgui

from fellview.ui import theme, widgets
from fellview.ui.actions import shortcut
from fellview.ui.widgets import px

Rectangle = tuple[float, float, float, float]
"""Left, top, width, height in window units."""

_FIXED = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_saved_settings
)
PANE = _FIXED | imgui.WindowFlags_.no_scroll_with_mouse | imgui.WindowFlags_.no_bring_to_front_on_focus
"""Flags of a window that has a part of the whole to itself."""
FLOATING = _FIXED | imgui.WindowFlags_.no_focus_on_appearing
"""Flags of a window over the landscape."""

_MARGIN = 14.0
_SIDE_WIDTH = 300.0
SIDE = _SIDE_WIDTH + _MARGIN
"""How much of the landscape's right the window at its side takes, in unscaled pixels."""

_PADDING = (12.0, 9.0)
_LEAST_HEIGHT = 120.0


def highest(scene: Rectangle) -> float:
    """Return how high the window at the side of the landscape `scene` may be."""
    return max(scene[3] - px(2 * _MARGIN), px(_LEAST_HEIGHT))


@contextmanager
def side(name: str, scene: Rectangle, height: float | None = None) -> Iterator[float]:
    """Open the window at the right of the landscape `scene`, and give the width of its content; close it afterwards.

    It is as high as its content where no `height` is given, but no higher than the landscape.
    """
    wide, most = min(px(_SIDE_WIDTH), scene[2] - px(2 * _MARGIN)), highest(scene)
    flags = FLOATING
    imgui.set_next_window_pos(ImVec2(scene[0] + scene[2] - px(_MARGIN) - wide, scene[1] + px(_MARGIN)))
    if height is None:
        flags |= imgui.WindowFlags_.always_auto_resize
        imgui.set_next_window_size_constraints(ImVec2(wide, 0), ImVec2(wide, most))
    else:
        imgui.set_next_window_size(ImVec2(wide, min(height, most)))
    imgui.set_next_window_bg_alpha(0.94)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_PADDING[0]), px(_PADDING[1])))
    imgui.push_style_var(imgui.StyleVar_.window_rounding, px(7))
    imgui.begin(name, None, flags)
    yield wide - px(2 * _PADDING[0])
    imgui.end()
    imgui.pop_style_var(2)


def head(action: str, title: str, room: float, hint: str = "", *, tip: str = "Close the list.") -> bool:
    """Draw the first line of the window that `action` opens, `room` wide, and return whether it is to be closed."""
    imgui.align_text_to_frame_padding()
    imgui.text_colored(theme.TEXT, title)
    imgui.same_line()
    imgui.text_colored(theme.DIM, hint)
    imgui.same_line(room - px(14))
    closed = widgets.button(f"×##{action}", px(24))
    widgets.tip(tip, f"{shortcut(action)} or Esc")
    return closed
