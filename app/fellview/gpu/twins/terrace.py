"""Terraces on the GPU."""

from __future__ import annotations

import numpy as np

from fellview.gpu import noise_texture
from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain.domain import Domain
from fellview.terrain.steps.terrace import Terrace, field, profile


def run(passes: GridPasses, parameters: Terrace, domain: Domain, below: GpuLand) -> Work:
    """Return the terraced land, after a yield when it is known where risers stray."""
    columns, rows = below.heights.size
    stray_m, width, uneven, salt = profile(parameters, domain.seed)
    stray = field(parameters, domain.seed)
    noise = noise_texture.drawn(passes, stray, rows, columns)
    try:
        yield 0.7
        terraced = passes.texture(rows, columns)
        passes.run(
            "kernels/terrace/terrace.frag",
            terraced,
            {"u_heights": below.heights, "u_noise": noise},
            {
                "u_stray_m": stray_m * stray.share(rows, columns),
                "u_spacing_m": parameters.spacing,
                "u_strength": parameters.strength,
                "u_width": width,
                "u_uneven": uneven,
                "u_salt": int(np.uint32(salt)),
            },
        )
    finally:
        passes.give_back(noise)
    return GpuLand(terraced, below.fields)


TWIN = Twin(run)
