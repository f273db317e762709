"""Lists of shots: every variant of a scene from every camera, under every sun, in every view, a picture each.

    shots = 1                       # the format's version
    scene = "highlands"             # a preset, a recipe, a saved picture, a height map from here, or a short text
    size = "1920x1080"
    samples = 16
    transparent = false
    passes = ["depth"]              # beside each picture
    name = "{scene}-{camera}-{sun}-{number}"

    [[variants]]                    # each changes parameters, or has a scene of its own
    name = "rough"
    noise.seed = 7
    noise.gain = 0.6

    [[cameras]]
    name = "valley"
    bookmark = 1                    # the scene's; or the camera's parameters: x, y, z, yaw, ...

    [[suns]]
    name = "dawn"
    azimuth = 80
    elevation = 6

    [[views]]
    name = "slopes"
    mode = "slope"

What is left out is as the scene has it. Pictures are PNG files, since these tell what they are of: one that is there
already and is the shot is left alone, and no other file is replaced.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fellview.batch.batch import InProcess, Stream
from fellview.capture import capture, land_renderer
from fellview.capture import shot as shots
from fellview.capture.shot import Shot, Taken
from fellview.core import foreign
from fellview.core.errors import FellviewError, InputError, named, one_line, quoted
from fellview.core.parameters import is_text
from fellview.io import imports, pictures, scenes, short_texts
from fellview.scene import recipe
from fellview.scene.bookmarks import numbered
from fellview.scene.scene import Scene
from fellview.studio.shots import AXES, VERSION, Entry, Shots, Take

MOST = 2000
"""Pictures of a list: of a second each they take half an hour."""

_KEYS = ("shots", "scene", "size", "samples", "transparent", "passes", "name", *AXES)
_PLACEHOLDERS = ("{variant}", "{camera}", "{sun}", "{view}")
_LONGEST_NAME = 40  # characters of an entry's
_LONGEST_FILE = 200  # bytes; a file's name may have 255, and that of a pass is longer
_SUFFIX = ".png"


@dataclass(frozen=True)
class Listed:
    """One shot of a list: what is drawn, how, and the file that it goes into."""

    path: Path
    scene: Scene
    shot: Shot

    @property
    def recipe(self) -> str:
        """What the picture carries."""
        return scenes.to_text(self.scene, self.path.parent, shared=True)

    def is_taken(self) -> bool:
        """Return whether it is there; `InputError` names a file in its place that is something else."""
        files = shots.files(self.path, self.shot)
        there = [path for path in files if os.path.lexists(path)]
        if there and not self._is_this():
            raise InputError(f"{there[0]}: is there already, and is something else: it is not replaced")
        return there == list(files)  # the picture comes first: passes may lack where an end came in between

    def _is_this(self) -> bool:
        """Return whether the picture is there and is the shot, whatever passes lie beside it."""
        try:
            found = recipe.from_text(pictures.read_recipe(self.path), str(self.path))
            taken = replace(shots.taken(self.path), passes=self.shot.passes)
        except InputError:
            return False
        return taken == self.shot and found == recipe.from_text(self.recipe)


def load(path: Path, folder: Path) -> tuple[list[Listed], list[str]]:
    """Return the shots of the list in the file at `path`, whose pictures go into `folder`, and notices.

    Those of one land follow each other. `InputError` names what is wrong; shots are counted before any is made.
    """
    data = recipe.parsed(foreign.text(path, foreign.SHOTS), str(path), foreign.SHOTS)
    try:
        return _listed(data, path.absolute().parent, folder)
    except InputError as fault:
        raise InputError(f"{path}: {fault}") from None


def require(shots: Shots) -> None:
    """Raise `InputError` where pictures cannot be taken so, or are too many."""
    _shot(shots.taken)
    _name(shots.taken)
    _require_count(shots.count)


def _require_count(count: int) -> None:
    if count > MOST:
        raise InputError(f"{count:,} shots: expected at most {MOST:,}")


def opened(path: Path) -> tuple[Scene, Shots, list[str]]:
    """Return the scene and the shots of the list in the file at `path`, and notices, to be changed in a window.

    `InputError` names what is wrong, as `load` does.
    """
    _, notices = load(path, path.parent)
    data = recipe.parsed(foreign.text(path, foreign.SHOTS), str(path), foreign.SHOTS)
    beside = path.absolute().parent

    def entry(table: Mapping[str, Any]) -> Entry:
        values = {key: value for key, value in table.items() if key not in ("name", "scene")}
        own = _scene_of(table["scene"], beside)[0] if "scene" in table else None
        return Entry(str(table.get("name", "")), values, own)

    entries = {axis: tuple(map(entry, _entries(data, axis))) if axis in data else () for axis in AXES}
    shot = _shot(data)
    take = Take(
        "x".join(map(str, shot.size)),
        shot.samples,
        shot.transparent,
        ", ".join(shot.passes),
        _text(data, "name", Take().name),
    )
    return _scene_of(_text(data, "scene", scenes.OPENING_PRESET), beside)[0], Shots(take, entries), notices


def _scene_of(source: str, beside: Path) -> tuple[Scene, list[str]]:
    """Return the scene that `source` names, a file of which is looked for from the folder `beside`; and notices."""
    here = source in scenes.presets() or short_texts.is_short(source)
    return scenes.load_with_notices(source if here else beside / source)


def _listed(data: Mapping[str, Any], beside: Path, folder: Path) -> tuple[list[Listed], list[str]]:
    if data.get("shots") != VERSION or isinstance(data["shots"], bool):
        raise InputError(f"shots = {quoted(data.get('shots'))}: expected {VERSION}, the version of lists of shots")
    for key in data:
        if key not in _KEYS:
            raise InputError(f"{named(key)}: no such key; expected {', '.join(_KEYS)}")
    axes = [_entries(data, axis) for axis in AXES]
    _require_count(math.prod(map(len, axes)))
    shot, name = _shot(data), _name(data)
    sources: dict[str, Scene] = {}
    notices: list[str] = []

    def scene_of(source: str) -> Scene:
        if source not in sources:
            sources[source], told = _scene_of(source, beside)
            notices.extend(told)
        return sources[source]

    found: dict[Path, Listed] = {}
    usual = _text(data, "scene", scenes.OPENING_PRESET)
    for number, entries in enumerate(itertools.product(*axes), start=1):
        scene = scene_of(entries[0].get("scene", usual))
        for (axis, group), entry in zip(AXES.items(), entries, strict=True):
            scene = _changed(scene, axis, group, entry, beside)
        words = dict(zip(_PLACEHOLDERS, (entry.get("name", "") for entry in entries), strict=True))
        path = folder / capture.filled(name, scene, shot.size, number, words)
        if len(path.name.encode()) > _LONGEST_FILE:
            raise InputError(f"name = {quoted(name)}: {quoted(path.name)}: expected at most {_LONGEST_FILE} bytes")
        if path in found:
            raise InputError(f"name = {quoted(name)}: two shots would be {path.name}; expected {{number}} in it")
        found[path] = Listed(path, scene, shot)
    return list(found.values()), notices


def _entries(data: Mapping[str, Any], axis: str) -> list[dict[str, Any]]:
    """Return the entries of an axis, one without changes where it has none; `InputError` where they are none."""
    entries = data.get(axis, [{}])
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f"{axis} = {quoted(entries)}: expected at least one [[{axis}]]")
    for number, entry in enumerate(entries, start=1):
        for key, longest in (("name", _LONGEST_NAME), ("scene", foreign.SHOTS.most_bytes)):
            if key in entry and not is_text(entry[key], longest):
                told = f"expected a text of at most {longest:,} characters"
                raise InputError(f"{axis} {number}: {key} = {quoted(entry[key])}: {told}")
    return [{"name": str(number), **entry} if axis in data else entry for number, entry in enumerate(entries, start=1)]


def _changed(scene: Scene, axis: str, group: str, entry: Mapping[str, Any], beside: Path) -> Scene:
    """Return `scene` with what an `entry` of an axis changes of a `group`, or of all where that is ""."""
    own = {key: value for key, value in entry.items() if key != "name" and not (key == "scene" and not group)}
    bookmark = own.pop("bookmark", None) if group == "camera" else None
    if bookmark is not None:
        kept = numbered(scene.bookmarks, bookmark)
        if kept is None:
            told = ", ".join(str(one.number) for one in scene.bookmarks) or "none, for the scene has none"
            raise InputError(f"{axis}: bookmark = {quoted(bookmark)}: expected {told}")
        scene = scene.with_group(kept.camera)
    changes = {}
    for key, value in ({group: own} if group else own).items():
        if not isinstance(value, dict):
            raise InputError(f"{axis}: {named(key)} = {quoted(value)}: expected group.name = value")
        changes.update({f"{key}.{name}": one for name, one in value.items()})
    notices: list[str] = []
    try:
        scene = scene.replace(changes)
        if "imported" in own:
            scene, notices = imports.found(scene, beside)
    except InputError as fault:
        raise InputError(f"{axis}: {fault}") from None
    if notices:
        raise InputError(f"{axis}: {notices[0]}")
    return scene


def _shot(data: Mapping[str, Any]) -> Shot:
    samples, passes = data.get("samples", Shot.samples), data.get("passes", [])
    transparent = data.get("transparent", Shot.transparent)
    if type(samples) is not int:
        raise InputError(f"samples = {quoted(samples)}: expected a whole number")
    if type(transparent) is not bool:
        raise InputError(f"transparent = {quoted(transparent)}: expected true or false")
    if not isinstance(passes, list) or not all(isinstance(each, str) for each in passes):
        raise InputError(f"passes = {quoted(passes)}: expected a list of names")
    size = capture.size_of(_text(data, "size", "x".join(map(str, Shot.size))))
    shot = Shot(size, samples, transparent, tuple(passes))
    shot.require()
    return shot


def _name(data: Mapping[str, Any]) -> str:
    """Return what files are called, with placeholders in it."""
    name = _text(data, "name", Take().name)
    if Path(name).name != name or not name.isprintable():
        raise InputError(f"name = {quoted(name)}: expected a file's name, without its folder")
    return name + _SUFFIX


def _text(data: Mapping[str, Any], key: str, usual: str) -> str:
    value = data.get(key, usual)
    if not is_text(value, foreign.SHOTS.most_bytes) or not value:
        raise InputError(f"{key} = {quoted(value)}: expected a text")
    return str(value)


# -- taking ------------------------------------------------------------------------------------------------------------


def take(listed: list[Listed], engine: str, batch: Stream) -> Iterator[Taken]:
    """Have `batch` take the shots of a list, and yield what has become of each: those that are there come first.

    What fails ends no other. Whoever takes a shot writes its files.
    """
    wanted = []
    for one in listed:
        try:
            if one.is_taken():
                yield Taken(shots.files(one.path, one.shot))
            else:
                shots.require_files(one.path, one.shot)
                wanted.append((one, engine))
        except InputError as fault:
            yield Taken(failed=str(fault))
    if not wanted:
        return
    if not isinstance(batch, InProcess):
        yield from (taken for _, taken in batch.each(_take_anywhere, wanted))
        return
    with land_renderer.opened(engine) as tools:  # which ends with the list
        yield from (taken for _, taken in batch.each(lambda one: _take(tools, one[0]), wanted))


def _take_anywhere(wanted: tuple[Listed, str]) -> Taken:
    """Take a shot by the engine that is given with it, in this process."""
    return _take(land_renderer.kept(wanted[1]), wanted[0])


def _take(tools: land_renderer.LandRenderer, one: Listed) -> Taken:
    notices: list[str] = []
    try:
        field = tools.land(one.scene)
        if one.is_taken():  # by someone else, in the time since
            return Taken(shots.files(one.path, one.shot))
        files = tools.taker.take(one.path, one.scene, field, one.shot, notice=notices.append)
    except FellviewError as fault:
        return Taken(failed=_naming(one.path, str(fault)))
    except MemoryError:
        return Taken(failed=_naming(one.path, "takes more memory than there is; expected a smaller one"))
    except Exception as fault:  # nobody foresaw it: the others go on all the same
        return Taken(failed=_naming(one.path, f"{type(fault).__name__}: {one_line(str(fault))}"))
    return Taken(files, notices=(*tools.take_notices(), *notices))


def _naming(path: Path, why: str) -> str:
    return why if str(path) in why else f"{path}: {why}"
