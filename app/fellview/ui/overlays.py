"""What lies over the landscape or under it: status line, hints, notices, badges, and the window of keys."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from itertools import groupby

from imgui_bundle import ImVec2, imgui

from fellview.core import number_format
from fellview.draw.overlay.legend import Legend
from fellview.ui import drawn, theme, widgets, windows
from fellview.ui.actions import Row
from fellview.ui.drawn import Drawn
from fellview.ui.status import LandEdge, Line, Saved, Status
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle
from fellview.view.scale import Measured

_STATUS_HEIGHT = 24.0
_MARGIN = 14.0
_WORK_WIDTH = 320.0
_LEAST_WORK_WIDTH = 220.0  # in which both buttons' words stand whole
_RUNNING_BAR = 90.0
_LEGEND_WIDTH = 260.0
_LONG_S = 0.7  # work that takes longer gets a bar of its own; a shorter one would only flash
_SAVED_BUTTON = 120.0
_LEAST_NOTICE = 380.0  # in which a saved picture stands with its buttons
_OF_SAVED = (("picture.folder", "Show in folder"), ("picture.path", "Copy path"))
_HELP_SIZE = (924.0, 860.0)  # what all keys take; where the landscape has less room, they scroll
_FITTED = windows.FLOATING | imgui.WindowFlags_.always_auto_resize


def status_line(status: Status) -> None:
    """Draw the line at the bottom: the land on the left, what runs and what it took on the right."""
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(10), px(3)))
    imgui.push_style_var(imgui.StyleVar_.window_min_size, ImVec2(1, 1))
    imgui.push_style_color(imgui.Col_.window_bg, (*theme.TRACK[:3], 0.97))
    flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_nav
    flags |= imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_focus_on_appearing
    flags |= imgui.WindowFlags_.no_bring_to_front_on_focus
    view = imgui.get_main_viewport()
    if imgui.internal.begin_viewport_side_bar("##status", view, imgui.Dir.down, px(_STATUS_HEIGHT), flags):
        corner = imgui.get_window_pos()
        taken = px(24) + (px(24) + _running_width(status) if status.running is not None else 0.0)
        text = _as_fits(_land(status), view.size.x - taken)
        at = ImVec2(corner.x + px(12), corner.y + (px(_STATUS_HEIGHT) - imgui.get_font_size()) / 2)
        imgui.get_window_draw_list().add_text(at, theme.packed(theme.TEXT), text)
        drawn.note(Drawn("remark", "status", words=text))
        _work(status, at.x + imgui.calc_text_size(text).x + px(24))
    imgui.end()
    imgui.pop_style_color()
    imgui.pop_style_var(2)


def _as_fits(parts: list[str], room: float) -> str:
    """Return the first of `parts` in one line, as many as `room` is wide enough for."""
    for count in range(len(parts), 0, -1):
        text = "   ·   ".join(parts[:count])
        if imgui.calc_text_size(text).x <= room:
            return text
    return ""


def _running_width(status: Status) -> float:
    """Return how wide the bar of what runs is, with its name and gaps."""
    return px(_RUNNING_BAR) + px(10) + imgui.calc_text_size(_running(status)).x


def _running(status: Status) -> str:
    """Return what runs, and how far it is where that is known."""
    percent = "" if status.fraction is None else f" {100 * min(max(status.fraction, 0.0), 1.0):.0f}%"
    return f"{status.running}{percent}"


def _land(status: Status) -> list[str]:
    parts = []
    if status.under is not None:
        under = status.under
        place = f"x {number_format.number(round(under.x))}, z {number_format.number(round(under.z))} m"
        return [place, f"{_height(under.height)} m elevation", f"{under.slope:.0f}° steep"]
    if status.rows:
        parts.append(f"{number_format.number(status.size_x)} × {number_format.with_unit(status.size_z, 'm')}")
        cell = number_format.measure(status.size_x / max(status.columns, 1), "m")
        parts.append(f"{status.columns:,} × {status.rows:,} cells of {cell}")
    if status.lowest is not None and status.highest is not None:
        parts.append(f"{_height(status.lowest)} to {_height(status.highest)} m")
    if status.engine:
        parts.append(status.engine)
    return parts


def _height(metres: float) -> str:
    return number_format.number(round(metres, 1 if abs(metres) < 1000 else 0))


def _work(status: Status, used: float) -> None:
    """Draw the right half, from the right edge inwards, as far as there is room after `used`."""
    view = imgui.get_main_viewport()
    right = view.pos.x + view.size.x - px(12)
    bar = imgui.get_window_pos()
    height = px(_STATUS_HEIGHT)
    y = bar.y + (height - imgui.get_font_size()) / 2
    canvas = imgui.get_window_draw_list()

    def place(text: str, colour: theme.Colour) -> bool:
        nonlocal right
        width = imgui.calc_text_size(text).x
        if right - width < used:
            return False
        right -= width
        canvas.add_text(ImVec2(right, y), theme.packed(colour), text)
        drawn.note(Drawn("remark", "status", words=text))
        right -= px(14)
        return True

    if status.running is not None:
        known = status.fraction is not None
        share = min(max(status.fraction or 0.0, 0.0), 1.0)
        length, thick = px(_RUNNING_BAR), px(5)
        top = bar.y + (height - thick) / 2
        corner, end = ImVec2(right - length, top), ImVec2(right, top + thick)
        canvas.add_rect_filled(corner, end, theme.packed(theme.FAINT, 0.5), thick / 2)
        filled = ImVec2(corner.x + length * (share if known else 1.0), top + thick)
        canvas.add_rect_filled(corner, filled, theme.packed(theme.ACCENT, 1.0 if known else 0.4), thick / 2)
        right -= length + px(10)
        place(_running(status), theme.ACCENT)
        return
    if status.frame_milliseconds is not None:
        place(f"frame {_milliseconds(status.frame_milliseconds)}", theme.DIM)
    for step, milliseconds, remembered in reversed(status.steps):
        text = f"{step} ready" if remembered else f"{step} {_milliseconds(milliseconds)}"
        if not place(text, theme.FAINT if remembered else theme.DIM):
            return
    if status.busy:
        place("working…", theme.ACCENT)


def _milliseconds(milliseconds: float) -> str:
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 10 else f"{milliseconds:.1f} ms"


def works_long(status: Status) -> bool:
    """Return whether work has gone on for so long that it gets a bar of its own."""
    return status.running is not None and status.running_s >= _LONG_S


def beside_work(status: Status, scene: Rectangle) -> Rectangle:
    """Return what of the landscape is left to notices: beside the bar of long work, or above where they are too wide.

    The bar is where the last frame has drawn it.
    """
    bar = imgui.internal.find_window_by_name("##work") if works_long(status) else None
    if bar is None:
        return scene
    left, top, width, height = scene
    right = bar.pos.x + bar.size.x
    if left + width - right >= px(_LEAST_NOTICE):
        return right, top, left + width - right, height
    return left, top, width, bar.pos.y - top


def work(status: Status, scene: Rectangle) -> list[str]:
    """Draw, over the landscape's lower edge, how far long work is; return the actions that were pressed."""
    if status.running is None or not works_long(status):
        return []
    left, top, width, height = scene
    room = width - px(2 * _MARGIN + 24)
    if room < px(_LEAST_WORK_WIDTH):  # over the panel, too: what cannot be read cannot be pressed
        view = imgui.get_main_viewport()
        left, width = view.pos.x, view.size.x
        room = width - px(2 * _MARGIN + 24)
    _place(ImVec2(left + width / 2, top + height - px(_MARGIN)), ImVec2(0.5, 1), 0.9)
    pressed = []
    if imgui.begin("##work", None, _FITTED)[0]:
        length, thick = min(px(_WORK_WIDTH), max(room, 1.0)), px(6)
        name = status.running[:1].upper() + status.running[1:]
        drawn.note(Drawn("remark", "work", words=name))
        imgui.text_colored(theme.TEXT, name)
        counted = f"iteration {status.iteration:,} of {status.iterations:,}" if status.iterations else ""
        wait = "" if status.seconds_left is None else f"{_wait(status.seconds_left)} left"
        facts = "   ·   ".join(part for part in (counted, wait) if part)
        if facts:
            beside = imgui.get_item_rect_size().x + px(14) + imgui.calc_text_size(facts).x
            if beside <= length:
                imgui.same_line(0, px(14))
            imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + length)
            imgui.text_colored(theme.DIM, facts)
            imgui.pop_text_wrap_pos()
        corner = imgui.get_cursor_screen_pos()
        canvas = imgui.get_window_draw_list()
        end = ImVec2(corner.x + length, corner.y + thick)
        canvas.add_rect_filled(corner, end, theme.packed(theme.FAINT, 0.5), thick / 2)
        if status.fraction is not None and status.fraction > 0:
            filled = ImVec2(corner.x + length * min(status.fraction, 1.0), corner.y + thick)
            canvas.add_rect_filled(corner, filled, theme.packed(theme.ACCENT), thick / 2)
        imgui.dummy(ImVec2(length, thick + px(2)))
        space = imgui.get_style().item_spacing.x
        half = (length - space) / 2
        if status.is_of_land:  # of nothing else a part is worth anything
            if widgets.button("Keep so far", half, status.can_keep):
                pressed.append("keep")
            imgui.same_line(0, space)
        if widgets.button("Cancel", half if status.is_of_land else length, status.can_cancel):
            pressed.append("cancel.work")
    imgui.end()
    imgui.pop_style_var(2)
    return pressed


def _wait(seconds: float) -> str:
    """Return a wait in words that do not change with every frame."""
    if seconds >= 90:
        return f"about {round(seconds / 60)} min"
    return f"about {math.ceil(seconds)} s"


def hints(lines: Sequence[str], scene: Rectangle, lift: float = 0.0) -> None:
    """Draw the first minutes' lines in the lower left corner of the landscape; the mouse goes through them.

    `lift` is the height of what stands in that corner of the picture. Where they have no room there are none.
    """
    left, top, width, height = scene
    longest = max((imgui.calc_text_size(line).x for line in lines), default=math.inf)
    if longest + px(2 * _MARGIN + 24) > width:
        return
    _place(ImVec2(left + px(_MARGIN), top + height - max(px(_MARGIN), lift)), ImVec2(0, 1), 0.82)
    if imgui.begin("##hints", None, _FITTED | imgui.WindowFlags_.no_inputs)[0]:
        for line in lines:
            gesture, dash, effect = line.partition(" — ")
            imgui.text_colored(theme.TEXT, gesture)
            if dash:
                imgui.same_line()
                imgui.text_colored(theme.DIM, effect)
    imgui.end()
    imgui.pop_style_var(2)


def badges(texts: Sequence[str], scene: Rectangle, beside: tuple[float, float] = (0.0, 0.0)) -> None:
    """Draw short standing remarks (such as a vertical exaggeration) in the upper right corner of the landscape.

    `beside` is the size of what stands in the upper left corner; where there is no room beside it, they stand below.
    """
    if not texts:
        return
    left, top, width, _ = scene
    longest = max(imgui.calc_text_size(text).x for text in texts) + px(24)
    if beside[0] + longest + px(3 * _MARGIN) > width:
        top += beside[1] + px(6) if beside[1] else 0.0
    _place(ImVec2(left + width - px(_MARGIN), top + px(_MARGIN)), ImVec2(1, 0), 0.82)
    if imgui.begin("##badges", None, _FITTED | imgui.WindowFlags_.no_inputs)[0]:
        # a window that fits itself to its text wraps at a width, not at its edge
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + max(width - px(2 * _MARGIN + 24), px(80)))
        imgui.push_style_color(imgui.Col_.text, theme.WARM)
        for text in texts:
            imgui.text_unformatted(text)
        imgui.pop_style_color()
        imgui.pop_text_wrap_pos()
    imgui.end()
    imgui.pop_style_var(2)


def legend(shown: Legend | None, scene: Rectangle) -> tuple[float, float]:
    """Draw how to read the view in the upper left corner of the landscape: its name, its colours with their values.

    The size it took is returned.
    """
    left, top, width, _ = scene
    room = width - px(2 * _MARGIN + 24)
    if shown is None or room < px(_LEGEND_WIDTH / 2):
        return 0.0, 0.0
    _place(ImVec2(left + px(_MARGIN), top + px(_MARGIN)), ImVec2(0, 0), 0.86)
    if imgui.begin("##legend", None, _FITTED | imgui.WindowFlags_.no_inputs)[0]:
        wide = min(px(_LEGEND_WIDTH), room)
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + wide)
        imgui.text_unformatted(shown.title)
        if shown.colours:
            colour_bar(shown, wide, px(12))
        if shown.note:
            imgui.push_style_color(imgui.Col_.text, theme.DIM)
            imgui.text_unformatted(shown.note)
            imgui.pop_style_color()
        imgui.pop_text_wrap_pos()
    size = imgui.get_window_size()
    imgui.end()
    imgui.pop_style_var(2)
    return size.x, size.y


def colour_bar(shown: Legend, wide: float, thick: float) -> None:
    """Draw the colours from left to right, and below them their values, the outer ones within the bar's ends."""
    corner, canvas = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    line = imgui.get_text_line_height()
    step = wide / (len(shown.colours) - 1)
    packed = [imgui.color_convert_float4_to_u32((r / 255, g / 255, b / 255, 1.0)) for r, g, b in shown.colours]
    for index, (one, other) in enumerate(itertools.pairwise(packed)):
        first = ImVec2(corner.x + index * step, corner.y)
        last = ImVec2(corner.x + (index + 1) * step, corner.y + thick)
        canvas.add_rect_filled_multi_color(first, last, one, other, other, one)
    used = -math.inf
    lines = 1 + any(word for *_, word in shown.ticks)
    for share, value, unit, word in shown.ticks:
        texts = (number_format.measure(value, unit), word)
        size = max(imgui.calc_text_size(text).x for text in texts)
        at = corner.x + share * wide
        x = min(max(at - size / 2, corner.x), corner.x + wide - size)
        if x < used:
            continue
        used = x + size + px(8)
        canvas.add_line(ImVec2(at, corner.y + thick), ImVec2(at, corner.y + thick + px(3)), theme.packed(theme.DIM))
        for row, text in enumerate(texts):
            inset = share * (size - imgui.calc_text_size(text).x)
            y = corner.y + thick + px(4) + row * line
            canvas.add_text(ImVec2(x + inset, y), theme.packed(theme.DIM if row else theme.TEXT), text)
    imgui.dummy(ImVec2(wide, thick + px(4) + lines * line))


def picture_frame(aspect: float, scene: Rectangle) -> None:
    """Draw a thin frame of `aspect`, width by height, as large as the landscape has room for, and darken the rest."""
    left, top, width, height = scene
    x, y, wide, high = frame_in(scene, aspect)
    canvas, dark = imgui.get_background_draw_list(), theme.packed(theme.GROUND, 0.7)
    for first, last in (
        (ImVec2(left, top), ImVec2(left + width, y)),
        (ImVec2(left, y + high), ImVec2(left + width, top + height)),
        (ImVec2(left, y), ImVec2(x, y + high)),
        (ImVec2(x + wide, y), ImVec2(left + width, y + high)),
    ):
        if first.x < last.x and first.y < last.y:
            canvas.add_rect_filled(first, last, dark)
    canvas.add_rect(ImVec2(x, y), ImVec2(x + wide, y + high), theme.packed(theme.TEXT, 0.8), thickness=px(1))


def frame_in(scene: Rectangle, aspect: float) -> Rectangle:
    """Return the frame of `aspect`, width by height, as large as the landscape has room for, in its middle."""
    left, top, width, height = scene
    wide, high = min(width, height * aspect), min(height, width / aspect)
    return left + (width - wide) / 2, top + (height - high) / 2, wide, high


def measure(line: Line | None, scene: Rectangle) -> None:
    """Draw what is measured: a line over the landscape, and beside its end how far, how much higher and how steep."""
    if line is None:
        return
    left, top, width, height = scene
    canvas = imgui.get_background_draw_list()
    canvas.push_clip_rect(ImVec2(left, top), ImVec2(left + width, top + height))
    start, end = (ImVec2(left + x, top + y) for x, y in (line.start, line.end))
    for colour, thick in ((theme.packed(theme.GROUND, 0.8), px(4)), (theme.packed(theme.WARM), px(2))):
        canvas.add_line(start, end, colour, thick)
    for at in (start, end):
        canvas.add_circle_filled(at, px(5), theme.packed(theme.GROUND, 0.8))
        canvas.add_circle_filled(at, px(3.5), theme.packed(theme.WARM))
    text = measured_in_words(line.between)
    size, room = imgui.calc_text_size(text), ImVec2(px(9), px(5))
    x = min(max(end.x + px(14), left), left + width - size.x - 2 * room.x)
    y = min(max(end.y - px(14) - size.y - 2 * room.y, top), top + height - size.y - 2 * room.y)
    corner = ImVec2(x + size.x + 2 * room.x, y + size.y + 2 * room.y)
    canvas.add_rect_filled(ImVec2(x, y), corner, theme.packed(theme.GROUND, 0.9), px(6))
    canvas.add_text(ImVec2(x + room.x, y + room.y), theme.packed(theme.TEXT), text)
    canvas.pop_clip_rect()


def measured_in_words(between: Measured) -> str:
    """Return how far two places lie apart, how much higher the other is, and how steep it is from one to the other."""
    return f"{_length(between.distance)}   {between.rise:+,.1f} m   {between.slope:.1f}°".replace("-", "\u2212")


def edge(shown: LandEdge | None, scene: Rectangle) -> None:
    """Draw the land's border over the landscape."""
    if shown is None:
        return
    left, top, width, height = scene
    canvas = imgui.get_background_draw_list()
    canvas.push_clip_rect(ImVec2(left, top), ImVec2(left + width, top + height))
    points = [None if at is None else ImVec2(left + at[0], top + at[1]) for at in shown.points]
    dark, bright = theme.packed(theme.GROUND, 0.6 * shown.strength), theme.packed(theme.WARM, shown.strength)
    for colour, thick in ((dark, px(4)), (bright, px(2))):
        for start, end in itertools.pairwise(points):
            if start is not None and end is not None:
                canvas.add_line(start, end, colour, thick)
    canvas.pop_clip_rect()


def _length(metres: float) -> str:
    return f"{metres / 1000:,.2f} km" if metres >= 10_000 else f"{metres:,.1f} m"


def notices(texts: Sequence[str], saved: Saved | None, scene: Rectangle) -> tuple[list[int], list[str]]:
    """Draw each notice in the landscape's lower right corner, that of a picture with what is `saved`.

    Returned are the indices of those whose cross was clicked, and the actions whose buttons were.
    """
    dismissed, actions = [], []
    left, top, width, height = scene
    bottom = top + height - px(_MARGIN)
    wrap = min(px(520), width - 2 * px(_MARGIN) - px(60))
    for index, text in reversed(list(enumerate(texts))):
        # on the right, because the first minutes' hints stand on the left
        _place(ImVec2(left + width - px(_MARGIN), bottom), ImVec2(1, 1), 0.94)
        imgui.push_style_color(imgui.Col_.window_bg, theme.RAISED)
        if imgui.begin(f"##notice {index}", None, _FITTED)[0]:
            imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + max(wrap, px(80)))
            imgui.text_colored(theme.WARM, "●")
            imgui.same_line()
            imgui.text_unformatted(text)
            imgui.pop_text_wrap_pos()
            imgui.same_line(0, px(14))
            imgui.push_style_color(imgui.Col_.button, (0.0, 0.0, 0.0, 0.0))
            if imgui.small_button(f"✕##{index}"):
                dismissed.append(index)
            imgui.pop_style_color()
            if saved is not None and text == saved.text:
                actions += _saved(saved)
        bottom -= imgui.get_window_height() + px(6)
        imgui.end()
        imgui.pop_style_color()
        imgui.pop_style_var(2)
    return dismissed, actions


def _saved(saved: Saved) -> list[str]:
    """Draw a saved picture and what can be done with its file; return the actions whose buttons were clicked."""
    imgui.dummy(ImVec2(0, px(2)))
    if saved.texture is not None:
        imgui.image(imgui.ImTextureRef(saved.texture), ImVec2(px(saved.size[0]), px(saved.size[1])))
        imgui.same_line(0, px(14))
    imgui.begin_group()
    clicked = [action for action, words in _OF_SAVED if widgets.button(words, px(_SAVED_BUTTON))]
    imgui.end_group()
    return clicked


def help_window(rows: Sequence[Row], scene: Rectangle) -> bool:
    """Draw the window of all keys; return whether it stays open.

    Esc and the cross close it.
    """
    left, top, width, height = scene
    size = ImVec2(min(px(_HELP_SIZE[0]), width - px(16)), min(px(_HELP_SIZE[1]), height - px(16)))
    imgui.set_next_window_pos(ImVec2(left + width / 2, top + height / 2), imgui.Cond_.always, ImVec2(0.5, 0.5))
    imgui.set_next_window_size_constraints(ImVec2(size.x, 0), size)  # as high as the rows need
    imgui.set_next_window_bg_alpha(1.0)
    flags = imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_saved_settings
    flags |= imgui.WindowFlags_.always_auto_resize
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(18), px(7)))
    shown, stays = imgui.begin("Keys and mouse", True, flags)
    imgui.pop_style_var()
    if shown:
        groups = [(name, list(members)) for name, members in groupby(rows, key=lambda row: row[0])]
        columns = 3 if size.x > px(860) else 2 if size.x > px(560) else 1
        # a window that fits itself to its rows gives tables no width of its own
        if imgui.begin_table("##keys", columns, imgui.TableFlags_.sizing_stretch_same, ImVec2(size.x - px(46), 0)):
            for column in _balanced(groups, columns):
                imgui.table_next_column()
                for name, members in column:
                    _key_group(name, members)
            imgui.end_table()
    imgui.end()
    return bool(stays) and not imgui.is_key_pressed(imgui.Key.escape, False)


def _balanced(groups: list[tuple[str, list[Row]]], columns: int) -> list[list[tuple[str, list[Row]]]]:
    """Return the groups in order over so many columns, the highest of them as low as it can be."""
    lines = [len(members) + 2 for _, members in groups]  # a title and a gap beside its rows
    ways = ((0, *cuts, len(groups)) for cuts in itertools.combinations(range(1, len(groups)), columns - 1))
    best = min(ways, key=lambda cuts: max(sum(lines[first:last]) for first, last in itertools.pairwise(cuts)))
    return [groups[first:last] for first, last in itertools.pairwise(best)]


def _key_group(name: str, members: list[Row]) -> None:
    imgui.text_colored(theme.ACCENT, name)
    imgui.push_style_var(imgui.StyleVar_.cell_padding, ImVec2(px(6), 0))  # so many keys, all in sight
    if imgui.begin_table(f"##{name}", 2, imgui.TableFlags_.sizing_stretch_prop):
        imgui.table_setup_column("keys", imgui.TableColumnFlags_.width_stretch, 0.42)
        imgui.table_setup_column("what", imgui.TableColumnFlags_.width_stretch, 0.58)
        for _, title, key in members:
            imgui.table_next_row()
            imgui.table_next_column()
            imgui.text_wrapped(key)
            imgui.table_next_column()
            imgui.push_style_color(imgui.Col_.text, theme.DIM)
            imgui.text_wrapped(title)
            imgui.pop_style_color()
        imgui.end_table()
    imgui.pop_style_var()
    imgui.dummy(ImVec2(0, px(3)))


def _place(at: ImVec2, pivot: ImVec2, opacity: float) -> None:
    """Set where the next floating window goes and how it looks; pushes two style variables."""
    imgui.set_next_window_pos(at, imgui.Cond_.always, pivot)
    imgui.set_next_window_bg_alpha(opacity)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(12), px(9)))
    imgui.push_style_var(imgui.StyleVar_.window_rounding, px(7))
