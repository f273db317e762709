"""Sinks the land towards its border: an island, or a fade along all sides.

    h' = floor + (h − floor)·m,   m = S(d/w),   S(t) = t³·(6t² − 15t + 10), clamped
    round:    d = ½·(1 − √(x² + z²)) − i        square:  d = ½·(1 − (x⁴ + z⁴)^¼) − i
    borders:  m = S(d(x)/w)·S(d(z)/w),  d(x) = ½·(1 − |x|) − i

x and z run from −1 to 1 over the land, so the border reaches the floor exactly and the square one is as round as the
land is square. i = ¼·irregularity·½·(1 + N), with a random field N (`fractal_field.py`), eats inwards only: bays and
headlands, as deep on a steep edge as on a wide one. S has two continuous derivatives, so that no line shows in the
light. Shapes stretch with the land.

Source of S: K. Perlin, "Improving noise", ACM Transactions on Graphics 21 (2002), doi:10.1145/566654.566636.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, switch
from fellview.terrain.domain import Domain
from fellview.terrain.fractal_field import FractalField, seed_of
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step

SHAPES = ("round", "square", "borders")
_ROUND, _SQUARE, _BORDERS = range(3)
_COAST = 0x43  # purpose of the field
_OCTAVES, _GAIN = 6, 0.45
_DEEPEST_BAY = 0.25  # of the land, at irregularity 1: half way to the middle


@dataclass(frozen=True)
class Edge(Group):
    """How the land ends."""

    key: ClassVar[str] = "edge"
    title: ClassVar[str] = "Edge"

    enabled: bool = switch(False, tip="Sinks the land towards its border, so that it ends as an island.")
    shape: str = choice(
        "round", SHAPES, tip="Round is an island, square fills the corners too, borders keeps most of the land."
    )
    width: float = real(
        25.0,
        1.0,
        50.0,
        unit="% of the land",
        useful=(8, 40),
        tip="Low drops off steeply at the border, high slopes down from the middle.",
    )
    floor: float = real(
        -10.0,
        -100_000.0,
        100_000.0,
        slider=(-1000, 1000),
        unit="m",
        label="Sinks to",
        useful=(),
        tip="Height of the border. Low is a deep sea floor, high is a rim around the land.",
    )
    irregularity: float = real(0.5, 0.0, 1.0, tip="Low leaves the outline even, high cuts bays and headlands.")
    frequency: float = real(
        4.0,
        0.01,
        4096.0,
        slider=(1, 64),
        unit="cycles",
        scale="log",
        tip="Low makes a few great bays, high many small ones.",
    )


@kernel(inline="always")
def _fade(t):
    t = min(max(t, np.float32(0)), np.float32(1))
    return t * t * t * (t * (np.float32(6) * t - np.float32(15)) + np.float32(10))


@kernel(parallel=True)
def _sink(heights, eaten, shape, width, floor, out, cancel):
    """Fill `out` with the sunk heights; `eaten` is i."""
    rows, columns = heights.shape
    half, one = np.float32(0.5), np.float32(1)
    for r in prange(rows):
        if cancel[0]:
            continue
        z = np.abs(np.float32(2) * np.float32(r) / np.float32(rows - 1) - one)
        for c in range(columns):
            x = np.abs(np.float32(2) * np.float32(c) / np.float32(columns - 1) - one)
            bay = eaten[r, c]
            if shape == _BORDERS:
                share = _fade((half * (one - z) - bay) / width) * _fade((half * (one - x) - bay) / width)
            else:
                z2, x2 = z * z, x * x
                away = np.sqrt(z2 + x2) if shape == _ROUND else np.sqrt(np.sqrt(z2 * z2 + x2 * x2))
                share = _fade((half * (one - away) - bay) / width)
            out[r, c] = floor + (heights[r, c] - floor) * share


def field(parameters: Edge, seed: int) -> FractalField:
    """Return the field that makes bays and headlands."""
    return FractalField(parameters.frequency, _OCTAVES, _GAIN, seed_of(seed, _COAST))


def deepest(parameters: Edge) -> float:
    """Return how far bays reach into the land where N is 1, in parts of it."""
    return _DEEPEST_BAY * parameters.irregularity


def run(parameters: Edge, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the sunk heights, float32 [row, column]."""
    rows, columns = heights.shape
    half = deepest(parameters) / 2
    eaten = field(parameters, domain.seed).drawn(rows, columns, half, progress.cancel)
    eaten += np.float32(half)
    progress.report(Edge.key, 0.7)  # about the field's share
    sunk = np.empty_like(heights)
    shape, width = SHAPES.index(parameters.shape), np.float32(parameters.width / 100)
    _sink(read_only(heights), eaten, shape, width, np.float32(parameters.floor), sunk, progress.cancel)
    return sunk


STEP = Step(Edge, run, active=lambda parameters: parameters.enabled, scratch_bytes=lambda parameters: 4)  # the bays
