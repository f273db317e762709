"""The base: a sum of octaves of one kind of noise.

    h[r, c] = amplitude · Σ gainⁱ · N(lacunarityⁱ · f·r/R, lacunarityⁱ · f·c/C, i) / Σ gainⁱ

Octave i is cut on its own lattice plane z = i, so that octaves share neither zeros nor gradients; one octave is the
DirectX demo's base exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, whole
from fellview.core.progress import Progress
from fellview.noise import registry
from fellview.terrain.domain import Domain
from fellview.terrain.step import Step


@dataclass(frozen=True)
class Noise(Group):
    """The noise that the terrain starts from."""

    key: ClassVar[str] = "noise"
    title: ClassVar[str] = "Noise"

    kind: str = choice("classic", registry.kinds(), tip="The family of noise.")
    seed: int = whole(1, 0, 2**31 - 1, tip="Another number, another land.")
    frequency: float = real(
        15.0,
        0.01,
        4096.0,
        slider=(0.5, 64),
        unit="cycles",
        scale="log",
        tip="Hills across the land. Low gives a few broad hills, high many small ones.",
    )
    amplitude: float = real(
        10.0,
        0.0,
        100_000.0,
        slider=(1, 5000),
        unit="m",
        scale="log",
        tip="How far hills rise and valleys fall. Low is a plain, high is alpine.",
    )
    octaves: int = whole(
        1, 1, 16, slider=(1, 12), tip="Layers of ever finer detail. One is smooth hills, many are rugged ground."
    )
    lacunarity: float = real(
        2.0,
        1.0,
        8.0,
        slider=(1.5, 4),
        unit="×",
        tip="How much finer each octave is. Low blends the layers, high sets them apart.",
    )
    gain: float = real(
        0.5, 0.0, 1.0, unit="×", tip="How strong each finer octave is. Low is smooth, high is rough all over."
    )


def run(parameters: Noise, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the sum of octaves in metres, float32 [row, column]; `heights` only gives the shape."""
    rows, columns = heights.shape
    grid = registry.get(parameters.kind).grid
    weights = [parameters.gain**octave for octave in range(parameters.octaves)]
    total = np.zeros((rows, columns), np.float32)
    for octave, weight in enumerate(weights):
        frequency = parameters.frequency * parameters.lacunarity**octave
        layer = grid(rows, columns, frequency, float(octave), domain.seed)
        layer *= np.float32(parameters.amplitude * weight / sum(weights))
        total += layer
        progress.report(Noise.key, (octave + 1) / len(weights))
    return total


STEP = Step(Noise, run, active=lambda parameters: True)
