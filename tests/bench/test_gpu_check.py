"""The check of a machine's OpenGL, on few cells: every part does its work, and what goes wrong is told."""

import dataclasses
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from pyrr import Matrix44

from fellview.bench import bare, gpu_against_cpu, gpu_check, gpu_parts, gpu_plan
from fellview.core import png

PRESETS = ("directx-demo", "dunes")


@pytest.fixture
def plan(tmp_path):
    few = dataclasses.replace(gpu_plan.small(tmp_path), presets=PRESETS, steps=("curve", "edge"), noises=("value",))
    return dataclasses.replace(few, workers=0, slider_size=(64, 36))


def last(part, plan, seconds=500.0):
    """Return the last report of a part, which every earlier one is a part of."""
    reports = [json.loads(json.dumps(report)) for report in part(plan, gpu_plan.Clock(seconds))]
    assert reports
    return reports[-1]


def whole(report):
    """Assert that nothing of `report` failed or was cut, and return it."""
    assert not {"failed", "cut", "beyond"} & set(report), report
    return report


def test_the_renderer_and_its_limits_are_told(plan):
    report = whole(last(gpu_parts.renderer, plan))
    assert report["software"] and report["renderer"].startswith("llvmpipe")
    assert report["limits"]["GL_MAX_TEXTURE_SIZE"] >= 1024 and report["draws_into"]["f4"] == [1, 2, 4]


def test_engines_are_compared_over_scenes_and_registries(plan):
    lands = whole(last(gpu_against_cpu.lands, plan))
    assert set(lands["scenes"]) == set(PRESETS)
    assert lands["scenes"]["dunes"]["correlation"] == 1 and "slope" in lands["scenes"]["dunes"]["masks"]
    twins = whole(last(gpu_against_cpu.twins, plan))
    assert {name.partition(" ")[0] for name in twins["steps"]} == {"curve", "edge"}
    assert set(twins["noises"]) == {"value 1", "value 2", "value 3", "value 4"}


def test_what_engines_disagree_in_is_beyond(plan, monkeypatch):
    monkeypatch.setattr(gpu_against_cpu, "LEAST_CORRELATION", 1.1)
    assert last(gpu_against_cpu.lands, plan)["beyond"] == list(PRESETS)


@pytest.mark.slow
def test_programs_are_counted_and_what_none_has_is_named(plan, monkeypatch):
    monkeypatch.setattr(gpu_parts.view_modes, "NAMES", ("height",))
    report = whole(last(gpu_parts.shaders, dataclasses.replace(plan, presets=("dunes",))))
    assert report["programs"] > 20 and report["compile_and_link_ms"] > 0
    assert set(report["frames"]) == {"dunes", "view height", "everything, as a slab"}
    assert "draw/frame/present.frag" not in report["files_in_no_program"]
    assert "kernels/noise/worley.glsl" in report["files_in_no_program"]


@pytest.mark.slow
def test_passes_sliders_and_memory_are_measured(plan):
    (times,) = whole(last(gpu_parts.passes, plan))["ms"].values()
    assert {"ground", "sky", "light map", "overlay"} <= set(times) and min(times.values()) >= 0
    slid = whole(last(gpu_parts.sliders, plan))["64²"]
    assert slid["directx-demo"]["on_the_cpu"] == ["erosion", "smooth"]
    assert all(one["picture_ms"] > one["heights_ms"] > 0 and one["turn_gpu_ms"] > 0 for one in slid.values())
    assert whole(last(gpu_parts.memory, plan))["alpine-range"]["128²"]["engine_textures_mb"] > 0


@pytest.mark.slow
def test_pictures_are_compared_with_the_approved_and_written(plan):
    report = whole(last(gpu_parts.pictures, plan))
    assert report["scenes"]["directx-demo"]["mean"] <= 0.05
    assert {path.name for path in plan.out.iterdir()} == {"scenes.png", "differences-8-times.png"}
    assert png.decoded((plan.out / "scenes.png").read_bytes()).shape == (144, 512, 3)
    nowhere = dataclasses.replace(plan, presets=("dunes",), approved=plan.out / "nowhere")
    assert "no approved picture" in last(gpu_parts.pictures, nowhere)["scenes"]["dunes"]["skipped"]


def test_a_failing_item_is_told_and_the_others_go_on(plan):
    failing = dataclasses.replace(plan, presets=("no-such-scene", "dunes"))
    report = last(gpu_against_cpu.lands, failing)
    assert set(report["scenes"]) == {"dunes"}
    assert "InputError: no-such-scene" in report["failed"]["scenes: no-such-scene"]


def test_what_there_is_no_time_for_is_cut(plan):
    report = last(gpu_against_cpu.lands, plan, seconds=0.0)
    assert report["cut"] == [f"scenes: {name}" for name in PRESETS] and not report["scenes"]


def test_matrices_without_pyrr_are_pyrrs():
    place = np.array([3.0, -70.5, 1e4])
    ours, theirs = (
        kind.perspective_projection(50.0, 16 / 9, 0.7, 9e3, dtype="f8") * kind.from_translation(place, dtype="f8")
        for kind in (bare.Matrix44, Matrix44)
    )
    np.testing.assert_allclose(np.array(ours), np.array(theirs), rtol=1e-15)
    numbers = (-3.0, 4.0, -1.0, 2.0, 5.0, 9e3)
    ours, theirs = (kind.orthogonal_projection(*numbers, dtype="f8") for kind in (bare.Matrix44, Matrix44))
    np.testing.assert_allclose(np.array(ours), np.array(theirs), rtol=1e-15)


def ran(*words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "fellview.bench.gpu_check", *words],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
    )


def test_budgets_are_under_eight_minutes():
    assert sum(gpu_check.BUDGETS_S.values()) < 8 * 60 - 15


def test_the_command_prints_and_keeps_a_report(tmp_path):
    done = ran("--small", "--only", "renderer", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["part"] == "renderer"
    assert json.loads((tmp_path / "out" / "gpu-check.json").read_text()) == [json.loads(line)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "nothing"), "invalid choice: 'nothing'"),
        (("--large",), "--large"),
        (("--out", "/dev/null"), "--out"),
    ],
)
def test_wrong_arguments_are_refused_in_a_line(words, said):
    done = ran(*words)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_without_opengl_a_line_says_so(tmp_path):
    done = ran("--small", "--out", str(tmp_path), __EGL_VENDOR_LIBRARY_FILENAMES=str(tmp_path / "none.json"))
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("gpu_check: OpenGL: no context") and done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_part_that_crashes_or_hangs_is_told(tmp_path, monkeypatch):
    """The process is another program: one that prints a report and then ends badly, or not at all."""
    program = "import os, sys, time; print('{\"scenes\": 1}', flush=True); "
    for code, limit_s, told in (
        ("os.abort()", 60.0, {"scenes": 1, "failed": {"process": "ended by signal 6: "}}),
        ("sys.exit('no')", 60.0, {"scenes": 1, "failed": {"process": "no"}}),
        ("time.sleep(600)", 3.0, {"scenes": 1, "cut": ["all that is not here"]}),
    ):
        script = tmp_path / "python"
        script.write_text(f"#!{sys.executable}\n{program}{code}\n")
        script.chmod(0o755)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", str(script))
            assert gpu_check.report_of("lands", tmp_path, small=True, limit_s=limit_s) == told


@pytest.mark.slow
def test_the_whole_check_runs_at_small_sizes(tmp_path):
    done = ran("--small", "--out", str(tmp_path))
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["part"] for one in reports] == list(gpu_check.BUDGETS_S)
    for one in reports:
        assert "failed" not in one, one
        assert "cut" not in one or one["part"].startswith("shaders"), one  # software OpenGL compiles at each first draw
    assert len(list(tmp_path.glob("*.png"))) <= 6
