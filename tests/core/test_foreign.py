"""Files from outside: devices, pipes, sizes, names and pictures of formats that nobody asked for."""

import ast
import json
import os
import socket
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, PngImagePlugin, TiffImagePlugin

from fellview.core import foreign
from fellview.core.errors import FellviewError, InputError
from fellview.draw.ground import ground_textures
from fellview.heightmaps import height_file
from fellview.io import pictures, scenes

ROOT = Path(__file__).parents[2]
READERS = {
    "a.toml": scenes.load,
    "a.png": pictures.read_recipe,
    "map.png": height_file.read,
    "map.tif": height_file.read,
    "map.npy": height_file.read,
    "map.r16": height_file.read,
    "rock.png": ground_textures.read,
}


def refused(read, path, *parts):
    """Assert that `path` is refused in one printable line that names it, and return the line."""
    with pytest.raises(InputError) as caught:
        read(path)
    line = str(caught.value)
    assert line.isprintable() and path.suffix in line
    assert all(part in line for part in parts), line
    return line


def make_pipe(path):
    os.mkfifo(path)


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(path))  # such names are short


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes are POSIX")
@pytest.mark.parametrize(("name", "read"), READERS.items())
@pytest.mark.parametrize(
    ("make", "what"),
    [
        (make_pipe, "a pipe"),
        (make_socket, "a socket"),
        (lambda path: path.mkdir(), "a folder"),
        (lambda path: path.symlink_to("/dev/zero"), "a device"),
        (lambda path: path.symlink_to(path.with_name("pipe")) or os.mkfifo(path.with_name("pipe")), "a pipe"),
        (lambda path: path.symlink_to(path), "symbolic links"),
    ],
    ids=["pipe", "socket", "folder", "link to a device", "link to a pipe", "link to itself"],
)
def test_only_regular_files_are_opened(tmp_path, monkeypatch, name, read, make, what):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / name)
    refused(read, tmp_path / name, "cannot be read", what)


@pytest.mark.skipif(os.name != "posix", reason="sparse files")
@pytest.mark.parametrize(("name", "read"), READERS.items())
def test_no_file_is_read_that_is_larger_than_stated(tmp_path, name, read):
    with (tmp_path / name).open("wb") as file:
        file.truncate(20_000_000_000)
    refused(read, tmp_path / name, "20,000,000,000 bytes", "expected a ", " MB")


def test_no_more_is_read_than_stated_of_a_file_that_tells_no_length(tmp_path, monkeypatch):
    path = tmp_path / "a.toml"
    path.write_bytes(bytes(2_000_000))
    monkeypatch.setattr(foreign, "_require_regular", lambda *_: None)
    refused(scenes.load, path, "over 1,000,000 bytes", "a recipe of at most 1 MB")


@pytest.mark.parametrize(("name", "read"), READERS.items())
@pytest.mark.parametrize("odd", ["\0", "\ud800", "x" * 5000, "\x1b[31m\n"], ids=["NUL", "half", "long", "escape"])
def test_odd_names_are_refused_in_a_line(tmp_path, name, read, odd):
    line = refused(read, Path(f"{tmp_path}/{odd}.{name}").with_name(f"a{odd}{name}"), "cannot be read")
    assert len(line) < 1500


def test_a_link_to_a_regular_file_is_as_good_as_the_file(tmp_path):
    scenes.save(tmp_path / "a.toml", scenes.load("directx-demo"))
    (tmp_path / "b.toml").symlink_to("a.toml")
    assert scenes.load(tmp_path / "b.toml") == scenes.load("directx-demo")


@pytest.mark.parametrize("name", ["a.png", "map.png", "map.tif", "rock.png"])
@pytest.mark.parametrize("format", ["EPS", "PCX", "ICO", "PPM", "TGA", "SGI", "JPEG2000", "PDF"])
def test_no_decoder_but_the_stated_ones_sees_a_picture(tmp_path, monkeypatch, name, format):
    """Named as one of ours and a picture of another format, it reaches neither Ghostscript nor Pillow's plug-in."""
    try:
        Image.new("L", (16, 16), 9).save(tmp_path / name, format)
    except (OSError, KeyError) as fault:
        pytest.skip(f"Pillow here writes none: {fault}")
    monkeypatch.setattr(subprocess, "check_call", lambda *_, **__: pytest.fail("a program was started"))
    opened = []
    for plugin in [name for name in sys.modules if name.startswith("PIL.") and name.endswith("ImagePlugin")]:
        for value in vars(sys.modules[plugin]).values():
            if isinstance(value, type) and getattr(value, "format", None) == format and hasattr(value, "_open"):
                monkeypatch.setattr(value, "_open", lambda self: opened.append(self))
    refused(READERS[name], tmp_path / name, "PNG" if name != "a.png" else "a picture that Fellview saved")
    assert not opened


def _calls_of_open(path):
    """Return the lines at which a module opens a picture by Pillow without saying of which formats."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=module, attr="open"), keywords=said):
                if "Image" in ast.unparse(module) and "formats" not in [one.arg for one in said]:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_no_picture_is_opened_by_whatever_decoder_takes_it():
    sources = [path for room in ("app", "scripts", "benchmarks") for path in (ROOT / room).rglob("*.py")]
    assert len(sources) > 100
    assert [place for path in sources for place in _calls_of_open(path)] == []


def test_every_stated_decoder_is_tried_by_a_case_here():
    """A format that joins the table joins it with what damaged files of it do."""
    assert set(foreign.PICTURE_FORMATS) == set(PICTURES)
    assert {name for kind in KINDS for name in kind.formats} == set(PICTURES)


KINDS = [one for one in vars(foreign).values() if isinstance(one, foreign.Kind)]
PICTURES = {
    "PNG": np.arange(4096, dtype=np.uint16).reshape(64, 64),
    "TIFF": np.arange(4096, dtype=np.float32).reshape(64, 64),
    "JPEG": np.arange(4096, dtype=np.uint8).reshape(64, 64),
    "WEBP": np.arange(12288, dtype=np.uint8).reshape(64, 64, 3),
    "GIF": np.arange(4096, dtype=np.uint8).reshape(64, 64),
    "BMP": np.arange(4096, dtype=np.uint8).reshape(64, 64),
}


@pytest.mark.parametrize("compression", ["raw", "packbits", "tiff_lzw", "tiff_adobe_deflate", "zstd"])
def test_a_tiff_is_read_however_it_is_packed_without_loss(tmp_path, compression):
    Image.fromarray(PICTURES["TIFF"]).save(tmp_path / "a.tif", compression=compression)
    np.testing.assert_array_equal(height_file.read(tmp_path / "a.tif").values, PICTURES["TIFF"])


@pytest.mark.parametrize("compression", ["group3", "group4", "tiff_ccitt", "lzma"])
def test_no_more_of_libtiff_is_used_than_stated(tmp_path, compression):
    Image.new("L" if compression == "lzma" else "1", (32, 32)).save(tmp_path / "rock.tif", compression=compression)
    for read in (height_file.read, ground_textures.read):
        refused(read, tmp_path / "rock.tif", "TIFF (raw, packbits, tiff_lzw")


@pytest.mark.filterwarnings("ignore::UserWarning:PIL.TiffImagePlugin")  # pytest puts our own filter aside
@pytest.mark.parametrize("format", PICTURES)
def test_damaged_pictures_are_refused_in_a_line_or_read(tmp_path, format):
    """Cut off at every tenth of the file, and with bytes changed all over it."""
    whole, path = tmp_path / "whole", tmp_path / "rock.png"
    options = {"compression": "tiff_lzw"} if format == "TIFF" else {}
    Image.fromarray(PICTURES[format]).save(whole, format, **options)
    content, random = whole.read_bytes(), np.random.default_rng(7)
    broken = [content[: len(content) * tenth // 10] for tenth in range(10)]
    for _ in range(60):
        changed = bytearray(content)
        for place in random.integers(0, min(len(content), 400), 3):
            changed[place] = random.integers(256)
        broken.append(bytes(changed))
    for each in broken:
        path.write_bytes(each)
        for read in (ground_textures.read, height_file.read):
            try:
                read(path)
            except FellviewError as fault:
                assert str(fault).isprintable() and "rock.png" in str(fault)


# -- recipes in pictures


def _with_text(path, kind, text, key=pictures.RECIPE_KEY):
    chunks = PngImagePlugin.PngInfo()
    match kind:
        case "iTXt" | "iTXt, zipped":
            chunks.add_itxt(key, text, "en", "recipe", zip="zipped" in kind)
        case _:
            chunks.add_text(key, text, zip=kind == "zTXt")
    Image.new("L", (5, 4)).save(path, "PNG", pnginfo=chunks)
    return path


@pytest.mark.parametrize("kind", ["iTXt", "iTXt, zipped", "zTXt", "tEXt"])
def test_a_recipe_is_read_from_every_kind_of_text(tmp_path, kind):
    text = "sentence = 'Höhe'\n" * 50_000
    assert pictures.read_recipe(_with_text(tmp_path / "a.png", kind, text)) == text
    _with_text(tmp_path / "b.png", kind, text, "fellview-recipe-of-another")
    assert not pictures.has_recipe(tmp_path / "b.png")


@pytest.mark.parametrize("kind", ["iTXt", "iTXt, zipped", "zTXt", "tEXt"])
def test_a_recipe_in_a_picture_is_no_longer_than_one_in_a_file(tmp_path, kind):
    path = _with_text(tmp_path / "a.png", kind, " " * 1_000_001)
    refused(pictures.read_recipe, path, "at most 1,000,000 bytes")


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _picture(*chunks):
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + _chunk(b"IDAT", zlib.compress(b"\0\0"))


def test_text_that_swells_is_given_up(tmp_path):
    """200 MB in 200 kB: the text of that keyword is refused, and the others are not unpacked at all."""
    bomb = zlib.compressobj(9)
    zipped = b"".join(bomb.compress(bytes(10_000_000)) for _ in range(20)) + bomb.flush()
    key, path = pictures.RECIPE_KEY.encode(), tmp_path / "a.png"
    path.write_bytes(_picture(_chunk(b"zTXt", key + b"\0\0" + zipped), _chunk(b"IEND", b"")))
    refused(pictures.read_recipe, path, "at most 1,000,000 bytes")
    path.write_bytes(_picture(_chunk(b"iTXt", b"other\0\1\0\0\0" + zipped), _chunk(b"IEND", b"")))
    assert not pictures.has_recipe(path)


@pytest.mark.parametrize(
    "content",
    [
        _picture(),
        _picture(_chunk(b"iTXt", b"fellview-recipe\0\1\0\0\0no zip"), _chunk(b"IEND", b"")),
        _picture(_chunk(b"iTXt", b"fellview-recipe\0\0\0\0\0\xff"), _chunk(b"IEND", b"")),
        _picture(_chunk(b"IEND", b"")[:-1] + b"?"),
        _picture(struct.pack(">I4s", 2**31, b"IEND")),
    ],
    ids=["no end", "no zip", "no text", "checksum", "longer than the file"],
)
def test_a_damaged_picture_has_no_recipe(tmp_path, content):
    (tmp_path / "a.png").write_bytes(content)
    refused(pictures.has_recipe, tmp_path / "a.png", "truncated or not a PNG picture")


# -- height maps


def _header(text):
    text = text.encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize(
    "content",
    [
        b"PK\3\4" + bytes(100),
        b"\x93NUMPY\1\0\xff\xff",
        b"\x93NUMPY\7\0" + bytes(100),
        _header("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4), }"),
        _header("{'descr': '<f4', 'fortran_order': False, 'shape': (9000000000, 9000000000), }") + bytes(64),
        _header("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }") + bytes(64),
        _header("{'descr': '<f4', 'fortran_order': False, 'shape': (-4, -4), }") + bytes(64),
        _header(f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({'9' * 600}, 4), }}") + bytes(64),
        _header("{'descr': '|O', 'fortran_order': False, 'shape': (4, 4), }") + bytes(128),
        _header("{'descr': ('<f4', (4,)), 'fortran_order': False, 'shape': (4, 4), }") + bytes(256),
        _header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4, 4), }") + bytes(64),
        _header("[" * 900),
        _header("-" * 990 + "1"),
        _header("(" * 20_000),
        _header("__import__('os').abort()"),
    ],
)
def test_arrays_that_are_none_are_refused_in_a_line(tmp_path, content):
    (tmp_path / "a.npy").write_bytes(content)
    refused(height_file.read, tmp_path / "a.npy")


def test_archives_and_pickles_named_npy_are_refused_in_a_line(tmp_path):
    np.savez(tmp_path / "a.npz", np.ones((4, 4)))
    (tmp_path / "a.npz").rename(tmp_path / "a.npy")
    refused(height_file.read, tmp_path / "a.npy", "cannot be read")
    np.save(tmp_path / "b.npy", np.array([[{}, {}], [{}, {}]]), allow_pickle=True)
    refused(height_file.read, tmp_path / "b.npy", "expected numbers")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["<f8", ">f4", "<i2", "|u1", "<f2"])
def test_arrays_of_every_order_and_type_of_number_are_read(tmp_path, order, kind):
    values = np.arange(15).reshape(3, 5).astype(kind, order=order)
    np.save(tmp_path / "a.npy", values)
    np.testing.assert_array_equal(height_file.read(tmp_path / "a.npy").values, values.astype(np.float32))


@pytest.mark.parametrize("kind, told", [(2, "thirty"), (3, (30, 25)), (12, (float("nan"),) * 3), (4, (2**32 - 1,) * 9)])
@pytest.mark.parametrize("empty", ["", "nan", "none", "-9999"])
def test_tags_of_a_geotiff_that_say_something_else_are_none(tmp_path, kind, told, empty):
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags.tagtype[33550], tags[33550], tags[42113] = kind, told, empty
    Image.fromarray(PICTURES["TIFF"]).save(tmp_path / "dem.tif", tiffinfo=tags)
    found = height_file.read(tmp_path / "dem.tif")
    assert found.cell_size == {3: (25.0, 30.0)}.get(kind)
    assert not found.filled


def _facts(**changes):
    return {"rows": 4, "columns": 4, "minimum_m": 0.0, "maximum_m": 9.0} | changes


@pytest.mark.parametrize(
    "sidecar",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        json.dumps(_facts())[:-1] + ', "x": ' + "9" * 5000 + "}",
        '{"rows": 4, "columns": 4, "minimum_m": 0, "maximum_m": 1' + "0" * 400 + "}",
        json.dumps(_facts(minimum_m=float("nan"))),
        json.dumps(_facts(maximum_m=[1])),
        json.dumps(_facts(maximum_m="\x1b[31m" * 100_000)),
        json.dumps(_facts(rows=2.0)),
        json.dumps(_facts(rows=-4, columns=-4)),
        '{"rows": 1' + "0" * 4000 + ', "columns": 4, "minimum_m": 0, "maximum_m": 1}',
        b"\xff",
    ],
)
def test_sidecars_that_cannot_be_are_refused_in_a_line(tmp_path, sidecar):
    (tmp_path / "a.r16").write_bytes(bytes(32))
    beside = tmp_path / "a.r16.json"
    beside.write_bytes(sidecar if isinstance(sidecar, bytes) else sidecar.encode())
    line = refused(height_file.read, tmp_path / "a.r16", "a.r16")
    assert len(line) < 600


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes are POSIX")
def test_a_sidecar_that_is_no_file_is_refused(tmp_path):
    (tmp_path / "a.r16").write_bytes(bytes(32))
    os.mkfifo(tmp_path / "a.r16.json")
    refused(height_file.read, tmp_path / "a.r16", "a.r16.json", "is a pipe", "a sidecar of at most 4 MB")


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes are POSIX")
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/stdin", "pipe.png", "folder.npy", "../huge.r16"])
def test_a_scene_opens_without_a_height_map_that_is_no_file(tmp_path, name):
    """In a recipe that someone sent: with a notice, and without waiting."""
    (tmp_path / "sent" / "folder.npy").mkdir(parents=True)
    os.mkfifo(tmp_path / "sent" / "pipe.png")
    with (tmp_path / "huge.r16").open("wb") as file:
        file.truncate(20_000_000_000)
    (tmp_path / "sent" / "a.toml").write_text(f"[imported]\nenabled = true\npath = '{name}'\n")
    scene, notices = scenes.load_with_notices(tmp_path / "sent" / "a.toml")
    assert not scene.imported.enabled and len(notices) == 1 and "opens without it" in notices[0]


@pytest.mark.parametrize("name", ["gone", "a" * 4000, "a\0b", "rock.png"])
def test_a_folder_of_textures_that_is_none_is_refused_in_a_line(tmp_path, name):
    (tmp_path / "rock.png").write_bytes(b"")
    with pytest.raises(InputError, match=r"^ground\.textures = '.*: (no such folder|cannot be read: )") as caught:
        ground_textures.found(f"{tmp_path}/{name}")
    assert str(caught.value).isprintable()


def test_a_sidecar_of_another_program_says_nothing(tmp_path):
    (tmp_path / "a.r16").write_bytes(bytes(range(32)))
    (tmp_path / "a.r16.json").write_text(json.dumps({"rows": 2, "software": "another"}))
    assert height_file.read(tmp_path / "a.r16").values.shape == (4, 4)


def test_cell_sizes_of_no_meaning_are_none(tmp_path):
    (tmp_path / "a.r16").write_bytes(bytes(32))
    (tmp_path / "a.r16.json").write_text(json.dumps(_facts(cell_size_z_m=10**400, cell_size_x_m=2.0)))
    assert height_file.read(tmp_path / "a.r16").cell_size is None
