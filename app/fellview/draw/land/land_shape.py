"""What materials and maps want to know of every place, in one texture: made when heights or masks change.

Red is how far erosion changed the ground in metres, above 0 where it left something, and much where scree lies; green
the decimal logarithm of the drainage area in m²; blue the curvature −∇²h in 1/m; alpha the slope in degrees. It is
averaged where cells shrink below pixels: a slope's mean, unlike the slope of a mean normal, leaves a rough wall steep
from afar.
"""

from __future__ import annotations

import moderngl
import numpy as np

from fellview.core.height_field import Heights
from fellview.draw.land.height_map import LEAST_TEXELS, HeightMap
from fellview.gpu import formats, mipmaps
from fellview.gpu.engine import GpuField
from fellview.gpu.passes import GridPasses, Number

_SHARE = 99.0  # percent of all places whose change is within the colours
_MOST_SAMPLES = 256  # a side, of which that is told
_WHOLE_SCREE_M = 2.0  # deep enough that no boulder of the rock below looks out


class LandShape:
    """The texture of the height map that is shown."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._grids = GridPasses(context)
        self._nothing = self._grids.upload(np.zeros((1, 1), np.float32))
        self._texture: moderngl.Texture | None = None
        self._shown: tuple[object, ...] = ()
        self._held: tuple[object, ...] = ()
        self._bend: tuple[int, float] = (-1, 1.0)
        self.version = 0
        """Grows whenever the texture is made anew."""
        self.waits = False
        """Whether masks come by themselves, so that none is computed here; until then the change is the GPU's own."""
        self.goes_on = False
        """Whether the land is drawn on beyond its border, so that it does not bend there towards level ground."""
        self.largest_change_m = 1.0
        """What the change by erosion stays under in nearly all places."""

    def texture(self, height_map: HeightMap, wanted: frozenset[str]) -> moderngl.Texture:
        """Return the texture for `height_map`, with those of the masks `wanted` that are there; others count as 0."""
        field = height_map.field
        assert field is not None and height_map.heights is not None
        before = None
        if self.waits and isinstance(field, GpuField) and not field.masks_there:
            masks = {}
            before = field.before_erosion_in(self._context) if "erosion_depth" in wanted else None
        else:
            masks = {name: field.masks[name] for name in wanted & set(field.masks)}
        arrays = tuple(masks[name] for name in sorted(masks))
        stride = height_map.stride
        shown = (height_map.version, stride, before is not None, self.goes_on, *(id(array) for array in arrays))
        if self._texture is None or shown != self._shown:
            self._make(height_map.heights, field.cell_size, stride, masks, before)
            self._shown, self._held = shown, arrays  # held, so that no other array takes an id
        assert self._texture is not None
        return self._texture

    def bend_per_m(self, height_map: HeightMap) -> float:
        """Return the curvature in 1/m that nearly all places of `height_map` stay under."""
        field = height_map.field
        assert field is not None
        if self._bend[0] != height_map.version:
            self._bend = height_map.version, _largest_bend(field.heights, field.cell_size)
        return self._bend[1]

    def _make(
        self,
        heights: moderngl.Texture,
        cell_size: tuple[float, float],
        stride: int,
        masks: dict[str, Heights],
        before: moderngl.Texture | None,
    ) -> None:
        grids = self._grids
        size = -(-heights.width // stride), -(-heights.height // stride)
        self.version += 1
        if self._texture is None or self._texture.size != size:
            if self._texture is not None:
                self._texture.release()
            dtype = formats.of(self._context).drawn(4, formats.WIDE, "slopes and drainage")
            self._texture = mipmaps.empty(self._context, size, 4, dtype)
        lent: list[moderngl.Texture] = []

        def uploaded(values: Heights) -> moderngl.Texture:
            lent.append(grids.upload(values))
            return lent[-1]

        change = drainage = self._nothing
        has_change = False
        if {"deposition_depth", "erosion_depth"} <= set(masks):
            changes = masks["deposition_depth"] - masks["erosion_depth"]
            if "scree_depth" in masks:
                changes = _with_scree(changes, masks["scree_depth"])
            change = uploaded(changes)
            has_change = True
        if "drainage_area" in masks:
            drainage = uploaded(masks["drainage_area"])
        textures = {"u_heights": heights, "u_change": change, "u_drainage": drainage, "u_before": before or heights}
        has = (int(has_change), int(drainage is not self._nothing), int(before is not None))
        self._context.disable(moderngl.BLEND)
        numbers: dict[str, Number] = {
            "u_cell_m": cell_size[::-1],
            "u_has": has,
            "u_goes_on": float(self.goes_on),
            "u_stride": stride,
        }
        grids.run("draw/land/land_shape.frag", self._texture, textures, numbers)
        grids.give_back(*lent)
        mipmaps.build(self._texture, LEAST_TEXELS)
        self.largest_change_m = self._largest_change() if has_change or before is not None else 1.0

    def _largest_change(self) -> float:
        assert self._texture is not None
        columns, rows = self._texture.size
        level = max(0, (max(columns, rows) // _MOST_SAMPLES).bit_length() - 1)
        return _largest(mipmaps.read(self._texture, level)[..., 0], _SHARE)


def _with_scree(changes: Heights, depths: Heights) -> Heights:
    """Return the changes with that of scree as large as any: it is left there, whatever was worn before it fell."""
    step = max(1, max(changes.shape) // _MOST_SAMPLES)
    largest = np.float32(_largest(changes[::step, ::step], _SHARE))
    mixed: Heights = changes + np.minimum(depths * np.float32(1 / _WHOLE_SCREE_M), np.float32(1)) * (largest - changes)
    return mixed


def _largest(values: np.ndarray, share: float) -> float:
    """Return what `share` percent of the magnitudes of `values` stay under, and something above 0 for level ones."""
    return max(float(np.percentile(np.abs(values), share)), 1e-6)


def _largest_bend(heights: Heights, cell_size: tuple[float, float]) -> float:
    """Return the curvature in 1/m that nearly all places inside `heights` stay under, told from some of them."""
    step = max(1, min(heights.shape) // _MOST_SAMPLES)
    rows, columns = (np.arange(1, side - 1, step) for side in heights.shape)
    if not len(rows) or not len(columns):
        return 1e-6
    here = heights[np.ix_(rows, columns)]
    z = (2 * here - heights[np.ix_(rows - 1, columns)] - heights[np.ix_(rows + 1, columns)]) / cell_size[0] ** 2
    x = (2 * here - heights[np.ix_(rows, columns - 1)] - heights[np.ix_(rows, columns + 1)]) / cell_size[1] ** 2
    return _largest(z + x, _SHARE)
