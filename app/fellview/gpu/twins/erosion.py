"""Erosion on the GPU: every kind's twin by the kind's name.

A kind that is not listed is computed on the CPU, such as the DirectX demo's, in place and in raster order.
"""

from __future__ import annotations

from collections.abc import Mapping

from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Run, Twin, Work
from fellview.gpu.twins import fluvial, hydraulic, rock, thermal
from fellview.terrain.domain import Domain
from fellview.terrain.steps.erosion import Erosion

RUNS: Mapping[str, Run] = {
    "thermal": thermal.run,
    "fluvial": fluvial.run,
    "hydraulic": hydraulic.run,
}


def run(passes: GridPasses, parameters: Erosion, domain: Domain, below: GpuLand) -> Work:
    """Return the worn land, after yields on the way."""
    return (yield from RUNS[parameters.kind](passes, parameters, domain, below))


TWIN = Twin(rock.with_fields(run), covers=lambda parameters: parameters.kind in RUNS)
