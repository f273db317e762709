"""`fellview shots`: many pictures, as a list has them."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from fellview.cli.inputs import batch_of, require_engine
from fellview.cli.options import Commands, add_batch, add_engine
from fellview.cli.talk import notice, progress_line, tell
from fellview.core.errors import FellviewError


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    shots = commands.add_parser(
        "shots", help="take every shot of a list: cameras by variants by suns by views; again: those that lack"
    )
    shots.add_argument("list", type=Path, metavar="FILE", help="the list, a .toml file")
    shots.add_argument("-o", "--out", type=Path, metavar="FOLDER", help="where pictures go; default the list's folder")
    add_batch(shots)
    add_engine(shots)
    shots.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Take the shots of a list that are not there; `FellviewError` at the end where some have failed."""
    from fellview.capture import shot_list

    require_engine(options)
    folder = (options.out or options.list.parent).absolute()
    listed, told = shot_list.load(options.list, folder)
    failed, begun = 0, time.monotonic()
    with batch_of(options) as batch, progress_line() as report:
        for number, taken in enumerate(shot_list.take(listed, options.engine, batch), start=1):
            left = round((time.monotonic() - begun) / number * (len(listed) - number))
            report(f"picture {number} of {len(listed)}, {left // 60}:{left % 60:02} left", number / len(listed))
            told += taken.notices
            for path in taken.files:
                tell(path)
            if taken.failed:
                failed += 1
                notice(taken.failed)
    for text in dict.fromkeys(told):
        notice(text)
    if failed:
        raise FellviewError(
            f"{options.list}: {failed} of {len(listed)} shots failed; the same command tries them again"
        )
