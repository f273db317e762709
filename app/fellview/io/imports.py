"""Files that a scene names, height maps and textures: found when a recipe is opened, and named when it is written.

In memory a scene names each file by the whole path; a recipe in a file names it from where that file lies, so that they
can move together.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path, PureWindowsPath

import numpy as np

from fellview.core.errors import InputError
from fellview.heightmaps import height_file, sidecar
from fellview.io import carried
from fellview.scene import recipe
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.steps import imported
from fellview.terrain.steps.imported import Imported

_SNOW_FREE = 0.8  # of the range of heights
_LEAST_SEA = 0.05  # of the cells along a map's edge, which a sea meets broadly and a deep valley hardly
_SEEN_THROUGH = 10.0  # longer sides of a land that air lets through: framed whole, it lies one to two of them away
_WIDEST_RIVER_M = 500.0  # few rivers on Earth cover cells as wide as that, and a river is drawn no narrower than one


def chosen(scene: Scene, path: Path) -> tuple[Scene, list[str]]:
    """Return `scene` with its land out of the file at `path`, and notices; `InputError` where it is none.

    The land is the file's, at its size and on its grid: whatever steps would change it are off. So is its water: what
    Fellview wrote has that of its recipe, of other files those that reach below the sea on Earth have one. The air is
    clear enough to see all of it. A file that is chosen again keeps the water that it has been given.
    """
    return _taken(scene, path, _exported(path))


def _taken(scene: Scene, path: Path, exported: Scene | None) -> tuple[Scene, list[str]]:
    """Return what `chosen` does, `exported` being the scene that the file was written from."""
    grid, before = scene.grid, scene.imported
    changes, remark = imported.described(path.absolute(), (grid.size_z, grid.size_x))
    off = _shaping(scene)
    notices = [f"{path.name}: {remark}"] if remark else []
    try:
        scene = scene.replace(changes | {key: value for key, (_, value) in off.items()})
        if scene.ground.snow_line <= scene.imported.lowest:  # no land is to be all snow for lying higher than another
            scene = scene.replace({"ground.snow_line": _snow_free_m(scene)})
        resized = (scene.grid.size_z, scene.grid.size_x) != (grid.size_z, grid.size_x)
        if resized and scene.camera.mode == "demo":  # which sees nothing beyond 1000 m
            scene = scene.with_group(scene.camera.replace(mode="orbit"))
    except InputError as fault:  # heights or cells beyond what a land may have
        raise InputError(f"{path}: {fault}") from None
    titles = [title for title, _ in off.values()]
    if exported:
        scene = scene.with_group(exported.water)
    elif not (before.enabled and before.path == scene.imported.path):
        water = _water(scene)
        if water.sea:
            notices.append(f"{path.name} lies on Earth and reaches below 0 m: the sea covers what is lower")
        titles += [name.capitalize() for name in sorted(_kinds(scene.water) - _kinds(water))]
        scene = scene.with_group(water)
        through = _SEEN_THROUGH * max(scene.grid.size_z, scene.grid.size_x) / 1000
        scene = scene.with_group(scene.sky.replace(visibility=max(scene.sky.visibility, through)))
    if titles:
        notices.append(f"{path.name} is shown as it is: {', '.join(titles)} off")
    return scene, notices


def _exported(path: Path) -> Scene | None:
    """Return the scene that Fellview wrote the file at `path` from, as its sidecar tells it."""
    if "recipe" not in sidecar.read(path):
        return None
    text = height_file.read_cached(path.absolute(), height_file.digest(path)).recipe
    try:
        scene, _ = recipe.from_text(text, str(sidecar.path_of(path)))
    except InputError:  # the heights are good all the same
        return None
    return scene.with_group(Imported()) if text else None


def _water(scene: Scene) -> Water:
    """Return the water of `scene` as the file has it that its land comes from."""
    kinds = _kinds(scene.water) - {"sea"}
    if min(scene.grid.cell_size) > _WIDEST_RIVER_M:
        kinds -= {"rivers"}
    water = scene.water.replace(sea=False, lakes="lakes" in kinds, rivers="rivers" in kinds)
    return water.replace(enabled=True, sea=True, sea_level=0.0) if _meets_sea(scene.imported) else water


def _kinds(water: Water) -> set[str]:
    """Return which of sea, lakes and rivers there are."""
    return {name for name in ("sea", "lakes", "rivers") if water.enabled and getattr(water, name)}


def _meets_sea(parameters: Imported) -> bool:
    """Return whether the chosen file lies on Earth, and the sea there along its edge.

    Heights of other files count from anywhere, and a hollow below 0 m that no edge cuts is dry.
    """
    file = height_file.read_cached(Path(parameters.path), parameters.sha256)
    if not file.on_earth or not parameters.lowest < 0 < parameters.highest:
        return False
    first, last = file.span
    sea_level = first - parameters.lowest * (last - first) / (parameters.highest - parameters.lowest)
    values = file.values
    edge = np.concatenate([values[0], values[-1], values[1:-1, 0], values[1:-1, -1]])
    return bool((edge < sea_level).mean() >= _LEAST_SEA)


def _snow_free_m(scene: Scene) -> float:
    """Return the height up to which an imported land is free of snow where nothing better is known of it."""
    land = scene.imported
    return land.lowest + _SNOW_FREE * (land.highest - land.lowest)


def _shaping(scene: Scene) -> dict[str, tuple[str, bool | str]]:
    """Return, by key, the title of each step at work that would change an imported land, and what switches it off."""
    groups = scene.terrain_groups()
    after = STEPS[STEPS.index(imported.STEP) + 1 :]
    at_work = [groups[step.key] for step in after if step.active(groups[step.key])]
    return {
        f"{group.key}.enabled" if "enabled" in group.declarations() else f"{group.key}.kind": (
            group.title,
            False if "enabled" in group.declarations() else "none",
        )
        for group in at_work
    }


def opened(base: Scene, path: Path) -> tuple[Scene, list[str]]:
    """Return a scene of the height map at `path` alone, and notices.

    What Fellview wrote looks as it did. Others look like `base`, are called after the file and seen from the south,
    whole.
    """
    exported = _exported(path)
    if exported:
        textures = exported.ground.textures
        whole = exported.ground.replace(textures=_whole(textures, path.parent) if textures else "")
        return _taken(exported.with_group(whole), path, exported)
    scene, notices = chosen(base, path)
    grid, land = scene.grid, scene.imported
    # of another land, the line says nothing here; a scene that a file is brought into keeps its own
    scene = scene.replace({"ground.snow_line": max(scene.ground.snow_line, _snow_free_m(scene))})
    longer = max(grid.size_z, grid.size_x)
    middle = (land.lowest + land.highest) / 2 if abs(land.highest - land.lowest) < longer else 0.0
    # from there the near edge lies 58° down and the far one 28°, within the lens's 40° about the line of view
    seen = Camera(x=grid.size_x / 2, y=middle + 0.8 * longer, z=-0.5 * longer, pitch=-43.0, field_of_view=40.0)
    return dataclasses.replace(scene.with_group(seen), name=path.stem, sentence=""), notices


def found(scene: Scene, folder: Path) -> tuple[Scene, list[str]]:
    """Return `scene`, read in `folder`, with the whole paths of its files, and notices.

    A missing or changed height map is a notice that says what is wrong with it, and the scene goes on without it.
    """
    scene, notices = placed(scene, folder)
    parameters = scene.imported
    if parameters.path and parameters.enabled:
        try:
            imported.require_file(parameters)
            if not parameters.sha256:
                parameters = parameters.replace(sha256=height_file.digest(Path(parameters.path)))
        except InputError as fault:
            parameters = parameters.replace(enabled=False)
            notices.append(str(fault))
    return scene.with_group(parameters), notices


def placed(scene: Scene, folder: Path) -> tuple[Scene, list[str]]:
    """Return `scene`, read in `folder`, with the whole paths of its files, which nobody looks for yet.

    A height map that it carries is unpacked; what is wrong with that is a notice.
    """
    if scene.ground.textures:
        scene = scene.with_group(scene.ground.replace(textures=_whole(scene.ground.textures, folder)))
    parameters = scene.imported
    if not parameters.path:
        return scene, []
    parameters = parameters.replace(path=_whole(parameters.path, folder))
    notices = []
    if parameters.content:
        try:
            parameters = parameters.replace(path=str(carried.unpacked(parameters)))
        except InputError as fault:
            notices.append(str(fault))
        parameters = parameters.replace(content="")
    return scene.with_group(parameters), notices


def named_from(scene: Scene, folder: Path, shared: bool = False) -> Scene:
    """Return `scene` with its files named as seen from `folder`, where the recipe is to be written.

    A height map that it carries is packed into it, where it is small enough. Where it is to be `shared`, a file that
    lies outside `folder` has its name alone, and is found again beside the recipe: where a person keeps other things
    is nobody else's to read.
    """

    def seen(path: str) -> str:
        from_there = _seen_from(path, folder)
        if shared and (Path(from_there).is_absolute() or Path(from_there).parts[0] == ".."):
            return PureWindowsPath(path).name  # which knows both ways to write a path
        return from_there

    if scene.ground.textures:
        scene = scene.with_group(scene.ground.replace(textures=seen(scene.ground.textures)))
    if scene.imported.path:
        scene = packed(scene)
        scene = scene.with_group(scene.imported.replace(path=seen(scene.imported.path)))
    return scene


def packed(scene: Scene) -> Scene:
    """Return `scene` with the height map that it is to carry inside, where that is small enough."""
    content = carried.packed(scene.imported) if scene.imported.carried else ""
    return scene.with_group(scene.imported.replace(content=content))


def _whole(path: str, folder: Path) -> str:
    return os.path.normpath(folder.absolute() / path)


def _seen_from(path: str, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path, folder.absolute())).as_posix()
    except ValueError:  # on another drive
        return path
