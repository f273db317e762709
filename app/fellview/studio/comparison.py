"""Which two lands are compared, and how both are looked at: plain data."""

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
class Side:
    """One of two lands that are compared: what to call it and its scene, none where that is the window's own."""

    title: str
    scene: Scene | None = None


NOW, BEFORE = Side("Now"), Side("Before")
"""The window's scene as it is, and as it was opened; either changes with the window."""


@dataclass(frozen=True)
class Comparison:
    """Two lands, `old` and `new`, and how they are looked at.

    In a wipe the old one shows to the left of `line`, a share of the picture's width; in a blink where it is `flipped`.
    With `one_light` it stands in the light of the new one. With `own_views` each is seen from its own camera, as slides
    are, and the old one is drawn where `draws_old` alone: it may be wanted for its land. The window's scene as it is
    can only be the new one, where every change of it shows at once.
    """

    old: Side = BEFORE
    new: Side = NOW
    way: Way = "wipe"
    line: float = 0.5
    flipped: bool = False
    one_light: bool = False
    own_views: bool = False
    draws_old: bool = True

    def instead(self, home: Scene) -> Scene | None:
        """Return what is to be seen in place of the window's scene, which was opened as `home`; none where that is."""
        return None if self.new == NOW else self.new.scene or home

    def scenes(self, now: Scene, home: Scene) -> tuple[Scene, Scene]:
        """Return the scenes of both, old and new, as one looks at `now`, which was opened as `home`."""
        old, new = ((one or home) for one in (self.old.scene, self.instead(home) or now))
        if self.own_views:
            return old, new
        old, new = old.viewed_as(now), new.viewed_as(now)
        if self.one_light:
            theirs = new.groups()
            old = dataclasses.replace(old, **{key: theirs[key] for key in LIGHT})  # type: ignore[arg-type]
        return old, new

    def with_line(self, share: float) -> Comparison:
        """Return it with the line at a share of the picture's width, as near to its edges as it may come."""
        return dataclasses.replace(self, line=min(max(share, _LEAST), 1 - _LEAST))

    @property
    def shown(self) -> tuple[Share | None, Share | None]:
        """Which columns of the new land, and which of the old one, are seen; none where it is not."""
        whole = (0.0, 1.0)
        if self.way == "wipe":
            return (self.line, 1.0), (0.0, self.line)
        return (None, whole) if self.way == "blink" and self.flipped else (whole, None)
