"""The shelf: lands that a person keeps, in an order of their own. It is a frozen value; a change gives a new one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from fellview.core.errors import InputError, quoted
from fellview.core.parameters import is_text
from fellview.scene.groups.view import View
from fellview.scene.groups.view_modes import DIFFERENCE
from fellview.scene.scene import Scene

MOST = 200
"""How many lands a shelf has room for: four times the fifty that it is measured with."""

LONGEST_NAME = 80
"""Characters: what stands in one line below a thumbnail and in a file's name."""

_LONGEST_STEM = 40  # characters of a file's name, which may have 255 bytes; a character can have four


_ID = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True)
class Variant:
    """A land that is kept: a recipe, what the person calls it, and whether it has a star.

    `id` is eight hexadecimal digits of its own for as long as it is kept, whatever its name and place.
    """

    id: str
    name: str
    scene: Scene
    star: bool = False

    def __post_init__(self) -> None:
        """Raise `InputError` where the id or the name is none."""
        if not isinstance(self.id, str) or not _ID.fullmatch(self.id):
            raise InputError(f"id = {quoted(self.id)}: expected eight digits of 0 to 9 and a to f")
        if not is_text(self.name, LONGEST_NAME) or not self.name:
            raise InputError(
                f"name = {quoted(self.name)}: expected a text in Unicode of 1 to {LONGEST_NAME} characters"
            )
        if not isinstance(self.star, bool):
            raise InputError(f"star = {quoted(self.star)}: expected true or false")


@dataclass(frozen=True)
class Shelf:
    """The variants in the person's order. `InputError` where there are more than `MOST`, or two of one id."""

    variants: tuple[Variant, ...] = ()

    def __post_init__(self) -> None:
        """Raise `InputError` where it cannot be."""
        if len(self.variants) > MOST:
            raise InputError(f"the shelf: {len(self.variants)} lands: expected at most {MOST}")
        if len({one.id for one in self.variants}) < len(self.variants):
            raise InputError("the shelf: two lands of one id: expected one of its own for each")

    def __len__(self) -> int:
        """Return how many lands are kept."""
        return len(self.variants)

    def __getitem__(self, id: str) -> Variant:
        """Return the variant of that id; `KeyError` where there is none."""
        for one in self.variants:
            if one.id == id:
                return one
        raise KeyError(id)

    def place(self, id: str) -> int:
        """Return the place of a variant, 0 for the first; `KeyError` where there is none."""
        return self.variants.index(self[id])

    def has(self, id: str | None) -> bool:
        """Return whether there is a variant of that id."""
        return any(one.id == id for one in self.variants)

    def of(self, scene: Scene) -> Variant | None:
        """Return the variant that is `scene`, however one looks at it; none where it is not kept."""
        return next((one for one in self.variants if not one.scene.changed_since(scene)), None)

    def keep(self, scene: Scene, name: str = "", new_id: Callable[[], str] = lambda: secrets.token_hex(4)) -> Shelf:
        """Return the shelf with `scene` behind the others, under its own name and a number where none is given.

        Its view is the usual one where it shows the difference to another land, which is not kept with it.
        """
        if scene.view.mode == DIFFERENCE:
            scene = scene.with_group(scene.view.replace(mode=View().mode))
        variant = Variant(self._free_id(new_id), name or self.free_name(scene.name), scene)
        return Shelf((*self.variants, variant))

    def duplicate(self, id: str, new_id: Callable[[], str] = lambda: secrets.token_hex(4)) -> Shelf:
        """Return the shelf with a copy of a variant behind it, without a star."""
        one, place = self[id], self.place(id) + 1
        copy = Variant(self._free_id(new_id), self.free_name(_without_number(one.name)), one.scene)
        return Shelf((*self.variants[:place], copy, *self.variants[place:]))

    def rename(self, id: str, name: str) -> Shelf:
        """Return the shelf with a variant called `name`; `InputError` where that is no name."""
        return self._with(replace(self[id], name=name))

    def star(self, id: str, star: bool) -> Shelf:
        """Return the shelf with a variant's star set or taken away."""
        return self._with(replace(self[id], star=star))

    def move(self, id: str, place: int) -> Shelf:
        """Return the shelf with a variant at `place` in the new order, or at the end where there is no such place."""
        others = [one for one in self.variants if one.id != id]
        others.insert(min(max(place, 0), len(others)), self[id])
        return Shelf(tuple(others))

    def delete(self, id: str) -> Shelf:
        """Return the shelf without a variant."""
        gone = self[id]
        return Shelf(tuple(one for one in self.variants if one is not gone))

    def add(self, other: Shelf) -> Shelf:
        """Return the shelf with the variants of `other` behind its own; those that it has already stay as they are."""
        return Shelf((*self.variants, *(one for one in other.variants if not self.has(one.id))))

    def free_name(self, base: str) -> str:
        """Return `base` and the lowest number that is higher than those of such names."""
        base = base[: LONGEST_NAME - 4].strip() or "Land"
        pattern = re.compile(re.escape(base) + r" (\d{1,3})")
        taken = [int(found[1]) for one in self.variants if (found := pattern.fullmatch(one.name))]
        return f"{base} {max(taken, default=0) + 1}"

    def _free_id(self, new_id: Callable[[], str]) -> str:
        while self.has(found := new_id()):
            pass
        return found

    def _with(self, changed: Variant) -> Shelf:
        return Shelf(tuple(changed if one.id == changed.id else one for one in self.variants))


def stems(shelf: Shelf) -> list[str]:
    """Return a file's name without suffix for each variant, in their order: its number and what it is called."""
    digits = len(str(len(shelf)))
    words = [re.sub(r"[\W_]+", "-", one.name.lower()).strip("-") or "land" for one in shelf.variants]
    return [f"{number:0{digits}}-{each[:_LONGEST_STEM]}" for number, each in enumerate(words, start=1)]


def _without_number(name: str) -> str:
    return re.sub(r" \d{1,3}$", "", name)
