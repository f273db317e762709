"""Height maps inside of recipes: the file's own bytes, packed into text.

Out of a recipe they go into the cache folder, under their fingerprint, and are read there like any other file.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import re
import zlib
from pathlib import Path, PureWindowsPath

from fellview import paths
from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.heightmaps import height_file, registry
from fellview.io.atomic import writing
from fellview.terrain.steps.imported import MOST_CARRIED_LETTERS, Imported

MOST_BYTES = 4_000_000
"""Of the file itself."""

_SIZE = re.compile(rb"(\d{1,5})x(\d{1,5})\n")


def packed(parameters: Imported) -> str:
    """Return the packed file; nothing where it is missing, another one by now, or too large."""
    return _packed(Path(parameters.path), parameters.sha256)


@functools.lru_cache(maxsize=1)  # a session is written again and again
def _packed(path: Path, sha256: str) -> str:
    try:
        content = foreign.content(path, foreign.CARRIED)
        rows, columns = height_file.read_cached(path, sha256).values.shape
    except InputError:
        return ""
    text = base64.b85encode(zlib.compress(b"%dx%d\n" % (columns, rows) + content, 9)).decode()
    return text if len(text) <= MOST_CARRIED_LETTERS else ""


def left_out(parameters: Imported) -> str:
    """Return a line for a person where the recipe should carry its file and cannot; else nothing."""
    if not (parameters.enabled and parameters.carried) or packed(parameters):
        return ""
    return (
        f"{Path(parameters.path).name}: too large to be carried in the recipe, which names it instead; expected at most"
        f" {MOST_BYTES:,} bytes, packed {MOST_CARRIED_LETTERS:,}"
    )


def unpacked(parameters: Imported) -> Path:
    """Return where the file is: where the recipe says, if that one is there, else a copy of the carried one.

    `InputError` where what is carried is not the file of the recipe's fingerprint, or cannot be written.
    """
    path = Path(parameters.path)
    try:
        if height_file.digest(path) == parameters.sha256:
            return path
    except InputError:  # which is why it is carried
        pass
    try:
        unzip = zlib.decompressobj()
        found = unzip.decompress(base64.b85decode(parameters.content), MOST_BYTES + len(b"52000x52000\n"))
        size = _SIZE.match(found)
    except (ValueError, binascii.Error, zlib.error):
        size = None
    suffix = PureWindowsPath(parameters.path).suffix.lower()
    if size is None or hashlib.sha256(found[size.end() :]).hexdigest() != parameters.sha256:
        raise InputError(f"imported.content: carries another file than imported.path = {quoted(parameters.path)}")
    if suffix not in registry.READ_SUFFIXES:
        raise InputError(f"imported.path = {quoted(parameters.path)}: expected {', '.join(registry.READ_SUFFIXES)}")
    # raw numbers have their size in the name alone
    copy = paths.cache_folder() / "imported" / f"{parameters.sha256}-{size[1].decode()}x{size[2].decode()}{suffix}"
    if not copy.exists():
        with writing(copy, durable=False) as file:
            file.write(found[size.end() :])
    return copy
