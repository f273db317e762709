"""Heights as the numbers of a file: words from a lowest to a highest height, or real numbers.

    word = round((h − low)/(high − low)·(2ᵇ − 1))

in b bits; what lies beyond the range is cut off there. Reals are the heights themselves, or 0 to 1 over a range.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.core.height_field import Heights

REAL = 32
"""Bits of real numbers; fewer are those of words."""

_SHOWN = 0.01  # of a cell: level ground then seems stepped by half a degree and more


@dataclass(frozen=True)
class Encoding:
    """Which number stands for which height: `bits` a number, and the heights `low` to `high` of its range.

    Without a range, only for real numbers, a number is the height itself. `InputError` where the range is none.
    """

    bits: int
    range: tuple[float, float] | None

    def __post_init__(self) -> None:
        if self.range is None:
            assert self.bits == REAL, "words have a range"
        elif not (np.isfinite(self.range).all() and self.range[0] <= self.range[1]):
            low, high = self.range
            raise InputError(f"range = {low:g}:{high:g}: expected two finite heights in metres, the lower one first")

    @property
    def most(self) -> float:
        """The number that stands for the highest height of the range."""
        return 1.0 if self.bits == REAL else 2.0**self.bits - 1

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """Of the numbers, little-endian."""
        return np.dtype({8: "u1", 16: "<u2", REAL: "<f4"}[self.bits])

    @property
    def step(self) -> float:
        """How far neighbouring words lie apart in metres; 0 for real numbers."""
        return 0.0 if self.range is None or self.bits == REAL else (self.range[1] - self.range[0]) / self.most

    def number(self, height: float) -> float | None:
        """Return the number that stands for `height`; none where that lies outside of the range."""
        if self.range is None:
            return height
        low, high = self.range
        if not low <= height <= high:
            return None
        number = (height - low) * self.most / ((high - low) or 1.0)
        return number if self.bits == REAL else float(round(number))

    def encoded(self, heights: Heights) -> NDArray[np.generic]:
        """Return the numbers that stand for `heights`, of the same shape. Flat land is all 0."""
        if self.range is None:
            return heights.astype(self.dtype)
        low, high = self.range
        numbers = np.clip((heights.astype(np.float64) - low) * (self.most / ((high - low) or 1.0)), 0.0, self.most)
        return (numbers if self.bits == REAL else np.rint(numbers)).astype(self.dtype)

    def remarks(self, heights: Heights, cell_size: tuple[float, float]) -> list[str]:
        """Return what a person should know: steps that will show, heights that are cut off; a line each."""
        told = []
        if self.step > _SHOWN * min(cell_size):
            advice = "a narrower range or 32 bits have none" if self.bits > 8 else "16 bits have smaller ones"
            told.append(
                f"{self.bits} bits: steps of {self.step:.3g} m will show on cells of {min(cell_size):.3g} m; {advice}"
            )
        if self.range is not None:
            low, high = float(heights.min()), float(heights.max())
            if low < self.range[0] or high > self.range[1]:
                told.append(f"heights of {low:g} to {high:g} m: cut off to {self.range[0]:g} to {self.range[1]:g} m")
        return told
