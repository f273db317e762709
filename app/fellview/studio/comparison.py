"""What the land is compared with, and how both are looked at: plain data."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from fellview.scene.scene import Scene

Way = Literal["wipe", "blink", "difference"]
WAYS: tuple[Way, ...] = ("wipe", "blink", "difference")

LIGHT = ("sun", "sky", "air")
"""The groups that one light for both is made of."""

Share = tuple[float, float]
"""From where to where something shows, of the picture's width."""

_LEAST = 0.02  # of the width, that each side of the line keeps, so that it can be taken hold of


@dataclass(frozen=True)
class Comparison:
    """What the land is compared with: `scene`, or none for the scene as it was opened, and its `title`.

    In a wipe it shows to the left of `line`, a share of the picture's width; in a blink where it is `flipped`. With
    `one_light` it stands in the light of the scene that it is compared with.
    """

    title: str = "Before"
    scene: Scene | None = None
    way: Way = "wipe"
    line: float = 0.5
    flipped: bool = False
    one_light: bool = False

    def other(self, now: Scene, home: Scene) -> Scene:
        """Return the scene that `now`, which was opened as `home`, is compared with, as one looks at `now`."""
        other = (self.scene or home).viewed_as(now)
        if not self.one_light:
            return other
        theirs = now.groups()
        return dataclasses.replace(other, **{key: theirs[key] for key in LIGHT})  # type: ignore[arg-type]

    def with_line(self, share: float) -> Comparison:
        """Return it with the line at a share of the picture's width, as near to its edges as it may come."""
        return dataclasses.replace(self, line=min(max(share, _LEAST), 1 - _LEAST))

    @property
    def shown(self) -> tuple[Share | None, Share | None]:
        """Which columns of the land, and which of the other one, are seen; none where it is not."""
        whole = (0.0, 1.0)
        if self.way == "wipe":
            return (self.line, 1.0), (0.0, self.line)
        return (None, whole) if self.way == "blink" and self.flipped else (whole, None)
