"""Write the table of keys in the user guide anew, from the table of actions.

.venv/bin/python scripts/make_key_table.py
"""

from __future__ import annotations

from pathlib import Path

from fellview.ui.actions import rows

GUIDE = Path(__file__).parents[1] / "docs" / "user-guide.md"
BEGIN, END = "<!-- keys: written by scripts/make_key_table.py -->\n", "<!-- /keys -->"


def table() -> str:
    """Return every key as a Markdown table, a section after another."""
    lines = ["| section | keys | what it does |", "| --- | --- | --- |"]
    for section, title, keys in rows():
        lines.append(f"| {section} | {keys.replace('|', '&#124;').replace('  ', ', ')} | {title} |")
    return "\n".join(lines) + "\n"


def guide_with_table(text: str) -> str:
    """Return the guide `text` with the table between its marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{GUIDE}: the marks {BEGIN.strip()} and {END} are not there")
    return f"{before}{begin}{table()}{end}{after}"


if __name__ == "__main__":
    GUIDE.write_text(guide_with_table(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
