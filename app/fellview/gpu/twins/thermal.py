"""Thermal erosion on the GPU: stage by stage the sums of `terrain/erosion/thermal.py`, in their order."""

from __future__ import annotations

import math

from fellview.gpu.extremes import extremes
from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Iterated, Work
from fellview.gpu.twins import rock as layered
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import rock, thermal

_STAGES_A_YIELD = 2


def run(passes: GridPasses, parameters: thermal.Thermal, domain: Domain, below: GpuLand) -> Work:
    """Return the land after `duration` kyr over slopes above `talus_angle` degrees, after yields on the way.

    `stop_after` ends it after so many stages (0: after all).
    """
    heights, talus_angle, stop_after = below.heights, parameters.talus_angle, parameters.stop_after
    columns, rows = heights.size
    z, x = domain.grid.cell_size
    across = math.hypot(z, x)
    strata = None
    if domain.other(rock.Rock).enabled:
        measured = extremes(passes, heights)
        strata = rock.strata(domain, measured.low, measured.high)
    slope = 1.0 if strata else math.tan(math.radians(talus_angle))  # layers have their own
    tali = (slope * z, slope * x, slope * across)
    steps, stages, time = thermal.plan(parameters.duration, domain)
    last_stage = min(stop_after or steps * stages, steps * stages)
    shortest = min(z, x) ** 2 / 8
    # a pass may not write what it reads, so the CPU's two fields are three here
    before = last = heights
    ours = [passes.texture(rows, columns) for _ in range(3)]
    layers = None
    if strata:
        layers = layered.Laid(passes, strata, domain, rows, columns, 0.0, 1.0, talus_angle, 1.0, heights)
    try:
        for done in range(1, last_stage + 1):
            stage = (done - 1) % stages + 1
            if layers and stage == 1:
                layers.look_up(last)
            textures, numbers = layered.felt(layers)
            share = (2 * stage - 1) / stage * 2 / (stages * stages + stages) * time
            free = next(texture for texture in ours if texture is not before and texture is not last)
            passes.run(
                "kernels/thermal/thermal.frag",
                free,
                {"u_before": before, "u_last": last, **textures},
                {
                    "u_b": (1 - stage) / stage,
                    "u_tali": tali,
                    "u_rates": tuple(share * shortest / way**2 for way in (z, x, across)),
                    **numbers,
                },
            )
            before, last = last, free
            if done % _STAGES_A_YIELD == 0 and (yield Iterated(done, last_stage)):
                break
        ours.remove(last)
    finally:
        passes.give_back(*ours)
        if layers:
            layers.give_back()
    return GpuLand(last, below.fields)
