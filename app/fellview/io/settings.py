"""What the window keeps of itself, beside the session and in no recipe: `ui.toml` in the state folder."""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.io.atomic import write_text

MOST_USED = 20
"""Lines of the command palette that are remembered as used."""

_NAME = "ui.toml"
_KIND = foreign.Kind("settings", 10_000)  # a line each, and room for a person's remarks
_LONGEST_LINE = 200  # characters of a line of the palette


@dataclass(frozen=True)
class Settings:
    """`panel_width` is in pixels of an unscaled screen; none where the panel has its usual width.

    `used` are the lines of the command palette that were taken last, the newest first.
    """

    panel_width: float | None = None
    used: tuple[str, ...] = ()


def load(folder: Path) -> Settings:
    """Return what `folder` keeps; what cannot be read, or is no setting, is as if it had never been kept."""
    try:
        kept = tomllib.loads(foreign.text(folder / _NAME, _KIND))
        width = kept.get("panel_width")
        width = float(width) if isinstance(width, (int, float)) and math.isfinite(width) else None
        return Settings(width, _lines(kept.get("used")))
    except (InputError, ValueError, RecursionError, OverflowError):  # tomllib's own fault is a ValueError
        return Settings()


def keep(folder: Path, settings: Settings) -> None:
    """Write `settings` into `folder`; `InputError` where that cannot be."""
    width, used = settings.panel_width, _lines(list(settings.used))
    lines = [] if width is None else [f"panel_width = {width:.7g}"]
    lines += [f"used = {json.dumps(used)}"] if used else []  # texts in ASCII are written alike in TOML
    write_text(folder / _NAME, "".join(f"{line}\n" for line in lines), durable=False)


def change(folder: Path, **changes: Any) -> None:
    """Keep what `folder` keeps with `changes` made; `InputError` where that cannot be."""
    keep(folder, dataclasses.replace(load(folder), **changes))


def _lines(found: Any) -> tuple[str, ...]:
    """Return those of what was `found` that may be lines of the palette."""
    texts = found if isinstance(found, list) else []
    good = [text for text in texts if isinstance(text, str) and len(text) <= _LONGEST_LINE and text.isprintable()]
    return tuple(good[:MOST_USED])
