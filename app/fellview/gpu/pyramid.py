"""From coarse grids to fine ones on the GPU: the twin of `terrain/erosion/pyramid.run`, in slices."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Protocol, TypeVar

import moderngl

from fellview.gpu.twin import Iterated
from fellview.terrain.erosion import pyramid

_Level = TypeVar("_Level")


class Scheme(Protocol[_Level]):
    """What a kind of erosion does on the grids of a pyramid. All textures are its own to give back."""

    def coarser(self, base: moderngl.Texture, rows: int, columns: int) -> moderngl.Texture:
        """Return a new texture of the input on fewer cells."""

    def begin(
        self, number: int, base: moderngl.Texture, below: _Level | None, base_below: moderngl.Texture, salt: int
    ) -> _Level:
        """Return level `number` over the input `base` on its grid, going on from the level `below`, if any.

        Nobody needs that afterwards, nor `base_below`, the input on its grid.
        """

    def settle(self, level: _Level) -> Iterable[None]:
        """Do what a level needs before its first iteration, slice by slice."""

    def iterate(self, level: _Level, iteration: int) -> None:
        """Do one iteration."""

    def in_a_turn(self, level: _Level) -> int:
        """Return how many iterations make a slice."""


def run(
    scheme: Scheme[_Level], base: moderngl.Texture, sizes: Sequence[tuple[int, int]], count: pyramid.Count, seed: int
) -> Generator[float, bool, _Level]:
    """Return the last level after all iterations over the input `base`; yields the fraction done after each slice."""
    level: _Level | None = None
    base_below = base
    for number, size in enumerate(sizes):
        base_here = base if number == len(sizes) - 1 else scheme.coarser(base, *size)
        level = scheme.begin(number, base_here, level, base_below, pyramid.salt(seed, number))
        base_below = base_here
        for _ in scheme.settle(level):
            yield count.done
        in_a_turn = scheme.in_a_turn(level)
        for iteration in range(count.runs[number]):
            scheme.iterate(level, iteration)
            count.advance(number)
            if iteration % in_a_turn == in_a_turn - 1 and (yield Iterated(count.reached, count.in_all, count.done)):
                count.end_here()
                break
    assert level is not None, "there is always a level"
    return level
