"""The shadows of clouds on the ground: soft patches, the same in every picture."""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

PATCHES_A_TILE = 8
"""Patches along a side of the pattern, which repeats without a seam."""

_SIDE = 256  # texels: 32 a patch
_SEED = 7
_FALL = 2.8  # the power of the wave number by which waves shrink: billows on patches, edges that are not frayed
_CLEAR, _SHADED = 0.4, 0.8  # shares of the ground: two fifths lie in full sun, one in full shade


def pattern(side: int = _SIDE) -> NDArray[np.float32]:
    """Return how much of the sun clouds keep away, 0 to 1, float32 (side, side); it repeats in both directions.

    It is noise of random waves, none longer than two patches, by order of its values, so that the shares of
    ground in sun and shade hold exactly.
    """
    along, across = np.meshgrid(np.fft.fftfreq(side, 1 / side), np.fft.rfftfreq(side, 1 / side), indexing="ij")
    waves = np.hypot(along, across)  # a tile
    strength = np.where(waves >= PATCHES_A_TILE / 2, np.maximum(waves, 1.0) ** -_FALL, 0.0)
    spectrum = np.fft.rfft2(np.random.default_rng(_SEED).standard_normal((side, side)))
    noise = np.fft.irfft2(spectrum * strength, (side, side))
    order = noise.ravel().argsort().argsort().reshape(noise.shape) / (noise.size - 1)
    share = np.clip((order - _CLEAR) / (_SHADED - _CLEAR), 0.0, 1.0)
    return (share * share * (3 - 2 * share)).astype(np.float32)


def texture(context: moderngl.Context) -> moderngl.Texture:
    """Return the pattern as a texture of one byte a texel, which repeats."""
    shades = np.round(255 * pattern()).astype(np.uint8)
    made = context.texture(shades.shape[::-1], 1, shades.tobytes())
    made.filter = (moderngl.LINEAR, moderngl.LINEAR)
    return made
