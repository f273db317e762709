"""Wavefront OBJ as text, with its material beside it.

Source: Wavefront Technologies, Object Files (.obj) and Material Files (.mtl), Advanced Visualizer manual (1995),
appendix B.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fellview.mesh.land_mesh import Floats, LandMesh

_AT_ONCE = 1 << 16  # lines
_MATERIAL = "land"


def write(file: BinaryIO, mesh: LandMesh, coordinates: Floats, library: str, notes: list[str]) -> None:
    """Write `mesh` with its texture coordinates to `file`; `library` is the name of the material file beside it."""
    head = [*(f"# {note}" for note in notes), f"mtllib {library}", "o land"]
    file.write(("\n".join(head) + "\n").encode())
    _write_rows(file, "v %.9g %.9g %.9g\n", mesh.positions)
    _write_rows(file, "vt %.9g %.9g\n", coordinates * [1, -1] + [0, 1])  # v goes up here
    _write_rows(file, "vn %.6g %.6g %.6g\n", mesh.normals)
    file.write(f"usemtl {_MATERIAL}\n".encode())
    corners = mesh.triangles.astype(np.int64) + 1
    _write_rows(file, "f %d/%d/%d %d/%d/%d %d/%d/%d\n", np.repeat(corners, 3, axis=1))


def write_material(file: BinaryIO, picture: str | None) -> None:
    """Write the material, with the `picture` beside it as its colour."""
    lines = [f"newmtl {_MATERIAL}", "Ka 0 0 0", "Kd 1 1 1", "Ks 0 0 0", "illum 1"]
    if picture is not None:
        lines.append(f"map_Kd {picture}")
    file.write(("\n".join(lines) + "\n").encode())


def _write_rows(file: BinaryIO, line: str, values: NDArray[Any]) -> None:
    """Write a `line` a row of `values`."""
    for begin in range(0, len(values), _AT_ONCE):
        rows = values[begin : begin + _AT_ONCE]
        file.write(((line * len(rows)) % tuple(rows.ravel().tolist())).encode())
