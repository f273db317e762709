"""The panel's right edge: how wide the panel is, and the drag that changes it."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from fellview.ui import theme, windows
from fellview.ui.widgets import px

LEAST, MOST = 264.0, 640.0
"""Widths that the edge is dragged between, in unscaled pixels: names and values need the one, no value the other."""

_LARGEST_SHARE = 0.45  # of the window's width: beside the panel there is always land
_INSIDE, _OUTSIDE = 3.0, 5.0  # the edge is taken hold of this near, inside and over the land
_LINE = 2.0


class Edge:
    """Holds the width that a person wants, `wanted`, in unscaled pixels, whatever width a window has room for.

    `held` tells whether the edge is being dragged.
    """

    def __init__(self, wanted: float | None = None) -> None:
        self.wanted = theme.PANEL_WIDTH if wanted is None else min(max(wanted, LEAST), MOST)
        self.held = False
        self._start = self._grip = 0.0

    def width(self, room: float) -> float:
        """Return how wide the panel is, in window units, in a window `room` wide."""
        return round(min(px(self.wanted), _LARGEST_SHARE * room))

    def let_go(self) -> None:
        """End a drag of an edge that is no longer there."""
        self.held = False

    def draw(self, left: float, top: float, height: float, room: float) -> float | None:
        """Draw the edge of the panel that begins at `left` and let it be dragged; return the width it was left at.

        None is returned as long as no drag or double-click has ended. Escape puts the width back.
        """
        right = left + self.width(room)
        imgui.set_next_window_pos(ImVec2(right - px(_INSIDE), top))
        imgui.set_next_window_size(ImVec2(px(_INSIDE + _OUTSIDE), height))
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0, 0))
        imgui.push_style_var(imgui.StyleVar_.window_min_size, ImVec2(1, 1))
        imgui.begin("##edge", None, windows.FLOATING | imgui.WindowFlags_.no_background)
        imgui.invisible_button("##grip", ImVec2(px(_INSIDE + _OUTSIDE), max(height, 1)))
        left_at = self._dragged(left, room)
        if self.held or imgui.is_item_hovered():
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
            line = left + self.width(room)
            canvas = imgui.get_window_draw_list()
            colour = theme.packed(theme.ACCENT, 1.0 if self.held else 0.6)
            canvas.add_rect_filled(ImVec2(line, top), ImVec2(line + px(_LINE), top + height), colour)
        imgui.end()
        imgui.pop_style_var(2)
        return left_at

    def _dragged(self, left: float, room: float) -> float | None:
        mouse = imgui.get_mouse_pos().x
        if imgui.is_item_activated():
            if imgui.is_mouse_double_clicked(0):
                imgui.internal.clear_active_id()
                self.wanted = theme.PANEL_WIDTH
                return self.wanted
            self.held, self._start, self._grip = True, self.wanted, left + self.width(room) - mouse
        elif self.held and imgui.is_key_pressed(imgui.Key.escape, False):
            imgui.internal.clear_active_id()
            self.held, self.wanted = False, self._start
        elif self.held and imgui.is_item_active():
            if imgui.get_io().mouse_delta.x:
                largest = min(MOST, max(_LARGEST_SHARE * room / px(1), LEAST))
                self.wanted = min(max((mouse + self._grip - left) / px(1), LEAST), largest)
        elif self.held:
            self.held = False
            return self.wanted if self.wanted != self._start else None
        return None
