"""A copy of the tree in which the recipes of CONTRIBUTING.md are followed to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import CHECKOUT, Block, blocks

CONTRIBUTING = CHECKOUT / "CONTRIBUTING.md"
_ADD, _CHANGE = re.compile(r"\bAdd `([^`]+)`:$"), re.compile(r"\bIn `([^`]+)`:$")
_COPIED = ("app", "shaders", "tests", "scripts", "pyproject.toml")
_MADE = shutil.ignore_patterns("__pycache__", "failures", "corpus")


def copied(folder: Path) -> Path:
    """Return `folder` with what a recipe can change in it; what none changes is linked."""
    folder.mkdir()
    for name in _COPIED:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=_MADE)
        else:
            shutil.copy(source, folder / name)
    (folder / "assets").symlink_to(CHECKOUT / "assets")
    return folder


def follow(tree: Path) -> list[str]:
    """Take every step of every recipe in `tree`; return the paths that were added or changed, in order."""
    touched = []
    path = ""
    for block in blocks(CONTRIBUTING):
        added, changed = _ADD.search(block.before), _CHANGE.search(block.before)
        if added:
            path = added[1]
            target = tree / path
            assert not target.exists(), f"{path} is there already"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "diff":  # another one of the same file has no line before it
            path = changed[1] if changed else path
            target = tree / path
            target.write_text(_patched(target.read_text(encoding="utf-8"), block, path), encoding="utf-8")
        else:
            continue
        touched.append(path)
    return touched


def _patched(text: str, block: Block, path: str) -> str:
    """Return `text` with the change made whose lines begin with a blank, + or −."""
    lines = block.text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] != "+")
    after = "".join(line[1:] for line in lines if line[0] != "-")
    assert text.count(before) == 1, f"{path} has this {text.count(before)} times, not once:\n{before}"
    return text.replace(before, after)


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Return how Python ended, run with `words` in `tree` on that tree's package."""
    environment = os.environ | {"PYTHONPATH": str(tree / "app"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["FELLVIEW_CACHE"] = str(tree / "cache")
    return subprocess.run([sys.executable, *words], cwd=tree, env=environment, capture_output=True, text=True)
