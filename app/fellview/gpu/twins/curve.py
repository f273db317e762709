"""The height curve on the GPU: the land's lowest and highest are found there too, so that nothing is read back."""

from __future__ import annotations

from fellview.gpu.passes import GridPasses
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain.domain import Domain
from fellview.terrain.steps.curve import Curve, segments

_BLOCK = 8  # cells a side that one pass brings down to one; the shader's BLOCK


def run(passes: GridPasses, parameters: Curve, domain: Domain, below: GpuLand) -> Work:
    """Return the reshaped land, after a yield when its range is known."""
    columns, rows = below.heights.size
    wide, high = -(-columns // _BLOCK), -(-rows // _BLOCK)
    extremes = passes.texture(high, wide, 2)
    passes.run("kernels/curve/extremes.frag", extremes, {"u_values": below.heights}, {"u_first": 1})
    while max(wide, high) > 1:
        wide, high = -(-wide // _BLOCK), -(-high // _BLOCK)
        fewer = passes.texture(high, wide, 2)
        passes.run("kernels/curve/extremes.frag", fewer, {"u_values": extremes}, {"u_first": 0})
        passes.give_back(extremes)
        extremes = fewer
    try:
        yield 0.5
        reshaped = passes.texture(rows, columns)
        passes.run(
            "kernels/curve/curve.frag",
            reshaped,
            {"u_heights": below.heights, "u_extremes": extremes},
            {"u_cubics": tuple(float(number) for number in segments(parameters).ravel())},
        )
    finally:
        passes.give_back(extremes)
    return GpuLand(reshaped, below.fields)


TWIN = Twin(run)
