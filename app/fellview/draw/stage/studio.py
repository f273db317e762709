"""The studio that a slab stands in: its light, and the shadow that the land's outline throws on the floor.

A sun throws the shadow of a land on a level floor line by line: on each line along its direction the shadow goes from
where the line leaves the land to the farthest place that any vertex on it shades. That is one number a line, so that
the shadow has no end of a texture, and low suns draw it as far as they like.
"""

from __future__ import annotations

import math

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw.colour import LUMINANCE
from fellview.gpu.passes import GridPasses

SOFT_RAD = math.radians(1.3)
"""How much wider than the sun the studio's lamp is seen, its radius: a soft box of 1 m at 20 m."""

_LINES_A_CELL = 2  # of the longer side, over the diagonal: lines, and looks along one, are less than a cell apart
_LEAST_RISE = math.tan(math.radians(0.5))  # of the sun, or shadows would reach past all numbers
_SKY_KEPT = 0.3  # of the sky's hue: the walls of a studio are white
_FLOOR_SENDS = 0.42  # of what falls on the floor, to what stands there: draw/stage/studio.glsl has its albedo
_WALLS_SEND = 0.2  # of the same, from all around

Values = dict[str, NDArray[np.float64]]


class Outline:
    """The texture of how far the land's shadow reaches, line by line, in one OpenGL context."""

    def __init__(self, grids: GridPasses) -> None:
        self._grids = grids
        self._texture: moderngl.Texture | None = None
        self._made: tuple[object, ...] = ()

    def texture(
        self,
        heights: moderngl.Texture,
        version: object,
        sun: NDArray[np.float64],
        base_m: float,
        land_m: tuple[float, float],
        place: tuple[float, ...],
    ) -> moderngl.Texture:
        """Return the texture for `heights`, those of coarse_heights.frag, whose `version` tells when they have changed.

        `land_m` are the land's sides x and z, `place` takes metres to texture coordinates; the sun is over the horizon.
        """
        made = (version, *(float(part) for part in sun), base_m, land_m)
        if made == self._made and self._texture is not None:
            return self._texture
        lines = _LINES_A_CELL * max(heights.size)
        if self._texture is None or self._texture.size[0] != lines:
            if self._texture is not None:
                self._grids.give_back(self._texture)
            self._texture = self._grids.texture(1, lines, 4)
        level = math.hypot(sun[0], sun[2])
        margin = 1 + 4 / lines  # two lines to either side that meet no land: the texture's edge is read beyond
        self._grids.run(
            "draw/stage/shadow_outline.frag",
            self._texture,
            {"u_heights": heights},
            {
                "u_place": place,
                "u_land_m": land_m,
                "u_towards": (float(sun[0]) / max(level, 1e-9), float(sun[2]) / max(level, 1e-9)),
                "u_base_m": base_m,
                "u_reach": level / max(float(sun[1]), _LEAST_RISE * level, 1e-9),
                "u_half_m": 0.5 * margin * math.hypot(*land_m),
                "u_steps": lines,
            },
        )
        self._made = made
        return self._texture


def sides_m(field: HeightField, base_m: float, exaggeration: float, sea_m: float | None) -> tuple[float, ...]:
    """Return how high a slab stands over its floor at the least and the greatest x, at the least and the greatest z.

    Means along each side, of land and of the sea over it, as drawn.
    """
    border = field.border if sea_m is None else np.maximum(field.border, sea_m)
    ends = np.cumsum([field.columns, field.columns, field.rows])
    near_z, far_z, near_x, far_x = (float(part.mean()) for part in np.split(border, ends))
    return tuple(exaggeration * height_m - base_m for height_m in (near_x, far_x, near_z, far_z))


def lit_by_walls(values: Values, level: NDArray[np.float64]) -> None:
    """Make light of the open into that of a studio: white walls all around, and a light floor that sends it back.

    `level` is what falls on a level place, over pi, in rgb.
    """
    for direction in values["sky"]:
        direction[:3] = _whiter(direction[:3])
    white = float(LUMINANCE @ level)
    values["sky"][0, :3] += _WALLS_SEND * white
    values["ground"][:3] = _FLOOR_SENDS * _whiter(level)


def _whiter(light: NDArray[np.float64]) -> NDArray[np.float64]:
    return _SKY_KEPT * light + (1 - _SKY_KEPT) * float(LUMINANCE @ light)
