"""Cuts slopes into benches with risers between them.

    y = (h + o) / spacing,   k such that L(k) ≤ y < L(k + 1),   f = (y − L(k)) / (L(k + 1) − L(k))
    h' = h + strength · (spacing · (L(k) + g(f)·(L(k + 1) − L(k))) − h)
    g(f) = t²·(3 − 2t),   t = clamp((f − ½)/w + ½, 0, 1),   w = 1 − 0.9·sharpness

Bench k lies at L(k)·spacing, where L(k) = k + 0.35·irregularity·u(k) with a random u(k) in [−1, 1): layers of different
thickness, 0.3 spacings at least. o = ¾·irregularity·spacing·N with a random field N (`fractal_field.py`) lets the
risers stray from the contours. g starts and ends flat, so that h' has no kink where h has none; with sharpness 0 it
rises over the whole layer, with 1 over a tenth of it. Rising ground never falls by it, without irregularity.

The profile is computer graphics' smoothstep. What layers of hard and soft rock look like is the aim; nothing erodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, real, switch
from fellview.core.smoothstep import smoothstep
from fellview.noise.hash import mix
from fellview.terrain.domain import Domain
from fellview.terrain.fractal_field import FractalField, seed_of
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step

_STRAY, _LAYERS = 0x54, 0x4C  # purposes of the field and of the layers' hash
_STRAY_SPACINGS = 0.75  # at irregularity 1: a deviation of N, ⅓, moves a contour by a quarter of a spacing
_UNEVEN = np.float32(0.35)  # of a spacing: two neighbours may come as near as 0.3
_OCTAVES, _GAIN = 5, 0.5


@dataclass(frozen=True)
class Terrace(Group):
    """Benches and risers."""

    key: ClassVar[str] = "terrace"
    title: ClassVar[str] = "Terraces"

    enabled: bool = switch(False, tip="Cuts slopes into benches with risers between them.")
    spacing: float = real(
        5.0,
        0.1,
        100_000.0,
        slider=(1, 1000),
        unit="m",
        scale="log",
        useful=(5, 150),
        tip="Height from bench to bench. Low is fine layers, high is a few great steps.",
    )
    strength: float = real(
        0.8,
        0.0,
        1.0,
        tip="Low hints at layers, high cuts them out: at 1 benches are level.",
    )
    sharpness: float = real(0.6, 0.0, 1.0, tip="Low rolls from bench to bench, high breaks off in cliffs.")
    irregularity: float = real(
        0.4,
        0.0,
        1.0,
        tip="Low makes even steps along contours, high layers of any thickness that wander.",
    )
    frequency: float = real(
        6.0,
        0.01,
        4096.0,
        slider=(1, 64),
        unit="cycles",
        scale="log",
        tip="How the steps wander. Low bends them across the land, high notches their edges.",
        more=True,
    )


@kernel(inline="always")
def _uneven(layer, salt):
    """Return how far a layer's bench is moved, in [−1, 1)."""
    return np.float32(np.int32(mix(np.uint32(np.uint32(layer) ^ salt)) >> np.uint32(8))) * np.float32(
        2.0**-23
    ) - np.float32(1)


@kernel(parallel=True)
def _cut(heights, stray, spacing, strength, width, uneven, salt, out, cancel):
    """Fill `out` with the terraced heights; `stray` are the metres that the contours are moved by."""
    rows, columns = heights.shape
    half, one = np.float32(0.5), np.float32(1)
    for r in prange(rows):
        if cancel[0]:
            continue
        for c in range(columns):
            y = (heights[r, c] + stray[r, c]) / spacing
            layer = np.floor(y)
            k = int(layer)
            above = y - layer  # the levels around are told from `layer` on, which keeps them exact far from 0
            low = uneven * _uneven(k, salt)
            high = one + uneven * _uneven(k + 1, salt)
            if above < low:
                high = low
                low = uneven * _uneven(k - 1, salt) - one
            elif above >= high:
                low = high
                high = np.float32(2) + uneven * _uneven(k + 2, salt)
            bench = low + smoothstep(((above - low) / (high - low) - half) / width + half) * (high - low)
            out[r, c] = heights[r, c] + strength * (stray[r, c] + spacing * (bench - above))


def field(parameters: Terrace, seed: int) -> FractalField:
    """Return the field that lets risers stray."""
    return FractalField(parameters.frequency, _OCTAVES, _GAIN, seed_of(seed, _STRAY))


def profile(parameters: Terrace, seed: int) -> tuple[float, float, float, int]:
    """Return how far contours stray in metres, the riser's width w, how uneven layers are, and their hash's salt."""
    stray_m = _STRAY_SPACINGS * parameters.irregularity * parameters.spacing
    return (
        stray_m,
        1 - 0.9 * parameters.sharpness,
        float(_UNEVEN) * parameters.irregularity,
        seed_of(seed, _LAYERS),
    )


def run(parameters: Terrace, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the terraced heights, float32 [row, column]."""
    stray_m, width, uneven, salt = profile(parameters, domain.seed)
    rows, columns = heights.shape
    stray = field(parameters, domain.seed).drawn(rows, columns, stray_m, progress.cancel)
    progress.report(Terrace.key, 0.7)  # about the field's share
    terraced = np.empty_like(heights)
    spacing, strength = np.float32(parameters.spacing), np.float32(parameters.strength)
    _cut(
        read_only(heights),
        stray,
        spacing,
        strength,
        np.float32(width),
        np.float32(uneven),
        np.uint32(salt),
        terraced,
        progress.cancel,
    )
    return terraced


def active(parameters: Terrace) -> bool:
    """Return whether anything is cut."""
    return parameters.enabled and parameters.strength > 0


STEP = Step(Terrace, run, active, scratch_bytes=lambda parameters: 4)  # how far contours stray
