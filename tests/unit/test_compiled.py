import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fellview import paths
from fellview.core import compiled
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


def test_reading_the_declarations_imports_no_numba():
    modules = [
        f"fellview.{room}.{source.stem}"
        for room in ("core", "noise", "terrain", "scene")
        for source in (Path(compiled.__file__).parents[1] / room).glob("[!_]*.py")
    ]
    program = f"import sys, {', '.join(sorted(modules))}; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package whose sources a test may edit, with a cache of its own."""
    copy = tmp_path / "fellview"
    for room in ("core", "noise", "terrain", "mesh"):
        shutil.copytree(Path(compiled.__file__).parents[1] / room, copy / room)
    monkeypatch.setattr(compiled, "__file__", str(copy / "core" / "compiled.py"))
    monkeypatch.setattr(paths, "cache_folder", lambda: tmp_path / "cache")
    return copy


@pytest.mark.parametrize("source", ["noise/classic.py", "terrain/erosion.py", "core/compiled.py"])
def test_an_edit_of_any_source_has_a_cache_of_its_own(package, source):
    before = compiled._cache_folder()
    assert compiled._cache_folder() == before and before.is_dir()
    path = package / source
    original = path.read_text()
    path.write_text(original + "\n# changed\n")
    assert compiled._cache_folder() != before
    path.write_text(original)
    assert compiled._cache_folder() == before


def test_a_new_source_has_a_cache_of_its_own(package):
    before = compiled._cache_folder()
    (package / "terrain" / "glacier.py").write_text("")
    assert compiled._cache_folder() != before


def test_only_a_few_old_caches_are_kept_and_never_the_one_in_use(package):
    for edit in range(8):
        (package / "terrain" / "glacier.py").write_text(f"# {edit}")
        folder = compiled._cache_folder()
        assert folder.is_dir() and len(list(folder.parent.iterdir())) <= 4
