"""How each view mode is drawn: its shading and what that reads, its colours, and what a legend says of them.

Names, units and tips stand in scene/groups/view_modes.py, and every mode of those has its drawing here. Shaders are
told all that they need of these in the lines of `ViewDrawing.defines`, so that no number stands twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import moderngl
import numpy as np

from fellview.core import number_format
from fellview.core.height_field import HeightField
from fellview.draw.ground.rock_layers import Colours
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.land_shape import LandShape
from fellview.draw.overlay import colour_maps, maps
from fellview.draw.overlay.maps import Span
from fellview.scene.groups import view_modes
from fellview.scene.groups.view import View
from fellview.studio import height_difference
from fellview.terrain.erosion.rock import Strata

_ENTRIES = 256  # colours of a row
_MASK_RELIEF = 0.6  # of the light that shades relief: how much of it values of a mask are drawn with
_TRIANGLES = "The triangles that are drawn, fewer where they would be small."
_SHARPER = -1.5  # levels of a texture: rivers are a cell wide, and averaged they would be gone from afar


@dataclass(frozen=True)
class Values:
    """What a view mode that shows a value as a colour draws."""

    colours: tuple[str, ...] = ()
    """The colours of its row, such as ``#0a0a0a``, evenly from first to last; none where the scene chooses them."""
    mask: str = ""
    """The mask that is shown, over its own range; of others `glsl` and `span` say what is."""
    glsl: str = "shape.r"
    """The value in GLSL: of `height_m`, or of `shape` as draw/land/land_shape.py has it."""
    span: Callable[[View, HeightMap, LandShape], Span] | None = None
    """What gives the values of the first and the last colour."""
    needs: frozenset[str] = frozenset()
    """The masks without which there is nothing to show, beside `mask`."""
    level_bias: float = 0.0
    """What is added to the level of detail of the texture of values."""
    diverging: bool = False
    """Whether the range of its mask is that of nearly all values, as far below 0 as above it."""
    logarithmic: bool = False
    """Whether the value is a decimal logarithm."""
    words: tuple[str, str, str] = ("", "", "")
    """What stands under the first, the middle and the last value of a legend."""

    @property
    def masks(self) -> frozenset[str]:
        """The masks without which there is nothing to show."""
        return self.needs | {self.mask} if self.mask else self.needs


@dataclass(frozen=True)
class ViewDrawing:
    """How the view mode `name` is drawn."""

    name: str
    shading: str = ""
    """Which of shaders/draw/overlay/view_*.glsl gives its colours; empty where the ground does."""
    lit: bool = True
    """Whether light and air change its colours."""
    materials: bool = False
    """Whether the ground shows the materials that the scene has."""
    surroundings: bool = False
    """Whether the land may go on beyond its edge."""
    wireframe: bool = False
    """Whether the triangles' edges are drawn and nothing between them."""
    edges: bool = False
    """Whether the triangles' edges are drawn over the ground."""
    note: str = ""
    """A line of the legend."""
    square: bool = False
    """Whether it has squares of a round size, of which the legend tells."""
    layers: Callable[[Strata], Colours] | None = None
    """What gives the colours of layers of rock, where they are not those of the ground."""
    values: Values | None = None

    @property
    def masks(self) -> frozenset[str]:
        """The masks without which there is nothing to show."""
        return self.values.masks if self.values else frozenset()

    @property
    def reads_cover(self) -> bool:
        """Whether its shading reads more than normals."""
        return self.square or self.layers is not None or self.values is not None

    @property
    def defines(self) -> tuple[str, ...]:
        """What shaders are told of it, a name or a name and its value each."""
        lines = []
        if self.shading:
            lines.append(f"VIEW_SHADING {self.shading}")
        if not self.lit:
            lines.append("UNLIT")
        if self.values:
            lines += [f"VIEW_VALUE {self.values.glsl}", f"COLOUR_ROWS {len(ROWS)}.0", f"COLOUR_ENTRIES {_ENTRIES}.0"]
            if self.values.level_bias:
                lines.append(f"LEVEL_BIAS {self.values.level_bias}")
        return tuple(lines)


def of_values(name: str, values: Values) -> ViewDrawing:
    """Return the drawing of a view mode that shows values."""
    return ViewDrawing(name, shading="values", lit=False, values=values)


def of_mask(name: str, mask: str, colours: tuple[str, ...]) -> ViewDrawing:
    """Return the drawing of a view mode that shows `mask` from its lowest value to its highest."""
    return of_values(name, Values(colours, mask=mask))


DRAWINGS = (
    ViewDrawing("textured", materials=True, surroundings=True),
    ViewDrawing("normals", shading="normals", lit=False, note="Red grows towards x, green upwards, blue towards z."),
    ViewDrawing("wireframe", materials=True, wireframe=True, note=_TRIANGLES),
    ViewDrawing("plain", surroundings=True, note="One texture throughout."),
    of_values("height", Values(glsl="height_m", span=maps.height_span)),
    of_values(
        "slope",
        Values(
            # level to steep: meadow, straw, rust, wine, black
            ("#dfe9d2", "#b9cf8f", "#e3cf6b", "#dd9a43", "#c25a34", "#8a2b3b", "#2a1226"),
            glsl="shape.a",
            span=maps.slope_span,
            words=("", "", "and steeper"),
        ),
    ),
    of_values(
        "curvature",
        Values(
            # a dark end for hollows and one for ridges, paper between
            ("#12385f", "#3f7fb5", "#a9cbe0", "#f3f1ea", "#ecc49b", "#c97a3d", "#7a3411"),
            glsl="shape.b",
            span=maps.curvature_span,
            words=("hollow", "", "ridge"),
        ),
    ),
    of_values(
        "drainage",
        Values(
            # dry ground to rivers
            ("#f4efe2", "#e3e2cf", "#bcd3c6", "#7fb4c4", "#3d83b0", "#1f4e8c", "#14235a"),
            glsl="shape.g",
            span=maps.drainage_span,
            needs=frozenset({"drainage_area"}),
            level_bias=_SHARPER,
            logarithmic=True,
        ),
    ),
    of_values(
        "erosion",
        Values(
            # taken away to left behind
            ("#5e1310", "#b5402c", "#e6a585", "#f3f1ea", "#9fcdb4", "#3b9077", "#0c4a46"),
            span=maps.erosion_span,
            needs=frozenset({"erosion_depth", "deposition_depth"}),
            words=("taken away", "", "left behind"),
        ),
    ),
    of_values(
        "difference",
        Values(
            # lower to higher: night, sea, ice, paper, skin, brick, wine
            ("#123a6b", "#3f7fb5", "#a9cbe0", "#f3f1ea", "#eeb99b", "#c9573f", "#6b1220"),
            mask=height_difference.MASK,
            diverging=True,
            words=("lower", "", "higher"),
        ),
    ),
    ViewDrawing("edges", materials=True, edges=True, note=_TRIANGLES),
    ViewDrawing("checker", shading="checker", square=True),
    ViewDrawing(
        "rock", shading="rock", lit=False, layers=maps.layers, note="A colour a layer: hard ones light, soft ones dark."
    ),
)
"""One for each of scene/groups/view_modes.py."""

_BY_NAME = {drawing.name: drawing for drawing in DRAWINGS}

ROWS = (*colour_maps.COLOUR_MAPS, *(each.name for each in DRAWINGS if each.values and each.values.colours))
"""The rows of the texture of colours: those that a scene may choose, and those that view modes have."""


def drawing(mode: str) -> ViewDrawing:
    """Return how the view mode `mode` is drawn; `InputError` where there is none of that name."""
    return _BY_NAME[view_modes.named(mode).name]


def row_colours(row: str) -> tuple[str, ...]:
    """Return the colours of a row, such as ``#0a0a0a``."""
    if row in colour_maps.COLOUR_MAPS:
        return colour_maps.COLOUR_MAPS[row]
    values = drawing(row).values
    return values.colours if values else ()


def colours(context: moderngl.Context) -> moderngl.Texture:
    """Return the texture of colours, (entries, rows); texel centres along a row are the entries."""
    rows = [colour_maps.between(row_colours(row), _ENTRIES) for row in ROWS]
    texture = context.texture((_ENTRIES, len(rows)), 4, np.stack(rows).tobytes())
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    texture.repeat_x = texture.repeat_y = False
    return texture


def mask_span(mode: str, first: float, last: float) -> Span:
    """Return the span of a view mode that shows a mask with values from `first` to `last`."""
    return Span(mode, first, last, _MASK_RELIEF)


def span_numbers(span: Span) -> tuple[float, float, float, float]:
    """Return what the shader reads of `span`: row, first value, width, relief."""
    return ROWS.index(span.row), span.first, max(span.last - span.first, 1e-9), span.relief


def note(mode: str, field: HeightField) -> str:
    """Return what a legend says of the view mode `mode` of `field`; empty where the ground is just seen."""
    found = drawing(mode)
    return f"Squares of {number_format.length(maps.square(field))}." if found.square else found.note
