"""Commands on the list of shots: its window, its file, and what takes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fellview.capture import shot_list
from fellview.desktop.commands.desk import FilesDesk
from fellview.desktop.commands.export import ask_where
from fellview.desktop.commands.registry import command
from fellview.io import atomic
from fellview.ui.file_dialog import FileDialog


@command("shots")
def toggle_shots(desk: FilesDesk) -> None:
    """Show the window of the list of shots, or close it."""
    desk.beside.toggle("shots")


@command("shots.open")
def open_shots(desk: FilesDesk) -> None:
    """Ask for the file of a list and open it, with its scene."""

    def read(path: Path) -> Callable[[], None]:
        scene, shots, notices = shot_list.opened(path)
        return lambda: desk.shots.open(scene, shots, notices)

    dialog = FileDialog("open", "Open a list of shots", desk.dialogs.folder, (".toml",))
    desk.dialogs.ask(dialog, lambda path: desk.reader.read(path.name, lambda: read(path)))


@command("shots.save")
def save_shots(desk: FilesDesk) -> None:
    """Ask where to and save the list, with the recipes of its scenes beside it."""

    def save(path: Path) -> None:
        atomic.write_texts(desk.shots.texts(path))
        desk.session.notify(f"Saved {path}", passing=True)

    dialog = FileDialog("save", "Save the list of shots", desk.dialogs.folder, (".toml",), "shots.toml")
    desk.dialogs.ask(dialog, save)


@command("shots.take")
def take_shots(desk: FilesDesk) -> None:
    """Ask for a folder and take the shots of the list that are not there, apart from the window."""
    ask_where(desk, desk.shots.export())
