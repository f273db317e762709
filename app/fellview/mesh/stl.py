"""Binary STL: triangles and nothing else, x east, y north, z up, as printers and CAD have it.

Source: 3D Systems, StereoLithography Interface Specification (1989).
"""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.mesh.land_mesh import Indices

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEADER = 80  # bytes
_MOST = (1 << 32) - 1
_AT_ONCE = 1 << 18


def write(file: BinaryIO, positions: NDArray[Any], triangles: Indices, note: str) -> None:
    """Write `triangles` between `positions` (vertices, 3) to `file`; `note` stands in its header, as far as it fits.

    `InputError` where there are more than the format holds.
    """
    if len(triangles) > _MOST:
        raise InputError(f"triangles = {len(triangles)}: an STL holds at most {_MOST}")
    text = note.encode("ascii", "replace")[:_HEADER]
    file.write(text.ljust(_HEADER) + np.uint32(len(triangles)).astype("<u4").tobytes())
    for begin in range(0, len(triangles), _AT_ONCE):
        corners = positions[triangles[begin : begin + _AT_ONCE]]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(normal, axis=1, keepdims=True)
        out = np.zeros(len(corners), _TRIANGLE)
        out["normal"] = normal / np.where(length > 0, length, 1)
        out["corners"] = corners
        file.write(out.tobytes())


def upright(positions: NDArray[Any]) -> NDArray[Any]:
    """Return `positions` (x east, y up, −z north) as x east, y north, z up."""
    return np.stack([positions[:, 0], -positions[:, 2], positions[:, 1]], axis=-1)
