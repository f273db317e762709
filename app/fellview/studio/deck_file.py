"""The deck's file: slides as one readable TOML file, each with its whole recipe.

deck = 1                        # the format's version
fellview = "0.1.0"              # that wrote it

[show]                          # what differs from the usual of how slides are shown
turn = true

[[slides]]
caption = "Before the ice"
transition = "flight"           # how one comes to it: flight, wipe, morph or cut

[slides.scene]                  # a recipe: what differs from the defaults
version = 1
...
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from fellview import version
from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.io import imports
from fellview.io.atomic import write_text
from fellview.scene import recipe
from fellview.studio.deck import Deck, Showing, Slide
from fellview.studio.tables import each_with_scene, require_known, version_of

VERSION = 1

SUFFIX = ".toml"

_KEYS = ("deck", "fellview", "show", "slides")
_SLIDE_KEYS = ("caption", "transition", "scene")
_HEAD = re.compile(r"^\s*deck\s*=", re.MULTILINE)


def to_text(deck: Deck, folder: Path | None = None) -> str:
    """Return `deck` as TOML that lies in `folder`; its files have their whole paths where that is none.

    `InputError` where it is longer than a deck that can be read.
    """
    import tomli_w  # here, so that decks are read without it

    head = {"deck": VERSION, "fellview": version.VERSION}
    if changed := {key: value for key, value in deck.showing.values().items() if value != getattr(Showing(), key)}:
        head["show"] = changed
    text = "\n".join([tomli_w.dumps(head), *(_slide_text(one, folder) for one in deck.slides)])
    if len(text.encode()) > foreign.DECK.most_bytes:
        raise InputError(f"the deck: {len(text):,} characters: expected {foreign.DECK.accepted}")
    return text


@functools.lru_cache(maxsize=256)  # a draft is written at every change, and of all slides one has changed
def _slide_text(one: Slide, folder: Path | None) -> str:
    import tomli_w

    scene = imports.packed(one.scene) if folder is None else imports.named_from(one.scene, folder)
    table = {"caption": one.caption, "transition": one.transition, "scene": recipe.differing(scene)}
    return tomli_w.dumps({"slides": [table]})


def from_text(text: str, source: str, folder: Path) -> tuple[Deck, list[str]]:
    """Return the deck of a text that lies in `folder`, and notices; `InputError` names `source` and what is wrong.

    Its files are not looked for: that is done when a slide is shown.
    """
    data = recipe.parsed(text, source, foreign.DECK)
    version_of(data, "deck", VERSION, foreign.DECK, source)
    require_known(source, data, _KEYS)
    show = data.get("show", {})
    if not isinstance(show, dict):
        raise InputError(f"{source}: show = {quoted(show)}: expected a table")
    slides, notices = each_with_scene(data, "slides", _SLIDE_KEYS, Slide, source, folder)
    try:
        return Deck(slides, Showing().replace(**show)), notices
    except InputError as fault:
        raise InputError(f"{source}: {fault}") from None


def is_deck(path: Path) -> bool:
    """Return whether the file at `path` is a deck; `InputError` where it cannot be read."""
    if path.suffix.lower() != SUFFIX:
        return False
    head, _, _ = foreign.text(path, foreign.DECK).partition("[")
    return _HEAD.search(head) is not None


def load(path: Path) -> tuple[Deck, list[str]]:
    """Return the deck in the file at `path`, and notices; `InputError` names what is wrong with it."""
    return from_text(foreign.text(path, foreign.DECK), str(path), path.absolute().parent)


def save(path: Path, deck: Deck) -> None:
    """Write `deck` to `path`; `InputError` where that cannot be."""
    if path.suffix.lower() != SUFFIX:
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected {SUFFIX}")
    write_text(path, to_text(deck, path.absolute().parent))
