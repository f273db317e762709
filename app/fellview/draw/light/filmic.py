"""The filmic curve on the processor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.draw.colour import LUMINANCE

MIDDLE, MIDDLE_SHOWN, FILM_CONTRAST = 0.4, 0.25, 1.4
_MIXED, _UNMIXED = 0.20, 0.16


def filmic(exposed: NDArray[np.float64], contrast: float, saturation: float) -> NDArray[np.float64]:
    """Return what film shows of light, rgb, 0 to 1, still light and not yet sRGB. Twin: draw/light/filmic.glsl."""
    film = (1 - _MIXED) * exposed + _MIXED * float(LUMINANCE @ exposed)
    over = 1 + ((1 - MIDDLE_SHOWN) ** (-1 / 3) - 1) * (film / MIDDLE) ** (FILM_CONTRAST * contrast)
    shown = 1 - over**-3
    grey = float(LUMINANCE @ shown)
    colour = (shown - grey) * saturation / (1 - _UNMIXED)
    room = np.where(colour > 0, 1 - grey, grey) / np.maximum(np.abs(colour), 1e-6)
    return np.asarray(grey + colour * min(float(room.min()), 1.0))
