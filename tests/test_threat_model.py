"""The limits in docs/threat-model.md are those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from fellview.capture import contact_sheet
from fellview.core import foreign
from fellview.draw import target
from fellview.io import crashes
from fellview.scene import short_text
from fellview.session import history
from fellview.studio import deck, shelf
from fellview.terrain.domain import Grid

PAGE = (Path(__file__).parents[1] / "docs" / "threat-model.md").read_text(encoding="utf-8")
KINDS = [one for one in vars(foreign).values() if isinstance(one, foreign.Kind)]


def rows(title: str) -> list[list[str]]:
    """Return the cells of each row of the table whose head begins with `title`."""
    table = PAGE[PAGE.index(f"| {title} |") :].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_kind_of_file_has_its_row(kind):
    side = f"{kind.most_a_side:,}" if kind.most_a_side else ""
    told = [kind.name, ", ".join((*kind.formats, *kind.others)), f"{kind.most_bytes / 1e6:,.10g} MB", side]
    assert told in rows("file")


def test_no_row_is_of_a_file_that_is_not_read():
    assert len(rows("file")) == len(KINDS)


def test_the_other_limits_are_those_of_the_code():
    expected = {
        "cells of a land, a side": f"{Grid.declaration('rows').high:,}",
        "pixels of a picture that is drawn, a side": f"{target.LARGEST_SIDE:,}",
        "pictures on a sheet": f"{contact_sheet.MOST_PICTURES:,}",
        "lands on a shelf": f"{shelf.MOST:,}",
        "slides of a deck": f"{deck.MOST:,}",
        "undo steps": f"{history.MOST_STEPS:,}",
        "characters of a short text": f"{short_text.LONGEST:,}",
        "crash log": f"{crashes.LARGEST_BYTES // 1024} KiB",
    }
    assert dict(rows("other")) == expected
