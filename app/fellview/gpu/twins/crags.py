"""Crags on the GPU: octave by octave the waves of a lattice, then the ribs of all cells; ledges last."""

from __future__ import annotations

from typing import Any

from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain.domain import Domain
from fellview.terrain.steps import crags
from fellview.terrain.steps.crags import Crags

# moderngl takes an array of vectors as a tuple of tuples
CIRCLE: Any = crags.CIRCLE


def run(passes: GridPasses, parameters: Crags, domain: Domain, below: GpuLand) -> Work:
    """Return the land with crags, after a yield for each octave."""
    columns, rows = below.heights.size
    dz, dx = domain.grid.cell_size
    reach_z, reach_x = crags.reach(parameters, domain)
    summit_z, summit_x = crags.summit_reach(parameters, domain)
    heights, ours = below.heights, [passes.texture(rows, columns) for _ in range(5)]
    weights = grown = ours[2]
    try:
        passes.run(
            "kernels/crags/weigh.frag",
            weights,
            {"u_heights": heights},
            {
                "u_reach": (reach_x, reach_z),
                "u_summit": (summit_x, summit_z),
                "u_cell_m": (dx, dz),
                "u_slopes": crags.slopes(parameters),
                "u_swept": (crags.SWEPT_FROM, crags.SWEPT),
                "u_free": (crags.FREE_FROM, crags.FREE),
                "u_brink": (crags.BRINK_FROM, crags.BRINK, crags.BRINK_KEEPS),
                "u_most_slope": crags.MOST_SLOPE,
                "u_least": crags.LEAST,
            },
        )
        asked = crags.octaves(parameters, domain)
        for number, octave in enumerate(asked):
            radius = octave.wavelength_m / 2
            waves = passes.texture(octave.rows, octave.columns, 4)
            ours.append(waves)
            passes.run(
                "kernels/crags/waves.frag",
                waves,
                {"u_heights": heights},
                {
                    "u_unit": (octave.unit_m / dx, octave.unit_m / dz),
                    "u_radius": (radius / dx, radius / dz),
                    "u_cycles": octave.unit_m / octave.wavelength_m,
                    "u_unskew": crags.UNSKEW,
                    "u_seed": octave.seed,
                    "u_circle": CIRCLE,
                },
            )
            before, felt = heights, grown
            heights, grown = ours[number % 2], ours[3 + number % 2]
            passes.run(
                "kernels/crags/crags.frag",
                (heights, grown),
                {"u_heights": before, "u_weights": felt, "u_waves": waves},
                {
                    "u_unit": (dx / octave.unit_m, dz / octave.unit_m),
                    "u_amplitude_m": octave.amplitude_m,
                    "u_sharpness": parameters.sharpness,
                    "u_skew": crags.SKEW,
                    "u_unskew": crags.UNSKEW,
                    "u_meeting": crags.MEETING,
                    "u_least": crags.LEAST,
                },
            )
            yield (number + 1) / (len(asked) + 1)
        bedded = crags.beds(parameters, domain)
        before, heights = heights, ours[len(asked) % 2]
        passes.run(
            "kernels/crags/ledges.frag",
            heights,
            {"u_heights": before, "u_weights": weights},
            {
                "u_cell_m": (dx, dz),
                "u_thickness_m": bedded.thickness_m,
                "u_strength": bedded.strength,
                "u_dip": (bedded.dip_x, bedded.dip_z),
                "u_phases": bedded.phases,
                "u_riser": crags.RISER,
                "u_uneven": (crags.UNEVEN, crags.UNEVEN_CYCLES),
                "u_strong_cycles": crags.STRONG_CYCLES,
            },
        )
        before, heights = heights, ours[(len(asked) + 1) % 2]
        passes.run(
            "kernels/crags/blunt.frag",
            heights,
            {"u_heights": before, "u_weights": weights},
            {"u_tips_m": crags.tips(domain)},
        )
        ours.remove(heights)
    finally:
        passes.give_back(*ours)
    return GpuLand(heights, below.fields)


TWIN = Twin(run)
