"""Textures on fewer cells: the twin of `terrain/resample.coarser`."""

from __future__ import annotations

import moderngl

from fellview.gpu.passes import GridPasses


def coarser(passes: GridPasses, values: moderngl.Texture, rows: int, columns: int) -> moderngl.Texture:
    """Return a new texture of the first component of `values` on no more cells than it has, R32F [row, column]."""
    between, out = passes.texture(rows, values.width), passes.texture(rows, columns)
    fragment = "kernels/resample/coarser.frag"
    passes.run(fragment, between, {"u_values": values}, {"u_along_rows": False, "u_coarse": rows})
    passes.run(fragment, out, {"u_values": between}, {"u_along_rows": True, "u_coarse": columns})
    passes.give_back(between)
    return out
