"""The command line: what each command writes and prints, and how it refuses."""

import io
import json
import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image

import fellview
from fellview import paths
from fellview.bench import bench
from fellview.core import attended
from fellview.heightmaps.registry import WRITTEN_SUFFIXES
from fellview.io import atomic, last_picture, scenes, sessions
from fellview.io.last_picture import LastPicture
from fellview.targets.registry import TARGETS
from fellview.terrain.pipeline.pipeline import FIELDS
from fellview.version import VERSION
from tests.command_line import SMALL, refused


@pytest.mark.parametrize("words", [["--version"], ["film", "--help"], ["shots", "--help"]])
def test_every_command_ends_with_the_process_that_attends_to_it(run, monkeypatch, words):
    attends = []
    monkeypatch.setattr(attended, "end_with_attention", attends.append)
    run(*words)
    assert attends == []
    monkeypatch.setenv(attended.ENVIRONMENT, "1")
    run(*words)
    assert attends == [atomic.abandon_everything]


def test_help_and_version(run):
    status, out, _ = run("--help")
    assert status == 0 and all(command in out for command in ("view", "render", "export", "info", "bench"))
    assert run("--version") == (0, f"fellview {VERSION}\n", "")


def test_help_names_every_benchmark(run):
    _, out, _ = run("--help")
    assert all(name in out for name in (*bench.BENCHMARKS, "all"))


def test_help_on_export_names_every_format_and_mask(run):
    _, out, _ = run("export", "--help")
    assert all(suffix in out for suffix in WRITTEN_SUFFIXES)
    assert all(one.name in out and one.title in out for one in TARGETS)
    assert all(field.description in out for field in FIELDS.values())


@pytest.mark.parametrize("command", ["view", "render", "export", "sheet", "diff", "info", "bench"])
def test_every_command_has_its_help(run, command):
    status, out, _ = run(command, "--help")
    assert status == 0 and out.startswith(f"usage: fellview {command}")


def test_render_writes_a_picture_that_opens_as_its_scene(run, tmp_path):
    path = tmp_path / "new" / "land.png"
    outcome = run("render", "directx-demo", *SMALL, "--set", "noise.seed=9", "-o", path, "--size", "64x36")
    assert outcome == (0, f"{path}\n", "")
    with Image.open(path) as image:
        assert image.size == (64, 36)
    changes = {"grid.rows": 32, "grid.columns": 48, "noise.seed": 9}
    assert scenes.load(path) == fellview.load("directx-demo").replace(changes)


def test_a_picture_renders_again_as_itself(run, tmp_path):
    first, second = tmp_path / "first.png", tmp_path / "second.png"
    assert run("render", "directx-demo", *SMALL, "-o", first, "--size", "32x18")[0] == 0
    assert run("render", first, "-o", second, "--size", "32X18")[0] == 0
    with Image.open(first) as one, Image.open(second) as other:
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_a_picture_renders_again_as_it_was_taken(run, tmp_path):
    first, second = tmp_path / "first.png", tmp_path / "second.png"
    how = ("--size", "32x18", "--samples", 3, "--transparent")
    assert run("render", "directx-demo", *SMALL, "-o", first, *how)[0] == 0
    assert run("render", first, "-o", second)[0] == 0
    with Image.open(first) as one, Image.open(second) as other:
        assert other.size == (32, 18) and other.mode == "RGBA"
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_render_finds_a_view_and_the_picture_has_its_camera(run, tmp_path):
    path = tmp_path / "land.png"
    options = ("--seed", 9, "--set", "camera.y=1000", "--find-view", "-o", path, "--size", "64x36")
    assert run("render", "highlands", *SMALL, *options)[:2] == (0, f"{path}\n")
    scene = scenes.load(path)
    asked = fellview.load("highlands").replace({"grid.rows": 32, "grid.columns": 48, "noise.seed": 9})
    assert scene.with_group(asked.camera) == asked
    assert scene.camera == fellview.find_views(asked, count=1, size=(64, 36))[0].camera
    status, _, told = run("render", "highlands", "--seed", -1, "-o", path)
    assert status == 2 and told.count("\n") == 1 and "noise.seed" in told and "-1" in told


def test_diff_prints_a_line_for_each_parameter_that_differs(run, tmp_path):
    path = tmp_path / "mine.toml"
    scenes.save(path, fellview.load("highlands").replace({"noise.seed": 9, "sun.elevation": 33.0}))
    status, out, err = run("diff", "highlands", path)
    assert (status, err) == (0, "")
    seed, sun = out.splitlines()
    assert seed.startswith("noise.seed") and seed.endswith("→ 9") and "Noise: seed" in seed
    assert sun.startswith("sun.elevation") and sun.endswith("→ 33°")


def test_diff_of_a_scene_and_itself_says_so_and_prints_nothing(run):
    status, out, err = run("diff", "highlands", "highlands")
    assert (status, out) == (0, "") and err.count("\n") == 1 and "differ in nothing" in err


def test_diff_draws_the_difference_in_height(run, tmp_path):
    one, other, path = tmp_path / "one.toml", tmp_path / "other.toml", tmp_path / "apart.png"
    scene = fellview.load("directx-demo").replace({"grid.rows": 32, "grid.columns": 48})
    scenes.save(one, scene)
    scenes.save(other, scene.replace({"noise.seed": 9}))
    status, out, err = run("diff", one, other, "--picture", path, "--size", "64x36")
    assert (status, err) == (0, "") and out.endswith(f"→ 9\n{path}\n")
    with Image.open(path) as image:
        assert image.size == (64, 36)
    assert scenes.load(path).noise.seed == 9


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("highlands", "nowhere"), ("nowhere", "no such scene")),
        (("highlands", "fjords", "--size", "20x10"), ("--size 20x10", "--picture")),
        (("highlands", "fjords", "--picture", "apart.jpg"), ("apart.jpg", ".png")),
        (("highlands",), ("B",)),
    ],
)
def test_diff_refuses_what_it_cannot_take(run, words, parts):
    refused(run("diff", *words), *parts)


@pytest.mark.slow
def test_without_a_scene_the_opening_one_is_rendered(run, tmp_path):
    path = tmp_path / "land.png"
    assert run("render", *SMALL, "-o", path, "--size", "16x9", "--samples", "1")[0] == 0
    assert scenes.load(path).name == fellview.load(scenes.OPENING_PRESET).name


def test_info_tells_renderer_versions_and_folders(run):
    status, out, err = run("info")
    assert status == 0 and err == ""
    facts = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert facts["Fellview"] == VERSION and "llvmpipe" in facts["OpenGL"] and "software" in facts["OpenGL"]
    assert {"numpy", "numba", "moderngl", "Shaders", "Assets", "Pictures", "Session"} <= facts.keys()
    assert "missing" not in facts.values()


def test_info_answers_without_opengl_too(run, monkeypatch):
    def none(**_):
        raise OSError("no driver")

    monkeypatch.setattr(moderngl, "create_context", none)
    status, out, _ = run("info")
    assert status == 0 and "none (OpenGL: no context: no driver" in out


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("noise.frequency=8", "noise.frequency", 8.0),
        ("noise.frequency=1e-1", "noise.frequency", 0.1),
        ("noise.seed= 7 ", "noise.seed", 7),
        ("erosion.kind=none", "erosion.kind", "none"),
        ("sky.zenith=#00FF7f", "sky.zenith", "#00ff7f"),
        ("camera.x=-5", "camera.x", -5.0),
    ],
)
def test_set_changes_a_parameter(run, viewer, text, key, value):
    assert run("view", "directx-demo", "--set", text)[0] == 0
    scene, *_ = viewer[0]
    assert scene.get(key) == value and type(scene.get(key)) is type(value)
    assert scene == fellview.load("directx-demo").replace({key: value})


def test_the_last_set_of_a_key_wins(run, viewer):
    assert run("--set", "noise.seed=1", "--set", "noise.seed=2")[0] == 0
    scene, *_ = viewer[0]
    assert scene == fellview.load(scenes.OPENING_PRESET).replace({"noise.seed": 2})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("noise.seed", ["--set noise.seed", "group.name=value"]),
        ("seed=1", ["seed", "group.name", "noise"]),
        ("noise.sed=1", ["noise.sed", "seed"]),
        ("noise.seed=1.5", ["noise.seed", "1.5", "whole number"]),
        ("noise.seed=", ["noise.seed", "whole number"]),
        ("grid.rows=1", ["grid.rows", "1", "2 to 8192"]),
        ("grid.rows=8193", ["grid.rows", "8193", "2 to 8192"]),
        ("noise.frequency=nan", ["noise.frequency", "nan", "0.01 to 4096 cycles"]),
        ("noise.amplitude=inf", ["noise.amplitude", "inf"]),
        ("erosion.kind=rain", ["erosion.kind", "rain", "demo", "none"]),
        ("sky.zenith=blue", ["sky.zenith", "blue", "#"]),
    ],
)
def test_a_wrong_set_is_refused_and_nothing_is_written(run, tmp_path, text, parts):
    refused(run("render", "directx-demo", "--set", text, "-o", tmp_path / "land.png"), *parts)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["render", "no-such-land", "-o", "P.png"], ["no-such-land", "directx-demo", ".toml"]),
        (["render", "gone.toml", "-o", "P.png"], ["gone.toml", "No such file"]),
        (["render", "-o", "P.bmp"], ["P.bmp", ".png"]),
        (["render"], ["-o"]),
        (["render", "-o", "P.png", "--size", "640"], ["640", "WIDTHxHEIGHT"]),
        (["render", "-o", "P.png", "--size", "-6x4"], ["--size"]),
        (["render", "-o", "P.png", "--size", "0x480"], ["0x480", "1x1 to 16384x16384"]),
        (["render", "-o", "P.png", "--size", "16385x480"], ["16385x480", "1x1 to 16384x16384"]),
        (["render", "-o", "P.png", "--samples", "0"], ["--samples 0", "1 to 256"]),
        (["render", "-o", "P.png", "--samples", "many"], ["--samples", "many"]),
        (["render", "-o", "P.png", "--engine", "abacus"], ["engine", "abacus", "auto, cpu, gpu"]),
        (["export", "-o", "heights.bmp"], ["heights.bmp", ".npy", ".png", ".r16"]),
        (["export", "directx-demo", "again", "-o", "heights.npy"], ["again"]),
        (["info", "--loud"], ["--loud"]),
        (["bench", "nothing"], ["nothing", "demo", "draw", "live", "all"]),
        (["export", "", "-o", "heights.npy"], ["''", "no such scene", "directx-demo"]),
        (["view", ""], ["''", "no such scene"]),
        ([""], ["''", "no such scene"]),
        (["export", "a" * 5000, "-o", "heights.npy"], ["5,000 characters", "no such scene"]),
        (["render", "-o", "P.png", "--size", "9" * 5000 + "x1"], ["--size", "WIDTHxHEIGHT"]),
        (["render", "-o", "P.png", "--set", "noise.seed=" + "9" * 5000], ["noise.seed", "5,000 characters"]),
        (["render", "-o", "P.png", "--set", "\x1b[31m\n=1"], ["\\x1b[31m\\n: no such key"]),
        (["render", "\x1b[31m\n", "-o", "P.png"], ["\\x1b[31m\\n: no such scene"]),
        (["render", "-o", "P.png", "--\x1b[31m\n"], ["\\x1b[31m\\n"]),
        (["no-such-command-or-scene"], ["no-such-command-or-scene", "directx-demo"]),
    ],
)
def test_wrong_input_is_refused_in_one_line_and_nothing_is_written(run, tmp_path, monkeypatch, words, parts):
    monkeypatch.chdir(tmp_path)
    refused(run(*words), *parts)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_refused(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    refused(
        run("export", "directx-demo", *SMALL, "-o", tmp_path / "file" / "land.npy"), "land.npy", "cannot be written"
    )
    assert (tmp_path / "file").read_text() == "mine"


def test_a_grid_that_memory_cannot_hold_is_refused(run, tmp_path, monkeypatch):
    opened = open

    def nearly_full(file, *rest, **named):
        """Open what the system says of its memory, with a megabyte left of that."""
        return io.StringIO("MemAvailable: 1024 kB\n") if file == "/proc/meminfo" else opened(file, *rest, **named)

    monkeypatch.setattr("builtins.open", nearly_full)
    refused(run("export", "directx-demo", "-o", tmp_path / "land.npy"), "grid.rows × grid.columns = 512 × 512", "MB")
    assert not list(tmp_path.iterdir())


def test_plain_fellview_opens_the_viewer_where_it_was_left(run, viewer):
    assert run()[0] == 0
    assert viewer == [(None, (1280, 720), None, False, (1280, 720))]


@pytest.mark.parametrize(
    "words", [["directx-demo"], ["view", "--safe"], ["view", "--set", "noise.seed=2"], ["--engine", "cpu"]]
)
def test_where_something_may_be_wrong_that_is_told_before_there_is_a_window(run, viewer, words):
    assert run(*words)[0] == 0
    assert viewer[0][-1] is None


def test_what_computes_waits_where_the_last_picture_is_to_be_seen_alone(run, viewer, waiting):
    run()
    claim = sessions.claim(paths.state_folder(), anew=True)
    (claim.folder / sessions.SESSION).write_text("name = 'some land'\n")
    last_picture.store(claim.folder, LastPicture(np.zeros((1, 1, 4), np.uint8), (0, 0, 1, 1), (1, 1)))
    claim.release()
    for words in ([], ["directx-demo"], ["--engine", "cpu"]):
        run(*words)
    assert waiting == [False, True, False, False]


@pytest.mark.parametrize("words", [["directx-demo"], ["view", "directx-demo"]])
def test_a_scene_alone_opens_in_the_viewer(run, viewer, words):
    assert run(*words)[0] == 0
    assert viewer[0][0] == fellview.load("directx-demo")


def test_the_viewers_options(run, viewer, tmp_path):
    assert run("directx-demo", "--size", "800x600", "--out", tmp_path)[0] == 0
    assert viewer[0][1:4] == ((800, 600), tmp_path, False)
    assert run("--safe")[0] == run("view", "directx-demo", "--safe")[0] == 0
    assert [safe for *_, safe, _ in viewer] == [False, True, True]


def test_a_window_of_no_size_is_refused(run, viewer):
    refused(run("view", "--size", "0x0"), "0x0", "1x1 to 16384x16384")
    assert not viewer


def test_a_notice_about_the_recipe_goes_to_standard_error(run, tmp_path):
    path = tmp_path / "old.toml"
    path.write_text("version = 1\n[grid]\nrows = 8\ncolumns = 8\n[revisions]\nerosion = 999\n", encoding="utf-8")
    status, out, err = run("export", path, "-o", tmp_path / "land.npy")
    assert status == 0 and out == f"{tmp_path / 'land.npy'}\n"
    assert "erosion has changed" in err and err.count("\n") == 1


def test_ctrl_c_ends_with_the_shells_own_status(run, monkeypatch):
    def interrupted(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr(platform, "platform", interrupted)  # which the command asks for
    assert run("info") == (130, "", "")


_FELLVIEW = [sys.executable, "-c", "import sys; from fellview.cli import main; sys.exit(main(['info']))"]


_COMMAND = [sys.executable, "-m", "fellview"]


_WRITES = [["--version"], ["export", "--help"], ["info"], ["bench", "nothing"]]


@pytest.mark.skipif(os.name != "posix", reason="pipes and /dev/full are POSIX")
@pytest.mark.parametrize("words", _WRITES, ids=" ".join)
def test_a_reader_that_has_gone_is_no_fault(words):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        ended = subprocess.run([*_COMMAND, *words], stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
        assert (ended.returncode == 0) == (ended.stderr == "") == (words[-1] != "nothing"), ended.stderr
        both = subprocess.run([*_COMMAND, *words], stdout=pipe, stderr=pipe, check=False)
    assert both.returncode == ended.returncode and ended.stderr.count("\n") <= 1


@pytest.mark.skipif(os.name != "posix", reason="a shell's way to close a stream")
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_no_fault(tmp_path, closed):
    """Nor does what is written go where it would have gone: a file that is opened next would have its number."""
    version = subprocess.run(f"{shlex.join(_COMMAND)} --version {closed}", shell=True, capture_output=True, text=True)
    assert (version.returncode, version.stderr) == (0, "")
    changes = ("grid.rows=4", "grid.columns=4", "noise.enabled=false", "erosion.kind=none")
    words = ["export", "directx-demo", *(f"--set={each}" for each in changes), "-o", str(tmp_path / "land.npy")]
    ended = subprocess.run(f"{shlex.join([*_COMMAND, *words])} {closed}", shell=True, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "") and np.load(tmp_path / "land.npy").shape == (4, 4)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a disk that is always full")  # noqa: PTH110
@pytest.mark.parametrize("buffered", ["", "1"])
def test_output_to_a_full_disk_is_told_in_one_line(buffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": buffered}
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        ended = subprocess.run(_FELLVIEW, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    assert ended.returncode == 2
    assert ended.stderr.startswith("fellview: ") and "No space left" in ended.stderr and ended.stderr.count("\n") == 1


def test_what_no_memory_holds_is_told_in_one_line(run, monkeypatch, tmp_path):
    def greedy(*given):
        raise MemoryError

    monkeypatch.setattr("fellview.library.generate_with_notices", greedy)
    refused(run("render", "directx-demo", *SMALL, "-o", tmp_path / "land.png"), "memory", "expected a smaller")
    assert list(tmp_path.iterdir()) == []


def test_bench_prints_one_object_with_stable_keys(run):
    status, out, err = run("bench", "demo", "--json")
    assert status == 0 and err == ""
    found = json.loads(out)
    assert found["machine"] == bench.machine() and found["results"]
    for result in found["results"]:
        assert {"name", "median_ms", "runs", "machine"} <= result.keys()
        assert result["name"].startswith("demo") and result["median_ms"] > 0 and result["runs"] >= 1
        assert result["machine"] == found["machine"]


def test_bench_runs_what_it_is_asked_for_and_all_of_them_otherwise(run, monkeypatch):
    def one(name):
        return lambda: [bench.report(f"{name}: something", [0.001, 0.004, 0.002], extra_ms=1.5)]

    monkeypatch.setattr(bench, "BENCHMARKS", {name: one(name) for name in bench.BENCHMARKS})
    for words, names in ((["bench"], list(bench.BENCHMARKS)), (["bench", "draw"], ["draw"])):
        status, out, _ = run(*words, "--json")
        results = json.loads(out)["results"]
        assert status == 0 and [result["name"] for result in results] == [f"{name}: something" for name in names]
        assert all(result["median_ms"] == 2.0 and result["runs"] == 3 for result in results)
        status, table, _ = run(*words)
        assert status == 0 and len(table.splitlines()) == 1 + len(names) and "2.0 ms" in table
        assert "extra_ms 1.5" in table and "3 runs" in table


def test_a_name_that_is_filled_in_replaces_no_picture(run, tmp_path):
    words = ("render", "directx-demo", *SMALL, "-o", tmp_path / "{scene}-{size}-{number}.png", "--size", "8x8")
    assert [Path(run(*words)[1].strip()).name[-11:] for _ in range(2)] == ["8x8-001.png", "8x8-002.png"]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("page", "highlands", "-o", "page.png"), ("page.png", ".html")),
        (("page", *["highlands"] * 5, "-o", "page.html"), ("5 scenes", "1 to 4")),
        (("page", "nowhere", "-o", "page.html"), ("nowhere",)),
        (("page", "highlands", "--set", "noise.octaves=99", "-o", "page.html"), ("noise.octaves", "99")),
    ],
)
def test_a_page_that_cannot_be_is_refused(run, tmp_path, monkeypatch, words, parts):
    monkeypatch.chdir(tmp_path)
    refused(run(*words), *parts)
    assert not list(tmp_path.iterdir())
