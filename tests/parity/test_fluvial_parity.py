"""Fluvial erosion by OpenGL against the CPU's: step by step from one state, and whole runs by what they leave.

Steps are held bit by bit where they only compare and count, else to float32's rounding. Whole runs feel the last digit
at every ridge and on every lake, so they are held by correlation and by the statistics that make a landscape.
"""

import math

import numpy as np
import pytest

from fellview.gpu.twin import GpuLand
from fellview.gpu.twins import fluvial as twin
from fellview.terrain import resample
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.erosion import fluvial
from fellview.terrain.hydrology import drainage
from fellview.terrain.pipeline.masks import drainage_area, slope
from fellview.terrain.progress import Progress
from tests.parity.twins import finished, lent
from tests.terrain.test_erosion_properties import SHAPES, land, on_a_plain, pits, rain_at_the_edge

STOP = np.zeros(1, np.uint8)
DT, CRITICAL, TALUS, SINK = 0.1, 0.015**2, 2.4, 0.03
ROUNDING = 1e-6  # of values about 1: eight units in the last place


def carved(passes, heights, where, **parameters):
    """The twin's result."""
    given = passes.upload(heights)
    made, _ = finished(twin.run(passes, fluvial.Fluvial(**parameters), where, GpuLand(given)))
    after = passes.read(made.heights).copy()
    passes.give_back(given, made.heights)
    return after


def carved_on_cpu(heights, where, **parameters):
    return fluvial.run(fluvial.Fluvial(**parameters), where, heights, Progress())


class Both:
    """One level on both engines, from plain fBm with all its lakes."""

    def __init__(self, passes, rows, columns):
        _, heights = land(rows, columns)
        base = (heights - heights.min()) / np.ptp(heights)
        extent, self.passes, self.shape = (0.8, 1.25), passes, (rows, columns)
        self.cpu = fluvial.Level(rows, columns, extent, 64, STOP)
        self.held = twin._Held(passes)
        self.gpu = twin.Level(self.held, rows, columns, extent, 64)
        nothing, terms = np.zeros_like(base), fluvial.Fluvial()
        numbers = tuple(np.float32(v) for v in (0.8, 1.0, terms.incision, terms.rock_contrast, terms.uplift / 12))
        cpu = self.cpu
        fluvial._begin(base, nothing, base, base, nothing, cpu.bits, numbers, cpu.heights, cpu.strength, cpu.rise, STOP)
        ground, rock = self.held.keep(passes.upload(base)), self.held.keep(passes.upload(nothing))
        self.gpu.begin(terms, ground, ground, ground, rock, 0.8, 1.0)
        outlets = fluvial.lowest_along_edge(base)
        self.outlet_base = 0.5 * float(base[outlets[:, 0], outlets[:, 1]].min())
        cpu.place_outlets(outlets)
        self.gpu.place_outlets(outlets)

    def of_cpu(self, flat):
        return drainage.inner(flat, *self.shape)

    def share_state(self):
        """Give the GPU the CPU's heights and loads."""
        self.gpu.heights.write(np.ascontiguousarray(self.of_cpu(self.cpu.heights)).tobytes())
        self.gpu.load.write(np.ascontiguousarray(self.of_cpu(self.cpu.load)).tobytes())

    def route(self, lakes):
        at = self.cpu.heights[self.cpu.roots]
        sunk = at + np.float32(SINK) * np.minimum(0, np.float32(self.outlet_base) - at)
        self.cpu.outlet_heights[self.cpu.roots] = sunk
        self.cpu.route(STOP)
        if lakes:
            finished(self.gpu.route_over_lakes())
        else:
            self.gpu.route()

    def receivers(self):
        """Each cell's receiver on both engines, int (row, column); an outlet's is −1."""
        directions = self.of_cpu(self.cpu.directions).astype(int)
        steps = np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j] + [(0, 0)])
        here = np.stack(np.mgrid[: self.shape[0], : self.shape[1]], axis=-1)
        cpu = np.where((directions == drainage.ROOT)[..., None], -1, here + steps[directions])
        return cpu, self.passes.read(self.gpu.way)[..., 1::-1].astype(int)

    def relax(self):
        creep = DT * 0.004**2
        self.cpu.relax(DT, creep, CRITICAL, TALUS, STOP)
        self.gpu.relax(DT, creep, CRITICAL, TALUS)

    def incise(self):
        self.cpu.incise(DT, CRITICAL, 0.5, STOP)
        self.gpu.incise(DT, CRITICAL, 0.5, SINK, self.outlet_base)

    def heights(self):
        return self.of_cpu(self.cpu.heights), self.passes.read(self.gpu.heights)


@pytest.fixture
def both(passes, request):
    levels = Both(passes, *request.param)
    yield levels
    levels.held.give_all_back()


levels_of = pytest.mark.parametrize("both", [(64, 64), (48, 110), (2, 40)], ids=str, indirect=True)


@levels_of
def test_an_iteration_is_the_cpus(both):
    both.route(lakes=True)
    both.relax()
    both.incise()
    for _ in range(3):
        both.share_state()
        both.route(lakes=False)
        cpu, gpu = both.receivers()
        np.testing.assert_array_equal(gpu, cpu)
        area, load = np.moveaxis(both.passes.read(both.gpu.flow), 2, 0)
        np.testing.assert_array_equal(area, both.of_cpu(both.cpu.area))
        np.testing.assert_allclose(load, both.of_cpu(both.cpu.load), rtol=ROUNDING, atol=1e-12)
        both.relax()
        np.testing.assert_allclose(*both.heights(), rtol=0, atol=ROUNDING)
        both.incise()
        # rivers without fall rise by float32's rounding a cell, which one engine takes at each cell, the other at 1
        np.testing.assert_allclose(*both.heights(), rtol=0, atol=math.hypot(*both.shape) * 2.4e-7)


@levels_of
def test_the_first_iteration_crosses_the_same_lakes(both):
    both.route(lakes=True)
    cpu, gpu = both.receivers()
    assert (cpu != gpu).any(axis=-1).mean() < 1e-3  # where two neighbours of a lake cell are the same to the last digit
    both.relax()
    both.incise()
    heights, other = both.heights()
    assert np.quantile(np.abs(heights - other), 0.99) < 2e-5
    assert both.of_cpu(both.cpu.area).max() > 0.1 * heights.size


@pytest.mark.parametrize(("dt", "deposition", "creep"), [(0.1, 0.0, 0.0), (0.4, 1.0, 1e-4), (3.0, 1.0, 3e-3)])
def test_incision_leaves_no_lake(passes, dt, deposition, creep):
    """Without looking for lakes again, all rain reaches the outlets iteration by iteration."""
    both = Both(passes, 64, 64)
    level = both.gpu
    finished(level.route_over_lakes())
    for _ in range(4):
        level.relax(dt, creep, CRITICAL, TALUS)
        level.incise(dt, CRITICAL, deposition, SINK, both.outlet_base)
        level.route()
        area, outlets = passes.read(level.flow)[..., 0], passes.read(level.way)[..., 0] < 0
        assert area[outlets].sum() == area.size
        assert outlets.sum() == len(both.cpu.roots)
    both.held.give_all_back()


def test_resampling_is_the_cpus(passes):
    random = np.random.default_rng(3)
    held = twin._Held(passes)
    for coarse, fine in (((32, 32), (64, 64)), ((20, 31), (47, 50))):
        values = random.random(fine, np.float32)
        small, other = resample.coarser(values, *coarse, STOP), random.random(coarse, np.float32)
        np.testing.assert_allclose(
            passes.read(twin._coarser(held, passes.upload(values), *coarse)), small, rtol=0, atol=ROUNDING
        )
        textures = passes.upload(small), passes.upload(other)
        straight = passes.read(twin._finer(held, *textures, *fine))
        np.testing.assert_allclose(straight[..., 0], resample.finer(small, *fine, STOP), rtol=0, atol=3e-6)
        swayed = np.moveaxis(passes.read(twin._finer(held, *textures, *fine, sway=1.6, salt=-5)), 2, 0)
        # a place of float32 among 47 cells is 2e-6 of one off, between values that differ by 1
        np.testing.assert_allclose(
            swayed, resample.finer_swayed([small, other], *fine, 1.6, -5, STOP), rtol=0, atol=2e-5
        )
    held.give_all_back()


def test_rocks_are_the_cpus(passes):
    held = twin._Held(passes)
    for extent, seed in (((1.0, 1.0), 1), ((0.5, 2.0), 2**31 - 1)):
        texture = twin._rocks(held, extent, seed)
        np.testing.assert_allclose(passes.read(texture), fluvial._rocks(extent, seed), rtol=0, atol=1e-5)
    held.give_all_back()


@pytest.mark.parametrize("shape", [(64, 64), (40, 70)], ids=str)
def test_plains_are_as_uneven_as_the_cpus(passes, shape):
    where, heights = on_a_plain(*shape)
    terms = {"duration": 60.0, "deposition": 0.0}
    cpu, gpu = carved_on_cpu(heights, where, **terms), carved(passes, heights, where, **terms)
    assert np.corrcoef(gpu.ravel(), cpu.ravel())[0, 1] > 0.9999


def total_variation(one, other, bins):
    """Share of the cells that would have to change their bin."""
    counts = [np.histogram(values, bins)[0] / values.size for values in (one, other)]
    return 0.5 * np.abs(counts[0] - counts[1]).sum()


@pytest.mark.parametrize(("side", "seed", "terms"), [
    (128, 2, {"duration": 20.0, "deposition": 1.0, "incision": 3.0}),
    (64, 3, {"duration": 600.0, "uplift": 3.0, "incision": 0.3, "creep_length": 0.0, "rock_contrast": 1.5}),
])  # fmt: skip
def test_whole_runs_leave_one_landscape(passes, side, seed, terms):
    where, heights = land(side, side, seed)
    cpu, gpu = carved_on_cpu(heights, where, **terms), carved(passes, heights, where, **terms)
    cell = where.grid.cell_size
    assert np.corrcoef((gpu - heights).ravel(), (cpu - heights).ravel())[0, 1] > 0.999
    assert abs(gpu.mean() - cpu.mean()) < 1e-3 * np.ptp(cpu)  # mass
    assert np.abs(np.sort(gpu.ravel()) - np.sort(cpu.ravel())).max() < 0.01 * np.ptp(cpu)  # hypsometry
    assert total_variation(slope(gpu, cell), slope(cpu, cell), np.arange(0, 91, 3)) < 0.01
    areas = [np.log2(drainage_area(h, (1.0, 1.0))) for h in (gpu, cpu)]
    assert total_variation(*areas, np.arange(0, 19)) < 0.01
    assert pits(gpu) == 0
    assert rain_at_the_edge(gpu, cell) >= 0.99


def test_another_network_would_be_told_apart(passes):
    """The correlation that whole runs are held to is one that another river network on the same land misses by far."""
    where, heights = land(64, 64)
    cpu = carved_on_cpu(heights, where)
    other = carved(passes, heights, Domain(where.grid, seed=2))
    assert np.corrcoef((other - heights).ravel(), (cpu - heights).ravel())[0, 1] < 0.95


@pytest.mark.parametrize("stop_after", [1, 70])
def test_land_that_is_kept_half_worn_is_the_cpus(passes, stop_after):
    """After the first iteration, and on the second of three levels; finer ones are refined on both engines alike."""
    where, heights = land(100, 110)
    cpu = carved_on_cpu(heights, where, stop_after=stop_after)
    gpu = carved(passes, heights, where, stop_after=stop_after)
    assert np.corrcoef((gpu - heights).ravel(), (cpu - heights).ravel())[0, 1] > 0.999
    assert pits(gpu) == 0
    assert np.abs(carved_on_cpu(heights, where) - cpu).mean() > 1


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_any_shape_drains(passes, shape):
    where, heights = land(*shape, frequency=2.6)
    after = carved(passes, heights, Domain(where.grid.replace(size_x=1000.0, size_z=5000.0), where.seed))
    assert after.shape == shape and np.isfinite(after).all()
    assert pits(after) == 0


def test_flat_land_stays(passes):
    flat = np.full((40, 40), 700.0, np.float32)
    np.testing.assert_array_equal(carved(passes, flat, Domain(Grid(rows=40, columns=40), 1)), flat)


def test_the_input_stays_progress_rises_and_textures_come_back(passes):
    where, heights = land(40, 64)
    before = lent(passes)
    given = passes.upload(heights)
    made, seen = finished(twin.run(passes, fluvial.Fluvial(), where, GpuLand(given)))
    texture = made.heights
    assert seen == sorted(seen) and seen[-1] == pytest.approx(1) and max(seen) <= 1
    assert lent(passes) == before + 2 and texture is not given
    np.testing.assert_array_equal(passes.read(given), heights)
    passes.give_back(texture)
    for steps in (1, 5, 100):
        begun = twin.run(passes, fluvial.Fluvial(), where, GpuLand(given))
        for _ in range(steps):
            next(begun)
        begun.close()
        assert lent(passes) == before + 1
    passes.give_back(given)
