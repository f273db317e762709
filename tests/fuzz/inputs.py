"""Every kind of input from outside, and files of it in any state: what the fuzzers make and what reads them.

A kind makes a case out of a seed alone, so that a failure comes again by its kind and number. `HEIGHT_FILES` and
`FOREIGN_FILES` are the formats that are read; tests hold them equal to the readers' own tables.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import json
import os
import struct
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import numpy as np
import OpenEXR
import tifffile
from PIL import Image, TiffImagePlugin

from fellview import cli, info, library
from fellview.capture import capture, shot_list
from fellview.core import decoders  # noqa: F401 # loads its libraries before calls are watched
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.desktop import viewer
from fellview.draw.ground import ground_textures
from fellview.gpu import context as gpu_context
from fellview.heightmaps import height_file
from fellview.heightmaps.sidecar import path_of as sidecar_path
from fellview.io import atomic, crashes, imports, land_cache, pictures, scenes, sessions, settings, short_texts
from fellview.scene import recipe, short_text
from fellview.scene.bookmarks import Bookmark
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.session import session
from fellview.studio import deck_file, project
from fellview.studio.deck import Deck, Showing, Slide
from fellview.studio.films import film_file
from fellview.studio.films.film import Setting
from fellview.studio.shelf import Shelf, Variant
from tests.fuzz import damage

Bytes = Callable[[Random], bytes]


@dataclass(frozen=True)
class Kind:
    """One way in. `make` fills a folder and returns what to read in it; `read` does, and returns every line it told.

    A kind that is `sure` has to take whatever is there; the others may refuse it by a `FellviewError`. Into folders
    that it names itself, `may_write`, it may try to.
    """

    make: Callable[[Random, Path], Any]
    read: Callable[[Any, Path], list[str]]
    sure: bool = False
    may_write: tuple[str, ...] = ()


# -- files that are no files -------------------------------------------------------------------------------------------


def placed(random: Random, path: Path, content: Callable[[], bytes]) -> None:
    """Put `content` at `path`; one time in twenty what is no regular file, or nothing."""
    way = random.randrange(200)
    if way == 0:
        os.mkfifo(path)
    elif way == 1:
        path.symlink_to(random.choice(("/dev/zero", "/dev/urandom", "/dev/full", "/dev/tty", "/proc/self/mem")))
    elif way == 2:
        path.symlink_to(path.name)
    elif way == 3:
        path.mkdir()
    elif way == 4:
        path.symlink_to("nowhere")
    elif way == 5:
        pipe = path.with_name("pipe")
        os.mkfifo(pipe)
        path.symlink_to(pipe)
    elif way == 6:
        with path.open("wb") as file:
            file.truncate(random.choice((1 << 20, 3_000_000_000, 20_000_000_000)))
    elif way == 7:
        path.write_bytes(b"")
    elif way == 8:
        path.write_bytes(random.randbytes(random.choice((1, 8, 100, 10_000))))
    elif way == 9:
        path.symlink_to("/proc/self/environ")
    else:
        path.write_bytes(content())


# -- recipes -----------------------------------------------------------------------------------------------------------


@functools.cache
def _recipes() -> tuple[str, ...]:
    return tuple(recipe.to_text(scenes.load(name)) for name in scenes.presets())


def recipe_bytes(random: Random) -> bytes:
    return damage.recipe(random, random.choice(_recipes()), random.choice(_recipes()))


def _with_neighbours(random: Random, folder: Path) -> None:
    """Put what a recipe may name beside it."""
    if random.random() < 0.1:
        os.mkfifo(folder / "pipe.r16")
        (folder / "loop.png").symlink_to("loop.png")


def shown(notices: list[str], folder: Path) -> list[str]:
    """Return `notices` as a session shows them."""
    one = _session(folder)
    for text in notices:
        one.notify(text)
    one.close(keep=False)
    return list(one.notices)


def _make_recipe(random: Random, folder: Path) -> Path:
    _with_neighbours(random, folder)
    path = folder / random.choice(("scene.toml", "scene.toml", "scene.TOML", "a\nb.toml", "\x1b[31m.toml"))
    placed(random, path, lambda: recipe_bytes(random))
    return path


def _read_scene(path: Path, folder: Path) -> list[str]:
    scene, notices = scenes.load_with_notices(path)
    again, _ = recipe.from_text(recipe.to_text(scene))
    assert again == scene, "what was read is not what is written of it"
    return shown(notices, folder)


def _make_project(random: Random, folder: Path) -> Path:
    shelves = [
        Shelf((Variant("0123abcd", "One", one), Variant("4567cdef", "Another", Scene(name="one"), star=True)))
        for one in map(scenes.load, scenes.presets()[:3])
    ]
    path = folder / "lands.toml"
    one, other = (project.to_text(random.choice(shelves)) for _ in range(2))
    placed(random, path, lambda: damage.recipe(random, one, other))
    return path


def _read_project(path: Path, folder: Path) -> list[str]:
    found = project.load(path)
    assert project.from_text(project.to_text(found.shelf), "again", folder)[0] == found.shelf
    return list(found.notices)


def _make_deck(random: Random, folder: Path) -> Path:
    lands = [scenes.load(name) for name in scenes.presets()[:3]]
    decks = [Deck((Slide(one, "A land"), Slide(Scene(name="one"), "", "cut")), Showing(turn=True)) for one in lands]
    path = folder / "deck.toml"
    one, other = (deck_file.to_text(random.choice(decks)) for _ in range(2))
    placed(random, path, lambda: damage.recipe(random, one, other))
    return path


def _read_deck(path: Path, folder: Path) -> list[str]:
    deck, notices = deck_file.load(path)
    assert deck_file.from_text(deck_file.to_text(deck), "again", folder)[0] == deck
    return notices


_SHOTS = """
shots = 1
scene = "dunes"
size = "64x40"
samples = 1
passes = ["depth"]
name = "{scene}-{camera}-{number}"
[[variants]]
name = "one"
noise.seed = 7
[[variants]]
scene = "lands.toml"
[[cameras]]
name = "low"
y = 40.0
[[suns]]
azimuth = 80
elevation = 6.5
[[views]]
mode = "slope"
"""


def _make_shots(random: Random, folder: Path) -> Path:
    _with_neighbours(random, folder)
    (folder / "lands.toml").write_text(_recipes()[0])
    path = folder / "list.toml"
    placed(random, path, lambda: damage.recipe(random, _SHOTS, random.choice((_SHOTS, _recipes()[1]))))
    return path


def _read_shots(path: Path, folder: Path) -> list[str]:
    listed, notices = shot_list.load(path, folder / "out")
    assert all(one.path.parent == folder / "out" for one in listed), "a picture in a folder of the list's choice"
    assert not any(one.is_taken() for one in listed)
    return shown(notices, folder)


_FILMS = (
    'film = 1\nkind = "turntable"\nframes = 9\nrate = 24.5\nsize = "64x48"\n[turntable]\npitch = -20\n',
    'film = 1\nkind = "day"\nset = { "sun.elevation" = 3 }\n[day]\nlatitude = 60\ndate = 12\nstart = 3\nend = 22\n',
    'film = 1\nkind = "sweep"\n[sweep]\n"noise.frequency" = [2, 8, 3]\n"erosion.kind" = ["none", "thermal"]\n',
    'film = 1\nkind = "morph"\nscene = "scene.toml"\n[morph]\nto = "volcano"\n',
    'film = 1\nkind = "flight"\nscene = "scene.toml"\n[flight]\nspeed = 90\nlook_ahead = 20\nclosed = true\n',
    'film = 1\nkind = "erosion"\nscene = "canyon"\n',
)


def _make_film(random: Random, folder: Path) -> Path:
    cameras = [Camera(x=random.uniform(0, 900), z=random.uniform(0, 900)) for _ in range(random.randrange(4))]
    bookmarks = tuple(Bookmark(number, "a", one) for number, one in enumerate(cameras, start=1))
    text = recipe.to_text(dataclasses.replace(Scene(), bookmarks=bookmarks))
    whole = random.random() < 0.8
    (folder / "scene.toml").write_bytes(text.encode() if whole else damage.recipe(random, text, text))
    path = folder / "film.toml"
    placed(random, path, lambda: damage.recipe(random, random.choice(_FILMS), random.choice(_FILMS)))
    return path


def _read_film(path: Path, folder: Path) -> list[str]:
    film, notices = film_file.load(path)
    plain = HeightField(np.zeros((8, 8), np.float32), (100.0, 100.0))
    frame = film.planned(Setting(1.5, lambda scene: plain, lambda scene, field: None))
    for number in {0, film.timing.frames // 2, film.timing.frames - 1}:
        frame(number)
    return shown(notices, folder)


def _make_text(random: Random, folder: Path) -> str:
    _with_neighbours(random, folder)
    return recipe_bytes(random).decode(errors="surrogateescape" if random.random() < 0.05 else "replace")


def _read_text(text: str, folder: Path) -> list[str]:
    _, notices = scenes.from_text(text, "pasted text", folder)
    return shown(notices, folder)


# -- short texts -------------------------------------------------------------------------------------------------------


@functools.cache
def _some_short_texts() -> tuple[str, ...]:
    changes = {"noise.seed": 7, "noise.frequency": 2.37, "erosion.kind": "hydraulic", "water.animate": True}
    return tuple(short_texts.to_text(scenes.load(name).replace(changes)) for name in ("alpine-range", "rocky-coast"))


def _make_short(random: Random, folder: Path) -> str:
    """Return a short text that is damaged as a text, or whose bytes are any under a right check."""
    text = random.choice(_some_short_texts())
    start, _, digits = text.rpartition("-")
    if random.random() < 0.5:
        letters = list(text)
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(letters))
            letters[at] = random.choice(("", "-", "0", "z", "\x1b", "\0", "é", "9" * 50, letters[at] * 2_000))
        return "".join(letters)
    content = bytearray(short_text._in_bytes(digits)[:-4])
    for _ in range(random.randrange(4)):
        at = random.randrange(len(content))
        content[at : at + random.randrange(3)] = random.choice((b"", b"\xff", b"\xff" * 9, b"\x80" * 500, b"\0"))
    for _ in range(random.randrange(3)):
        key = random.choice(
            ("imported.path", "imported.enabled", "noise.seed", "sun.azimuth", "ground.palette", "name")
        )
        value = random.choice((b"\1", b"\4/dev", b"\xff" * 9, b"\x80" * 500 + b"\1", b"\xfe\1", random.randbytes(3)))
        content += short_text.key_mark(key) + value
    start = random.choice((*[f"{start}-"] * 7, "fv1-dunes-999-", "fv1-none-1-", "fv9999-dunes-1-"))
    return start + short_text._in_digits(bytes(content) + short_text._check(start, bytes(content)))


def _read_short(text: str, folder: Path) -> list[str]:
    scene, notices = scenes.load_with_notices(text)
    assert recipe.from_text(recipe.to_text(scene))[0] == scene, "what was read is not what is written of it"
    return shown(notices, folder)


# -- pictures ----------------------------------------------------------------------------------------------------------


def _pixels(random: Random) -> np.ndarray:
    return np.frombuffer(random.randbytes(16 * 12 * 4), np.uint8).reshape(12, 16, 4)


@functools.cache
def _picture(text: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        pictures.save(path, _pixels(Random(1)), text)
        return path.read_bytes()


def saved(image: Image.Image, name: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, name, **options)
    return file.getvalue()


_FOREIGN = (
    "EPS",
    "GIF",
    "BMP",
    "WEBP",
    "ICO",
    "PPM",
    "JPEG",
    "JPEG2000",
    "PDF",
    "TIFF",
    "TGA",
    "PCX",
    "SGI",
    "DDS",
    "IM",
)
_LEADS = (
    b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n/loop {loop} def {} loop\n",
    b"\xc5\xd0\xd3\xc6" + b"\x20\0\0\0\x40\0\0\0" + b"\0" * 22 + b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
    b"8BPS\0\x01" + b"\0" * 6 + b"\0\x03\0\0\0\x20\0\0\0\x20\0\x08\0\x03" + b"\0" * 200,
    b"#define x_width 99999999\n#define x_height 99999999\nstatic char x_bits[] = {\n",
    b"P6\n99999 99999\n255\n",
    b"SIMPLE  =                    T" + b" " * 50 + b"END",
    b"\x89HDF\r\n\x1a\n" + b"\0" * 100,
    b"GRIB" + b"\0" * 100,
    b"BLP2" + b"\0" * 200,
    b"icns\0\0\0\x10" + b"\0" * 100,
)
"""The beginnings of formats that Pillow knows and Fellview does not."""


def foreign(random: Random) -> bytes:
    """Return a picture of a format that is none of ours, whole or damaged."""
    if random.random() < 0.4:
        return random.choice(_LEADS) + random.randbytes(random.choice((0, 100, 5000)))
    image = Image.fromarray(_pixels(random)[..., :3].copy())
    try:
        content = saved(image, random.choice(_FOREIGN))
    except (OSError, KeyError):  # not every build of Pillow writes all of them
        content = saved(image, "GIF")
    return content if random.random() < 0.5 else damage.damaged(random, content)


def picture_bytes(random: Random) -> bytes:
    """Return a picture with its recipe, damaged."""
    way = random.randrange(10)
    if way < 2:
        return foreign(random)
    if way < 4:
        text = recipe_bytes(random).decode(errors="replace").replace("\0", "")
        return _picture.__wrapped__(text)
    content = _picture(random.choice(_recipes()))
    return damage.damaged(random, content) if way < 6 else damage.png(random, content)


def _make_picture(random: Random, folder: Path) -> Path:
    _with_neighbours(random, folder)
    path = folder / random.choice(("land.png", "land.png", "land.PNG", "a\nb.png"))
    placed(random, path, lambda: picture_bytes(random))
    return path


def _read_picture(path: Path, folder: Path) -> list[str]:
    with contextlib.suppress(InputError):
        pictures.has_recipe(path)
    return _read_scene(path, folder)


# -- height maps -------------------------------------------------------------------------------------------------------

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


# -- textures of one's own ---------------------------------------------------------------------------------------------


def _of(name: str) -> Bytes:
    """Return what makes pictures of the format that Pillow calls `name`, whole or damaged."""

    def made(random: Random) -> bytes:
        image = Image.fromarray(_pixels(random)[..., :3].copy())
        content = saved(random.choice((image, image.convert("L"), image.resize((1, 1)))), name)
        return content if random.random() < 0.3 else damage.damaged(random, content)

    return made


def _make_texture(random: Random, folder: Path) -> Path:
    path = folder / f"rock{random.choice(('.png', '.jpg', '.gif', '.tif', '.eps', '.psd'))}"
    makers = (*FOREIGN_FILES["TEXTURE"].values(), foreign)
    placed(random, path, lambda: random.choice(makers)(random))
    return path


def _read_texture(path: Path, folder: Path) -> list[str]:
    for found in ground_textures.found(str(folder)).values():
        layer = ground_textures.read(found)
        assert layer.shape == (ground_textures.SIZE, ground_textures.SIZE, 3) and layer.dtype == np.uint8
    return []


# -- what a session leaves behind --------------------------------------------------------------------------------------


class Still:
    """A computer that never computes: what is read and kept is asked here, not what comes of it."""

    name = "still"

    def __init__(self, listener: Any) -> None:
        pass

    def submit(self, job: Any) -> None:
        pass

    def cancel(self) -> None:
        pass

    def keep(self) -> None:
        pass

    def acknowledge_death(self) -> None:
        pass

    def close(self) -> None:
        pass


def _session(folder: Path) -> session.Session:
    return session.Session(lambda: None, folder, computers=[Still])


@functools.cache
def _state() -> dict[str, bytes]:
    """Return the files that two windows leave in the state folder, by name."""
    small = scenes.load("directx-demo").replace({"grid.rows": 16, "grid.columns": 16})
    found = {}
    for place in ("20260101-000000-00000001", "20260102-000000-00000002"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "state"
            claim = sessions.claim(folder)
            one = _session(claim.folder)
            one.start(small)
            one.keep(at_once=True)
            land = HeightField(np.ones((16, 16), np.float32), (1.0, 1.0))
            land_cache.store(claim.folder, small.terrain_groups(), land)
            one.close()
            claim.release()
            settings.keep(folder, settings.Settings(panel_width=400.0))
            crashes.CrashLog(folder).note(ValueError("something"), "drawing")
            for path in folder.rglob("*"):
                if path.is_file():
                    found[str(path.relative_to(folder)).replace(claim.folder.name, place)] = path.read_bytes()
    return found


def state_files() -> tuple[str, ...]:
    """Return the names of the files that windows leave."""
    return tuple(sorted(_state()))


def _make_state(random: Random, folder: Path) -> Path:
    state = folder / "state"
    if random.random() < 0.02:
        placed(random, state, lambda: b"not a folder")
        return state
    state.mkdir()
    if random.random() < 0.02:
        placed(random, state / "sessions", lambda: b"not a folder")
    formerly = random.random() < 0.3  # without a folder for each session
    for name, content in sorted(_state().items()):
        makers: tuple[Callable[[], bytes], ...] = (
            lambda content=content: content,
            lambda content=content: damage.damaged(random, content),
            lambda: recipe_bytes(random),
            lambda: random.randbytes(200),
        )
        path = state / (Path(name).name if formerly and random.random() < 0.5 else name)
        if random.random() < 0.9 and not os.path.lexists(path):
            with contextlib.suppress(OSError):  # where the folder for it is no folder
                path.parent.mkdir(parents=True, exist_ok=True)
                placed(random, path, random.choice(makers))
                os.utime(path, (0, random.randrange(10**9)), follow_symlinks=False)
    return state


def _read_state(state: Path, folder: Path) -> list[str]:
    """Start as the window does, change something, write the session, and start again: nothing may be in the way."""
    told = []
    for _ in range(2):
        log = crashes.CrashLog(state)
        settings.load(state)
        claim = sessions.claim(state)
        sessions.sweep(state)
        atomic.sweep([state, *sessions.folders(state)])
        one = _session(claim.folder)
        try:
            if not one.restore(claim.source):
                one.start(scenes.load(scenes.OPENING_PRESET))
            if text := claim.tell():
                one.notify(text)
            log.note(ValueError("something"), "drawing")
            one.set(one.scene.replace({"noise.seed": (one.scene.noise.seed + 1) % 1000}), "Seed")
            one.keep(at_once=True)
            told += one.notices
        finally:
            one.close()
            claim.release()
    return told


# -- the command line --------------------------------------------------------------------------------------------------

_WORDS = (
    *(
        "view",
        "render",
        "export",
        "sheet",
        "shots",
        "info",
        "--version",
        "--help",
        "-h",
        "--",
        "-",
        "",
        " ",
        "--safe",
        "--nothing",
    ),
    *("-o", "--out", "--set", "--size", "--samples", "--engine", "--vary", "--mask"),
)
_VALUES = (
    *(
        "",
        "x",
        "a.png",
        "a.npy",
        "a.r16",
        "a.toml",
        ".",
        "/",
        "/dev/full",
        "/dev/null",
        "/proc/x/a.png",
        "no/such/a.png",
    ),
    *(
        "0x0",
        "16x16",
        "99999x99999",
        "9" * 5_000 + "x1",
        "x",
        "-1x-1",
        "１x１",
        "1e3x1",
        "4",
        "0",
        "-1",
        "9" * 5_000,
        "nan",
    ),
    *("auto", "cpu", "gpu", "slope", "nothing", "highlands", "alps", "a\nb", "\x1b[31m", "\udcff", "é", "x" * 5_000),
    *(
        "noise.seed=1",
        "noise.seed=1,2,3",
        "noise.frequency=2:16:4",
        "noise.frequency=1:2:100000000",
        "noise.seed=1:2:0",
    ),
    *(
        "noise.frequency=nan",
        "noise.frequency=" + "9" * 5_000,
        "a.b=1",
        "noise.=1",
        "=",
        "noise.kind=x\ny",
        "grid.rows=9999",
    ),
    *(
        "noise.seed=" + "9" * 5_000,
        "noise.seed=" + "1," * 5_000 + "1",
        "noise.amplitude=1:1e308:3",
        "view.mode=slope,\x07",
    ),
    *("imported.path=/dev/zero", "imported.path=pipe.r16", "imported.path=.", "ground.textures=/dev/zero"),
    *("noise.frequency=1:2:" + "9" * 5_000, "noise.frequency=1:2:²", "noise.frequency=a:b:c", "sun.azimuth=inf:nan:2"),
)
_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("render", "-o", "a.png"),
    ("export", "-o", "a.npy"),
    ("sheet", "-o", "a.png", "--vary", "noise.seed=1,2"),
    ("turntable", "-o", "frames"),
    ("view",),
    (),
)


def _make_words(random: Random, folder: Path) -> list[str]:
    os.mkfifo(folder / "pipe.r16")
    words = list(random.choice(_COMMANDS))
    for _ in range(random.randrange(1, 5)):
        more = [
            random.choice(("--set", "--set", "--vary", "--size", "--samples", "--engine", "--mask", "-o")),
            random.choice(_VALUES),
        ]
        if random.random() < 0.3:
            more = [random.choice((*_WORDS, *_VALUES))]
        at = random.randrange(len(words) + 1) if random.random() < 0.2 else len(words)
        words[at:at] = more
    if random.random() < 0.1:
        words = [word[: random.randrange(len(word) + 1)] for word in words]
    return words


class _ReachedError(InputError):
    """What the command line was to lead to has been reached."""


def _read_words(words: list[str], folder: Path) -> list[str]:
    """Run the command up to where heights are computed or a window opens."""

    def reached(*given: Any, **more: Any) -> None:
        raise _ReachedError("reached")

    before = Path.cwd()
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict")
    error = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace")
    ends = ((library, "generate_with_notices"), (capture, "picture"), (viewer, "run"), (info, "text"))
    kept = [(module, name, getattr(module, name)) for module, name in ends]
    aside = gpu_context.aside
    try:
        os.chdir(folder)
        for module, name, _ in kept:
            setattr(module, name, reached)
        gpu_context.aside = reached
        # a compute process for every command would take minutes
        without_child = mock.patch("fellview.compute.child.Child")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), without_child:
            try:
                status = cli.main(words)
            except SystemExit as end:
                status = end.code or 0
        error.flush()
        lines = error.buffer.getvalue().decode().split("\n")  # type: ignore[attr-defined]
    finally:
        os.chdir(before)
        for module, name, function in kept:
            setattr(module, name, function)
        gpu_context.aside = aside
    assert status in (0, 2), f"status {status}"
    assert lines.pop() == "", "a last line without its end"
    assert all(line.startswith("fellview: ") for line in lines), f"a line of nobody's: {lines[:3]}"
    assert (status == 2) == any(lines) or status == 0, "status 2 without a word"
    if status == 2 and len(lines) > 1:
        assert "reached" in lines[-1], f"more than one line: {lines[:3]}"
    return lines


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
    "TEXTURE": {
        "PNG": picture_bytes,
        "JPEG": _of("JPEG"),
        "TIFF": tiff_bytes,
        "WEBP": _of("WEBP"),
        "GIF": _of("GIF"),
        "BMP": _of("BMP"),
    },
}
"""By the kinds of `core/foreign.py`: what makes a picture of each format that is read; the others are text."""

KINDS: dict[str, Kind] = {
    "recipe": Kind(_make_recipe, _read_scene),
    "project": Kind(_make_project, _read_project),
    "deck": Kind(_make_deck, _read_deck),
    "shots": Kind(_make_shots, _read_shots),
    "film": Kind(_make_film, _read_film),
    "pasted": Kind(_make_text, _read_text),
    "short": Kind(_make_short, _read_short),
    "picture": Kind(_make_picture, _read_picture),
    "heights": Kind(_make_heights, _read_heights),
    "texture": Kind(_make_texture, _read_texture),
    "state": Kind(_make_state, _read_state, sure=True),
    "words": Kind(_make_words, _read_words, sure=True, may_write=("/", "/dev", "/proc")),
}
"""Every way in, by name."""
