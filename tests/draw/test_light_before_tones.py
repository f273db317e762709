"""Light before it is mapped to tones: what a picture is made of, and what clear air takes out of it."""

import numpy as np
import pytest

from fellview.draw.colour import to_srgb
from fellview.io import scenes
from fellview.library import generate
from tests.lands import RUGGED

pytestmark = pytest.mark.slow  # of a sky that no other quick test has shaders compiled for

SIZE = (64, 40)


@pytest.fixture(scope="module")
def scene():
    return scenes.load(RUGGED).replace({"grid.rows": 64, "grid.columns": 64, "air.tone": "none"})


@pytest.fixture(scope="module")
def shown(renderer, scene):
    renderer.show(generate(scene, "cpu"))
    return renderer


def test_light_is_what_the_picture_shows(shown, scene):
    light = shown.light(scene, SIZE, 1)
    picture = shown.draw(scene, SIZE, 1).pixels()[..., :3]
    resting = np.abs(255 * to_srgb(np.minimum(light, 1)) - picture)
    assert light.shape == (SIZE[1], SIZE[0], 3) and np.median(resting) < 1


def test_clear_air_is_for_one_picture_and_takes_haze_away(shown, scene):
    hazy = scene.replace({"sky.visibility": 2.0, "air.mist": 0.5, "air.mist_top": 900.0})
    seen = shown.light(hazy, SIZE, 1)
    clear = shown.light(hazy, SIZE, 1, clear_air=True)
    below = np.s_[SIZE[1] * 3 // 4 :]  # where there is ground
    assert clear[below].std() > 2 * seen[below].std()
    np.testing.assert_array_equal(shown.light(hazy, SIZE, 1), seen)
