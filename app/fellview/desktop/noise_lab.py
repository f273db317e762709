"""The noise lab in the viewer: its state, its view and its maps, and when they want another frame."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from fellview.draw.overlay import noise_lab as maps
from fellview.draw.overlay.overlay import Overlay
from fellview.scene.scene import Scene
from fellview.terrain.steps.noise import Noise
from fellview.ui import noise_lab as view
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.windows import Rectangle


class LabDesk:
    """What the viewer holds of the lab; `state` is what the person has set."""

    def __init__(self, make_maps: Callable[[], maps.NoiseLab], overlay: Overlay) -> None:
        self._make_maps, self._overlay = make_maps, overlay
        self._view = view.NoiseLab()
        self._maps: maps.NoiseLab | None = None  # made when the lab is first opened: it compiles programs
        self.state = view.Lab()

    def toggle(self) -> None:
        """Open or close the lab; a closed lab does not play on."""
        self.state = dataclasses.replace(self.state, shown=not self.state.shown, playing=False)

    def play(self) -> None:
        """Play or pause, where the lab is open."""
        if self.state.shown:
            self.state = dataclasses.replace(self.state, playing=not self.state.playing)

    @property
    def animated(self) -> bool:
        """Return whether the next frame differs though no event comes."""
        return self.state.shown and (self.state.playing or self._maps is None or not self._maps.settled)

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted without an event."""
        return self._view.wake_after if self.state.shown else None

    @property
    def holding(self) -> bool:
        """Return whether a widget of the lab is held, which Escape then puts back."""
        return self.state.shown and self._view.holding

    def over_land(self, active: ActiveWidget, home: Scene, area: Rectangle) -> None:
        """Draw the lab's view in the land's place; changes of the left side go through `active`."""
        shown = self._maps.shown if self._maps is not None else (None, None)
        self.state = self._view.draw(active, home, area, self.state, shown)

    def draw(self, noise: Noise, now: float, seconds: float, frame_s: float) -> None:
        """Move the slices on by `seconds` and bring the maps up to them; the last frame took `frame_s`."""
        if self._maps is None:
            self._maps = self._make_maps()
            for texture in self._maps.textures():
                self._overlay.lend(texture)
        moving = self.state.moving
        if moving:
            self._maps.pace.note(frame_s)
        self.state = self.state.advanced(seconds)
        self._maps.draw(self.state.slices(noise), self.state.cut, self.state.colours, now, moving)

    def place(self, key: str) -> Rectangle:
        """Return where a part of the lab was drawn last, in window units: a slider's key, ``map.left``, ``white``…"""
        return self._view.place(key)
