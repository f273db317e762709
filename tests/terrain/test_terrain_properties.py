"""What every terrain step keeps to, whatever it is given."""

import math
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fellview.io import pictures, scenes
from fellview.noise import classic
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.erosion import demo, wavefront
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.steps import erosion, smooth
from fellview.terrain.steps.erosion import Erosion
from fellview.terrain.steps.smooth import Smooth

# a first example may compile kernels, which takes seconds
relaxed = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def between(low, high):
    return st.floats(low, high, allow_nan=False, width=32)


@st.composite
def fields(draw, longest=24):
    rows, columns = draw(st.integers(2, longest)), draw(st.integers(2, longest))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    if draw(st.booleans()):  # few levels, so that drops tie
        return random.integers(-2, 3, (rows, columns)).astype(np.float32) / np.float32(draw(st.sampled_from([1, 3, 8])))
    return (random.random((rows, columns), np.float32) - np.float32(0.5)) * np.float32(draw(between(0.125, 64)))


def eroded(heights, threshold, iterations):
    domain = Domain(Grid(rows=heights.shape[0], columns=heights.shape[1]), 0)
    return erosion.run(Erosion(threshold=threshold, iterations=iterations), domain, heights, Progress())


def smoothed(heights, iterations):
    return smooth.run(Smooth(iterations=iterations), None, heights, Progress())


def plainly_eroded(heights, threshold, iterations):
    """The definition, cell by cell."""
    heights = heights.copy()
    neighbours = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
    for _ in range(iterations):
        for r in range(1, heights.shape[0] - 1):
            for c in range(1, heights.shape[1] - 1):
                drops = [heights[r, c] - heights[r + i, c + j] for i, j in neighbours]
                drop = max(drops)
                if 0 < drop <= np.float32(threshold):
                    i, j = neighbours[drops.index(drop)]
                    heights[r, c] -= drop * np.float32(0.5)
                    heights[r + i, c + j] += drop * np.float32(0.5)
    return heights


def plainly_smoothed(heights, iterations):
    """The definition, cell by cell, each block summed in scan order."""
    heights = heights.copy()
    for _ in range(iterations):
        for r in range(1, heights.shape[0] - 1):
            for c in range(1, heights.shape[1] - 1):
                total = np.float32(0)
                for height in heights[r - 1 : r + 2, c - 1 : c + 2].ravel():
                    total += height
                heights[r, c] = total / np.float32(9)
    return heights


ODD_SHAPES = [(2, 2), (2, 9), (9, 2), (3, 3), (3, 4), (4, 3), (3, 50), (50, 3), (50, 4), (4, 50), (5, 7), (17, 16)]


@pytest.mark.parametrize("shape", ODD_SHAPES, ids=str)
@pytest.mark.parametrize("levels", [3, 1000])
def test_sweeps_of_odd_shapes_are_those_of_the_definition(shape, levels):
    heights = np.random.default_rng(7).integers(0, levels, shape).astype(np.float32) / np.float32(levels)
    np.testing.assert_array_equal(eroded(heights, 0.7, 5), plainly_eroded(heights, 0.7, 5))
    np.testing.assert_array_equal(smoothed(heights, 2), plainly_smoothed(heights, 2))


@given(fields(), between(0.0625, 8), st.integers(1, 6))
@relaxed
def test_erosion_is_that_of_the_definition(heights, threshold, iterations):
    np.testing.assert_array_equal(
        eroded(heights, threshold, iterations), plainly_eroded(heights, threshold, iterations)
    )


@given(fields(), st.integers(1, 3))
@relaxed
def test_smoothing_is_that_of_the_definition(heights, iterations):
    np.testing.assert_array_equal(smoothed(heights, iterations), plainly_smoothed(heights, iterations))


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("band", [1, 64, 1 << 15])
def test_erosion_does_not_depend_on_how_it_is_shared_out(monkeypatch, threads, band):
    heights = np.random.default_rng(3).random((70, 90), np.float32)
    whole = eroded(heights, 0.6, 11)
    monkeypatch.setattr(os, "cpu_count", lambda: threads)
    domain, parameters = Domain(Grid(rows=70, columns=90), 0), Erosion(threshold=0.6, iterations=11)
    shared = demo.run(parameters, domain, heights, Progress(), cells_a_band=band, cost_a_call=1)
    np.testing.assert_array_equal(shared, whole)


@given(st.integers(3, 40), st.integers(3, 40))
@relaxed
def test_the_skewed_layout_gives_every_cell_one_place(rows, columns):
    start = wavefront.starts(rows, columns)
    places = [start[3 * r + c] + c // 3 for r in range(rows) for c in range(columns)]
    assert sorted(places) == list(range(rows * columns))


@given(fields(), between(0.0625, 8), st.integers(1, 30))
@relaxed
def test_erosion_keeps_the_mass_and_never_raises_the_highest(heights, threshold, iterations):
    after = eroded(heights, threshold, iterations)
    # each of a sweep's moves rounds twice, by half a unit in the last place of the heights
    largest_error = 2 * iterations * heights.size * np.spacing(np.abs(heights).max())
    assert abs(after.sum(dtype=np.float64) - heights.sum(dtype=np.float64)) <= largest_error
    assert after.max() <= heights.max()


@given(between(-1000, 1000), st.integers(2, 20), st.integers(2, 20))
@relaxed
def test_flat_ground_stays(height, rows, columns):
    flat = np.full((rows, columns), height, np.float32)
    np.testing.assert_array_equal(eroded(flat, 1.0, 5), flat)
    np.testing.assert_allclose(smoothed(flat, 2), flat, rtol=1e-5)


@given(fields())
@relaxed
def test_drops_above_the_threshold_stay(heights):
    drops = np.abs(heights[:, None, :, None] - heights.T[None, :, None, :])
    positive = drops[drops > 0]
    threshold = np.float32(positive.min() / 2) if positive.size else 1.0
    np.testing.assert_array_equal(eroded(heights, float(threshold), 3), heights)


@given(fields(), st.integers(1, 4))
@relaxed
def test_smoothing_stays_between_lowest_and_highest(heights, iterations):
    after = smoothed(heights, iterations)
    slack = 8 * np.spacing(np.abs(heights).max())  # eight rounded additions
    assert heights.min() - slack <= after.min() and after.max() <= heights.max() + slack


seeds = st.integers(0, 2**31 - 1)
# multiples of 1/1024 below 4096 are exact in float32, and so are they 256 further on
coordinates = st.integers(-(2**20), 2**20).map(lambda n: n / 1024)
points = st.tuples(coordinates, coordinates, coordinates)


@given(st.lists(st.tuples(*[st.integers(-1000, 1000)] * 3), min_size=1), seeds)
@relaxed
def test_noise_is_nothing_on_lattice_points(lattice, seed):
    assert not classic.exact_at(np.array(lattice, np.float32), seed).any()


@given(points, st.sampled_from([0, 1, 2]), st.sampled_from([-256, 256, 512]), seeds)
@relaxed
def test_noise_repeats_every_256(point, axis, shift, seed):
    there = np.array([point, point], np.float32)
    there[1, axis] += np.float32(shift)
    here, further = classic.exact_at(there, seed)
    assert here == further


@given(points, st.sampled_from([0, 1, 2]), seeds)
@relaxed
def test_noise_is_bounded_and_continuous(point, axis, seed):
    step = 1 / 256
    there = np.array([point, point], np.float32)
    there[1, axis] += np.float32(step)
    here, beside = classic.exact_at(there, seed)
    # Along an axis the noise rises by at most 1 for the gradients and 1.5 · 2√3 for the cubic fade between two dot
    # products, each at most √3.
    assert abs(here - beside) <= (1 + 1.5 * 2 * math.sqrt(3)) * step
    assert abs(here) <= 1


@given(st.integers(1, 40), st.integers(1, 40), between(0.0625, 64), st.sampled_from([0.0, 1.0, 0.25]), seeds)
@relaxed
def test_a_grid_of_noise_is_the_noise_at_its_points(rows, columns, frequency, z, seed):
    f, r, c = np.float32(frequency), np.arange(rows, dtype=np.float32), np.arange(columns, dtype=np.float32)
    x, y = np.meshgrid(f * r / np.float32(rows), f * c / np.float32(columns), indexing="ij")
    there = np.stack([x.ravel(), y.ravel(), np.full(x.size, z, np.float32)], axis=1)
    found = classic.exact_grid(rows, columns, frequency, z, seed)
    np.testing.assert_array_equal(found, classic.exact_at(there, seed).reshape(rows, columns))


texts = st.text(st.characters(codec="utf-8"), max_size=30)


def values(declaration):
    if declaration.options:
        return st.sampled_from(declaration.options)
    if declaration.colour:
        return st.integers(0, 0xFFFFFF).map(lambda rgb: f"#{rgb:06x}")
    if declaration.free_text:
        return texts
    if declaration.type is bool:
        return st.booleans()
    if declaration.type is int:
        return st.integers(int(declaration.low), int(declaration.high))
    return st.floats(declaration.low, declaration.high, allow_nan=False)


def changes(groups):
    """Any valid values for any of the parameters in `groups` but a file's path, which must be there to be valid."""
    every = {
        f"{key}.{name}": values(declaration)
        for key, group in groups.items()
        for name, declaration in group.declarations().items()
        if not declaration.action
    }
    return st.fixed_dictionaries({}, optional=every)


# small grids and few sweeps keep an example short; what else is declared may be anything
short = st.fixed_dictionaries(
    {
        "grid.rows": st.integers(2, 40),
        "grid.columns": st.integers(2, 40),
        "erosion.iterations": st.integers(0, 20),
        "smooth.iterations": st.integers(0, 4),
    }
)


@given(changes(Scene().terrain_groups()), short)
@settings(relaxed, max_examples=30)
def test_any_valid_parameters_give_finite_heights(anything, small):
    scene = Scene().replace(anything | small)
    field = Pipeline(CpuEngine()).run(scene.terrain_groups()).field
    assert field.heights.shape == (scene.grid.rows, scene.grid.columns)
    assert field.heights.dtype == np.float32 and np.isfinite(field.heights).all()


any_scene = st.builds(
    lambda name, sentence, changed: Scene(name=name, sentence=sentence).replace(changed),
    texts,
    texts,
    changes(Scene().groups()),
)


@given(any_scene)
@relaxed
def test_any_scene_comes_back_from_text(scene):
    assert recipe.from_text(recipe.to_text(scene)) == (scene, [])


@given(any_scene)
@relaxed
def test_any_scene_comes_back_from_a_file_and_a_picture(tmp_path, scene):
    scenes.save(tmp_path / "land.toml", scene)
    assert scenes.load(tmp_path / "land.toml") == scene
    pictures.save(tmp_path / "land.png", np.zeros((2, 2, 4), np.uint8), recipe.to_text(scene))
    assert scenes.load(tmp_path / "land.png") == scene
