"""Stand-in."""

import moderngl
import numpy as np

from fellview.noise import evaluate, fractal, grids


class NoiseMap:
    def __init__(self, context):
        self._context = context
        self._textures = {}

    def draw(self, asked, size, frequency, z=0.0, w=0.0, octaves=None, origin=(0.0, 0.0)):
        columns, rows = size
        every = fractal.octaves(asked.sum)[:octaves]
        if rows == 1:
            points = np.zeros((columns, 4))
            points[:, 0] = origin[1] * frequency
            points[:, 1] = frequency * np.arange(columns) / columns
            points[:, 2:] = z, w
            values = evaluate.warped(asked, np.ascontiguousarray(points[:, : asked.dimension]), every)
            if asked.unit_range:
                values = 0.5 + 0.5 * values
            values = values.astype(np.float32)[None]
        else:
            values = grids._filled(asked, rows, columns, frequency, every, z, w, 1.0, None)
        if size not in self._textures:
            self._textures[size] = self._context.texture(size, 1, dtype="f4")
        texture = self._textures[size]
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.write(values)
        return texture

    def release(self):
        pass
