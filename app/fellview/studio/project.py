"""The project file: a shelf as one readable TOML file, and a folder of thumbnails beside it.

    project = 1                     # the format's version
    fellview = "0.1.0"              # that wrote it

    [[variants]]
    id = "5f3a90c1"
    name = "Rolling highlands 3"
    star = true

    [variants.scene]                # a recipe: what differs from the defaults
    version = 1
    ...

Thumbnails are caches, `lands-thumbnails/5f3a90c1.png` beside `lands.toml`: without them a project opens as well.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview import version
from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.io import imports
from fellview.io.atomic import write_text, writing
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.studio.shelf import Shelf, Variant
from fellview.studio.tables import each_with_scene, require_known, version_of

VERSION = 1

SUFFIX = ".toml"

Pixels = NDArray[np.uint8]
"""A thumbnail, uint8 [row, column, rgb]."""

_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""By version: what turns a project of that version into one of the next."""

_KEYS = ("project", "fellview", "variants")
_VARIANT_KEYS = ("id", "name", "star", "scene")
_THUMBNAIL = foreign.Kind("a thumbnail", 2_000_000, ("PNG",), 2048, 2_000_000)
_NAME = re.compile(r"[0-9a-f]{8}\.png")
_HEAD = re.compile(r"^\s*project\s*=", re.MULTILINE)


@dataclass(frozen=True)
class Project:
    """What a project file holds, and notices for the person who opens it, a line each."""

    shelf: Shelf
    notices: tuple[str, ...] = ()
    thumbnails: Mapping[str, Pixels] = field(default_factory=dict)
    """By the id of the variant; those that are missing or damaged are left out."""


def to_text(shelf: Shelf, folder: Path | None = None) -> str:
    """Return `shelf` as TOML that lies in `folder`; its files have their whole paths where that is none.

    `InputError` where it is longer than a project that can be read.
    """
    head = f'project = {VERSION}\nfellview = "{version.VERSION}"\n'
    text = "\n".join([head, *(_variant_text(one, folder) for one in shelf.variants)])
    if len(text.encode()) > foreign.PROJECT.most_bytes:
        raise InputError(f"the shelf: {len(text):,} characters: expected {foreign.PROJECT.accepted}")
    return text


@functools.lru_cache(maxsize=512)  # a shelf is written at every change, and of all variants one has changed
def _variant_text(one: Variant, folder: Path | None) -> str:
    import tomli_w  # here, so that projects are read without it

    scene = imports.packed(one.scene) if folder is None else imports.named_from(one.scene, folder)
    table = {"id": one.id, "name": one.name, "star": one.star, "scene": recipe.differing(scene)}
    return tomli_w.dumps({"variants": [table]})


def from_text(text: str, source: str, folder: Path) -> tuple[Shelf, list[str]]:
    """Return the shelf of a project that lies in `folder`, and notices; `InputError` names `source` and what is wrong.

    Its files are not looked for: that is done when a variant is shown.
    """
    data = recipe.parsed(text, source, foreign.PROJECT)
    for step in range(version_of(data, "project", VERSION, foreign.PROJECT, source), VERSION):
        data = _MIGRATIONS[step](data)
    require_known(source, data, _KEYS)
    variants, notices = each_with_scene(data, "variants", _VARIANT_KEYS, _variant, source, folder)
    try:
        return Shelf(variants), notices
    except InputError as fault:
        raise InputError(f"{source}: {fault}") from None


def _variant(scene: Scene, id: str = "", name: str = "", star: bool = False) -> Variant:
    return Variant(id, name, scene, star)


def is_project(path: Path) -> bool:
    """Return whether the file at `path` is a project and no scene; `InputError` where it cannot be read."""
    if path.suffix.lower() != SUFFIX:
        return False
    head, _, _ = foreign.text(path, foreign.PROJECT).partition("[")
    return _HEAD.search(head) is not None


def load(path: Path) -> Project:
    """Return the project in the file at `path`; `InputError` names what is wrong with it."""
    shelf, notices = from_text(foreign.text(path, foreign.PROJECT), str(path), path.absolute().parent)
    return Project(shelf, tuple(notices), load_thumbnails(thumbnails_folder(path), shelf))


def save(path: Path, shelf: Shelf, thumbnails: Mapping[str, Pixels]) -> None:
    """Write `shelf` and its `thumbnails` by id to `path`; `InputError` where that cannot be."""
    if path.suffix.lower() != SUFFIX:
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected {SUFFIX}")
    text = to_text(shelf, path.absolute().parent)
    keep_thumbnails(thumbnails_folder(path), shelf, thumbnails)
    write_text(path, text)


# -- thumbnails ------------------------------------------------------------------------------------------------------


def thumbnails_folder(path: Path) -> Path:
    """Return the folder of thumbnails of the project at `path`."""
    return path.with_name(f"{path.stem}-thumbnails")


def load_thumbnails(folder: Path, shelf: Shelf) -> dict[str, Pixels]:
    """Return the thumbnails in `folder` that are whole, by the id of the variant."""
    found = {}
    for one in shelf.variants:
        with contextlib.suppress(InputError):
            image = foreign.picture(folder / f"{one.id}.png", _THUMBNAIL)
            found[one.id] = np.asarray(image.convert("RGB"))
    return found


def keep_thumbnails(folder: Path, shelf: Shelf, thumbnails: Mapping[str, Pixels]) -> None:
    """Write `thumbnails` by id into `folder`, and remove those of variants that are not on `shelf` any more.

    Nothing else there is touched. `InputError` where one cannot be written.
    """
    from PIL import Image

    for id, pixels in thumbnails.items():
        with writing(folder / f"{id}.png", durable=False) as file:
            Image.fromarray(np.ascontiguousarray(pixels[..., :3])).save(file, "PNG")
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _NAME.fullmatch(path.name) and not shelf.has(path.stem):
                path.unlink()
