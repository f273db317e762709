"""The view modes: what of the land is shown. Recipes hold their names; draw/overlay/view_modes.py draws them."""

from __future__ import annotations

from dataclasses import dataclass

from fellview.core.errors import InputError, quoted
from fellview.terrain.pipeline.masks import CURVATURE, DRAINAGE_AREA, EROSION_DEPTH, SLOPE
from fellview.terrain.step import HEIGHT


@dataclass(frozen=True)
class ViewMode:
    """One way to look at the land."""

    name: str
    """What recipes call it."""
    tip: str
    """What a person sees, in words that follow its name and a colon."""
    title: str = ""
    """What a legend calls it; empty where that is its name."""
    unit: str = ""
    """The unit of the values that its colours stand for; empty where they stand for none."""

    @property
    def heading(self) -> str:
        """What stands over its legend."""
        return self.title or self.name.capitalize()


DIFFERENCE = "difference"
"""The one that is a way to compare lands, too."""

VIEW_MODES = (
    ViewMode("textured", "the ground in its light"),
    ViewMode("normals", "a colour for each direction that the ground faces"),
    ViewMode("wireframe", "the triangles"),
    ViewMode("plain", "one texture throughout"),
    ViewMode("height", "from the lowest to the highest ground", unit=HEIGHT.symbol),
    ViewMode("slope", "level ground light, steep ground dark", unit=SLOPE.symbol),
    ViewMode("curvature", "hollows blue, ridges brown", unit=CURVATURE.symbol),
    ViewMode("drainage", "how much land drains through a place", DRAINAGE_AREA.title, DRAINAGE_AREA.symbol),
    ViewMode(
        "erosion",
        "what was taken away red, what was left behind green",
        "Erosion and deposition",
        EROSION_DEPTH.symbol,
    ),
    ViewMode(
        DIFFERENCE,
        "what lies higher than the land that it is compared with red, what lies lower blue",
        "Difference in height",
        HEIGHT.symbol,
    ),
    ViewMode("edges", "the triangles over the ground", "Ground with its triangles"),
    ViewMode("checker", "squares of a round size"),
    ViewMode("rock", "a colour a layer"),
)
"""In the order of the panel, and of the key that goes through them."""

_BY_NAME = {mode.name: mode for mode in VIEW_MODES}

NAMES = tuple(_BY_NAME)

TIP = " ".join(f"{mode.name.capitalize()}: {mode.tip}." for mode in VIEW_MODES)
"""What a person sees in each of them."""


def named(name: str) -> ViewMode:
    """Return the view mode `name`; `InputError` lists what there is."""
    if name not in _BY_NAME:
        raise InputError(f"view.mode = {quoted(name)}: expected one of {', '.join(NAMES)}")
    return _BY_NAME[name]
