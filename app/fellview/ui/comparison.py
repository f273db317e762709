"""Which lands are compared, and what differs: a window beside the landscape, the wipe's line, and profiles."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from imgui_bundle import ImVec2, imgui

from fellview.core import number_format
from fellview.studio.comparison import NOW, WAYS, Comparison, Side, Way
from fellview.studio.differences import Difference
from fellview.ui import drawn, theme, widgets, windows
from fellview.ui.actions import shortcut
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle
from fellview.view.profile import Profile

_MARGIN, _GRIP = 14.0, 22.0
_NAMES_AT = 0.22  # of the landscape's height: under badges and legends, over its middle
_PROFILE = (430.0, 150.0)
_PROFILE_SHARE = 0.22  # of the landscape's height at most, or its middle would be covered
_BAR = (344.0, 84.0)  # that long work has over the middle of the lower edge
_TITLES: dict[Way, str] = {"wipe": "Wipe", "blink": "Blink", "difference": "Difference"}
_TIPS: dict[Way, str] = {
    "wipe": "Both lands beside each other; drag the line between them.",
    "blink": "One land, and the other one at a key.",
    "difference": "The land coloured by how much higher or lower it is.",
}


Which = Literal["old", "new"]
"""One of both lands, as `Comparison` names it."""

_COLOURS = {"new": theme.ACCENT, "old": theme.WARM}
"""What each land is marked with in the lists and in the profiles."""


@dataclass(frozen=True)
class Told:
    """What a frame is told of a comparison: what differs, what may be compared beside now, what it waits for."""

    found: tuple[Difference, ...]
    others: tuple[Side, ...]
    wait: str = ""
    remark: str = ""
    profiles: tuple[Profile, Profile] | None = None
    """Of the new land and of the old one, along the line that is measured."""


@dataclass
class Answer:
    """What a person did: how it is compared from now on (none ends it), what is taken over or copied.

    `ask` is the side that a file is to be asked for.
    """

    comparison: Comparison | None
    take: tuple[Difference, ...] = ()
    copy: bool = False
    ask: Which | None = None


class ComparisonView:
    """Draws a comparison; holds whether the line is under the hand."""

    def __init__(self) -> None:
        self._held = False

    @property
    def holding(self) -> bool:
        """Return whether the line is held."""
        return self._held

    def draw(self, comparison: Comparison, told: Told, scene: Rectangle) -> Answer:
        """Draw over the landscape `scene`; return what was done."""
        answer = Answer(comparison)
        if comparison.way == "wipe" and not told.wait:
            answer.comparison = self._line(comparison, scene)
        else:
            self._held = False
            if comparison.way == "blink" and not told.wait:
                _which(comparison, scene)
        _profiles(comparison, told.profiles, scene)
        with windows.side("##comparison", scene) as room:
            self._head(answer, told, room)
            _list(answer, told, windows.highest(scene))
        return answer

    # -- the window --------------------------------------------------------------------------------------------------

    def _head(self, answer: Answer, told: Told, room: float) -> None:
        comparison = answer.comparison
        assert comparison is not None
        if windows.head("compare", "Compare", room, tip="End the comparison."):
            answer.comparison = None
        _side("new", answer, (NOW, *told.others), room)
        _side("old", answer, told.others, room)
        space = imgui.get_style().item_spacing.x
        for way in WAYS:
            if way != WAYS[0]:
                imgui.same_line()
            if widgets.button(_TITLES[way], (room - 2 * space) / 3, lit=way == comparison.way):
                answer.comparison = dataclasses.replace(comparison, way=way, flipped=False)
            widgets.tip(_TIPS[way], shortcut("blink") if way == "blink" else "")
        changed, one_light = imgui.checkbox("One light for both", comparison.one_light)
        drawn.note(Drawn("tick", "one light", widgets.place()))
        if changed:
            answer.comparison = dataclasses.replace(comparison, one_light=one_light)
        for text in (told.wait, told.remark):
            if text:
                imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + room)
                imgui.text_colored(theme.WARM, text)
                imgui.pop_text_wrap_pos()
                drawn.note(Drawn("remark", "comparison", words=text))

    # -- the line of the wipe ------------------------------------------------------------------------------------------

    def _line(self, comparison: Comparison, scene: Rectangle) -> Comparison:
        """Draw the line between both lands, with their names; return the comparison with it where it was dragged to."""
        left, top, width, height = scene
        x = left + comparison.line * width
        imgui.set_next_window_pos(ImVec2(x - px(_GRIP / 2), top))
        imgui.set_next_window_size(ImVec2(px(_GRIP), height))
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0, 0))
        imgui.push_style_var(imgui.StyleVar_.window_min_size, ImVec2(1, 1))
        flags = windows.FLOATING | imgui.WindowFlags_.no_background | imgui.WindowFlags_.no_bring_to_front_on_focus
        if imgui.begin("##wipe", None, flags)[0]:
            imgui.set_cursor_screen_pos(ImVec2(x - px(_GRIP / 2), top))
            imgui.invisible_button("##line", ImVec2(px(_GRIP), height))
            self._held = imgui.is_item_active()
            lit = self._held or imgui.is_item_hovered()
            drawn.note(Drawn("track", "wipe", (x - px(_GRIP / 2), top, px(_GRIP), height), f"{comparison.line:.3f}"))
            if lit:
                imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
            if self._held:
                comparison = comparison.with_line((imgui.get_mouse_pos().x - left) / max(width, 1.0))
                x = left + comparison.line * width
        imgui.end()
        imgui.pop_style_var(2)
        canvas = imgui.get_background_draw_list()
        canvas.push_clip_rect(ImVec2(left, top), ImVec2(left + width, top + height))
        first, last = ImVec2(x, top), ImVec2(x, top + height)
        canvas.add_line(first, last, theme.packed(theme.GROUND, 0.7), px(4))
        canvas.add_line(first, last, theme.packed(theme.ACCENT if lit else theme.TEXT), px(1.6))
        middle = ImVec2(x, top + height / 2)
        canvas.add_circle_filled(middle, px(11), theme.packed(theme.GROUND, 0.85))
        canvas.add_circle(middle, px(11), theme.packed(theme.ACCENT if lit else theme.TEXT), 0, px(1.6))
        for way in (-1, 1):
            tip, back = middle.x + way * px(7), middle.x + way * px(3)
            corners = (ImVec2(tip, middle.y), ImVec2(back, middle.y - px(4)), ImVec2(back, middle.y + px(4)))
            canvas.add_triangle_filled(*corners, theme.packed(theme.TEXT))
        y = top + _NAMES_AT * height
        _name(canvas, comparison.old.title, x - px(12), y, align=1.0)
        _name(canvas, comparison.new.title, x + px(12), y, align=0.0)
        canvas.pop_clip_rect()
        return comparison


def _side(which: Which, answer: Answer, sides: tuple[Side, ...], room: float) -> None:
    """Draw the list that one of both lands is chosen from, behind a mark in the colour of its profile."""
    comparison = answer.comparison
    assert comparison is not None
    chosen: Side = getattr(comparison, which)
    corner, high, mark = imgui.get_cursor_screen_pos(), imgui.get_frame_height(), px(4)
    first, last = ImVec2(corner.x, corner.y + px(3)), ImVec2(corner.x + mark, corner.y + high - px(3))
    imgui.get_window_draw_list().add_rect_filled(first, last, theme.packed(_COLOURS[which]), px(2))
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + mark + px(6))
    imgui.set_next_item_width(room - mark - px(6))
    opened = widgets.begin_list(f"##{which}", chosen.title)
    drawn.note(Drawn("list", f"compare {which}", widgets.place(), chosen.title))
    if not opened:
        return
    for number, side in enumerate(sides):
        if imgui.selectable(f"{side.title}##{number}", side == chosen)[0]:
            answer.comparison = dataclasses.replace(comparison, **{which: side})  # type: ignore[arg-type]
        drawn.note(Drawn("entry", f"{which} {side.title}", widgets.place()))
    imgui.separator()
    if imgui.selectable("File…", False)[0]:
        answer.ask = which
    widgets.end_list()


def _list(answer: Answer, told: Told, highest: float) -> None:
    """Draw what differs, a row each, which a click takes over."""
    style = imgui.get_style()
    room = imgui.get_content_region_avail().x
    imgui.separator()
    if not told.found:
        imgui.text_colored(theme.DIM, "Nothing differs.")
        return
    count = len(told.found)
    imgui.align_text_to_frame_padding()
    imgui.text_colored(theme.TEXT, f"{count} differ{'s' if count == 1 else ''}")
    buttons = (("Copy", 56.0), ("Take all", 70.0))
    imgui.same_line(room - sum(px(wide) for _, wide in buttons) - style.item_spacing.x + px(12))
    if widgets.button("Copy", px(56)):
        answer.copy = True
    widgets.tip("Copy the list as text, a line a parameter.")
    imgui.same_line()
    if widgets.button("Take all", px(70)):
        answer.take = told.found
    widgets.tip("Give the land all values of the other one, in one undo step.")
    line = imgui.get_text_line_height()
    high = 2 * line + px(7)
    left = highest - (imgui.get_cursor_pos_y() + px(10))
    imgui.begin_child("##differs", ImVec2(0, max(min(count * (high + style.item_spacing.y), left), high)))
    wide = imgui.get_content_region_avail().x
    for one in told.found:
        corner = imgui.get_cursor_screen_pos()
        if imgui.invisible_button(one.key, ImVec2(wide, high)):
            answer.take = (one,)
        drawn.note(Drawn("entry", f"differs {one.key}", (corner.x, corner.y, wide, high), one.change))
        canvas, hovered = imgui.get_window_draw_list(), imgui.is_item_hovered()
        if hovered:
            end = ImVec2(corner.x + wide, corner.y + high)
            canvas.add_rect_filled(corner, end, theme.packed(theme.TRACK_HOVERED), px(4))
            imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        widgets.tip(f"Click takes {one.old_text} over.", one.key)
        text = ImVec2(corner.x + px(5), corner.y + px(2))
        canvas.push_clip_rect(corner, ImVec2(corner.x + wide, corner.y + high), True)
        canvas.add_text(text, theme.packed(theme.DIM), one.title)
        canvas.add_text(ImVec2(text.x, text.y + line + px(1)), theme.packed(theme.TEXT), one.change)
        canvas.pop_clip_rect()
    imgui.end_child()


def _which(comparison: Comparison, scene: Rectangle) -> None:
    """Say over the landscape which of two blinking lands is seen."""
    left, top, width, height = scene
    text = (comparison.old if comparison.flipped else comparison.new).title
    canvas = imgui.get_background_draw_list()
    _name(canvas, f"{text}   ·   {shortcut('blink')}", left + width / 2, top + _NAMES_AT * height, align=0.5)


def _name(canvas: imgui.ImDrawList, text: str, x: float, y: float, align: float) -> None:
    """Draw the name of a land on a ground of its own; `align` is what share of it lies to the left of `x`."""
    size, room = imgui.calc_text_size(text), ImVec2(px(9), px(4))
    wide, high = size.x + 2 * room.x, size.y + 2 * room.y
    corner = ImVec2(x - align * wide, y)
    canvas.add_rect_filled(corner, ImVec2(corner.x + wide, y + high), theme.packed(theme.GROUND, 0.9), px(6))
    canvas.add_text(ImVec2(corner.x + room.x, y + room.y), theme.packed(theme.TEXT), text)
    drawn.note(Drawn("remark", "land", words=text))


def _profiles(comparison: Comparison, profiles: tuple[Profile, Profile] | None, scene: Rectangle) -> None:
    """Draw the heights of both lands along the line that is measured."""
    if profiles is None:
        return
    left, top, width, height = scene
    wide = min(px(_PROFILE[0]), width - px(2 * _MARGIN))
    high = min(px(_PROFILE[1]), max(_PROFILE_SHARE * height, px(90)))
    x, y = left + px(_MARGIN), top + height - px(_MARGIN) - high
    if wide + px(2 * _MARGIN) > (width - px(windows.SIDE + _BAR[0])) / 2:
        y -= px(_BAR[1])  # there is no room beside it
    canvas = imgui.get_background_draw_list()
    end = ImVec2(x + wide, y + high)
    canvas.add_rect_filled(ImVec2(x, y), end, theme.packed(theme.GROUND, 0.92), px(7))
    heights = [value for one in profiles for value in (float(one.heights.min()), float(one.heights.max()))]
    lowest, highest = min(heights), max(heights)
    span = max(highest - lowest, 1e-3)
    inner = (x + px(62), y + px(12), wide - px(76), high - px(44))
    for value, share in ((highest, 0.0), (lowest, 1.0)):
        at = inner[1] + share * inner[3]
        canvas.add_line(ImVec2(inner[0], at), ImVec2(inner[0] + inner[2], at), theme.packed(theme.LINE))
        text = number_format.measure(value, "m")
        size = imgui.calc_text_size(text)
        canvas.add_text(ImVec2(inner[0] - size.x - px(6), at - size.y / 2), theme.packed(theme.DIM), text)
    for profile, which in zip(profiles[::-1], ("old", "new"), strict=True):  # the new one on top
        colour = _COLOURS[which]
        canvas.add_polyline(_points(profile, inner, lowest, span), theme.packed(colour), px(2), 0)
    y_text = y + high - px(24)
    at = x + px(62)
    for text, colour in ((comparison.new.title, _COLOURS["new"]), (comparison.old.title, _COLOURS["old"])):
        canvas.add_line(ImVec2(at, y_text + px(8)), ImVec2(at + px(16), y_text + px(8)), theme.packed(colour), px(2), 0)
        canvas.add_text(ImVec2(at + px(22), y_text), theme.packed(theme.TEXT), text)
        at += px(40) + imgui.calc_text_size(text).x
    text = number_format.with_unit(round(float(profiles[0].along[-1])), "m")
    size = imgui.calc_text_size(text)
    canvas.add_text(ImVec2(inner[0] + inner[2] - size.x, y_text), theme.packed(theme.DIM), text)
    drawn.note(Drawn("remark", "profile", (x, y, wide, high), text))


def _points(profile: Profile, inner: Rectangle, lowest: float, span: float) -> list[Any]:
    last = max(len(profile.heights) - 1, 1)
    return [
        ImVec2(inner[0] + number / last * inner[2], inner[1] + (1 - (value - lowest) / span) * inner[3])
        for number, value in enumerate(profile.heights.tolist())
    ]
