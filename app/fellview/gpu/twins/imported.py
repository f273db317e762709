"""The height map on the GPU: the file goes up as it is, and two passes lay it under the grid.

Which cells a height is made of, and with what weights, comes from the CPU's own tables, so that both engines place a
file alike to the last bit of a place.
"""

from __future__ import annotations

import moderngl
import numpy as np

from fellview.gpu.passes import GridPasses, Number
from fellview.gpu.twin import GpuLand, Twin, Work
from fellview.terrain import resample
from fellview.terrain.domain import Domain
from fellview.terrain.steps.imported import Imported, laid


def run(passes: GridPasses, parameters: Imported, domain: Domain, below: GpuLand) -> Work:
    """Return the file's land, on the land below where it is added; after a yield when the file is there."""
    file = laid(parameters, domain)
    values = passes.upload(file.values)
    first, scale, lowest = file.metres or (0.0, 1.0, 0.0)
    columns, rows = below.heights.size
    between, out = passes.texture(rows, values.width), passes.texture(rows, columns)
    adds = parameters.blend == "add"
    plain: dict[str, Number] = {"u_first": 0.0, "u_scale": 1.0, "u_lowest": 0.0, "u_adds": False}
    meant: dict[str, Number] = {"u_first": first, "u_scale": scale, "u_lowest": lowest, "u_adds": adds}
    try:
        yield 0.5
        for along_rows, place, count, source, into, numbers in (
            (False, file.along_z, rows, values, between, plain),
            (True, file.along_x, columns, between, out, meant),
        ):
            taps = _taps(passes, place, count)
            textures = {"u_values": source, "u_taps": taps, "u_below": below.heights}
            passes.run("kernels/resample/window.frag", into, textures, {"u_along_rows": along_rows, **numbers})
            passes.give_back(taps)
    except BaseException:
        passes.give_back(out)
        raise
    finally:
        passes.give_back(values, between)
    return GpuLand(out, below.fields)


def _taps(passes: GridPasses, place: tuple[float, float], count: int) -> moderngl.Texture:
    """Return a texture [cell, tap] of `count` cells: the first source cell, then the weights from it on."""
    first, weights = resample.places(*place, count)
    return passes.upload(np.column_stack([first.astype(np.float32), weights]))


TWIN = Twin(run)
