"""What the window and the process of thumbnails say to each other."""

from __future__ import annotations

from dataclasses import dataclass

from fellview.scene.locks import Locks
from fellview.scene.scene import Scene

Size = tuple[int, int]


@dataclass(frozen=True)
class Wish:
    """Pictures of `scenes`, of `size` pixels, the first one first; it takes the place of every wish before.

    All are looked at from above instead of by their own cameras where `from_above`.
    """

    number: int
    scenes: tuple[Scene, ...]
    size: Size
    from_above: bool = False


@dataclass(frozen=True)
class Spread:
    """Those `count` variants of `scene` that differ most, out of many that are `amount` away from it at most."""

    number: int
    scene: Scene
    count: int
    amount: float
    seed: int
    locked: Locks


@dataclass(frozen=True)
class Pause:
    """Nothing is to be done while `held`: the hand in the window comes first."""

    held: bool


@dataclass(frozen=True)
class Drawn:
    """A picture of the scene at `place` of a wish, as fine as `level`: pixels are rgba, the upper row first."""

    number: int
    place: int
    level: int
    size: Size
    pixels: bytes


@dataclass(frozen=True)
class Failed:
    """The scene at `place` of a wish cannot be drawn; `text` says why in one line."""

    number: int
    place: int
    text: str


@dataclass(frozen=True)
class Measured:
    """Which `fraction` of the candidates of a spread is measured."""

    number: int
    fraction: float


@dataclass(frozen=True)
class Found:
    """The variants of a spread."""

    number: int
    scenes: tuple[Scene, ...]


Order = Wish | Spread | Pause
Answer = Drawn | Failed | Measured | Found
