"""The panel's own widgets, of which at most one is active (`active_widget.py`)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from fellview.core import wording
from fellview.ui import drawn, theme
from fellview.ui.active_widget import FINE, GRAB_PIXELS, ActiveWidget, Changes
from fellview.ui.drawn import Drawn

Motion = Callable[[float, bool], Changes]
"""From a position (a share of the track, or pixels) and whether it is fine, to the changes."""

_CLICK_PIXELS = 3.0  # a press that moves less is a click
_TIP_WIDTH, _LEAST_TIP_WIDTH, _TIP_GAP = 320.0, 170.0, 8.0
_GROOVE, _GRIP, _GRIP_HEIGHT = 3.0, 7.0, 6.0  # of a slider: how high, how wide, how high
_BADGE = 17.0  # of the number in a thumbnail's corner
LIFT = 2.0
"""How much higher a slider's words stand than in the middle of its row, so that they end where the grip begins."""
UNDO, REDO, RESET, DICE = "↶", "↷", "↺", "⚄"


def px(length: float) -> float:
    """Return `length` in window units at the present scale."""
    return length * imgui.get_style().font_scale_dpi


def place() -> tuple[float, float, float, float]:
    """Return where the last widget was drawn: left, top, width, height in window units."""
    corner, end = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    return corner.x, corner.y, end.x - corner.x, end.y - corner.y


@dataclass(frozen=True)
class Track:
    """What a slider shows and does.

    `fraction` is where its fill ends (none: a field that is dragged by pixels). `moved(position, fine)` gives the
    changes at a fraction, or after that many pixels; `typed(text)` the changes that a text stands for. `off` is the
    slider of a step that is switched off.
    """

    key: str
    label: str
    keys: tuple[str, ...]
    text: str
    edit: str
    fraction: float | None
    moved: Motion
    typed: Callable[[str], Changes | None]
    note: str = ""
    off: bool = False


def track(active: ActiveWidget, one: Track, width: float, height: float = 0.0) -> None:
    """Draw a slider of `width` and let `active` drag or type it."""
    height = height or px(theme.ROW_HEIGHT)
    if active.typing is not None and active.typing.key == one.key:
        _text_field(active, one, width, height)
        return
    corner = imgui.get_cursor_screen_pos()
    active.places[one.key] = (corner.x, corner.y, width, height)
    imgui.invisible_button("##track", ImVec2(width, height))
    hovered, io = imgui.is_item_hovered(), imgui.get_io()
    if imgui.is_item_activated():
        if io.key_ctrl or io.key_super or imgui.is_mouse_double_clicked(0):
            imgui.internal.clear_active_id()
            active.type(one.key)
        else:
            _take_track(active, one, corner.x, width)
    elif active.holds(one.key):
        _drag_track(active, one, width)
    _draw_track(one, corner, width, height, hovered, active.holds(one.key))
    if hovered:
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)


def share_slider(name: str, text: str, share: float, width: float) -> tuple[float, bool]:
    """Draw a slider that is of no parameter; return where it stands now, 0 to 1, and whether it was let go."""
    corner, height = imgui.get_cursor_screen_pos(), px(theme.ROW_HEIGHT + 2)
    imgui.invisible_button(f"##{name}", ImVec2(width, height))
    held, hovered = imgui.is_item_active(), imgui.is_item_hovered()
    if held:
        share = min(max((imgui.get_mouse_pos().x - corner.x) / width, 0.0), 1.0)
    if hovered:
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
    one = Track(name, "", (), text, "", share, lambda position, fine: {}, lambda typed: None)
    _draw_track(one, corner, width, height, hovered, held)
    return share, imgui.is_item_deactivated()


def _take_track(active: ActiveWidget, one: Track, left: float, width: float) -> None:
    another_ended = active.gesture is not None or active.outcome.gesture_ended
    gesture = active.take(one.key, one.label, one.keys)
    if one.fraction is None:
        return
    gesture.position = (one.fraction, 0.0)
    pressed = (imgui.get_mouse_pos().x - left) / width
    far = abs(pressed - one.fraction) * width > px(GRAB_PIXELS)
    if far and not imgui.get_io().key_shift:
        gesture.position = (pressed, 0.0)
        gesture.late = another_ended
        if not another_ended:
            active.change(one.moved(pressed, False), one.label)


def _drag_track(active: ActiveWidget, one: Track, width: float) -> None:
    gesture, io = active.gesture, imgui.get_io()
    assert gesture is not None
    fine = io.key_shift
    step = io.mouse_delta.x * (FINE if fine else 1.0)
    mouse = imgui.get_mouse_pos()
    if math.dist((mouse.x, mouse.y), gesture.began_at) >= px(_CLICK_PIXELS):
        gesture.moved = True
    if step == 0 and not gesture.late:
        return
    gesture.late = False
    # the position runs on beyond the ends, so that the pointer meets the slider again where it left it
    gesture.position = (gesture.position[0] + (step if one.fraction is None else step / width), 0.0)
    active.change(one.moved(gesture.position[0], fine), one.label)


def _draw_track(one: Track, corner: ImVec2, width: float, height: float, hovered: bool, held: bool) -> None:
    """Draw a slider: its value in words, and below them the groove with the grip, which so never crosses them."""
    drawn.note(Drawn("track", one.key, (corner.x, corner.y, width, height), one.text))
    canvas = imgui.get_window_draw_list()
    right, bottom = corner.x + width, corner.y + height
    colour = theme.TRACK_HELD if held else theme.TRACK_HOVERED if hovered else theme.TRACK
    canvas.add_rect_filled(corner, ImVec2(right, bottom), theme.packed(colour), px(4))
    lift = 0.0 if one.fraction is None else px(LIFT)
    if one.fraction is not None:
        _draw_groove(canvas, one, ImVec2(corner.x, bottom), width, hovered or held)
    words = theme.packed(theme.DIM if one.off else theme.TEXT)
    size = imgui.calc_text_size(one.text)
    middle = corner.y + (height - size.y) / 2 - lift
    at = ImVec2(corner.x + px(8), middle)
    if size.x + px(8) > width:
        canvas.push_clip_rect(corner, ImVec2(right, bottom), True)
        canvas.add_text(at, words, one.text)
        canvas.pop_clip_rect()
        return
    canvas.add_text(at, words, one.text)
    note = imgui.calc_text_size(one.note)
    if one.note and size.x + note.x + px(24) < width:
        canvas.add_text(ImVec2(right - note.x - px(8), middle), theme.packed(theme.NOTE), one.note)


def _draw_groove(canvas: imgui.ImDrawList, one: Track, corner: ImVec2, width: float, lively: bool) -> None:
    """Draw the groove that stands on the lower left `corner`, filled up to the value, and the grip at its end."""
    assert one.fraction is not None
    top, right = corner.y - px(_GROOVE), corner.x + width
    edge = corner.x + min(max(one.fraction * width, px(_GRIP) / 2), width - px(_GRIP) / 2)
    below = imgui.ImDrawFlags_.round_bottom
    canvas.add_rect_filled(ImVec2(corner.x, top), ImVec2(right, corner.y), theme.packed(theme.GROOVE), px(3), below)
    fill = theme.FAINT if one.off else theme.ACCENT if lively else theme.SLIDER
    left_only = imgui.ImDrawFlags_.round_bottom_left
    canvas.add_rect_filled(ImVec2(corner.x, top), ImVec2(edge, corner.y), theme.packed(fill), px(3), left_only)
    grip = theme.DIM if one.off else theme.TEXT if lively else theme.ACCENT
    half = px(_GRIP) / 2
    first = ImVec2(edge - half, corner.y - px(_GRIP_HEIGHT))
    canvas.add_rect_filled(first, ImVec2(edge + half, corner.y), theme.packed(grip), px(2))


def text(active: ActiveWidget, one: Track, width: float, empty: str = "") -> None:
    """Draw a text of `width`, which is typed after a click; where there is none, `empty` says what that means."""
    height = px(theme.ROW_HEIGHT)
    if active.typing is not None and active.typing.key == one.key:
        _text_field(active, one, width, height, empty)
        return
    corner = imgui.get_cursor_screen_pos()
    active.places[one.key] = (corner.x, corner.y, width, height)
    if imgui.invisible_button("##text", ImVec2(width, height)):
        active.type(one.key)
    hovered = imgui.is_item_hovered()
    if hovered:
        imgui.set_mouse_cursor(imgui.MouseCursor_.text_input)
    shown = one if one.text else dataclasses.replace(one, text=empty, off=True)
    _draw_track(shown, corner, width, height, hovered, False)


def _text_field(active: ActiveWidget, one: Track, width: float, height: float, empty: str = "") -> None:
    typing = active.typing
    assert typing is not None
    imgui.set_next_item_width(width)
    padding = (height - imgui.get_font_size()) / 2
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
    if typing.fresh:
        typing.text = one.edit
        imgui.set_keyboard_focus_here()
    _, typing.text = imgui.input_text_with_hint("##typed", empty, typing.text, imgui.InputTextFlags_.auto_select_all)
    imgui.pop_style_var()
    if imgui.is_item_deactivated():
        active.typing = None
        changes = None if imgui.is_key_pressed(imgui.Key.escape, False) else one.typed(typing.text)
        if changes and any(active.outcome.scene.get(key) != value for key, value in changes.items()):
            active.click(changes, one.label)
    elif not typing.fresh and not imgui.is_item_active():
        active.typing = None  # the focus went elsewhere before it arrived
    typing.fresh = False


def colour(
    active: ActiveWidget,
    key: str,
    label: str,
    value: str,
    typed: Callable[[str], Changes | None],
    width: float,
    off: bool,
) -> None:
    """Draw a colour: a swatch that opens a picker, and its code, which is typed after a click.

    `off` is the colour of what is switched off.
    """
    height = px(theme.ROW_HEIGHT)
    red, green, blue = (int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
    flags = imgui.ColorEditFlags_.no_tooltip | imgui.ColorEditFlags_.no_drag_drop
    if imgui.color_button("##swatch", (red, green, blue, 1.0), flags, ImVec2(px(44), height)):
        imgui.open_popup("##picker")
    imgui.same_line()
    rest = width - px(44) - imgui.get_style().item_spacing.x
    code = Track(key, label, (key,), value, value, None, lambda _position, _fine: {}, typed, off=off)
    text(active, code, rest)
    if imgui.begin_popup("##picker"):
        # without its text field: each letter would be an edit, and the row has one
        picker = imgui.ColorEditFlags_.no_side_preview | imgui.ColorEditFlags_.no_inputs
        imgui.set_next_item_width(px(220))
        changed, new = imgui.color_picker3("##colour", [red, green, blue], picker)
        if changed:
            code_ = "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in (new[0], new[1], new[2]))
            if imgui.is_mouse_down(0):
                gesture = active.gesture if active.holds(key) else active.take(key, label, (key,))
                assert gesture is not None
                gesture.moved = True  # a click in a picker is complete when it is released
                active.change({key: code_}, label)
            else:
                active.click({key: code_}, label)
        imgui.end_popup()


def choice(active: ActiveWidget, key: str, label: str, value: str, options: Sequence[str], width: float) -> None:
    """Draw a list to choose one word from."""
    imgui.set_next_item_width(width)
    _frame_height()
    opened = begin_list("##choice", wording.spoken(value))
    imgui.pop_style_var()
    if opened:
        for option in options:
            pressed, _ = imgui.selectable(wording.spoken(option), option == value)
            if pressed and option != value:
                active.click({key: option}, label)
            if option == value:
                imgui.set_item_default_focus()
        end_list()


def begin_list(name: str, shown: str) -> bool:
    """Begin a list that drops down, with a small arrow instead of Dear ImGui's bright one; return whether it is open.

    An open list is ended with `end_list`.
    """
    corner, width = imgui.get_cursor_screen_pos(), imgui.calc_item_width()
    height = imgui.get_frame_height()
    drawn.note(Drawn("list", name, (corner.x, corner.y, width, height), shown))
    canvas = imgui.get_window_draw_list()
    opened = imgui.begin_combo(name, shown, imgui.ComboFlags_.height_large | imgui.ComboFlags_.no_arrow_button)
    arrow(canvas, corner.x + width - px(12), corner.y + height / 2, True)
    if opened:
        imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(px(6), px(7)))
    return opened


def end_list() -> None:
    """End a list that `begin_list` said is open."""
    imgui.pop_style_var()
    imgui.end_combo()


def switch(active: ActiveWidget, key: str, label: str, value: bool) -> None:
    """Draw a box to tick."""
    _frame_height()
    pressed, new = imgui.checkbox("##switch", value)
    imgui.pop_style_var()
    if pressed:
        active.click({key: new}, label)


def tick(name: str, on: bool, width: float, height: float) -> bool:
    """Draw the small box of `name`, ticked where `on`; return whether it was clicked."""
    corner = imgui.get_cursor_screen_pos()
    drawn.note(Drawn("tick", name, (corner.x, corner.y, width, height)))
    pressed = imgui.invisible_button(f"##tick {name}", ImVec2(width, height))
    hovered = imgui.is_item_hovered()
    half = px(6)
    x, y = corner.x + width / 2, corner.y + height / 2
    first, last = ImVec2(x - half, y - half), ImVec2(x + half, y + half)
    canvas = imgui.get_window_draw_list()
    if on:
        canvas.add_rect_filled(first, last, theme.packed(theme.FILL_HELD if hovered else theme.FILL), px(3))
        colour, thick = theme.packed(theme.TEXT), px(1.6)
        bend = ImVec2(x - px(1), y + px(2.8))
        canvas.add_line(ImVec2(x - px(3.4), y + px(0.2)), bend, colour, thick)
        canvas.add_line(bend, ImVec2(x + px(3.6), y - px(3)), colour, thick)
    else:
        canvas.add_rect_filled(first, last, theme.packed(theme.TRACK_HOVERED if hovered else theme.TRACK), px(3))
        canvas.add_rect(first, last, theme.packed(theme.DIM if hovered else theme.FAINT), px(3))
    return pressed


def padlock(name: str, locked: bool, hovered_row: bool, width: float, height: float, seen: bool) -> bool:
    """Draw the padlock of `name`, which is only seen where it is to be `seen` or its row is under the pointer.

    Return whether it was clicked.
    """
    corner = imgui.get_cursor_screen_pos()
    drawn.note(Drawn("lock", name, (corner.x, corner.y, width, height), "locked" if locked else "open"))
    pressed = imgui.invisible_button(f"##lock {name}", ImVec2(width, height))
    hovered = imgui.is_item_hovered()
    if not (seen or hovered or hovered_row):
        return pressed
    canvas = imgui.get_window_draw_list()
    colour = theme.packed(theme.TEXT if hovered else theme.WARM if locked else theme.FAINT)
    half, thick = px(3.5), px(1.3)
    x, y = corner.x + min(width / 2, half + px(1)), corner.y + height / 2  # apart from the label behind it
    canvas.add_rect_filled(ImVec2(x - half, y - px(0.5)), ImVec2(x + half, y + px(5)), colour, px(1))
    radius, lift = px(2.2), px(0.0 if locked else 1.2)  # an open one's bow stands higher, and on one leg
    canvas.path_arc_to(ImVec2(x, y - px(2) - lift), radius, math.pi, 2 * math.pi)
    canvas.path_stroke(colour, thickness=thick)
    canvas.add_line(ImVec2(x - radius, y - px(2) - lift), ImVec2(x - radius, y), colour, thick)
    if locked:
        canvas.add_line(ImVec2(x + radius, y - px(2)), ImVec2(x + radius, y), colour, thick)
    return pressed


def reset_arrow(width: float, height: float) -> bool:
    """Draw the small arrow that puts a value back; return whether it was clicked."""
    corner = imgui.get_cursor_screen_pos()
    drawn.note(Drawn("reset", "", (corner.x, corner.y, width, height)))
    pressed = imgui.invisible_button("##reset", ImVec2(width, height))
    hovered = imgui.is_item_hovered()
    size = imgui.calc_text_size(RESET)
    at = ImVec2(corner.x + (width - size.x) / 2, corner.y + (height - size.y) / 2)
    imgui.get_window_draw_list().add_text(at, theme.packed(theme.ACCENT if hovered else theme.DIM), RESET)
    return pressed


def tip(text: str, more: str = "") -> None:
    """Show `text`, and `more` dimmed below it, when the pointer rests on the last widget.

    It stands beside the window of the widget, at the widget's height: over the land, and not over the next slider.
    """
    drawn.note(Drawn("tip", "", words=f"{text} {more}"))
    if imgui.get_io().key_alt:  # previews along a slider stand there
        return
    if imgui.is_item_active() or not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        return
    padding = ImVec2(px(10), px(7))
    wrap = _place_tip((text, more) if more else (text,), padding)
    imgui.push_style_var(imgui.StyleVar_.window_padding, padding)
    if imgui.begin_tooltip():
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + wrap)
        imgui.text_unformatted(text)
        if more:
            imgui.push_style_color(imgui.Col_.text, theme.DIM)
            imgui.text_unformatted(more)
            imgui.pop_style_color()
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()
    imgui.pop_style_var()


def _place_tip(lines: Sequence[str], padding: ImVec2) -> float:
    """Set where the next tooltip stands; return how wide its lines may be.

    Where there is no room beside the window it stands over what is above the widget, or else below it.
    """
    view, item = imgui.get_main_viewport(), imgui.get_item_rect_min()
    gap, edge = px(_TIP_GAP), px(4)
    beside = imgui.get_window_pos().x + imgui.get_window_width() + gap
    room = view.pos.x + view.size.x - edge - beside - 2 * padding.x
    wrap = min(px(_TIP_WIDTH), room if room >= px(_LEAST_TIP_WIDTH) else view.size.x - 2 * (edge + padding.x))
    sizes = [imgui.calc_text_size(line, wrap_width=wrap) for line in lines]
    wide = max(size.x for size in sizes) + 2 * padding.x
    high = sum(size.y for size in sizes) + (len(lines) - 1) * imgui.get_style().item_spacing.y + 2 * padding.y
    bottom = view.pos.y + view.size.y - edge
    if room >= px(_LEAST_TIP_WIDTH):
        at = ImVec2(beside, min(item.y, bottom - high))
    else:
        top = item.y - gap - high
        below = imgui.get_item_rect_max().y + gap
        left = min(item.x, view.pos.x + view.size.x - edge - wide)
        at = ImVec2(max(left, view.pos.x + edge), top if top > view.pos.y else below)
    imgui.set_next_window_pos(at)
    return wrap


def button(text: str, width: float, enabled: bool = True, lit: bool = False) -> bool:
    """Draw a button of the rows' height, `lit` where what it stands for is on; return whether it was clicked."""
    corner, height = imgui.get_cursor_screen_pos(), px(theme.ROW_HEIGHT + 2)
    drawn.note(Drawn("button", text.partition("##")[0], (corner.x, corner.y, width, height)))
    imgui.begin_disabled(not enabled)
    if lit:
        imgui.push_style_color(imgui.Col_.button, theme.FILL)
    pressed = imgui.button(text, ImVec2(width, height))
    if lit:
        imgui.pop_style_color()
    imgui.end_disabled()
    return pressed


def thumbnail(name: str, size: tuple[float, float], texture: int | None, number: str, lit: bool = False) -> bool:
    """Draw a picture of `size` in unscaled pixels with a `number` in its corner; return whether it was clicked.

    It is empty where there is no `texture`, and framed where it is `lit`.
    """
    corner, wide, high = imgui.get_cursor_screen_pos(), px(size[0]), px(size[1])
    clicked = imgui.invisible_button(name, ImVec2(wide, high))
    hovered, canvas = imgui.is_item_hovered(), imgui.get_window_draw_list()
    end = ImVec2(corner.x + wide, corner.y + high)
    canvas.add_rect_filled(corner, end, theme.packed(theme.TRACK), px(3))
    if texture is not None:
        canvas.add_image(imgui.ImTextureRef(texture), corner, end)
    if hovered:
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    if hovered or lit:
        canvas.add_rect(corner, end, theme.packed(theme.TEXT if hovered else theme.ACCENT), 0.0, thickness=px(2))
    text = imgui.calc_text_size(number).x
    badge = max(px(_BADGE), text + px(6))
    canvas.add_rect_filled(
        corner, ImVec2(corner.x + badge, corner.y + px(_BADGE)), theme.packed(theme.GROUND, 0.85), px(3)
    )
    at = ImVec2(corner.x + (badge - text) / 2, corner.y + px(1))
    canvas.add_text(at, theme.packed(theme.TEXT), number)
    return clicked


def search_field(name: str, text: str, hint: str, keys: str, width: float, focus: bool) -> str:
    """Draw the field that is searched by, taking the keyboard where `focus`; return its text. Esc empties it.

    `hint` stands in an empty field, with `keys` at its end.
    """
    corner, height = imgui.get_cursor_screen_pos(), px(theme.ROW_HEIGHT + 2)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(26), (height - imgui.get_font_size()) / 2))
    imgui.set_next_item_width(width)
    if focus:
        imgui.set_keyboard_focus_here()
    _, text = imgui.input_text_with_hint(name, hint, text, imgui.InputTextFlags_.auto_select_all)
    imgui.pop_style_var()
    canvas, active = imgui.get_window_draw_list(), imgui.is_item_active()
    colour = theme.packed(theme.TEXT if active or text else theme.DIM)
    x, y, lens = corner.x + px(12), corner.y + height / 2 - px(1), px(4)
    canvas.add_circle(ImVec2(x, y), lens, colour, 0, px(1.4))
    canvas.add_line(ImVec2(x + 0.7 * lens, y + 0.7 * lens), ImVec2(x + 1.8 * lens, y + 1.8 * lens), colour, px(1.6))
    size = imgui.calc_text_size(keys)
    if not text and not active and imgui.calc_text_size(hint).x + size.x + px(50) < width:
        at = ImVec2(corner.x + width - size.x - px(8), corner.y + (height - size.y) / 2)
        canvas.add_text(at, theme.packed(theme.FAINT), keys)
    return text


def fold_button(name: str, width: float, opened: bool) -> bool:
    """Draw the button that closes all that is `opened`, or opens it; return whether it was clicked."""
    corner = imgui.get_cursor_screen_pos()
    pressed = button(name, width)
    canvas, colour = imgui.get_window_draw_list(), theme.packed(theme.TEXT)
    x, y = corner.x + width / 2, corner.y + px(theme.ROW_HEIGHT + 2) / 2
    wide, high = px(4), px(3.5)
    for side in (-1, 1):  # two angles, which point towards each other to close and away from each other to open
        base, tip_ = (side * px(5.5), side * px(2)) if opened else (side * px(2), side * px(2) + side * high)
        for across in (-wide, wide):
            canvas.add_line(ImVec2(x + across, y + base), ImVec2(x, y + tip_), colour, px(1.4))
    return pressed


def arrow(canvas: imgui.ImDrawList, x: float, y: float, down: bool) -> None:
    """Draw the small arrow of what opens (to the right) and closes (down), its middle at a place of the window."""
    size = px(3.2)
    if down:
        corners = (ImVec2(x - size, y - size * 0.6), ImVec2(x + size, y - size * 0.6), ImVec2(x, y + size))
    else:
        corners = (ImVec2(x - size * 0.6, y - size), ImVec2(x + size, y), ImVec2(x - size * 0.6, y + size))
    canvas.add_triangle_filled(*corners, theme.packed(theme.DIM))


def _frame_height() -> None:
    """Push the padding that gives Dear ImGui's own widgets the rows' height."""
    padding = (px(theme.ROW_HEIGHT) - imgui.get_font_size()) / 2
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
