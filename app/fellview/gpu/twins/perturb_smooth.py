"""The smooth displacement on the GPU."""

from __future__ import annotations

from fellview.gpu import noise_texture
from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain.domain import Domain
from fellview.terrain.steps.perturb import Perturb, fields


def run(passes: GridPasses, parameters: Perturb, domain: Domain, below: GpuLand) -> Work:
    """Return the displaced land, after yields between its passes."""
    columns, rows = below.heights.size
    share = parameters.reach / 100
    along_z, along_x = fields(parameters, domain.seed)
    shift_z = noise_texture.drawn(passes, along_z, rows, columns)
    try:
        yield 0.4
        shift_x = noise_texture.drawn(passes, along_x, rows, columns)
        try:
            yield 0.8
            bent = passes.texture(rows, columns)
            passes.run(
                "kernels/perturb/smooth.frag",
                bent,
                {"u_heights": below.heights, "u_shift_z": shift_z, "u_shift_x": shift_x},
                {
                    "u_reach": (
                        share * columns * along_x.share(rows, columns),
                        share * rows * along_z.share(rows, columns),
                    )
                },
            )
        finally:
            passes.give_back(shift_x)
    finally:
        passes.give_back(shift_z)
    return GpuLand(bent, below.fields)


TWIN = Twin(run, covers=lambda parameters: parameters.mode == "smooth")
