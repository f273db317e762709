"""The history as a window beside the landscape: all steps with thumbnails and branches, to go to any of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from fellview.ui import drawn, theme, widgets, windows
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle

_ROW, _PICTURE = 50.0, (72.0, 45.0)
_LANE, _MOST_LANES = 12.0, 4


@dataclass(frozen=True)
class Row:
    """A step: its number, that of the step before, what led there and what that changed, and the way it is drawn."""

    number: int
    parent: int | None
    label: str
    change: str
    lane: int
    """How many branches to the right of the first it stands."""
    on_way: bool
    """Whether undo and redo lead through it."""


@dataclass
class Answer:
    """What a person did: the step to go to, or to compare with, and whether the window stays open."""

    go: int | None = None
    compare: int | None = None
    stays: bool = True


def lanes(parents: Mapping[int, int | None]) -> dict[int, int]:
    """Return the lane of each step by number, given the step before each: a first child stays in its parent's lane."""
    found: dict[int, int] = {}
    children: dict[int | None, int] = {}
    for number, parent in parents.items():
        others = children.get(parent, 0)
        children[parent] = others + 1
        lane = (0 if parent is None else found[parent]) + others
        found[number] = min(lane, _MOST_LANES)
    return found


class StepsView:
    """Draws the list; holds which step was now in the last frame, so that a new one comes into view."""

    def __init__(self) -> None:
        self._now: int | None = None

    def draw(self, rows: Sequence[Row], now: int, textures: Mapping[int, int], scene: Rectangle) -> Answer:
        """Draw over the landscape `scene`; `textures` are the thumbnails by the number of their step."""
        answer = Answer()
        with windows.side("##steps", scene, px(54) + len(rows) * px(_ROW)) as room:
            answer.stays = not windows.head("steps", "History", room, "click goes there")
            imgui.begin_child("##rows", ImVec2(0, 0))
            self._rows(answer, rows, now, textures)
            imgui.end_child()
        return answer

    def _rows(self, answer: Answer, rows: Sequence[Row], now: int, textures: Mapping[int, int]) -> None:
        """Draw the rows that are in view."""
        high = px(_ROW)
        places = {row.number: place for place, row in enumerate(rows)}
        if now != self._now:  # it may be out of view
            self._now = now
            imgui.set_scroll_y(max((places[now] + 1) * high - imgui.get_window_height() + high, 0.0))
        start, scroll = imgui.get_cursor_screen_pos(), imgui.get_scroll_y()
        first = max(math.floor(scroll / high) - 1, 0)
        last = min(math.ceil((scroll + imgui.get_window_height()) / high) + 1, len(rows))
        wide = imgui.get_content_region_avail().x
        canvas = imgui.get_window_draw_list()
        gutter = px(_LANE) * (max((row.lane for row in rows), default=0) + 1)
        for row in rows:
            if row.parent in places and places[row.number] >= first and places[row.parent] < last:
                _branch(canvas, start, places[row.parent], rows[places[row.parent]].lane, places[row.number], row)
        for place in range(first, last):
            row = rows[place]
            corner = ImVec2(start.x, start.y + place * high)
            imgui.set_cursor_screen_pos(corner)
            if imgui.invisible_button(f"##step {row.number}", ImVec2(wide, high)):
                if imgui.get_io().key_shift:
                    answer.compare = row.number
                else:
                    answer.go = row.number
            drawn.note(Drawn("entry", f"step {row.number}", (corner.x, corner.y, wide, high), row.label))
            hovered = imgui.is_item_hovered()
            widgets.tip("Click goes to this step, Shift+click compares the land with it.", row.change)
            _row(canvas, row, corner, (wide, high), gutter, textures.get(row.number), row.number == now, hovered)
        imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + len(rows) * high))
        imgui.dummy(ImVec2(1, 1))


def _branch(canvas: imgui.ImDrawList, start: ImVec2, parent: int, lane: int, place: int, row: Row) -> None:
    """Draw the way from a step's place in the list to that of the next."""
    high = px(_ROW)
    x, end = start.x + px(_LANE) * (lane + 0.5), start.x + px(_LANE) * (row.lane + 0.5)
    y, foot = start.y + (parent + 0.5) * high, start.y + (place + 0.5) * high
    colour = theme.packed(theme.ACCENT if row.on_way else theme.FAINT)
    bend = min(y + 0.5 * high, foot)
    canvas.add_line(ImVec2(x, y), ImVec2(end, bend), colour, px(1.4))
    canvas.add_line(ImVec2(end, bend), ImVec2(end, foot), colour, px(1.4))


def _row(
    canvas: imgui.ImDrawList, row: Row, corner: ImVec2, size: tuple[float, float], gutter: float,
    texture: int | None, is_now: bool, hovered: bool,
) -> None:  # fmt: skip
    """Draw a step: its dot, its thumbnail, what led there and what that changed."""
    wide, high = size
    if is_now or hovered:
        end = ImVec2(corner.x + wide, corner.y + high - px(2))
        canvas.add_rect_filled(
            ImVec2(corner.x + gutter, corner.y), end, theme.packed(theme.FILL if is_now else theme.TRACK_HOVERED), px(4)
        )
    if hovered:
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    dot = ImVec2(corner.x + px(_LANE) * (row.lane + 0.5), corner.y + high / 2)
    canvas.add_circle_filled(
        dot, px(4), theme.packed(theme.WARM if is_now else theme.ACCENT if row.on_way else theme.DIM)
    )
    first = ImVec2(corner.x + gutter + px(4), corner.y + (high - px(2) - px(_PICTURE[1])) / 2)
    last = ImVec2(first.x + px(_PICTURE[0]), first.y + px(_PICTURE[1]))
    canvas.add_rect_filled(first, last, theme.packed(theme.TRACK), px(2))
    if texture is not None:
        canvas.add_image(imgui.ImTextureRef(texture), first, last)
    line = imgui.get_text_line_height()
    text = ImVec2(last.x + px(8), corner.y + high / 2 - line - px(1))
    canvas.push_clip_rect(corner, ImVec2(corner.x + wide, corner.y + high), True)
    canvas.add_text(text, theme.packed(theme.TEXT if row.on_way else theme.DIM), row.label)
    canvas.add_text(ImVec2(text.x, text.y + line + px(1)), theme.packed(theme.DIM), row.change)
    canvas.pop_clip_rect()
