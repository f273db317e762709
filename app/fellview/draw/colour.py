"""Display colours to light and back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
"""The share of each colour in brightness, ITU-R BT.709."""


def from_srgb(colour: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the light of sRGB values from 0 to 1, IEC 61966-2-1. Twin: shaders/lib/srgb.glsl."""
    value = np.asarray(colour, np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((np.maximum(value, 0) + 0.055) / 1.055) ** 2.4)


def to_srgb(light: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the sRGB values of light from 0 to 1, IEC 61966-2-1. Twin: shaders/lib/srgb.glsl."""
    kept = np.maximum(np.asarray(light, np.float64), 0)
    return np.where(kept <= 0.0031308, 12.92 * kept, 1.055 * kept ** (1 / 2.4) - 0.055)
