"""What landforms are made of: smooth extremes, steps, and the noise that bends their outlines.

The smooth maximum of a and b lies between max(a, b) and max(a, b) + k/4, is the same whichever comes first, and is the
plain maximum where |a − b| ≥ k:

    smooth_max(a, b, k) = max(a, b) + k/4 · max(1 − |a − b|/k, 0)²

Coordinates, heights and noise are float32, and noise is made a row of cells at a time: its loops have neither branches
nor calls, so that they run several cells to an instruction.

Source: I. Quilez, "smooth minimum" (the quadratic polynomial), 2013, https://iquilezles.org/articles/smin/
Twin: shaders/lib/landform.glsl
"""

from __future__ import annotations

import math

import numpy as np
from numpy import float32 as f32

from fellview.core.compiled import kernel
from fellview.noise.hash import mix, more


@kernel(inline="always")
def smooth_max(a, b, k):
    """Return the smooth maximum of a and b; k = 0 gives the plain one."""
    near = max(k - abs(a - b), f32(0))
    return max(a, b) + (near * near / (f32(4) * k) if k > f32(0) else f32(0))


@kernel(inline="always")
def smooth_min(a, b, k):
    """Return the smooth minimum of a and b; k = 0 gives the plain one."""
    near = max(k - abs(a - b), f32(0))
    return min(a, b) - (near * near / (f32(4) * k) if k > f32(0) else f32(0))


@kernel(inline="always")
def step(low, high, value):
    """Return 0 below `low`, 1 above `high`, and the cubic 3t² − 2t³ between."""
    t = min(max((value - f32(low)) / (f32(high) - f32(low)), f32(0)), f32(1))
    return t * t * (f32(3) - f32(2) * t)


@kernel(inline="always")
def length(x, z):
    """Return the length of (x, z)."""
    return math.sqrt(x * x + z * z)


@kernel(inline="always")
def window(distance, radius):
    """Return how much an outline is bent at `distance` from the middle: 1 up to 1.5 radii, 0 from 1.9 on.

    Beyond lies nothing but the ground, whose cells are then spared the noise.
    """
    return f32(1) - step(1.5, 1.9, distance / radius)


@kernel()
def within(x, z, reach):
    """Return the first and one past the last of a row's places nearer to the middle than `reach`."""
    first, last = x.size, 0
    for c in range(x.size):
        if x[c] * x[c] + z[c] * z[c] < reach * reach:
            first, last = min(first, c), c + 1
    return min(first, last), last


@kernel(inline="always")
def pair(x, z, started):
    """Return two gradient noises at (x, z) in lattice cells, each within ±2 and mostly within ±0.7.

    One hash a corner gives both gradients, eight bits a component.
    """
    floor_x, floor_z = np.floor(x), np.floor(z)
    tx, tz = x - floor_x, z - floor_z
    column, row = np.uint32(np.int32(floor_x)), np.uint32(np.int32(floor_z))
    near = mix(np.uint32(started ^ column))
    far = mix(np.uint32(started ^ np.uint32(column + np.uint32(1))))
    wx = tx * tx * tx * (tx * (tx * f32(6) - f32(15)) + f32(10))
    wz = tz * tz * tz * (tz * (tz * f32(6) - f32(15)) + f32(10))
    next_row = np.uint32(row + np.uint32(1))
    a0, b0 = _slopes(mix(np.uint32(near ^ row)), tx, tz)
    a1, b1 = _slopes(mix(np.uint32(far ^ row)), tx - f32(1), tz)
    a2, b2 = _slopes(mix(np.uint32(near ^ next_row)), tx, tz - f32(1))
    a3, b3 = _slopes(mix(np.uint32(far ^ next_row)), tx - f32(1), tz - f32(1))
    a0 += wx * (a1 - a0)
    a2 += wx * (a3 - a2)
    b0 += wx * (b1 - b0)
    b2 += wx * (b3 - b2)
    return a0 + wz * (a2 - a0), b0 + wz * (b2 - b0)


@kernel(inline="always")
def _slopes(h, x, z):
    """Return the two gradients in the bits of h, times (x, z); components in −2 … 2."""
    first = part(h) * x + part(h >> np.uint32(8)) * z
    return first, part(h >> np.uint32(16)) * x + part(h >> np.uint32(24)) * z


@kernel(inline="always")
def part(h):
    """Return the low eight bits of h as a number from −2 to 2."""
    return f32(np.int32(h & np.uint32(255))) * f32(4 / 255) - f32(2)


@kernel(inline="always")
def share(h):
    """Return 24 of the hash's bits as a number in [0, 1), float32."""
    return f32(np.int32(h >> np.uint32(8))) * f32(2.0**-24)


@kernel()
def _octave(x, z, strength, started, a, b):
    """Add `strength` times two noises at a row's places, and move these on to the next octave's."""
    for c in range(x.size):
        u, v = x[c], z[c]
        first, second = pair(u, v, started)
        a[c] += strength * first
        b[c] += strength * second
        # turned by the angle of the triangle 3-4-5 and doubled
        x[c] = f32(1.6) * u - f32(1.2) * v + f32(17.3)
        z[c] = f32(1.2) * u + f32(1.6) * v + f32(9.1)


@kernel()
def outline(x, z, octaves, gain, started, a, b):
    """Fill a, b with two sums of octaves of `pair` at a row's places; each is turned, so that no lattice shows.

    x and z are used up.
    """
    a[:] = f32(0)
    b[:] = f32(0)
    strength = f32(1)
    for k in range(int(octaves)):
        _octave(x, z, strength, more(started, k), a, b)
        strength *= f32(gain)


@kernel()
def _single(x, z, strength, started, a):
    """Add `strength` times the first of two noises, as `_octave` does."""
    for c in range(x.size):
        u, v = x[c], z[c]
        first, _ = pair(u, v, started)
        a[c] += strength * first
        x[c] = f32(1.6) * u - f32(1.2) * v + f32(17.3)
        z[c] = f32(1.2) * u + f32(1.6) * v + f32(9.1)


@kernel()
def wave(x, z, octaves, gain, started, a):
    """Fill `a` with the first of the two sums that `outline` makes; x and z are used up."""
    a[:] = f32(0)
    strength = f32(1)
    for k in range(int(octaves)):
        _single(x, z, strength, more(started, k), a)
        strength *= f32(gain)


@kernel()
def _crests(x, z, strength, started, a):
    """Add one octave of sharp crests at a row's places, and move these on to the next octave's."""
    for c in range(x.size):
        u, v = x[c], z[c]
        first, _ = pair(u, v, started)
        crest = f32(1) - min(abs(first) * f32(1.4), f32(1))
        a[c] += strength * crest * crest
        x[c] = f32(1.6) * u - f32(1.2) * v + f32(17.3)
        z[c] = f32(1.2) * u + f32(1.6) * v + f32(9.1)


@kernel()
def ridged(x, z, octaves, started, a):
    """Fill `a` with a sum of octaves with sharp crests, 0 to about 1, high on the crests; x and z are used up."""
    a[:] = f32(0)
    strength = f32(0.5)
    for k in range(int(octaves)):
        _crests(x, z, strength, more(started, k), a)
        strength *= f32(0.5)


@kernel()
def bent(x, z, reach, amount, factor, octaves, gain, started, scratch):
    """Move a row's places by `amount` times an outline's noise, within 1.9 `reach` of the middle; return that span.

    `scratch` [4, columns] holds the two noises, times their window, in its rows 2 and 3 afterwards.
    """
    a, b = scratch[2], scratch[3]
    a[:] = f32(0)
    b[:] = f32(0)
    first, last = within(x, z, f32(1.9) * reach)
    if amount > f32(0) and last > first:
        u, v = scratch[0, first:last], scratch[1, first:last]
        for c in range(u.size):
            u[c] = factor * x[first + c]
            v[c] = factor * z[first + c]
        outline(u, v, octaves, gain, started, a[first:last], b[first:last])
        for c in range(first, last):
            fade = window(length(x[c], z[c]), reach)
            a[c] *= fade
            b[c] *= fade
            x[c] += amount * a[c]
            z[c] += amount * b[c]
    return first, last
