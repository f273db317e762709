"""What a field is: numbers of one kind over the land's grid, such as how steep each cell is.

Each field is declared once, beside the step or the function that makes it. Exports, legends, help and tests read the
declaration.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

_Values = TypeVar("_Values")

_SYMBOLS = {"degrees": "°", "1": ""}


@dataclass(frozen=True)
class Field:
    """One field: its key, its title for people, the unit of its numbers and what they mean.

    `unit` is "1" where they are mere numbers. All of them are finite and lie from `lowest` to `highest`, both included;
    no number stands for a missing one. `categorical` tells that a number only says which of several kinds a cell is of:
    what lies between two of them means nothing.
    """

    name: str
    title: str
    unit: str
    description: str
    lowest: float = -math.inf
    highest: float = math.inf
    categorical: bool = False

    @property
    def symbol(self) -> str:
        """The unit as it stands behind a number that people read."""
        return _SYMBOLS.get(self.unit, self.unit)


def by_name(fields: Iterable[Field], values: Iterable[_Values]) -> dict[str, _Values]:
    """Return the `values` of `fields`, as many and in the same order, by the fields' names."""
    return {field.name: of_field for field, of_field in zip(fields, values, strict=True)}
