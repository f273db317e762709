"""Commands on the film: its window, its file, and what takes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fellview.desktop.commands.desk import FilesDesk
from fellview.desktop.commands.export import ask_where
from fellview.desktop.commands.registry import command
from fellview.studio.films import film_file
from fellview.ui.file_dialog import FileDialog


@command("film")
def toggle_film(desk: FilesDesk) -> None:
    """Show the window of the film, or close it."""
    desk.beside.toggle("film")


@command("film.open")
def open_film(desk: FilesDesk) -> None:
    """Ask for the file of a film and open it, with its scene."""

    def read(path: Path) -> Callable[[], None]:
        film, notices = film_file.load(path)
        return lambda: desk.film.open(film, notices)

    dialog = FileDialog("open", "Open a film", desk.dialogs.folder, (".toml",))
    desk.dialogs.ask(dialog, lambda path: desk.reader.read(path.name, lambda: read(path)))


@command("film.save")
def save_film(desk: FilesDesk) -> None:
    """Ask where to and save the film, with the recipe of its scene beside it."""

    def save(path: Path) -> None:
        film_file.save(path, film)
        desk.session.notify(f"Saved {path}", passing=True)

    film = desk.film.made()
    desk.dialogs.ask(FileDialog("save", "Save the film", desk.dialogs.folder, (".toml",), "film.toml"), save)


@command("film.take")
def take_film(desk: FilesDesk) -> None:
    """Ask where to and draw the film, apart from the window."""
    ask_where(desk, desk.film.export())
