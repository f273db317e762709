"""The base noise on the GPU, drawn in strips of rows.

Every kind and sum, held to the CPU's as `gpu/noise_map.py` says. The DirectX demo's own base is computed like any other
classic noise here, and so equal to rounding only, not to the last bit.
"""

from __future__ import annotations

from fellview.gpu.noise_map import NoiseMap
from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.noise import evaluate, registry
from fellview.terrain.domain import Domain
from fellview.terrain.steps.noise import Noise, cycles, kept_octaves, settings

_SAMPLES_A_STRIP = 1 << 22  # octaves of cells: some 40 operations on each make a millisecond of a small GPU


def run(passes: GridPasses, parameters: Noise, domain: Domain, below: GpuLand) -> Work:
    """Return the sum of octaves in metres, after a yield for each strip, or a plain at 0; `below` is not read."""
    grid = domain.grid
    if not parameters.enabled:
        plain = passes.texture(grid.rows, grid.columns)
        passes.target(plain).clear()
        return GpuLand(plain)
    kind = registry.get(parameters.kind)
    asked = evaluate.request(parameters.kind, kind.flat_dimension, domain.seed, None, settings(parameters))
    count = kept_octaves(parameters, grid)
    fields = 1 + 2 * asked.sum.warp_levels if asked.sum.warp else 1
    strip = max(1, _SAMPLES_A_STRIP // (grid.columns * count * fields))
    heights = passes.texture(grid.rows, grid.columns)
    try:
        for first in range(0, grid.rows, strip):
            last = min(first + strip, grid.rows)
            passes.tool(NoiseMap).draw(
                asked,
                (grid.columns, grid.rows),
                extent=cycles(parameters),
                count=count,
                amplitude=parameters.amplitude,
                only_rows=(first, last),
                into=heights,
            )
            yield last / grid.rows
    except BaseException:  # whoever closes this generator wants the texture back too
        passes.give_back(heights)
        raise
    return GpuLand(heights)


TWIN = Twin(run)
