"""A film as a readable TOML file.

    film = 1                        # the format's version
    kind = "flight"                 # the name of a motion, whose table follows
    scene = "valley.toml"           # whatever a command takes for a scene; files lie beside this one
    set = { "sun.elevation" = 12 }  # changes to it
    frames = 240
    rate = 24
    samples = 4
    size = "1280x720"

    [flight]
    look_ahead = 200

`sweep` has parameters and lists of their values, `morph` the scene that it goes `to`; `erosion` has nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fellview.core import foreign
from fellview.core.errors import InputError, named, quoted
from fellview.core.parameters import Group
from fellview.io import atomic, imports, scenes, short_texts
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.studio.films import sweep
from fellview.studio.films.day import Day
from fellview.studio.films.film import Film, Motion, Timing
from fellview.studio.films.flight import BookmarkFlight
from fellview.studio.films.morph import Morph
from fellview.studio.films.turntable import Turntable
from fellview.view.projection import Size

VERSION = 1

_Read = Callable[[Scene, Mapping[str, Any], "_Scenes"], Motion]
_Scenes = Callable[[Any], Scene]


def _by_group(kind: type[Group]) -> _Read:
    """Return what reads a motion whose table has the parameters of `kind`."""

    def read(scene: Scene, table: Mapping[str, Any], load: _Scenes) -> Motion:
        for name in table:
            kind.declaration(name)
        motion: Any = kind(**table)
        return motion  # type: ignore[no-any-return]

    return read


def _morph(scene: Scene, table: Mapping[str, Any], load: _Scenes) -> Motion:
    _require_known(table, ("to",), "morph.")
    if "to" not in table:
        raise InputError("morph.to: is not there; expected the other scene, as what a command takes for one")
    return Morph(load(table["to"]))


def _erosion(scene: Scene, table: Mapping[str, Any], load: _Scenes) -> Motion:
    _require_known(table, (), "erosion.")
    return sweep.growing_erosion(scene)


KINDS: Mapping[str, _Read] = {
    "turntable": _by_group(Turntable),
    "flight": _by_group(BookmarkFlight),
    "day": _by_group(Day),
    "sweep": lambda scene, table, load: sweep.from_table(scene, table),
    "morph": _morph,
    "erosion": _erosion,
}
"""What reads each kind of motion from its table, by name."""


def kind_of(film: Film) -> str:
    """Return the name of the kind of motion that `film` has."""
    motion = film.motion
    if isinstance(motion, Group):
        return motion.key
    if isinstance(motion, Morph):
        return "morph"
    with contextlib.suppress(InputError):
        if motion == sweep.growing_erosion(film.scene):
            return "erosion"
    return "sweep"


_KEYS = ("film", "kind", "scene", "set", "size", *Timing.declarations())


def save(path: Path, film: Film) -> None:
    """Write `film` to the .toml file `path`, and the recipes of its scenes beside it, all together.

    `InputError` where one cannot be written.
    """
    if path.suffix.lower() != ".toml":
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected .toml")
    atomic.write_texts(texts(path, film))


def texts(path: Path, film: Film) -> dict[Path, str]:
    """Return what `film` is written as, by file: `path`, and beside it a recipe for each of its scenes.

    They are called as it is, with `-scene` and `-to` behind.
    """
    import tomli_w  # here, so that films are read without it

    kind, motion = kind_of(film), film.motion
    beside = {"scene": film.scene} | ({"to": motion.to} if isinstance(motion, Morph) else {})
    paths = {word: path.with_name(f"{path.stem}-{word}.toml") for word in beside}
    head: dict[str, Any] = {"film": VERSION, "kind": kind, "scene": paths["scene"].name}
    head |= film.timing.values() | {"size": f"{film.size[0]}x{film.size[1]}"}
    if motion.frames(film.scene, film.timing.rate) is not None:
        del head["frames"]  # the speed makes them
    if isinstance(motion, Group):
        head[kind] = motion.values()
    elif isinstance(motion, Morph):
        head[kind] = {"to": paths["to"].name}
    elif isinstance(motion, sweep.Sweep) and kind == "sweep":
        head[kind] = {key: list(several) for key, several in motion.values.items()}
    return {paths[word]: scenes.to_text(scene, path.parent) for word, scene in beside.items()} | {
        path: tomli_w.dumps(head)
    }


def load(path: Path) -> tuple[Film, list[str]]:
    """Return the film in the file at `path`, and notices; `InputError` names what is wrong with it."""
    return from_text(foreign.text(path, foreign.FILM), str(path), path.absolute().parent)


def from_text(text: str, source: str, folder: Path) -> tuple[Film, list[str]]:
    """Return the film of a text that lies in `folder`, and notices; `InputError` names `source`."""
    data = recipe.parsed(text, source, foreign.FILM)
    notices: list[str] = []

    def scene_of(value: Any) -> Scene:
        scene, told = _scene(value, folder)
        notices.extend(told)
        return scene

    try:
        return _film(data, scene_of, folder), notices
    except InputError as fault:
        raise InputError(f"{source}: {fault}") from None


def _film(data: Mapping[str, Any], scene_of: _Scenes, folder: Path) -> Film:
    if "film" not in data:
        raise InputError(f"not {foreign.FILM.name}: expected film = {VERSION} in it")
    if data["film"] != VERSION or isinstance(data["film"], bool):
        raise InputError(f"film = {quoted(data['film'])}: expected {VERSION}; a newer Fellview wrote it?")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise InputError(f"kind = {quoted(kind)}: expected one of {', '.join(KINDS)}")
    _require_known(data, (*_KEYS, kind))
    table, changes = (data.get(key, {}) for key in (kind, "set"))
    for key, value in ((kind, table), ("set", changes)):
        if not isinstance(value, dict):
            raise InputError(f"{key} = {quoted(value)}: expected a table")
    scene, told = imports.found(scene_of(data.get("scene", scenes.OPENING_PRESET)).replace(changes), folder)
    if told:
        raise InputError(told[0])
    motion = KINDS[kind](scene, table, scene_of)
    timing = Timing(**{key: value for key, value in data.items() if key in Timing.declarations()})
    by_speed = motion.frames(scene, timing.rate)
    if by_speed is not None:
        if "frames" in data:
            raise InputError(f"frames = {quoted(data['frames'])}: is not taken with a speed, which makes {by_speed:,}")
        timing = timing.replace(frames=by_speed)
    return Film(scene, motion, timing, size_of(data.get("size", "1280x720")))


def _scene(value: Any, folder: Path) -> tuple[Scene, list[str]]:
    """Return the scene that `value` names, and notices; a file of that name in `folder` comes before one elsewhere."""
    if not isinstance(value, str):
        raise InputError(f"scene = {quoted(value)}: expected what a command takes for a scene, as a text")
    if value in scenes.presets() or short_texts.is_short(value):
        return scenes.load_with_notices(value)
    return scenes.load_with_notices(folder / value)


def size_of(value: Any) -> Size:
    """Return the width and height in pixels that `value` names; `InputError` where it is no such text."""
    sides = value.lower().split("x") if isinstance(value, str) else []
    if len(sides) != 2 or not all(one.isascii() and one.isdigit() for one in sides):
        raise InputError(f"size = {quoted(value)}: expected WIDTHxHEIGHT in pixels, such as 1280x720")
    width, height = (int(one[:7]) for one in sides)
    return width, height


def _require_known(table: Mapping[str, Any], keys: tuple[str, ...], before: str = "") -> None:
    for key in table:
        if key not in keys:
            raise InputError(f"{before}{named(key)}: no such key; expected {', '.join(keys) or 'none'}")
