"""What takes the place of pyrr where that is missing, so that OpenGL is checked with numpy and moderngl alone."""

from __future__ import annotations

import importlib.util
import sys
import types
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Matrix44(np.ndarray[Any, Any]):
    """The few matrices for row vectors that `view/projection.py` asks pyrr for; `a * b` applies `b` first."""

    def __new__(cls, values: Any) -> Matrix44:
        """Make one of 4×4 `values`."""
        return np.asarray(values).view(cls)

    def __mul__(self, other: Any) -> Matrix44:
        """Return the product, which applies `other` first."""
        return Matrix44(np.dot(np.asarray(other), np.asarray(self)))

    @classmethod
    def from_translation(cls, by: NDArray[np.float64], dtype: str) -> Matrix44:
        """Return what moves places by (x, y, z)."""
        matrix = np.eye(4, dtype=dtype)
        matrix[3, :3] = by
        return cls(matrix)

    @classmethod
    def perspective_projection(
        cls, field_of_view: float, aspect: float, near: float, far: float, dtype: str
    ) -> Matrix44:
        """Return the matrix of gluPerspective; the field of view is from the lower to the upper edge, in degrees."""
        top = near * np.tan(field_of_view * np.pi / 360.0)
        right = top * aspect
        matrix = np.zeros((4, 4), dtype)
        matrix[0, 0], matrix[1, 1] = 2 * near / (right + right), 2 * near / (top + top)
        matrix[2, 2], matrix[2, 3] = -(far + near) / (far - near), -1.0
        matrix[3, 2] = -2 * far * near / (far - near)
        return cls(matrix)

    @classmethod
    def orthogonal_projection(
        cls, left: float, right: float, bottom: float, top: float, near: float, far: float, dtype: str
    ) -> Matrix44:
        """Return the matrix of glOrtho."""
        low, high = np.array([left, bottom, near]), np.array([right, top, far])
        matrix = np.diag([*(np.array([2.0, 2.0, -2.0]) / (high - low)), 1.0]).astype(dtype)
        matrix[3, :3] = -(high + low) / (high - low)
        return cls(matrix)


PACKAGES = ("PIL", "imgui_bundle", "platformdirs", "pyrr", "tomli_w")
"""What Fellview makes use of, and its check of OpenGL can do without."""


def is_there(module: str) -> bool:
    """Return whether `module` itself can be imported, not what stands in for it."""
    if module in sys.modules:
        return sys.modules[module].__spec__ is not None
    return importlib.util.find_spec(module) is not None


def stand_in() -> None:
    """Put what is here in the place of pyrr where that is missing."""
    if not is_there("pyrr"):
        module: Any = types.ModuleType("pyrr")
        module.Matrix44 = Matrix44
        sys.modules["pyrr"] = module
