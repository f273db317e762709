"""The sidecar of a height map: a file of facts in JSON beside it, which says what the numbers mean."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from fellview.core import foreign
from fellview.core.errors import InputError


def path_of(path: Path) -> Path:
    """Return where the sidecar of the height map at `path` stands: the whole name with .json behind it."""
    return path.with_name(path.name + ".json")


def encoded(facts: dict[str, Any]) -> bytes:
    """Return the text of a sidecar that says `facts`."""
    return json.dumps(facts, indent=2, ensure_ascii=False).encode() + b"\n"


def read(path: Path) -> dict[str, Any]:
    """Return what the sidecar beside `path` says; nothing where there is none, or one of another program.

    `InputError` where there is one that cannot be read: without it the numbers would mean something else.
    """
    beside = path_of(path)
    if not os.path.lexists(beside):
        return {}
    try:
        facts = json.loads(foreign.text(beside, foreign.SIDECAR))
    except InputError:
        raise
    except (ValueError, RecursionError) as fault:
        reason = "nested too deeply" if isinstance(fault, RecursionError) else str(fault)
        raise InputError(f"{beside}: no JSON: {reason}; expected the sidecar of {path.name}, or none") from None
    return facts if isinstance(facts, dict) and {"rows", "columns", "minimum_m", "maximum_m"} <= set(facts) else {}
