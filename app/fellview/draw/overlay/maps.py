"""View modes that show values of the land as colours: which colours, from which value to which."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fellview.core.height_field import HeightField
from fellview.draw.ground import rock_layers
from fellview.draw.ground.rock_layers import Colours
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.land_shape import LandShape
from fellview.draw.overlay import colour_maps
from fellview.scene.groups.view import View
from fellview.terrain.erosion.rock import Strata

# of rock, as on geologists' maps
_LAYERS = ("#e8c26a", "#d98b5f", "#b96a72", "#8f79a8", "#6f9fc0", "#7fb59a", "#c3cf8b", "#ecdca6")
_SOFTER = 0.45  # of its light the softest layer lacks

STEEPEST_DEG = 60.0
"""The slope with the last colour: few heights stand steeper."""

_DRY_CELLS = 6.0  # that drain through a place without a colour
_RIVER_SHARE = 0.005  # of the land: what drains through a place of the last colour

_LINES = 20  # contour lines over a land, about
_SQUARES = 24  # of the checker over its longer side, about


@dataclass(frozen=True)
class Span:
    """The row of colours, the values of its first and last colour, and how much relief shades them, 0 to 1."""

    row: str
    first: float
    last: float
    relief: float


def height_span(view: View, height_map: HeightMap, shape: LandShape) -> Span:
    """Return the span from the lowest to the highest ground, in the colours that `view` names."""
    assert height_map.field is not None
    return Span(view.colours, *height_map.field.height_range, 1.0)


def slope_span(view: View, height_map: HeightMap, shape: LandShape) -> Span:
    """Return the span from level ground to steep, in degrees."""
    return Span(view.mode, 0.0, STEEPEST_DEG, 0.0)


def curvature_span(view: View, height_map: HeightMap, shape: LandShape) -> Span:
    """Return the span of nearly all curvatures in 1/m, as far below 0 as above it."""
    bend = shape.bend_per_m(height_map)
    return Span(view.mode, -bend, bend, 0.0)


def drainage_span(view: View, height_map: HeightMap, shape: LandShape) -> Span:
    """Return the span from dry ground to rivers, in decimal logarithms of m²."""
    field = height_map.field
    assert field is not None
    cell_m2 = field.cell_size[0] * field.cell_size[1]
    land_m2 = cell_m2 * field.rows * field.columns
    first, last = math.log10(_DRY_CELLS * cell_m2), math.log10(_RIVER_SHARE * land_m2)
    return Span(view.mode, first, max(last, first + 1), 0.6)  # a small land has no rivers


def erosion_span(view: View, height_map: HeightMap, shape: LandShape) -> Span:
    """Return the span of nearly all changes by erosion in metres, as far below 0 as above it."""
    return Span(view.mode, -shape.largest_change_m, shape.largest_change_m, 0.6)


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
