"""A scene as text (TOML) and back, through every version that was ever written.

A recipe carries its format `version`, the `fellview` version that wrote it and the `revisions` of the terrain steps.
A reader takes older formats through `_MIGRATIONS`, one version at a time; keys that are missing have their defaults.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

from fellview import version
from fellview.core import foreign
from fellview.core.errors import InputError, named, quoted
from fellview.core.parameters import TEXT, Group, is_text
from fellview.scene.bookmarks import MOST, Bookmark, Bookmarks, numbered, with_bookmark
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import STEPS

VERSION = 1

_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""By version: what turns a recipe of that version into one of the next."""

_DEEPEST = 16
"""Most parts of a key and most brackets in each other; a parameter's has two, and lies in none."""

# Strings, whole or up to where they break off, and comments: what stands in them is no key and no bracket.
_SAID = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*"?|'
    r"'''.*?(?:'''|\Z)|'[^'\n]*'?|#[^\n]*",
    re.DOTALL,
)

_HEADER = ("version", "fellview", "name", "sentence", "revisions", "bookmarks")


def to_text(scene: Scene) -> str:
    """Return `scene` as TOML; reading it back gives an equal scene."""
    import tomli_w  # here, so that scenes are read without it

    header = {"version": VERSION, "fellview": version.VERSION, "name": scene.name, "sentence": scene.sentence}
    revisions = {"revisions": {step.key: step.revision for step in STEPS}}
    groups = {key: group.values() for key, group in scene.groups().items()}
    return tomli_w.dumps(header | groups | revisions | _bookmark_tables(scene))


def from_text(text: str, source: str = "recipe") -> tuple[Scene, list[str]]:
    """Return the scene that `text` stands for, and notices for the person who opens it.

    `InputError` names `source` and what in it is wrong, or that there is nothing in it, as in a file that was cut off
    or on an empty clipboard. A notice tells that a step has changed since the recipe was written, so that the heights
    differ from the ones it was saved with.
    """
    data = parsed(text, source)
    if not data:
        raise InputError(f"{source}: nothing in it; expected a recipe")
    return from_data(data, source)


def from_data(data: dict[str, Any], source: str) -> tuple[Scene, list[str]]:
    """Return the scene that the tables `data` of a recipe stand for, and notices; `InputError` names `source`."""
    written = data.get("version", VERSION)
    if not isinstance(written, int) or isinstance(written, bool) or not 1 <= written <= VERSION:
        raise InputError(f"{source}: version = {quoted(written)}: expected 1 to {VERSION}; a newer Fellview wrote it?")
    for step in range(written, VERSION):
        data = _MIGRATIONS[step](data)
    try:
        scene = _scene(data)
    except InputError as fault:
        raise InputError(f"{source}: {fault}") from None
    return scene, _changed_steps(scene, data.get("revisions", {}), source)


def differing(scene: Scene) -> dict[str, Any]:
    """Return the tables of `scene` with what differs from the defaults alone, which is short and easily read.

    `from_data` gives an equal scene: whoever changes a default gives it another version.
    """
    header = {"version": VERSION, "name": scene.name, "sentence": scene.sentence}
    groups, tables = scene.groups(), {}
    for key, usual in Scene().groups().items():
        if changed := _changed(groups[key], usual):
            tables[key] = changed
    revisions = {step.key: step.revision for step in STEPS if step.active(groups[step.key])}
    return header | tables | {"revisions": revisions} | _bookmark_tables(scene)


def parsed(text: str, source: str, kind: foreign.Kind = foreign.RECIPE) -> dict[str, Any]:
    """Return the recipe as the tables it has; `InputError` where it has none, or more than a recipe can.

    `kind` is another one where the text is of more than a recipe. The reader of TOML takes minutes for a key of
    thousands of parts and calls itself for every bracket.
    """
    if len(text) > kind.most_bytes:
        raise InputError(f"{source}: {len(text):,} characters: expected {kind.accepted}")
    plain = _SAID.sub("_", text)
    parts = 1 + max(each.count(".") for each in re.split(r"[^\w\-. \t]+", plain))
    if max(parts, _nesting(plain)) > _DEEPEST:
        what = f"a key of {parts:,} parts" if parts > _DEEPEST else f"brackets {_nesting(plain):,} deep"
        raise InputError(f"{source}: not {kind.name} in TOML: {what}: expected at most {_DEEPEST}")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise InputError(f"{source}: not {kind.name} in TOML: {fault}") from None
    except ValueError:
        raise InputError(f"{source}: not {kind.name} in TOML: a number of thousands of digits") from None


def _nesting(plain: str) -> int:
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", plain):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _scene(data: dict[str, Any]) -> Scene:
    changes = {}
    for key, group in data.items():
        if key in _HEADER:
            continue
        if not isinstance(group, dict):
            raise InputError(f"{named(key)}: no such key; expected a [group] of parameters")
        changes.update({f"{key}.{name}": value for name, value in group.items()})
        if not group:
            Scene().find(f"{key}.")  # an empty group is refused by name like any other that does not exist
    texts = {}
    for key in ("name", "sentence"):
        if key in data:
            if not is_text(data[key]):
                raise InputError(f"{key} = {quoted(data[key])}: expected {TEXT}")
            texts[key] = data[key]
    return Scene(**texts, bookmarks=_bookmarks(data.get("bookmarks", []))).replace(changes)


def _changed(group: Group, usual: Group) -> dict[str, Any]:
    """Return the values of `group` that are not those of `usual`."""
    return {name: value for name, value in group.values().items() if value != getattr(usual, name)}


def _bookmark_tables(scene: Scene) -> dict[str, Any]:
    """Return what a recipe has of bookmarks: nothing without any; of each camera what differs from the defaults."""
    tables = [{"number": one.number, "name": one.name} | _changed(one.camera, Camera()) for one in scene.bookmarks]
    return {"bookmarks": tables} if tables else {}


def _bookmarks(tables: Any) -> Bookmarks:
    """Return the bookmarks that the `tables` of a recipe stand for."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables) or len(tables) > MOST:
        raise InputError(f"bookmarks = {quoted(tables)}: expected at most {MOST} [[bookmarks]]")
    found: Bookmarks = ()
    for table in tables:
        values = {key: value for key, value in table.items() if key not in ("number", "name")}
        for key in values:
            Camera.declaration(key)
        bookmark = Bookmark(table.get("number", 0), table.get("name", ""), Camera(**values))
        if numbered(found, bookmark.number):
            raise InputError(f"bookmark number = {bookmark.number}: expected each number once")
        found = with_bookmark(found, bookmark)
    return found


def _changed_steps(scene: Scene, revisions: Any, source: str) -> list[str]:
    if not isinstance(revisions, dict):
        raise InputError(f"{source}: revisions = {quoted(revisions)}: expected a table of step revisions")
    # steps that do nothing in this scene changed nothing
    working = [step for step in STEPS if step.active(getattr(scene, step.key))]
    changed = [step.key for step in working if revisions.get(step.key, step.revision) != step.revision]
    return [f"{source}: {name} has changed since this was saved, so the heights may differ" for name in changed]
