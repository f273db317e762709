"""What can be said of a map of noise: its histogram, its radial power spectrum, the range its values can have."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fellview.core.errors import InputError
from fellview.noise.evaluate import Request
from fellview.noise.fractal import HYBRID_OFFSET

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Histogram:
    """Shares of samples by value: `edges` (bins + 1,) and `shares` (bins,), which add up to 1."""

    edges: Numbers
    shares: Numbers


@dataclass(frozen=True)
class Spectrum:
    """Power by frequency, all float64 (n,): ring k of the plane of frequencies is k − ½ to k + ½ cycles a domain.

    `power` is the mean of a ring's modes and `modes` their number, so Σ power·modes is the map's variance. Rings
    beyond half the samples a side are the plane's corners.
    """

    cycles: Numbers
    power: Numbers
    modes: Numbers


def histogram(values: ArrayLike, low: float, high: float, bins: int = 64) -> Histogram:
    """Return the histogram of `values` over `low` to `high`; what lies outside counts in the outermost bins."""
    array = np.asarray(values)
    if not array.size or not high > low or bins < 1:
        raise InputError(f"histogram: {array.size} values, {low} to {high}, {bins} bins; expected one or more, rising")
    place = np.asarray((array - low) * (bins / (high - low)))
    counts = np.bincount(np.clip(place, 0, bins - 1).astype(np.intp).ravel(), minlength=bins)
    return Histogram(np.linspace(low, high, bins + 1), counts / array.size)


def radial_power_spectrum(values: ArrayLike, window: bool = False) -> Spectrum:
    """Return the power spectrum of a map [row, column], averaged over direction, without the mean.

    With F the transform of R × C values less their mean, a mode's power is |F|²/(RC)² (Parseval: they add up to the
    variance). `window` weighs the map by a Hann window of mean square 1, which keeps the edges of a map that does not
    tile from leaking a false 1/f² into the high frequencies; the sum is then the variance of the weighed map.
    """
    array = np.asarray(values)
    if array.ndim != 2 or min(array.shape) < 2:
        raise InputError(f"spectrum: shape {array.shape}, expected rows and columns, 2 or more of each")
    centred = array - array.mean()
    if window:
        centred = centred * _hann(array.shape)
    transform = np.fft.rfft2(centred)
    power = transform.real.astype(np.float64) ** 2 + transform.imag.astype(np.float64) ** 2
    rings, weights, modes = _rings(array.shape)
    total = np.bincount(rings, power.ravel() * weights, minlength=len(modes)) / array.size**2
    return Spectrum(np.arange(len(modes), dtype=np.float64), total / np.maximum(modes, 1), modes)


@functools.lru_cache(maxsize=4)
def _rings(shape: tuple[int, int]) -> tuple[NDArray[np.intp], Numbers, Numbers]:
    """Return each mode's ring and weight, flat, and each ring's number of modes.

    The transform of real values keeps half the columns: all but the first, and the last of an even number, count twice.
    """
    rows, columns = shape
    across = np.arange(columns // 2 + 1)
    distances = np.hypot(np.fft.fftfreq(rows, 1 / rows)[:, None], across)
    rings: NDArray[np.intp] = np.rint(distances).astype(np.intp).ravel()
    twice = (across > 0) & (2 * across < columns)
    weights = np.broadcast_to(np.where(twice, 2.0, 1.0), (rows, len(across))).ravel()
    modes: Numbers = np.bincount(rings, weights).astype(np.float64)
    return rings, weights, modes


@functools.lru_cache(maxsize=4)
def _hann(shape: tuple[int, int]) -> NDArray[np.float32]:
    rows, columns = ((0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)) for n in shape)
    window = np.outer(rows, columns)
    return (window / np.sqrt(np.mean(window**2))).astype(np.float32)


def value_range(asked: Request) -> tuple[float, float]:
    """Return the lowest and highest value that the sum of `asked` can have, by the modes in `fractal.py`."""
    low, high = asked.kind.bounds(asked.dimension, asked.options)
    largest, mode = max(abs(low), abs(high)), asked.sum.fractal
    if mode == "ridged":
        return 0.0, 1.0
    if mode == "turbulence":
        return 0.0, largest
    if mode == "hybrid":
        # octaves after the first count by a weight that may be 0
        return min((low + HYBRID_OFFSET) / (1 + HYBRID_OFFSET), 0.0), (high + HYBRID_OFFSET) / (1 + HYBRID_OFFSET)
    if mode == "billow":
        low, high = -1.0, 2 * largest - 1
    return (0.5 + 0.5 * low, 0.5 + 0.5 * high) if asked.unit_range else (low, high)
