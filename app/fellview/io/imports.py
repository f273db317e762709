"""Height maps that a scene takes its land from: found when a recipe is opened, chosen, and named when it is written.

In memory a scene names its file by the whole path; a recipe in a file names it from where that file lies, so that the
two can move together.
"""

from __future__ import annotations

import os
from pathlib import Path

from fellview.core.errors import InputError
from fellview.scene.scene import Scene
from fellview.terrain import height_file, imported

SUFFIXES = height_file.SUFFIXES


def chosen(scene: Scene, path: Path) -> tuple[Scene, list[str]]:
    """Return `scene` with its land out of the file at `path`, and notices; `InputError` where it is none."""
    grid = scene.grid
    changes, remark = imported.described(path.absolute(), (grid.size_z, grid.size_x))
    return scene.replace(changes), [f"{path.name}: {remark}"] if remark else []


def found(scene: Scene, folder: Path) -> tuple[Scene, list[str]]:
    """Return `scene`, read in `folder`, with the whole path of its file, and notices.

    A missing or changed file is a notice, and the scene goes on without it.
    """
    parameters = scene.imported
    if not parameters.path:
        return scene, []
    parameters = parameters.replace(path=os.path.normpath(folder.absolute() / parameters.path))
    notices = []
    if parameters.enabled:
        try:
            imported.require_file(parameters)
            if not parameters.sha256:
                parameters = parameters.replace(sha256=height_file.digest(Path(parameters.path)))
        except InputError as fault:
            parameters = parameters.replace(enabled=False)
            notices.append(f"{fault}; the scene opens without it")
    return scene.with_group(parameters), notices


def named_from(scene: Scene, folder: Path) -> Scene:
    """Return `scene` with its file named as seen from `folder`, where the recipe is to be written."""
    parameters = scene.imported
    if not parameters.path:
        return scene
    try:
        path = Path(os.path.relpath(parameters.path, folder.absolute())).as_posix()
    except ValueError:  # on another drive
        return scene
    return scene.with_group(parameters.replace(path=path))
