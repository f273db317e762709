"""Lands that are shown before anything is computed: the right one, or none."""

from dataclasses import replace

import numpy as np
import pytest

from fellview import library
from fellview.core.height_field import HeightField
from fellview.io import land_cache, scenes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import STEPS

SMALL = Scene().replace({"grid.rows": 32, "grid.columns": 16, "grid.size_z": 400.0, "grid.size_x": 200.0})
GROUPS = SMALL.terrain_groups()


def land(rows, columns):
    heights = np.random.default_rng(1).random((rows, columns), np.float32)
    return HeightField(heights, (400 / rows, 200 / columns))


def test_the_land_of_the_last_session_comes_back_to_the_last_bit(tmp_path):
    field = land(32, 16)
    land_cache.store(tmp_path, GROUPS, field)
    found = land_cache.load(tmp_path, GROUPS)
    assert np.array_equal(found.heights, field.heights)
    assert found.cell_size == field.cell_size
    assert not found.heights.flags.writeable


@pytest.mark.parametrize(
    "change", [{"noise.seed": 99}, {"grid.rows": 64}, {"grid.size_x": 201.0}, {"smooth.iterations": 3}]
)
def test_another_recipe_has_no_part_in_it(tmp_path, change):
    land_cache.store(tmp_path, GROUPS, land(32, 16))
    assert land_cache.load(tmp_path, SMALL.replace(change).terrain_groups()) is None


def test_a_step_that_has_changed_since_makes_another_land():
    newer = [replace(step, revision=step.revision + 1) for step in STEPS]
    assert land_cache.key(GROUPS) == land_cache.key(GROUPS, STEPS) != land_cache.key(GROUPS, newer)


def test_fine_land_is_kept_at_every_second_place(tmp_path):
    field = land(32, 16)
    land_cache.store(tmp_path, GROUPS, field, most_cells=200)
    found = land_cache.load(tmp_path, GROUPS)
    assert np.array_equal(found.heights, field.heights[::2, ::2])
    assert found.size == field.size


def test_the_first_window_opens_with_the_opening_scene(tmp_path):
    scene = scenes.load(scenes.OPENING_PRESET)
    found = land_cache.load(tmp_path, scene.terrain_groups())
    assert found is not None, "the opening scene has changed: run scripts/make_opening_land.py"
    field = library.generate(scene, engine="cpu")
    step = field.rows // found.rows
    assert step > 1
    # 16 bits over the land's height, and what another processor rounds
    assert np.abs(found.heights - field.heights[::step, ::step]).max() < 1e-3 * np.ptp(field.heights)
