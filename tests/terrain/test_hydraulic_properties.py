"""What hydraulic erosion keeps to: water and sediment, level lakes, symmetry, one land at every size, no spikes."""

import dataclasses
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
from fellview.terrain.erosion import hydraulic
from fellview.terrain.hydrology import drainage
from fellview.terrain.progress import Progress
from fellview.terrain.steps import erosion, noise
from fellview.terrain.steps.erosion import Erosion

# a first example may compile kernels, which takes seconds
relaxed = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])

STOP = np.zeros(1, np.uint8)
USUAL = hydraulic.Hydraulic()
CLOSED = dataclasses.replace(USUAL, rain=0.0, evaporation=0.0)


def land(rows, columns, seed=12, amplitude=1300.0, frequency=3.2, size_z=4000.0, size_x=4000.0):
    """Plain fBm, and its domain."""
    where = Domain(Grid(rows=rows, columns=columns, size_z=size_z, size_x=size_x), seed)
    parameters = noise.Noise(frequency=frequency, octaves=9, amplitude=amplitude, gain=0.47, lacunarity=2.03)
    return where, noise.run(parameters, where, np.zeros((rows, columns), np.float32), Progress())


def washed(heights, where, **terms):
    return erosion.run(Erosion(kind="hydraulic", **terms), where, heights, Progress())


def begun(ground, water=0.0, load=0.0, terms=CLOSED, extent=(1.0, 1.0), talus=4.0):
    """A level in its own units, with `ground`, and with `water` and `load` everywhere or by cell."""
    rows, columns = ground.shape
    level = hydraulic.Level(rows, columns, hydraulic.plan(terms, rows, columns, extent, talus), 1)
    for field, values in ((level.ground, ground), (level.water, water), (level.load, load)):
        drainage.inner(field, rows, columns)[:] = values
    return level


def fields(level):
    """Ground, water and load [row, column], float64."""
    return [
        drainage.inner(field, level.rows, level.columns).astype(np.float64)
        for field in (level.ground, level.water, level.load)
    ]


def rough(seed, rows=40, columns=30):
    random = np.random.default_rng(seed)
    z, x = np.mgrid[:rows, :columns]
    hills = 0.3 + 0.2 * np.sin(z / 7.0 + seed) + 0.2 * np.cos(x / 5.0) + 0.05 * random.random((rows, columns))
    return hills.astype(np.float32), random


def leaving(level, load):
    """Water and sediment that the flows take over the edge in this step, as depths of one cell."""
    share_z, share_x = level.plan.carry[:2]
    shape = level.rows + 2, level.columns + 2
    z, x = (flow.reshape(shape).astype(np.float64) for flow in (level.flow_z, level.flow_x))
    sides = (
        (-share_z * z[0, 1:-1], load[0]),
        (share_z * z[-2, 1:-1], load[-1]),
        (-share_x * x[1:-1, 0], load[:, 0]),
        (share_x * x[1:-1, -2], load[:, -1]),
    )
    assert all((flow >= 0).all() for flow, _ in sides), "nothing comes in over the edge"
    return sum(flow.sum() for flow, _ in sides), sum((flow * c).sum() for flow, c in sides)


@pytest.mark.parametrize("extent", [(1.0, 1.0), (0.5, 2.0)])
def test_water_and_sediment_are_kept_but_for_what_leaves_over_the_edge(extent):
    ground, random = rough(3)
    level = begun(ground, 0.03 * random.random(ground.shape), 0.5 * random.random(ground.shape), extent=extent)
    h, d, c = fields(level)
    water, earth = d.sum(), (h + d * c).sum()
    gone_water = gone_earth = 0.0
    steps = 300
    for number in range(steps):
        load = fields(level)[2]
        level.step(STOP)
        if number % 4 == 0:
            level.slump(STOP)
        over = leaving(level, load)
        gone_water, gone_earth = gone_water + over[0], gone_earth + over[1]
    h, d, c = fields(level)
    rounding = float(np.sqrt(steps * ground.size) * np.finfo(np.float32).eps)  # as errors of either sign add up
    assert gone_water > 0.05 * water and gone_earth > 0
    assert d.sum() + gone_water == pytest.approx(water, abs=rounding)
    assert (h + d * c).sum() + gone_earth == pytest.approx(earth, abs=rounding)
    assert np.abs(h - ground).max() > 1e-3


def test_a_lake_at_rest_stays_level_and_takes_nothing():
    z, x = np.mgrid[-1:1:48j, -1:1:48j]
    bowl = (0.4 * np.hypot(z, x) + 0.05 * np.cos(9 * z) * np.cos(7 * x)).astype(np.float32)
    depth = np.maximum(np.float32(0.2) - bowl, 0)
    level = begun(bowl, depth)
    for _ in range(400):
        level.step(STOP)
    h, d, _ = fields(level)
    np.testing.assert_allclose(h, bowl, atol=1e-6)
    lake = depth > 1e-4
    np.testing.assert_allclose((h + d)[lake], 0.2, atol=2e-6)


def test_water_in_a_basin_comes_to_rest_level():
    z, x = np.mgrid[-1:1:40j, -1:1:40j]
    bowl = (0.4 * np.hypot(z, x)).astype(np.float32)
    depth = np.where(z < 0, np.maximum(np.float32(0.2) - bowl, 0), 0)
    level = begun(bowl, depth, terms=dataclasses.replace(CLOSED, erodibility=0.1))
    for _ in range(6000):
        level.step(STOP)
    h, d, _ = fields(level)
    surface = (h + d)[d > 1e-3]
    assert np.ptp(surface) < 1e-3
    assert d.sum() == pytest.approx(depth.sum(), rel=1e-3)


TURNS = [lambda a: a[::-1], lambda a: a[:, ::-1], lambda a: a.T]


@pytest.mark.parametrize("turn", TURNS, ids=["rows", "columns", "transposed"])
def test_mirrored_land_and_water_give_the_mirrored_result_bit_for_bit(turn):
    """Without rain, whose grain goes by the cell's number."""
    ground, random = rough(5, 24, 31)
    water = (0.02 * random.random(ground.shape)).astype(np.float32)
    extent = (1.25, 0.8)
    plain = begun(ground, water, extent=extent)
    turned = begun(turn(ground), turn(water), extent=extent if turn is not TURNS[2] else extent[::-1])
    for number in range(120):
        for level in (plain, turned):
            level.step(STOP)
            if number % 4 == 0:
                level.slump(STOP)
    for one, other in zip(fields(plain), fields(turned), strict=True):
        np.testing.assert_array_equal(turn(one), other)


def test_rain_that_runs_off_reaches_the_edge():
    """On a tilted plane in a steady state as much leaves as falls, at the depth of the law, √(Q·κ/(g·S))."""
    side = 32
    slope = 1.5
    ground = np.repeat(slope * np.arange(side, 0, -1, dtype=np.float32)[:, None] / side, side, axis=1)
    # ground as hard as the range allows wears little; capacity does not matter then
    level = begun(ground, terms=dataclasses.replace(USUAL, evaporation=0.0, erodibility=0.1, duration=1.0))
    for _ in range(3000):
        load = fields(level)[2]
        level.step(STOP)
    rain = level.plan.carry[2]
    out, _ = leaving(level, load)
    assert out == pytest.approx(rain * side * side, rel=0.02)
    h, d, _ = fields(level)
    inside = slice(8, 24)
    flow = hydraulic.RAIN * (np.arange(side) + 1)[inside] / side  # of the strip above
    tilt = -np.gradient(h.mean(axis=1) + d.mean(axis=1), 1 / side)[inside]
    law = np.sqrt(flow / (hydraulic.MOBILITY * tilt))
    np.testing.assert_allclose(d.mean(axis=1)[inside], law, rtol=0.1)


def test_without_rain_nothing_changes_under_the_talus_angle():
    where, heights = land(100, 90, amplitude=200.0)
    made = washed(heights, where, rain=0.0, talus_angle=80.0)
    np.testing.assert_array_equal(made.heights, heights)
    assert not made.fields["water_depth"].any() and not made.fields["sediment"].any()


def test_flat_land_stays_and_no_time_is_not_active():
    flat = np.full((40, 40), 700.0, np.float32)
    made = washed(flat, Domain(Grid(rows=40, columns=40), 1))
    np.testing.assert_array_equal(made.heights, flat)
    assert not erosion.STEP.active(Erosion(kind="hydraulic", duration=0.0))


def test_more_time_and_softer_ground_wear_more():
    where, heights = land(96, 96)
    for name, values in (
        ("duration", (1.0, 20.0, 100.0, 400.0)),
        ("erodibility", (0.1, 1.0, 10.0)),
        ("rain", (0.1, 1)),
    ):
        made = [washed(heights, where, talus_angle=80.0, **{name: value}).heights for value in values]
        changes = [np.abs(after - heights).mean() for after in made]
        assert changes == sorted(changes) and changes[0] < 0.8 * changes[-1]


def test_water_stands_in_hollows_and_sediment_raises_them():
    """Deposits lie where land was low for its surroundings; what was cut lies higher on the whole."""
    where, heights = land(256, 256)
    made = washed(heights, where)
    change = made.heights - heights
    laid, cut = change > 0.01 * np.ptp(heights), change < -0.01 * np.ptp(heights)
    wide = resample.finer(resample.coarser(heights, 16, 16, STOP), 256, 256, STOP)
    assert (heights - wide)[laid].mean() < (heights - wide)[cut].mean() - 0.02 * np.ptp(heights)
    assert made.fields["water_depth"][laid].mean() > 2 * made.fields["water_depth"].mean()


@pytest.fixture(scope="module")
def washes():
    """Input and result by side, and of another seed's rain and sway on the same land."""
    found = {}
    for side in (256, 512, 1024):
        where, heights = land(side, side)
        found[side] = heights, washed(heights, where).heights
    return found


def compared(low, high):
    """Return the correlation and the ratio of the rms of two changes, each (before, after), on the coarser grid."""
    side = low[0].shape[0]
    a, b = (resample.coarser(after - before, side, side, STOP) for before, after in (low, high))
    return np.corrcoef(a.ravel(), b.ravel())[0, 1], np.sqrt((a**2).mean() / (b**2).mean())


@pytest.mark.parametrize(("low", "high"), [(256, 512), (512, 1024), (256, 1024)])
def test_one_land_at_every_size(washes, low, high):
    correlation, ratio = compared(washes[low], washes[high])
    assert correlation > 0.95 and 0.9 < ratio < 1.1


def test_no_direction_of_the_grid_is_preferred(washes):
    _, after = washes[512]
    z, x = np.gradient(resample.coarser(after, 256, 256, STOP))
    counts, _ = np.histogram(np.arctan2(z, x) % (np.pi / 2), bins=6)
    assert counts.max() < 1.35 * counts.mean()


def nyquist(heights):
    """Rms of what alternates from cell to cell in both directions."""
    h = heights.astype(np.float64)
    for _ in range(2):
        h = (h[2:] - 2 * h[1:-1] + h[:-2]).T / 4
    return np.sqrt((h**2).mean())


def test_it_smooths_and_makes_no_checkerboard(washes):
    before, after = washes[512]
    assert nyquist(after) < nyquist(before)


def drawn():
    """Any values of the declared parameters."""
    found = {}
    for name in hydraulic.Hydraulic.declarations().keys() - {"stop_after"}:
        one = Erosion.declarations()[name]
        found[name] = st.floats(one.low, one.high, allow_nan=False)
    return st.fixed_dictionaries(found)


sides = st.integers(2, 70)
extents = st.floats(50, 50_000)


@given(drawn(), sides, sides, extents, extents, st.integers(0, 2**31 - 1), st.floats(0.01, 100_000))
@relaxed
def test_no_draw_of_parameters_blows_up_or_makes_a_checkerboard(terms, rows, columns, size_z, size_x, seed, amplitude):
    where, heights = land(rows, columns, seed, amplitude, 3.0, size_z, size_x)
    made = washed(heights, where, **terms)
    relief = max(np.ptp(heights), 1e-3 * np.abs(heights).max())
    assert all(np.isfinite(values).all() for values in (made.heights, *made.fields.values()))
    assert all((values >= 0).all() for values in made.fields.values())
    assert heights.min() - 0.05 * relief <= made.heights.min() and made.heights.max() <= heights.max() + 0.05 * relief
    if min(rows, columns) > 8:
        assert nyquist(made.heights) < 1.5 * nyquist(heights) + 0.01 * relief


@pytest.mark.parametrize("shape", [(2, 2), (2, 50), (50, 2), (3, 3), (3, 400), (100, 31)], ids=str)
def test_any_shape(shape):
    where, heights = land(*shape, size_z=5000.0, size_x=1000.0)
    made = washed(heights, where)
    for values in (made.heights, *made.fields.values()):
        assert values.shape == shape and values.dtype == np.float32 and np.isfinite(values).all()


def test_the_same_again_bit_for_bit():
    where, heights = land(150, 200)
    np.testing.assert_array_equal(washed(heights, where).heights, washed(heights, where).heights)


def test_the_stated_memory_is_what_it_takes():
    where, heights = land(512, 512)
    washed(heights, where, duration=1.0)
    tracemalloc.start()
    try:
        washed(heights, where, duration=1.0)
        peak = tracemalloc.get_traced_memory()[1] / heights.size
    finally:
        tracemalloc.stop()
    assert 0.75 * (hydraulic.BYTES_A_CELL + 4) < peak < hydraulic.BYTES_A_CELL + 4.5


def test_it_stops_soon_when_cancelled():
    where, heights = land(1024, 1024)
    washed(heights, where, duration=0.1)  # compiles
    waits = []
    for after in (0.02, 0.06, 0.12, 0.6):
        cancel = np.zeros(1, np.uint8)
        asked = []

        def ask(cancel=cancel, asked=asked):
            asked.append(time.perf_counter())
            cancel[0] = 1

        timer = threading.Timer(after, ask)
        timer.start()
        with pytest.raises(Cancelled):
            erosion.run(Erosion(kind="hydraulic"), where, heights, Progress(cancel))
        waits.append(time.perf_counter() - asked[0])
    assert np.median(waits) < 0.1  # 30 ms, and what a busy machine adds


def test_progress_rises_to_all_in_a_hundred_reports():
    where, heights = land(64, 64)
    seen = []
    erosion.run(
        Erosion(kind="hydraulic"), where, heights, Progress(report=lambda step, fraction: seen.append(fraction))
    )
    assert seen == sorted(seen) and seen[-1] == pytest.approx(1) and max(seen) <= 1 and len(seen) <= 101


def test_keeping_what_is_reached_is_the_same_as_stopping_there():
    where, heights = land(150, 150)
    keep = np.zeros(1, np.uint8)

    def report(step, fraction):
        keep[0] = fraction > 0.3

    progress = Progress(report=report, keep=keep)
    kept = erosion.run(Erosion(kind="hydraulic"), where, heights, progress)
    reached = progress.take_reached()
    assert reached
    again = washed(heights, where, stop_after=reached)
    np.testing.assert_array_equal(kept.heights, again.heights)
    assert np.abs(again.heights - washed(heights, where).heights).max() > 1e-3 * np.ptp(heights)
