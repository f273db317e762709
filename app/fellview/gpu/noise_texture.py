"""The random fields of steps (`terrain/fractal_field.py`) as textures."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import moderngl

from fellview.gpu.grid_passes import GridPasses
from fellview.gpu.noise_map import NoiseMap
from fellview.noise import evaluate
from fellview.terrain.fractal_field import DIMENSION, KIND, LACUNARITY, FractalField

_MAPS: WeakKeyDictionary[GridPasses, NoiseMap] = WeakKeyDictionary()  # programs are compiled once for each context


def drawn(passes: GridPasses, field: FractalField, rows: int, columns: int) -> moderngl.Texture:
    """Return a texture out of `passes` with `field` divided by its `share` of the grid, R32F [row, column]."""
    if passes not in _MAPS:
        _MAPS[passes] = NoiseMap(passes.context)
    settings = {"octaves": field.kept(rows, columns), "lacunarity": LACUNARITY, "gain": field.gain}
    asked = evaluate.request(KIND, DIMENSION, field.seed, None, settings)
    into = passes.texture(rows, columns)
    return _MAPS[passes].draw(asked, (columns, rows), extent=field.frequency, into=into)
