"""What materials and maps want to know of every place, in one texture: made when heights or masks change.

Red is how far erosion changed the ground in metres, above 0 where it left something; green the decimal logarithm of
the drainage area in m²; blue the curvature −∇²h in 1/m; alpha the slope in degrees. It is averaged where cells shrink
below pixels: a slope's mean, unlike the slope of a mean normal, leaves a rough wall steep from afar.
"""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np

from fellview.core.height_field import Heights
from fellview.draw.height_map import HeightMap
from fellview.gpu.grid_passes import GridPasses

MASKS = frozenset({"erosion_depth", "deposition_depth", "drainage_area"})
"""The masks that are read where they are there."""

_SHARE = 99.0  # percent of all places whose change is within the colours


class LandShape:
    """The texture of the height map that is shown, and which of its masks were there."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._grids = GridPasses(context)
        self._texture: moderngl.Texture | None = None
        self._shown: tuple[object, ...] = ()
        self.has_change = self.has_drainage = False
        self.largest_change_m = 1.0

    def texture(self, height_map: HeightMap, masks: Mapping[str, Heights]) -> moderngl.Texture:
        """Return the texture for `height_map` and those of its `masks` that are there."""
        field = height_map.field
        assert field is not None and height_map.heights is not None and height_map.normals is not None
        arrays = tuple(masks.get(name) for name in sorted(MASKS))
        shown = (field.cell_size, height_map.version, *(id(array) for array in arrays))
        if self._texture is None or shown != self._shown:
            self._make(height_map.heights, field.cell_size, masks)
            self._shown, self._held = shown, arrays  # held, so that no other array takes an id
        assert self._texture is not None
        return self._texture

    def _make(self, heights: moderngl.Texture, cell_size: tuple[float, float], masks: Mapping[str, Heights]) -> None:
        grids, size = self._grids, heights.size
        if self._texture is None or self._texture.size != size:
            if self._texture is not None:
                self._texture.release()
            self._texture = self._context.texture(size, 4, dtype="f2")
            self._texture.build_mipmaps()
            self._texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            self._texture.repeat_x = self._texture.repeat_y = False
        self.has_change = "erosion_depth" in masks and "deposition_depth" in masks
        self.has_drainage = "drainage_area" in masks
        change, drainage = (
            masks["deposition_depth"] - masks["erosion_depth"] if self.has_change else None,
            masks["drainage_area"] if self.has_drainage else None,
        )
        if change is not None:
            self.largest_change_m = max(float(np.percentile(np.abs(change[::4, ::4]), _SHARE)), 1e-3)
        lent = [
            grids.upload(values) if values is not None else grids.upload(np.zeros((1, 1), np.float32))
            for values in (change, drainage)
        ]
        textures = {"u_heights": heights, "u_change": lent[0], "u_drainage": lent[1]}
        has = (int(self.has_change), int(self.has_drainage))
        grids.run(
            "passes/land_shape.frag", self._texture, textures, {"u_cell_m": cell_size[::-1], "u_has": has}
        )
        grids.give_back(*lent)
        self._texture.build_mipmaps()
