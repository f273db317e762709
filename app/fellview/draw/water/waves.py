"""Waves of the open water: one tile of slopes made from a spectrum, and how much of it wind and fetch raise.

The tile is a surface of random phases whose slopes have a variance of one; it is laid over the water `TILES_M` wide, at
three sizes and in three directions, whose sum has no period. Each size carries a band of wave lengths, and wind and
fetch say how steep the band is (`steepness`). A pixel that covers many waves reads the mean of their slopes, and
beside it the variance that the mean has lost, by which reflection is blurred: nothing finer than a pixel is drawn, so
nothing shimmers, and far water is as rough as near water.

- **Shape**: variance of slopes by wave number k goes as exp(-1.25 (p / k)²) / k, Pierson and Moskowitz's spectrum times
  k²; p = g (Ω / U)² is the peak's, Ω = 0.84 tanh((g X / (22,000 U²))^0.4)^-0.75 for a wind U and a fetch X.
- **Size**: all of it together is Cox and Munk's variance, 0.003 + 0.00512 U.
- **Direction**: 1 + Δ cos 2φ around the wind's, narrow for long waves and wide for short ones, as Elfouhaily's.
- **Motion**: each size moves at the phase speed sqrt(g / k) of the middle of its band.

References: W. J. Pierson, L. Moskowitz (1964), doi:10.1029/JZ069i024p05181; C. Cox, W. Munk (1954),
doi:10.1364/JOSA.44.000838; T. Elfouhaily et al., "A unified directional spectrum for long and short wind-driven waves"
(1997), doi:10.1029/97JC00467: its equation 37 is Ω by fetch, 49 the spreading; the lost variance: M. Olano, D. Baker,
"LEAN mapping" (2010), doi:10.1145/1730804.1730834.

Twin: shaders/draw/water/waves.glsl
"""

from __future__ import annotations

import functools
import itertools
from pathlib import Path
from statistics import NormalDist

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.gpu import mipmaps as gpu_levels
from fellview.io import array_cache

SIDE = 512
"""Texels a side of the tile."""

TILES_M = (311.0, 47.3, 7.13)
"""How wide the tile lies, coarse to fine; steps of 6.6, so that bands overlap and every wave is in two of them."""

LONGEST, SHORTEST = 6, 120
"""Cycles a side of the tile: waves a sixth of it long and none under four texels, which linear reading would flatten.
"""

MOST_SLOPE = 3.0
"""The slope that a byte's ends stand for, in a tile of variance one: four deviations of one axis."""

MOST_LOST = 2.0
"""The lost variance of 255: in places more is lost than a tile's mean of one."""

NOISE_MEAN, NOISE_DEVIATION = 0.5, 1 / 6
"""Of the tile's noise: a byte holds three deviations."""

_TURNS = (0.31, -0.47, 1.05)  # radians from the wind's direction, so that the sizes' rows of texels cross
WIND_DIRECTION = 0.6
"""Radians from +x towards +z into which the wind blows."""

_GRAVITY = 9.81
_BORDERS_M = (5.5, 0.8)  # between the bands: the middles, as logarithms, of where two of them overlap
_LEAST_M = 0.01  # the shortest waves that count: Cox and Munk's glitter had ripples to here
_SEED = 11
_PATCH_FALL = 1.3  # the power of the wave number by which the noise of the patches falls: patches in patches
_PATCHES = (3, 40)  # cycles a side, between which that noise lies


def slope_variance(wind: float) -> float:
    """Return the variance of the slopes of open water, both axes together, under a `wind` in m/s (Cox and Munk)."""
    return 0.003 + 0.00512 * wind


def peak_wave_number(wind: float, fetch_m: float) -> float:
    """Return the wave number, in 1/m, of the highest waves that a `wind` in m/s raises over `fetch_m`."""
    wind = max(wind, 0.1)
    reach = (_GRAVITY * fetch_m / (2.2e4 * wind * wind)) ** 0.4
    return float(_GRAVITY * (0.84 * np.tanh(reach) ** -0.75 / wind) ** 2)


@functools.lru_cache(maxsize=16)
def steepness(wind: float, fetch_m: float) -> tuple[float, float, float, float]:
    """Return the deviation of slopes in each of the three sizes, and the variance of all that is in none.

    Their variances add up to Cox and Munk's. In none are ripples shorter than the tile at its finest has.
    """
    peak = peak_wave_number(wind, fetch_m)
    ends_m = (TILES_M[0] / LONGEST, *_BORDERS_M, TILES_M[2] / SHORTEST, _LEAST_M)
    shares = np.array([_slopes_between(peak, *band) for band in itertools.pairwise(ends_m)])
    variances = slope_variance(wind) * shares / max(shares.sum(), 1e-9)
    long, middle, short = np.sqrt(variances[:3]).tolist()
    return long, middle, short, float(variances[3])


def whitecaps(wind: float) -> tuple[float, float]:
    """Return the share of the open sea that breaking waves cover under a `wind` in m/s, and the noise it lies over.

    The share is 3.84e-6 U^3.41 (E. C. Monahan, I. O'Muircheartaigh, 1980,
    doi:10.1175/1520-0485(1980)010<2094:OPLDOO>2.0.CO;2), at most a quarter; the noise is a `tile`'s, as good as normal.
    """
    share = min(3.84e-6 * wind**3.41, 0.25)
    return share, NOISE_MEAN - NOISE_DEVIATION * NormalDist().inv_cdf(max(share, 1e-9))


def _slopes_between(peak: float, long_m: float, short_m: float) -> float:
    """Return the integral of exp(-1.25 (p / k)²) / k between two wave lengths, by the middles of 64 steps of ln k."""
    first, last = np.log(2 * np.pi / long_m), np.log(2 * np.pi / short_m)
    middles = np.exp(first + (np.arange(64) + 0.5) / 64 * (last - first))
    return float((last - first) * np.exp(-1.25 * (peak / middles) ** 2).mean())


def tile(side: int = SIDE) -> NDArray[np.float64]:
    """Return slopes along x and z, and noise, float64 (side, side, 3); the wind blows along x, and all repeats.

    The slopes' variance, both axes together, is one; the noise has a mean of a half and a deviation of a sixth.
    """
    along, across = np.meshgrid(np.fft.fftfreq(side, 1 / side), np.fft.fftfreq(side, 1 / side), indexing="xy")
    cycles = np.maximum(np.hypot(along, across), 0.5)
    generator = np.random.default_rng(_SEED)
    white, other = (np.fft.fft2(generator.standard_normal((side, side))) for _ in range(2))
    # bands end within a fifth of their ends: a sharp end would ring
    band = _ramp(cycles, 0.8 * LONGEST, 1.2 * LONGEST) * (1 - _ramp(cycles, 0.8 * SHORTEST, 1.2 * SHORTEST))
    share = np.log(cycles / LONGEST) / np.log(SHORTEST / LONGEST)
    narrow = np.clip(0.95 - 0.6 * share, 0.3, 0.95)  # the Δ of the directions
    towards = 1 + narrow * (along * along - across * across) / (cycles * cycles)
    # heights whose slopes have as much variance in every octave: a spectrum of k^-4 over the plane
    heights = white * np.sqrt(towards * band) / cycles**2
    slopes = [np.fft.ifft2(1j * wave * heights).real for wave in (along, across)]
    slopes = [each / np.sqrt(sum(one.var() for one in slopes)) for each in slopes]
    noise = np.fft.ifft2(
        other
        * _ramp(cycles, *(_PATCHES[0] * np.array([0.5, 1.0])))
        * cycles**-_PATCH_FALL
        * (1 - _ramp(cycles, 0.5 * _PATCHES[1], _PATCHES[1]))
    ).real
    return np.stack([*slopes, NOISE_MEAN + NOISE_DEVIATION * noise / noise.std()], axis=-1)


def _ramp(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    share = np.clip((values - low) / (high - low), 0.0, 1.0)
    return share * share * (3 - 2 * share)


def levels(slopes_and_noise: NDArray[np.float64]) -> list[NDArray[np.uint8]]:
    """Return the mip levels of a `tile`: slopes, the variance that their mean has lost, and noise, uint8 (n, n, 4).

    Slopes go from -`MOST_SLOPE` at 0.5 to `MOST_SLOPE` at 255.5, so that 128 is level.
    """
    slopes, noise = slopes_and_noise[..., :2], slopes_and_noise[..., 2:]
    squares = (slopes * slopes).sum(axis=-1, keepdims=True)
    mipmaps = []
    while True:
        lost = squares - (slopes * slopes).sum(axis=-1, keepdims=True)
        values = [128 + 127.5 / MOST_SLOPE * slopes, 255 / MOST_LOST * lost, 255 * noise]
        mipmaps.append(np.rint(np.clip(np.concatenate(values, axis=-1), 0, 255)).astype(np.uint8))
        if len(slopes) == 1:
            return mipmaps
        slopes, noise, squares = (_halved(each) for each in (slopes, noise, squares))


def _halved(values: NDArray[np.float64]) -> NDArray[np.float64]:
    rows = values[0::2] + values[1::2]
    return 0.25 * (rows[:, 0::2] + rows[:, 1::2])


def texture(context: moderngl.Context) -> moderngl.Texture:
    """Return the tile with its levels as a texture that repeats."""
    return gpu_levels.texture(context, array_cache.cached("waves", [Path(__file__)], lambda: levels(tile())))


def layers(seconds: float) -> list[tuple[float, ...]]:
    """Return for each size the factors c, s and the offsets u, v of texture coordinates at the time `seconds`.

    A place x, z in metres is at (c x + s z + u, -s x + c z + v).
    """
    ends_m = (TILES_M[0] / LONGEST, *_BORDERS_M, TILES_M[2] / SHORTEST)
    found: list[tuple[float, ...]] = []
    for size_m, turn, (long_m, short_m) in zip(TILES_M, _TURNS, itertools.pairwise(ends_m), strict=True):
        angle = WIND_DIRECTION + turn
        speed = np.sqrt(_GRAVITY * np.sqrt(long_m * short_m) / (2 * np.pi))
        moved = float(speed * seconds / size_m % 1.0)
        found.append((float(np.cos(angle)) / size_m, float(np.sin(angle)) / size_m, -moved, 0.0))
    return found
