"""What the readers of TOML files of the studio share: the format's version, lists of scenes, and known keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from fellview.core.errors import InputError, named, quoted
from fellview.core.foreign import Kind
from fellview.io import imports
from fellview.scene import recipe

_Made = TypeVar("_Made")


def version_of(data: Mapping[str, Any], key: str, newest: int, kind: Kind, source: str) -> int:
    """Return the version that stands at `key`; `InputError` names `source` where it is none up to the `newest`."""
    if key not in data:
        raise InputError(f"{source}: not {kind.name}: expected {key} = 1 to {newest} in it")
    written = data[key]
    if not isinstance(written, int) or isinstance(written, bool) or not 1 <= written <= newest:
        raise InputError(f"{source}: {key} = {quoted(written)}: expected 1 to {newest}; a newer Fellview wrote it?")
    return written


def each_with_scene(
    data: Mapping[str, Any], key: str, keys: tuple[str, ...], make: Callable[..., _Made], source: str, folder: Path
) -> tuple[tuple[_Made, ...], list[str]]:
    """Return what `make` makes of each table of the list at `key`, and notices.

    Each has the recipe of a whole scene, whose files are named from `folder`, and others of `keys`, all of which `make`
    gets by name. `InputError` names `source`, the number of the table and what is wrong with it.
    """
    tables = data.get(key, [])
    if not isinstance(tables, list):
        raise InputError(f"{source}: {key} = {quoted(tables)}: expected a list of tables")
    notices: list[str] = []
    made = []
    for number, table in enumerate(tables, start=1):
        where = f"{source}: {key.removesuffix('s')} {number}"
        if not isinstance(table, dict) or not isinstance(table.get("scene"), dict):
            raise InputError(f"{where}: expected a table with {', '.join(keys)}")
        require_known(where, table, keys)
        scene, told = recipe.from_data(table["scene"], where)
        scene, more = imports.placed(scene, folder)
        try:
            made.append(make(**{**table, "scene": scene}))
        except InputError as fault:
            raise InputError(f"{where}: {fault}") from None
        notices += told + more
    return tuple(made), notices


def require_known(source: str, table: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    """Raise `InputError`, which names `source`, where `table` has another key."""
    for key in table:
        if key not in keys:
            raise InputError(f"{source}: {named(key)}: no such key; expected {', '.join(keys)}")
