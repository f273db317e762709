"""The texture of a land's rivers: where their banks are, how wide they are and which way they run.

It is finer than the land's grid, so it takes long to make when masks have come: a tenth of a second on two cores of
software OpenGL, and as long again for its parts. It is made a piece at a time, beside the one before, which stands
until all is there. So frames go on under a hand.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Mapping

import moderngl
import numpy as np

from fellview.core.height_field import HeightField, Heights
from fellview.draw.land.valleys import Leaving, leaving
from fellview.draw.passes import Passes
from fellview.gpu import mipmaps
from fellview.gpu.passes import GridPasses, Number
from fellview.terrain.hydrology.water import Water

_COURSES = ("river_to_x", "river_to_z", "river_width")
RIVER_MASKS = frozenset(_COURSES)

_MARGIN_CELLS = 2.5  # beside a river
_REACH = 3  # cells around a texel that are asked for a river
_BLOCK = 4  # cells a side that are known at once to have none
_STRIP_TEXELS = 1 << 20  # 10 to 25 ms of software OpenGL


class RiverMap:
    """Keeps the texture of one land's rivers in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._grids = GridPasses(context)
        self._spare: moderngl.Texture | None = None
        self._making: Generator[None] | None = None
        self.texture: moderngl.Texture | None = None
        """The rivers, none before they are made first: how far within the bank a place lies, and on as in
        draw/water/river_courses.frag."""
        self.version = 0
        """Grows whenever the texture is made anew."""
        self._leaving: Leaving | None = None

    @property
    def leaving(self) -> Leaving | None:
        """The rivers that leave the land over its border; none while others are made."""
        return None if self._making else self._leaving

    def begin(self, field: HeightField, masks: Mapping[str, Heights], group: Water, finer: int) -> None:
        """Have the rivers of `field` and its `masks` made, `finer` texels a cell along each side.

        What was being made before is left.
        """
        self._end_making()
        self._making = self._made(field, masks, group, finer)

    def make(self, *, one: bool) -> Passes[None]:
        """Make what is left to be made, giving way after every piece; or `one` piece, which ends it."""
        while self._making is not None:
            try:
                next(self._making)
            except StopIteration:
                self._making = None
            if one:
                return
            yield

    def _made(self, field: HeightField, masks: Mapping[str, Heights], group: Water, finer: int) -> Generator[None]:
        found = np.zeros((field.rows, field.columns, 4), np.float32)
        for component, name in enumerate(_COURSES):
            found[..., component] = masks[name]
        leave = leaving(field, masks, group)
        yield
        size = finer * field.columns, finer * field.rows
        into = self._spare = self._spare or mipmaps.empty(self._context, size, 4)
        courses = self._grids.upload(found)
        try:
            numbers: dict[str, Number] = {
                "u_cell_m": (field.cell_size[1], field.cell_size[0]),
                "u_first": (-0.5, -0.5),
                "u_texel_cells": 1 / finer,
                "u_margin_m": margin_m(field),
            }
            with near_rivers(self._grids, courses, _REACH) as (textures, reach):
                yield
                yield from self._grids.run_in_strips(
                    "draw/water/river_courses.frag", into, textures, numbers | reach, strip_cells=_STRIP_TEXELS
                )
        finally:
            self._grids.give_back(courses)
        mipmaps.build(into)
        self.texture, self._spare, self._leaving = into, self.texture, leave
        self.version += 1

    def _end_making(self) -> None:
        if self._making is not None:
            self._making.close()
            self._making = None

    def forget(self) -> None:
        """Give everything back."""
        self._end_making()
        self._grids.release()
        for texture in (self.texture, self._spare):
            if texture is not None:
                texture.release()
        self.texture = self._spare = self._leaving = None


@contextlib.contextmanager
def near_rivers(
    grids: GridPasses, courses: moderngl.Texture, reach: int
) -> Iterator[tuple[dict[str, moderngl.Texture], dict[str, Number]]]:
    """Give textures and numbers with which river_courses.frag knows of `courses` and where it need not ask for them.

    It asks `reach` cells around.
    """
    numbers: dict[str, Number] = {"u_reach": reach, "u_block": _BLOCK}
    with grids.temporary(-(-courses.height // _BLOCK), -(-courses.width // _BLOCK)) as near:
        grids.run("draw/water/river_reach.frag", near, {"u_courses": courses}, numbers)
        yield {"u_courses": courses, "u_near": near}, numbers


def margin_m(field: HeightField) -> float:
    """Return how far out from a river's bank its texture knows of it, in metres, and how far within: it asks as many
    cells around, and those that have a river reach half a cell beyond it.
    """
    return _MARGIN_CELLS * float(np.sqrt(field.cell_size[0] * field.cell_size[1]))
