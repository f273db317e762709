"""The map of a land as a picture: heights, hillshade or any mask, north up. Numpy only: a thread of the window's can.

The hillshade is cartographers' own, lit from the north-west whatever the scene's sun does: lit from below, hills look
like hollows (E. Imhof, Cartographic Relief Presentation, 1982).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights
from fellview.draw.overlay import colour_maps, view_modes
from fellview.draw.overlay.legend import Legend
from fellview.draw.overlay.maps import STEEPEST_DEG
from fellview.terrain.field import Field

HILLSHADE, HEIGHT = "hillshade", "height"

TITLES: Mapping[str, str] = MappingProxyType({HILLSHADE: "Hillshade", HEIGHT: "Height"})
"""What is shown without a mask."""

_LIGHT = (-0.5, 2**-0.5, 0.5)  # towards it: x, up, z; from the north-west, 45° high
_STEEP = 0.7  # the slope, rise over run, that nine tenths of a land lie below are drawn with: enough for full shades
_EXAGGERATION = (0.5, 8.0)  # of slopes, to come to that
_AMBIENT = 0.25  # the light that comes from everywhere
_PAPER, _SHALLOW, _DEEP = (212, 206, 194), (152, 196, 214), (54, 104, 150)
_MASK_RELIEF = 0.45  # how much of the hillshade darkens a mask's colours
_ROWS = {"slope": "slope", "curvature": "curvature", "drainage_area": "drainage"}  # colours that view modes have, too
_USUAL = "viridis"
_NEARLY_ALL = 99.5  # percent of the values that the colours run over
_DRY = 50.0  # percent of the places, through which so little drains that they have the first colour
_ENTRIES = 32  # colours of a legend


@dataclass(frozen=True)
class LandMap:
    """The picture, uint8 [row, column, rgba] with the north first, and what its colours mean."""

    pixels: NDArray[np.uint8]
    legend: Legend


def land_map(
    field: HeightField,
    longest: int,
    mask: tuple[Field, Heights] | None = None,
    colours: str = "",
    sea_level: float | None = None,
) -> LandMap:
    """Return the map of `field`, no side of it longer than `longest` pixels but for a rest.

    It shows the values of `mask`; or else heights in the `colours` of that name, or the hillshade alone, with water
    where it lies below `sea_level`.
    """
    cells = max(-(-max(field.rows, field.columns) // longest), 1)
    heights = pooled(field.heights, cells)
    light = hillshade(heights, (field.cell_size[0] * cells, field.cell_size[1] * cells))
    if mask is not None:
        declared, values = mask
        row, first, last, logarithmic = _span(declared, values)
        shown = pooled(values, cells, declared)
        shown = np.log10(np.maximum(shown, 1e-9)) if logarithmic else shown
        table = colour_maps.between(view_modes.row_colours(row))[:, :3]
        picture = _coloured(shown, table, first, last) * (1 - _MASK_RELIEF * (1 - light))[..., None]
        legend = _legend(declared.title, row, (first, last), declared.symbol, logarithmic)
    elif colours:
        low, high = float(heights.min()), float(heights.max())
        table = colour_maps.table(colours)[:, :3]
        picture = _coloured(heights, table, low, high) * (0.4 + 0.6 * light)[..., None]
        legend = _legend(TITLES[HEIGHT], colours, (low, high), "m", False)
    else:
        picture = light[..., None] * np.array(_PAPER, np.float32)
        legend = Legend(TITLES[HILLSHADE], "Light from the north-west.")
        if sea_level is not None:
            _lay_sea(picture, heights, sea_level)
    pixels = np.full((*heights.shape, 4), 255, np.uint8)
    pixels[..., :3] = np.clip(picture, 0, 255)[::-1]
    return LandMap(pixels, legend)


def pooled(values: Heights, cells: int, declared: Field | None = None) -> Heights:
    """Return one value for each square of so many `cells` a side, float32; what is left over at the ends falls away.

    That is the mean; of drainage the largest, or rivers would be gone, and of kinds the first.
    """
    if cells == 1:
        return np.asarray(values, np.float32)
    rows, columns = (max(side // cells, 1) for side in values.shape)
    if declared is not None and declared.categorical:
        return np.asarray(values[: rows * cells : cells, : columns * cells : cells], np.float32)
    squares = values[: rows * cells, : columns * cells].reshape(rows, -1, columns, min(cells, values.shape[1]))
    if declared is not None and declared.name == "drainage_area":
        return np.asarray(squares.max(axis=(1, 3)), np.float32)
    return np.asarray(squares.mean(axis=(1, 3)), np.float32)


def hillshade(heights: Heights, cell_size: tuple[float, float]) -> Heights:
    """Return how light each cell is, 0 to 1, float32 [row, column]; `cell_size` is (z, x) in metres."""
    if min(heights.shape) < 2:
        return np.ones_like(heights)
    along_z, along_x = (np.asarray(slopes, np.float32) for slopes in np.gradient(heights, *cell_size))
    steep = float(np.percentile(np.hypot(along_z[::4, ::4], along_x[::4, ::4]), 90))
    times = np.float32(np.clip(_STEEP / max(steep, 1e-6), *_EXAGGERATION))
    along_z, along_x = times * along_z, times * along_x
    towards_x, up, towards_z = _LIGHT
    lit = up - towards_x * along_x - towards_z * along_z
    lit /= np.sqrt(1 + along_x * along_x + along_z * along_z)
    # level ground is not the brightest: what faces the light is a fifth brighter at most, which paper leaves room for
    return np.asarray(np.clip(_AMBIENT + (1 - _AMBIENT) * lit / up, _AMBIENT, 1.2), np.float32)


def _span(declared: Field, values: Heights) -> tuple[str, float, float, bool]:
    """Return the row of colours for `values`, those of its first and last colour, and whether they are logarithms."""
    row = _ROWS.get(declared.name, _USUAL)
    some = values[:: max(values.shape[0] // 256, 1), :: max(values.shape[1] // 256, 1)]
    if declared.name == "slope":
        return row, 0.0, STEEPEST_DEG, False
    if declared.name == "curvature":
        bend = max(float(np.percentile(np.abs(some), 98)), 1e-9)
        return row, -bend, bend, False
    if declared.name == "drainage_area":
        first, last = (math.log10(max(float(np.percentile(some, one)), 1e-9)) for one in (_DRY, _NEARLY_ALL))
        return row, first, max(last, first + 1), True
    low, high = float(values.min()), float(values.max())
    if not declared.categorical and low >= 0:
        wet = some[some > 0]  # of most masks nearly all of the land has none
        high = float(np.percentile(wet, _NEARLY_ALL)) if wet.size else high
    return row, low, max(high, low + 1e-9), False


def _coloured(values: Heights, table: NDArray[np.uint8], first: float, last: float) -> NDArray[np.float32]:
    entries = (values - np.float32(first)) * np.float32((len(table) - 1) / max(last - first, 1e-9))
    return np.asarray(table.astype(np.float32)[np.clip(np.rint(entries), 0, len(table) - 1).astype(np.intp)])


def _lay_sea(picture: NDArray[np.float32], heights: Heights, sea_level: float) -> None:
    depth = np.float32(sea_level) - heights
    wet = depth > 0
    if wet.any():
        share = np.sqrt(np.clip(depth[wet] / max(float(depth[wet].max()), 1e-6), 0, 1))[:, None]
        picture[wet] = (1 - share) * np.asarray(_SHALLOW, np.float32) + share * np.asarray(_DEEP, np.float32)


def _legend(title: str, row: str, span: tuple[float, float], unit: str, logarithmic: bool) -> Legend:
    anchors = colour_maps.between(view_modes.row_colours(row), _ENTRIES)
    colours = tuple((int(red), int(green), int(blue)) for red, green, blue, _ in anchors)
    shares = (0.0, 0.5, 1.0)
    values = [span[0] + share * (span[1] - span[0]) for share in shares]
    told = [10.0**value for value in values] if logarithmic else values
    return Legend(
        title, "", colours, tuple((share, value, unit, "") for share, value in zip(shares, told, strict=True))
    )
