"""View modes that show values of the land as colours: which colours, from which value to which."""

from __future__ import annotations

import math
from dataclasses import dataclass

import moderngl
import numpy as np

from fellview.core import number_format
from fellview.core.height_field import HeightField
from fellview.draw.ground import rock_layers
from fellview.draw.ground.rock_layers import Colours
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.land_shape import LandShape
from fellview.draw.overlay import colour_maps
from fellview.scene.groups.view import View
from fellview.terrain.erosion.rock import Strata

_OWN: dict[str, tuple[str, ...]] = {
    # level to steep: meadow, straw, rust, wine, black
    "slope": ("#dfe9d2", "#b9cf8f", "#e3cf6b", "#dd9a43", "#c25a34", "#8a2b3b", "#2a1226"),
    # hollow to ridge, and taken away to left behind: a dark end for either, paper between
    "curvature": ("#12385f", "#3f7fb5", "#a9cbe0", "#f3f1ea", "#ecc49b", "#c97a3d", "#7a3411"),
    "erosion": ("#5e1310", "#b5402c", "#e6a585", "#f3f1ea", "#9fcdb4", "#3b9077", "#0c4a46"),
    # dry ground to rivers
    "drainage": ("#f4efe2", "#e3e2cf", "#bcd3c6", "#7fb4c4", "#3d83b0", "#1f4e8c", "#14235a"),
}
# of rock, as on geologists' maps
_LAYERS = ("#e8c26a", "#d98b5f", "#b96a72", "#8f79a8", "#6f9fc0", "#7fb59a", "#c3cf8b", "#ecdca6")
_SOFTER = 0.45  # of its light the softest layer lacks
ROWS = (*colour_maps.COLOUR_MAPS, *_OWN)
"""The rows of the texture of colours; MAPS in shaders/lib/maps.glsl says how many."""

_UNITS = {"height": "m", "slope": "°", "curvature": "1/m", "drainage": "m²", "erosion": "m"}
VALUES = tuple(_UNITS)
"""The view modes that show a value as a colour."""

STEEPEST_DEG = 60.0
"""The slope with the last colour: few heights stand steeper."""

_DRY_CELLS = 6.0  # that drain through a place without a colour
_RIVER_SHARE = 0.005  # of the land: what drains through a place of the last colour

_LINES = 20  # contour lines over a land, about
_SQUARES = 24  # of the checker over its longer side, about


def colours(context: moderngl.Context) -> moderngl.Texture:
    """Return the texture of colours, (256, rows); texel centres along a row are the entries."""
    rows = [
        colour_maps.table(name) if name in colour_maps.COLOUR_MAPS else colour_maps.between(_OWN[name]) for name in ROWS
    ]
    texture = context.texture((256, len(rows)), 4, np.stack(rows).tobytes())
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    texture.repeat_x = texture.repeat_y = False
    return texture


@dataclass(frozen=True)
class Span:
    """The row of colours, the values of its first and last colour, and how much relief shades them, 0 to 1."""

    row: str
    first: float
    last: float
    relief: float

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """What the shader reads: row, first value, width, relief."""
        return ROWS.index(self.row), self.first, max(self.last - self.first, 1e-9), self.relief


def span(view: View, height_map: HeightMap, shape: LandShape) -> Span:
    """Return the span of a view mode that shows values; `shape` has been made for `height_map`."""
    field = height_map.field
    assert field is not None
    if view.mode == "height":
        return Span(view.colours, *field.height_range, 1.0)
    if view.mode == "slope":
        return Span("slope", 0.0, STEEPEST_DEG, 0.0)
    if view.mode == "curvature":
        bend = shape.bend_per_m(height_map)
        return Span("curvature", -bend, bend, 0.0)
    if view.mode == "drainage":
        cell_m2 = field.cell_size[0] * field.cell_size[1]
        land_m2 = cell_m2 * field.rows * field.columns
        first, last = math.log10(_DRY_CELLS * cell_m2), math.log10(_RIVER_SHARE * land_m2)
        return Span("drainage", first, max(last, first + 1), 0.6)  # a small land has no rivers
    return Span("erosion", -shape.largest_change_m, shape.largest_change_m, 0.6)


@dataclass(frozen=True)
class Legend:
    """What a person should know to read a view: its name, what its colours stand for, and a line of words.

    `colours` run evenly from first to last, each 0 to 255; `ticks` are (share of the way, value, unit, word).
    """

    title: str
    note: str = ""
    colours: tuple[tuple[int, int, int], ...] = ()
    ticks: tuple[tuple[float, float, str, str], ...] = ()


_TITLES = {"erosion": "Erosion and deposition", "drainage": "Drainage area", "edges": "Ground with its triangles"}
_NOTES = {
    "normals": "Red grows towards x, green upwards, blue towards z.",
    "wireframe": "The triangles that are drawn, fewer where they would be small.",
    "edges": "The triangles that are drawn, fewer where they would be small.",
    "plain": "One texture throughout.",
    "rock": "A colour a layer: hard ones light, soft ones dark.",
}
_ENTRIES = 32  # colours of a legend; what lies between two is not told from either


def legend(view: View, field: HeightField, span: Span | None) -> Legend | None:
    """Return what a person should know of the view of `field`; none where the ground is just seen.

    `span` is that of a mode which shows values.
    """
    note = _NOTES.get(view.mode, "")
    if view.mode == "checker":
        note = f"Squares of {number_format.length(square(field))}."
    if view.contours:
        apart = contour_interval(view, field)
        lines = f"Contour lines {number_format.length(apart)} apart, heavy ones {number_format.length(5 * apart)}."
        note = f"{note} {lines}".strip()
    if view.mode == "textured":
        return Legend("Contour lines", note) if view.contours else None
    title = _TITLES.get(view.mode, view.mode.capitalize())
    if span is None:
        return Legend(title, note)
    anchors = colour_maps.COLOUR_MAPS.get(span.row) or _OWN[span.row]
    colours = tuple((int(red), int(green), int(blue)) for red, green, blue, _ in colour_maps.between(anchors, _ENTRIES))
    return Legend(title, note, colours, _ticks(view.mode, span))


def _ticks(mode: str, span: Span) -> tuple[tuple[float, float, str, str], ...]:
    """Return the values that stand beside the colours: both ends and the middle, or powers of ten."""
    unit = _UNITS[mode]
    if mode == "drainage":
        powers = range(math.ceil(span.first), math.floor(span.last) + 1)
        return tuple(((power - span.first) / (span.last - span.first), 10.0**power, unit, "") for power in powers)
    words = {
        "slope": ("", "", "and steeper"),
        "curvature": ("hollow", "", "ridge"),
        "erosion": ("taken away", "", "left behind"),
    }.get(mode, ("", "", ""))
    values = (span.first, (span.first + span.last) / 2, span.last)
    return tuple((share, value, unit, word) for share, value, word in zip((0.0, 0.5, 1.0), values, words, strict=True))


def layers(pile: Strata) -> Colours:
    """Return a colour for every sample of the pile, (samples, 3): a hue a layer, hard ones light, soft ones dark."""
    own, hardness = rock_layers.numbers(pile.looks())
    hues = colour_maps.between(_LAYERS)[np.rint(own * 255).astype(int), :3] / 255
    return (hues * (1 - _SOFTER * (1 - hardness[:, None]) / 2)).astype(np.float32)


def round_below(value: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not over `value`."""
    power = 10.0 ** math.floor(math.log10(max(value, 1e-6)))
    return max(power * step for step in (1, 2, 5) if power * step <= value * (1 + 1e-9) or step == 1)


def contour_interval(view: View, field: HeightField) -> float:
    """Return the height between contour lines in metres."""
    low, high = field.height_range
    return view.contour_interval or round_below(max((high - low) / _LINES, 1e-3))


def square(field: HeightField) -> float:
    """Return the side of the checker's squares in metres."""
    return round_below(max(field.size) / _SQUARES)
