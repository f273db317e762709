"""The random fields of steps (`terrain/fractal_field.py`) as textures."""

from __future__ import annotations

import moderngl

from fellview.gpu.noise_map import NoiseMap
from fellview.gpu.passes import GridPasses
from fellview.noise import evaluate
from fellview.terrain.fractal_field import DIMENSION, KIND, LACUNARITY, FractalField


def drawn(passes: GridPasses, field: FractalField, rows: int, columns: int) -> moderngl.Texture:
    """Return a texture out of `passes` with `field` divided by its `share` of the grid, R32F [row, column]."""
    settings = {"octaves": field.kept(rows, columns), "lacunarity": LACUNARITY, "gain": field.gain}
    asked = evaluate.request(KIND, DIMENSION, field.seed, None, settings)
    into = passes.texture(rows, columns)
    return passes.tool(NoiseMap).draw(asked, (columns, rows), extent=field.frequency, into=into)
