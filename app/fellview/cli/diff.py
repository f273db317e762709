"""`fellview diff`: what differs between two scenes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fellview.cli.inputs import heights_of, loaded, require_engine
from fellview.cli.options import SAMPLES, SCENE_HELP, Commands, add_engine, pixel_size
from fellview.cli.talk import notice, tell
from fellview.core.errors import InputError

if TYPE_CHECKING:
    from fellview.scene.scene import Scene

_SIZE = (1280, 720)  # of the picture


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    diff = commands.add_parser("diff", help="print in which parameters two scenes differ, a line each, and draw how")
    diff.add_argument("old", metavar="A", help=SCENE_HELP)
    diff.add_argument("new", metavar="B", help="what it is compared with, likewise")
    diff.add_argument("--picture", type=Path, metavar="P.png", help="draw the land of B by its difference in height")
    diff.add_argument("--size", type=pixel_size, metavar="WxH", help="of the picture; default 1280x720")
    add_engine(diff)
    diff.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print what differs, and draw it where that is asked for."""
    from fellview.studio import differences

    require_engine(options)
    size = options.size or _SIZE
    if options.picture is None and options.size is not None:
        raise InputError(f"--size {size[0]}x{size[1]}: is not taken without --picture")
    if options.picture is not None:
        from fellview.draw.target import require_size
        from fellview.io import atomic, pictures

        require_size(size)
        pictures.require_suffix(options.picture)
        atomic.require_writable(options.picture)
    old, new = loaded(options.old), loaded(options.new)
    found = differences.differences(old, new)
    print(differences.text(found), end="")
    if not found:
        notice("the two differ in nothing that has an effect")
    if options.picture is not None:
        _draw_difference(options, old, new, size)


def _draw_difference(options: argparse.Namespace, old: Scene, new: Scene, size: tuple[int, int]) -> None:
    from fellview.capture import capture
    from fellview.library import difference_picture

    lands = [heights_of(scene, options.engine) for scene in (old, new)]
    pixels = difference_picture(new, lands[0], lands[1], size, SAMPLES, notice)
    capture.save(options.picture, new, pixels)
    tell(options.picture)
