"""What the words of a command name: scenes and their land, kept lands, the engine."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fellview.cli.options import refuse
from fellview.cli.talk import notice, progress_line
from fellview.core.errors import InputError, named

if TYPE_CHECKING:
    from fellview.batch.batch import Stream
    from fellview.core.height_field import HeightField
    from fellview.core.parameters import Value
    from fellview.scene.scene import Scene
    from fellview.studio.deck import Deck
    from fellview.studio.shelf import Shelf


def require_engine(options: argparse.Namespace) -> None:
    """Raise `InputError` where the engine that is asked for is none."""
    from fellview.gpu import choice

    choice.require_engine(options.engine)


def loaded(source: str) -> Scene:
    """Return the scene `source`, and tell what a person should know of it."""
    from fellview.io import scenes

    scene, notices = scenes.load_with_notices(source)
    for line in notices:
        notice(line)
    return scene


def scene_of(options: argparse.Namespace) -> Scene:
    """Return the scene that is asked for, the opening one where none is, with its changes and its files found."""
    from fellview.heightmaps import height_file
    from fellview.io import imports, scenes

    require_engine(options)
    scene = loaded(scenes.OPENING_PRESET if options.scene is None else options.scene)
    changes: dict[str, Value] = {}
    for text in options.set:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise InputError(f"--set {named(text)}: expected group.name=value")
        _, _, declaration = scene.find(key)
        changes[key] = declaration.parsed(key, value)
    path = changes.get("imported.path")
    if path and changes.get("imported.enabled", True):  # the file as it is now, the way round that an import takes it
        turned = height_file.read(Path(str(path))).north_first
        changes = {"imported.enabled": True, "imported.sha256": "", "imported.rows_reversed": turned, **changes}
    scene, notices = imports.found(scene.replace(changes), Path.cwd())
    if notices:
        raise InputError(notices[0])
    return scene


@contextlib.contextmanager
def batch_of(options: argparse.Namespace) -> Iterator[Stream]:
    """Give what does the work, as `add_batch` asks; `InputError` where two are asked for."""
    from fellview.batch import batch

    if options.workers is not None and options.scheduler is not None:
        raise InputError(f"--workers {options.workers}: is not taken with --scheduler")
    with batch.opened(1 if options.workers is None else options.workers, options.scheduler or "") as opened:
        yield opened


def sized_scene(options: argparse.Namespace) -> Scene:
    """Return the scene that is asked for, on a grid of the size that is."""
    scene = scene_of(options)
    return scene.with_longer_side(options.size) if options.size else scene


def heights_of(scene: Scene, engine: str) -> HeightField:
    """Return the land of `scene`; how far it is is told."""
    from fellview.library import generate_with_notices

    with progress_line() as report:
        return generate_with_notices(scene, engine, report, notice)


def is_deck(source: str) -> bool:
    """Return whether `source` names a deck, and no scene."""
    from fellview.io import scenes
    from fellview.studio import deck_file

    return source not in scenes.presets() and deck_file.is_deck(Path(source))


def deck_of(options: argparse.Namespace, source: str) -> Deck:
    """Return the deck `source`, which has slides, and tell what a person should know of it."""
    from fellview.studio import deck_file

    if options.set:
        raise InputError(f"--set {named(options.set[0])}: is not taken with a deck")
    deck, notices = deck_file.load(Path(source))
    for line in notices:
        notice(line)
    if not deck.slides:
        raise InputError(f"{source}: a deck without slides: expected at least one")
    return deck


def shelf_of(options: argparse.Namespace) -> Shelf | None:
    """Return the shelf of the project that `options` name, with its files found; none where they name none."""
    from fellview.io import imports
    from fellview.studio import project
    from fellview.studio.shelf import Shelf

    if options.shelf is None:
        return None
    if options.scene is not None:
        raise InputError(f"SCENE {named(options.scene)}: is not taken with --shelf")
    refuse(options, ("set",), "with --shelf")
    require_engine(options)
    opened = project.load(options.shelf)
    for line in opened.notices:
        notice(line)
    if not opened.shelf.variants:
        raise InputError(f"{options.shelf}: a project without lands: expected at least one")
    variants = []
    for one in opened.shelf.variants:
        scene, notices = imports.found(one.scene, options.shelf.absolute().parent)
        if notices:
            raise InputError(f"{one.name}: {notices[0]}")
        variants.append(dataclasses.replace(one, scene=scene))
    return Shelf(tuple(variants))
