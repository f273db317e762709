"""Lands that are shown before anything is computed: the right one, or none."""

import os
from dataclasses import replace

import numpy as np
import pytest

from fellview import library
from fellview.core.height_field import HeightField
from fellview.io import land_cache, scenes
from fellview.io.land_cache import Whole
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water
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


def test_the_land_of_the_last_session_comes_back_with_its_masks(tmp_path):
    water = Water(enabled=True, lake_fill=25.0)
    groups = groups_of(1)
    assert land_cache.load_whole(tmp_path, groups) is None
    land_cache.store_whole(tmp_path, groups, whole(1, water))
    found = land_cache.load_whole(tmp_path, groups)
    assert found.water == water and found.asked == whole(1).asked
    for name, values in whole(1).field.masks.items():
        assert np.array_equal(found.field.masks[name], values)
    assert np.array_equal(found.field.heights, whole(1).field.heights)
    assert land_cache.load_whole(tmp_path, groups_of(2)) is None
    land_cache.store_whole(tmp_path, groups_of(2, cells=2048), replace(whole(2), field=land(2048, 1024)))
    assert land_cache.load_whole(tmp_path, groups) is not None, "what is too large for a start is left out"
    land_cache.remove_whole(tmp_path)
    land_cache.remove_whole(tmp_path)
    assert land_cache.load_whole(tmp_path, groups) is None


# -- lands that are kept on shelves ------------------------------------------------------------------------------------


def whole(number, water=None):
    values = np.full((8, 8), number, np.float32)
    field = HeightField(values, (1.0, 1.0), {"slope": values + 1, "lake_depth": values + 2})
    return Whole(field, frozenset({"slope", "lake_depth", "scree_depth"}), water or Water())


def groups_of(number, cells=8):
    return Scene().replace({"noise.seed": number, "grid.rows": cells, "grid.columns": cells}).terrain_groups()


def test_a_kept_land_comes_back_with_its_masks_and_their_water(tmp_path):
    water = Water(enabled=True, lake_fill=25.0)
    for number in (1, 2):
        land_cache.store_kept(tmp_path, groups_of(number), whole(number, water))
    land = land_cache.load_kept(tmp_path, groups_of(2))
    field = land.field
    assert land.water == water and set(field.masks) == {"slope", "lake_depth"}
    assert land.asked == {"slope", "lake_depth", "scree_depth"}
    for found, expected in ((field.heights, 2), (field.masks["slope"], 3), (field.masks["lake_depth"], 4)):
        assert found.shape == (8, 8) and found.dtype == np.float32 and (found == expected).all()
    assert land_cache.load_kept(tmp_path, groups_of(3)) is None


@pytest.mark.parametrize("content", [b"", b"{}\n", b'{"key": 1}\n' + bytes(64)])
def test_a_damaged_kept_land_gives_nothing(tmp_path, content):
    land_cache.store_kept(tmp_path, groups_of(1), whole(1))
    next(tmp_path.iterdir()).write_bytes(content)
    assert land_cache.load_kept(tmp_path, groups_of(1)) is None


def test_kept_lands_that_were_used_longest_ago_make_room(tmp_path, monkeypatch):
    for number in (1, 2, 3):
        land_cache.store_kept(tmp_path, groups_of(number), whole(number))
        path = max(tmp_path.iterdir(), key=lambda one: one.stat().st_mtime)
        os.utime(path, (number, number))
    land_cache.load_kept(tmp_path, groups_of(1))
    size = next(tmp_path.iterdir()).stat().st_size
    monkeypatch.setattr(land_cache, "MOST_KEPT_BYTES", int(2.5 * size))
    land_cache.store_kept(tmp_path, groups_of(4), whole(4))
    assert [land_cache.load_kept(tmp_path, groups_of(number)) is not None for number in (1, 2, 3, 4)] == [
        True, False, False, True,
    ]  # fmt: skip
