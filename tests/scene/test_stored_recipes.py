"""Recipes that people have kept give the scenes and the lands that they gave when they were written."""

import numpy as np
import pytest

from fellview.scene import recipe
from tests import stored_recipes
from tests.sampling import sampled

WITHIN = 1e-3  # of a land's height: processors round differently, and erosion carries that on
ALMOST_ALL = 0.98  # of the places: where water parts, another rounding sends it elsewhere


@pytest.mark.parametrize("name", stored_recipes.names())
def test_a_stored_recipe_gives_the_scene_that_it_was_written_from(name):
    text = stored_recipes.recipe_path(name).read_text(encoding="utf-8")
    assert recipe.from_text(text) == (stored_recipes.preset(name), [])


@sampled("name", stored_recipes.names(), quick=4)
def test_a_stored_recipe_gives_the_land_that_it_gave(name):
    scene, _ = recipe.from_text(stored_recipes.recipe_path(name).read_text(encoding="utf-8"))
    with np.load(stored_recipes.HEIGHTS) as stored:
        expected = stored[name]
    difference = np.abs(stored_recipes.coarse_heights(scene) - expected)
    assert np.quantile(difference, ALMOST_ALL) <= WITHIN * np.ptp(expected)
