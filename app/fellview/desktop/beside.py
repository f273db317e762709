"""Windows beside the landscape, at its right: one of them at most is open, and none while lands are compared there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from fellview.desktop.comparing import Comparing
from fellview.desktop.layout import Layout
from fellview.ui import windows
from fellview.ui.windows import Rectangle

Name = Literal["", "steps", "bookmarks", "slides", "film", "shots"]
"""Which window: none, or by its subject."""


class BesideWindow(Protocol):
    """A window with a subject of its own."""

    def draw(self, scene: Rectangle) -> None:
        """Draw it over the landscape `scene`."""

    def apply(self) -> bool:
        """Do what a person has done in the frame that was drawn; return whether it stays open."""


class Beside:
    """Which of the windows is open."""

    def __init__(self, layout: Layout, comparing: Comparing, subjects: Mapping[Name, BesideWindow]) -> None:
        self._layout, self._comparing, self._subjects = layout, comparing, subjects
        self.shown: Name = ""
        self._drawn: BesideWindow | None = None

    @property
    def side(self) -> float:
        """How much of the landscape's right is taken, in unscaled pixels."""
        return windows.SIDE if self.shown or self._comparing.shown else 0.0

    def toggle(self, name: Name) -> None:
        """Open a window in the place of what is there, or close it."""
        if self.shown == name:
            self.shown = ""
        else:
            self.open(name)

    def open(self, name: Name) -> None:
        """Open a window in the place of what is there."""
        self.shown = name
        self._comparing.close()

    def close(self) -> None:
        """Close what is open, a comparison too."""
        self.shown = ""
        self._comparing.close()

    def draw(self) -> None:
        """Draw what is open over the landscape."""
        if self._comparing.shown:
            self.shown = ""
        self._drawn = None
        if self.shown and not self._layout.bare:
            self._drawn = self._subjects[self.shown]
            self._drawn.draw(self._layout.panel.scene_rect)

    def apply(self) -> None:
        """Do what a person has done in the last frame."""
        drawn, self._drawn = self._drawn, None
        if drawn is not None and not drawn.apply():
            self.shown = ""
