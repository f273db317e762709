"""Reads the documents: which pages there are, and the fenced blocks in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
PAGES = (*sorted(CHECKOUT.glob("*.md")), *sorted((CHECKOUT / "docs").glob("*.md")))

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line before it."""

    language: str
    text: str
    before: str


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of `page`, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        lines = [line for line in text[: match.start()].splitlines() if line.strip()]
        found.append(Block(match[1], match[2], lines[-1] if lines else ""))
    return found
