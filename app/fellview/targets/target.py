"""What a target is: a program that land is exported for, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fellview.core.errors import InputError
from fellview.heightmaps.encoding import REAL, Encoding
from fellview.terrain.domain import LARGEST_SIDE

SMALLEST_SIDE = 2


@dataclass(frozen=True)
class Written:
    """A height map as it was written: its size, its cells (along z, along x) in metres, and how it is encoded.

    `low` and `high` are the heights in metres of its lowest and its highest number. `name` is the file's.
    """

    name: str
    rows: int
    columns: int
    cell_size: tuple[float, float]
    encoding: Encoding
    low: float
    high: float

    @property
    def range(self) -> float:
        """How far the lowest and the highest number lie apart in metres."""
        return self.high - self.low

    @property
    def span(self) -> tuple[float, float]:
        """From the first height to the last (z, x) in metres: n heights have n − 1 cells between them."""
        return (self.rows - 1) * self.cell_size[0], (self.columns - 1) * self.cell_size[1]


@dataclass(frozen=True)
class Entry:
    """One thing to type or choose there: what it is called, and its value with unit or the choice."""

    label: str
    value: float | str
    unit: str = ""

    @property
    def text(self) -> str:
        """The value as a person types it, as exact as numbers of the single precision that engines have."""
        return self.value if isinstance(self.value, str) else f"{self.value:.9g}"


@dataclass(frozen=True)
class Target:
    """A program that land is exported for.

    The height map is written with `suffix` and `bits`; its side is one of `sizes`, or any that `takes` where there
    are none of them, `accepted` being that in words. One that is `square` has as many rows as columns, whatever the
    land's shape, else its cells are square. `entries` are what to type there; `steps` say where.

    Maps of the ground have `normals` after OpenGL or DirectX, and texels on the vertices or, with `maps_in_cells`,
    between them; `map_steps` say where they go. Where it is `georeferenced` it knows where on Earth files lie.
    """

    name: str
    title: str
    suffix: str
    bits: int
    size: int
    entries: Callable[[Written], tuple[Entry, ...]]
    steps: tuple[str, ...]
    sizes: tuple[int, ...] = ()
    takes: Callable[[int], bool] = lambda side: True
    accepted: str = f"{SMALLEST_SIDE} to {LARGEST_SIDE}"
    square: bool = False
    normals: str = "opengl"
    maps_in_cells: bool = False
    map_steps: tuple[str, ...] = ()
    channel: str = "Y"
    georeferenced: bool = False

    @property
    def sizes_in_words(self) -> str:
        """Which sides it takes."""
        return ", ".join(map(str, self.sizes)) or self.accepted

    def require_size(self, side: int) -> None:
        """Raise `InputError` where the program takes no height map of `side` cells."""
        taken = side in self.sizes if self.sizes else self.takes(side)
        if not (taken and SMALLEST_SIDE <= side <= LARGEST_SIDE):
            raise InputError(f"size = {side}: expected for {self.title} {self.sizes_in_words}")


WORDS, REALS = 16, REAL
"""Bits of a number: of words over a range, and of real numbers in metres."""
