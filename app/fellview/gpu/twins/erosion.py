"""Erosion on the GPU, by its kind. The DirectX demo's is in place and in raster order, which only the CPU can do."""

from __future__ import annotations

from fellview.gpu.grid_passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.gpu.twins import fluvial, hydraulic, rock, thermal
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import fluvial as fluvial_on_cpu
from fellview.terrain.steps.erosion import Erosion, terms


def run(passes: GridPasses, parameters: Erosion, domain: Domain, below: GpuLand) -> Work:
    """Return the worn land, after yields on the way."""
    stop_after = parameters.stop_after
    match parameters.kind:
        case "thermal":
            heights = yield from thermal.run(
                passes, parameters.duration, parameters.talus_angle, domain, below.heights, stop_after
            )
        case "fluvial":
            rivers = terms(fluvial_on_cpu.Terms, parameters)
            heights = yield from fluvial.run(passes, rivers, domain, below.heights, stop_after)
        case _:
            return (yield from hydraulic.run(passes, parameters, domain, below))
    return GpuLand(heights, below.fields)


TWIN = Twin(rock.with_fields(run), covers=lambda parameters: parameters.kind in ("thermal", "fluvial", "hydraulic"))
