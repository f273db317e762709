"""Height maps of every format, and their sidecars. `HEIGHT_FILES` are the formats that are read."""

from __future__ import annotations

import functools
import io
import json
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import OpenEXR
import tifffile
from PIL import Image, TiffImagePlugin

from fellview.heightmaps import height_file
from fellview.heightmaps.sidecar import path_of as sidecar_path
from fellview.io import imports
from fellview.scene.scene import Scene
from tests.fuzz import damage
from tests.fuzz.inputs.kind import Bytes, Kind, placed
from tests.fuzz.inputs.pictures import foreign, saved
from tests.fuzz.inputs.still import shown

_TYPES = (
    "<f4",
    "<f8",
    "<f2",
    ">f4",
    "<i2",
    ">i2",
    "|u1",
    "|i1",
    "<u2",
    "<u8",
    "<i8",
    "<c8",
    "|b1",
    "|S4",
    "<U3",
    "<M8[s]",
)
_DESCRIPTIONS = (
    *(repr(each) for each in _TYPES),
    *("'O'", "'V9'", "[('a', '<f4')]", "'<f999999999'", "'|S999999999999'", "None", "1", "''", "'\\x00'", "'<f4' * 9"),
)
_SHAPES = (
    *(
        "(4, 6)",
        "(4, 6)",
        "(4, 6)",
        "(24,)",
        "()",
        "(2, 3, 4)",
        "(0, 6)",
        "(-4, 6)",
        "(1, 24)",
        "(13001, 2)",
        "(4.0, 6)",
    ),
    *("(1 << 40, 6)", "(1099511627776, 6)", "(4611686018427387904, 4)", "(9223372036854775807, 9223372036854775807)"),
    *("(100000, 100000)", f"({'9' * 5_000}, 2)", "(True, 24)", "'46'", "(4, 6", "4, 6", "[4, 6]", "(13000, 13000)"),
)


def _values(random: Random) -> np.ndarray:
    raw = np.frombuffer(random.randbytes(4 * 6 * 4), "<u4").reshape(4, 6)
    values = raw / 1e6
    if random.random() < 0.3:
        hostile = (np.nan, np.inf, -np.inf, 1e38, 3.5e38, 1e300, -1e300, 5e-324, 0.0)
        values.flat[random.randrange(24)] = random.choice(hostile)
    if random.random() < 0.05:
        values[:] = random.choice((np.nan, np.inf, 1e38, 0.0))
    return values


def npy_bytes(random: Random) -> bytes:
    """Return an array file of any type, or one whose header says something else."""
    way = random.randrange(10)
    file = io.BytesIO()
    if way < 4:
        values = _values(random)
        with np.errstate(all="ignore"):
            try:
                np.save(file, values.astype(random.choice(_TYPES)))
            except (ValueError, TypeError):
                np.save(file, values)
        content = file.getvalue()
        return content if random.random() < 0.5 else damage.damaged(random, content)
    if way == 4:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(random.choice(("a.npy", "../a.npy", "word/document.xml")), b"\0" * 1_000_000)
        return file.getvalue()
    if way == 5:
        np.save(file, np.array([{"a": print}, None], object), allow_pickle=True)
        return random.choice((file.getvalue(), b"\x80\x04cos\nsystem\n(S'touch run'\ntR.", b"(" * 10_000))
    header = (
        f"{{'descr': {random.choice(_DESCRIPTIONS)}, 'fortran_order': {random.choice(('False', 'True', '0', 'x'))}, "
    )
    header += f"'shape': {random.choice(_SHAPES)}, {random.choice(('', '', '', repr('more') + ': 1'))}}}"
    header = random.choice(
        (header, header, header, "(" * 90_000, "-" * 60_000 + "1", "{" * 5_000, "__import__('os')", "")
    )
    version = random.choice((b"\x01\0", b"\x01\0", b"\x02\0", b"\x03\0", b"\x09\0"))
    length = random.choice((len(header), len(header), len(header), 0, 65_535, 1 << 31))
    told = struct.pack("<I", length) if version != b"\x01\0" else struct.pack("<H", min(length, 65_535))
    return b"\x93NUMPY" + version + told + header.encode() + random.randbytes(random.choice((0, 95, 96, 192)))


def raw_bytes(random: Random) -> bytes:
    size = random.choice((0, 1, 7, 18, 32, 36, 96, 100, 2 * 13_001**1, 4_000_000))
    content = random.randbytes(size)
    return content if random.random() < 0.8 else np.full(24, random.choice((np.nan, np.inf, 1e38)), "<f4").tobytes()


def grey_png(random: Random) -> bytes:
    if random.random() < 0.2:
        return foreign(random)
    grey = Image.fromarray(_values(random).astype("<u4").astype("<u2"))
    content = saved(random.choice((grey, grey, grey.convert("L"), grey.convert("RGB"), grey.convert("1"))), "PNG")
    way = random.randrange(3)
    return content if way == 0 else damage.damaged(random, content) if way == 1 else damage.png(random, content)


def tiff_bytes(random: Random) -> bytes:
    """Return a TIFF of any type of pixels, with GeoTIFF's tags as they should be and as they should not."""
    if random.random() < 0.15:
        return foreign(random)
    with np.errstate(all="ignore"):
        values = _values(random).astype(random.choice(("<f4", "<u2", "|u1", "<i4")))
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    for tag in (33550, 42113, 33922, 34735):
        if random.random() < 0.5:
            kind = random.choice((1, 2, 3, 4, 5, 7, 11, 12))
            numbers = tuple(random.choice((0, 1, 30, 65_535)) for _ in range(random.choice((1, 2, 3, 40))))
            reals = tuple(random.choice((0.0, 30.0, -1.0, 1e38, float("nan"), float("inf"))) for _ in range(3))
            texts = ("-9999", "nan", "x" * 5_000, "1e999", "", "\x1b[31m", "9" * 5_000)
            chosen: Mapping[int, Any] = {
                1: b"\1\2\3",
                2: random.choice(texts),
                5: (1, 0),
                7: random.randbytes(9),
                11: reals,
                12: reals,
            }
            tags.tagtype[tag] = kind
            tags[tag] = chosen.get(kind, numbers)
    options: dict[str, Any] = {"tiffinfo": tags}
    if random.random() < 0.4:
        options["compression"] = random.choice(("tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg", "group4"))
    if random.random() < 0.4:  # in the parts that are read here, and with Earth under them
        return _parted_tiff(random, values)
    image = Image.fromarray(values)
    try:
        content = saved(random.choice((image, image, image.convert("RGB"))), "TIFF", **options)
    except Exception:  # Pillow does not write every mixture of types and tags
        content = saved(image, "TIFF")
    return content if random.random() < 0.3 else damage.damaged(random, content)


def _parted_tiff(random: Random, values: np.ndarray) -> bytes:
    """Return a TIFF in strips or tiles, whole or damaged, with the keys of a GeoTIFF in any state."""
    keys = [1, 1, 0, 3, 1024, 0, 1, random.choice((1, 2, 3, 32767)), 3072, 0, 1, random.choice((3857, 25832, 0))]
    keys += [random.choice((3076, 3077, 4099)), random.choice((0, 34736, 9)), 1, random.choice((9001, 9002, 0, 65535))]
    number = random.choice((0.0, 1.0, -30.0, 8e-4, 1e300, float("nan"), float("inf")))
    tags = [(33550, "d", 3, (number, random.choice((number, 30.0)), 0.0), True), (34735, "H", len(keys), keys, True)]
    tags += [(33922, "d", 6, (0.0, 0.0, 0.0, 7.0, number, 0.0), True)] if random.random() < 0.5 else []
    file = io.BytesIO()
    options: dict[str, Any] = {"compression": random.choice((None, "zlib")), "byteorder": random.choice("<>")}
    options |= random.choice(({}, {"tile": (16, 16)}, {"rowsperstrip": 1}, {"bigtiff": True}))
    tifffile.imwrite(file, values, photometric="minisblack", metadata=None, extratags=tags, **options)
    content = file.getvalue()
    return content if random.random() < 0.3 else damage.damaged(random, content)


@functools.cache
def _exr(kind: str, packed: str, channels: tuple[str, ...]) -> bytes:
    values = np.arange(24, dtype=kind).reshape(4, 6)
    file = io.BytesIO()
    header = {"compression": getattr(OpenEXR, f"{packed}_COMPRESSION"), "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, dict.fromkeys(channels, values)).write(file)
    return file.getvalue()


def exr_bytes(random: Random) -> bytes:
    """Return an EXR of any type, packing and channels, whole or damaged."""
    channels = random.choice((("Y",), ("height", "slope"), ("R", "G", "B"), ("a", "b"), tuple("abcdefghij")))
    content = _exr(
        random.choice(("f4", "f2", "u4")), random.choice(("NO", "RLE", "ZIPS", "ZIP", "ZIP", "PIZ")), channels
    )
    if random.random() < 0.3:  # the corners of the window of cells
        at = content.index(b"dataWindow") + 23 + 4 * random.randrange(4)
        value = random.choice((0, -1, 13_000, 52_001, 2**31 - 1, -(2**31)))
        content = content[:at] + struct.pack("<i", value) + content[at + 4 :]
    return content if random.random() < 0.2 else damage.damaged(random, content)


def asc_bytes(random: Random) -> bytes:
    """Return an ASCII grid with some of its header's numbers and some of its cells as they should not be."""
    header = {
        "ncols": "6",
        "nrows": "4",
        "xllcorner": "7.5",
        "yllcorner": "46",
        "cellsize": "30",
        "NODATA_value": "-9999",
    }
    hostile = (*damage.HOSTILE_NUMBERS, "", "x", "\0", "52001", "13000", "6.5")
    for _ in range(random.choice((0, 0, 1, 2))):
        key = random.choice(list(header))
        header[key] = random.choice(hostile)
    if random.random() < 0.2:
        del header[random.choice(list(header))]
    cells = [f"{one:g}" for one in _values(random).ravel()]
    if random.random() < 0.4:
        cells[random.randrange(24)] = random.choice(hostile)
    cells = cells[: random.choice((24, 24, 24, 23, 0))] + ["1"] * random.choice((0, 0, 0, 1, 100_000))
    lines = [f"{key} {value}" for key, value in header.items()] + [random.choice((" ", "\n", "\t")).join(cells)]
    content = random.choice(("\n", "\n", "\r\n", "\r")).join(lines).encode()
    return content if random.random() < 0.7 else damage.damaged(random, content)


HEIGHT_FILES: dict[str, Bytes] = {
    ".png": grey_png,
    ".tif": tiff_bytes,
    ".tiff": tiff_bytes,
    ".r16": raw_bytes,
    ".r32": raw_bytes,
    ".raw": raw_bytes,
    ".hgt": raw_bytes,
    ".exr": exr_bytes,
    ".asc": asc_bytes,
    ".npy": npy_bytes,
}
"""By suffix: what makes a file of that format, whole or damaged."""


def sidecar_bytes(random: Random) -> bytes:
    """Return the sidecar of a height map with some of its facts as they should not be."""
    facts: dict[str, Any] = {
        "format": "",
        "rows": 4,
        "columns": 6,
        "minimum_m": 0.0,
        "maximum_m": 100.0,
        "cell_size_x_m": 1.0,
        "cell_size_z_m": 1.0,
        "first_row": random.choice(("north", "south")),
        "recipe": "version = 1\n",
    }
    content = json.dumps(facts)
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        key = random.choice(list(facts))
        values = (
            *(
                "1" + "0" * 400,
                "-1" + "0" * 400,
                "1e400",
                "NaN",
                "Infinity",
                "null",
                "true",
                '"a"',
                '"\\u001b[2J\\n"',
                "-4",
            ),
            *(
                "4.0",
                "[4]",
                "{}",
                "0",
                "9" * 5_000,
                "[" * 100_000,
                "[" * 500 + "]" * 500,
                '"' + "x" * 100_000 + '"',
                "1e35",
            ),
        )
        content = content.replace(f'"{key}": {json.dumps(facts[key])}', f'"{key}": {random.choice(values)}')
    way = random.randrange(10)
    if way == 0:
        return damage.damaged(random, content.encode())
    if way == 1:
        return random.choice(
            (b"[" * 100_000, b'{"a":' * 50_000, b"[]", b"1", b"", b"\xff\xfe", b" " * 4_000_000 + b"{}")
        )
    return content.encode(random.choice(("utf-8", "utf-8", "utf-8", "utf-16")))


def _make_heights(random: Random, folder: Path) -> Path:
    suffix = random.choice(list(HEIGHT_FILES))
    stems = (
        "map",
        "map",
        "map",
        "map_6x4",
        "6x4",
        "0x0",
        "N46E007",
        "99999x99999",
        "x",
        "a\nb",
        "\x1b]0;title\x07",
        "é" * 60,
    )
    path = folder / (random.choice(stems) + (suffix if random.random() < 0.9 else suffix.upper()))
    placed(random, path, lambda: HEIGHT_FILES[suffix](random))
    if random.random() < 0.4:
        placed(random, sidecar_path(path), lambda: sidecar_bytes(random))
    return path


def _read_heights(path: Path, folder: Path) -> list[str]:
    scene, notices = imports.chosen(Scene(), path)
    found = height_file.read(path)
    assert found.values.ndim == 2 and found.values.dtype == np.float32, "heights of another type or shape"
    assert np.isfinite(found.values).all() and np.isfinite(found.span).all(), "heights that are no numbers"
    assert scene.imported.enabled
    return shown(notices, folder)


KINDS: dict[str, Kind] = {
    "heights": Kind(_make_heights, _read_heights),
}
