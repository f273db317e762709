"""A person before a panel, by events as a window would send them, without a window and without OpenGL."""

from __future__ import annotations

from fellview.scene.scene import Scene
from fellview.ui import drawn
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Outcome, Status

FRAME = 1 / 60
CONTROL, SHIFT, ALT, ENTER, ESCAPE = 341, 340, 342, 257, 256
LEFT = 0
MOST_OF_WINDOW = 0.45 * 1280
"""How wide the panel may be in a window of the usual size."""


def _press_at(place: tuple[float, float, float, float]) -> tuple[float, float]:
    left, top, width, _ = place
    return left + width / 2, top + 8


class Person:
    """A panel in a window that is not there; finds widgets by the tracks and buttons that were drawn."""

    def __init__(self, scale: float = 1.0) -> None:
        self.host, self.panel = Host(scale=scale), Panel()
        self.host.resize((1280, 720), (1280, 720))
        self.home = self.scene = Scene()
        self.status = Status(can_undo=True, presets=("directx-demo", "alpine-range"))
        self.outcomes: list[Outcome] = []
        self.frames(4)
        self.outcomes.clear()

    def frames(self, count: int = 1, seconds: float = FRAME) -> Outcome:
        """Run frames; the session takes each scene over, as the window does."""
        for _ in range(count):
            self.host.new_frame(seconds)
            outcome = self.panel.draw(self.scene, self.home, self.status)
            self.data = self.host.end_frame()
            self.scene = outcome.scene
            self.outcomes.append(outcome)
        return outcome

    @property
    def tracks(self) -> dict[str, tuple[float, float, float, float]]:
        """Where sliders are, by key."""
        return drawn.places("track")

    @property
    def resets(self) -> list[tuple[float, float]]:
        """Where to press the arrows that put values back."""
        return [_press_at(one.place) for one in drawn.all_of("reset")]

    @property
    def buttons(self) -> dict[str, tuple[float, float]]:
        """Where to press buttons, by their texts."""
        return {text: _press_at(place) for text, place in drawn.places("button").items()}

    @property
    def ticks(self) -> dict[str, tuple[float, float]]:
        """The middles of boxes to tick, by key."""
        middles = drawn.places("tick").items()
        return {key: (left + width / 2, top + height / 2) for key, (left, top, width, height) in middles}

    def at(self, key: str, share: float) -> tuple[float, float]:
        """Return the point at `share` of a slider."""
        left, top, width, height = self.tracks[key]
        return left + share * width, top + height / 2

    def move(self, point: tuple[float, float]) -> None:
        self.host.mouse_move(*point)
        self.frames()

    def press(self, point: tuple[float, float]) -> None:
        self.move(point)
        self.host.mouse_button(LEFT, True)
        self.frames()

    def release(self) -> None:
        self.host.mouse_button(LEFT, False)
        self.frames()

    def click(self, point: tuple[float, float]) -> None:
        """Press and release between two frames."""
        self.move(point)
        self.host.mouse_button(LEFT, True)
        self.host.mouse_button(LEFT, False)
        self.frames(2)

    def key(self, key: int, modifiers: int = 0) -> None:
        self.host.key(key, True, modifiers)
        self.host.key(key, False, modifiers)
        self.frames(2)

    def type(self, text: str) -> None:
        self.frames(2)
        self.host.text(text)
        self.frames(2)
        self.key(ENTER)

    @property
    def ended(self) -> list[str]:
        return [outcome.label for outcome in self.outcomes if outcome.gesture_ended]
