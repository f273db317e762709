"""What is kept in files comes back to the last bit, and nothing else ever does."""

import json
import os
import tempfile
import zlib

import numpy as np
import pytest

from fellview import paths
from fellview.core.errors import InputError
from fellview.io import array_cache

ARRAYS = (
    np.arange(24, dtype=np.uint8).reshape(2, 3, 4),
    np.linspace(-1, 1, 7).astype(np.float16),
    np.array([[np.pi]]),
    np.empty((0, 3), np.float32),
)


@pytest.fixture
def path(tmp_path):
    array_cache.write(tmp_path / "some.arrays", "of this", ARRAYS)
    return tmp_path / "some.arrays"


def equal(found, expected=ARRAYS):
    return all(
        one.dtype == other.dtype and one.shape == other.shape and np.array_equal(one, other)
        for one, other in zip(found, expected, strict=True)
    )


def test_arrays_come_back_to_the_last_bit(path):
    assert equal(array_cache.read(path, "of this"))


def test_what_was_read_ahead_is_had_once_and_by_its_key_alone(path, tmp_path):
    damaged, missing = tmp_path / "damaged.arrays", tmp_path / "missing.arrays"
    damaged.write_bytes(path.read_bytes()[:-1])
    array_cache.read_ahead([path, damaged, missing])
    assert [array_cache.read(one, "of this") for one in (damaged, missing)] == [None, None]
    path.unlink()
    assert equal(array_cache.read(path, "of this"))
    assert array_cache.read(path, "of this") is None
    array_cache.write(path, "of this", ARRAYS)
    array_cache.read_ahead([path])
    assert array_cache.read(path, "of that") is None
    array_cache.read_ahead([path])
    array_cache.forget_ahead()
    path.unlink()
    assert array_cache.read(path, "of this") is None


def test_arrays_of_another_key_are_not_taken(path):
    assert array_cache.read(path, "of that") is None
    assert array_cache.read(path.with_name("none"), "of this") is None


@pytest.mark.parametrize("kept", [0, 1, 40, 64, 100, -1])
def test_a_file_that_was_cut_short_is_not_taken(path, kept):
    path.write_bytes(path.read_bytes()[:kept])
    assert array_cache.read(path, "of this") is None


@pytest.mark.parametrize("place", [0, 5, 30, -1, -20, -40])
def test_a_file_with_one_changed_byte_is_not_taken(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 0x55
    path.write_bytes(content)
    assert array_cache.read(path, "of this") is None


@pytest.mark.parametrize("content", [b"\n", b"[]\n", b"{}\n", b"null\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"])
def test_a_foreign_file_is_not_taken(path, content):
    path.write_bytes(content)
    assert array_cache.read(path, "of this") is None


def test_no_bit_of_the_first_line_can_be_wrong(path):
    whole = path.read_bytes()
    line = whole[: whole.index(b"\n")].rstrip(b" ")
    for place in range(len(line)):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            path.write_bytes(damaged)
            assert array_cache.read(path, "of this") is None, damaged[: len(line)]


@pytest.mark.parametrize(
    "arrays", [[["<f8", [10**9, 10**9, 10**9]]], [["<f8", [10**400]]], [["|O", [1]]], [["<f8", [-1]]], [[None, [1]]], 7]
)
def test_shapes_and_types_that_cannot_be_are_not_taken(tmp_path, arrays):
    path = tmp_path / "some.arrays"
    checksum = zlib.crc32(b"12345678", zlib.crc32(json.dumps(arrays).encode()))
    path.write_text(json.dumps({"key": "of this", "arrays": arrays, "checksum": checksum}) + "\n12345678")
    found = array_cache.read(path, "of this")
    assert found is None or equal(found, (np.frombuffer(b"12345678"),))


@pytest.mark.skipif(os.name != "posix", reason="pipes are POSIX's")
def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(20_000_000_000)
    for name in ("pipe", "folder", "sparse"):
        assert array_cache.read(tmp_path / name, "of this") is None


class Maker:
    """Makes arrays, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self):
        self.times += 1
        return ARRAYS


@pytest.fixture
def folder():
    """A cache folder that a test has to itself."""
    with paths.temporary():
        yield paths.cache_folder()


@pytest.fixture
def maker(folder):
    return Maker()


def test_what_was_made_of_the_same_files_is_not_made_again(tmp_path, maker):
    source = tmp_path / "source"
    source.write_text("a")
    assert equal(array_cache.cached("things", [source], maker))
    assert equal(array_cache.cached("things", [source], maker))
    assert maker.times == 1


def test_another_source_has_it_made_anew(tmp_path, maker):
    source = tmp_path / "source"
    for text in ("a", "b"):
        source.write_text(text)
        assert equal(array_cache.cached("things", [source], maker))
    assert maker.times == 2


def test_a_damaged_file_is_made_anew_and_mended(folder, maker):
    array_cache.cached("things", [], maker)
    (file,) = folder.rglob("things.arrays")
    file.write_bytes(file.read_bytes()[:-3])
    assert equal(array_cache.cached("things", [], maker))
    assert equal(array_cache.cached("things", [], maker))
    assert maker.times == 2
    assert list(file.parent.iterdir()) == [file]  # nothing is left beside it


def test_without_a_folder_to_keep_it_in_it_is_made_all_the_same(folder, maker):
    folder.rmdir()
    folder.write_text("a file where the folder would be")
    assert equal(array_cache.cached("things", [], maker))
    with pytest.raises(InputError, match="cannot be written"):
        array_cache.write(folder / "made" / "x", "", ARRAYS)


def test_without_any_folder_for_caches_everything_is_made_all_the_same(tmp_path, folder):
    (tmp_path / "file").write_text("")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    maker = Maker()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FELLVIEW_CACHE", str(tmp_path / "file" / "cache"))
        patch.setattr(tempfile, "mkdtemp", full)
        paths.cache_folder.cache_clear()
        assert equal(array_cache.cached("things", [], maker)) and equal(array_cache.cached("things", [], maker))
    assert maker.times == 2
