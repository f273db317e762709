"""The look that a window draws until shaders are compiled: of any scene, and of few shaders."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.ground import palettes
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.simple_look import simple
from fellview.gpu import programs
from fellview.io import scenes

SIZE = (96, 64)
MOST_PROGRAMS = 3  # of land and sky: each takes software OpenGL some tenths of a second


@pytest.mark.parametrize("preset", scenes.presets())
def test_ground_has_about_the_colours_of_the_scene(preset):
    scene = scenes.load(preset)
    (base, _, steep, *_), _ = palettes.plain_parts(scene.ground)
    (level, _, bare, *_), _ = palettes.plain_parts(simple(scene).ground)
    # red or blue in pale ground can be more than the demo's grass can have
    np.testing.assert_allclose(np.minimum(base, [0.382, 0.485, 0.236]), level, atol=0.01)
    np.testing.assert_allclose(np.minimum(steep, 0.712), bare, atol=0.01)


def test_what_is_drawn_on_level_ground_leaves_none_and_has_made_all_programs(context):
    scene = simple(scenes.load(scenes.OPENING_PRESET))
    renderer = Renderer(context)
    renderer.draw(scene, SIZE, 1)
    made = []
    with programs.told(lambda built: made.append(built.fragment)):
        rehearsal = renderer.on_level_ground(scene, renderer.passes(scene, SIZE, 1, 0, scale=0.5))
        while next(rehearsal, ...) is not ...:
            assert renderer.field is None
        assert renderer.field is None
    assert 0 < sum(name.startswith(("draw/land/", "draw/sky/")) for name in made) <= MOST_PROGRAMS
    rng = np.random.default_rng(1)
    renderer.show(HeightField(rng.uniform(0, 100, (64, 64)).astype(np.float32), (30.0, 30.0)))
    with programs.told(lambda built: pytest.fail(f"made {built.fragment}")):
        whole(renderer.passes(scene, SIZE, 1, 0, scale=0.5))
