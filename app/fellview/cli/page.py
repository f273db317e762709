"""`fellview page`: lands to turn and to compare, or the slides of a deck, as one HTML file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fellview.cli.inputs import deck_of, heights_of, is_deck, require_engine, scene_of
from fellview.cli.options import SCENE_HELP, Commands, add_engine
from fellview.cli.talk import notice, progress_line, tell
from fellview.core.errors import InputError

if TYPE_CHECKING:
    from fellview.studio.deck import Deck


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    page = commands.add_parser("page", help="write an HTML file that shows a land in any browser, from disk")
    page.add_argument(
        "scenes",
        nargs="*",
        metavar="SCENE",
        help=f"{SCENE_HELP}; up to three more are compared with the first; or a deck of slides",
    )
    page.add_argument("-o", "--out", type=Path, required=True, metavar="F.html")
    page.add_argument(
        "--set", action="append", default=[], metavar="group.name=value", help="change a parameter of all scenes"
    )
    add_engine(page)
    page.set_defaults(run=run)


def run(options: argparse.Namespace) -> Sequence[str]:
    """Write the page; return remarks."""
    from fellview.export import page, page_land
    from fellview.io import atomic, scenes
    from fellview.terrain.pipeline.pipeline import remarks
    from fellview.view.ground import above_all

    sources = options.scenes or [None]
    page.require(options.out, len(sources))
    atomic.require_writable(options.out)
    deck = _deck(options, sources)
    if deck is None:
        found = [scene_of(argparse.Namespace(**{**vars(options), "scene": source})) for source in sources]
    else:
        found, numbers = page.lands_of(deck)
    lands, fields = [], []
    for scene in found:
        fields.append(heights_of(scene, options.engine))
        with progress_line() as report:
            lands.append(page_land.land(scene, fields[-1], report, notice))
    slides = []
    if deck is not None:
        slides = [
            page.PageSlide(number, above_all(one.scene, fields[number]), one.caption)
            for one, number in zip(deck.slides, numbers, strict=True)
        ]
    with atomic.all_or_none():
        recipes = [scenes.to_text(scene, options.out.parent, shared=True) for scene in found]
        page.write(options.out, lands, recipes, slides)
    tell(options.out)
    return [line for scene in found for line in remarks(scene.terrain_groups())]


def _deck(options: argparse.Namespace, sources: Sequence[str | None]) -> Deck | None:
    """Return the deck that is the one of `sources`; none where they are scenes."""
    decks = [one for one in sources if one is not None and is_deck(one)]
    if not decks:
        return None
    if len(sources) > 1:
        raise InputError(f"{decks[0]}: a deck: is not taken with other scenes")
    require_engine(options)
    return deck_of(options, decks[0])
