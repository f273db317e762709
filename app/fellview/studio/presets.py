"""Own presets: kept lands that stay in the list of scenes, whichever window's, in a project file of their own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from fellview.studio import project
from fellview.studio.project import Pixels, Project
from fellview.studio.shelf import Shelf, Variant

_FILE = "presets.toml"


def load(state: Path) -> Project:
    """Return the own presets in the state folder; `InputError` where they cannot be read."""
    path = state / _FILE
    return project.load(path) if os.path.lexists(path) else Project(Shelf())


def add(state: Path, variant: Variant, pixels: Pixels | None) -> Project:
    """Put a kept land among the own presets, with its thumbnail where there is one; return what there is then.

    One of that id or name is replaced. What another window has put there stays. `InputError` where it cannot be read
    or written.
    """
    before = load(state)
    others = tuple(one for one in before.shelf.variants if variant.id != one.id and variant.name != one.name)
    return _saved(state, Shelf((*others, variant)), before, {} if pixels is None else {variant.id: pixels})


def remove(state: Path, id: str) -> Project:
    """Take the one of that id away; return what is left."""
    before = load(state)
    left = tuple(one for one in before.shelf.variants if one.id != id)
    return _saved(state, Shelf(left), before, {})


def _saved(state: Path, shelf: Shelf, before: Project, new: Mapping[str, Pixels]) -> Project:
    project.save(state / _FILE, shelf, new)
    thumbnails = {id: pixels for id, pixels in {**before.thumbnails, **new}.items() if shelf.has(id)}
    return Project(shelf, before.notices, thumbnails)
