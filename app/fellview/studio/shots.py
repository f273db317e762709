"""What is set of a list of shots: lands, cameras, suns and views that are multiplied; and how each is taken."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from fellview.core.parameters import Group, Value, switch, text, whole
from fellview.io import scenes
from fellview.scene.scene import Scene

VERSION = 1
"""Of the files of lists."""

AXES: Mapping[str, str] = {"variants": "", "cameras": "camera", "suns": "sun", "views": "view"}
"""The lists that are multiplied, and which group of parameters the entries of each are of; variants are of all.

Shots of one variant follow each other, so that its land is computed once.
"""


@dataclass(frozen=True)
class Take(Group):
    """How each picture of a list is taken."""

    key: ClassVar[str] = "take"
    title: ClassVar[str] = "Pictures"

    size: str = text("1920x1080", tip="WIDTHxHEIGHT of a picture in pixels.", longest=11)
    samples: int = whole(16, 1, 256, slider=(1, 64), tip="Low leaves jagged edges, high is smooth and takes long.")
    transparent: bool = switch(
        False, tip="On, there is nothing behind the land, for other pictures to be laid under it."
    )
    passes: str = text(
        "", tip="Such as depth, normal: OpenEXR files beside each picture, with commas between.", empty="none"
    )
    name: str = text(
        "{number}-{scene}-{seed}-{size}",
        tip="What files are called, with {number} {scene} {seed} {size} {variant} {camera} {sun} {view} in it.",
    )


@dataclass(frozen=True)
class Entry:
    """One of a list: its name, the parameters that it changes, and a scene of its own, which only a variant has."""

    name: str
    values: Mapping[str, Any]
    scene: Scene | None = None


@dataclass(frozen=True)
class Shots:
    """The entries of each list, and how pictures are taken; an empty list has what the scene has."""

    take: Take = field(default_factory=Take)
    entries: Mapping[str, tuple[Entry, ...]] = field(default_factory=lambda: dict.fromkeys(AXES, ()))

    def get(self, key: str) -> Value:
        """Return the value of `key`, such as ``take.size``."""
        return getattr(self.take, key.partition(".")[2])  # type: ignore[no-any-return]

    def replace(self, changes: Mapping[str, Value]) -> Shots:
        """Return validated shots with `changes` made, such as ``{"take.samples": 4}``."""
        named = {key.partition(".")[2]: value for key, value in changes.items()}
        return dataclasses.replace(self, take=self.take.replace(**named))

    @property
    def count(self) -> int:
        """How many pictures they are."""
        return math.prod(max(len(several), 1) for several in self.entries.values())

    def with_entry(self, axis: str, added: Entry) -> Shots:
        """Return the shots with one more entry."""
        return dataclasses.replace(self, entries={**self.entries, axis: (*self.entries[axis], added)})

    def without_entry(self, axis: str, number: int) -> Shots:
        """Return the shots without the entry at place `number`."""
        several = self.entries[axis]
        return dataclasses.replace(self, entries={**self.entries, axis: several[:number] + several[number + 1 :]})

    def texts(self, path: Path, scene: Scene) -> dict[Path, str]:
        """Return what the list of `scene` is written as, by file: `path`, and beside it a recipe for each scene.

        They are called as it is, with `-scene` and the variant's number behind.
        """
        import tomli_w  # here, so that lists are read without it

        recipes = {"scene": scene}
        data: dict[str, Any] = {"shots": VERSION, "scene": f"{path.stem}-scene.toml", **self.taken}
        for axis, several in self.entries.items():
            tables = []
            for number, one in enumerate(several, start=1):
                table = {"name": one.name, **one.values}
                if one.scene is not None:
                    recipes[str(number)] = one.scene
                    table["scene"] = f"{path.stem}-{number}.toml"
                tables.append(table)
            data |= {axis: tables} if tables else {}
        files = {path.with_name(f"{path.stem}-{word}.toml"): own for word, own in recipes.items()}
        return {one: scenes.to_text(own, path.parent) for one, own in files.items()} | {path: tomli_w.dumps(data)}

    @property
    def taken(self) -> dict[str, Any]:
        """How pictures are taken, as a list's file has it."""
        take = self.take
        passes = [word.strip() for word in take.passes.split(",") if word.strip()]
        return {**take.values(), "passes": passes}
