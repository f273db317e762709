"""The places that a draft's pixels show, moved from its coarse mesh onto the full grid.

A mesh of few triangles shows each place of the ground some pixels beside where it is seen, as a parallax, and what the
pictures before showed of it is then looked for in the wrong place. That takes away more of a moving picture than
its fewer pixels do. Outlines stay those of the mesh.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.land.height_map import HeightMap
from fellview.gpu import bindings, programs

_PARALLEL = 1e-9  # of an eye's last coordinate beside the others: what rounding makes of one that is nowhere


class FullGridPlaces:
    """The pass that moves places onto the full grid of a height map."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "gpu/full_screen.vert", "draw/land/full_grid_places.frag")
        self._array = context.vertex_array(self._program, [])
        self._between = context.sampler(repeat_x=False, repeat_y=False, filter=(moderngl.LINEAR, moderngl.LINEAR))

    def draw(
        self,
        places: moderngl.Texture,
        height_map: HeightMap,
        numbers: Mapping[str, Any],
        view_projection: NDArray[np.float32],
    ) -> None:
        """Draw moved `places` and their depth into the bound framebuffer; where there are none it stays as it is.

        `numbers` are the grid's, as terrain.vert has them.
        """
        context, program = self._context, self._program
        assert height_map.heights is not None and height_map.normals is not None
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "1"
        bindings.use(program, {"u_places": places, "u_heights": height_map.heights, "u_normals": height_map.normals})
        between = {"u_heights": self._between}
        bindings.use(program, between)
        bindings.write(program, {**numbers, "u_eye": _eye(np.asarray(view_projection, np.float64))})
        programs.write(program, "u_view_projection", view_projection)
        self._array.render(moderngl.TRIANGLES, vertices=3)
        bindings.clear(program, between)
        context.depth_func = "<"


def _eye(view_projection: NDArray[np.float64]) -> tuple[float, ...]:
    """Return where the eye is, xyz in the world and 1, or the way to it and 0 where all sight lines are parallel.

    The eye is what a projection has at no place of the picture: (0, 0, z, 0) in clip space, for row vectors.
    """
    eye = np.linalg.inv(view_projection)[2]
    way = float(np.linalg.norm(eye[:3]))
    if abs(eye[3]) > _PARALLEL * way:
        return tuple((eye / eye[3]).tolist())
    return (*(eye[:3] / way).tolist(), 0.0)
