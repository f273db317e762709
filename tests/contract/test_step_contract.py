"""What every terrain step keeps to; a new one joins by standing in the registry.

Variants of a step are its defaults, switched on, with every value of a choice that decides how it works. The demo's own
steps are in cells by definition, so the same land on other grids is not theirs.
"""

import gc
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fellview.core.compiled import Kernel, kernel
from fellview.core.errors import Cancelled
from fellview.terrain import resample
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land
from tests.lands import rolling

relaxed = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))

DECIDING = ("mode", "kind", "shape")


def variants(step):
    """Return groups of the step's parameters under which it works."""
    awake = step.parameters()
    if "enabled" in awake.declarations():
        awake = awake.replace(enabled=True)
    if step.key == "noise":
        return [awake]  # its kinds are walked by the noise's own contract
    if step.key.startswith("landform") and step.key != "landform1":
        return [awake.replace(kind="cone")]
    choices = [name for name in DECIDING if name in awake.declarations()]
    found = [awake.replace(**{name: option}) for name in choices for option in awake.declaration(name).options]
    return [group for group in found or [awake] if step.active(group)]


_SLOTS = [step.key for step in STEPS if step.key.startswith("landform")]

EVERY = [(step, group) for step in STEPS for group in variants(step)]
"""Every kind of landform stands in the first of its slots, which are alike; the others have one each."""

_WALKED_ELSEWHERE = ("noise", "erosion", *_SLOTS)
METRIC = [(step, group) for step, group in EVERY if not step.in_cells(group) and step.key not in _WALKED_ELSEWHERE]
"""All but those that count in cells; the noise's, erosion's and landforms' own tests walk grids."""


def name(value):
    if hasattr(value, "parameters"):
        return value.key
    return "-".join(str(getattr(value, choice)) for choice in DECIDING if hasattr(value, choice)) or "on"


every = pytest.mark.parametrize(("step", "group"), EVERY, ids=name)
metric = pytest.mark.parametrize(("step", "group"), METRIC, ids=name)


def run(step, group, heights, seed=5, progress=None):
    rows, columns = heights.shape
    made = step.run(group, Domain(Grid(rows=rows, columns=columns), seed), heights, progress or Progress())
    return made.heights if isinstance(made, Land) else made


@every
@pytest.mark.parametrize("shape", [(2, 2), (2, 9), (7, 3), (33, 48)], ids=str)
def test_a_step_of_any_size_gives_finite_heights_and_leaves_its_input(step, group, shape):
    heights = rolling(*shape, 20.0)
    before = heights.copy()
    after = run(step, group, heights)
    assert after.shape == shape and after.dtype == np.float32 and np.isfinite(after).all()
    np.testing.assert_array_equal(heights, before)
    assert not np.shares_memory(heights, after)


@every
def test_a_step_gives_the_same_twice(step, group):
    heights = rolling(40, 56, 20.0)
    np.testing.assert_array_equal(run(step, group, heights), run(step, group, heights))


@pytest.fixture(scope="module")
def signatures():
    """Return a function that tells for how many sorts of arguments kernels have been compiled, or found compiled."""
    # to look through all objects takes a tenth of a second: those there are, once, and each that is made after
    kernels = [one for one in gc.get_objects() if type(one) is Kernel]
    make = Kernel.__init__

    def made(self, *given, **more):
        make(self, *given, **more)
        kernels.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "__init__", made)
        yield lambda: sum(len(one.dispatcher.overloads) for one in kernels if "dispatcher" in vars(one))


@every
def test_a_step_is_compiled_once_for_heights_new_and_kept(signatures, step, group):
    """numba takes arrays that cannot be written to, such as the pipeline's, for other ones than those that can."""
    heights = rolling(40, 56, 20.0)
    run(step, group, heights)
    before = signatures()
    heights.flags.writeable = False
    run(step, group, heights)
    assert signatures() == before


def test_a_kernel_that_is_compiled_again_is_counted(signatures):
    """What the test above rests on."""
    twice = kernel()(lambda heights: heights.sum())
    twice(np.ones(3, np.float32))
    before = signatures()
    twice(np.ones(3, np.float64))
    assert signatures() == before + 1


@every
def test_a_step_that_works_changes_the_land(step, group):
    heights = rolling(40, 56, 20.0)
    assert np.abs(run(step, group, heights) - heights).max() > 0.01


@every
def test_a_step_stops_when_nobody_wants_it(step, group):
    wanted, cancel = run(step, group, rolling(40, 56, 20.0)), np.ones(1, np.uint8)
    try:
        after = run(step, group, rolling(40, 56, 20.0), progress=Progress(cancel))
    except Cancelled:
        return
    assert not np.array_equal(after, wanted), "all of the work was done"


@pytest.mark.parametrize("step", STEPS, ids=name)
def test_every_step_can_be_switched_off(step):
    """By its own switch, or by the kind none where that is all there is."""
    declared = step.parameters.declarations()
    change = {"enabled": False} if "enabled" in declared else {"kind": "none"}
    assert all(declared[name].tip for name in change)
    for group in variants(step):
        assert step.active(group)
        off = group.replace(**change)
        if step.key == "noise":
            assert not run(step, off, np.zeros((5, 6), np.float32)).any(), "no noise is a plain at 0"
        else:
            assert not step.active(off)


def change(step, group, side, seed=5):
    """Return what the step changes on a land of side² cells, brought to the same coarse cells."""
    heights = rolling(side, side, 20.0, seed=seed)
    return resample.coarser(run(step, group, heights) - heights, 128, 128, np.zeros(1, np.uint8))


@metric
def test_the_same_land_changes_alike_on_every_grid(step, group):
    here, finer, finest = (change(step, group, side) for side in (256, 512, 1024))
    for other in (finer, finest):
        assert correlation(here, other) > 0.97
        assert math.sqrt((here**2).mean()) == pytest.approx(math.sqrt((other**2).mean()), rel=0.1)
    if step.key != "edge":  # where a land is sunk goes by its border, not by its hills
        assert correlation(here, change(step, group, 512, seed=6)) < 0.5


def correlation(one, other):
    return np.corrcoef(one.ravel(), other.ravel())[0, 1]


def drawn(declaration):
    """Return any value that a slider, list or box gives."""
    if declaration.options:
        return st.sampled_from(declaration.options)
    if declaration.type is bool:
        return st.booleans()
    low, high = declaration.slider
    if declaration.type is int:
        return st.integers(int(low), int(high))
    return st.floats(low, high, allow_nan=False)


def any_group(step):
    """Return any parameters of a step, and few enough sweeps to be quick."""
    values = {name: drawn(declaration) for name, declaration in step.parameters.declarations().items()}
    if "iterations" in values:
        values["iterations"] = st.integers(0, 10)
    return st.fixed_dictionaries(values).map(lambda chosen: step.parameters(**chosen))


def pits(heights):
    """Return the share of inner cells that lie below all eight neighbours."""
    middle = heights[1:-1, 1:-1]
    rows, columns = heights.shape
    lowest = np.ones(middle.shape, bool)
    for r in range(3):
        for c in range(3):
            if (r, c) != (1, 1):
                lowest &= middle < heights[r : rows - 2 + r, c : columns - 2 + c]
    return lowest.mean()


def checkerboard(heights):
    """Return how much stronger waves of two cells both ways are than other short waves: about 1 for white noise.

    A cliff or a channel along a diagonal has waves of every length along it, those of two cells too; so they are held
    against the longer ones along the diagonals as well.
    """
    rows, columns = heights.shape
    window = np.hanning(rows)[:, None] * np.hanning(columns)
    waves = np.abs(np.fft.fft2((heights - heights.mean(dtype=np.float64)) * window)) ** 2
    z, x = np.abs(np.fft.fftfreq(rows))[:, None], np.abs(np.fft.fftfreq(columns))
    at_nyquist = (z > 0.45) & (x > 0.45)
    short = (np.maximum(z, x) > 0.25) & ~at_nyquist
    diagonal = short & (np.abs(z - x) < 0.05)
    rounding = rows * columns * float(np.spacing(np.abs(heights).max())) ** 2
    return waves[at_nyquist].mean() / (max(waves[short].mean(), waves[diagonal].mean()) + rounding + 1e-30)


def test_the_detector_tells_a_checkerboard():
    land = rolling(48, 64, 20.0)
    board = (-1.0) ** np.add.outer(np.arange(48), np.arange(64))
    random = np.random.default_rng(1)
    white = np.mean([checkerboard(random.random((48, 64), np.float32)) for _ in range(50)])
    assert white == pytest.approx(0.9, abs=0.15)
    assert checkerboard(land) < 0.5
    assert checkerboard(land + board) > 5
    cliff = 100.0 * (np.subtract.outer(np.arange(48), np.arange(64)) > 0)
    assert checkerboard(land + cliff) < 1.5
    assert checkerboard(land + cliff + 20.0 * board) > 5


SHAPING = [step for step in STEPS if step.key not in ("noise", "imported")]  # what works on land that is there


@given(st.tuples(*(any_group(step) for step in SHAPING)), st.integers(0, 2**31 - 1))
@relaxed
def test_all_steps_in_a_row_make_no_checkerboard_and_no_sieve(groups, seed):
    land = rolling(48, 64, 20.0)
    before = checkerboard(land)
    least = 2 * max(Grid(rows=48, columns=64).cell_size)  # what is narrower is between the cells
    for step, group in zip(SHAPING, groups, strict=True):
        if step.active(group):
            if step.key.startswith("landform"):
                group = group.replace(size=max(group.size, least))
            land = run(step, group, land, seed)
            assert np.isfinite(land).all(), step.key
    assert checkerboard(land) <= max(4.0, before)  # seldom more than 3 where one cliff has most of the short waves
    assert pits(land) <= 0.14, "ground of nothing but noise has pits in 1/9 of its cells, here give or take 0.006"
