import os
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fellview.core import compiled, kernel_files
from fellview.core.compiled import Kernel, kernel, prange


@kernel()
def _half(x):
    return x * 0.5


@kernel(parallel=True)
def _halves(values):
    halves = np.empty_like(values)
    for i in prange(values.size):
        halves[i] = _half(values[i])
    return halves


def test_a_kernel_may_call_kernels_and_run_in_parallel():
    np.testing.assert_array_equal(_halves(np.arange(5.0)), np.arange(5.0) / 2)
    assert isinstance(_half, Kernel) and _half.__name__ == "_half"


def test_a_parallel_kernel_has_a_serial_form_with_the_same_result():
    values = np.arange(5.0)
    np.testing.assert_array_equal(_halves.serial(values), _halves(values))
    assert _halves.serial is _halves.serial and not _halves.serial.dispatcher.targetoptions.get("parallel")


def test_parallel_kernels_can_be_held_to_one_thread_and_go_back_to_all():
    usual, values = compiled.threads(), np.arange(5.0)
    with compiled.in_one_thread():
        assert compiled.threads() == 1
        np.testing.assert_array_equal(_halves(values), values / 2)
    assert compiled.threads() == usual


def test_reading_the_declarations_imports_no_numba():
    app = Path(compiled.__file__).parents[2]
    modules = [
        ".".join(source.relative_to(app).with_suffix("").parts)
        for room in ("core", "noise", "terrain", "scene")
        for source in (app / "fellview" / room).rglob("[!_]*.py")
    ]
    program = f"import sys, {', '.join(sorted(modules))}; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.fixture
def package(tmp_path):
    """A copy of the package whose sources a test may edit."""
    copy = tmp_path / "fellview"
    for room in ("core", "noise", "terrain", "mesh"):
        shutil.copytree(Path(compiled.__file__).parents[1] / room, copy / room)
    return copy


@pytest.fixture
def cache_folder(package, tmp_path):
    """What returns the folder of its kernels, in a cache of its own."""
    return lambda: compiled.cache_folder(package, tmp_path / "cache")


@pytest.mark.parametrize("source", ["noise/classic.py", "terrain/steps/erosion.py", "core/compiled.py"])
def test_an_edit_of_any_source_has_a_cache_of_its_own(package, cache_folder, source):
    before = cache_folder()
    assert cache_folder() == before and before.is_dir()
    path = package / source
    original = path.read_text()
    path.write_text(original + "\n# changed\n")
    assert cache_folder() != before
    path.write_text(original)
    assert cache_folder() == before


def test_a_new_source_has_a_cache_of_its_own(package, cache_folder):
    before = cache_folder()
    (package / "terrain" / "glacier.py").write_text("")
    assert cache_folder() != before


def test_only_a_few_old_caches_are_kept_and_never_the_one_in_use(package, cache_folder):
    for edit in range(8):
        (package / "terrain" / "glacier.py").write_text(f"# {edit}")
        folder = cache_folder()
        assert folder.is_dir() and len(list(folder.parent.iterdir())) <= 4


# -- what is kept of them --------------------------------------------------------------------------------------------


def _third(x):
    return x / 3 + 1


@pytest.fixture
def folder(tmp_path):
    """A cache folder with one kernel in it; its one file is returned by `kept`."""
    assert times_found(tmp_path / "kernels") == 0
    return tmp_path / "kernels"


def kept(folder):
    (path,) = folder.iterdir()
    return path


def times_found(folder):
    """Run a kernel as a program that has just started does; return how often it was found and not compiled."""
    fresh = Kernel(_third, {}, folder=folder)
    assert fresh(7.5) == 3.5
    return sum(fresh.dispatcher.stats.cache_hits.values())


def test_a_kernel_is_compiled_once(folder):
    assert times_found(folder) == times_found(folder) == 1


def test_no_bit_of_a_kept_kernel_can_be_wrong(folder):
    path = kept(folder)
    whole = path.read_bytes()
    places = [*range(60), *np.random.default_rng(5).integers(60, len(whole), 60), len(whole) - 1]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(place) % 8
        path.write_bytes(damaged)
        assert kernel_files.read(path) is None and not path.exists(), f"byte {place} of {len(whole)}"


class Planted:
    """Makes a folder when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("planted",)


def as_folder(path):
    path.unlink()
    (path / "deep").mkdir(parents=True)


DAMAGE = {
    "one bit": lambda path: path.write_bytes(
        path.read_bytes()[:-9] + bytes([path.read_bytes()[-9] ^ 4]) + path.read_bytes()[-8:]
    ),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "nothing": lambda path: path.write_bytes(b""),
    "a pickle": lambda path: path.write_bytes(pickle.dumps(Planted())),
    "a pickle for its rest": lambda path: path.write_bytes(path.read_bytes()[:48] + pickle.dumps(Planted())),
    "a folder": as_folder,
    "of another version": lambda path: kernel_files.write(path, b"\x80\x05."),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_kernel_is_compiled_anew(folder, tmp_path, monkeypatch, damage):
    monkeypatch.chdir(tmp_path)
    damage(kept(folder))
    assert times_found(folder) == 0
    assert times_found(folder) == 1  # the next start finds it right again
    assert kept(folder).is_file() and not Path("planted").exists()


def test_a_kernel_of_another_name_is_not_taken(folder):
    path = kept(folder)
    other = path.rename(path.with_name("other.kernel"))
    assert kernel_files.read(other) is None


def test_where_nothing_can_be_kept_kernels_run_all_the_same(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file" / "kernels", Path("/proc/kernels")):
        assert times_found(folder) == times_found(folder) == 0


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), OSError(30, "Read-only file system")])
def test_a_full_disk_leaves_nothing_half_written(tmp_path, monkeypatch, fault):
    folder = tmp_path / "kernels"

    def full(path, content):
        with path.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        assert times_found(folder) == times_found(folder) == 0
    assert not list(folder.iterdir())
    assert (times_found(folder), times_found(folder)) == (0, 1)


def test_a_cache_that_cannot_be_made_ends_nothing(cache_folder, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder would be")
    assert not cache_folder().exists()


def test_what_killed_processes_left_is_swept_an_hour_later(tmp_path):
    for name, hours in (("a.kernel", 2), ("a.kernel.17.part", 2), ("a.kernel.18.part", 0)):
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (time.time() - 3600 * hours,) * 2)
    kernel_files.sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.kernel", "a.kernel.18.part"]


def test_two_that_write_one_kernel_leave_one_of_theirs(tmp_path):
    path = tmp_path / "a.kernel"
    program = (
        "import sys; from pathlib import Path; from fellview.core import kernel_files\n"
        "for _ in range(300): kernel_files.write(Path(sys.argv[1]), sys.argv[2].encode() * 50_000)"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, path, letter]) for letter in "ab"]
    found = set()
    while any(writer.poll() is None for writer in writers):
        content = kernel_files.read(path)
        assert content is None or (len(content) == 50_000 and len(set(content)) == 1)
        found.add(content)
    assert all(writer.returncode == 0 for writer in writers)
    assert len(found - {None}) == 2 and list(tmp_path.iterdir()) == [path]
