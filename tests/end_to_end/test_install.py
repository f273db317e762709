"""What a person gets from `pip install`: a wheel that carries all it needs and renders from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from PIL import Image

CHECKOUT = Path(__file__).parents[2]
BUILD_WITHIN_S = 120
INSTALL_WITHIN_S = 300  # a first download; 20 s where pip has the wheels
RENDER_WITHIN_S = 120  # compiles the kernels when no other test did


@pytest.fixture(scope="module")
def environment(environment_before_tests: dict[str, str]) -> dict[str, str]:
    """The caller's environment, with pip's settings, without a way to the checkout, and with the tests' caches."""
    ours = ("FELLVIEW_CACHE", "LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER", "GALLIVM_PERF", "LP_NATIVE_VECTOR_WIDTH")
    kept = {name: value for name, value in environment_before_tests.items() if not name.startswith("PYTHON")}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "VIRTUAL_ENV"):
        kept.pop(name, None)
    return kept | {name: os.environ[name] for name in ours}


def run(command: list[str | Path], environment: dict[str, str], folder: Path, within_s: float) -> str:
    """Run `command` in `folder` and return what it printed; the test fails with its output where it fails."""
    __tracebackhide__ = True
    done = subprocess.run(
        command,
        env=environment,
        cwd=folder,
        timeout=within_s,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode != 0:
        # no traceback: it would print the caller's whole environment
        pytest.fail(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}", pytrace=False)
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "build", "--wheel", "--outdir", folder, CHECKOUT], environment, folder, BUILD_WITHIN_S)
    (built,) = folder.glob("fellview-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    """The folder of commands of an empty environment into which the wheel was installed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    run([commands / "python", "-m", "pip", "install", "--quiet", wheel], environment, folder, INSTALL_WITHIN_S)
    return commands


def test_wheel_carries_shaders_and_assets(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in ("shaders", "assets"):
        here = {f"fellview/{path.relative_to(CHECKOUT).as_posix()}" for path in tracked(folder)}
        assert here, f"{folder}: no files in the checkout"
        assert here <= names, f"not in the wheel: {sorted(here - names)}"
    assert any(name.endswith("LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "scripts/"))]


def tracked(folder: str) -> list[Path]:
    """Return the files of `folder` that git does not ignore and that exist."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder],
        cwd=CHECKOUT,
        text=True,
        check=True,
        stdout=subprocess.PIPE,
    )
    found = (CHECKOUT / line for line in listed.stdout.splitlines())
    return [path for path in found if path.is_file() and not path.name.startswith(".")]


@pytest.mark.slow
def test_installed_command_renders_from_another_folder(
    installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    run(
        [installed / "fellview", "render", "directx-demo", "-o", "out.png", "--size", "256x144"],
        environment,
        tmp_path,
        RENDER_WITHIN_S,
    )
    with Image.open(tmp_path / "out.png") as picture:
        picture.load()
        assert picture.size == (256, 144)
        assert len(picture.convert("RGB").getcolors(256 * 144) or []) > 100, "land and sky have many colours"
        recipe = picture.text["fellview-recipe"]
    assert "[noise]" in recipe and 'kind = "classic"' in recipe and "[camera]" in recipe


@pytest.mark.slow
def test_install_does_not_look_into_the_checkout(installed: Path, environment: dict[str, str], tmp_path: Path) -> None:
    code = "from fellview import paths; print(paths.shaders()); print(paths.assets()); print(paths.__file__)"
    for line in run([installed / "python", "-c", code], environment, tmp_path, RENDER_WITHIN_S).splitlines():
        assert Path(line).is_relative_to(installed.parent), f"{line}: expected a place inside the installed package"


@pytest.mark.slow
def test_installed_library_reads_its_presets(installed: Path, environment: dict[str, str], tmp_path: Path) -> None:
    code = "import fellview; print(*fellview.presets()); print(fellview.load('directx-demo').name)"
    presets, name = run([installed / "python", "-c", code], environment, tmp_path, RENDER_WITHIN_S).splitlines()
    assert {"directx-demo", "highlands"} <= set(presets.split())
    assert name == "DirectX demo"
