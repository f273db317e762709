"""Where a terrain lies: the grid and its extent, and the scene's seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from fellview.core.parameters import Group, real, whole

_Other = TypeVar("_Other", bound=Group)

LARGEST_SIDE = 8192
"""Most cells a side: 256 MiB of heights, and as much again for each remembered step."""


@dataclass(frozen=True)
class Grid(Group):
    """The sampling grid: rows run along z, columns along x."""

    key: ClassVar[str] = "grid"
    title: ClassVar[str] = "Grid"

    rows: int = whole(
        512,
        2,
        LARGEST_SIDE,
        slider=(2, 2048),
        unit="cells",
        scale="log",
        useful=(),
        tip="Cells along z. Low is coarse and quick.",
    )
    columns: int = whole(
        512,
        2,
        LARGEST_SIDE,
        slider=(2, 2048),
        unit="cells",
        scale="log",
        useful=(),
        tip="Cells along x. Low is coarse and quick.",
    )
    size_x: float = real(
        200.0,
        1e-3,
        1e7,
        slider=(50, 50_000),
        unit="m",
        scale="log",
        label="Size x",
        useful=(),
        tip="Width of the land.",
    )
    size_z: float = real(
        200.0,
        1e-3,
        1e7,
        slider=(50, 50_000),
        unit="m",
        scale="log",
        label="Size z",
        useful=(),
        tip="Depth of the land.",
    )

    @property
    def cell_size(self) -> tuple[float, float]:
        """Extent of one cell (z, x) in metres."""
        return self.size_z / self.rows, self.size_x / self.columns


@dataclass(frozen=True)
class Domain:
    """What every step is told beside its own parameters; `others` are the further groups that the step reads."""

    grid: Grid
    seed: int
    others: tuple[Group, ...] = ()

    def other(self, kind: type[_Other]) -> _Other:
        """Return the group of type `kind` out of `others`, or one with its defaults."""
        return next((group for group in self.others if isinstance(group, kind)), None) or kind()


def group_of(groups: Mapping[str, Group], kind: type[_Other]) -> _Other:
    """Return the group of type `kind` out of `groups` by key; `TypeError` where another one stands there."""
    group = groups[kind.key]
    if not isinstance(group, kind):
        raise TypeError(f"{kind.key}: {type(group).__name__}; expected {kind.__name__}")
    return group
