"""Small plots in the house's looks: lines, filled steps and ruled axes with units, from plain arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot
from numpy.typing import NDArray

from fellview.ui import theme
from fellview.ui.theme import Colour
from fellview.ui.widgets import px

Numbers = NDArray[np.float64]

_FLAGS = implot.Flags_.no_title | implot.Flags_.no_legend | implot.Flags_.no_inputs | implot.Flags_.no_mouse_text
_AXIS = implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight | implot.AxisFlags_.no_side_switch
_TICK_SIZE = 11.5


@dataclass(frozen=True)
class Axis:
    """One axis: from `low` to `high`, with `ticks` by their numbers and what is written there."""

    low: float
    high: float
    ticks: tuple[float, ...]
    labels: tuple[str, ...]
    log: bool = False


@dataclass(frozen=True)
class Line:
    """A line through (x, y), `weight` pixels wide; `fill` shades it down to the axis."""

    x: Numbers
    y: Numbers
    colour: Colour
    weight: float = 1.0
    fill: bool = False


def linear(low: float, high: float, count: int = 4) -> Axis:
    """Return an axis with about `count` round ticks."""
    step = nice((high - low) / count)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    ticks = tuple(number * step for number in range(first, last + 1))
    return Axis(low, high, ticks, tuple(f"{tick:.6g}".replace("-", "−") for tick in ticks))


def logarithmic(low: float, high: float, base: int = 4) -> Axis:
    """Return a logarithmic axis with ticks at the powers of `base`."""
    first, last = math.ceil(math.log(low, base) - 1e-9), math.floor(math.log(high, base) + 1e-9)
    ticks = tuple(float(base**power) for power in range(first, last + 1))
    return Axis(low, high, ticks, tuple(f"{tick:g}" for tick in ticks), log=True)


def nice(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the first that is not below `step`."""
    scale = 10.0 ** math.floor(math.log10(step))
    return next(factor * scale for factor in (1, 2, 5, 10) if factor * scale >= step * (1 - 1e-9))


def draw(
    name: str,
    title: str,
    size: tuple[float, float],
    axes: tuple[Axis, Axis],
    units: tuple[str, str],
    lines: Sequence[Line],
    marks: Sequence[float] = (),
) -> None:
    """Draw a plot of `size` with a line above it: `title` on the left, `units` (horizontal, vertical) on the right.

    `marks` are verticals.
    """
    if implot.get_current_context() is None:
        implot.create_context()
    corner = imgui.get_cursor_screen_pos()
    width, height = size
    head = px(17)
    canvas = imgui.get_window_draw_list()
    canvas.add_text(corner, theme.packed(theme.TEXT), title)
    unit = f"{units[1]} over {units[0]}"
    room = width - imgui.calc_text_size(unit).x - px(2)
    if room > imgui.calc_text_size(title).x + px(6):
        canvas.add_text(ImVec2(corner.x + room, corner.y), theme.packed(theme.DIM), unit)
    imgui.dummy(ImVec2(width, head))
    imgui.set_cursor_screen_pos(ImVec2(corner.x, corner.y + head))
    imgui.push_font(None, _TICK_SIZE)
    _push_style()
    if implot.begin_plot(f"##{name}", ImVec2(width, height - head), _FLAGS):
        for which, axis in zip((implot.ImAxis_.x1, implot.ImAxis_.y1), axes, strict=True):
            implot.setup_axis(which, None, _AXIS)
            if axis.log:
                implot.setup_axis_scale(which, implot.Scale_.log10)
            implot.setup_axis_limits(which, axis.low, axis.high, implot.Cond_.always)
            implot.setup_axis_ticks(which, list(axis.ticks), list(axis.labels))
        implot.setup_finish()
        for number, mark in enumerate(marks):
            spec = implot.Spec(line_color=ImVec4(*_faded(theme.WARM, 0.45)), line_weight=px(1))
            implot.plot_inf_lines(f"##mark {number}", np.array([mark]), spec)
        for number, line in enumerate(lines):
            _line(f"##{number}", line, axes[1].low)
        implot.end_plot()
    _pop_style()
    imgui.pop_font()


def _line(name: str, line: Line, base: float) -> None:
    if line.fill:
        spec = implot.Spec(fill_color=ImVec4(*_faded(line.colour, 0.35)), line_weight=0.0)
        implot.plot_shaded(name, line.x, line.y, base, spec)
    implot.plot_line(name, line.x, line.y, implot.Spec(line_color=ImVec4(*line.colour), line_weight=px(line.weight)))


def _faded(colour: Colour, alpha: float) -> Colour:
    return (*colour[:3], colour[3] * alpha)


_STYLE = (
    (implot.StyleVar_.plot_padding, (2.0, 2.0)),
    (implot.StyleVar_.label_padding, (4.0, 2.0)),
    (implot.StyleVar_.major_tick_len, (3.0, 3.0)),
    (implot.StyleVar_.minor_tick_len, (0.0, 0.0)),
)
_COLOURS = (
    (implot.Col_.frame_bg, (0.0, 0.0, 0.0, 0.0)),
    (implot.Col_.plot_bg, (*theme.TRACK[:3], 0.45)),
    (implot.Col_.plot_border, (0.0, 0.0, 0.0, 0.0)),
    (implot.Col_.axis_text, theme.DIM),
    (implot.Col_.axis_grid, (*theme.FAINT[:3], 0.35)),
    (implot.Col_.axis_tick, (*theme.FAINT[:3], 0.6)),
)


def _push_style() -> None:
    for variable, (x, y) in _STYLE:
        implot.push_style_var(variable, ImVec2(px(x), px(y)))
    for which, colour in _COLOURS:
        implot.push_style_color(which, ImVec4(*colour))


def _pop_style() -> None:
    implot.pop_style_color(len(_COLOURS))
    implot.pop_style_var(len(_STYLE))


def forget() -> None:
    """Let go of a plot that was begun and, after an error, will not be ended; the next one begins anew."""
    if implot.get_current_context() is not None:
        implot.destroy_context()
