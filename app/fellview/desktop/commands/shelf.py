"""Commands on the shelf: keep, show, put in order, and save a whole shelf."""

from __future__ import annotations

from pathlib import Path

from fellview.desktop.commands.desk import FilesDesk, ShelvesDesk
from fellview.desktop.commands.registry import command
from fellview.studio import project
from fellview.studio.shelf import Variant
from fellview.ui.file_dialog import FileDialog
from fellview.ui.status import Order


@command("shelf.keep")
def keep(desk: ShelvesDesk) -> None:
    """Keep the land under the pointer on the board, or else the one that is there."""
    desk.shelf.keep_what_is_seen()


@command("shelf")
def toggle_shelf(desk: ShelvesDesk) -> None:
    """Show or hide the strip."""
    desk.shelf.shown = not desk.shelf.shown
    if desk.shelf.shown and not desk.session.shelf.variants:
        desk.session.notify("Nothing is kept yet: X keeps the land", passing=True)


@command("shelf.next")
def show_next(desk: ShelvesDesk) -> None:
    """Show the kept land after the chosen one."""
    _show(desk, 1)


@command("shelf.previous")
def show_previous(desk: ShelvesDesk) -> None:
    """Show the kept land before the chosen one."""
    _show(desk, -1)


def _show(desk: ShelvesDesk, step: int) -> None:
    if (variant := desk.shelf.neighbour(step)) is not None:
        desk.shelf.show(variant)


@command("shelf.star")
def star(desk: ShelvesDesk) -> None:
    """Give the chosen land a star, or take it away."""
    if (variant := _chosen(desk)) is not None:
        desk.shelf.obey(Order("star", variant.id))


@command("shelf.rename")
def rename(desk: ShelvesDesk) -> None:
    """Have the chosen land's name typed."""
    if (variant := _chosen(desk)) is not None:
        desk.shelf.shown = True
        desk.layout.rename(variant)


@command("shelf.right")
def move_right(desk: ShelvesDesk) -> None:
    """Move the chosen land one place to the right."""
    _move(desk, 1)


@command("shelf.left")
def move_left(desk: ShelvesDesk) -> None:
    """Move the chosen land one place to the left."""
    _move(desk, -1)


def _move(desk: ShelvesDesk, step: int) -> None:
    if (variant := _chosen(desk)) is not None:
        place = max(desk.session.shelf.place(variant.id) + step, 0)
        desk.shelf.obey(Order("move", variant.id, place=place))


@command("shelf.duplicate")
def duplicate(desk: ShelvesDesk) -> None:
    """Put a copy of the chosen land behind it."""
    if (variant := _chosen(desk)) is not None:
        desk.shelf.duplicate(variant)


@command("shelf.delete")
def delete(desk: ShelvesDesk) -> None:
    """Take the chosen land off the shelf."""
    if (variant := _chosen(desk)) is not None:
        desk.shelf.delete(variant)


def _chosen(desk: ShelvesDesk) -> Variant | None:
    """Return the chosen land; tell where none is."""
    if (variant := desk.shelf.chosen_variant) is None:
        desk.session.notify("No kept land is chosen: click one, or X keeps the land that is there", passing=True)
    return variant


@command("shelf.save")
def save_shelf(desk: FilesDesk) -> None:
    """Ask where to and save the shelf as a project."""
    if not desk.session.shelf.variants:
        desk.session.notify("Nothing is kept yet: X keeps the land", passing=True)
        return

    def save(path: Path) -> None:
        shelf = desk.session.shelf
        project.save(path, shelf, {id: pixels for id, pixels in desk.shelf.pixels.items() if shelf.has(id)})
        desk.recent.note(path)
        desk.session.notify(f"Saved {path}, {len(shelf)} lands", passing=True)

    name = "lands.toml"
    desk.dialogs.ask(FileDialog("save", "Save the shelf", desk.dialogs.folder, (project.SUFFIX,), name), save)
