"""The measure of how lands differ: what it tells and what it does not; and that dispersed variants do differ."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from fellview import variants
from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.variants import axes, measure

SIDE = measure.SIDE
CELL = (100.0, 100.0)
_OF_THE_MOST = 0.75  # random twelve reach 0.61 to 0.92 of it
TEN = [name for name in scenes.presets() if name != "directx-demo"]


def rough(power: float, seed: int = 1, height: float = 300.0) -> np.ndarray:
    """Return random land whose spectrum falls with `power`, float32 [row, column]."""
    waves = np.hypot(np.fft.fftfreq(SIDE, 1 / SIDE)[:, None], np.fft.rfftfreq(SIDE, 1 / SIDE))
    waves[0, 0] = np.inf
    phases = np.exp(2j * np.pi * np.random.default_rng(seed).random(waves.shape))
    land = np.fft.irfft2(phases * waves**-power, (SIDE, SIDE))
    return (height * land / np.ptp(land)).astype(np.float32)


def apart(*lands: np.ndarray) -> np.ndarray:
    """Return how far lands lie from each other, with others around them that give numbers their spreads."""
    others = [rough(power, seed, height) for power in (1.2, 2.0) for seed in (5, 6) for height in (100.0, 900.0)]
    told = [measure.blocks(HeightField(land, CELL)) for land in (*lands, *others)]
    places = measure.points(told)[: len(lands)]
    return np.linalg.norm(places[:, None] - places[None], axis=2)


def test_the_same_hills_turned_or_mirrored_are_no_other_land():
    land = rough(1.6)
    found = apart(land, np.rot90(land).copy(), land[:, ::-1].copy(), rough(1.6, height=900.0))
    assert max(found[0, 1], found[0, 2]) < 0.25 * found[0, 3]


@pytest.mark.parametrize("other", [rough(1.6, height=900.0), rough(2.4), np.abs(rough(1.6)), 9 * (rough(1.6) > 0)])
def test_height_grain_and_shape_make_another_land(other):
    land = rough(1.6)
    found = apart(land, land[:, ::-1].copy(), np.float32(other))
    assert found[0, 2] > 5 * found[0, 1]


@pytest.mark.parametrize("land", [np.zeros((SIDE, SIDE)), np.zeros((2, 3)), np.mgrid[:SIDE, :SIDE][0]])
def test_every_land_has_numbers(land):
    assert all(np.isfinite(block).all() for block in measure.blocks(HeightField(np.float32(land), CELL)))


def test_the_farthest_of_points_on_a_line_are_its_ends_and_middle():
    line = np.linspace(0, 1, 101)[:, None] ** 1.0
    assert sorted(measure.farthest(measure.between(line), 3)) == [0, 50, 100]
    assert len(measure.farthest(measure.between(line[:2]), 5)) == 2


def test_none_can_be_exchanged_for_one_that_is_farther():
    apart = measure.between(np.random.default_rng(4).random((40, 3)))
    chosen = measure.farthest(apart, 5)
    best = measure.nearest_neighbours(apart, chosen).mean()
    for place, other in itertools.product(range(5), set(range(40)) - set(chosen)):
        assert measure.nearest_neighbours(apart, [*chosen[:place], other, *chosen[place + 1 :]]).mean() <= best + 1e-6


def test_hills_that_lie_elsewhere_are_arranged_otherwise_at_any_height_and_on_any_grid():
    land = rough(1.6)
    told = measure.arrangement(HeightField(land, CELL))
    for same in (3 * land, land[::2, ::2]):
        assert told @ measure.arrangement(HeightField(same.copy(), CELL)) > 0.9
    assert told @ measure.arrangement(HeightField(land[:, ::-1].copy(), CELL)) < 0.5
    assert np.isfinite(measure.arrangement(HeightField(np.zeros((2, 3), np.float32), CELL))).all()


def test_one_broken_land_is_not_all_that_counts():
    told = [(np.array([value]),) for value in (0.0, 1.0, 2.0, 3.0, 1e9)]
    assert np.ptp(measure.points(told)) <= 5


def test_dispersed_scenes_are_candidates_and_as_many_as_asked_for():
    scene = scenes.load("badlands").replace({"grid.rows": 16, "grid.columns": 16})
    told = []
    found = variants.disperse(scene, 4, 9, seed=3, report=told.append)
    candidates = variants.some(scene, 9, variants.AMOUNT, 3)
    assert len(set(found)) == 4 and set(found) <= set(candidates)
    assert told == pytest.approx([number / 9 for number in range(1, 10)])


def shaded(scene: Scene) -> np.ndarray:
    """Return the land of `scene` lit from the north-west, 45° high, by Lambert's law: float64 [row, column]."""
    field = Pipeline(CpuEngine()).run(axes.grid_of(scene, SIDE).terrain_groups()).field
    z, x = np.gradient(field.heights.astype(float), *field.cell_size)
    return np.clip((x / 2 + np.sqrt(0.5) - z / 2) / np.sqrt(1 + x**2 + z**2), 0, None)


def times_chance(apart: np.ndarray, chosen: list[int]) -> float:
    """Return how many times as far those `chosen` are from each other as so many random ones."""
    draws = [random.Random(number).sample(range(len(apart)), len(chosen)) for number in range(20)]
    by_chance = np.mean([measure.nearest_neighbours(apart, draw).mean() for draw in draws])
    return float(measure.nearest_neighbours(apart, chosen).mean() / by_chance)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEN)
def test_the_dispersed_twelve_differ_more_than_random_ones(name):
    """In how they look, and in light and shadow, by which they were not chosen.

    Hillshades of random variants hardly correlate where hills lie elsewhere in each: no twelve can then differ much
    more. So the best that can be had, chosen by the hillshades themselves, is what counts where 1.2 cannot be reached.
    """
    scene = scenes.load(name)
    candidates = variants.some(scene, variants.CANDIDATES, variants.AMOUNT, 0)
    told = [measure.measured(one) for one in candidates]
    chosen = measure.farthest(measure.distances(told), 12)
    assert times_chance(measure.between(measure.points([one.blocks for one in told])), chosen) >= 1.5
    unlike = 1 - np.corrcoef([shaded(one).ravel() for one in candidates])
    most = times_chance(unlike, measure.farthest(unlike, 12))
    assert times_chance(unlike, chosen) >= min(1.2, _OF_THE_MOST * most), f"{most:.2f} at most"
