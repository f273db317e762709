"""Short texts of scenes: which shipped scene one is told from, and the revisions of those, old ones too.

``assets/presets/kept`` has every revision of every shipped scene as a whole recipe, ``NAME@REVISION.toml``, which is
never changed, so that an old short text opens the land that it was copied from.
"""

from __future__ import annotations

import functools
from pathlib import Path

from fellview import paths
from fellview.core.errors import InputError, quoted
from fellview.scene import recipe, short_text
from fellview.scene.scene import Scene
from fellview.terrain.steps.imported import Imported

is_short = short_text.is_short


def folder() -> Path:
    """Return the folder of all revisions."""
    return paths.assets() / "presets" / "kept"


@functools.cache
def revisions() -> dict[str, int]:
    """Return the newest revision of each shipped scene by its name."""
    found: dict[str, int] = {}
    for path in sorted(folder().glob("*@*.toml")):
        name, _, number = path.stem.rpartition("@")
        found[name] = max(found.get(name, 0), int(number))
    return found


@functools.cache
def kept(name: str, revision: int) -> Scene:
    """Return a revision of the shipped scene `name`; `InputError` says which there are."""
    newest = revisions().get(name)
    if newest is None:
        raise InputError(f"scene {quoted(name)}: no such scene; expected one of {', '.join(revisions())}")
    if not 1 <= revision <= newest:
        raise InputError(f"revision {revision} of {name}: expected 1 to {newest}; a newer Fellview wrote it?")
    path = folder() / f"{name}@{revision}.toml"
    return recipe.from_text(path.read_text(encoding="utf-8"), path.name)[0]


def from_text(text: str) -> tuple[Scene, list[str]]:
    """Return the scene of a short text, and notices; `InputError` where it is damaged, or of a newer Fellview."""
    return short_text.from_text(text, "short text", kept)


def to_text(scene: Scene) -> str:
    """Return `scene` as the shortest of the texts that tell it from a shipped scene.

    What is another's computer's to have is left out: textures of one's own, and a height map that is switched off.
    `InputError` where the land comes from a file, which no short text can hold.
    """
    if scene.imported.enabled:
        name = Path(scene.imported.path).name
        raise InputError(f"imported.path = {quoted(name)}: a short text holds no file; expected a land without one")
    bare = scene.with_group(Imported()).with_group(scene.ground.replace(textures=""))
    texts = [short_text.to_text(bare, name, newest, kept(name, newest)) for name, newest in revisions().items()]
    return min(texts, key=len)
