"""Variants of a scene: along parameters, over seeds, by chance and mixed; and what chance leaves alone."""

from __future__ import annotations

import numpy as np
import pytest

import fellview
from fellview import variants
from fellview.core.errors import InputError
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.variants import chance
from fellview.variants.axes import grid_of, usual_range

HILLS = scenes.load("highlands")
CLIFFS = scenes.load("canyon")
SCENES = [scenes.load(name) for name in scenes.presets()]


def changed(one: Scene, other: Scene) -> set[str]:
    """Return the keys of all parameters in which two scenes differ."""
    theirs = other.groups()
    return {
        f"{key}.{name}"
        for key, group in one.groups().items()
        for name in group.declarations()
        if getattr(group, name) != getattr(theirs[key], name)
    }


def test_the_public_name_gives_scenes_along_a_parameter():
    found = list(fellview.variants.along(HILLS, "noise.amplitude", 100, 400, 3))
    assert [one.noise.amplitude for one in found] == pytest.approx([100, 200, 400])  # even by ratio, as the slider is
    assert all(changed(one, HILLS) <= {"noise.amplitude"} for one in found)


def test_without_a_range_it_is_the_useful_one():
    assert usual_range(HILLS, "noise.gain") == (0.3, 0.65)
    found = [one.noise.gain for one in variants.along(HILLS, "noise.gain")]
    assert (found[0], found[-1], len(found)) == (0.3, 0.65, 9)


def test_a_plane_rises_to_the_right_and_upwards():
    found = variants.plane(HILLS, "noise.gain", "erosion.duration", (0.2, 0.4), (10, 30), columns=2, rows=3)
    values = [(one.noise.gain, one.erosion.duration) for one in found]
    assert values == [(0.2, 30), (0.4, 30), (0.2, 20), (0.4, 20), (0.2, 10), (0.4, 10)]


def test_seeds_go_on_from_the_scenes_own():
    last = HILLS.replace({"noise.seed": 2**31 - 2})
    assert [one.noise.seed for one in variants.seeds(last, 3)] == [2**31 - 2, 2**31 - 1, 0]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: variants.along(HILLS, "noise.kind"), "noise.kind"),
        (lambda: variants.along(HILLS, "noise.hills"), "noise.hills"),
        (lambda: variants.along(HILLS, "noise.gain", 0, 2), "noise.gain = 2"),
        (lambda: variants.along(HILLS, "noise.gain", count=0), "count = 0"),
        (lambda: variants.plane(HILLS, "noise.gain", "noise.gain"), "both axes"),
        (lambda: variants.plane(HILLS, "noise.gain", "noise.warp", rows=30, columns=30), "count = 900"),
        (lambda: variants.randomise(HILLS, 1.5), "amount = 1.5"),
        (lambda: variants.randomise(HILLS, locked=frozenset({"hills"})), "hills"),
        (lambda: variants.disperse(HILLS, 12, candidates=11), "candidates = 11"),
        (lambda: variants.mix(HILLS, CLIFFS, locked=frozenset({"noise.hills"})), "noise.hills"),
    ],
)
def test_what_cannot_be_made_is_named(make, told):
    with pytest.raises(InputError, match=told):
        make()


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_chance_stays_in_useful_ranges_and_leaves_camera_light_and_kinds_alone(scene):
    free = chance.varied(scene)
    for seed in range(5):
        drawn = variants.randomise(scene, 0.5, seed)
        assert changed(drawn, scene) <= set(free)
        for key, declaration in free.items():
            value, was = drawn.get(key), scene.get(key)
            assert min(*declaration.useful, was) <= value <= max(*declaration.useful, was), key
    assert drawn.camera == scene.camera and drawn.sun == scene.sun and drawn.noise.seed == scene.noise.seed


def test_a_nudge_goes_less_far_than_anything():
    def way(amount: float) -> float:
        gains = [one.noise.gain for one in variants.some(HILLS, 40, amount, 1)]
        return float(np.mean(np.abs(np.subtract(gains, HILLS.noise.gain))))

    assert 0 < way(0.0) < way(0.05) < way(0.3) < way(1.0)
    assert max(abs(one.noise.gain - HILLS.noise.gain) for one in variants.some(HILLS, 40, 0.1, 1)) <= 0.1 * 0.35 + 1e-6


def test_only_anything_draws_seeds_too():
    assert variants.randomise(HILLS, 0.99, 3).noise.seed == HILLS.noise.seed
    assert variants.randomise(HILLS, 1.0, 3).noise.seed != HILLS.noise.seed
    assert variants.randomise(HILLS, 1.0, 3, frozenset({"noise.seed"})).noise.seed == HILLS.noise.seed


def test_locked_groups_and_parameters_stay():
    locked = variants.LOCKED | {"noise", "erosion.duration"}
    for one in variants.some(HILLS, 20, 1.0, 2, locked):
        assert one.noise == HILLS.noise and one.erosion.duration == HILLS.erosion.duration
        assert one.erosion != HILLS.erosion
        assert all(getattr(one, key) == getattr(HILLS, key) for key in variants.LOCKED)


def test_what_is_not_locked_moves():
    assert variants.randomise(HILLS, 0.5, 1, frozenset()).sun.elevation != HILLS.sun.elevation


def test_the_same_seed_gives_the_same_scenes():
    assert variants.some(HILLS, 3, 0.5, 7) == variants.some(HILLS, 3, 0.5, 7) != variants.some(HILLS, 3, 0.5, 8)


def test_children_take_whole_groups_from_either():
    locked = variants.LOCKED | {"noise.seed", "water"}
    children = variants.mix(HILLS, CLIFFS, 12, 0, locked)
    fixed = locked | {"grid", "view"}  # how large a land is, and how one looks at it, are no part of it
    assert len(children) == len(set(children)) == 12
    for child in children:
        for key, group in child.groups().items():
            either = {getattr(HILLS, key)} | (set() if key in fixed else {getattr(CLIFFS, key)})
            if key == "noise":  # of which one parameter is locked
                group, either = group.replace(seed=0), {one.replace(seed=0) for one in either}
            assert group in either
        assert child.noise.seed == HILLS.noise.seed
    taken = {key for child in children for key, group in child.groups().items() if group != getattr(HILLS, key)}
    assert {"noise", "erosion", "landform1"} <= taken


def test_scenes_that_differ_in_two_groups_have_two_children():
    other = HILLS.replace({"noise.gain": 0.3, "erosion.duration": 55.0})
    assert {(one.noise.gain, one.erosion.duration) for one in variants.mix(HILLS, other)} == {
        (0.3, HILLS.erosion.duration),
        (HILLS.noise.gain, 55.0),
    }
    assert variants.mix(HILLS, HILLS) == []


def test_what_has_changed_most_is_told_with_its_unit():
    one = HILLS.replace({"erosion.duration": 150.0, "noise.gain": 0.47, "noise.octaves": 9})
    assert chance.most_changed(one, HILLS) == "duration 150 kyr, octaves 9"
    assert chance.most_changed(HILLS, HILLS) == ""


def test_a_coarser_grid_is_taken_only_where_it_is_the_same_land():
    assert grid_of(HILLS, 64).grid.rows == 64
    assert grid_of(HILLS, 4096) == HILLS
    demo = scenes.load("directx-demo")
    assert grid_of(demo, 64) == demo
