"""The export: a form that asks what and where to, and writing apart from the window."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from fellview.capture import capture
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.desktop import exporting, picture_page
from fellview.desktop.commands.desk import FilesDesk
from fellview.desktop.commands.registry import command
from fellview.desktop.exporting import Export
from fellview.desktop.picture_page import PICTURE
from fellview.desktop.saved_picture import small_of
from fellview.draw.ground import cover
from fellview.ui.file_dialog import FileDialog
from fellview.ui.form_dialog import FormDialog


@command("export")
def export(desk: FilesDesk) -> None:
    """Ask what and where to, and export the land, maps of its ground, what a program takes, or all kept lands."""
    _ask_what(desk, exporting.HEIGHTS)


@command("picture.as")
def take_picture(desk: FilesDesk) -> None:
    """Ask for size, format and name, and take a picture, with its passes if they are wanted."""
    _ask_what(desk, PICTURE)


@command("page")
def export_page(desk: FilesDesk) -> None:
    """Ask where to, and write a page of the slides, or else of the land and of the kept lands with a star."""
    deck, shelf = desk.session.deck, desk.session.shelf
    ask_where(desk, exporting.of_deck(deck) if deck.slides else exporting.of_page(shelf))


def _ask_what(desk: FilesDesk, first: str) -> None:
    """Open the form on the page `first`, and write what it is filled in for."""
    dialogs, grid, shelf = desk.dialogs, desk.session.scene.grid, desk.session.shelf
    of_picture = picture_page.page(desk.pictures_folder, capture.USUAL_NAME)
    pages = (*exporting.pages(dialogs.exported or dialogs.folder / "exported", len(shelf)), of_picture)

    def note(told: str, path: Path) -> None:
        desk.saved.note(told, path, small_of(path))

    def chosen(page: str, texts: Mapping[str, str]) -> Export:
        if page == PICTURE:
            return picture_page.chosen(texts, desk.layout.area_pixels(), note)
        return exporting.chosen(page, texts, grid.rows, grid.columns, shelf)

    def show(page: str, texts: Mapping[str, str]) -> bool:
        with contextlib.suppress(InputError):  # which is told when the form is handed in
            return page == PICTURE and desk.picture_frame.draw(picture_page.size(texts, desk.layout.area_pixels()))
        return False

    form = FormDialog("Export", pages, chosen, first, show)
    dialogs.ask(form, lambda wanted: ask_where(desk, wanted))


def ask_where(desk: FilesDesk, wanted: Export) -> None:
    """Ask for a file where `wanted` goes into one, and write."""
    if wanted.folder is not None:
        if wanted.proposed:
            desk.dialogs.exported = wanted.folder.absolute()
        _begin(desk, wanted.folder, wanted)
    elif wanted.file is not None:
        asked = wanted.file
        dialog = FileDialog("save", asked.title, desk.dialogs.folder, asked.suffixes, asked.name)
        desk.dialogs.ask(dialog, lambda path: _begin(desk, path, wanted))


def _begin(desk: FilesDesk, path: Path, wanted: Export) -> None:
    """Write to `path` once the land is the recipe's."""
    wanted.require(path)
    desk.more_masks = wanted.masks
    desk.when_settled(lambda: _write(desk, path, wanted))


def _write(desk: FilesDesk, path: Path, wanted: Export) -> None:
    """Have the land that is shown written apart from the window."""
    desk.more_masks = frozenset()
    scene, result = desk.session.scene, desk.session.result
    assert result is not None
    field, masks = result.field, result.field.masks
    # what a thread may read: no mask is computed there, nor is a texture of the window's read
    there = {name: masks[name] for name in cover.masks(scene) | wanted.masks if name in masks}
    land = HeightField(field.heights, field.cell_size, there)
    desk.writer.write(wanted.name or path.name, lambda work: wanted.write(path, scene, land, work), wanted.given_up)
