"""The land's edge on the GPU."""

from __future__ import annotations

from fellview.gpu import noise_texture
from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain.domain import Domain
from fellview.terrain.steps.edge import SHAPES, Edge, deepest, field


def run(passes: GridPasses, parameters: Edge, domain: Domain, below: GpuLand) -> Work:
    """Return the sunk land, after a yield when its bays are known."""
    columns, rows = below.heights.size
    coast = field(parameters, domain.seed)
    noise = noise_texture.drawn(passes, coast, rows, columns)
    try:
        yield 0.7
        sunk = passes.texture(rows, columns)
        half = deepest(parameters) / 2
        passes.run(
            "kernels/edge/edge.frag",
            sunk,
            {"u_heights": below.heights, "u_noise": noise},
            {
                "u_shape": SHAPES.index(parameters.shape),
                "u_width": parameters.width / 100,
                "u_floor_m": parameters.floor,
                "u_eaten": (half * coast.share(rows, columns), half),
            },
        )
    finally:
        passes.give_back(noise)
    return GpuLand(sunk, below.fields)


TWIN = Twin(run)
