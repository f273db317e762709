"""What the window and the process of thumbnails say to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.variants.disperse import Spread

Size = tuple[int, int]

Look = Literal["camera", "views", "above"]
"""Where lands are looked at from: by their own cameras, each from a good view of it, or from straight above."""


@dataclass(frozen=True)
class Wish:
    """Pictures of `scenes`, of `size` pixels, the first one first; it takes the place of every wish before.

    Of the scenes those are drawn whose places are of the `share`: its first, and every so many-th after that.
    """

    number: int
    scenes: tuple[Scene, ...]
    size: Size
    look: Look = "camera"
    share: tuple[int, int] = (0, 1)

    @property
    def places(self) -> range:
        """The places of the scenes to be drawn."""
        first, step = self.share
        return range(first, len(self.scenes), step)


@dataclass(frozen=True)
class Disperse:
    """The variants of a spread that differ most; it takes the place of every wish before."""

    number: int
    spread: Spread


@dataclass(frozen=True)
class Pause:
    """Nothing is to be done while `held`: the hand in the window comes first."""

    held: bool


@dataclass(frozen=True)
class Drawn:
    """A picture of the scene at `place` of a wish, as fine as `level`: pixels are rgba, the upper row first.

    `camera` is the good view that it shows, where one was wished for.
    """

    number: int
    place: int
    level: int
    size: Size
    pixels: bytes
    camera: Camera | None = None


@dataclass(frozen=True)
class Failed:
    """The scene at `place` of a wish cannot be drawn; `text` says why in one line."""

    number: int
    place: int
    text: str


@dataclass(frozen=True)
class Measured:
    """Which `fraction` of the candidates is measured."""

    number: int
    fraction: float


@dataclass(frozen=True)
class Found:
    """The variants of a spread."""

    number: int
    scenes: tuple[Scene, ...]


Order = Wish | Disperse | Pause
Answer = Drawn | Failed | Measured | Found
