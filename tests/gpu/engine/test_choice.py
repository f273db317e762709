"""Which engine computes, and that the CPU takes over from one that is lost."""

import re

import moderngl
import numpy as np
import pytest

import fellview
from fellview import cli
from fellview.core.errors import FellviewError
from fellview.gpu import choice
from fellview.gpu import context as contexts
from fellview.gpu.choice import SteadyPipeline, choose
from fellview.gpu.engine import TWINS
from fellview.gpu.twin import Iterated, Twin
from fellview.gpu.twins import fluvial
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from tests.gpu.engine.lands import SMALL, broken, scene
from tests.lands import RUGGED


def test_auto_is_the_cpu_on_software_and_the_gpu_on_hardware(context, monkeypatch):
    class Hardware:
        info = context.info | {"GL_RENDERER": "Some Card/PCIe"}
        texture, framebuffer = context.texture, context.framebuffer

    assert choose("auto", context).text == "cpu: llvmpipe is a software renderer"
    assert choose("gpu", context).text == "gpu: llvmpipe"
    assert choose("cpu", context).text == "cpu: asked for"
    monkeypatch.delenv("LIBGL_ALWAYS_SOFTWARE")
    assert choose("auto", Hardware()).text == "gpu: Some Card"


def test_without_float_targets_it_is_the_cpu(context):
    class Poor:
        info = context.info

        def texture(self, size, components, dtype):
            return context.texture(size, components, dtype=dtype)

        def framebuffer(self, texture):
            if texture.components == 2:
                raise moderngl.Error("the framebuffer is not complete")
            return context.framebuffer(texture)

    assert choose("gpu", Poor()).text == "cpu: llvmpipe cannot draw into RG32F textures"


@pytest.fixture
def broken_scree(monkeypatch):
    """The library and the command line make engines of their own, with the twins that there are."""
    monkeypatch.setitem(TWINS, "erosion", (Twin(broken),))


def test_the_library_computes_on_either_engine(monkeypatch):
    cpu = fellview.generate(scene(), engine="cpu")
    gpu = fellview.generate(scene(), engine="gpu")
    assert not np.array_equal(cpu.heights, gpu.heights), "another engine was at work"
    np.testing.assert_allclose(gpu.heights, cpu.heights, atol=0.05 * np.ptp(cpu.heights))


def test_the_library_goes_over_to_the_cpu_with_a_warning(broken_scree):
    with pytest.warns(UserWarning, match=r"erosion on the GPU: .*lost; computed on the CPU instead"):
        field = fellview.generate(scene(), engine="gpu")
    np.testing.assert_array_equal(field.heights, fellview.generate(scene(), engine="cpu").heights)


def test_an_engine_that_is_lost_among_rivers_is_made_good_from_the_start(engine_with):
    """Nothing that rivers had carved on the GPU by then is in the land."""
    carved, notices = [], []

    def breaks(passes, parameters, domain, below):
        work = fluvial.run(passes, parameters, domain, below)
        ends = None
        while len(carved) < 5:
            at = work.send(ends)
            ends = yield at
            if isinstance(at, Iterated):
                carved.append(at.iteration)
        work.close()
        raise moderngl.Error("lost")

    groups = scene(erosion__kind="fluvial").terrain_groups()
    field = SteadyPipeline(engine_with(erosion=breaks), notices.append).run(groups).field
    assert len(carved) == 5
    (notice,) = notices
    assert re.fullmatch("erosion on the GPU: .*lost; computed on the CPU instead", notice)
    np.testing.assert_array_equal(field.heights, Pipeline(CpuEngine()).run(groups).field.heights)


def test_the_command_line_says_so_too(broken_scree, tmp_path, capsys):
    words = ["export", str(RUGGED), "--engine", "gpu", "-o", str(tmp_path / "land.npy")]
    words += [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]
    assert cli.main(words) == 0
    err = capsys.readouterr().err
    assert err.startswith("fellview: erosion on the GPU") and "computed on the CPU instead" in err
    np.testing.assert_array_equal(np.load(tmp_path / "land.npy"), fellview.generate(scene(), engine="cpu").heights)


def test_without_opengl_the_cpu_computes(monkeypatch):
    def none():
        raise FellviewError("OpenGL: no context")

    choice.here.cache_clear()
    monkeypatch.setattr(contexts, "standalone", none)
    try:
        with pytest.warns(UserWarning, match="OpenGL: no context; computed on the CPU instead"):
            fellview.generate(scene(), engine="gpu")
        assert choice.here("auto").text == "cpu: OpenGL: no context"
    finally:
        choice.here.cache_clear()


def test_info_says_which_engine_and_why(capsys):
    for words, text in (([], "cpu: llvmpipe is a software renderer"), (["--engine", "gpu"], "gpu: llvmpipe")):
        assert cli.main(["info", *words]) == 0
        assert f"Engine           {text}" in capsys.readouterr().out
