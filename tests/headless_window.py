"""A window that no display shows: the viewer draws into a framebuffer of its own, and a test is its hand and clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import moderngl
import numpy as np

from fellview.desktop.viewer import Viewer
from fellview.desktop.window import Extent
from fellview.scene.scene import Scene
from fellview.session import store
from tests.session.scripted import ScriptedCompute

SIZE = (640, 400)


class HeadlessWindow:
    """What the viewer asks of its window. `events` happen while the window is next asked to take events in."""

    frame_s = 0.0

    def __init__(self, context: moderngl.Context, size: tuple[int, int]) -> None:
        self.context = context
        self.size = size
        self.visible, self.is_closing, self.fullscreen, self.cursor = True, False, False, True
        self.events: list[Callable[[], None]] = []
        self.listener: object = None
        self.swaps = 0
        self.fbo = context.simple_framebuffer(size)

    def extent(self) -> Extent:
        return Extent(self.size, self.size, 1.0)

    def wait(self, seconds: float) -> None:
        events, self.events = self.events, []
        for event in events:
            event()

    def swap_buffers(self) -> None:
        self.swaps += 1

    def show_frame(self) -> None:
        self.swaps += 1

    def pixels(self) -> np.ndarray:
        """What is on the screen, uint8 [row, column, rgb], the top row first."""
        width, height = self.fbo.size
        return np.frombuffer(self.fbo.read(), np.uint8).reshape(height, width, 3)[::-1]

    def clipboard(self) -> str:
        return ""

    def set_clipboard(self, text: str) -> None:
        pass

    def show_cursor(self, shape: str) -> None:
        pass

    def hide(self) -> None:
        self.visible = False

    def close(self) -> None:
        self.is_closing = True

    def destroy(self) -> None:
        self.fbo.release()


class WholeScale:
    """Has moving pictures drawn with all their pixels, however long they take."""

    scale = 1.0

    def note(self, seconds: float) -> None:
        pass


class IdleThumbnails:
    """A process of thumbnails that draws nothing, and remembers what it was to draw."""

    def __init__(self):
        self.wishes = []
        self.answers = []

    def wish(self, order):
        self.wishes.append(order)

    def pause(self, held):
        pass

    def take(self):
        answers, self.answers = self.answers, []
        return answers

    def close(self):
        pass


@contextmanager
def opened(context: moderngl.Context, scene: Scene, folder: Path, size: tuple[int, int] = SIZE) -> Iterator[Viewer]:
    """Give a viewer in such a window, with its land and at rest; no land is kept that others have kept."""
    viewer = Viewer(
        scene, size, folder, "cpu", ScriptedCompute, open_window=lambda asked: HeadlessWindow(context, asked)
    )
    viewer.compute.process.finish()
    viewer.pictures.drawing_scale = WholeScale()
    with mock.patch.object(store, "_lands", lambda: folder / "lands"):
        try:
            yield viewer
        finally:
            viewer.close()


def turn(viewer: Viewer, turns: int = 1) -> None:
    """Have the loop turn so many times."""
    for _ in range(turns):
        viewer.turn()
