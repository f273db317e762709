"""The sky from above, in which the sun is dragged."""

from __future__ import annotations

import math

from imgui_bundle import ImVec2, imgui

from fellview.core.parameters import Value
from fellview.ui import theme
from fellview.ui.active_widget import FINE, GRAB_PIXELS, ActiveWidget
from fellview.ui.widgets import px

_LOW_SUN = -5.0  # degrees at the pad's rim


def sun_pad(active: ActiveWidget, azimuth: float, elevation: float, diameter: float) -> None:
    """Draw the sky from above with the sun in it, +z up and +x to the right, and let `active` drag the sun.

    The middle is overhead, the rim just below the horizon. Outside the circle the land below is not covered: the
    square's corners take no press.
    """
    corner = imgui.get_cursor_screen_pos()
    radius = diameter / 2
    centre = (corner.x + radius, corner.y + radius)
    mouse = imgui.get_mouse_pos()
    inside = math.dist((mouse.x, mouse.y), centre) <= radius
    key, label = "sun.pad", "Sun: position"
    held = active.holds(key)
    distance = radius * (90 - elevation) / (90 - _LOW_SUN)
    angle = math.radians(azimuth)
    sun = (centre[0] + distance * math.sin(angle), centre[1] - distance * math.cos(angle))
    if inside or held:
        imgui.invisible_button("##pad", ImVec2(diameter, diameter))
        if imgui.is_item_activated():
            _take_sun(active, key, label, (mouse.x, mouse.y), sun, centre, radius, azimuth)
        elif held:
            gesture, io = active.gesture, imgui.get_io()
            assert gesture is not None
            rate = FINE if io.key_shift else 1.0
            if io.mouse_delta.x or io.mouse_delta.y or gesture.late:
                gesture.moved, gesture.late = True, False
                x, y = gesture.position
                gesture.position = (x + rate * io.mouse_delta.x, y + rate * io.mouse_delta.y)
                active.change(_sun_at(gesture.position, centre, radius, azimuth, io.key_shift), label)
    else:
        imgui.dummy(ImVec2(diameter, diameter))
    _draw_pad(centre, radius, sun, elevation, inside or held)


def _take_sun(
    active: ActiveWidget,
    key: str,
    label: str,
    mouse: tuple[float, float],
    sun: tuple[float, float],
    centre: tuple[float, float],
    radius: float,
    azimuth: float,
) -> None:
    another_ended = active.gesture is not None or active.outcome.gesture_ended
    gesture = active.take(key, label, ("sun.azimuth", "sun.elevation"))
    gesture.position = sun
    if math.dist(mouse, sun) > px(GRAB_PIXELS) and not imgui.get_io().key_shift:
        gesture.position = mouse
        gesture.moved = True  # there is no text field behind the pad: a click is complete when it is released
        gesture.late = another_ended
        if not another_ended:
            active.change(_sun_at(mouse, centre, radius, azimuth, False), label)


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
