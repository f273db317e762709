"""What thermal and fluvial erosion keep to: mass, symmetry, rivers that reach the edge, one landscape at every size."""

import dataclasses
import itertools
import threading
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fellview.core.errors import Cancelled
from fellview.terrain import resample
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.erosion import fluvial, thermal
from fellview.terrain.hydrology import drainage
from fellview.terrain.pipeline.masks import drainage_area
from fellview.terrain.progress import Progress
from fellview.terrain.steps import erosion, noise
from fellview.terrain.steps.erosion import Erosion

# a first example may compile kernels, which takes seconds
relaxed = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])

STOP = np.zeros(1, np.uint8)


def domain(rows, columns, size_z=200.0, size_x=200.0, seed=1):
    return Domain(Grid(rows=rows, columns=columns, size_z=size_z, size_x=size_x), seed)


def land(rows, columns, seed=1, amplitude=1300.0, frequency=3.0, size=4000.0):
    """Plain fBm, and its domain."""
    where = domain(rows, columns, size, size, seed)
    parameters = noise.Noise(frequency=frequency, octaves=9, amplitude=amplitude, gain=0.47, lacunarity=2.03)
    return where, noise.run(parameters, where, np.zeros((rows, columns), np.float32), Progress())


def slid(heights, where, duration=100.0, angle=35.0):
    return thermal.run(thermal.Thermal(duration=duration, talus_angle=angle), where, heights, Progress())


def carved(heights, where, **terms):
    return erosion.run(Erosion(kind="fluvial", **terms), where, heights, Progress())


@st.composite
def rough(draw):
    """A small field of random heights and a domain of any shape."""
    rows, columns = draw(st.integers(2, 24)), draw(st.integers(2, 24))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    heights = random.random((rows, columns), np.float32) * np.float32(draw(st.floats(0.125, 500, width=32)))
    return heights, domain(rows, columns, draw(st.floats(10, 1000)), draw(st.floats(10, 1000)))


def downsampled(heights, side):
    return resample.coarser(np.ascontiguousarray(heights), side, side, STOP)


def compared(low, high):
    """Return the correlation and the ratio of the rms of two changes, each (before, after), on the coarser grid."""
    a, b = (downsampled(after - before, low[0].shape[0]) for before, after in (low, high))
    return np.corrcoef(a.ravel(), b.ravel())[0, 1], np.sqrt((a**2).mean() / (b**2).mean())


# --- thermal


@given(rough(), st.floats(1, 1000), st.floats(1, 80))
@relaxed
def test_scree_keeps_the_mass_and_stays_between_lowest_and_highest(field, duration, angle):
    heights, where = field
    after = slid(heights, where, duration, angle)
    steps, stages, _ = thermal.plan(duration, where)
    rounding = np.spacing(np.abs(heights).max())
    assert (
        abs(after.sum(dtype=np.float64) - heights.sum(dtype=np.float64)) <= 4 * steps * stages * heights.size * rounding
    )
    slack = 0.02 * np.ptp(heights) + 8 * rounding  # stages of a long step waver by about a hundredth
    assert heights.min() - slack <= after.min() and after.max() <= heights.max() + slack


@given(rough())
@relaxed
def test_scree_does_not_depend_on_order_or_direction(field):
    heights, where = field
    after = slid(heights, where)
    turned = domain(heights.shape[1], heights.shape[0], where.grid.size_x, where.grid.size_z)
    np.testing.assert_array_equal(slid(heights[::-1].copy(), where), after[::-1])
    np.testing.assert_array_equal(slid(heights[:, ::-1].copy(), where), after[:, ::-1])
    np.testing.assert_array_equal(slid(heights.T.copy(), turned), after.T)


def steepest(heights, where):
    """The steepest slope along each of four ways, as angles in degrees."""
    z, x = where.grid.cell_size
    h = heights.astype(np.float64)
    drops = [
        (h[1:] - h[:-1], z),
        (h[:, 1:] - h[:, :-1], x),
        (h[1:, 1:] - h[:-1, :-1], np.hypot(z, x)),
        (h[1:, :-1] - h[:-1, 1:], np.hypot(z, x)),
    ]
    return [np.degrees(np.arctan(np.abs(drop).max() / length)) for drop, length in drops]


@given(rough())
@relaxed
def test_slopes_under_the_talus_angle_stay_exactly(field):
    heights, where = field
    angle = min(84.0, max(1.0, max(steepest(heights, where)) + 0.5))  # the least that can be asked for is 1°
    gentle = heights if max(steepest(heights, where)) < angle else heights / np.float32(1e4)
    np.testing.assert_array_equal(slid(gentle, where, 300.0, angle), gentle)


def test_nothing_stands_above_the_talus_angle_in_the_end():
    random = np.random.default_rng(4)
    heights, where = random.random((20, 30), np.float32) * 60, domain(20, 30, 300, 200)
    assert max(steepest(heights, where)) > 70
    for _ in range(200):
        heights = slid(heights, where, 1000.0, 35.0)
    assert max(steepest(heights, where)) < 35.2


def test_scree_looks_the_same_at_every_size():
    changes = {}
    for side in (256, 512, 1024):
        where, heights = land(side, side, amplitude=2600.0)
        changes[side] = heights, slid(heights, where)
    for low, high in ((256, 512), (512, 1024), (256, 1024)):
        correlation, ratio = compared(changes[low], changes[high])
        assert correlation > 0.97 and 0.9 < ratio < 1.1
    where, heights = land(512, 512, seed=2, amplitude=2600.0)
    assert compared(changes[256], (heights, slid(heights, where)))[0] < 0.5


# --- fluvial


@pytest.fixture(scope="module")
def ranges():
    """Input and result by (side, seed)."""
    found = {}
    for side, seed in ((256, 1), (512, 1), (1024, 1), (256, 2), (512, 2)):
        where, heights = land(side, side, seed)
        found[side, seed] = heights, carved(heights, where)
    return found


@pytest.mark.parametrize(("low", "high", "least"), [(256, 512, 0.95), (512, 1024, 0.95), (256, 1024, 0.9)])
def test_one_landscape_at_every_size(ranges, low, high, least):
    correlation, ratio = compared(ranges[low, 1], ranges[high, 1])
    assert correlation > least and 0.9 < ratio < 1.1


def test_another_seed_is_another_landscape(ranges):
    assert compared(ranges[256, 1], ranges[512, 2])[0] < 0.5


def test_another_river_network_on_the_same_land_is_told_apart(ranges):
    where, heights = land(512, 512, 1)
    other = carved(heights, dataclasses.replace(where, seed=2))
    assert compared(ranges[256, 1], (heights, other))[0] < 0.9


def pits(heights):
    """Number of cells inside that have no lower neighbour."""
    h = np.asarray(heights)
    around = [
        h[1 + i : h.shape[0] - 1 + i, 1 + j : h.shape[1] - 1 + j] for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j
    ]
    return int((np.min(around, axis=0) >= h[1:-1, 1:-1]).sum()) if min(h.shape) > 2 else 0


def rain_at_the_edge(heights, cell_size):
    """Share of the rain that reaches the edge along the steepest ways, without any filling."""
    rows, columns = heights.shape
    h = np.pad(heights.astype(np.float64), 1, constant_values=np.inf)
    z, x = cell_size
    falls = np.stack([
        (heights - h[1 + i : rows + 1 + i, 1 + j : columns + 1 + j]) / np.hypot(i * z, j * x)
        for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j
    ])  # fmt: skip
    steps = np.array([i * columns + j for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j])
    here = np.arange(rows * columns).reshape(rows, columns)
    to = np.where(falls.max(axis=0) > 0, here + steps[falls.argmax(axis=0)], here)
    edge = drainage.border(rows, columns)
    to[edge[:, 0], edge[:, 1]] = here[edge[:, 0], edge[:, 1]]
    to = to.ravel()
    for _ in range(int(np.log2(rows * columns)) + 1):
        to = to[to]
    on_edge = np.zeros((rows, columns), bool)
    on_edge[edge[:, 0], edge[:, 1]] = True
    return on_edge.ravel()[to].mean()


@pytest.mark.parametrize("seed", [1, 2])
def test_all_rain_reaches_the_edge_and_no_pit_is_left(ranges, seed):
    _, after = ranges[512, seed]
    assert pits(after) == 0
    assert rain_at_the_edge(after, (4000 / 512, 4000 / 512)) >= 0.99


def test_rivers_leave_in_few_places_and_not_as_a_comb(ranges):
    """Ten rivers or so carry most of the rain over the edge; a comb of small ones would share it out."""
    _, after = ranges[512, 1]
    edge = drainage.border(512, 512)
    leaving = np.sort(drainage_area(after, (1.0, 1.0))[edge[:, 0], edge[:, 1]])[::-1]
    assert leaving[:20].sum() > 0.8 * 512**2


def test_no_direction_of_the_grid_is_preferred(ranges):
    """Ridges and flanks face all ways alike: no eighth of the circle holds half as much again as its share."""
    _, after = ranges[512, 1]
    z, x = np.gradient(downsampled(after, 256))
    counts, _ = np.histogram(np.arctan2(z, x) % (np.pi / 2), bins=6)
    assert counts.max() < 1.35 * counts.mean()


def test_the_same_again_bit_for_bit():
    where, heights = land(150, 200)
    np.testing.assert_array_equal(carved(heights, where), carved(heights, where))


def test_little_time_wears_little():
    """Lakes fill at once, but nothing is cut."""
    where, heights = land(96, 96)
    ages = (0.01, 1.0, 10.0, 100.0)
    depths = [np.maximum(heights - carved(heights, where, duration=age), 0).mean() for age in ages]
    assert depths == sorted(depths)
    assert depths[0] < 0.01 * heights.std() < 0.1 * heights.std() < depths[-1]


def test_flat_land_stays():
    flat = np.full((40, 40), 700.0, np.float32)
    np.testing.assert_array_equal(carved(flat, domain(40, 40)), flat)


SHAPES = [(2, 2), (2, 50), (50, 2), (3, 3), (3, 400), (33, 32), (40, 90), (100, 31)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_any_shape_drains(shape):
    where, heights = land(*shape, frequency=2.6)
    after = carved(heights, dataclasses.replace(where, grid=where.grid.replace(size_x=1000.0, size_z=5000.0)))
    assert after.shape == shape and after.dtype == np.float32 and np.isfinite(after).all()
    assert pits(after) == 0


@pytest.mark.parametrize("turn", [np.flipud, np.fliplr, np.transpose], ids=lambda turn: turn.__name__)
def test_mirrored_land_gives_as_high_a_range(turn):
    """Hashes of cells make another network of it, of the same kind."""
    where, heights = land(128, 128)
    after, mirrored = carved(heights, where), carved(np.ascontiguousarray(turn(heights)), where)
    assert 0.8 < np.ptp(mirrored) / np.ptp(after) < 1.25
    assert abs(mirrored.mean() - after.mean()) < 0.1 * np.ptp(after)


def test_slope_and_area_of_a_steady_range_keep_the_stream_power_law():
    """Where nothing changes any more, K·A/√(A + Ac)·S = U; K varies evenly about 1 from cell to cell."""
    side = 32
    random = np.random.default_rng(1)
    ramp = np.linspace(0, 100, side, dtype=np.float32)[:, None] + random.random((side, side), np.float32)
    where = domain(side, side, 1e5, 1e5)  # so wide that no slope comes near the talus angle
    after = carved(ramp, where, duration=1000.0, deposition=0.0, creep_length=0.0, rock_contrast=0.0)
    flat = drainage.padded(after, np.inf)
    bits, directions = np.zeros(flat.size, np.uint32), np.full(flat.size, drainage.ROOT + 1, np.uint8)
    ways = tuple(np.float32(side / way) for way in (1, 1, np.sqrt(2)))
    drainage.find_receivers(flat, side, side, bits, ways, np.float32(0), directions, STOP)
    donors = np.zeros(flat.size, np.uint8)
    drainage.find_donors(directions, side, side, donors)
    roots = np.flatnonzero(directions == drainage.ROOT).astype(np.int32)
    orders, parents = np.empty((2, drainage.LANES, side * side), np.int32)
    counts = np.zeros(drainage.LANES, np.int64)
    starts = np.array([0, len(roots), len(roots)])
    drainage.climb(roots, starts, donors, side, orders, parents, counts, STOP)
    cells = np.zeros(flat.size, np.int32)
    drainage.sum_up(orders, parents, counts, cells, np.empty(0, np.float32), False, STOP)
    order, parent = orders[0, : counts[0]], parents[0, : counts[0]]
    inside = order != order[parent]
    here, below = order[inside], order[parent[inside]]
    relief = np.ptp(ramp)
    length = np.where(np.isin(np.abs(here - below), (1, side + 2)), 1, np.sqrt(2)) / side
    slope = (flat[here] - flat[below]) / relief / length
    area = cells[here] / side**2
    h0 = np.clip((drainage.padded(ramp, 0)[here] - ramp.min()) / relief, 0, 1)
    law = slope * area / np.sqrt(area + 0.015**2) / ((0.35 + 1.3 * h0) / 12)
    assert np.median(law) == pytest.approx(1, rel=0.1)
    for low, high in ((1, 3), (3, 10), (10, 100)):
        some = (cells[here] >= low) & (cells[here] < high)
        assert np.median(law[some]) == pytest.approx(1, rel=0.25)


def on_a_plain(rows, columns):
    """A rough, steep-sided plateau on a plain without any slope, and its domain."""
    where, rough = land(rows, columns, seed=3)
    z, x = np.mgrid[:rows, :columns] / np.array([rows, columns]).reshape(2, 1, 1)
    plateau = np.hypot(z - 0.6, x - 0.45) < 0.3
    return where, np.where(plateau, 1000 + 0.2 * rough, 0).astype(np.float32)


@pytest.mark.parametrize(("rows", "columns"), [(128, 128), (64, 100)])
def test_rounding_draws_no_network_on_a_plain(rows, columns):
    where, heights = on_a_plain(rows, columns)
    terms = {"duration": 60.0, "deposition": 0.0, "creep_length": 0.01}
    after = carved(heights, where, **terms)
    random = np.random.default_rng(1)
    rounded = heights + 1e-6 * np.ptp(heights) * random.standard_normal(heights.shape).astype(np.float32)
    assert np.corrcoef(after.ravel(), carved(rounded, where, **terms).ravel())[0, 1] > 0.9999


def test_only_plains_are_made_uneven():
    rocks = fluvial._rocks((1.0, 1.0), 1)
    _, hills = land(32, 32)
    assert not fluvial.unevenness(hills, float(np.ptp(hills)), rocks).any()
    _, heights = on_a_plain(32, 32)
    uneven = fluvial.unevenness(heights, float(np.ptp(heights)), rocks)
    assert not uneven[heights > 0].any()
    assert uneven[0].std() > 1e-4  # of the relief: a hundred times what engines differ by
    assert np.abs(uneven).max() < 0.01


def nyquist(heights):
    """Rms of what alternates from cell to cell in both directions."""
    h = heights.astype(np.float64)
    for _ in range(2):
        h = (h[2:] - 2 * h[1:-1] + h[:-2]).T / 4
    return np.sqrt((h**2).mean())


def drawn(names):
    """Any values of the declared parameters `names` of erosion."""
    found = {}
    for name in names:
        one = Erosion.declarations()[name]
        found[name] = st.floats(one.low, one.high, allow_nan=False)
    return st.fixed_dictionaries(found)


sides = st.integers(2, 70)
extents = st.floats(50, 50_000)


@given(
    drawn([name for name in fluvial.Fluvial.declarations() if name != "stop_after"]),
    st.tuples(sides, sides, extents, extents, st.integers(0, 2**31 - 1)),
    st.floats(0.01, 100_000),
)
@relaxed
def test_no_draw_of_parameters_blows_up_or_makes_a_checkerboard(terms, where, amplitude):
    rows, columns, size_z, size_x, seed = where
    _, heights = land(rows, columns, seed, amplitude)
    after = carved(heights, domain(rows, columns, size_z, size_x, seed), **terms)
    relief = np.ptp(heights)
    assert np.isfinite(after).all()
    # uplift for the longest time there is, not worn at all: (0.35 + 1.3)/12·3 of the relief a unit, over 120 units and
    # three levels
    assert np.ptp(after) < 120 * max(relief, 1e-3)
    assert pits(after) == 0 or relief <= 1e-3 * np.abs(heights).max()
    if min(rows, columns) > 8:
        assert nyquist(after) < 3 * nyquist(heights) + 0.05 * np.ptp(after)


@given(rough(), drawn(["duration", "talus_angle"]))
@relaxed
def test_no_draw_of_parameters_makes_scree_blow_up(field, terms):
    heights, where = field
    after = slid(heights, where, terms["duration"], terms["talus_angle"])
    assert np.isfinite(after).all()
    if min(heights.shape) > 4:
        assert nyquist(after) <= 1.05 * nyquist(heights) + 8 * np.spacing(heights.max())


@pytest.mark.parametrize(
    ("bytes_a_cell", "run"),
    [
        (fluvial.BYTES_A_CELL, lambda where, heights: carved(heights, where)),
        (thermal.BYTES_A_CELL, lambda where, heights: slid(heights, where)),
    ],
    ids=["fluvial", "thermal"],
)
def test_the_stated_memory_is_what_it_takes(bytes_a_cell, run):
    """Kernels' own arrays, which Python does not see, are eight bytes a cell in fluvial and none in thermal."""
    where, heights = land(512, 512)
    run(where, heights)
    tracemalloc.start()
    try:
        run(where, heights)
        peak = tracemalloc.get_traced_memory()[1] / heights.size
    finally:
        tracemalloc.stop()
    own = 8 if bytes_a_cell == fluvial.BYTES_A_CELL else 0
    assert 0.75 * (bytes_a_cell + 4) < peak + own < bytes_a_cell + 4.5


@pytest.mark.parametrize("kind", ["thermal", "fluvial"])
def test_it_stops_soon_when_cancelled(kind):
    where, heights = land(1024, 1024)
    parameters = Erosion(kind=kind, duration=1000.0)
    erosion.run(parameters.replace(duration=1.0), where, heights, Progress())  # compiles
    waits = []
    for after in (0.02, 0.06, 0.12):
        cancel = np.zeros(1, np.uint8)
        asked = []

        def ask(cancel=cancel, asked=asked):
            asked.append(time.perf_counter())
            cancel[0] = 1

        timer = threading.Timer(after, ask)
        timer.start()
        with pytest.raises(Cancelled):
            erosion.run(parameters, where, heights, Progress(cancel))
        waits.append(time.perf_counter() - asked[0])
    assert np.median(waits) < 0.1  # 30 ms, and what a busy machine adds


def test_progress_rises_to_all():
    where, heights = land(64, 64)
    for run in (
        lambda progress: erosion.run(Erosion(kind="fluvial"), where, heights, progress),
        lambda progress: erosion.run(Erosion(kind="thermal"), where, heights, progress),
    ):
        seen = []
        run(Progress(report=lambda step, fraction, seen=seen: seen.append(fraction)))
        assert seen == sorted(seen) and seen[-1] == pytest.approx(1) and max(seen) <= 1


class Keeping(Progress):
    """Progress with a person who keeps what has been reached as soon as it is `at` iterations."""

    def __init__(self, at):
        super().__init__()
        self.at = at

    def report(self, step, fraction, iteration=0, iterations=0):
        self.keep[0] = self.at <= iteration < iterations


@pytest.mark.parametrize(
    ("parameters", "at"),
    [(Erosion(iterations=2000, threshold=30.0), 7)]
    + [(Erosion(kind="thermal", duration=1000.0), at) for at in (1, 4, 15)]
    + [(Erosion(kind="fluvial"), at) for at in (1, 61, 100, 120)],
    ids=lambda value: getattr(value, "kind", value),
)
def test_what_was_kept_is_what_its_recipe_gives_to_the_last_bit(parameters, at):
    where, heights = land(160, 200)
    progress = Keeping(at)
    kept = erosion.run(parameters, where, heights, progress)
    reached = progress.take_reached()
    assert reached is not None and reached >= at
    assert progress.take_reached() is None and not progress.keep[0]  # the steps after it run to their ends
    recipe = erosion.STEP.stopped(parameters, reached)
    assert recipe != parameters and recipe.replace(iterations=parameters.iterations, stop_after=0) == parameters
    assert np.array_equal(erosion.run(recipe, where, heights, Progress()), kept)
    assert not np.array_equal(erosion.run(parameters, where, heights, Progress()), kept)


@pytest.mark.parametrize("kind", ["thermal", "fluvial"])
def test_stopping_after_all_iterations_is_not_stopping(kind):
    where, heights = land(96, 80)
    parameters = Erosion(kind=kind)
    assert np.array_equal(
        erosion.run(parameters.replace(stop_after=100_000), where, heights, Progress()),
        erosion.run(parameters, where, heights, Progress()),
    )


def test_scree_that_stops_early_is_scree_of_less_time(monkeypatch):
    """The first j of s stages are a step of j stages, as stable, over (j² + j)/(s² + s) of the time."""
    where, heights = land(256, 256)
    parameters = Erosion(kind="thermal", duration=400.0)
    _, stages, explicit = thermal.plan(parameters.duration, where)
    j = stages - 2
    early = erosion.run(parameters.replace(stop_after=j), where, heights, Progress())
    part = (j * j + j) / (stages * stages + stages)
    monkeypatch.setattr(thermal, "plan", lambda duration, domain: (1, j, explicit * part))
    wanted = erosion.run(parameters, where, heights, Progress())
    assert np.abs(early - wanted).max() < 1e-4 * np.abs(wanted - heights).max()


@pytest.mark.parametrize("stop_after", [1, 60, 63, 110])
def test_rivers_that_stop_early_still_reach_the_edge(stop_after):
    where, heights = land(150, 170)
    after = carved(heights, where, stop_after=stop_after)
    inner = after[1:-1, 1:-1]
    around = np.stack(
        [after[1 + r : r - 1 or None, 1 + c : c - 1 or None] for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
    )
    assert np.all(around.min(axis=0) < inner), "a cell without a lower neighbour"


def test_less_is_worn_the_earlier_it_stops():
    where, heights = land(128, 128)
    worn = [np.abs(carved(heights, where, stop_after=stop) - heights).mean() for stop in (2, 20, 0)]
    assert worn == sorted(worn)


@pytest.mark.parametrize("parameters", [Erosion(iterations=60), Erosion(kind="thermal"), Erosion(kind="fluvial")])
def test_pictures_on_the_way_go_from_the_input_to_the_result(parameters):
    where, heights = land(256, 256)
    seen = []
    each_look_seconds_later = itertools.count(0, 5).__next__
    progress = Progress(show=lambda picture: seen.append(picture.copy()), clock=each_look_seconds_later)
    end = erosion.run(parameters, where, heights, progress)
    assert seen and all(np.isfinite(picture).all() for picture in seen)
    last = seen[-1]
    assert last.shape == end.shape
    assert np.abs(last - end).mean() < 0.3 * np.abs(heights - end).mean()
    assert end.min() - 0.1 * np.ptp(end) < min(picture.min() for picture in seen)
