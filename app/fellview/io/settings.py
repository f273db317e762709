"""What the window keeps of itself, beside the session and in no recipe: `ui.toml` in the state folder."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.io.atomic import write_text

_NAME = "ui.toml"
_KIND = foreign.Kind("settings", 10_000)  # a line each, and room for a person's remarks


@dataclass(frozen=True)
class Settings:
    """`panel_width` is in pixels of an unscaled screen; none where the panel has its usual width."""

    panel_width: float | None = None


def load(folder: Path) -> Settings:
    """Return what `folder` keeps; what cannot be read, or is no setting, is as if it had never been kept."""
    try:
        width = tomllib.loads(foreign.text(folder / _NAME, _KIND)).get("panel_width")
        return Settings(float(width) if isinstance(width, (int, float)) and math.isfinite(width) else None)
    except (InputError, ValueError, RecursionError, OverflowError):  # tomllib's own fault is a ValueError
        return Settings()


def keep(folder: Path, settings: Settings) -> None:
    """Write `settings` into `folder`; `InputError` where that cannot be."""
    width = settings.panel_width
    write_text(folder / _NAME, "" if width is None else f"panel_width = {width:.7g}\n", durable=False)
