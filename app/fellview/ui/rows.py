"""One row for each parameter: label, control, and the arrow that puts it back; all from the declarations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from imgui_bundle import ImVec2, imgui

from fellview.core import number_format, wording
from fellview.core.parameters import Declaration, Group, Value
from fellview.scene import locks
from fellview.scene.locks import Locks
from fellview.ui import theme, values, widgets
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.widgets import Track, px

_FIELD_PIXELS = 500  # dragging a field this far moves by the land's width, or by the value itself
_WHOLE_STEP_PIXELS = 4  # dragging a field of whole numbers this far moves by one


@dataclass(frozen=True)
class Row:
    """Where a row's parameter belongs, and how the row is drawn; `home` holds the values that arrows go back to.

    `notes` are remarks at a slider's right end, by key. `locked` is what stays when the scene is randomised, of
    which padlocks tell; none has no padlocks. `off` rows are of a step that is switched off: they stay as
    readable and as usable, without the colours of what has an effect.
    """

    group: Group
    home: Group
    room: float
    label_width: float
    notes: Mapping[str, str] = field(default_factory=dict)
    off: bool = False
    locked: Locks | None = None


def shown(group: Group, names: Sequence[str]) -> list[str]:
    """Return those of `names` that have a row and an effect now."""
    declared = group.declarations()
    return [name for name in names if declared[name].row and group.shows(name)]


def draw(active: ActiveWidget, where: Row, name: str) -> None:
    """Draw the row of parameter `name`."""
    group, declaration = where.group, where.group.declaration(name)
    key = f"{group.key}.{name}"
    row_label = f"{group.title}: {declaration.label.lower()}"
    value, was = getattr(group, name), getattr(where.home, name)
    lock_width = 0.0 if where.locked is None else px(theme.LOCK_WIDTH)
    width = where.room - lock_width - where.label_width - px(theme.RESET_WIDTH)
    imgui.push_id(name)
    if where.locked is not None:
        lock(active, where.locked, key, where.room, lock_width, px(theme.ROW_HEIGHT))
        imgui.same_line(0, 0)
    imgui.begin_group()
    slides = declaration.type in (int, float) and values.on_slider(declaration)
    label(declaration.label, where.label_width, px(widgets.LIFT) if slides else 0.0)
    if slides:
        active.carry(key)
    imgui.push_style_color(imgui.Col_.text, theme.DIM if where.off else theme.TEXT)
    imgui.push_style_color(imgui.Col_.check_mark, theme.DIM if where.off else theme.ACCENT)

    def typed(text: str) -> Mapping[str, Value] | None:
        if declaration.colour:
            code = "#" + text.strip().lstrip("#").lower()
            short = len(code) == 4 and all(letter in "0123456789abcdef" for letter in code[1:])
            code = "#" + "".join(2 * letter for letter in code[1:]) if short else code
            whole = len(code) == 7 and all(letter in "0123456789abcdef" for letter in code[1:])
            return {key: code} if whole else None
        if declaration.type is str:
            return {key: text}
        new = values.typed(declaration, text)
        return None if new is None else {key: new}

    if declaration.options:
        widgets.choice(active, key, row_label, value, declaration.options, width)
    elif declaration.colour:
        widgets.colour(active, key, row_label, value, typed, width, where.off)
    elif declaration.type is bool:
        widgets.switch(active, key, row_label, value)
    elif declaration.action:
        if widgets.button(f"{Path(value).name or 'Choose…'}##{key}", width):
            active.outcome.actions.append(declaration.action)
        active.places[key] = widgets.place()
    elif declaration.type is str:
        track = Track(key, row_label, (key,), value, value, None, lambda _p, _f: {}, typed, off=where.off)
        widgets.text(active, track, width, declaration.empty)
    else:
        text, edit = number_format.with_unit(value, declaration.unit), values.editable(value)
        fraction, moved = motion(active, key, declaration, value)
        note = where.notes.get(key, "")
        widgets.track(active, Track(key, row_label, (key,), text, edit, fraction, moved, typed, note, where.off), width)
        if slides and imgui.is_item_hovered():
            _, top, _, height = widgets.place()
            active.under = key, top + height / 2
    imgui.pop_style_color(2)
    imgui.end_group()
    widgets.tip(declaration.tip, range_in_words(declaration))
    if value != was:
        imgui.same_line(0, 0)
        if widgets.reset_arrow(px(theme.RESET_WIDTH), px(theme.ROW_HEIGHT)):
            active.click({key: was}, row_label)
        widgets.tip(f"Back to {wording.in_words(declaration, was)}.")
    imgui.pop_id()


def lock(active: ActiveWidget, locked: Locks, key: str, room: float, width: float, height: float) -> None:
    """Draw the padlock of a parameter's or a group's `key`, seen where the pointer is in its line of `room`."""
    corner = imgui.get_cursor_screen_pos()
    line = ImVec2(corner.x - room, corner.y), ImVec2(corner.x + room, corner.y + height)
    in_line = imgui.is_window_hovered() and imgui.is_mouse_hovering_rect(*line)
    is_locked = locks.is_locked(locked, key)
    by_group = "." in key and key.partition(".")[0] in locked  # whose own padlock is seen
    if widgets.padlock(key, is_locked, in_line, width, height, seen=is_locked and not by_group):
        active.outcome.locked = locks.toggled(locked, key)
    does = "Locked: stays as it is when the scene is randomised." if is_locked else "Lock it against randomising."
    widgets.tip(does, "a click changes that")


def motion(
    active: ActiveWidget, key: str, declaration: Declaration, value: float
) -> tuple[float | None, widgets.Motion]:
    """Return where the slider's fill ends and how dragging changes it; a range too wide for a track is a field."""
    if values.on_slider(declaration):
        return (
            values.to_fraction(declaration, value),
            lambda position, fine: {key: values.from_fraction(declaration, position, fine)},
        )
    land = active.outcome.scene.grid.size_x

    def moved(pixels: float, fine: bool) -> Mapping[str, Value]:
        start = float(active.gesture.start[key]) if active.gesture is not None else value
        if declaration.type is int:
            return {key: declaration.clamped(round(start) + round(pixels / px(_WHOLE_STEP_PIXELS)))}
        per_pixel = max(land, abs(start)) / px(_FIELD_PIXELS)
        step = 10.0 ** math.floor(math.log10(per_pixel)) * (0.1 if fine else 1.0)
        return {key: declaration.clamped(round((start + pixels * per_pixel) / step) * step)}

    return None, moved


def more(opened: bool, changed: bool, width: float, height: float, tip: str) -> bool:
    """Draw what opens and closes a section's rarer rows; return whether they are open now.

    `changed` marks it where a hidden row differs from the scene as it was loaded.
    """
    corner = imgui.get_cursor_screen_pos()
    if imgui.invisible_button("##more", ImVec2(width, height)):
        opened = not opened
    text = "Less" if opened else "More"
    colour = theme.packed(theme.TEXT if imgui.is_item_hovered() else theme.DIM)
    canvas = imgui.get_window_draw_list()
    at = ImVec2(corner.x, corner.y + (height - imgui.get_font_size()) / 2)
    canvas.add_text(at, colour, text)
    left, middle = corner.x + imgui.calc_text_size(text).x + px(9), corner.y + height / 2 + px(0.5)
    widgets.arrow(canvas, left, middle, opened)
    if changed and not opened:
        canvas.add_circle_filled(ImVec2(left + px(12), middle), px(2.5), theme.packed(theme.WARM))
    widgets.tip(tip)
    return opened


def label(text: str, width: float, lift: float = 0.0) -> None:
    """Draw a row's label, dimmed and `lift` above the row's middle, and go to where its control starts."""
    corner = imgui.get_cursor_screen_pos()
    height = px(theme.ROW_HEIGHT)
    imgui.dummy(ImVec2(width, height))
    at = ImVec2(corner.x, corner.y + (height - imgui.get_font_size()) / 2 - lift)
    canvas = imgui.get_window_draw_list()
    too_wide = imgui.calc_text_size(text).x > width - px(4)
    if too_wide:
        canvas.push_clip_rect(corner, ImVec2(corner.x + width - px(4), corner.y + height), True)
    canvas.add_text(at, theme.packed(theme.DIM), text)
    if too_wide:
        canvas.pop_clip_rect()
    imgui.same_line(0, 0)


def range_in_words(declaration: Declaration) -> str:
    """Return the slider's range and the wider one that may be typed, in words; nothing where there is no range."""
    if declaration.type not in (int, float):
        return ""
    low, high = declaration.slider
    unit = declaration.unit
    if not values.on_slider(declaration):
        return f"in {unit}; drag, or double-click to type" if unit else "drag, or double-click to type"
    text = f"{number_format.number(low)} to {number_format.with_unit(high, unit)}"
    if (low, high) != (declaration.low, declaration.high):
        text += f"; typed {number_format.number(declaration.low)} to {number_format.number(declaration.high)}"
    return text
