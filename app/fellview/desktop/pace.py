"""When the loop draws, and how long it may sleep or compute until then."""

from __future__ import annotations

import time
from typing import Protocol

from fellview.compute.router import EngineRouter
from fellview.desktop.dialogs import Dialogs
from fellview.desktop.events import EventQueue
from fellview.desktop.film import FilmDesk
from fellview.desktop.input import Input
from fellview.desktop.layout import Layout
from fellview.desktop.picking import Picking
from fellview.desktop.pictures import Pictures
from fellview.desktop.presenting import Presenting
from fellview.desktop.reading import FileReader
from fellview.desktop.window import Window
from fellview.session.session import Session
from fellview.ui.imgui_host import Host

_LONGEST_WAIT_S = 1.0  # Ctrl+C and a request to end are only seen between two waits
BUSY_TICK_S = 0.25
"""How often the progress line moves, and the panel under the hand while a slow picture is drawn."""
_FIRST_TICK_S = 1.0  # likewise before the first picture, where the panel was shown just now
_COMPUTING_SHARE = 6  # times what a frame took, until the next one while land is computed


class Parts(Protocol):
    """All that may want a frame."""

    window: Window
    host: Host
    session: Session
    compute: EngineRouter
    queue: EventQueue
    layout: Layout
    picking: Picking
    input: Input
    dialogs: Dialogs
    reader: FileReader
    film: FilmDesk
    pictures: Pictures
    presenting: Presenting


class Pace:
    """Tells when a frame is due; holds when the last one began, and how long it took to draw."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.last_frame = time.monotonic()
        self.frame_s = 0.0

    @property
    def animated(self) -> bool:
        """Return whether the next frame differs though no event comes."""
        parts, layout = self._parts, self._parts.layout
        moving = layout.lab.animated if layout.land_covered else parts.pictures.waves_move
        moving = moving or parts.presenting.animated or parts.film.playing
        return parts.input.controller.moving or not parts.host.settled or parts.dialogs.polls or moving

    @property
    def slice_s(self) -> float:
        """The seconds that computing may take of this turn of the loop, so that no frame is late.

        Where frames are late by themselves, as on software OpenGL, computing gets as long as drawing does.
        """
        window = self._parts.window
        if (longest := max(self.frame_s, self._parts.pictures.seconds)) > 2 * window.frame_s:
            return longest
        if not (self.animated and window.visible):
            return window.frame_s
        due = self.last_frame + window.frame_s - self.frame_s
        return max(due - time.monotonic(), 0.0)

    @property
    def wants_frame(self) -> bool:
        """Return whether a frame is due now."""
        parts, since = self._parts, time.monotonic() - self.last_frame
        pictures, host = parts.pictures, parts.host
        if len(parts.queue) or host.hurried:
            return True
        if pictures.drawing_anew:
            # every frame in between makes it later, and a drag over the land is answered by the land alone
            tick_s = BUSY_TICK_S if pictures.count else _FIRST_TICK_S
            return not host.settled and host.pointer.owner != "scene" and since >= tick_s
        wake = self._wake_after
        late = self._works and since >= BUSY_TICK_S
        if late or (self.animated and since >= self._spacing_s) or (wake is not None and since >= wake):
            return True
        if pictures.under_way:
            return False
        return pictures.stills_wait or ((refine := pictures.refine_in) is not None and refine <= 0)

    def wait(self) -> None:
        """Take events in; sleep until one comes or until something is due by itself."""
        parts, window = self._parts, self._parts.window
        if parts.compute.busy or parts.pictures.under_way:  # they fill the time between frames
            window.wait(0)
            return
        if self.animated and window.visible:
            # vsync does nothing on a virtual or software screen, so the rate is ours to keep
            due = self.last_frame + self._spacing_s
            while (left := due - time.monotonic()) > 0:
                window.wait(left)
                if parts.session.busy:  # what came may be land
                    return
            window.wait(0)
            return
        waits: list[float | None] = [_LONGEST_WAIT_S]
        if window.visible:
            since = time.monotonic() - self.last_frame
            wake = self._wake_after
            waits += [
                wake - since if wake is not None else None,
                BUSY_TICK_S - since if self._works else None,
                parts.pictures.refine_in,
                parts.session.passes_in,
            ]
        window.wait(min(one for one in waits if one is not None))

    @property
    def _spacing_s(self) -> float:
        """The seconds from one frame to the next where nothing hurries.

        While a slider is moved and land is computed, drawing the panel takes a sixth of the time at most: on software
        OpenGL it would keep both cores from the land that the hand waits for.
        """
        parts, spacing = self._parts, self._parts.window.frame_s
        if parts.session.busy and parts.host.pointer.owner == "panel" and parts.pictures.up_to_date:
            return max(spacing, _COMPUTING_SHARE * self.frame_s)
        return spacing

    @property
    def _works(self) -> bool:
        """Return whether something goes on that the status line tells the progress of."""
        return self._parts.session.busy or self._parts.reader.under_way is not None

    @property
    def _wake_after(self) -> float | None:
        """The seconds after which the panel wants a frame without an event."""
        parts, layout = self._parts, self._parts.layout
        waits = (
            parts.host.wake_after,
            layout.panel.wake_after,
            layout.lab.wake_after,
            layout.board.wake_after,
            parts.picking.wake_after,
        )
        return min((wait for wait in waits if wait is not None), default=None)
