"""What is under the pointer, what is measured over the land, and the land's edge while it is marked."""

from __future__ import annotations

import time

from fellview.core.height_field import HeightField
from fellview.desktop.events import EventQueue
from fellview.desktop.layout import Layout
from fellview.session.session import Session
from fellview.ui.imgui_host import Host
from fellview.ui.status import LandEdge, Line
from fellview.view.edge import outline
from fellview.view.exaggeration import exaggerated
from fellview.view.projection import Size, project
from fellview.view.scale import Spot, measured, spot_at, spot_under

_EDGE_S, _EDGE_FADES_S = 1.5, 0.6  # the land's edge is marked, and of that the time in which it fades
_EDGE_TICK_S = 1 / 30  # between frames that it fades in
_EDGE_FRAME_S = 0.1  # of its time, the most for one frame: the first one may take long and is not seen before its end


def drawn_land(session: Session) -> HeightField | None:
    """Return the land as it is drawn, which is where camera and cursor meet it."""
    land = session.land
    return None if land is None else exaggerated(land, session.visible.view.exaggeration)


class Picking:
    """Finds the ground under the pointer; holds what is measured, and how long the land's edge stays marked."""

    def __init__(self, host: Host, session: Session, queue: EventQueue, layout: Layout) -> None:
        self._host, self._session, self._queue, self._layout = host, session, queue, layout
        self.measuring: list[tuple[float, float]] = []
        """Places (x, z) in metres that are measured between: none, the start, or both."""
        self._edge_left = self._edge_last = 0.0  # seconds that the land's edge stays marked; when that was told last

    def spot(self) -> Spot | None:
        """Return the ground under the pointer; None where that is over the sky, the panel or another window."""
        pointer = self._host.pointer
        return self._ground_at(pointer.position) if pointer.over_scene else None

    def spot_now(self) -> Spot | None:
        """Return the same as of the event that is being taken in: a frame may be long, and the pointer has moved on.

        Whose a place is that no frame has seen is only known of the panel, not of windows that float over the land.
        """
        place = self._queue.place
        pointer = self._host.pointer
        if place is None or place == pointer.position:
            return self.spot()
        return None if pointer.owner == "panel" else self._ground_at(place)

    def measured_line(self, under: Spot | None) -> Line | None:
        """Return the line that is measured along, to the ground `under` the pointer as long as its end is not set."""
        land, drawn = self._session.land, drawn_land(self._session)
        if land is None or drawn is None or not self.measuring:
            return None
        spots = [spot_at(land, x, z) for x, z in self.measuring]
        if len(spots) == 1:
            spots.append(under or spots[0])
        scene, size = self._session.visible, self._land_size()
        times = scene.view.exaggeration
        start, end = [project(scene.camera, size, (one.x, times * one.height, one.z)) for one in spots]
        if start is None or end is None:
            return None
        return Line(start, end, measured(*spots))

    def mark_edge(self) -> None:
        """Have the land's edge marked for a moment."""
        self._edge_left, self._edge_last = _EDGE_S, time.monotonic()
        self._host.redraw_for()

    @property
    def wake_after(self) -> float | None:
        """Seconds after which the marked edge wants a frame without an event."""
        return _EDGE_TICK_S if self._edge_left > 0 else None

    def marked_edge(self) -> LandEdge | None:
        """Return the land's edge as long as it is marked, fainter with every frame at last."""
        now, land = time.monotonic(), self._session.land
        self._edge_left -= min(now - self._edge_last, _EDGE_FRAME_S)
        self._edge_last = now
        if land is None or self._edge_left <= 0:
            return None
        exaggeration = self._session.visible.view.exaggeration
        points = outline(self._session.visible.camera, self._land_size(), land, exaggeration)
        return LandEdge(points, min(self._edge_left / _EDGE_FADES_S, 1.0))

    def _ground_at(self, position: tuple[float, float]) -> Spot | None:
        land, drawn = self._session.land, drawn_land(self._session)
        if land is None or drawn is None or self._layout.land_covered:
            return None
        cursor, size = self._layout.on_land(position)
        return spot_under(land, drawn, self._session.visible.camera, size, cursor)

    def _land_size(self) -> Size:
        return self._layout.on_land(self._host.pointer.position)[1]
