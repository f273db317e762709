"""Commands that read and write files: scenes, height maps, textures, pictures, recipes on the clipboard."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.capture import capture
from fellview.capture.shot import Shot
from fellview.core.errors import InputError
from fellview.desktop import clipboard
from fellview.desktop.commands.camera import frame_land
from fellview.desktop.commands.desk import FilesDesk
from fellview.desktop.commands.registry import command
from fellview.desktop.saved_picture import small
from fellview.desktop.stills import DRAWING, Purpose
from fellview.draw.ground import ground_textures
from fellview.heightmaps import registry
from fellview.io import carried, imports, scenes, sessions, short_texts
from fellview.scene.groups.ground import MATERIALS
from fellview.scene.scene import Scene
from fellview.studio import deck_file, project
from fellview.studio.deck import Deck
from fellview.studio.project import Project
from fellview.studio.shelf import Shelf
from fellview.ui.file_dialog import FileDialog

_TEXTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp")


@command("open")
def open_scene(desk: FilesDesk) -> None:
    """Ask for a scene file, a picture, a project or a deck and open it."""
    dialog = FileDialog("open", "Open a scene", desk.dialogs.folder, (".toml", ".png"))
    desk.dialogs.ask(dialog, lambda path: open_source(desk, path))


def open_source(desk: FilesDesk, source: str | Path) -> None:
    """Open a preset, recipe file, picture, project or deck."""
    desk.reader.read(Path(source).name, lambda: _scene_of(desk, source))


def open_dropped(desk: FilesDesk, path: Path) -> None:
    """Open the scene or picture at `path`, or take the land from it where it is a height map."""
    before = desk.session.scene

    def look() -> Callable[[], None]:
        return _heights_of(desk, before, path) if scenes.is_height_map(path) else _scene_of(desk, path)

    desk.reader.read(path.name, look)


def _scene_of(desk: FilesDesk, source: str | Path) -> Callable[[], None]:
    """Return what opens the scene, the project or the deck of `source`; called apart from the window."""
    path = Path(source)
    if str(source) not in scenes.presets() and project.is_project(path):
        opened = project.load(path)

        def open_shelf() -> None:
            desk.shelf.open(opened, path.name)
            desk.recent.note(path)

        return open_shelf
    if str(source) not in scenes.presets() and deck_file.is_deck(path):
        return open_deck(desk, path)
    scene, notices = scenes.load_with_notices(source)
    if path.is_relative_to(paths.state_folder()):
        return _session_of(desk, scene, notices, path.parent)

    def open_it() -> None:
        desk.session.open(scene, notices)
        if str(source) not in scenes.presets():
            desk.recent.note(path)

    return open_it


def open_deck(desk: FilesDesk, path: Path) -> Callable[[], None]:
    """Return what opens the deck at `path`, and shows its first slide; called apart from the window."""
    deck, notices = deck_file.load(path)

    def open_it() -> None:
        desk.slides.take(deck, path.name)
        desk.beside.open("slides")
        if deck.slides:
            desk.slides.show(0)
        for text in notices:
            desk.session.notify(text)
        desk.recent.note(path)

    return open_it


def _session_of(desk: FilesDesk, scene: Scene, notices: list[str], folder: Path) -> Callable[[], None]:
    """Return what goes on with what another window left in `folder`: its scene, its shelf and its deck."""
    shelf, deck = Project(Shelf()), Deck()
    try:
        if os.path.lexists(folder / sessions.SHELF):
            shelf = project.load(folder / sessions.SHELF)
        if os.path.lexists(folder / sessions.DECK):
            deck, told = deck_file.load(folder / sessions.DECK)
            notices += told
    except InputError as fault:
        notices.append(str(fault))

    def open_it() -> None:
        desk.shelf.open_session(scene, notices, shelf)
        if deck.slides:
            desk.slides.add(deck.slides)

    return open_it


def _heights_of(desk: FilesDesk, before: Scene, path: Path) -> Callable[[], None]:
    """Return what takes the land from the height map at `path`, and shows the whole of it.

    It is called apart from the window, while the scene may go on from `before`.
    """
    chosen, notices = imports.chosen(before, path)

    def take() -> None:
        session = desk.session
        grid = session.scene.grid
        scene = session.scene
        for key, group in chosen.groups().items():
            if group != before.groups()[key]:
                scene = scene.with_group(group)
        session.set(scene, "Import")
        for notice in notices:
            session.notify(notice)
        if (grid.size_z, grid.size_x) != (chosen.grid.size_z, chosen.grid.size_x):
            desk.when_settled(lambda: frame_land(desk))

    return take


@command("save")
def save_scene(desk: FilesDesk) -> None:
    """Ask where to and save the scene."""

    def save(path: Path) -> None:
        scenes.save(path, desk.session.scene)
        desk.recent.note(path)
        desk.session.notify(f"Saved {path}", passing=True)
        if text := carried.left_out(desk.session.scene.imported):
            desk.session.notify(text)

    desk.dialogs.ask(FileDialog("save", "Save the scene", desk.dialogs.folder, (".toml",), "scene.toml"), save)


@command("import")
def import_heights(desk: FilesDesk) -> None:
    """Ask for a height map and take the land from it."""
    desk.dialogs.ask(
        FileDialog("open", "Import a height map", desk.dialogs.folder, registry.READ_SUFFIXES),
        lambda path: take_heights(desk, path),
    )


def take_heights(desk: FilesDesk, path: Path) -> None:
    """Take the land from the height map at `path`, and show the whole of it."""
    before = desk.session.scene
    desk.reader.read(path.name, lambda: _heights_of(desk, before, path))


@command("textures")
def choose_textures(desk: FilesDesk) -> None:
    """Ask for a picture named after a material and take all such pictures of its folder for the ground."""

    def set_them(folder: str) -> None:
        ground = desk.session.scene.ground.replace(textures=folder)
        desk.session.set(desk.session.scene.with_group(ground), "Textures")

    def look(folder: str) -> Callable[[], None]:
        ground_textures.take(folder)
        return lambda: set_them(folder)

    def take(path: Path) -> None:
        folder = path.absolute().parent
        desk.reader.read(folder.name, lambda: look(str(folder)))

    names = ", ".join(MATERIALS)
    desk.dialogs.ask(FileDialog("open", f"A folder of {names}", desk.dialogs.folder, _TEXTURES), take)


@command("picture")
def save_picture(desk: FilesDesk) -> None:
    """Save what is seen, without the panel, with its recipe inside."""

    def write(scene: Scene, pixels: NDArray[np.uint8]) -> None:
        path = capture.stamped_path(desk.pictures_folder, scene, ".png")
        capture.save(path, scene, pixels, _taken(desk))
        desk.recent.note(path)
        told = f"Saved {path}"
        desk.saved.note(told, path, small(pixels))
        desk.session.notify(told, passing=True)

    _draw_seen(desk, write, "file")


@command("picture.folder")
def show_picture_in_folder(desk: FilesDesk) -> None:
    """Show the file of the picture that was saved last in its folder."""
    desk.saved.show_in_folder()


@command("picture.path")
def copy_path_of_picture(desk: FilesDesk) -> None:
    """Put the path of the picture that was saved last on the clipboard."""
    desk.saved.copy_path()


@command("picture.copy")
def copy_picture(desk: FilesDesk) -> None:
    """Put what is seen, without the panel, on the clipboard as a picture."""

    def copy(scene: Scene, pixels: NDArray[np.uint8]) -> None:
        def put() -> Callable[[], None]:
            clipboard.put_picture(pixels, scenes.to_text(scene, desk.pictures_folder, shared=True), _taken(desk))
            return lambda: desk.session.notify("The picture is on the clipboard", passing=True)

        desk.reader.read("the picture for the clipboard", put)

    _draw_seen(desk, copy, "clipboard")


def _draw_seen(desk: FilesDesk, then: Callable[[Scene, NDArray[np.uint8]], None], purpose: Purpose) -> None:
    """Have what is seen drawn between the window's frames, without the panel; hand its scene and pixels to `then`."""
    seen = desk.session.scene
    desk.session.notify(DRAWING)

    def draw() -> None:
        session, samples = desk.session, desk.renderer.resting_samples
        # what was under way at the press may have become another land since
        scene = seen if seen.terrain_groups() == session.scene.terrain_groups() else session.scene
        field = desk.other.onto(session.result.field if session.result else None)
        assert field is not None
        picture = capture.Still(desk.renderer, scene, field, desk.layout.area_pixels(), samples)
        desk.pictures.draw_still(picture, lambda pixels: then(scene, pixels), purpose)

    desk.when_settled(draw)


def _taken(desk: FilesDesk) -> str:
    """Return how what is seen is taken, so that it is the same when it is rendered again."""
    return Shot(samples=desk.renderer.resting_samples).text


@command("copy")
def copy_recipe(desk: FilesDesk) -> None:
    """Put the recipe on the clipboard."""
    text, told = scenes.to_clipboard(desk.session.scene)
    desk.window.set_clipboard(text)
    desk.session.notify(told, passing=True)


@command("copy.short")
def copy_short_text(desk: FilesDesk) -> None:
    """Put the recipe on the clipboard as a short text."""
    scene = desk.session.scene
    text = short_texts.to_text(scene)
    desk.window.set_clipboard(text)
    without = ", without the textures of your own" if scene.ground.textures else ""
    desk.session.notify(f"A short text of {len(text):,} characters is on the clipboard{without}", passing=True)


@command("paste")
def paste_recipe(desk: FilesDesk) -> None:
    """Open the recipe or the short text on the clipboard."""
    text = desk.window.clipboard()

    def look() -> Callable[[], None]:
        scene, notices = scenes.from_text(text, "pasted text", Path.cwd())
        return lambda: desk.session.open(scene, notices)

    desk.reader.read("pasted text", look)
