"""Smoothing by a radius on the GPU."""

from __future__ import annotations

from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain.domain import Domain
from fellview.terrain.steps.smooth import Smooth, blurs


def run(passes: GridPasses, parameters: Smooth, domain: Domain, below: GpuLand) -> Work:
    """Return the smoothed land, after a yield for each pair of passes."""
    columns, rows = below.heights.size
    chain = blurs(parameters.radius, domain, rows, columns)
    ours = [passes.texture(rows, columns), passes.texture(rows, columns)]
    before = below.heights
    try:
        for done, blur in enumerate(chain, start=1):
            after = ours[done % 2]
            passes.run(
                "kernels/smooth/radius.frag",
                after,
                {"u_heights": before},
                {"u_apart": (0, blur.apart) if blur.along_z else (blur.apart, 0), "u_weights": blur.weights},
            )
            before = after
            if done % 2 == 0:
                yield done / len(chain)
        ours.remove(before)
    finally:
        passes.give_back(*ours)
    return GpuLand(before, below.fields)


TWIN = Twin(run, covers=lambda parameters: parameters.mode == "radius")
