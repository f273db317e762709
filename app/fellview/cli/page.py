"""`fellview page`: lands to turn and to compare, as one HTML file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from fellview.cli.inputs import heights_of, scene_of
from fellview.cli.options import SCENE_HELP, Commands, add_engine
from fellview.cli.talk import notice, progress_line, tell


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    page = commands.add_parser("page", help="write an HTML file that shows a land in any browser, from disk")
    page.add_argument(
        "scenes", nargs="*", metavar="SCENE", help=f"{SCENE_HELP}; up to three more are compared with the first"
    )
    page.add_argument("-o", "--out", type=Path, required=True, metavar="F.html")
    page.add_argument(
        "--set", action="append", default=[], metavar="group.name=value", help="change a parameter of all scenes"
    )
    add_engine(page)
    page.set_defaults(run=run)


def run(options: argparse.Namespace) -> Sequence[str]:
    """Write the page; return remarks."""
    from fellview.core import attended
    from fellview.export import page, page_land
    from fellview.io import atomic, scenes
    from fellview.terrain.pipeline.pipeline import remarks

    sources = options.scenes or [None]
    page.require(options.out, len(sources))
    atomic.require_writable(options.out)
    if attended.is_attended():
        attended.end_with_attention(atomic.abandon)
    found = [scene_of(argparse.Namespace(**{**vars(options), "scene": source})) for source in sources]
    lands = []
    for scene in found:
        field = heights_of(scene, options.engine)
        with progress_line() as report:
            lands.append(page_land.land(scene, field, report, notice))
    with atomic.all_or_none():
        page.write(options.out, lands, [scenes.to_text(scene, options.out.parent, shared=True) for scene in found])
    tell(options.out)
    return [line for scene in found for line in remarks(scene.terrain_groups())]
