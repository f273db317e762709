"""How much light of each colour the picture takes in: what an eye or a photographer makes good of a change in light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.draw.colour import LUMINANCE

FILMIC = 2.6
"""Puts sunlit grass at noon a little under the middle of the filmic curve."""

PAINTED = 0.7
"""Of that exposure for painted skies, whose colours were chosen as they show on the screen."""

_REFERENCE = 1.05  # the brightness over pi at which exposure stays as it is: a clear noon
_ADAPTATION = 0.42  # the share of a small change in light, in stops, that is made good
_DARKEST_STOPS = 4.2  # under the day's brightness, that any night is shown at: dark, and every hill of it to be seen
_BALANCE = (0.35, 0.75)  # the share of the light's colour that is made good, in stops: of dusk's, and of sunlight's
_MOST = 0.35  # of the logarithm of a channel: what a sun at 15° has; redder light is seen to be red


def adapted(brightness: float) -> float:
    """Return how many times as much light is let in as at noon, where there is so much of it, over pi.

    Of `stops` less light, 1 - `_ADAPTATION` of each stop shows at first, and never more than `_DARKEST_STOPS` in all.
    """
    stops = -np.log2(max(brightness / _REFERENCE, 1e-9))
    shown = (1 - _ADAPTATION) * stops
    if stops > 0:
        shown = _DARKEST_STOPS * (1 - np.exp(-shown / _DARKEST_STOPS))
    return float(2.0 ** (stops - shown))


def balance(sun: NDArray[np.float64], sky: NDArray[np.float64], night: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return factors, rgb, that make good some of the colour of light on a white card, and keep its brightness.

    Given are the sun's part, the sky's and the night's. Only what air does to sunlight counts: the colours that a scene
    gives to sun and shade are wanted, and so is the blue of dusk and night.
    """
    light = sun + sky + float(LUMINANCE @ night)
    colour = light / float(LUMINANCE @ light)
    logarithms = np.log(colour)
    share = float(np.interp(LUMINANCE @ sun / (LUMINANCE @ light), (0, 1), _BALANCE))
    factors = np.exp(-share * min(1.0, _MOST / max(float(np.abs(logarithms).max()), 1e-9)) * logarithms)
    return np.asarray(factors / float(LUMINANCE @ (factors * colour)))
