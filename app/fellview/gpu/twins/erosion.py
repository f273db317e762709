"""Erosion on the GPU, by its kind. The DirectX demo's is in place and in raster order, which only the CPU can do."""

from __future__ import annotations

from collections.abc import Generator

from fellview.gpu.grid_passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin
from fellview.gpu.twins import thermal
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import Erosion

_KINDS = ("thermal",)


def run(passes: GridPasses, parameters: Erosion, domain: Domain, below: GpuLand) -> Generator[float, None, GpuLand]:
    """Return the worn land, after yields on the way."""
    heights = yield from thermal.run(
        passes, parameters.duration, parameters.talus_angle, domain, below.heights, parameters.stop_after
    )
    return GpuLand(heights)


TWIN = Twin(run, covers=lambda parameters: parameters.kind in _KINDS)
