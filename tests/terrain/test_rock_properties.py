"""Physics of layers of rock under erosion: what stands, where it is steep, and the same land at every size."""

import dataclasses

import numpy as np
import pytest

from fellview.terrain import resample
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.erosion import rock
from fellview.terrain.erosion.rock import Rock
from fellview.terrain.progress import Progress
from fellview.terrain.steps import curve, erosion, noise
from fellview.terrain.steps.erosion import Erosion
from tests.sampling import sampled

STOP = np.zeros(1, np.uint8)
KINDS = ("thermal", "fluvial", "hydraulic")
PILE = Rock(enabled=True, thickness=80.0, undulation=40.0)


def land(side, layers=None, amplitude=1300.0):
    """Plain fBm on `layers`, with its domain."""
    where = Domain(Grid(rows=side, columns=side, size_z=4000.0, size_x=4000.0), 1, (layers,) if layers else ())
    parameters = noise.Noise(frequency=3.0, octaves=9, amplitude=amplitude, gain=0.47, lacunarity=2.03)
    return where, noise.run(parameters, where, np.zeros((side, side), np.float32), Progress())


def worn(heights, where, kind, **changes):
    made = erosion.run(Erosion(kind=kind, **changes), where, heights, Progress())
    return made if isinstance(made, np.ndarray) else made.heights


def slopes(heights, where):
    """Tangents of the slopes, from one neighbour to the other."""
    return np.hypot(*np.gradient(heights.astype(np.float64), *where.grid.cell_size))


@pytest.mark.parametrize("kind", KINDS)
def test_rock_that_is_off_changes_nothing_to_the_last_bit(kind):
    where, heights = land(96)
    off = dataclasses.replace(where, others=(Rock(thickness=5.0, contrast=50.0, cap_thickness=30.0),))
    plain = erosion.run(Erosion(kind=kind), where, heights, Progress())
    made = erosion.run(Erosion(kind=kind), off, heights, Progress())
    if kind == "hydraulic":
        assert set(made.fields) == set(plain.fields)
        plain, made = plain.heights, made.heights
    assert np.array_equal(made, plain)


@pytest.mark.parametrize("kind", KINDS)
def test_layers_that_are_all_alike_are_hardly_there(kind):
    where, heights = land(128, amplitude=2600.0)
    alike = dataclasses.replace(where, others=(PILE.replace(contrast=1.0, cliff_angle=1.0),))
    plain, made = (worn(heights, place, kind) - heights for place in (where, alike))
    assert np.corrcoef(plain.ravel(), made.ravel())[0, 1] > 0.99  # what differs is when ground slides


def test_hard_rock_is_left_standing():
    """Layers of 10 km: 1 to 9 km high all is of the hard one, as deep below 0 all of the soft one."""
    where, heights = land(128, Rock(enabled=True, thickness=10_000.0, irregularity=0.0))
    base = heights - heights.min()
    hard, soft = base + 2000, base - 4000
    for kind in ("fluvial", "hydraulic"):
        cut = [np.maximum(before - worn(before, where, kind), 0).mean() for before in (hard, soft)]
        assert cut[0] < 0.9 * cut[1], kind
    steep = [np.percentile(slopes(worn(before, where, "thermal"), where), 99) for before in (hard, soft)]
    assert steep[0] > 1.05 * steep[1]


@pytest.mark.parametrize(("kind", "least"), [("thermal", 1.15), ("fluvial", 1.3)])
def test_hard_layers_make_cliffs_and_soft_ones_slopes(kind, least):
    """Ground of one hardness is steeper than that of the other only where erosion felt them."""
    where, heights = land(256, PILE.replace(irregularity=0.3, undulation=0.0), amplitude=2600.0)

    def steeper(after):
        hardness = rock.fields(where, after, STOP)["rock_hardness"]
        steep = slopes(after, where)
        inside = np.zeros_like(steep, bool)
        inside[8:-8, 8:-8] = True  # the edge sinks to the outlets
        return steep[inside & (hardness > 0.5)].mean() / steep[inside & (hardness < -0.5)].mean()

    with_layers = worn(heights, where, kind, talus_angle=30.0)
    without = worn(heights, dataclasses.replace(where, others=()), kind, talus_angle=30.0)
    assert steeper(with_layers) > least * steeper(without)
    assert 0.8 < steeper(without) < 1.25


def test_a_caprock_makes_tables_at_its_height():
    """Of a plateau with valleys more is left within the cap than where other layers lie there."""
    cap = Rock(enabled=True, thickness=50.0, contrast=100.0, cap_thickness=50.0, cap_height=120.0)
    where, hills = land(192, amplitude=500.0)
    plateau = curve.run(curve.Curve(enabled=True, lower=15.0, middle=75.0, upper=92.0), where, hills, Progress())

    def within(layers):
        h = worn(plateau, dataclasses.replace(where, others=(layers,)), "fluvial", duration=30.0, uplift=0.0)
        return np.mean((h > 70) & (h < 120))

    assert within(cap) > 2 * within(cap.replace(cap_thickness=0.0))


def test_tilted_layers_go_down_the_way_they_are_said_to():
    tilted = Rock(enabled=True, thickness=50.0, tilt=10.0, tilt_azimuth=90.0)
    where, _ = land(64, tilted)
    x = np.arange(64, dtype=np.float32) * np.float32(where.grid.cell_size[1])
    falling = np.tile(25 - np.float32(np.tan(np.radians(10.0))) * (x - 2000), (64, 1))
    assert np.ptp(rock.fields(where, falling, STOP)["rock_layer"]) == 0
    level = rock.fields(where, np.full((64, 64), 25, np.float32), STOP)["rock_layer"]
    assert np.ptp(level, axis=0).max() == 0 and len(np.unique(level)) > 10


def checks(heights):
    """How much of what alternates from cell to cell along one way does so along the other too.

    White noise has √(3/8) = 0.61, as its second differences' weights ¼, ½, ¼ make; a checkerboard 1.
    """

    def second(h):
        return (h[2:] - 2 * h[1:-1] + h[:-2]).T / 4

    h = heights.astype(np.float64)
    return np.sqrt((second(second(h)) ** 2).mean() / max((second(h) ** 2).mean(), (second(h.T) ** 2).mean()))


EXTREMES = [
    {"thickness": 0.01},
    {"thickness": 10_000.0},
    {"irregularity": 0.0},
    {"irregularity": 1.0},
    {"contrast": 1000.0},
    {"cliff_angle": 88.0, "contrast": 1000.0},
    {"cliff_angle": 1.0},
    {"tilt": 60.0, "tilt_azimuth": 215.0},
    {"undulation": 10_000.0},
    {"undulation": 500.0, "undulation_frequency": 4096.0},
    {"cap_thickness": 10_000.0, "cap_height": 100_000.0},
    {"cap_thickness": 1.0, "cap_height": -100_000.0},
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("changes", EXTREMES, ids=lambda changes: "-".join(map(str, changes.items())))
def test_extremes_stay_finite_and_make_no_checks(kind, changes):
    where, heights = land(80, PILE.replace(**changes))
    made = erosion.run(Erosion(kind=kind), where, heights, Progress())
    assert np.isfinite(made.heights).all()
    assert made.heights.min() > heights.min() - np.ptp(heights) and made.heights.max() < heights.max() + np.ptp(heights)
    assert checks(made.heights) < np.sqrt(3 / 8)
    layer, hardness = (made.fields[field.name] for field in rock.FIELDS)
    assert layer.min() >= 0 and layer.max() <= 1 and np.abs(hardness).max() <= 1


def test_every_river_still_reaches_the_edge():
    where, heights = land(150, PILE.replace(contrast=100.0))
    h = worn(heights, where, "fluvial")
    around = [h[1 + i : 149 + i, 1 + j : 149 + j] for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    assert np.all(np.min(around, axis=0) < h[1:-1, 1:-1])


@sampled(
    "kind, amplitude, least",
    [("thermal", 2600.0, 0.93), ("fluvial", 1300.0, 0.95), ("hydraulic", 1300.0, 0.95)],
    quick=1,
)
def test_one_land_at_every_size(kind, amplitude, least):
    change = {}
    for side in (256, 512, 1024):
        where, heights = land(side, PILE, amplitude)
        change[side] = worn(heights, where, kind) - heights
    for low, high in ((256, 512), (512, 1024), (256, 1024)):
        a, b = (resample.coarser(np.ascontiguousarray(change[side]), low, low, STOP) for side in (low, high))
        assert np.corrcoef(a.ravel(), b.ravel())[0, 1] > least
        assert 0.9 < np.sqrt((a**2).mean() / (b**2).mean()) < 1.1
