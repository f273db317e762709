"""The DirectX demo's perturbation on the GPU: two maps of noise, then one look at the cell that they point to.

The CPU adds and multiplies in the demo's order, of which a last bit can move a cell; here such cells may take their
neighbour's height.
"""

from __future__ import annotations

from fellview.gpu.noise_map import NoiseMap
from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.noise import evaluate
from fellview.terrain.domain import Domain
from fellview.terrain.steps.perturb import Perturb


def run(passes: GridPasses, parameters: Perturb, domain: Domain, below: GpuLand) -> Work:
    """Return the displaced land, after a yield for each map of noise."""
    columns, rows = below.heights.size
    asked = evaluate.request("classic", 3, domain.seed, None, {})
    shifts = [passes.texture(rows, columns), passes.texture(rows, columns)]
    try:
        for z, shift in enumerate(shifts):
            passes.tool(NoiseMap).draw(asked, (columns, rows), extent=parameters.frequency, z=float(z), into=shift)
            yield 0.4 * (z + 1)
        displaced = passes.texture(rows, columns)
        passes.run(
            "kernels/perturb/cells.frag",
            displaced,
            {"u_heights": below.heights, "u_shift_rows": shifts[0], "u_shift_columns": shifts[1]},
            {"u_distance": parameters.distance},
        )
    finally:
        passes.give_back(*shifts)
    return GpuLand(displaced)


TWIN = Twin(run, covers=lambda parameters: parameters.mode == "demo")
