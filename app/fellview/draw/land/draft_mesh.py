"""The triangles of a land's drafts, chosen for each view, and the places that they show."""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.level_of_detail import BlockGrid, Sight, seen_blocks
from fellview.draw.land.tile import Tile
from fellview.draw.land.triangle_hierarchy import Mesh, TriangleHierarchy
from fellview.gpu import programs
from fellview.gpu.engine import GpuField

_MOST_VERTICES = 2048  # a side of a land: larger ones take too long to be looked over when they change


class DraftMesh:
    """Keeps the newest land that is drawn in drafts, its triangles for the newest view, and buffers for them."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "draw/land/draft_mesh.vert", "draw/land/land_positions.frag")
        self._vertices = context.buffer(reserve=1, dynamic=True)
        self._indices = context.buffer(reserve=1, dynamic=True)
        self._array = context.vertex_array(
            self._program, [(self._vertices, "3f", "in_place_m")], index_buffer=self._indices, index_element_size=4
        )
        self._hierarchy: TriangleHierarchy | None = None
        self._of: tuple[object, ...] = ()  # the heights that it is of
        self.newest: Mesh | None = None
        """The triangles that were chosen last."""
        self._for: tuple[object, ...] = ()  # the view that this is for

    @staticmethod
    def takes(height_map: HeightMap) -> bool:
        """Return whether the land of `height_map` can be drawn so: an engine's would have to be read back."""
        field = height_map.field
        return field is not None and not isinstance(field, GpuField) and max(field.heights.shape) <= _MOST_VERTICES

    def chosen(
        self, height_map: HeightMap, grid: BlockGrid, sight: Sight, least_px: float, most_triangles: float
    ) -> Mesh:
        """Return the triangles of `height_map`, whose blocks `grid` has, as `TriangleHierarchy.mesh` chooses them."""
        field, of = height_map.field, (height_map, height_map.version)
        assert field is not None
        if self._hierarchy is None or self._of != of:
            self._hierarchy, self._of = TriangleHierarchy(field.heights, field.cell_size), of
            self.newest = None
        view = sight.matrix.tobytes(), sight.size_px, sight.exaggeration, least_px, most_triangles
        if self.newest is None or self._for != view:
            self.newest = self._hierarchy.mesh(sight, seen_blocks(grid, sight), least_px, most_triangles)
            self._for = view
        return self.newest

    def draw(self, mesh: Mesh, tile: Tile, view_projection: NDArray[np.float32]) -> None:
        """Draw the places of `mesh` into the bound framebuffer; its borders hang down where `tile` has skirts."""
        context = self._context
        if not len(mesh.triangles):
            return
        lower, skirts = _skirts(mesh, tile)
        for buffer, parts in ((self._vertices, (mesh.places, lower)), (self._indices, (mesh.triangles, skirts))):
            data = np.ascontiguousarray(np.concatenate(parts))
            buffer.orphan(max(data.nbytes, buffer.size))
            buffer.write(data)
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        context.front_face = "cw"  # as all ground
        programs.write(self._program, "u_view_projection", view_projection)
        self._array.render(moderngl.TRIANGLES, vertices=mesh.triangles.size)
        if len(skirts):
            context.disable(moderngl.CULL_FACE)  # either face may be seen
            self._array.render(moderngl.TRIANGLES, vertices=skirts.size, first=mesh.triangles.size)


def _skirts(mesh: Mesh, tile: Tile) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return the lower vertices of what hangs down from the borders of `mesh` among others, and its triangles."""
    if tile.skirt_blocks is None:
        return mesh.places[:0], mesh.triangles[:0]
    upper = mesh.border.ravel()
    lower = mesh.places[upper]
    lower[:, 1] -= np.minimum(tile.skirt_m, lower[:, 1] - tile.skirt_foot_m)
    one, other = mesh.border.T
    under, across = (len(mesh.places) + np.arange(len(upper), dtype=np.int32)).reshape(-1, 2).T
    return lower, np.stack([one, under, across, one, across, other], axis=-1).reshape(-1, 3)
