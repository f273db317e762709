"""What commands may use of the viewer: all that they know of it, in one protocol for each kind of command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from fellview.desktop.beside import Beside
from fellview.desktop.bookmarks import BookmarksDesk
from fellview.desktop.comparing import Comparing
from fellview.desktop.dialogs import Dialogs
from fellview.desktop.film import FilmDesk
from fellview.desktop.good_views import GoodViews
from fellview.desktop.input import Input
from fellview.desktop.layout import Layout
from fellview.desktop.other_picture import OtherPicture
from fellview.desktop.picking import Picking
from fellview.desktop.picture_frame import PictureFrame
from fellview.desktop.pictures import Pictures
from fellview.desktop.presenting import Presenting
from fellview.desktop.reading import FileReader
from fellview.desktop.saved_picture import SavedPicture
from fellview.desktop.shelf import ShelfDesk
from fellview.desktop.shots import ShotsDesk
from fellview.desktop.slides import SlidesDesk
from fellview.desktop.window import Window
from fellview.desktop.writing import FileWriter
from fellview.draw.renderer import Renderer
from fellview.io.recent import Recent
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.session.session import Session


class SceneDesk(Protocol):
    """For commands on the scene and how it looks."""

    session: Session
    comparing: Comparing
    beside: Beside
    layout: Layout
    picking: Picking
    input: Input
    reader: FileReader
    writer: FileWriter

    def redraw(self) -> None:
        """Have the next turns of the loop draw."""


class CameraDesk(Protocol):
    """For commands that place the camera."""

    session: Session
    views: GoodViews
    bookmarks: BookmarksDesk
    beside: Beside
    layout: Layout
    picking: Picking
    renderer: Renderer
    left_for_top: tuple[Scene, Camera] | None


class ShelvesDesk(Protocol):
    """For commands on the shelf."""

    session: Session
    layout: Layout
    shelf: ShelfDesk


class FilesDesk(CameraDesk, Protocol):
    """For commands that read and write files; an imported land is looked at as a whole."""

    shelf: ShelfDesk
    slides: SlidesDesk
    window: Window
    dialogs: Dialogs
    picture_frame: PictureFrame
    reader: FileReader
    recent: Recent
    pictures: Pictures
    other: OtherPicture
    pictures_folder: Path
    saved: SavedPicture
    film: FilmDesk
    shots: ShotsDesk
    writer: FileWriter
    more_masks: frozenset[str]

    def when_settled(self, command: Callable[[], None]) -> None:
        """Carry `command` out once heights and masks belong to the recipe."""


class SlidesCommandDesk(FilesDesk, Protocol):
    """For commands on the deck."""

    presenting: Presenting
    input: Input


class WindowDesk(Protocol):
    """For commands on what the window shows."""

    session: Session
    beside: Beside
    film: FilmDesk
    shots: ShotsDesk
    views: GoodViews
    window: Window
    layout: Layout
    picking: Picking
    input: Input
    reader: FileReader
    writer: FileWriter

    def on_resize(self) -> None:
        """Have the next frame take the window's new size in."""


class Desk(SceneDesk, ShelvesDesk, SlidesCommandDesk, WindowDesk, Protocol):
    """All that any command uses."""
