"""What landforms are made of: smooth extremes, steps, and the noise that bends their outlines.

The smooth maximum of a and b lies between max(a, b) and max(a, b) + k/4, is the same whichever comes first, and is the
plain maximum where |a − b| ≥ k:

    smooth_max(a, b, k) = max(a, b) + k/4 · max(1 − |a − b|/k, 0)²

Source: I. Quilez, "smooth minimum" (the quadratic polynomial), 2013, https://iquilezles.org/articles/smin/
Twin: shaders/lib/landform.glsl
"""

from __future__ import annotations

import math

import numpy as np

from fellview.core.compiled import kernel
from fellview.noise.hash import mix, more


@kernel(inline="always")
def smooth_max(a, b, k):
    """Return the smooth maximum of a and b; k = 0 gives the plain one."""
    near = max(k - abs(a - b), 0.0)
    return max(a, b) + (near * near / (4.0 * k) if k > 0.0 else 0.0)


@kernel(inline="always")
def smooth_min(a, b, k):
    """Return the smooth minimum of a and b; k = 0 gives the plain one."""
    near = max(k - abs(a - b), 0.0)
    return min(a, b) - (near * near / (4.0 * k) if k > 0.0 else 0.0)


@kernel(inline="always")
def step(low, high, value):
    """Return 0 below `low`, 1 above `high`, and the cubic 3t² − 2t³ between."""
    t = min(max((value - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel(inline="always")
def window(distance, radius):
    """Return how much an outline is bent at `distance` from the middle: 1 up to 1.5 radii, 0 from 1.9 on.

    Beyond lies nothing but the ground, whose cells are then spared the noise.
    """
    return 1.0 - step(1.5, 1.9, distance / radius)


@kernel()
def pair(x, z, started):
    """Return two gradient noises at (x, z) in lattice cells, each within ±2 and mostly within ±0.7.

    One hash a corner gives both gradients, eight bits a component.
    """
    i, j = math.floor(x), math.floor(z)
    tx, tz = x - i, z - j
    column, row = np.uint32(np.int64(i)), np.uint32(np.int64(j))
    near = mix(np.uint32(started ^ column))
    far = mix(np.uint32(started ^ np.uint32(column + np.uint32(1))))
    wx = tx * tx * tx * (tx * (tx * 6.0 - 15.0) + 10.0)
    wz = tz * tz * tz * (tz * (tz * 6.0 - 15.0) + 10.0)
    next_row = np.uint32(row + np.uint32(1))
    a0, b0 = _slopes(mix(np.uint32(near ^ row)), tx, tz)
    a1, b1 = _slopes(mix(np.uint32(far ^ row)), tx - 1.0, tz)
    a2, b2 = _slopes(mix(np.uint32(near ^ next_row)), tx, tz - 1.0)
    a3, b3 = _slopes(mix(np.uint32(far ^ next_row)), tx - 1.0, tz - 1.0)
    a0 += wx * (a1 - a0)
    a2 += wx * (a3 - a2)
    b0 += wx * (b1 - b0)
    b2 += wx * (b3 - b2)
    return a0 + wz * (a2 - a0), b0 + wz * (b2 - b0)


@kernel(inline="always")
def _slopes(h, x, z):
    """Return the two gradients in the bits of h, times (x, z); components in −2 … 2."""
    first = _part(h) * x + _part(h >> np.uint32(8)) * z
    return first, _part(h >> np.uint32(16)) * x + _part(h >> np.uint32(24)) * z


@kernel(inline="always")
def _part(h):
    """Return the low eight bits of h as a number from −2 to 2."""
    return np.float64(np.int32(h & np.uint32(255))) * (4.0 / 255.0) - 2.0


@kernel()
def outline(x, z, octaves, gain, started):
    """Return two sums of octaves of `pair` at (x, z); each octave is turned, so that no lattice shows."""
    a = b = 0.0
    share = 1.0
    for k in range(int(octaves)):
        first, second = pair(x, z, more(started, k))
        a += share * first
        b += share * second
        # turned by the angle of the triangle 3-4-5 and doubled
        x, z = 1.6 * x - 1.2 * z + 17.3, 1.2 * x + 1.6 * z + 9.1
        share *= gain
    return a, b


@kernel()
def ridged(x, z, octaves, started):
    """Return a sum of octaves with sharp crests, 0 to about 1, high on the crests."""
    total, share = 0.0, 0.5
    for k in range(int(octaves)):
        first, _ = pair(x, z, more(started, k))
        crest = 1.0 - min(abs(first) * 1.4, 1.0)
        total += share * crest * crest
        x, z = 1.6 * x - 1.2 * z + 17.3, 1.2 * x + 1.6 * z + 9.1
        share *= 0.5
    return total
