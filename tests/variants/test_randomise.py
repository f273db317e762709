"""Scenes by chance: what is locked stays, and a nudge is a nudge."""

import pytest

from fellview.core.errors import InputError
from fellview.io import scenes
from fellview.scene.locks import USUAL
from fellview.variants import randomise

SCENE = scenes.load("highlands")


@pytest.mark.parametrize("amount", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("name", scenes.presets())
def test_every_scene_randomised_is_a_scene_with_its_locks_as_they_were(name, amount):
    scene = scenes.load(name)
    for seed in range(5):
        drawn = randomise(scene, amount, seed)
        assert drawn.changed_since(scene)
        assert [drawn.groups()[key] for key in USUAL] == [scene.groups()[key] for key in USUAL]
        assert (drawn.grid, drawn.view) == (scene.grid, scene.view)
        assert (drawn.noise.seed != scene.noise.seed) == (amount == 1)
        assert randomise(scene, amount, seed) == drawn


def test_locks_hold_single_parameters_and_groups():
    drawn = randomise(SCENE, 1.0, 3, frozenset({"noise.frequency", "erosion"}))
    assert drawn.noise.frequency == SCENE.noise.frequency and drawn.erosion == SCENE.erosion
    assert drawn.noise.amplitude != SCENE.noise.amplitude and drawn.sun != SCENE.sun


def test_all_locked_leaves_all_as_it_is():
    assert randomise(SCENE, 1.0, 3, frozenset(SCENE.groups())) == SCENE


def test_a_nudge_stays_near():
    low, high = SCENE.noise.declaration("amplitude").slider
    for seed in range(20):
        moved = abs(randomise(SCENE, 0.0, seed).noise.amplitude - SCENE.noise.amplitude)
        assert moved <= 0.05 * (high - low)


@pytest.mark.parametrize("amount", [-0.1, 1.1, float("nan")])
def test_other_amounts_are_refused_in_a_line(amount):
    with pytest.raises(InputError, match="amount"):
        randomise(SCENE, amount)
