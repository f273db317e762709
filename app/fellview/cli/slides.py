"""`fellview slides`: pictures of a deck."""

from __future__ import annotations

import argparse
from pathlib import Path

from fellview.cli.inputs import deck_of, require_engine
from fellview.cli.options import SAMPLES, Commands, add_engine, pixel_size, whole
from fellview.cli.talk import notice, progress_line, tell
from fellview.core.errors import FellviewError


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    slides = commands.add_parser("slides", help="a numbered picture of every slide of a deck, with its recipe inside")
    slides.add_argument("deck", type=Path, metavar="FILE", help="the deck, a .toml file that the window saves")
    slides.add_argument("-o", "--out", type=Path, required=True, metavar="FOLDER", help="where pictures go")
    slides.add_argument("--size", type=pixel_size, default=(1920, 1080), metavar="WxH", help="default 1920x1080")
    slides.add_argument(
        "--samples", type=whole, default=SAMPLES, metavar="N", help=f"samples a pixel, 1 to 256; default {SAMPLES}"
    )
    slides.add_argument("--captions", action="store_true", help="with the captions in the pictures")
    add_engine(slides)
    slides.set_defaults(run=run, set=[])


def run(options: argparse.Namespace) -> None:
    """Draw the pictures; `FellviewError` at the end where some have failed."""
    from fellview.capture import slides
    from fellview.capture.shot import Shot

    require_engine(options)
    deck = deck_of(options, str(options.deck))
    shot = Shot(options.size, options.samples)
    failed = 0
    with progress_line() as report:
        for taken in slides.take(
            options.out, deck, shot, options.engine, captions=options.captions, report=report, notice=notice
        ):
            for path in taken.files:
                tell(path)
            for text in (*taken.notices, taken.failed):
                if text:
                    notice(text)
            failed += bool(taken.failed)
    if failed:
        raise FellviewError(f"{options.deck}: {failed} of {len(deck)} slides failed")
