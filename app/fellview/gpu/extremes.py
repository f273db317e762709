"""The lowest and highest heights of a texture, found where it lies: 64² blocks are read, not the whole grid."""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np

from fellview.core.height_field import Heights, blocks
from fellview.gpu.passes import GridPasses


@dataclass(frozen=True)
class Extremes:
    """Lowest and highest height in metres, the highest of each block (`HeightField.block_tops`), and no NaN or ±∞."""

    low: float
    high: float
    block_tops: Heights
    finite: bool


def extremes(passes: GridPasses, heights: moderngl.Texture) -> Extremes:
    """Return the extremes of an R32F texture; this waits for the GPU."""
    columns, rows = heights.size
    (starts_z, ends_z), (starts_x, ends_x) = blocks(rows), blocks(columns)
    strips = passes.texture(len(starts_z), columns, 4)
    table = passes.texture(len(starts_z), len(starts_x), 4)
    passes.run(
        "gpu/extremes.frag",
        strips,
        {"u_values": heights},
        {"u_first": True, "u_axis": (0, 1), "u_step": ends_z[0] - starts_z[0]},
    )
    passes.run(
        "gpu/extremes.frag",
        table,
        {"u_values": strips},
        {"u_first": False, "u_axis": (1, 0), "u_step": ends_x[0] - starts_x[0]},
    )
    found = passes.read(table)
    passes.give_back(strips, table)
    low, high, bad = (found[..., part] for part in range(3))
    return Extremes(float(low.min()), float(high.max()), np.ascontiguousarray(high), not bad.any())
