"""Events in the order in which they came, carried out between two frames."""

from __future__ import annotations

from collections.abc import Callable

from fellview.ui.imgui_host import Host

Place = tuple[float, float] | None
"""Where the pointer is, in window units; None off the window."""


class EventQueue:
    """Holds what events ask for: they come in the middle of a slow frame, too, and act only after it."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._events: list[tuple[int, Place, Callable[[], None]]] = []  # the presses before it, the pointer, what to do
        self._under_way: tuple[Place] | None = None

    def __len__(self) -> int:
        return len(self._events)

    @property
    def place(self) -> Place:
        """Where the pointer was at the event that is being carried out, or where the latest event had it."""
        return self._under_way[0] if self._under_way else self._host.place

    def add(self, act: Callable[[], None]) -> None:
        """Have `act` carried out between two frames."""
        self._events.append((self._host.presses, self._host.place, act))

    def carry_out(self) -> None:
        """Carry out what came, in order; what came after a press of a button waits until a frame has seen that."""
        while self._events and self._events[0][0] <= self._host.presses_seen:
            _, place, act = self._events.pop(0)
            self._under_way = (place,)
            try:
                act()
            finally:
                self._under_way = None
