"""The faithful noise kinds against recorded outputs of the reference programs."""

import numpy as np
import pytest

from fellview import noise
from fellview.core.errors import InputError
from fellview.noise import improved
from tests import golden_data

SINGLE = 2e-6  # recorded in float32
DOUBLE = 1e-12  # recorded in float64


def _close(found, recorded, tolerance):
    np.testing.assert_allclose(found, recorded, rtol=0, atol=tolerance)


@pytest.mark.parametrize("dimension", (1, 2, 3))
def test_perlin_1985(dimension):
    data = golden_data.load("perlin_1985")
    tables = {"permutation": data["permutation"], "gradients": data[f"gradients_{dimension}d"]}
    points = data["points"][:, :dimension]
    _close(noise.at("perlin-1985", points, tables=tables), data[f"noise_{dimension}d"], SINGLE)


@pytest.mark.parametrize("dimension", (1, 2, 3))
def test_classic(dimension):
    data = golden_data.load("classic_perlin")
    points = data["points"][:, :dimension]
    recorded = data[f"noise_{dimension}d"]
    _close(noise.at("classic", points, seed=int(data["rand_seed"])), recorded, SINGLE)
    tables = {"gradients": data[f"gradients_{dimension}d"]}
    _close(noise.at("classic", points, seed=7, tables=tables), recorded, SINGLE)


def test_value_in_double_precision():
    data = golden_data.load("value_and_improved_3d")
    tables = {"values": data["value_table"]}
    found = noise.at("value", data["points"], tables=tables, range="unit", precise=True)
    _close(found, data["value_3d"], DOUBLE)


def test_improved_in_double_precision():
    data = golden_data.load("value_and_improved_3d")
    _close(noise.at("improved", data["points"], precise=True), data["improved_perlin_3d"], DOUBLE)
    _close(noise.at("improved", data["points"]), data["improved_perlin_3d"], SINGLE)


@pytest.mark.parametrize(
    ("recorded", "settings"),
    (
        ("noise", {}),
        ("fbm_6_octaves_persistence_05", {"octaves": 6, "gain": 0.5}),
        ("fbm_4_octaves_persistence_07", {"octaves": 4, "gain": 0.7}),
    ),
)
def test_improved_in_unit_range_and_its_sums(recorded, settings):
    data = golden_data.load("improved_perlin_unit")
    found = noise.at("improved", data["points"], range="unit", spread=False, **settings)
    _close(found, data[recorded], SINGLE)


def test_axis_gradients_in_a_bounded_grid():
    data = golden_data.load("axis_gradient_2d")
    points = np.stack([data["x"], data["y"]], axis=1)
    tables = {"gradient_index": data["gradient_index"], "gradients": data["gradients"]}
    _close(noise.at("axis", points, tables=tables, range="unit", precise=True), data["noise"], DOUBLE)


def test_a_bounded_grid_repeats():
    data = golden_data.load("axis_gradient_2d")
    rows, columns = data["gradient_index"].shape
    points = np.stack([data["x"], data["y"]], axis=1)
    tables = {"gradient_index": data["gradient_index"]}
    np.testing.assert_allclose(
        noise.at("axis", points + np.array([rows, -2 * columns]), tables=tables),
        noise.at("axis", points, tables=tables),
        atol=SINGLE,
    )


# Other tables and seeds work as well as the recorded ones


def _slow_lattice(points, corner, fade):
    """Return gradient noise the long way, from `corner(*cell)`; an independent check for tables of any content."""
    total = np.zeros(len(points))
    dimension = points.shape[1]
    for n, point in enumerate(points):
        cell = np.floor(point).astype(int)
        offset = point - cell
        for bits in range(1 << dimension):
            step = np.array([bits >> axis & 1 for axis in range(dimension)])
            weight = np.prod(np.where(step, fade(offset), 1 - fade(offset)))
            total[n] += weight * (corner(*(cell + step)) @ (offset - step))
    return total


def _cubic(t):
    return t * t * (3 - 2 * t)


def test_perlin_1985_with_any_tables():
    random = np.random.default_rng(5)
    half = random.permutation(256)
    permutation = np.concatenate([half, half, half[:2]])
    gradients = random.normal(size=(514, 3))
    points = random.uniform(-300, 300, (50, 3))
    found = noise.at("perlin-1985", points, tables={"permutation": permutation, "gradients": gradients}, precise=True)
    slow = _slow_lattice(
        points, lambda x, y, z: gradients[permutation[permutation[x & 255] + (y & 255)] + (z & 255)], _cubic
    )
    _close(found, slow, DOUBLE)


def test_perlin_1985_draws_its_own_tables():
    points = np.random.default_rng(6).uniform(-9, 9, (200, 3))
    first, again, other = (noise.at("perlin-1985", points, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.1


def test_improved_with_any_permutation():
    random = np.random.default_rng(7)
    table = random.permutation(256)
    edges = improved.edges_3d()[:, :3]
    points = random.uniform(-300, 300, (50, 3))
    found = noise.at("improved", points, tables={"permutation": table}, precise=True)

    def corner(x, y, z):
        return edges[table[(table[(table[x & 255] + y) & 255] + z) & 255] & 15]

    _close(found, _slow_lattice(points, corner, lambda t: t**3 * (t * (t * 6 - 15) + 10)), DOUBLE)


@pytest.mark.parametrize("seed", (0, 2, 2**32 - 1))
def test_a_seed_shuffles_the_improved_permutation(seed):
    shuffled = improved.permutation(seed)
    assert sorted(shuffled) == list(range(256))
    assert (shuffled != improved.permutation(1)).any()


def test_tables_of_the_wrong_name_or_shape_are_refused():
    points = np.zeros((1, 2))
    with pytest.raises(InputError, match=r"tables\['vectors'\].*permutation"):
        noise.at("classic", points, tables={"vectors": np.zeros(3)})
    with pytest.raises(InputError, match=r"shape \(3,\), expected \(256, 2\)"):
        noise.at("classic", points, tables={"gradients": np.zeros(3)})
    with pytest.raises(InputError, match="entries 0 to 3"):
        noise.at("axis", points, tables={"gradient_index": np.full((2, 2), 4)})
