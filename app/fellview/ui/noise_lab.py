"""The noise lab: the scene's noise beside a comparison, as maps, curves, histograms and spectra, in the land's place.

It draws from plain data. What is not part of the recipe comes in as a `Lab` and goes out as a new one; the left side's
rows are the panel's own, and share its active widget.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import numpy as np
from imgui_bundle import ImVec2, imgui

from fellview.core import number_format, wording
from fellview.draw.overlay import colour_maps
from fellview.draw.overlay.noise_lab import AXES, SIZE, Curve, Shown, Slice
from fellview.noise import registry
from fellview.noise.statistics import Histogram, Spectrum
from fellview.scene.scene import Scene
from fellview.terrain.steps.noise import Noise, cycles
from fellview.ui import plots, rows, theme, widgets
from fellview.ui.actions import shortcut
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.plots import Line
from fellview.ui.theme import Colour
from fellview.ui.widgets import px

Rectangle = tuple[float, float, float, float]

GROUND = theme.GROUND[:3]
"""The colour that the lab is drawn on: red, green, blue from 0 to 1."""

SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Cycles a second that a slice may move by."""

_LONGEST_STEP_S = 0.1  # after a pause the slice goes on where it was
_NOT_IN_ROWS = ("kind", "amplitude")  # the kind stands on top, and the maps are drawn without metres
_HEAD = 80.0  # from a side's name to its list of kinds, pixels
_ROWS = 7  # room for the longest list of parameters, in two columns: Worley noise's
_SMALLEST_MAP, _SMALLEST_CURVE = 140.0, 80.0  # pixels; a window too small for all scrolls
_LEFT, _RIGHT = theme.ACCENT, theme.WARM
_OCTAVES = colour_maps.table("viridis", 18)[6:] / 255.0  # the darkest would not show on the ground
_DECIBELS = (-120.0, 0.0)
_AXIS_SIGNS = {"third": "z", "fourth": "w"}
_FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_background  # the window's own colour stands behind: one less layer to blend
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_bring_to_front_on_focus
)


@dataclass(frozen=True)
class Lab:
    """The lab as the person left it: whether it is open, the right side's noise, and where the slices are.

    `position` is cycles along `axis`, `speed` cycles a second; at position 0 and at rest both sides show the plane
    that terrain is made of. `cut` is the curves' row, as a share of the map from below; `colours` a colour map's name.
    """

    shown: bool = False
    comparison: Noise = field(default_factory=lambda: Noise(kind="white"))
    playing: bool = False
    axis: str = AXES[0]
    speed: float = 0.25
    position: float = 0.0
    cut: float = 0.5
    colours: str = "grey"

    @property
    def moving(self) -> bool:
        """Return whether every frame differs."""
        return self.shown and self.playing

    def advanced(self, seconds: float) -> Lab:
        """Return the lab `seconds` later."""
        if not self.moving:
            return self
        return dataclasses.replace(self, position=self.position + self.speed * min(seconds, _LONGEST_STEP_S))

    def slices(self, noise: Noise) -> tuple[Slice, Slice]:
        """Return what the two sides show, `noise` on the left."""
        axis = self.axis if self.playing or self.position else ""
        return Slice(noise, axis, self.position), Slice(self.comparison, axis, self.position)


class NoiseLab:
    """The lab's view; it holds the widget under the finger on the right side and which rows are folded out."""

    def __init__(self) -> None:
        self.active = ActiveWidget()

    @property
    def holding(self) -> bool:
        """Return whether a widget of the right side is held or typed into."""
        return self.active.gesture is not None or self.active.typing is not None

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted although no event came."""
        return imgui.get_io().mouse_double_click_time + 0.01 if self.active.pending else None

    def place(self, key: str) -> Rectangle:
        """Return where a part was drawn last: a right side's key, ``map.left``, ``white``, ``copy`` or ``play``."""
        return self.active.places[key]

    def draw(
        self, active: ActiveWidget, home: Scene, area: Rectangle, lab: Lab, shown: tuple[Shown | None, ...]
    ) -> Lab:
        """Draw the lab into `area`; return it as the person has changed it. `active` takes changes of the scene."""
        left, top, width, height = area
        imgui.set_next_window_pos(ImVec2(left, top))
        imgui.set_next_window_size(ImVec2(width, height))
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(12), px(8)))
        imgui.begin("##noise lab", None, _FLAGS)
        lab = self._bar(lab, shown)
        own = self.active
        own.begin(Scene(noise=lab.comparison, grid=active.outcome.scene.grid))
        gap, room = px(20), imgui.get_content_region_avail()
        column = (room.x - gap) / 2
        ceiling = _density_ceiling(shown)
        corner = imgui.get_cursor_screen_pos()
        for number, (one, name) in enumerate(((active, "left"), (own, "right"))):
            imgui.set_cursor_screen_pos(ImVec2(corner.x + number * (column + gap), corner.y))
            imgui.push_id(name)
            imgui.begin_group()
            if number == 0:
                self._left_head(active, column)
            else:
                lab = self._right_head(own, lab, active.outcome.scene.noise, column)
            below = px(theme.ROW_HEIGHT + 6)  # heads differ by a pixel or two
            imgui.set_cursor_screen_pos(ImVec2(corner.x + number * (column + gap), corner.y + below))
            lab = self._pictures(number, name, lab, shown[number], ceiling, (column, room.y - below))
            back = home.noise if number == 0 else Noise(kind=own.outcome.scene.noise.kind)
            _rows(one, back, column)
            imgui.end_group()
            imgui.pop_id()
        outcome = own.finish()
        active.outcome.opens_field |= outcome.opens_field
        if outcome.scene.noise != lab.comparison:
            lab = dataclasses.replace(lab, comparison=outcome.scene.noise)
        imgui.end()
        imgui.pop_style_var(2)
        return lab

    # ---- bar ---------------------------------------------------------------------------------------------------

    def _bar(self, lab: Lab, shown: tuple[Shown | None, ...]) -> Lab:
        space = px(10)
        self._mark("play", px(64))
        if widgets.button("Pause" if lab.playing else "Play", px(64), lit=lab.playing):
            lab = dataclasses.replace(lab, playing=not lab.playing)
        widgets.tip("Move both slices through the noise.", shortcut("lab.play"))
        imgui.same_line(0, px(6))
        if widgets.button("Back to 0", px(76), lab.position != 0):
            lab = dataclasses.replace(lab, position=0.0, playing=False)
        widgets.tip("Stop, and show the plane that terrain is made of.")
        imgui.same_line(0, space)
        lab = dataclasses.replace(lab, axis=_list("slice", "Slice along", lab.axis, AXES, _axis_words, px(112)))
        widgets.tip("The dimension that the slices move through; a kind without it stands still.")
        imgui.same_line(0, space)
        speed = _list("speed", "Speed", lab.speed, SPEEDS, lambda one: f"{number_format.number(one)} cycles/s", px(112))
        lab = dataclasses.replace(lab, speed=speed)
        imgui.same_line(0, space)
        sign = _AXIS_SIGNS[lab.axis]
        _said(f"{sign} = {lab.position:.2f} cycles", theme.TEXT if lab.position else theme.DIM)
        closing = px(28)
        colours_width = px(52) + px(96)
        imgui.same_line(imgui.get_window_width() - px(12) - closing - space - colours_width)
        lab = dataclasses.replace(
            lab,
            colours=_list("colours", "Colours", lab.colours, tuple(colour_maps.COLOUR_MAPS), wording.spoken, px(96)),
        )
        imgui.same_line(imgui.get_window_width() - px(12) - closing)
        if widgets.button("✕##leave", closing):
            lab = dataclasses.replace(lab, shown=False, playing=False)
        widgets.tip("Back to the land.", f"{shortcut('lab')} or Esc")
        imgui.dummy(ImVec2(0, px(3)))
        return lab

    # ---- sides -------------------------------------------------------------------------------------------------

    def _left_head(self, active: ActiveWidget, width: float) -> None:
        noise = active.outcome.scene.noise
        corner = imgui.get_cursor_screen_pos()
        _said("Scene", _LEFT)
        imgui.set_cursor_screen_pos(ImVec2(corner.x + px(_HEAD), corner.y + px(1)))
        _kind(active, noise, width - px(_HEAD))

    def _right_head(self, active: ActiveWidget, lab: Lab, noise: Noise, width: float) -> Lab:
        button = px(62)
        corner = imgui.get_cursor_screen_pos()
        _said("Comparison", _RIGHT)
        imgui.same_line(0, 0)
        imgui.set_cursor_screen_pos(ImVec2(corner.x + px(_HEAD), corner.y + px(1)))
        _kind(active, active.outcome.scene.noise, width - px(_HEAD) - 2 * (button + px(6)))
        imgui.same_line()
        imgui.set_cursor_screen_pos(ImVec2(imgui.get_cursor_screen_pos().x, corner.y))
        self._mark("white", button)
        if widgets.button("White", button, lit=active.outcome.scene.noise.kind == "white"):
            active.click({"noise.kind": "white"}, "Comparison: kind")
        widgets.tip("White noise: every sample on its own, beside noise in which neighbours are alike.")
        imgui.same_line()
        self._mark("copy", button)
        if widgets.button("Copy", button, active.outcome.scene.noise != noise):
            active.click({f"noise.{name}": value for name, value in noise.values().items()}, "Comparison: as the scene")
        widgets.tip("Take the scene's noise over, to change one thing and see what it does.")
        return lab

    def _mark(self, key: str, width: float) -> None:
        """Note where the next button stands."""
        corner = imgui.get_cursor_screen_pos()
        self.active.places[key] = (corner.x, corner.y, width, px(theme.ROW_HEIGHT + 2))

    def _pictures(
        self, number: int, name: str, lab: Lab, one: Shown | None, ceiling: float, room: tuple[float, float]
    ) -> Lab:
        """Draw map, statistics and curve of one side; what the rows leave of the height is theirs."""
        width, height = room
        colour = (_LEFT, _RIGHT)[number]
        corner = imgui.get_cursor_screen_pos()
        caption_height, gap = px(28), px(4)
        row = px(theme.ROW_HEIGHT) + imgui.get_style().item_spacing.y
        rest = height - caption_height - _ROWS * row - 3 * gap
        side = max(min(width * 0.58, rest * 0.66), px(_SMALLEST_MAP))
        top = corner.y + gap
        imgui.set_cursor_screen_pos(ImVec2(corner.x, top))
        below = max(rest - side, px(_SMALLEST_CURVE))
        if one is None:
            imgui.dummy(ImVec2(width, side + caption_height + below))
            return lab
        lab = self._map(name, lab, one, side)
        _caption(one, ImVec2(corner.x, top + side + px(3)), side, lab.colours)
        beside = side + px(12)
        small = (width - beside, (side + caption_height - 2 * gap) / 2)
        imgui.set_cursor_screen_pos(ImVec2(corner.x + beside, top - px(2)))
        _histogram(one, colour, ceiling, small)
        imgui.set_cursor_screen_pos(ImVec2(corner.x + beside, top + small[1] + gap))
        _spectrum(one, colour, small)
        imgui.set_cursor_screen_pos(ImVec2(corner.x, top + side + caption_height))
        _curve(one, colour, (width, below))
        return lab

    def _map(self, name: str, lab: Lab, one: Shown, side: float) -> Lab:
        corner = imgui.get_cursor_screen_pos()
        self.active.places[f"map.{name}"] = (corner.x, corner.y, side, side)
        # the first row is at the bottom, as on the land: x to the right, z up
        imgui.image(imgui.ImTextureRef(one.texture), ImVec2(side, side), ImVec2(0, 1), ImVec2(1, 0))
        imgui.set_cursor_screen_pos(corner)
        imgui.invisible_button("##map", ImVec2(side, side))
        if imgui.is_item_active():
            share = 1 - (imgui.get_mouse_pos().y - corner.y) / side
            lab = dataclasses.replace(lab, cut=min(max(share, 0.0), 1.0))
        widgets.tip("The line is where the curve below is cut; drag it.")
        canvas = imgui.get_window_draw_list()
        y = corner.y + (1 - lab.cut) * side
        lively = imgui.is_item_hovered() or imgui.is_item_active()
        for offset, colour in (
            (px(1), theme.packed(theme.TRACK, 0.8)),
            (0.0, theme.packed(theme.WARM, 1.0 if lively else 0.8)),
        ):
            canvas.add_line(ImVec2(corner.x, y + offset), ImVec2(corner.x + side, y + offset), colour, px(1))
        return lab


def _kind(active: ActiveWidget, noise: Noise, width: float) -> None:
    widgets.choice(active, "noise.kind", "Noise: kind", noise.kind, noise.declaration("kind").options, width)
    widgets.tip(registry.get(noise.kind).tip)


def _rows(active: ActiveWidget, home: Noise, width: float) -> None:
    """Draw the noise's rows in two columns."""
    noise = active.outcome.scene.noise
    names = rows.shown(noise, [name for name in noise.declarations() if name not in _NOT_IN_ROWS])
    names.sort(key=lambda name: noise.declaration(name).more)  # the rarer ones last
    gap = px(8)
    room = (width - gap) / 2
    corner, half = imgui.get_cursor_screen_pos(), (len(names) + 1) // 2
    space = px(theme.ROW_HEIGHT) + imgui.get_style().item_spacing.y
    for number, name in enumerate(names):
        across, down = divmod(number, half)
        imgui.set_cursor_screen_pos(ImVec2(corner.x + across * (room + gap), corner.y + down * space))
        rows.draw(active, rows.Row(noise, home, room, px(74)), name)


def _said(text: str, colour: Colour) -> None:
    """Write `text` in the middle of a row."""
    corner = imgui.get_cursor_screen_pos()
    size = imgui.calc_text_size(text)
    height = px(theme.ROW_HEIGHT + 2)
    imgui.get_window_draw_list().add_text(
        ImVec2(corner.x, corner.y + (height - size.y) / 2), theme.packed(colour), text
    )
    imgui.dummy(ImVec2(size.x, height))


def _list(name: str, label: str, value, options, words, width: float):  # type: ignore[no-untyped-def]
    """Draw a labelled list; return the option that is chosen now."""
    _said(label, theme.DIM)
    imgui.same_line(0, px(6))
    imgui.set_next_item_width(width)
    padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
    opened = widgets.begin_list(f"##{name}", words(value))
    imgui.pop_style_var()
    if opened:
        for option in options:
            if imgui.selectable(words(option), option == value)[0]:
                value = option
        widgets.end_list()
    return value


def _axis_words(axis: str) -> str:
    return f"{_AXIS_SIGNS[axis]}, the {axis}"


def _caption(one: Shown, corner: ImVec2, width: float, colours: str) -> None:
    """Draw the colour bar under a map with the values at its ends, and what the map is between them."""
    canvas = imgui.get_window_draw_list()
    table = colour_maps.table(colours, 48).astype(float) / 255
    height, step = px(5), width / len(table)
    for number, (red, green, blue, _) in enumerate(table):
        left = corner.x + number * step
        colour = theme.packed((red, green, blue, 1.0))
        canvas.add_rect_filled(ImVec2(left, corner.y), ImVec2(left + step + 0.5, corner.y + height), colour)
    y = corner.y + height + px(2)
    low, high = (number_format.number(float(f"{edge:.3g}")) for edge in (one.lowest, one.highest))
    canvas.add_text(ImVec2(corner.x, y), theme.packed(theme.DIM), low)
    canvas.add_text(ImVec2(corner.x + width - imgui.calc_text_size(high).x, y), theme.packed(theme.DIM), high)
    text = caption(one)
    middle = corner.x + (width - imgui.calc_text_size(text).x) / 2
    canvas.add_text(ImVec2(middle, y), theme.packed(theme.DIM), text)


def caption(one: Shown) -> str:
    """Return what a map shows, in words: its dimension and where in it the slice is."""
    text = f"{one.slice.dimension}-D"
    if one.slice.moves:
        text += f", {_AXIS_SIGNS[one.slice.axis]} = {one.slice.position:.2f}"
    if one.cut_octaves:
        text += f", {one.cut_octaves} octaves too fine"
    return text


def _curve(one: Shown, colour: Colour, size: tuple[float, float]) -> None:
    coherent = bool(registry.get(one.slice.noise.kind).natural_period)
    length = cycles(one.slice.noise) if coherent else float(SIZE)
    x = np.linspace(0, length, SIZE, endpoint=False)
    lines = []
    if one.octaves is not None and len(one.octaves) > 1:
        lines = [Line(x, y.astype(float), _octave_colour(n), 1.2) for n, y in enumerate(one.octaves)]
    if one.curve is not None:
        lines.append(Line(x, one.curve.astype(float), colour, 1.6))
    title = (
        "Along the cut" if len(lines) < 2 else f"Along the cut: the sum, and what each of {len(lines) - 1} octaves adds"
    )
    low, high = min(one.lowest, 0.0), max(one.highest, 0.0)
    margin = 0.04 * (high - low)
    axes = (plots.linear(0, length, 8), plots.linear(low - margin, high + margin, 5))
    plots.draw("curve", title, size, axes, ("cycles" if coherent else "samples", "value"), lines)


def _octave_colour(number: int) -> Colour:
    red, green, blue, _ = _OCTAVES[(2 * number) % len(_OCTAVES)]
    return float(red), float(green), float(blue), 0.9


def density(one: Histogram) -> tuple[Curve, Curve]:
    """Return a histogram's outline as steps (x, y), its area 1."""
    x = np.repeat(one.edges, 2)
    y = np.concatenate([[0.0], np.repeat(one.shares / np.diff(one.edges), 2), [0.0]])
    return x, y  # type: ignore[return-value]


def decibels(one: Spectrum) -> tuple[Curve, Curve]:
    """Return a spectrum's rings from 1 cycle to half the samples: cycles, and power against the whole in decibels."""
    whole = max(float((one.power * one.modes).sum()), 1e-30)
    last = SIZE // 2 + 1
    power = np.maximum(one.power[1:last] / whole, 1e-15)
    return one.cycles[1:last], 10 * np.log10(power)  # type: ignore[return-value]


def _density_ceiling(shown: tuple[Shown | None, ...]) -> float:
    """Return where both histograms' axes end: the same, so that heights compare."""
    tallest = [float(density(one.histogram)[1].max()) for one in shown if one is not None and one.histogram is not None]
    return plots.nice(max([*tallest, 0.5]))


def _histogram(one: Shown, colour: Colour, ceiling: float, size: tuple[float, float]) -> None:
    lines = []
    if one.histogram is not None:
        x, y = density(one.histogram)
        lines.append(Line(x, y, colour, 1.0, fill=True))  # type: ignore[arg-type]
    axes = (plots.linear(one.low, one.high), plots.linear(0, ceiling, 2))
    plots.draw("histogram", "Histogram", size, axes, ("value", "density"), lines)


def _spectrum(one: Shown, colour: Colour, size: tuple[float, float]) -> None:
    lines = []
    if one.spectrum is not None:
        x, y = decibels(one.spectrum)
        lines.append(Line(x, np.maximum(y, _DECIBELS[0]), colour, 1.3))  # type: ignore[arg-type]
    axes = (plots.logarithmic(1, SIZE / 2), plots.linear(*_DECIBELS, 3))
    coherent = registry.get(one.slice.noise.kind).natural_period
    marks = (cycles(one.slice.noise),) if coherent else ()
    plots.draw("spectrum", "Spectrum", size, axes, ("cycles", "dB"), lines, marks)
