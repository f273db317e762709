"""A film: data, and a pure function from a frame's number to what is drawn there.

What moves in it is a motion, of which each kind is a file of its own. A motion is planned once, with the land where it
needs that; the plan then gives the frame for any share of the way, 0 to 1, so that frames can be drawn in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.parameters import Group, real, whole
from fellview.scene.scene import Scene
from fellview.view.projection import Size

LONGEST_FRAMES = 100_000
"""Most frames of a film: an hour at 24 a second."""


@dataclass(frozen=True)
class Timing(Group):
    """How many frames a film has, how fast they follow each other, and how finely each is drawn."""

    key: ClassVar[str] = "film"
    title: ClassVar[str] = "Film"

    frames: int = whole(
        120, 1, LONGEST_FRAMES, slider=(10, 600), unit="frames", tip="Low is soon drawn and short, high is long."
    )
    rate: float = real(
        30.0,
        1.0,
        240.0,
        slider=(10.0, 60.0),
        unit="frames/s",
        tip="Low stutters and lasts long, high is smooth and short.",
    )
    samples: int = whole(4, 1, 256, slider=(1, 16), tip="Low leaves jagged edges, high draws each frame as often.")


@dataclass(frozen=True)
class Blend:
    """A land between those of two scenes, on the grid of `one`: a `share` of the way to the `other`, 0 to 1."""

    one: Scene
    other: Scene
    share: float


@dataclass(frozen=True)
class Frame:
    """What is drawn in a frame: `scene` over its land, or over a `blend`."""

    scene: Scene
    blend: Blend | None = None


Plan = Callable[[float], Frame]
"""Gives the frame for a share of the way, 0 to 1."""


@dataclass(frozen=True)
class Setting:
    """What motions are planned for: width by height of the pictures, and what there is of a scene's land.

    `land` returns the height field of a scene, and `base_m` the drawn height of its cut base, None where it has none.
    """

    aspect: float
    land: Callable[[Scene], HeightField]
    base_m: Callable[[Scene, HeightField], float | None]


class Motion(Protocol):
    """What moves in a film. One that is `closed` ends a frame before it would be at its beginning again."""

    @property
    def closed(self) -> bool:
        """Whether the frame after the last one is the first."""

    def frames(self, scene: Scene, rate: float) -> int | None:
        """Return how many frames there are by the motion's own speed; None where it has none.

        `InputError` where the motion is none, or `scene` lacks what it needs.
        """

    def plan(self, scene: Scene, setting: Setting) -> Plan:
        """Return the plan of the motion over `scene`, for which `frames` has found nothing wrong."""


@dataclass(frozen=True)
class Film:
    """A film of `scene` in pictures of `size`, (width, height) in pixels."""

    scene: Scene
    motion: Motion
    timing: Timing = Timing()
    size: Size = (1280, 720)

    def share(self, number: int) -> float:
        """Return how much of the way is covered in frame `number`, the first being 0; `InputError` beyond the last."""
        count = self.timing.frames
        if not 0 <= number < count:
            raise InputError(f"frame {number}: expected 0 to {count - 1}")
        steps = count if self.motion.closed else max(count - 1, 1)
        return number / steps

    def planned(self, setting: Setting) -> Callable[[int], Frame]:
        """Return the function from a frame's number to the frame."""
        plan = self.motion.plan(self.scene, setting)
        return lambda number: plan(self.share(number))
