"""What noise kinds let a person choose; each kind's own group is built from these declarations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import read_only
from fellview.core.parameters import Group, choice

FADES = ("linear", "cubic", "quintic")
"""Weight of a lattice cell's far corner at offset t: t; 3t² − 2t³; 6t⁵ − 15t⁴ + 10t³."""


def fade(default: str) -> Any:
    """Declare the choice of fade."""
    return choice(
        default,
        FADES,
        tip="How cells blend. Linear shows creases along the lattice, cubic is smooth, quintic is smooth in its"
        " curvature too and lights without faint lines.",
    )


def value_range() -> Any:
    """Declare the choice of range."""
    return choice(
        "signed", ("signed", "unit"), label="Range", tip="Signed lies about 0, from -1 to 1; unit lies between 0 and 1."
    )


@dataclass(frozen=True)
class Options(Group):
    """A kind without options."""

    key: ClassVar[str] = "noise"


@dataclass(frozen=True)
class Ranged(Options):
    """A kind whose only option is the range of its values."""

    range: str = value_range()


@dataclass(frozen=True)
class Tables:
    """What a lattice kind looks up: `permutation` int32 (any,), `vectors` float64 (m, 4).

    A row of `vectors` is a gradient's x, y, z, w, or a value in its first column; unused columns are 0.
    """

    permutation: NDArray[np.int32]
    vectors: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Make both read-only, or kernels would be compiled once for kept tables and once for given ones."""
        for name in ("permutation", "vectors"):
            object.__setattr__(self, name, read_only(getattr(self, name)))


NO_TABLES = Tables(np.zeros(1, np.int32), np.zeros((1, 4)))


def padded(vectors: NDArray[Any]) -> NDArray[np.float64]:
    """Return gradients (m,) or (m, d) as float64 (m, 4), with zeros in the missing columns."""
    columns = vectors.reshape(len(vectors), -1)
    table = np.zeros((len(columns), 4))
    table[:, : columns.shape[1]] = columns
    table.flags.writeable = False
    return table
