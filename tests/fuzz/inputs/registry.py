"""Every kind of input from outside, and files of it in any state: what the fuzzers make and what reads them.

`FOREIGN_FILES` are the formats that are read; tests hold them equal to the readers' own tables.
"""

from __future__ import annotations

from tests.fuzz.inputs import command_line, height_maps, pictures, recipe_files, short_texts, states, textures
from tests.fuzz.inputs.height_maps import exr_bytes, grey_png, tiff_bytes
from tests.fuzz.inputs.kind import Bytes, Kind
from tests.fuzz.inputs.pictures import picture_bytes
from tests.fuzz.inputs.textures import TEXTURE_FILES

FOREIGN_FILES: dict[str, dict[str, Bytes]] = {
    "RECIPE": {},
    "PROJECT": {},
    "DECK": {},
    "SHOTS": {},
    "FILM": {},
    "SIDECAR": {},
    "PICTURE": {"PNG": picture_bytes},
    "CARRIED": {},
    "HEIGHTS": {"PNG": grey_png, "TIFF": tiff_bytes, "EXR": exr_bytes},
    "TEXTURE": TEXTURE_FILES,
}
"""By the kinds of `core/foreign.py`: what makes a picture of each format that is read; the others are text."""

KINDS: dict[str, Kind] = {
    **recipe_files.KINDS,
    **short_texts.KINDS,
    **pictures.KINDS,
    **height_maps.KINDS,
    **textures.KINDS,
    **states.KINDS,
    **command_line.KINDS,
}
"""Every way in, by name."""
