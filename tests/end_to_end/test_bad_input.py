"""The command given what it cannot use: status 2, one line that says what is accepted, and no file left.

Long lists of words and values go to the command in this process, which spares a start each; what depends on the process
goes to the installed command.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from fellview import cli
from fellview.io import scenes, sessions
from fellview.scene import recipe

SMALL = ("--set", "grid.rows=16", "--set", "grid.columns=16", "--set", "noise.octaves=1")


def fellview(*words: object, **options) -> subprocess.CompletedProcess[str]:
    command = shutil.which("fellview", path=str(Path(sys.executable).parent))
    assert command, "the fellview command is not installed beside the interpreter"
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([command, *map(str, words)], check=False, text=True, timeout=120, **options)


@pytest.fixture
def here(capsys):
    """Return a function that runs the command in this process, and returns what `fellview` does."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as end:
            status = end.code or 0
        return subprocess.CompletedProcess(words, status, *capsys.readouterr())

    return run


def refused(done: subprocess.CompletedProcess[str], *parts: object) -> None:
    """Assert status 2 after one line on standard error that has all `parts`."""
    assert done.returncode == 2, done.stderr
    assert not done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("fellview: "), done.stderr
    assert all(str(part) in lines[0] for part in parts), lines[0]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder that must hold afterwards what the test itself put there."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return folder


def left_in(folder: Path) -> set[str]:
    return {str(entry.relative_to(folder)) for entry in folder.rglob("*")}


RENDER = ("render", "-o", "land.png", *SMALL)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ((*RENDER, "alps"), ("alps", ".toml", "directx-demo", "highlands")),
        ((*RENDER, "land.jpg"), ("land.jpg", ".toml", "directx-demo")),
        ((*RENDER, "nothing.toml"), ("nothing.toml", "No such file")),
        ((*RENDER, "nothing.png"), ("nothing.png", "No such file")),
        (("render", "-o", "land.gif"), ("land.gif", ".gif", ".png")),
        (("render", "-o", "land"), ("land", ".png")),
        (("export", "-o", "land.fbx"), ("land.fbx", ".fbx", ".npy", ".png", ".r16")),
        (("render",), ("-o",)),
        ((*RENDER, "--size", "0x0"), ("--size", "0x0", "1x1 to 16384x16384")),
        ((*RENDER, "--size", "99999x1"), ("--size", "99999x1", "1x1 to 16384x16384")),
        ((*RENDER, "--size", "big"), ("--size", "big", "WIDTHxHEIGHT")),
        ((*RENDER, "--size", "-5x5"), ("--size",)),
        ((*RENDER, "--samples", "0"), ("--samples", "0", "1 to 256")),
        ((*RENDER, "--samples", "257"), ("--samples", "257", "1 to 256")),
        ((*RENDER, "--samples", "many"), ("--samples", "'many'", "a whole number")),
        ((*RENDER, "--set", "=1"), ("--set", "=1", "group.name=value")),
        (("turntable", "-o", "a.webp", "--rate", "fast"), ("--rate", "'fast'", "expected a number")),
        ((*RENDER, "--engine", "abacus"), ("engine", "abacus", "auto, cpu, gpu")),
        (("bench", "nix"), ("bench", "nix", "demo", "draw", "live", "all")),
        (("info", "--loud"), ("--loud",)),
        (("view", "--size", "0x0"), ("--size", "0x0", "1x1")),
        (("view", "nothing.png"), ("nothing.png", "No such file")),
        (("alps",), ("alps", "directx-demo")),
    ],
    ids=lambda value: " ".join(value)[-40:] if isinstance(value, tuple) else None,
)
def test_what_the_command_line_cannot_use(here, folder, words, parts):
    refused(here(*words), *parts)
    assert left_in(folder) == set()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("noise.pitch=1", ("noise.pitch", "frequency")),
        ("storm.force=1", ("storm.force", "noise", "erosion", "camera")),
        ("frequency=1", ("frequency", "group.name")),
        ("noise.frequency", ("noise.frequency", "group.name=value")),
        ("noise.frequency=0", ("noise.frequency", "0.01 to 4096")),
        ("noise.frequency=1e9", ("noise.frequency", "0.01 to 4096")),
        ("noise.frequency=nan", ("noise.frequency", "nan", "0.01 to 4096")),
        ("noise.amplitude=inf", ("noise.amplitude", "inf", "0 to 100000")),
        ("noise.frequency=fast", ("noise.frequency", "fast", "0.01 to 4096")),
        ("noise.octaves=1.5", ("noise.octaves", "1.5", "1 to 16")),
        ("noise.seed=-1", ("noise.seed", "-1", "0 to 2147483647")),
        ("noise.kind=perlin", ("noise.kind", "perlin", "classic")),
        ("grid.rows=1", ("grid.rows", "2 to 8192")),
        ("grid.rows=8193", ("grid.rows", "8193", "2 to 8192")),
        ("ground.tint=green", ("ground.tint", "green", "#")),
        ("noise.frequency=", ("noise.frequency", "0.01 to 4096")),
    ],
)
def test_values_that_cannot_be_set(here, folder, text, parts):
    refused(here(*RENDER, "--set", text), *parts)
    assert left_in(folder) == set()


def _recipe() -> str:
    return recipe.to_text(scenes.load("directx-demo"))


def _changed(old: str, new: str) -> str:
    assert old in _recipe()
    return _recipe().replace(old, new)


RECIPES = {
    "empty group": ("[storm]\n", ("storm",)),
    "empty": ("", ("nothing in it", "a recipe")),
    "no TOML": ("hello", ("TOML",)),
    "cut in a line": (_recipe()[:-5], ("TOML",)),
    "newer version": ("version = 99\n", ("version", "99", "1 to ")),
    "version of no number": ('version = "new"\n', ("version", "new", "1 to ")),
    "unknown key": ("[noise]\npitch = 1.0\n", ("noise.pitch", "frequency")),
    "out of range": (_changed("frequency = 15.0", "frequency = 1e9"), ("noise.frequency", "0.01 to 4096")),
    "no number": (_changed("frequency = 15.0", "frequency = nan"), ("noise.frequency", "nan", "0.01 to 4096")),
    "wrong type": (_changed("frequency = 15.0", 'frequency = "high"'), ("noise.frequency", "high", "0.01 to 4096")),
    "table for a number": (_changed("frequency = 15.0", "frequency = {}"), ("noise.frequency", "0.01 to 4096")),
    "number for a group": ("noise = 5\n", ("noise",)),
}


@pytest.mark.parametrize(("text", "parts"), RECIPES.values(), ids=RECIPES)
def test_recipes_that_cannot_be_read(here, folder, text, parts):
    (folder / "wrong.toml").write_text(text)
    refused(here(*RENDER, "wrong.toml"), "wrong.toml", *parts)
    assert left_in(folder) == {"wrong.toml"}


def test_a_recipe_that_is_no_text(folder):
    (folder / "wrong.toml").write_bytes(b"\xff\xfe\x00\x80")
    refused(fellview(*RENDER, "wrong.toml"), "wrong.toml", "text")
    (folder / "folder.toml").mkdir()
    refused(fellview(*RENDER, "folder.toml"), "folder.toml")


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    path = tmp_path_factory.mktemp("picture") / "good.png"
    done = fellview("render", "directx-demo", "-o", path, "--size", "64x40", *SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def test_pictures_that_cannot_be_read(folder, picture):
    whole = picture.read_bytes()
    (folder / "cut.png").write_bytes(whole[: len(whole) // 2])
    (folder / "head.png").write_bytes(whole[:20])
    (folder / "empty.png").write_bytes(b"")
    (folder / "text.png").write_text("no picture")
    there = left_in(folder)
    for name in there:
        refused(fellview("render", "-o", "land.png", name), name)
        assert left_in(folder) == there


def test_pictures_of_other_programs(folder, picture):
    Image.new("RGB", (8, 8)).save(folder / "foreign.png")
    Image.new("RGB", (8, 8)).save(folder / "photo.png", "JPEG")
    there = left_in(folder)
    for name in there:
        refused(fellview("render", "-o", "land.png", name), name, "a picture that Fellview saved")
        refused(fellview("view", name), name, "a picture that Fellview saved")
        assert left_in(folder) == there


@pytest.mark.parametrize("command", ["render", "export"])
@pytest.mark.parametrize("out", ["file/land.png", "there.png", "/proc/nothing/land.png"])
def test_places_that_cannot_be_written(here, folder, command, out):
    (folder / "file").write_text("mine")
    (folder / "there.png").mkdir()
    there = left_in(folder)
    small = ("--size", "16x16") if command == "render" else ()
    refused(here(command, "directx-demo", "-o", out, *SMALL, *small), out, "cannot be written")
    assert left_in(folder) == there
    assert (folder / "file").read_text() == "mine"


def test_what_was_there_stays_when_writing_fails(folder):
    (folder / "land.png").write_text("mine")
    limit = 200  # bytes a file: less than any picture

    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    # the kernel cache, warm from other tests, is only read
    done = fellview("render", "directx-demo", "-o", "land.png", "--size", "64x40", *SMALL, preexec_fn=small_files)
    refused(done, "land.png", "cannot be written")
    assert left_in(folder) == {"land.png"}
    assert (folder / "land.png").read_text() == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "words", [("--version",), ("info",), ("render", "directx-demo", "-o", "land.png", "--size", "8x8", *SMALL)]
)
def test_output_that_cannot_be_printed(words):
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = fellview(*words, stdout=full)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and "No space left" in done.stderr, done.stderr


def test_words_that_the_outputs_encoding_lacks_are_escaped():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = fellview("diff", "directx-demo", "highlands", env=environment)
    assert (done.returncode, done.stderr) == (0, "") and "\\u2192" in done.stdout


@pytest.mark.parametrize("value", ["0", "-2", "many", "99999"])
def test_a_number_of_threads_that_none_can_start(here, folder, value, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    refused(here(*RENDER), "NUMBA_NUM_THREADS", value, "a whole number, 1 to 4,096")
    assert left_in(folder) == set()


@pytest.mark.parametrize("words", [(), ("view",), ("directx-demo",)])
def test_no_display(words):
    refused(fellview(*words), "DISPLAY")


def test_no_display_and_nothing_to_make_one_with():
    refused(fellview("bench", "live", env={**os.environ, "PATH": ""}), "DISPLAY", "Xvfb")


def test_a_display_that_is_not_there():
    refused(fellview("view", env={**os.environ, "DISPLAY": ":987"}), ":987")


def test_an_opengl_that_is_too_old(folder):
    old = {**os.environ, "MESA_GL_VERSION_OVERRIDE": "3.0", "MESA_GLSL_VERSION_OVERRIDE": "130"}
    refused(fellview(*RENDER, env=old), "OpenGL", "3.3")
    assert left_in(folder) == set()


def test_a_window_with_an_opengl_that_is_too_old(display, monkeypatch, tmp_path):
    old = {
        "DISPLAY": display,
        "MESA_GL_VERSION_OVERRIDE": "3.0",
        "MESA_GLSL_VERSION_OVERRIDE": "130",
        "FELLVIEW_STATE": str(tmp_path / "state"),
    }
    refused(fellview("view", env={**os.environ, **old}), "OpenGL", "3.3")


def test_no_opengl_at_all(folder):
    none = {**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/dev/null"}
    refused(fellview(*RENDER, env=none), "OpenGL", "3.3")
    assert left_in(folder) == set()


def test_the_last_session_outlives_a_start_that_failed(folder, tmp_path, monkeypatch):
    state = tmp_path / "state"
    state.mkdir()
    (state / "session.toml").write_text(_recipe())
    monkeypatch.setenv("FELLVIEW_STATE", str(state))
    refused(fellview("view", "alps"), "alps")
    refused(fellview("view"), "DISPLAY")
    refused(fellview("view", "highlands"), "DISPLAY")
    (left,) = sessions.folders(state)
    assert scenes.load(left / sessions.SESSION) == scenes.load("directx-demo")


def test_help_and_refusals_load_nothing_heavy():
    heavy = {"numpy", "moderngl", "moderngl_window", "numba", "imgui_bundle", "PIL", "glfw", "pyrr"}
    for words in (("--help",), ("--version",), ("render", "--help"), ("render",)):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "fellview", *words], check=False, text=True, capture_output=True
        )
        loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
        assert "argparse" in loaded  # the list is what it is taken for
        assert not loaded & heavy, words
