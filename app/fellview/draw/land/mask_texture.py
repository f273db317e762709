"""The texture of one mask, for a view mode that shows it: made when the mask or the land changes."""

from __future__ import annotations

import moderngl
import numpy as np

from fellview.core.height_field import Heights
from fellview.draw.land.height_map import HeightMap
from fellview.gpu import formats, mipmaps
from fellview.gpu.engine import GpuField

_SHARE = 99.0  # percent of all values but 0 that are within `reach`
_NOTHING = 1e-3  # of metres: under a millimetre nothing differs
_MOST_SAMPLES = 512  # a side, of which that is told


class MaskTexture:
    """The texture of the mask that is shown, averaged where cells shrink below pixels."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._texture: moderngl.Texture | None = None
        self._shown: Heights | None = None
        self.waits = False
        """Whether masks come by themselves, so that none is computed here; until then there are zeros."""
        self.version = 0
        """Grows whenever the texture is made anew."""
        self.range = (0.0, 1.0)
        """The lowest and the highest value."""
        self.reach = 1.0
        """What nearly all values stay under that are not 0, whatever their sign; 1 where there are none."""

    def texture(self, height_map: HeightMap, mask: str) -> moderngl.Texture:
        """Return the texture of `mask`, zeros where the land of `height_map` has none."""
        field = height_map.field
        assert field is not None
        late = self.waits and isinstance(field, GpuField) and not field.masks_there
        values = None if late else field.masks.get(mask)
        if self._texture is None or values is not self._shown:
            self._make(np.zeros((1, 1), np.float32) if values is None else values)
            self._shown = values
        assert self._texture is not None
        return self._texture

    def _make(self, values: Heights) -> None:
        if self._texture is not None:
            self._texture.release()
        dtype = formats.of(self._context).kept(1, formats.PRECISE, "the values of a map")
        packed = formats.packed(values, dtype)
        self._texture = mipmaps.empty(self._context, values.shape[::-1], 1, dtype, packed)
        mipmaps.build(self._texture)
        self.version += 1
        self.range = float(values.min()), float(values.max())
        self.reach = _reach(values)


def _reach(values: Heights) -> float:
    step = max(1, max(values.shape) // _MOST_SAMPLES)
    sizes = np.abs(values[::step, ::step])
    sizes = sizes[sizes > _NOTHING]
    return float(np.percentile(sizes, _SHARE)) if sizes.size else 1.0
