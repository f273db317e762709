"""Every preset and view mode against an approved picture."""

from __future__ import annotations

import dataclasses

import pytest

from fellview import capture
from fellview.core.height_field import HeightField
from fellview.draw.renderer import Renderer
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.look import View
from fellview.scene.scene import Scene
from tests.pictures import approve

SIZE = (256, 144)
MODES = View.declaration("mode").options


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(gpu_context.standalone())


@pytest.fixture(scope="module")
def field() -> HeightField:
    return generate(scenes.load(scenes.OPENING_PRESET))


@pytest.mark.parametrize("preset", scenes.presets())
def test_preset_looks_as_approved(preset: str, renderer: Renderer) -> None:
    scene = scenes.load(preset)
    approve(preset, capture.still(renderer, scene, generate(scene), SIZE, samples=4))


@pytest.mark.parametrize("mode", MODES)
def test_view_mode_looks_as_approved(mode: str, renderer: Renderer, field: HeightField) -> None:
    scene = scenes.load(scenes.OPENING_PRESET).replace({"view.mode": mode})
    approve(f"mode-{mode}", capture.still(renderer, scene, field, SIZE, samples=1))


def test_look_parameters_reach_the_picture(renderer: Renderer, field: HeightField) -> None:
    """Every parameter of light, ground and sky changes the picture; one that does not is not wired up."""
    scene = scenes.load(scenes.OPENING_PRESET)
    before = capture.still(renderer, scene, field, SIZE, samples=1)
    for key, group in scene.groups().items():
        if key not in ("sun", "ground", "sky", "view"):
            continue
        for name in group.declarations():
            after = capture.still(renderer, changed(scene, f"{key}.{name}"), field, SIZE, samples=1)
            assert (after != before).any(), f"{key}.{name} changes nothing"


def changed(scene: Scene, key: str) -> Scene:
    """Return `scene` with another accepted value at `key`."""
    group, name, declaration = scene.find(key)
    value = getattr(group, name)
    if declaration.options:
        other: object = next(option for option in declaration.options if option != value)
    elif declaration.colour:
        other = "#804020"
    else:
        low, high = declaration.slider
        other = low + 0.3 * (high - low)
    assert other != value
    return dataclasses.replace(scene).replace({key: other})
