"""The texture of how sheltered the sea is, made anew when heights, the sea's level or the wind have changed.

It takes the place of lakes' levels where there are none: those stand far down then, and how far tells the shelter
(shaders/draw/water/standing_water.glsl). To make it waits for OpenGL, whose coarse heights it is told from, and takes
some milliseconds of the thread that draws. While something moves in a window, the one before stands for it: the sea is
sheltered alike from one frame to the next, and surf is redrawn in its new place either way.
"""

from __future__ import annotations

import moderngl

from fellview.core.height_field import HeightField
from fellview.draw.land.height_map import HeightMap
from fellview.draw.water import shelter
from fellview.gpu.passes import GridPasses, Number
from fellview.terrain.hydrology.water import Water

NOWHERE_M = -1e6
"""The level of no water, as in the shaders."""

_CELLS = 256  # at most a side, where its sides are powers of two: coves as wide as a hundredth of the land
_MIRRORED = 16  # cells beyond the border of a land that goes on: pools may be as wide


def sea_shelter(
    grids: GridPasses, heights: moderngl.Texture, field: HeightField, group: Water, *, goes_on: bool
) -> moderngl.Texture:
    """Return a texture of no lakes that tells how sheltered the sea of `group` is over `heights`, those of `field`.

    Where the land `goes_on` beyond its border, waves come from there past what goes on. Whoever asks for the texture
    gives it back to `grids`.
    """
    # the sides of the lakes' texture are powers of two, or none, and so are these
    columns, rows = (min(side, _CELLS - (side & (side - 1) > 0)) for side in heights.size)
    coarse = grids.texture(rows, columns, 2)
    numbers: dict[str, Number] = {"u_size": (columns, rows), "u_exaggeration": 1.0}
    grids.run("draw/light/coarse_heights.frag", coarse, {"u_heights": heights}, numbers)
    wet = grids.read(coarse)[..., 0] < group.sea_level
    grids.give_back(coarse)
    cell_m = field.rows * field.cell_size[0] / rows, field.columns * field.cell_size[1] / columns
    mirrored = min(rows, columns, _MIRRORED) if goes_on else 0
    found = grids.upload(NOWHERE_M * (1 + shelter.sheltered(wet, cell_m, group.wind, mirrored)))
    found.filter = (moderngl.LINEAR, moderngl.LINEAR)
    return found


class ShelterMap:
    """Keeps the texture of one land's sea in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._grids = GridPasses(context)
        self._texture: moderngl.Texture | None = None
        self._made: tuple[object, ...] = ()
        self.version = 0
        """Grows whenever the texture is made anew."""

    def texture(self, height_map: HeightMap, group: Water, *, goes_on: bool, late: bool) -> moderngl.Texture | None:
        """Return the texture for the sea of `group` around the land of `height_map`; None where there is no sea.

        The land `goes_on` beyond its border, or ends there. Where that is enough, `late`, the texture is the one that
        was made before, if there is one.
        """
        field = height_map.field
        if not group.sea or field is None or height_map.heights is None:
            return None
        made = (height_map, height_map.version, group.sea_level, group.wind, goes_on)
        if self._texture is not None and (late or made == self._made):
            return self._texture
        if self._texture is not None:
            self._grids.give_back(self._texture)
        self._texture = sea_shelter(self._grids, height_map.heights, field, group, goes_on=goes_on)
        self._made = made
        self.version += 1
        return self._texture
