"""Scree on the GPU: what each cell gives and what it takes, round by round, on the CPU's coarse grid."""

from __future__ import annotations

from fellview.gpu.passes import GridPasses
from fellview.gpu.resample import coarser
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain.domain import Domain
from fellview.terrain.steps import scree
from fellview.terrain.steps.scree import Scree

_ROUNDS_A_YIELD = 4


def run(passes: GridPasses, parameters: Scree, domain: Domain, below: GpuLand) -> Work:
    """Return the land with scree, after a yield for every few rounds."""
    columns, rows = below.heights.size
    planned = scree.plan(parameters, domain)
    coarse = planned.rows, planned.columns
    # where the grid is that coarse itself, the rock is the land, and not ours to give back
    rock = below.heights if coarse == (rows, columns) else coarser(passes, below.heights, *coarse)
    land, other, given = passes.texture(*coarse, 2), passes.texture(*coarse, 2), passes.texture(*coarse)
    ours = [land, other, given] if rock is below.heights else [rock, land, other, given]
    try:
        z, x, across = planned.lengths
        leasts = planned.rest * z, planned.rest * x, planned.rest * across
        passes.run(
            "kernels/scree/shed.frag",
            land,
            {"u_rock": rock},
            {"u_lengths_m": (z, x), "u_walls": planned.walls, "u_fallen_m": parameters.fallen},
        )
        for round_ in range(1, planned.rounds + 1):
            passes.run("kernels/scree/give.frag", given, {"u_land": land}, {"u_leasts_m": leasts, "u_rate": scree.RATE})
            passes.run("kernels/scree/take.frag", other, {"u_land": land, "u_given": given}, {"u_leasts_m": leasts})
            land, other = other, land
            if round_ % _ROUNDS_A_YIELD == 0:
                yield round_ / (planned.rounds + 1)
        fine = passes.texture(rows, columns, 4)
        ours.append(fine)
        passes.run(
            "kernels/resample/finer.frag",
            fine,
            {"u_values": land},
            {"u_cells": (columns, rows), "u_sway": 0.0, "u_salt": 0},
        )
        heights, covered = passes.texture(rows, columns), passes.texture(rows, columns)
        passes.run(
            "kernels/scree/cover.frag",
            (heights, covered),
            {"u_heights": below.heights, "u_land": fine},
            {"u_thin_m": planned.thin_m},
        )
    finally:
        passes.give_back(*ours)
    return GpuLand(heights, {**below.fields, scree.SCREE_DEPTH.name: covered})


TWIN = Twin(run)
