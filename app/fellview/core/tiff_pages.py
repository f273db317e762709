"""The structure of TIFF files by tifffile, for what reads their numbers part by part; it unpacks nothing itself."""

from __future__ import annotations

import logging
from io import BufferedReader
from typing import Any

import tifffile

# of damaged files it logs several lines, where one is ours to say
logging.getLogger("tifffile").addHandler(logging.NullHandler())
logging.getLogger("tifffile").propagate = False


def first(file: BufferedReader) -> Any:
    """Return the first page of the TIFF in `file`, with its tags; of all others nothing is read."""
    file.seek(0)
    return tifffile.TiffFile(file, name="file", _multifile=False).pages[0]
