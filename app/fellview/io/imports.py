"""Files that a scene names, height maps and textures: found when a recipe is opened, and named when it is written.

In memory a scene names each file by the whole path; a recipe in a file names it from where that file lies, so that they
can move together.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path, PureWindowsPath

from fellview.core.errors import InputError
from fellview.heightmaps import height_file
from fellview.io import carried
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.steps import imported

_SNOW_FREE = 0.8  # of the range of heights


def chosen(scene: Scene, path: Path) -> tuple[Scene, list[str]]:
    """Return `scene` with its land out of the file at `path`, and notices; `InputError` where it is none.

    The land is the file's, at its size and on its grid: whatever steps would change it are off.
    """
    grid = scene.grid
    changes, remark = imported.described(path.absolute(), (grid.size_z, grid.size_x))
    shaping = _shaping(scene)
    try:
        scene = scene.replace(changes | {key: value for key, (_, value) in shaping.items()})
        if scene.ground.snow_line <= scene.imported.lowest:  # no land is to be all snow for lying higher than another
            scene = scene.replace({"ground.snow_line": _snow_free_m(scene)})
        resized = (scene.grid.size_z, scene.grid.size_x) != (grid.size_z, grid.size_x)
        if resized and scene.camera.mode == "demo":  # which sees nothing beyond 1000 m
            scene = scene.with_group(scene.camera.replace(mode="orbit"))
    except InputError as fault:  # heights or cells beyond what a land may have
        raise InputError(f"{path}: {fault}") from None
    notices = [f"{path.name}: {remark}"] if remark else []
    if shaping:
        notices.append(f"{path.name} is shown as it is: {', '.join(title for title, _ in shaping.values())} off")
    return scene, notices


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
    """Return a scene of the height map at `path` alone, looking like `base`, and notices.

    It is called after the file and seen from the south, whole.
    """
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
