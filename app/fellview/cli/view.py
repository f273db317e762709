"""`fellview view`: the window."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from fellview import paths
from fellview.cli.inputs import deck_of, is_deck, require_engine, scene_of
from fellview.cli.options import ENGINE, Commands, add_scene, pixel_size
from fellview.core.errors import InputError, named

if TYPE_CHECKING:
    from fellview.compute.child import Child
    from fellview.scene.scene import Scene
    from fellview.studio.project import Project


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    view = commands.add_parser("view", help="open the viewer (what plain `fellview` does)")
    add_scene(view)
    view.add_argument("--out", type=Path, metavar="FOLDER", help="where pictures go; default: your pictures folder")
    view.add_argument(
        "--size", type=pixel_size, default=(1280, 720), metavar="WxH", help="the window; default 1280x720"
    )
    view.add_argument(
        "--safe", action="store_true", help="without the last session, caches and textures of your own; they stay"
    )
    view.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Open the window until it is closed."""
    from fellview.core import garbage

    if options.safe:
        _open(options)  # its folders are not known yet
        return
    with garbage.unsearched():
        from fellview.compute.child import Child
        from fellview.io import last_picture

    # where that is on the screen, nothing is to be computed
    waits = _goes_on(options) and last_picture.is_left(paths.state_folder())
    with contextlib.closing(Child(waits=waits)) as child:
        _open(options, child)


def _goes_on(options: argparse.Namespace) -> bool:
    """Return whether the window goes on with the last session, and nothing is asked for that may be wrong.

    That is told before there is a window.
    """
    return options.scene is None and not (options.set or options.safe) and bool(options.engine == ENGINE)


def _open(options: argparse.Namespace, child: Child | None = None) -> None:
    """Open the window until it is closed.

    `child` computes where it is given: it loads its kernels while the window's modules are read, unless the last
    session left nothing to compute.
    """
    from fellview.core import garbage

    with garbage.unsearched():
        from fellview.draw.target import require_size

    require_size(options.size)
    first = None
    if _goes_on(options):
        with garbage.unsearched():
            from fellview.desktop.first_frame import open_with_last_picture

        first = open_with_last_picture(options.size, child)
    with garbage.unsearched():
        from fellview.desktop.viewer import run

    require_engine(options)
    opened = _project(options)
    deck = deck_of(options, options.scene) if options.scene is not None and is_deck(options.scene) else None
    if opened is not None:
        scene: Scene | None = opened.shelf.variants[0].scene
    elif deck is not None:
        scene = deck.slides[0].scene
    else:
        scene = scene_of(options) if options.scene is not None or options.set else None
    run(
        scene,
        options.size,
        options.out,
        engine=options.engine,
        safe=options.safe,
        opened=opened,
        deck=deck,
        child=child,
        first=first,
    )


def _project(options: argparse.Namespace) -> Project | None:
    """Return the project that the scene's word names; none where that is something else."""
    from fellview.io import scenes
    from fellview.studio import project

    if options.scene is None or options.scene in scenes.presets() or not project.is_project(Path(options.scene)):
        return None
    if options.set:
        raise InputError(f"--set {named(options.set[0])}: is not taken with a project")
    opened = project.load(Path(options.scene))
    if not opened.shelf.variants:
        raise InputError(f"{options.scene}: a project without lands: expected at least one")
    return opened
