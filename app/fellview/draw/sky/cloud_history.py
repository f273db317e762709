"""Clouds of something that moves: each frame brings one pixel of every block of them, the others are taken along.

What the frame before showed of a cloud is looked up where its layer was seen then; after as many frames as a block has
pixels all of them are new. So a moving picture has clouds as fine as a resting draft for a fraction of the work.
Source: Schneider, "The real-time volumetric cloudscapes of Horizon: Zero Dawn" (SIGGRAPH 2015).
"""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.sky.cloud_picture import CloudPicture
from fellview.draw.target import Size
from fellview.gpu import bindings, programs, state

Directions = NDArray[np.float64]
"""At the corners of the triangle over a picture, (3, 3), one row a corner."""

LARGEST_BLOCK = 4


class CloudHistory:
    """The picture of clouds before, and the next one made of it and of a part of the pixels."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "draw/sky/sky.vert", "draw/sky/cloud_history.frag")
        self._array = context.vertex_array(self._program, [])
        self._part: CloudPicture | None = None
        self._pictures: list[CloudPicture] = []
        """The one before and the next one."""
        self._number = self._alike = 0  # of frames, and of the last ones in a row that are seen from one place
        self._seen: tuple[object, Directions, Directions] | None = None  # what of, from where and in which directions

    def part(self, size: Size, block: int) -> CloudPicture:
        """Return the picture for one pixel of every block, of blocks of `block` pixels a side, of clouds of `size`."""
        wanted = -(-size[0] // block), -(-size[1] // block)
        if self._part is None or self._part.size != wanted:
            if self._part is not None:
                self._part.release()
            self._part = CloudPicture(self._context, wanted)
        if not self._pictures or self._pictures[0].size != size:
            for each in self._pictures:
                each.release()
            self._pictures, self._seen = [CloudPicture(self._context, size) for _ in range(2)], None
        return self._part

    def first(self, block: int) -> tuple[int, int]:
        """Return which pixel of every block the next frame brings, from the left and from below."""
        # neighbours in time lie in other columns and rows; k + 1 and k·k have no divisor in common
        place = self._number * (block + 1) % block**2
        return place % block, place // block

    def is_whole(self, of: object, eye: Directions, corners: Directions, block: int) -> bool:
        """Return whether the picture before is of the same, and has all pixels from there."""
        return self._is_of(of) and self._alike >= block**2 and self._is_from(eye, corners)

    def add(
        self, of: object, eye: Directions, corners: Directions, rise_m: float, block: int, rows: tuple[int, int]
    ) -> CloudPicture:
        """Return the picture of clouds with the pixels of `part`, in the `rows` from the first of two on, so many.

        `of` is what they are of: where it changes, nothing is taken along. They are seen from `eye` in the directions
        `corners`, and lie `rise_m` above it.
        """
        assert self._part is not None
        if not self._is_of(of):
            self._seen = None
        if not self._is_from(eye, corners):
            self._alike = 0
        _, eye_before, corners_before = self._seen or (of, eye, corners)
        before, picture = self._pictures
        first = self.first(block)
        textures = {"u_part": self._part.texture, "u_before": before.texture}
        bindings.use(self._program, textures)
        programs.write(self._program, "u_corner_dir_world", corners)
        programs.write(self._program, "u_to_before", np.linalg.inv(_in_texture(corners_before)).T)
        numbers = {
            "u_moved_m": tuple(eye - eye_before),
            "u_rise_m": rise_m,
            "u_block": block,
            "u_first": first,
            "u_kept": float(self._seen is not None),
        }
        bindings.write(self._program, numbers)
        picture.framebuffer.use()
        self._context.viewport = (0, 0, *picture.size)
        self._context.enable_only(moderngl.NOTHING)
        picture.framebuffer.clear()
        with state.rows_only(picture.framebuffer, *rows):
            self._array.render(moderngl.TRIANGLES, vertices=3)
        self._pictures.reverse()
        self._seen = of, eye, corners
        self._number, self._alike = self._number + 1, self._alike + 1
        return picture

    def _is_of(self, of: object) -> bool:
        return self._seen is not None and self._seen[0] == of

    def _is_from(self, eye: Directions, corners: Directions) -> bool:
        return self._seen is not None and np.array_equal(self._seen[1], eye) and np.array_equal(self._seen[2], corners)


def of_part(corners: Directions, size: Size, part: Size, first: tuple[int, int], block: int) -> Directions:
    """Return the corners' directions of the picture `part` of one pixel of every block, `first` being which one.

    `corners` are those of the whole picture, of `size`.
    """
    matrix = _in_texture(corners)
    places = np.array([(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)])  # of the triangle's corners in a picture
    whole = (block * (places * part - 0.5) + np.array(first) + 0.5) / size
    return (matrix @ np.column_stack([whole, np.ones(3)]).T).T


def _in_texture(corners: Directions) -> Directions:
    """Return the matrix that makes directions of texture coordinates (u, v, 1), (3, 3)."""
    return np.column_stack([(corners[1] - corners[0]) / 2, (corners[2] - corners[0]) / 2, corners[0]])
