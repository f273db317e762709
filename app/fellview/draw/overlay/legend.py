"""The legend: what a person should know to read a view of the land."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fellview.core import number_format
from fellview.core.height_field import HeightField
from fellview.draw.overlay import colour_maps, maps, view_modes
from fellview.draw.overlay.maps import Span
from fellview.draw.overlay.view_modes import Values
from fellview.scene.groups.view import View
from fellview.scene.groups.view_modes import named

_ENTRIES = 32  # colours of a legend; what lies between two is not told from either


@dataclass(frozen=True)
class Legend:
    """What a person should know to read a view: its name, what its colours stand for, and a line of words.

    `colours` run evenly from first to last, each 0 to 255; `ticks` are (share of the way, value, unit, word).
    """

    title: str
    note: str = ""
    colours: tuple[tuple[int, int, int], ...] = ()
    ticks: tuple[tuple[float, float, str, str], ...] = ()


def legend(view: View, field: HeightField, span: Span | None) -> Legend | None:
    """Return what a person should know of the view of `field`; none where the ground is just seen.

    `span` is that of a mode which shows values.
    """
    note = own = view_modes.note(view.mode, field)
    if view.contours:
        apart = maps.contour_interval(view, field)
        lines = f"Contour lines {number_format.length(apart)} apart, heavy ones {number_format.length(5 * apart)}."
        note = f"{note} {lines}".strip()
    values = view_modes.drawing(view.mode).values
    if values is None or span is None:
        if own:
            return Legend(named(view.mode).heading, note)
        return Legend("Contour lines", note) if view.contours else None
    anchors = view_modes.row_colours(span.row)
    colours = tuple((int(red), int(green), int(blue)) for red, green, blue, _ in colour_maps.between(anchors, _ENTRIES))
    return Legend(named(view.mode).heading, note, colours, _ticks(values, named(view.mode).unit, span))


def _ticks(values: Values, unit: str, span: Span) -> tuple[tuple[float, float, str, str], ...]:
    """Return the values that stand beside the colours: both ends and the middle, or powers of ten."""
    if values.logarithmic:
        powers = range(math.ceil(span.first), math.floor(span.last) + 1)
        return tuple(((power - span.first) / (span.last - span.first), 10.0**power, unit, "") for power in powers)
    told = (span.first, (span.first + span.last) / 2, span.last)
    return tuple(
        (share, value, unit, word) for share, value, word in zip((0.0, 0.5, 1.0), told, values.words, strict=True)
    )
