"""What was made last, with what it was made of: for what every frame asks for, and seldom changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Newest(Generic[Made]):
    """Keeps one thing, and what it was made of, so that no other object can be taken for that."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, ...], Made] | None = None

    def of(self, parts: tuple[object, ...], make: Callable[[], Made]) -> Made:
        """Return what was made of these very objects, or have `make` make it where any is another one."""
        if self._kept is None or any(one is not other for one, other in zip(self._kept[0], parts, strict=True)):
            self._kept = parts, make()
        return self._kept[1]
