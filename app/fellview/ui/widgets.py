"""The panel's own widgets, and the one hand that holds at most one of them at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from fellview.core.parameters import Value
from fellview.scene.scene import Scene
from fellview.ui import theme
from fellview.ui.status import Outcome

Changes = Mapping[str, Value]
Motion = Callable[[float, bool], Changes]
"""From a position (a share of the track, or pixels) and whether it is fine, to the changes."""

_GRAB_PIXELS = 7.0  # a press this near the slider's end takes hold of it without a jump
_CLICK_PIXELS = 3.0  # a press that moves less is a click
_FINE = 0.1  # Shift-drag is ten times finer
_TIP_WIDTH = 320.0
_LOW_SUN = -5.0  # degrees at the pad's rim
_SPELLED = {"fbm": "fBm", "f2-f1": "F2 − F1", "opensimplex": "OpenSimplex"}
UNDO, REDO, RESET, DICE = "↶", "↷", "↺", "⚄"


def px(length: float) -> float:
    """Return `length` in window units at the present scale."""
    return length * imgui.get_style().font_scale_dpi


@dataclass
class Gesture:
    """One drag or click from press to release: what it changes, where it began, how far it has come.

    `late` tells that the press itself moves the value, but in the next frame: one frame tells of one gesture, and in
    this one another ended.
    """

    key: str
    label: str
    start: dict[str, Value]
    position: tuple[float, float] = (0.0, 0.0)
    began_at: tuple[float, float] = (0.0, 0.0)
    moved: bool = False
    late: bool = False
    released_at: float | None = None


@dataclass
class Typing:
    """An open text field."""

    key: str
    text: str
    fresh: bool = True


class Hand:
    """Applies edits to the frame's scene and tells gestures apart.

    A click stays open for as long as a second one would make it a double-click: the value shows at once, but the
    gesture ends later, so that a double-click, which opens the text field, takes the first click back without a trace
    in the undo history.
    """

    def __init__(self) -> None:
        self.gesture: Gesture | None = None
        self.typing: Typing | None = None
        self.outcome: Outcome = Outcome(Scene())
        self.places: dict[str, tuple[float, float, float, float]] = {}

    def begin(self, scene: Scene) -> None:
        """Start a frame on `scene`; end or cancel what was left open."""
        self.outcome = Outcome(scene)
        gesture = self.gesture
        escape = imgui.is_key_pressed(imgui.Key.escape, False)
        if gesture is None:
            if escape and imgui.internal.get_top_most_popup_modal() is None:
                imgui.internal.close_popups_except_modals()  # without keyboard navigation nothing else does it
            return
        if escape:
            self.take_back()
        elif gesture.released_at is not None:
            waited = imgui.get_time() - gesture.released_at
            pressed_elsewhere = any(imgui.is_mouse_clicked(button) for button in range(3)) and (
                not imgui.is_mouse_double_clicked(0)
            )
            if waited > imgui.get_io().mouse_double_click_time or pressed_elsewhere:
                self._end()

    def finish(self) -> Outcome:
        """Return what the frame came to."""
        gesture = self.gesture
        if gesture is not None:
            if gesture.released_at is None and not imgui.is_mouse_down(0):
                if gesture.moved:
                    self._end()
                else:
                    gesture.released_at = imgui.get_time()
            elif gesture.released_at is not None and imgui.is_mouse_double_clicked(0):
                self._end()  # the second press fell on something else
        if self.gesture is not None:
            self.outcome.gesture = True
            self.outcome.label = self.outcome.label or self.gesture.label
        return self.outcome

    @property
    def pending(self) -> bool:
        """Whether a click waits for a possible second one: a frame must come though no event does."""
        return self.gesture is not None and self.gesture.released_at is not None

    def holds(self, key: str) -> bool:
        """Tell whether widget `key` is being dragged."""
        return self.gesture is not None and self.gesture.key == key and self.gesture.released_at is None

    def take(self, key: str, label: str, keys: Sequence[str]) -> Gesture:
        """Begin the gesture of widget `key` on the parameters `keys`."""
        if self.gesture is not None:
            self._end()
        mouse = imgui.get_mouse_pos()
        start = {one: self.outcome.scene.get(one) for one in keys}
        self.gesture = Gesture(key, label, start, began_at=(mouse.x, mouse.y))
        return self.gesture

    def change(self, changes: Changes, label: str) -> None:
        """Apply `changes` as part of the gesture in hand."""
        scene = self.outcome.scene
        if any(scene.get(key) != value for key, value in changes.items()):
            self.outcome.scene = scene.replace(changes)
        if not self.outcome.gesture_ended:
            self.outcome.label = label

    def click(self, changes: Changes, label: str) -> None:
        """Apply `changes` as a gesture of its own."""
        self.change(changes, label)
        self.outcome.label = label
        self.outcome.gesture_ended = True

    def take_back(self) -> None:
        """Put back what the gesture in hand began with."""
        assert self.gesture is not None
        self.change(self.gesture.start, self.gesture.label)
        self.gesture = None
        self.outcome.cancelled = True
        imgui.internal.clear_active_id()

    def type(self, key: str, text: str) -> None:
        """Open the text field of widget `key`."""
        if self.gesture is not None:
            if self.gesture.key == key:
                self.take_back()
            else:
                self._end()
        self.typing = Typing(key, text)

    def _end(self) -> None:
        assert self.gesture is not None
        self.outcome.gesture_ended = True
        self.outcome.label = self.gesture.label
        self.gesture = None


@dataclass(frozen=True)
class Track:
    """What a slider shows and does.

    `fraction` is where its fill ends (none: a field that is dragged by pixels). `moved(position, fine)` gives the
    changes at a fraction, or after that many pixels; `typed(text)` the changes that a text stands for.
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


def track(hand: Hand, one: Track, width: float, height: float = 0.0) -> None:
    """Draw a slider of `width` and let `hand` drag or type it."""
    height = height or px(theme.ROW_HEIGHT)
    if hand.typing is not None and hand.typing.key == one.key:
        _text_field(hand, one.typed, one.label, width, height)
        return
    corner = imgui.get_cursor_screen_pos()
    hand.places[one.key] = (corner.x, corner.y, width, height)
    imgui.invisible_button("##track", ImVec2(width, height))
    hovered, io = imgui.is_item_hovered(), imgui.get_io()
    if imgui.is_item_activated():
        if io.key_ctrl or io.key_super or imgui.is_mouse_double_clicked(0):
            imgui.internal.clear_active_id()
            hand.type(one.key, one.edit)
        else:
            _take_track(hand, one, corner.x, width)
    elif hand.holds(one.key):
        _drag_track(hand, one, width)
    _draw_track(one, corner, width, height, hovered, hand.holds(one.key))
    if hovered:
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)


def _take_track(hand: Hand, one: Track, left: float, width: float) -> None:
    another_ended = hand.gesture is not None or hand.outcome.gesture_ended
    gesture = hand.take(one.key, one.label, one.keys)
    if one.fraction is None:
        return
    gesture.position = (one.fraction, 0.0)
    pressed = (imgui.get_mouse_pos().x - left) / width
    far = abs(pressed - one.fraction) * width > px(_GRAB_PIXELS)
    if far and not imgui.get_io().key_shift:
        gesture.position = (pressed, 0.0)
        gesture.late = another_ended
        if not another_ended:
            hand.change(one.moved(pressed, False), one.label)


def _drag_track(hand: Hand, one: Track, width: float) -> None:
    gesture, io = hand.gesture, imgui.get_io()
    assert gesture is not None
    fine = io.key_shift
    step = io.mouse_delta.x * (_FINE if fine else 1.0)
    mouse = imgui.get_mouse_pos()
    if math.dist((mouse.x, mouse.y), gesture.began_at) >= px(_CLICK_PIXELS):
        gesture.moved = True
    if step == 0 and not gesture.late:
        return
    gesture.late = False
    # the position runs on beyond the ends, so that the pointer meets the slider again where it left it
    gesture.position = (gesture.position[0] + (step if one.fraction is None else step / width), 0.0)
    hand.change(one.moved(gesture.position[0], fine), one.label)


def _draw_track(one: Track, corner: ImVec2, width: float, height: float, hovered: bool, held: bool) -> None:
    canvas = imgui.get_window_draw_list()
    right, bottom = corner.x + width, corner.y + height
    rounding = px(4)
    colour = theme.TRACK_HELD if held else theme.TRACK_HOVERED if hovered else theme.TRACK
    canvas.add_rect_filled(corner, ImVec2(right, bottom), theme.packed(colour), rounding)
    if one.fraction is not None:
        edge = corner.x + max(one.fraction * width, px(2))
        fill = theme.packed(theme.FILL_HELD if held else theme.FILL)
        canvas.add_rect_filled(corner, ImVec2(edge, bottom), fill, rounding)
        if edge < right - rounding:
            # a second rectangle squares its right end: a clip rectangle would be a draw call of its own
            canvas.add_rect_filled(ImVec2(max(corner.x, edge - rounding), corner.y), ImVec2(edge, bottom), fill)
        grip = theme.packed(theme.ACCENT, 1.0 if held or hovered else 0.5)
        canvas.add_rect_filled(ImVec2(edge - px(2), corner.y), ImVec2(edge, bottom), grip)
    size = imgui.calc_text_size(one.text)
    middle = corner.y + (height - size.y) / 2
    at = ImVec2(corner.x + px(8), middle)
    if size.x + px(8) > width:
        canvas.push_clip_rect(corner, ImVec2(right, bottom), True)
        _shadowed_text(canvas, at, theme.TEXT, one.text)
        canvas.pop_clip_rect()
        return
    _shadowed_text(canvas, at, theme.TEXT, one.text)
    note = imgui.calc_text_size(one.note)
    if one.note and size.x + note.x + px(24) < width:
        _shadowed_text(canvas, ImVec2(right - note.x - px(8), middle), theme.NOTE, one.note)


def _shadowed_text(canvas: imgui.ImDrawList, at: ImVec2, colour: theme.Colour, text: str) -> None:
    """Draw `text` that stays readable where the slider's end crosses it."""
    for across, down in ((-1, 0), (1, 0), (0, 1)):
        canvas.add_text(ImVec2(at.x + across, at.y + down), theme.packed(theme.TRACK, 0.55), text)
    canvas.add_text(at, theme.packed(colour), text)


def _text_field(hand: Hand, typed: Callable[[str], Changes | None], label: str, width: float, height: float) -> None:
    typing = hand.typing
    assert typing is not None
    imgui.set_next_item_width(width)
    padding = (height - imgui.get_font_size()) / 2
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
    if typing.fresh:
        imgui.set_keyboard_focus_here()
    _, typing.text = imgui.input_text("##typed", typing.text, imgui.InputTextFlags_.auto_select_all)
    imgui.pop_style_var()
    if imgui.is_item_deactivated():
        hand.typing = None
        changes = None if imgui.is_key_pressed(imgui.Key.escape, False) else typed(typing.text)
        if changes and any(hand.outcome.scene.get(key) != value for key, value in changes.items()):
            hand.click(changes, label)
    elif not typing.fresh and not imgui.is_item_active():
        hand.typing = None  # the focus went elsewhere before it arrived
    typing.fresh = False


def colour(hand: Hand, key: str, label: str, value: str, typed: Callable[[str], Changes | None], width: float) -> None:
    """Draw a colour: a swatch that opens a picker, and its code, which is typed after a click."""
    height = px(theme.ROW_HEIGHT)
    red, green, blue = (int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
    flags = imgui.ColorEditFlags_.no_tooltip | imgui.ColorEditFlags_.no_drag_drop
    if imgui.color_button("##swatch", (red, green, blue, 1.0), flags, ImVec2(px(44), height)):
        imgui.open_popup("##picker")
    imgui.same_line()
    rest = width - px(44) - imgui.get_style().item_spacing.x
    if hand.typing is not None and hand.typing.key == key:
        _text_field(hand, typed, label, rest, height)
    else:
        corner = imgui.get_cursor_screen_pos()
        if imgui.invisible_button("##code", ImVec2(rest, height)):
            hand.type(key, value)
        hovered = imgui.is_item_hovered()
        if hovered:
            imgui.set_mouse_cursor(imgui.MouseCursor_.text_input)
        code = Track(key, label, (key,), value, value, None, lambda _position, _fine: {}, typed)
        _draw_track(code, corner, rest, height, hovered, False)
    if imgui.begin_popup("##picker"):
        # without its text field: each letter would be an edit, and the row has one
        picker = imgui.ColorEditFlags_.no_side_preview | imgui.ColorEditFlags_.no_inputs
        imgui.set_next_item_width(px(220))
        changed, new = imgui.color_picker3("##colour", [red, green, blue], picker)
        if changed:
            code_ = "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in (new[0], new[1], new[2]))
            if imgui.is_mouse_down(0):
                gesture = hand.gesture if hand.holds(key) else hand.take(key, label, (key,))
                assert gesture is not None
                gesture.moved = True  # a click in a picker is complete when it is released
                hand.change({key: code_}, label)
            else:
                hand.click({key: code_}, label)
        imgui.end_popup()


def choice(hand: Hand, key: str, label: str, value: str, options: Sequence[str], width: float) -> None:
    """Draw a list to choose one word from."""
    imgui.set_next_item_width(width)
    _frame_height()
    opened = begin_list("##choice", spoken(value))
    imgui.pop_style_var()
    if opened:
        for option in options:
            pressed, _ = imgui.selectable(spoken(option), option == value)
            if pressed and option != value:
                hand.click({key: option}, label)
            if option == value:
                imgui.set_item_default_focus()
        end_list()


def begin_list(name: str, shown: str) -> bool:
    """Begin a list that drops down, with a small arrow instead of Dear ImGui's bright one; tell whether it is open.

    An open list is ended with `end_list`.
    """
    corner, width = imgui.get_cursor_screen_pos(), imgui.calc_item_width()
    height = imgui.get_frame_height()
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


def switch(hand: Hand, key: str, label: str, value: bool) -> None:
    """Draw a box to tick."""
    _frame_height()
    pressed, new = imgui.checkbox("##switch", value)
    imgui.pop_style_var()
    if pressed:
        hand.click({key: new}, label)


def tick(name: str, on: bool, width: float, height: float) -> bool:
    """Draw the small box of `name`, ticked where `on`; tell whether it was clicked."""
    corner = imgui.get_cursor_screen_pos()
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


def sun_pad(hand: Hand, azimuth: float, elevation: float, diameter: float) -> None:
    """Draw the sky from above with the sun in it, +z up and +x to the right, and let `hand` drag the sun.

    The middle is overhead, the rim just below the horizon. Outside the circle the land below is not covered: the
    square's corners take no press.
    """
    corner = imgui.get_cursor_screen_pos()
    radius = diameter / 2
    centre = (corner.x + radius, corner.y + radius)
    mouse = imgui.get_mouse_pos()
    inside = math.dist((mouse.x, mouse.y), centre) <= radius
    key, label = "sun.pad", "Sun: position"
    held = hand.holds(key)
    distance = radius * (90 - elevation) / (90 - _LOW_SUN)
    angle = math.radians(azimuth)
    sun = (centre[0] + distance * math.sin(angle), centre[1] - distance * math.cos(angle))
    if inside or held:
        imgui.invisible_button("##pad", ImVec2(diameter, diameter))
        if imgui.is_item_activated():
            _take_sun(hand, key, label, (mouse.x, mouse.y), sun, centre, radius, azimuth)
        elif held:
            gesture, io = hand.gesture, imgui.get_io()
            assert gesture is not None
            rate = _FINE if io.key_shift else 1.0
            if io.mouse_delta.x or io.mouse_delta.y or gesture.late:
                gesture.moved, gesture.late = True, False
                x, y = gesture.position
                gesture.position = (x + rate * io.mouse_delta.x, y + rate * io.mouse_delta.y)
                hand.change(_sun_at(gesture.position, centre, radius, azimuth, io.key_shift), label)
    else:
        imgui.dummy(ImVec2(diameter, diameter))
    _draw_pad(centre, radius, sun, elevation, inside or held)


def _take_sun(
    hand: Hand,
    key: str,
    label: str,
    mouse: tuple[float, float],
    sun: tuple[float, float],
    centre: tuple[float, float],
    radius: float,
    azimuth: float,
) -> None:
    another_ended = hand.gesture is not None or hand.outcome.gesture_ended
    gesture = hand.take(key, label, ("sun.azimuth", "sun.elevation"))
    gesture.position = sun
    if math.dist(mouse, sun) > px(_GRAB_PIXELS) and not imgui.get_io().key_shift:
        gesture.position = mouse
        gesture.moved = True  # there is no text field behind the pad: a click is complete when it is released
        gesture.late = another_ended
        if not another_ended:
            hand.change(_sun_at(mouse, centre, radius, azimuth, False), label)


def _sun_at(
    point: tuple[float, float], centre: tuple[float, float], radius: float, azimuth: float, fine: bool
) -> dict[str, Value]:
    """Return the sun that stands at `point` of the pad, in whole degrees, or tenths."""
    across, up = point[0] - centre[0], centre[1] - point[1]
    digits = 1 if fine else 0
    distance = math.hypot(across, up)
    if distance > 1:  # overhead every azimuth is the same: keep the one there was
        azimuth = round(math.degrees(math.atan2(across, up)), digits) % 360.0
    elevation = round(90 - (90 - _LOW_SUN) * min(distance / radius, 1.0), digits)
    return {"sun.azimuth": float(azimuth), "sun.elevation": float(elevation)}


def _draw_pad(
    centre: tuple[float, float], radius: float, sun: tuple[float, float], elevation: float, lively: bool
) -> None:
    canvas = imgui.get_window_draw_list()
    middle = ImVec2(*centre)
    canvas.add_circle_filled(middle, radius, theme.packed(theme.TRACK_HOVERED if lively else theme.TRACK), 64)
    horizon = radius * 90 / (90 - _LOW_SUN)
    line = theme.packed(theme.FAINT, 0.55)
    for share in (1.0, 2 / 3, 1 / 3):  # elevations 0°, 30° and 60°
        canvas.add_circle(middle, horizon * share, line, 64, px(1))
    for across, up in ((1, 0), (0, 1)):
        canvas.add_line(
            ImVec2(centre[0] - across * horizon, centre[1] - up * horizon),
            ImVec2(centre[0] + across * horizon, centre[1] + up * horizon),
            theme.packed(theme.FAINT, 0.3),
            px(1),
        )
    for name, across, up in (("z", 0, 1), ("x", 1, 0)):
        size = imgui.calc_text_size(name)
        reach = horizon - px(9)
        at = ImVec2(centre[0] + across * reach - size.x / 2, centre[1] - up * reach - size.y / 2)
        canvas.add_text(at, theme.packed(theme.DIM, 0.8), name)
    canvas.add_line(middle, ImVec2(*sun), theme.packed(theme.WARM, 0.35), px(1.5))
    up_ = elevation >= 0
    canvas.add_circle_filled(ImVec2(*sun), px(10), theme.packed(theme.WARM, 0.22 if up_ else 0.1))
    canvas.add_circle_filled(ImVec2(*sun), px(5.5), theme.packed(theme.WARM, 1.0 if up_ else 0.45))


def reset_arrow(width: float) -> bool:
    """Draw the small arrow that puts a value back; tell whether it was clicked."""
    height = px(theme.ROW_HEIGHT)
    corner = imgui.get_cursor_screen_pos()
    pressed = imgui.invisible_button("##reset", ImVec2(width, height))
    hovered = imgui.is_item_hovered()
    size = imgui.calc_text_size(RESET)
    at = ImVec2(corner.x + (width - size.x) / 2, corner.y + (height - size.y) / 2)
    imgui.get_window_draw_list().add_text(at, theme.packed(theme.ACCENT if hovered else theme.DIM), RESET)
    return pressed


def tip(text: str, more: str = "") -> None:
    """Show `text`, and `more` dimmed below it, when the pointer rests on the last widget."""
    if imgui.is_item_active() or not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        return
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(10), px(7)))
    if imgui.begin_tooltip():
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + px(_TIP_WIDTH))
        imgui.text_unformatted(text)
        if more:
            imgui.push_style_color(imgui.Col_.text, theme.DIM)
            imgui.text_unformatted(more)
            imgui.pop_style_color()
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()
    imgui.pop_style_var()


def button(text: str, width: float, enabled: bool = True, lit: bool = False) -> bool:
    """Draw a button of the rows' height, `lit` where what it stands for is on; tell whether it was clicked."""
    imgui.begin_disabled(not enabled)
    if lit:
        imgui.push_style_color(imgui.Col_.button, theme.FILL)
    pressed = imgui.button(text, ImVec2(width, px(theme.ROW_HEIGHT + 2)))
    if lit:
        imgui.pop_style_color()
    imgui.end_disabled()
    return pressed


def arrow(canvas: imgui.ImDrawList, x: float, y: float, down: bool) -> None:
    """Draw the small arrow of what opens (to the right) and closes (down), its middle at a place of the window."""
    size = px(3.2)
    if down:
        corners = (ImVec2(x - size, y - size * 0.6), ImVec2(x + size, y - size * 0.6), ImVec2(x, y + size))
    else:
        corners = (ImVec2(x - size * 0.6, y - size), ImVec2(x + size, y), ImVec2(x - size * 0.6, y + size))
    canvas.add_triangle_filled(*corners, theme.packed(theme.DIM))


def spoken(word: str) -> str:
    """Return a choice's word as the panel shows it: ``perlin-1985`` → ``Perlin 1985``."""
    if word in _SPELLED:
        return _SPELLED[word]
    return word[:1].upper() + word[1:].replace("-", " ").replace("_", " ")


def _frame_height() -> None:
    """Push the padding that gives Dear ImGui's own widgets the rows' height."""
    padding = (px(theme.ROW_HEIGHT) - imgui.get_font_size()) / 2
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
