"""Commands on the deck: its list, what is added to it, its file, and presenting it."""

from __future__ import annotations

from pathlib import Path

from fellview.desktop.commands.desk import SlidesCommandDesk
from fellview.desktop.commands.files import open_deck
from fellview.desktop.commands.registry import command
from fellview.io import carried
from fellview.studio import deck_file
from fellview.studio.deck import Slide, of_bookmarks, of_starred, slide_of
from fellview.ui.file_dialog import FileDialog

_NONE_YET = "There are no slides yet: Shift+F4 adds what is seen"


@command("slides")
def toggle_list(desk: SlidesCommandDesk) -> None:
    """Show the list of slides, or close it."""
    desk.beside.toggle("slides")


@command("slides.add")
def add_view(desk: SlidesCommandDesk) -> None:
    """Add what is seen as a slide."""
    scene = desk.session.scene
    _add(desk, (slide_of(scene, scene.name, desk.slides.last),), "")


@command("slides.bookmarks")
def add_bookmarks(desk: SlidesCommandDesk) -> None:
    """Add a slide for each bookmark."""
    found = of_bookmarks(desk.session.scene, desk.slides.last)
    _add(desk, found, "There are no bookmarks: Ctrl+1 to Ctrl+9 set them")


@command("slides.starred")
def add_starred(desk: SlidesCommandDesk) -> None:
    """Add a slide for each kept land with a star."""
    _add(desk, of_starred(desk.session.shelf, desk.slides.last), "No kept land has a star: Ctrl+B gives one")


def _add(desk: SlidesCommandDesk, found: tuple[Slide, ...], lacking: str) -> None:
    """Add the slides that were `found`; tell what is `lacking` where there are none."""
    if found:
        desk.slides.add(found)
        desk.beside.open("slides")
    else:
        desk.session.notify(lacking, passing=True)


@command("slides.present")
def present(desk: SlidesCommandDesk) -> None:
    """Present the slides, from the one that was clicked last."""
    deck = desk.session.deck
    if deck.slides:
        desk.input.let_all_go()
        desk.presenting.begin(deck, desk.slides.chosen or 0)
    else:
        desk.session.notify(_NONE_YET, passing=True)


@command("slides.open")
def ask_for_deck(desk: SlidesCommandDesk) -> None:
    """Ask for a deck and open it."""
    dialog = FileDialog("open", "Open a deck", desk.dialogs.folder, (deck_file.SUFFIX,))
    desk.dialogs.ask(dialog, lambda path: desk.reader.read(path.name, lambda: open_deck(desk, path)))


@command("slides.save")
def save(desk: SlidesCommandDesk) -> None:
    """Ask where to and save the deck."""
    if not desk.session.deck.slides:
        desk.session.notify(_NONE_YET, passing=True)
        return

    def write(path: Path) -> None:
        deck = desk.session.deck
        deck_file.save(path, deck)
        desk.recent.note(path)
        desk.session.notify(f"Saved {path}, {len(deck)} slides", passing=True)
        for text in dict.fromkeys(carried.left_out(one.scene.imported) for one in deck.slides):
            if text:
                desk.session.notify(text)

    dialog = FileDialog("save", "Save the deck", desk.dialogs.folder, (deck_file.SUFFIX,), "deck.toml")
    desk.dialogs.ask(dialog, write)
