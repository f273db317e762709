"""A picture of which some columns alone are drawn: those are as they would be, and all others stay."""

import numpy as np
import pytest

from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from tests.drawn_ramp import from_above, ramp

SIZE = (160, 96)
FIELD = ramp(20)
SCENES = {
    "materials": {"ground.kind": "materials", "water.enabled": True, "water.sea_level": 60.0},
    "plain": {},
    "filmic": {"air.tone": "filmic"},
}


@pytest.fixture
def renderer(context):
    made = Renderer(context)
    made.show(FIELD)
    return made


def drawn(renderer, scene, columns=None, scale=1.0):
    return whole(renderer.passes(scene, SIZE, 1, 0, scale=scale, columns=columns)).pixels()[..., :3].astype(int)


@pytest.mark.parametrize("look", SCENES)
def test_columns_are_drawn_as_in_the_whole_picture_and_others_stay(renderer, look):
    scene = from_above(FIELD, SCENES[look])
    before = drawn(renderer, scene.replace({"sun.elevation": 8.0, "sky.kind": "space"}))
    part, again = drawn(renderer, scene, (0.25, 0.6)), drawn(renderer, scene)
    left, right = 40, 96
    np.testing.assert_array_equal(part[:, left:right], again[:, left:right])
    np.testing.assert_array_equal(part[:, : left - 4], before[:, : left - 4])
    np.testing.assert_array_equal(part[:, right + 4 :], before[:, right + 4 :])


def test_columns_of_a_smaller_frame_are_made_larger_as_those_of_the_whole(renderer):
    scene = from_above(FIELD, SCENES["materials"])
    drawn(renderer, scene.replace({"sun.elevation": 8.0}))
    part, again = drawn(renderer, scene, (0.25, 0.6), 0.5), drawn(renderer, scene)
    assert np.abs(part[:, 40:96] - again[:, 40:96]).mean() < 12 < np.abs(part[:, 100:] - again[:, 100:]).mean()


def test_after_columns_all_of_a_picture_is_drawn_again(renderer):
    scene = from_above(FIELD, SCENES["materials"])
    all_of_it = drawn(renderer, scene)
    for scale in (1.0, 0.5):
        drawn(renderer, scene.replace({"sun.elevation": 8.0}), (0.0, 0.3), scale)
        np.testing.assert_array_equal(drawn(renderer, scene), all_of_it)


def test_a_picture_of_columns_that_is_given_up_leaves_none_behind(renderer):
    scene = from_above(FIELD, SCENES["materials"])
    all_of_it = drawn(renderer, scene)
    for passes_drawn in (1, 4, 8):
        passes = renderer.passes(scene.replace({"sun.elevation": 8.0}), SIZE, 1, 0, columns=(0.0, 0.3))
        for _ in range(passes_drawn):
            next(passes, None)
        passes.close()
        np.testing.assert_array_equal(drawn(renderer, scene), all_of_it)
