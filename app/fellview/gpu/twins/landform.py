"""Landforms on the GPU: one pass, put together from a landform's own file and the blend that all share.

Lists of craters and islands come from the same preparation as the CPU's and go up as small textures.
"""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from fellview.gpu.passes import GridPasses, Number
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain.domain import Domain
from fellview.terrain.steps import landform

_ENTRIES_A_ROW = 1024  # as in shaders/lib/landform.glsl; the narrowest OpenGL 3.3 has rows of 1024


def run(passes: GridPasses, parameters: Any, domain: Domain, below: GpuLand) -> Work:
    """Give `below` with the landform of `parameters` over it."""
    out = lay(passes, parameters.kind, landform.laid(parameters, domain), below.heights)
    yield 1.0
    return GpuLand(out, below.fields)


def lay(passes: GridPasses, kind: str, one: landform.Laid, below: moderngl.Texture) -> moderngl.Texture:
    """Return a texture out of `passes` with the heights `below` and over them the landform `one` of `kind`."""
    table = one.prepared.table
    rows = -(-len(table) // _ENTRIES_A_ROW)
    padded = np.zeros((rows * _ENTRIES_A_ROW, 4), np.float32)
    padded[: len(table)] = table
    textures = {
        "u_below": below,
        "u_table": passes.upload(padded.reshape(rows, _ENTRIES_A_ROW, 4)),
        "u_spans": passes.upload(one.prepared.spans),
    }
    x0, z0, x_column, z_column, x_row, z_row = one.frame
    numbers: dict[str, Number] = {
        "u_origin_m": (x0, z0),
        "u_column_m": (x_column, z_column),
        "u_row_m": (x_row, z_row),
        "u_blend": one.blend,
        "u_sign": one.sign,
        "u_base_m": one.base,
        "u_smoothness_m": one.smoothness,
        "u_rounded_m": one.rounded,
        "u_started": one.started,
        **{f"u_{name}": value for name, value in one.prepared.numbers.items()},
    }
    columns, rows = below.size
    out = passes.texture(rows, columns)
    own = f"kernels/landform/{kind}.glsl"
    passes.run("kernels/landform/landform.frag", out, textures, numbers, (own,))
    passes.give_back(textures["u_table"], textures["u_spans"])
    return out


TWIN = Twin(run)
