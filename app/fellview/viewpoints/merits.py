"""What makes a picture of land a good one, by what photographers look for: each merit from 0 to 1, with its weight.

The limits come from pictures, and from the cameras that Fellview's own scenes have: all have the sun from the side, the
skyline at the upper third, and more of the land in view than nine tenths of random pictures.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fellview.scene.groups.sun import Sun
from fellview.viewpoints.panorama import Values
from fellview.viewpoints.picture import SKYLINE, Pictures

_LEAST_DEPTH = 0.02  # of the picture, below which foreground, middle or distance is as good as missing
_NO_REACH, _LEAST_REACH = np.log(4.5), np.log(6.0)  # of distances: from the nearest to as far is one depth alone


def merits(of: Pictures, yaw: float, sun: Sun, is_wet: bool) -> dict[str, tuple[float, Values]]:
    """Return by name the weight of each merit and its values [eye], for pictures that look along `yaw` in degrees.

    `is_wet` tells that the land has water that a picture may show.
    """
    aside = float(np.sin(np.radians(yaw - sun.azimuth))) ** 2
    raking = float(np.cos(np.radians(sun.elevation)))  # a high sun comes from nowhere
    even = max(float(np.sin(np.radians(sun.elevation))), 0.05)  # what level ground gets of it
    near, middle, far = of.depths
    third = np.exp(-(((np.abs(of.peak) - 1 / 3) / 0.2) ** 2))
    return {
        "land seen": (0.26, _between(np.log(np.maximum(of.seen, 1e-6)), np.log(0.015), np.log(0.3))),
        "sun from the side": (0.16, np.full_like(near, 1 - raking * (1 - aside))),
        "modelled by light": (0.16, _up_to(of.contrast, 0.22)),
        "not in the dark": (0.08, _between(of.light / even, 0.3, 0.8)),
        "foreground": (0.06, _up_to(near, 0.15)),
        "middle": (0.14, _up_to(middle, 0.22)),
        "distance": (0.10, _up_to(far, 0.08)),
        "reach": (0.08, _up_to(of.reach, 3.0)),
        "planes": (0.10, _up_to(of.planes, 1.0)),
        "bold forms": (0.14, _up_to(of.relief, 0.6)),
        "skyline at the third": (0.10, np.exp(-(((of.skyline - SKYLINE) / 0.1) ** 2))),
        "readable skyline": (0.08, _up_to(of.shape, 0.025) * _between(of.shape, 0.25, 0.12)),
        "skyline does not lean": (0.06, _between(of.slant, 0.5, 0.2)),
        "peak at a third": (0.07, _up_to(of.prominence, 0.08) * third),
        "water": (0.12 if is_wet else 0.0, _up_to(of.water, 0.08) * _between(of.water, 0.8, 0.4)),
    }


def scores(of: Pictures, yaw: float, sun: Sun, is_wet: bool) -> Values:
    """Return how good pictures are, 0 … 1 [eye]; with a blocked middle, or without one of the depths, none is."""
    found = merits(of, yaw, sun, is_wet).values()
    merit = sum(weight * value for weight, value in found) / sum(weight for weight, _ in found)
    free = (1 - of.blocked) ** 2 * (1 - of.covered / 2) * (1 - of.cut / 2)
    deep = _up_to(of.depths.min(axis=0), _LEAST_DEPTH) * _between(of.reach, _NO_REACH, _LEAST_REACH)
    return np.asarray(merit * free * deep, np.float32)


def _up_to(values: Any, full: float) -> Values:
    """Return 0 at 0 and 1 from `full` on, straight between."""
    return np.asarray(np.minimum(values / full, 1), np.float32)


def _between(values: Any, none: float, full: float) -> Values:
    """Return 0 up to `none` and 1 from `full` on, or the other way round where that is less; straight between."""
    return np.asarray(np.clip((values - none) / (full - none), 0, 1), np.float32)
