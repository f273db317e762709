"""What commands may use of the viewer: all that they know of it, in one protocol for each kind of command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fellview.capture.capture import Still
from fellview.core.height_field import HeightField
from fellview.desktop.noise_lab import LabDesk
from fellview.desktop.window import Window
from fellview.draw.renderer import Renderer
from fellview.io.recent import Recent
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.ui.file_dialog import FileDialog
from fellview.view.controllers import Controller
from fellview.view.scale import Spot


class SceneDesk(Protocol):
    """For commands on the scene and how it looks."""

    session: Session
    measuring: list[tuple[float, float]]
    sun_held: bool

    def redraw(self) -> None:
        """Have the next turns of the loop draw."""

    def spot_now(self) -> Spot | None:
        """Return the ground under the pointer; None off the land."""

    def give_up_reading(self) -> bool:
        """Do without the file that is being read; return whether there was one."""


class CameraDesk(Protocol):
    """For commands that place the camera."""

    session: Session
    renderer: Renderer
    left_for_top: tuple[Scene, Camera] | None

    def drawn_land(self) -> HeightField | None:
        """Return the land as it is drawn."""

    def area_pixels(self) -> tuple[int, int]:
        """Return the size of the land's part of the window in pixels."""

    def mark_edge(self) -> None:
        """Have the land's edge marked for a moment."""


class FilesDesk(CameraDesk, Protocol):
    """For commands that read and write files; an imported land is looked at as a whole."""

    window: Window
    recent: Recent
    folder: Path
    pictures: Path

    def ask(self, dialog: FileDialog, then: Callable[[Path], None]) -> None:
        """Have `dialog` ask for a file and hand the answer to `then`."""

    def read(self, name: str, read: Callable[[], Callable[[], None]]) -> None:
        """Have `read` look at a foreign file apart from the window, and do then what it returns."""

    def when_settled(self, command: Callable[[], None]) -> None:
        """Carry `command` out once heights and masks belong to the recipe."""

    def draw_still(self, still: Still, then: Callable[[NDArray[np.uint8]], None]) -> None:
        """Have `still` drawn between the window's frames, and its pixels handed to `then`."""


class WindowDesk(Protocol):
    """For commands on what the window shows."""

    session: Session
    window: Window
    lab: LabDesk
    controller: Controller
    measuring: list[tuple[float, float]]
    panel_shown: bool
    bare: bool
    help_shown: bool

    @property
    def holding(self) -> bool:
        """Return whether a widget is held."""

    def on_resize(self) -> None:
        """Have the next frame take the window's new size in."""

    def find_parameter(self) -> None:
        """Have what is typed next go to the panel's search field."""

    def take_drag_back(self) -> bool:
        """Put back what a drag over the land has changed; return whether one was under way."""

    def give_up_reading(self) -> bool:
        """Do without the file that is being read; return whether there was one."""


class Desk(SceneDesk, FilesDesk, WindowDesk, Protocol):
    """All that any command uses."""
