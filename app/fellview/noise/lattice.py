"""Noise on the square lattice: a corner's value or gradient, blended by fades. The reference for scattered points.

With the cell ⌊p⌋, offsets t = p − ⌊p⌋, and one weight an axis, w(t) for the far corner and 1 − w(t) for the near one,

    N(p) = Σ over the 2ᵈ corners q of  Π wₐ · (v_q + g_q · (p − q))

where a kind's `corner` kernel gives (v, gx, gy, gz, gw): a value kind has g = 0, a gradient kind v = 0. The derivative
follows term by term: ∂N/∂a = Σ Πw · g_a + Σ (∂wₐ/∂a) Π_{b≠a} w_b · (v + g · (p − q)).

`points` is a template: a kind binds its `corner` and a DIMENSION. Computed in float64, so that golden data in double
precision can be held to 1e-12; a lattice index wraps by the kind's own rule or by `period`.
"""

from __future__ import annotations

import math

from fellview.core.compiled import kernel

DIMENSION = 3
LINEAR, CUBIC, QUINTIC = range(3)  # codes of options.FADES


def corner(x, y, z, w, dimension, permutation, vectors, started):
    """Return (v, gx, gy, gz, gw) of a lattice point; each kind binds its own."""
    raise NotImplementedError


@kernel()
def weight(t, fade):
    """Return the far corner's weight at offset t and its slope."""
    if fade == LINEAR:
        return t, 1.0
    if fade == CUBIC:
        return t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t)
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * t * t * (1.0 - t) * (1.0 - t)


@kernel()
def wrap(cell, period):
    """Return a lattice index within the period; a period of 0 leaves it alone."""
    return cell % period if period > 0 else cell


@kernel()
def points(first, last, points, fade, period, permutation, vectors, started, out):
    """Fill rows `first` to `last` − 1 of out (n, 1 + d) with noise and its derivatives at points float64 (n, d)."""
    for n in range(first, last):
        x = points[n, 0]
        y = points[n, 1] if DIMENSION > 1 else 0.0
        z = points[n, 2] if DIMENSION > 2 else 0.0
        w = points[n, 3] if DIMENSION > 3 else 0.0
        x0, y0, z0, w0 = math.floor(x), math.floor(y), math.floor(z), math.floor(w)
        tx, ty, tz, tw = x - math.floor(x), y - math.floor(y), z - math.floor(z), w - math.floor(w)
        far_x, slope_x = weight(tx, fade)
        far_y, slope_y = weight(ty, fade)
        far_z, slope_z = weight(tz, fade)
        far_w, slope_w = weight(tw, fade)
        noise = dx = dy = dz = dw = 0.0
        for bits in range(1 << DIMENSION):
            i, j, k, m = bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3
            v, gx, gy, gz, gw = corner(
                wrap(x0 + i, period),
                wrap(y0 + j, period),
                wrap(z0 + k, period),
                wrap(w0 + m, period),
                DIMENSION,
                permutation,
                vectors,
                started,
            )
            wx = far_x if i else 1.0 - far_x
            wy = far_y if j else 1.0 - far_y
            wz = far_z if k else 1.0 - far_z
            ww = far_w if m else 1.0 - far_w
            ramp = v + gx * (tx - i) + gy * (ty - j) + gz * (tz - k) + gw * (tw - m)
            whole = wx * wy * wz * ww
            noise += whole * ramp
            dx += whole * gx + (slope_x if i else -slope_x) * wy * wz * ww * ramp
            dy += whole * gy + (slope_y if j else -slope_y) * wx * wz * ww * ramp
            dz += whole * gz + (slope_z if k else -slope_z) * wx * wy * ww * ramp
            dw += whole * gw + (slope_w if m else -slope_w) * wx * wy * wz * ramp
        out[n, 0] = noise
        out[n, 1] = dx
        if DIMENSION > 1:
            out[n, 2] = dy
        if DIMENSION > 2:
            out[n, 3] = dz
        if DIMENSION > 3:
            out[n, 4] = dw
