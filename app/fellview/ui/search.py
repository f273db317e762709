"""Which parameters a person means by a few letters: of their names, keys, sections, choices and tooltips."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from fellview.core import wording
from fellview.core.parameters import Group
from fellview.terrain.landforms import registry
from fellview.ui import landforms


def words(text: str) -> tuple[str, ...]:
    """Return the words that `text` asks for, in small letters; none where nothing is sought."""
    return tuple(_plain(text).split())


def found(group: Group, names: Iterable[str], sought: Sequence[str]) -> list[str]:
    """Return those of the parameters `names` of `group` of which every word of `sought` tells.

    A sought word is one that a word of the parameter's begins with: ``sea`` is not in ``increases``.
    """
    return [name for name in names if _tells(about(group, name), sought)]


def about(group: Group, name: str) -> str:
    """Return all words that are said of the parameter `name`, in small letters, each with a space before it."""
    kind = str(getattr(group, "kind", "")) if group.key in landforms.KEYS else ""
    return _about(type(group), name, kind)  # type: ignore[arg-type]


def means_landforms(sought: Sequence[str]) -> bool:
    """Return whether every word of `sought` tells of the section of all landforms: its title, or what may be added."""
    return _tells(_about_landforms(), sought)


def _tells(about: str, sought: Sequence[str]) -> bool:
    return all(f" {word}" in about for word in sought)


def _plain(text: str) -> str:
    """Return `text` as small letters and digits with spaces between them."""
    return re.sub(r"[\W_]+", " ", text.lower())


@functools.cache  # asked of every parameter in every frame as long as something is sought
def _about(group: type[Group], name: str, kind: str) -> str:
    declared = group.declaration(name)
    options = " ".join(wording.spoken(option) for option in declared.options)
    key = f"{group.key}.{name}"
    return _plain(f" {group.title} {kind} {declared.label} {key} {options} {declared.tip}")


@functools.cache
def _about_landforms() -> str:
    kinds = " ".join(f"{wording.spoken(kind)} {registry.get(kind).tip}" for kind in registry.names())
    return _plain(f" {landforms.TITLE} add {kinds}")
