"""An OpenGL that breaks its promises: formats that it refuses are replaced by the next best, and a person is told."""

import itertools

import moderngl
import numpy as np
import pytest

from fellview import cli
from fellview.capture import capture
from fellview.core.errors import FellviewError
from fellview.draw import accumulate
from fellview.draw.overlay.noise_lab import NoiseLab
from fellview.draw.renderer import Renderer
from fellview.gpu import choice, formats
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.library import generate
from tests.lands import RUGGED
from tests.sampling import sampled

SIZE = (160, 90)
SCENE = {
    "grid.rows": 96, "grid.columns": 96, "water.enabled": True, "water.lakes": True, "ground.kind": "materials",
    "sun.shadows": True, "sky.kind": "physical", "sky.clouds": 0.5, "air.tone": "filmic", "rock.enabled": True,
}  # fmt: skip


@pytest.fixture(scope="module")
def scene():
    return scenes.load(RUGGED).replace(SCENE)


@pytest.fixture(scope="module")
def land(scene):
    return generate(scene, "cpu")


@pytest.fixture(scope="module")
def promised(scene, land):
    """The picture where nothing is refused."""
    context = gpu_context.standalone()
    renderer = Renderer(context)
    picture = capture.still(renderer, scene, land, SIZE, 4)
    assert renderer.take_notices() == []
    context.release()
    return picture


def refuse(monkeypatch, kept=(), drawn=(), samples=False):
    """Have moderngl refuse, as a driver makes it do: textures to be `kept` at all, or to be `drawn` into."""
    names = ("texture", "texture_array", "framebuffer", "renderbuffer")
    whole = {name: getattr(moderngl.Context, name) for name in names}

    def texture(self, size, components, *more, dtype="f1", **rest):
        if dtype in kept:
            raise moderngl.Error("cannot create texture")
        return whole["texture"](self, size, components, *more, dtype=dtype, **rest)

    def texture_array(self, size, components, *more, dtype="f1", **rest):
        if dtype in kept:
            raise moderngl.Error("cannot create texture")
        return whole["texture_array"](self, size, components, *more, dtype=dtype, **rest)

    def framebuffer(self, color_attachments=(), depth_attachment=None):
        several = color_attachments if isinstance(color_attachments, list | tuple) else [color_attachments]
        if any(one.dtype in drawn for one in several):
            raise moderngl.Error("the framebuffer is not complete (UNSUPPORTED)")
        return whole["framebuffer"](self, color_attachments, depth_attachment)

    def renderbuffer(self, size, components=4, *, samples=0, dtype="f1"):
        if samples and refuses_samples:
            raise moderngl.Error("cannot create renderbuffer")
        return whole["renderbuffer"](self, size, components, samples=samples, dtype=dtype)

    refuses_samples = samples
    for name, one in zip(names, (texture, texture_array, framebuffer, renderbuffer), strict=True):
        monkeypatch.setattr(moderngl.Context, name, one)


REFUSED = {
    "half floats": ({"drawn": ("f2",)}, {"light", "slopes and drainage", "the land that water mirrors", "clouds"}),
    "half floats to read": ({"kept": ("f2",)}, {"the ground's relief", "light", "slopes and drainage"}),
    "floats to draw into": (
        {"drawn": ("f4",)},
        {"what is worked out of heights and light", "the ground's normals", "levels of detail", "the sum of frames"},
    ),
    "floats": ({"kept": ("f4",)}, {"heights", "the colours of layers", "the ground's normals"}),
}


@sampled("refused, stage", itertools.product(REFUSED, ["landscape", "slab"]), quick=2)
def test_without_a_format_the_picture_is_nearly_the_same_and_a_person_is_told(
    monkeypatch, scene, land, promised, refused, stage
):
    wants, uses = REFUSED[refused]
    refuse(monkeypatch, **wants)
    context = gpu_context.standalone()
    renderer = Renderer(context)
    staged = scene.replace({"view.stage": stage})
    picture = capture.still(renderer, staged, land, SIZE, 4)
    notices = renderer.take_notices()
    for use in uses - ({"clouds"} if stage == "slab" else set()):
        (notice,) = [one for one in notices if f" for {use};" in one]
        assert "\n" not in notice and "take their place" in notice
    assert len(set(notices)) == len(notices)
    if stage == "landscape":
        apart = np.abs(picture.astype(int) - promised)
        assert apart.mean() < 2.0 and np.percentile(apart, 99) < 30
    assert np.ptp(picture[..., :3]) > 100
    capture.still(renderer, staged, land, SIZE, 1)
    assert renderer.take_notices() == []  # told once
    context.release()


def test_light_falls_back_on_bytes(monkeypatch, scene, land, promised):
    """Where no float of any size can be drawn into, nothing worked out of heights can be, and that is said."""
    refuse(monkeypatch, drawn=("f2", "f4"))
    context = gpu_context.standalone()
    found = formats.of(context)
    assert found.drawn(4, formats.LIGHT, "light") == "f1"
    assert found.take_notices() == ["This OpenGL has no 16-bit floats for light; bytes take their place"]
    with pytest.raises(FellviewError, match="expected 32-bit floats or 16-bit floats") as refused:
        capture.still(Renderer(context), scene, land, SIZE, 1)
    assert "\n" not in str(refused.value)
    context.release()


def test_without_samples_as_many_frames_make_the_picture(monkeypatch, scene, land, promised):
    refuse(monkeypatch, samples=True)
    context = gpu_context.standalone()
    renderer = Renderer(context, multisamples=accumulate.HARDWARE_MULTISAMPLES)
    assert renderer.frames(4) == 4
    apart = np.abs(capture.still(renderer, scene, land, SIZE, 4).astype(int) - promised)
    assert apart.mean() < 1.0
    context.release()


def test_the_gpu_does_not_compute_and_the_lab_says_why_it_does_not_open(monkeypatch):
    refuse(monkeypatch, drawn=("f4",))
    context = gpu_context.standalone()
    assert choice.choose("gpu", context).name == "cpu"
    with pytest.raises(FellviewError, match="noise lab"):
        NoiseLab(context)
    context.release()


@pytest.mark.slow
def test_notices_reach_the_command_line(monkeypatch, tmp_path, capsys):
    refuse(monkeypatch, drawn=("f2",))
    small = ["--set", "grid.rows=48", "--set", "grid.columns=48", "--size", "64x36"]
    assert cli.main(["render", "highlands", "-o", str(tmp_path / "one.png"), "--engine", "cpu", *small]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "16-bit floats for light" in line]
    assert len(told) == 1
