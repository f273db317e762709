"""The picture under a pointer that rests, shown large over its neighbours."""

from __future__ import annotations

from collections.abc import Hashable

from imgui_bundle import ImVec2, imgui

from fellview.ui import drawn, theme
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px

Rectangle = tuple[float, float, float, float]

TIMES = 2.1
"""How many times a picture's sides those of the large one are, where there is room."""

_AFTER_S = 0.4


class Rest:
    """On which picture the pointer is, and for how long it has been."""

    def __init__(self) -> None:
        self._on: Hashable | None = None
        self._since = 0.0
        self._came_at: tuple[float, float] | None = None

    def has_come(self, on: Hashable | None) -> bool:
        """Return whether the pointer rests `on` a picture; a pointer that was there before the window asks for none."""
        now = imgui.get_time()
        if imgui.is_window_appearing():
            self.have_done()
        if on != self._on or not self._has_moved:
            self._on, self._since = on, now
        return on is not None and now - self._since >= _AFTER_S and not imgui.is_mouse_down(0)

    def have_done(self) -> None:
        """Have the pointer ask for none until it moves."""
        mouse = imgui.get_mouse_pos()
        self._came_at = mouse.x, mouse.y

    @property
    def _has_moved(self) -> bool:
        mouse = imgui.get_mouse_pos()
        return self._came_at != (mouse.x, mouse.y)

    def leave(self) -> None:
        """Have the pointer on none."""
        self._on = None

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted without an event: the pointer may come to have rested."""
        if self._on is None or not self._has_moved or (rested := imgui.get_time() - self._since) > _AFTER_S + 0.1:
            return None
        return max(_AFTER_S - rested, 0.0) + 0.02


def place(of: Rectangle, within: Rectangle, times: float = TIMES) -> Rectangle:
    """Return where the large picture of the one at `of` stands: about its middle, and wholly `within`."""
    times = min(times, within[2] / of[2], within[3] / of[3])
    wide, high = times * of[2], times * of[3]
    x = min(max(of[0] + (of[2] - wide) / 2, within[0]), within[0] + within[2] - wide)
    y = min(max(of[1] + (of[3] - high) / 2, within[1]), within[1] + within[3] - high)
    return x, y, wide, high


def draw(texture: int, at: Rectangle, label: str = "") -> None:
    """Draw a picture over everything, with what it is called in its lower left corner: labels below lie under it."""
    canvas, edge = imgui.get_foreground_draw_list(), px(2)
    first, last = ImVec2(at[0], at[1]), ImVec2(at[0] + at[2], at[1] + at[3])
    canvas.add_rect_filled(
        ImVec2(first.x - edge, first.y - edge), ImVec2(last.x + edge, last.y + edge), theme.packed(theme.ACCENT), px(4)
    )
    canvas.add_image(imgui.ImTextureRef(texture), first, last)
    if label:
        size, space = imgui.calc_text_size(label), px(6)
        corner = ImVec2(first.x, last.y - size.y - space)
        canvas.add_rect_filled(corner, ImVec2(first.x + size.x + 2 * space, last.y), theme.packed(theme.GROUND, 0.8))
        canvas.add_text(ImVec2(corner.x + space, corner.y + space / 2), theme.packed(theme.TEXT), label)
    drawn.note(Drawn("remark", "enlarged", at))
