"""The map of the land beside it or in its place: what it shows, the camera on it, and curves of its heights below.

A click on the map says where the camera is to aim, a drag draws a line along which the ground's profile is shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from imgui_bundle import ImVec2, imgui

from fellview.core import number_format
from fellview.draw.overlay.legend import Legend
from fellview.ui import drawn, overlays, plots, theme, widgets, windows
from fellview.ui.actions import shortcut
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle
from fellview.view.hypsometry import Hypsometry
from fellview.view.profile import Place, Profile

_PADDING, _GAP = 10.0, 6.0
_SQUARE, _BUTTON = 28.0, 66.0
_LEAST_PLOT, _PLOT, _MOST_PLOT = 84.0, 0.19, 150.0  # how high a plot is: of the pane's height, and its limits
_SIDE = 300.0  # how wide the plots are where they stand beside the map
_WIDE = 1.3  # width by height of the pane, from which on they do
_HINT = "A click aims the camera, a drag draws a profile."
_CLICK_PIXELS = 4.0  # a press that moves less is a click
_OnScreen = Callable[[Place], ImVec2]
_OnGround = Callable[[tuple[float, float]], Place]


@dataclass(frozen=True)
class MapShown:
    """What the map shows of a land of `size` (z, x) metres.

    `kinds` are (name, title) of all that may be chosen, `kind` is the one that is. `texture` is the picture, none as
    long as `wait` tells what it waits for. `eye` and the corners of the `footprint` on the ground, from the lower left
    on, are the camera's; `line` are the places that are measured between, at most two, with the `profile` of the ground
    along them. `whole` tells that the map stands in the land's place.
    """

    kinds: tuple[tuple[str, str], ...]
    kind: str
    size: tuple[float, float]
    texture: int | None = None
    wait: str = ""
    legend: Legend | None = None
    eye: Place | None = None
    footprint: tuple[Place, ...] = ()
    line: tuple[Place, ...] = ()
    profile: Profile | None = None
    told: str = ""
    hypsometry: Hypsometry | None = None
    whole: bool = False


@dataclass
class MapDone:
    """What the person did on the map in one frame."""

    kind: str | None = None
    aim: Place | None = None
    line: tuple[Place, ...] | None = None
    actions: list[str] = field(default_factory=list)


class MapView:
    """Draws the map; holds where a press on it began. `picture_size` is how large the map was drawn last."""

    def __init__(self) -> None:
        self.picture_size = (0.0, 0.0)
        self._pressed: tuple[float, float] | None = None
        self._dragged = False

    def draw(self, shown: MapShown, area: Rectangle) -> MapDone:
        """Draw the map in `area`; return what the person did."""
        done = MapDone()
        left, top, width, height = area
        imgui.set_next_window_pos(ImVec2(left, top))
        imgui.set_next_window_size(ImVec2(max(width, 1), max(height, 1)))
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_PADDING), px(_PADDING)))
        imgui.begin("##map", None, windows.PANE | imgui.WindowFlags_.no_focus_on_appearing)
        imgui.pop_style_var(2)
        self._head(shown, width - px(2 * _PADDING), done)
        corner = imgui.get_cursor_screen_pos()
        room = (width - px(2 * _PADDING), top + height - px(_PADDING) - corner.y)
        self._below_or_beside(shown, (corner.x, corner.y), room, done)
        imgui.end()
        return done

    def _head(self, shown: MapShown, width: float, done: MapDone) -> None:
        """Draw the list of what may be shown, and the buttons beside it."""
        space = imgui.get_style().item_spacing.x
        imgui.set_next_item_width(max(width - px(_BUTTON + _SQUARE) - 2 * space, px(40)))
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        opened = widgets.begin_list("##map kind", dict(shown.kinds).get(shown.kind, ""))
        imgui.pop_style_var()
        if opened:
            for name, title in shown.kinds:
                if imgui.selectable(title, name == shown.kind)[0]:
                    done.kind = name
                drawn.note(Drawn("entry", name, widgets.place(), title))
            widgets.end_list()
        else:
            widgets.tip("What the map shows: heights, light and shade, or a value of the land.")
        imgui.same_line()
        if widgets.button("Beside##map" if shown.whole else "Enlarge##map", px(_BUTTON)):
            done.actions.append("map.whole")
        tip = "Show the map beside the land." if shown.whole else "Show the map in the land's place."
        widgets.tip(tip, shortcut("map.whole"))
        imgui.same_line()
        if widgets.button("×##map", px(_SQUARE)):
            done.actions.append("map")
        widgets.tip("Close the map.", shortcut("map"))
        imgui.dummy(ImVec2(1, px(1)))

    def _below_or_beside(
        self, shown: MapShown, corner: tuple[float, float], room: tuple[float, float], done: MapDone
    ) -> None:
        """Draw the map with its curves below, or beside it where the pane is wide."""
        left, top = corner
        width, height = room
        depth, across = shown.size
        plot = min(max(_PLOT * height, px(_LEAST_PLOT)), px(_MOST_PLOT))
        words = imgui.get_text_line_height()
        legend = self._legend_height(shown)
        if width > _WIDE * height:
            free = (width - px(_SIDE + 2 * _GAP), height - legend)
            map_size = _fitted(free, (across, depth))
            self._map(shown, (left, top, *map_size), done)
            self._legend(shown, (left, top + map_size[1], map_size[0]))
            beside = left + map_size[0] + px(2 * _GAP)
            self._curves(shown, (beside, top, left + width - beside, height), min(1.4 * plot, height / 3.5))
            return
        above = words if shown.profile is None else plot  # what stands over the curves of all heights
        below = above + plot + words + px(3 * _GAP) + legend
        map_size = _fitted((width, max(height - below, px(60))), (across, depth))
        self._map(shown, (left + (width - map_size[0]) / 2, top, *map_size), done)
        self._legend(shown, (left, top + map_size[1], width))
        y = top + map_size[1] + legend
        self._curves(shown, (left, y, width, top + height - y), plot)

    # -- the map -------------------------------------------------------------------------------------------------------

    def _map(self, shown: MapShown, place: Rectangle, done: MapDone) -> None:
        x, y, width, height = place
        self.picture_size = (width, height)
        first, last = ImVec2(x, y), ImVec2(x + width, y + height)
        canvas = imgui.get_window_draw_list()
        canvas.add_rect_filled(first, last, theme.packed(theme.TRACK))
        drawn.note(Drawn("button", "map", place))
        if shown.texture is not None:
            canvas.add_image(imgui.ImTextureRef(shown.texture), first, last)
        if shown.wait:
            size = imgui.calc_text_size(shown.wait)
            at = ImVec2(x + (width - size.x) / 2, y + (height - size.y) / 2)
            edge = ImVec2(px(8), px(4))
            canvas.add_rect_filled(at - edge, at + size + edge, theme.packed(theme.GROUND, 0.85), px(4))
            canvas.add_text(at, theme.packed(theme.TEXT), shown.wait)
            drawn.note(Drawn("remark", "map", words=shown.wait))
        depth, across = shown.size

        def on_screen(at: Place) -> ImVec2:
            return ImVec2(x + at[0] / across * width, y + (1 - at[1] / depth) * height)

        def on_ground(at: tuple[float, float]) -> Place:
            share_x, share_z = (at[0] - x) / width, 1 - (at[1] - y) / height
            return min(max(share_x, 0.0), 1.0) * across, min(max(share_z, 0.0), 1.0) * depth

        canvas.push_clip_rect(first, last, True)
        _camera(canvas, shown, on_screen)
        _line(canvas, [on_screen(at) for at in shown.line])
        canvas.pop_clip_rect()
        imgui.set_cursor_screen_pos(first)
        imgui.invisible_button("##map picture", ImVec2(max(width, 1), max(height, 1)))
        mouse = imgui.get_mouse_pos()
        if imgui.is_item_activated():
            self._pressed, self._dragged = (mouse.x, mouse.y), False
        if self._pressed is not None:
            self._follow((mouse.x, mouse.y), imgui.is_item_active(), on_ground, done)

    def _follow(self, mouse: tuple[float, float], held: bool, on_ground: _OnGround, done: MapDone) -> None:
        """Take what a press on the map has come to."""
        assert self._pressed is not None
        self._dragged = self._dragged or math.dist(mouse, self._pressed) >= px(_CLICK_PIXELS)
        if self._dragged:
            done.line = on_ground(self._pressed), on_ground(mouse)
        if not held:
            if not self._dragged:
                done.aim = on_ground(self._pressed)
            self._pressed = None

    def _legend_height(self, shown: MapShown) -> float:
        colours = shown.legend is not None and shown.legend.colours
        return px(16 + _GAP) + imgui.get_text_line_height() if colours else px(_GAP)

    def _legend(self, shown: MapShown, place: tuple[float, float, float]) -> None:
        x, y, width = place
        if shown.legend is not None and shown.legend.colours:
            imgui.set_cursor_screen_pos(ImVec2(x, y + px(2)))
            overlays.colour_bar(shown.legend, width, px(8))

    # -- curves --------------------------------------------------------------------------------------------------------

    def _curves(self, shown: MapShown, place: Rectangle, plot: float) -> None:
        """Draw the profile, or how to have one, and below it the histogram of heights and the hypsometric curve."""
        x, y, width = place[0], place[1], place[2] - px(_GAP)  # half of the last number stands beyond its axis
        found = shown.hypsometry
        if shown.profile is not None:
            imgui.set_cursor_screen_pos(ImVec2(x, y))
            _profile(shown.profile, shown.told, (width, plot))
            y += plot + px(_GAP)
        else:
            drawn.note(Drawn("remark", "profile", words=_HINT))
            imgui.get_window_draw_list().add_text(ImVec2(x, y), theme.packed(theme.DIM), _HINT)
            y += imgui.get_text_line_height() + px(_GAP)
        if found is None:
            return
        words = f"lowest {_metres(found.lowest)}   mean {_metres(found.mean)}   highest {_metres(found.highest)}"
        at = ImVec2(x, y)
        imgui.get_window_draw_list().add_text(at, theme.packed(theme.TEXT), words)
        drawn.note(Drawn("remark", "heights", words=words))
        imgui.set_cursor_screen_pos(at)
        imgui.dummy(ImVec2(width, imgui.get_text_line_height()))
        widgets.tip(
            f"The mean lies {100 * found.integral:.0f} % of the way up: the hypsometric integral, high for uplands,"
            " low for plains with single hills."
        )
        y += imgui.get_text_line_height() + px(_GAP)
        side_by_side = y + 2 * plot + px(_GAP) > place[1] + place[3]
        half = (width - px(_GAP)) / 2 if side_by_side else width
        imgui.set_cursor_screen_pos(ImVec2(x, y))
        _histogram(found, (half, plot))
        below = ImVec2(x + half + px(_GAP), y) if side_by_side else ImVec2(x, y + plot + px(_GAP))
        imgui.set_cursor_screen_pos(below)
        _hypsometric_curve(found, (half, plot))


def _fitted(room: tuple[float, float], land: tuple[float, float]) -> tuple[float, float]:
    """Return the largest width and height in `room` of the shape of `land`, which is wide and deep in metres."""
    wide, high = max(room[0], 1.0), max(room[1], 1.0)
    scale = min(wide / land[0], high / land[1])
    return land[0] * scale, land[1] * scale


def _camera(canvas: imgui.ImDrawList, shown: MapShown, on_screen: _OnScreen) -> None:
    """Draw what the camera sees, and where it stands."""
    if shown.eye is None:
        return
    eye = on_screen(shown.eye)
    if shown.footprint:
        near_left, far_left, far_right, near_right = (on_screen(at) for at in shown.footprint)
        canvas.add_quad_filled(near_left, far_left, far_right, near_right, theme.packed(theme.ACCENT, 0.2))
        for start, end in ((eye, far_left), (far_left, far_right), (far_right, eye)):
            canvas.add_line(start, end, theme.packed(theme.GROUND, 0.7), px(3))
            canvas.add_line(start, end, theme.packed(theme.ACCENT), px(1.5))
    canvas.add_circle_filled(eye, px(6), theme.packed(theme.GROUND))
    canvas.add_circle_filled(eye, px(4.5), theme.packed(theme.ACCENT))


def _line(canvas: imgui.ImDrawList, points: Sequence[ImVec2]) -> None:
    """Draw the line that is measured along."""
    for colour, thick, dot in ((theme.packed(theme.GROUND, 0.8), 4, 5), (theme.packed(theme.WARM), 2, 3.5)):
        if len(points) == 2:
            canvas.add_line(points[0], points[1], colour, px(thick))
        for at in points:
            canvas.add_circle_filled(at, px(dot), colour)


def _profile(profile: Profile, told: str, size: tuple[float, float]) -> None:
    scale, unit = (1000.0, "km") if profile.along[-1] >= 10_000 else (1.0, "m")
    along, heights = profile.along / scale, profile.heights
    low, high = float(heights.min()), float(heights.max())
    room = 0.06 * max(high - low, 1e-3)
    axes = plots.linear(0.0, max(float(along[-1]), 1e-6), _ticks(size[0])), plots.linear(low - room, high + room)
    line = plots.Line(along, heights, theme.WARM, 1.6, fill=True)
    plots.draw("profile", f"Profile   {told}", size, axes, (unit, "m"), [line])
    drawn.note(Drawn("remark", "profile", words=told))


def _histogram(found: Hypsometry, size: tuple[float, float]) -> None:
    percent = 100 * found.shares
    x = np.repeat(found.edges, 2)[1:-1]
    across = plots.linear(float(found.edges[0]), float(found.edges[-1]))
    axes = across, plots.linear(0.0, 1.08 * float(percent.max()), 3)
    line = plots.Line(x, np.repeat(percent, 2), theme.ACCENT, 1.2, fill=True)
    plots.draw("heights", "Heights", size, axes, ("m", "% of area"), [line], (found.mean,))


def _hypsometric_curve(found: Hypsometry, size: tuple[float, float]) -> None:
    axes = plots.linear(0.0, 100.0, _ticks(size[0])), plots.linear(float(found.edges[0]), float(found.edges[-1]))
    percent, heights = (np.ascontiguousarray(values[::-1]) for values in (100 * found.above, found.edges))
    line = plots.Line(percent, heights, theme.ACCENT, 1.6)
    plots.draw("hypsometric", "Hypsometric curve", size, axes, ("% above", "m"), [line])


def _ticks(width: float) -> int:
    """Return how many ticks an axis of that width has room for."""
    return 2 if width < px(220) else 5


def _metres(height: float) -> str:
    return number_format.with_unit(round(height, 1 if abs(height) < 1000 else 0), "m")
