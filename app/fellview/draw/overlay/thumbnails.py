"""Small pictures that the panel's pass draws: each lies in a texture of its own, which is lent to the overlay."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.overlay.overlay import Overlay


class Thumbnails:
    """Keeps pictures by key, the `most` that were put last."""

    def __init__(self, context: moderngl.Context, overlay: Overlay, most: int) -> None:
        self._context, self._overlay, self._most = context, overlay, most
        self._textures: OrderedDict[Hashable, moderngl.Texture] = OrderedDict()

    def put(self, key: Hashable, pixels: NDArray[np.uint8]) -> int:
        """Keep a picture, uint8 [row, column, rgb or rgba], in the place of an older one; return its texture's id."""
        if pixels.shape[2] == 3:
            pixels = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
        size = pixels.shape[1], pixels.shape[0]
        texture = self._textures.pop(key, None)
        if texture is not None and texture.size != size:
            self._drop(texture)
            texture = None
        if texture is None:
            texture = self._context.texture(size, 4)
            texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            texture.repeat_x = texture.repeat_y = False
            self._overlay.lend(texture)
        texture.write(np.ascontiguousarray(pixels))
        self._textures[key] = texture
        if len(self._textures) > self._most:
            self._drop(self._textures.popitem(last=False)[1])
        return int(texture.glo)

    def id(self, key: Hashable) -> int | None:
        """Return the id of the texture by its `key`; none where it is not kept any more."""
        texture = self._textures.get(key)
        return None if texture is None else int(texture.glo)

    def ids(self) -> dict[Hashable, int]:
        """Return the ids of all textures by key."""
        return {key: int(texture.glo) for key, texture in self._textures.items()}

    def _drop(self, texture: moderngl.Texture) -> None:
        self._overlay.take_back(texture)
        texture.release()
