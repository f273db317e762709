"""Sums of octaves: what the fractal modes, the octaves' places and the domain warp mean.

Octave o has frequency factor Lᵒ, amplitude gainᵒ, and is read at p·Lᵒ + o·SPREAD, so that octaves do not share the
lattice points where gradient noise is zero (`spread` off leaves them in place). With n its noise and A = Σ gainᵒ:

    fbm                Σ gainᵒ·n / A                                                       −1 … 1
    billow             Σ gainᵒ·(2|n| − 1) / A                                              −1 … 1
    turbulence         Σ gainᵒ·|n| / A                                                      0 … 1
    ridged             s = w·(1 − |n|)², Σ gainᵒ·s / A; then w ← clamp(2s, 0, 1)            0 … 1
    hybrid             s = n + 0.7, Σ gainᵒ·w·s / (1.7·A); then w ← clamp(w·s, 0, 1)    −0.18 … 1
    derivative-damped  D ← D + (∂n/∂x, ∂n/∂y), Σ gainᵒ·n/(1 + |D|²) / A                    −1 … 1

w starts at 1, D at 0; slopes are those of the octave by its own coordinates. A kind's `range` "unit" maps v to ½ + ½v
in the modes from −1 to 1 and does nothing in the others.

With `period` the noise repeats every `period` cycles along every axis: octave o has the whole period round(period·Lᵒ)
and the factor round(period·Lᵒ)/period, so a lacunarity of 2.1 tiles too.

Domain warp: with S(p) the sum above and offsets of the first two coordinates Oₖ = (0, 0), (5.2, 1.3), (1.7, 9.2),
(8.3, 2.8), q = p + warp·(S(p + O₀), S(p + O₁)); one level gives S(q), two S(p + warp·(S(q + O₂), S(q + O₃))).

Sources: F. K. Musgrave in "Texturing and Modeling" (3rd ed., 2003), ch. 16, for ridged and hybrid with their constants;
I. Quilez, "Domain warping" (2002) with the offsets, and "More noise" (2008) for damping by slopes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, choice, real, switch, whole

MODES = ("fbm", "billow", "ridged", "hybrid", "turbulence", "derivative-damped")
FBM, BILLOW, RIDGED, HYBRID, TURBULENCE, DAMPED = range(6)
SIGNED_MODES = ("fbm", "billow", "derivative-damped")

SPREAD = (0.7548776662466927, 0.5698402909980532, 1.0, 1.0)
"""Step between octaves along x, y, z, w. x and y: the two-dimensional golden ratio 1/ρ, 1/ρ² (ρ³ = ρ + 1), whose
multiples stay away from whole numbers. z and w step whole cells: a slice on a lattice plane, where half of all corners
have no weight, stays on one."""

OFFSETS = ((0.0, 0.0), (5.2, 1.3), (1.7, 9.2), (8.3, 2.8))
"""Of the four fields of a two-level warp; from the article named above."""

HYBRID_OFFSET = 0.7


@dataclass(frozen=True)
class Fractal(Group):
    """How octaves are summed, warped and tiled."""

    key: ClassVar[str] = "noise"

    fractal: str = choice("fbm", MODES, tip="How octaves add up.")
    octaves: int = whole(1, 1, 16, tip="Layers of ever finer detail. One is smooth hills, many are rugged ground.")
    lacunarity: float = real(2.0, 1.0, 8.0, unit="×", tip="How much finer each octave is.")
    gain: float = real(0.5, 0.0, 1.0, unit="×", tip="How strong each finer octave is. Low is smooth, high is rough.")
    spread: bool = switch(True, tip="Moves octaves apart, so that their zeros do not coincide.")
    warp: float = real(0.0, 0.0, 64.0, unit="cycles", tip="Low leaves hills round, high folds them over.")
    warp_levels: int = whole(1, 1, 2, tip="One bends hills, two folds the folds.")
    period: int = whole(0, 0, 2**20, unit="cycles", tip="Cycles after which the noise repeats; 0 never.")


@dataclass(frozen=True)
class Octave:
    """Where one octave is read and how strongly: coordinates times `factor` plus `shift`, its lattice `period`."""

    factor: float
    amplitude: float
    shift: tuple[float, float, float, float]
    period: int


def octaves(parameters: Fractal) -> list[Octave]:
    """Return the octaves; their amplitudes add up to 1."""
    amplitudes = [parameters.gain**o for o in range(parameters.octaves)]
    found = []
    for o, amplitude in enumerate(amplitudes):
        factor = parameters.lacunarity**o
        period = round(parameters.period * factor)
        if period:
            factor = period / parameters.period
        sx, sy, sz, sw = (o * step * parameters.spread for step in SPREAD)
        found.append(Octave(factor, amplitude / sum(amplitudes), (sx, sy, sz, sw), period))
    return found


def within_nyquist(frequency: float, lacunarity: float, octaves: int, rows: int, columns: int) -> int:
    """Return how many octaves have at least two samples a cycle both ways on a grid; the first always counts."""
    limit = min(rows, columns) / 2
    if lacunarity <= 1 or frequency >= limit:
        return octaves if frequency <= limit else 1
    return min(octaves, 1 + math.floor(math.log(limit / frequency, lacunarity) + 1e-9))


@kernel()
def accumulate(mode, amplitude, noise, slope_x, slope_y, total, state_x, state_y):
    """Add one octave to `total`, in place; all are one-dimensional and equally long.

    `state_x` is the weight w (ridged, hybrid) or D's first part, `state_y` D's second; the slopes count in the damped
    mode only. The caller starts `total` at 0 and the state at 1, or at 0 in the damped mode.
    """
    one = noise.dtype.type(1)
    two = noise.dtype.type(2)
    amplitude = noise.dtype.type(amplitude)
    if mode == FBM:
        for n in range(noise.size):
            total[n] += amplitude * noise[n]
    elif mode == BILLOW:
        for n in range(noise.size):
            total[n] += amplitude * (two * abs(noise[n]) - one)
    elif mode == TURBULENCE:
        for n in range(noise.size):
            total[n] += amplitude * abs(noise[n])
    elif mode == RIDGED:
        for n in range(noise.size):
            ridge = one - abs(noise[n])
            signal = state_x[n] * ridge * ridge
            total[n] += amplitude * signal
            state_x[n] = min(two * signal, one)
    elif mode == HYBRID:
        offset = noise.dtype.type(HYBRID_OFFSET)
        amplitude = amplitude / (one + offset)
        for n in range(noise.size):
            signal = state_x[n] * (noise[n] + offset)
            total[n] += amplitude * signal
            state_x[n] = min(max(signal, noise.dtype.type(0)), one)
    else:
        for n in range(noise.size):
            state_x[n] += slope_x[n]
            state_y[n] += slope_y[n]
            total[n] += amplitude * noise[n] / (one + state_x[n] * state_x[n] + state_y[n] * state_y[n])
