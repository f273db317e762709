"""Scenes by name or file: presets, recipe files and pictures."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

from fellview import paths
from fellview.core import foreign
from fellview.core.errors import InputError, named, quoted
from fellview.heightmaps import registry
from fellview.io import carried, imports, pictures, short_texts
from fellview.io.atomic import write_text
from fellview.scene import recipe
from fellview.scene.scene import Scene

OPENING_PRESET = "alpine-range"
"""The scene that the app opens with."""

MEASURED = paths.assets() / "rugged-upland.toml"
"""The scene that benchmarks measure; it stays as it is, whatever becomes of the presets."""


@functools.cache
def presets() -> tuple[str, ...]:
    """Return the names of all presets."""
    return tuple(sorted(path.stem for path in (paths.assets() / "presets").glob("*.toml")))


@functools.cache
def titles() -> dict[str, str]:
    """Return what each preset calls itself, by name."""
    folder = paths.assets() / "presets"  # ours, and held by tests: only their names are wanted, above the first table
    heads = {name: (folder / f"{name}.toml").read_text(encoding="utf-8").partition("\n[")[0] for name in presets()}
    return {name: tomllib.loads(head)["name"] for name, head in heads.items()}


def load(source: str | Path) -> Scene:
    """Return the scene of a preset's name, a .toml file, a picture that Fellview saved, a height map, or a short text.

    `InputError` names what is wrong with it.
    """
    return load_with_notices(source)[0]


def load_with_notices(source: str | Path) -> tuple[Scene, list[str]]:
    """Return the scene and notices for the person who opens it."""
    if short_texts.is_short(str(source)):
        return from_text(str(source), "short text", Path.cwd())
    path = Path(source)
    if str(source) in presets():
        path = paths.assets() / "presets" / f"{source}.toml"
    if is_height_map(path):
        try:
            return imports.opened(load(OPENING_PRESET), path)
        except InputError as fault:
            if path.suffix.lower() == ".png":
                raise InputError(f"{fault}, or a picture that Fellview saved, with its recipe") from None
            raise
    if path.suffix.lower() == ".png":
        return from_text(pictures.read_recipe(path), str(path), path.parent)
    if path.suffix.lower() != ".toml":
        told = named(str(source)) or quoted("")
        raise InputError(
            f"{told}: no such scene; expected a .toml file, a picture that Fellview saved, a height map, a short text,"
            f" or a preset: {', '.join(presets())}"
        )
    return from_text(foreign.text(path, foreign.RECIPE), str(path), path.parent)


def is_height_map(path: Path) -> bool:
    """Return whether a file of the name `path` is read as heights: by its suffix, and a picture that has no recipe."""
    suffix = path.suffix.lower()
    return suffix in registry.READ_SUFFIXES and not (suffix == ".png" and pictures.has_recipe(path))


def from_text(text: str, source: str, folder: Path) -> tuple[Scene, list[str]]:
    """Return the scene of a recipe that lies in `folder`, or of a short text, and notices.

    `InputError` names `source`.
    """
    is_short = short_texts.is_short(text)
    scene, notices = short_texts.from_text(text) if is_short else recipe.from_text(text, source)
    scene, more = imports.found(scene, folder)
    return scene, notices + [f"{text}; the scene opens without it" for text in more]


def to_text(scene: Scene, folder: Path, shared: bool = False) -> str:
    """Return the recipe of `scene` as it is written into a file in `folder`.

    In what is `shared`, where nobody sees it, it tells no path that leads out of there.
    """
    return recipe.to_text(imports.named_from(scene, folder, shared))


def to_clipboard(scene: Scene) -> tuple[str, str]:
    """Return the recipe of `scene` as it is copied, and a line for a person on what goes with it.

    It names its files by their whole paths, since it lies in no folder.
    """
    text, land = recipe.to_text(imports.packed(scene)), scene.imported
    copied = "The recipe is on the clipboard"
    if not land.enabled:
        return text, copied
    name = Path(land.path).name
    if left_out := carried.left_out(land):
        return text, left_out
    if land.carried:
        return text, f"{copied}, with {name} inside"
    return (
        text,
        f"{copied}; it names {land.path} and has it not inside, unless Height map, More, In the recipe is on",
    )


def save(path: Path, scene: Scene) -> None:
    """Write `scene` to the .toml file `path`."""
    if path.suffix.lower() != ".toml":
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected .toml")
    write_text(path, to_text(scene, path.parent))
