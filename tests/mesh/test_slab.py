"""The land as a closed body: its volume, its base and its size in print."""

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.mesh.land_mesh import Wanted, meshes
from fellview.mesh.slab import Print, slab
from tests.lands import rolling


def volume(body):
    """Return the volume in mm³ by the divergence theorem; it is right for a closed body that faces outwards only."""
    a, b, c = np.moveaxis(body.positions[body.triangles], 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def test_the_volume_of_a_plain_is_that_of_a_box():
    field = HeightField(np.full((5, 9), 120.0, np.float32), (10.0, 10.0))
    body = slab(meshes(field, Wanted())[0], Print(base_mm=2.0, scale=1000.0))
    np.testing.assert_allclose(np.ptp(body.positions, axis=0), (80.0, 40.0, 2.0))
    assert volume(body) == pytest.approx(80.0 * 40.0 * 2.0)


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(triangles=300)])
def test_every_edge_is_run_along_once_each_way(wanted):
    body = slab(meshes(HeightField(rolling(20, 33, 50.0), (4.0, 3.0)), wanted)[0], Print())
    edges = np.concatenate([body.triangles[:, [0, 1]], body.triangles[:, [1, 2]], body.triangles[:, [2, 0]]])
    there = {tuple(edge) for edge in edges.tolist()}
    assert len(there) == len(edges) and there == {(end, begin) for begin, end in there}
    assert volume(body) > 0


def test_heights_are_to_scale_above_the_base():
    field = HeightField(rolling(20, 33, 50.0), (4.0, 3.0))
    body = slab(meshes(field, Wanted())[0], Print(base_mm=1.5, scale=500.0))
    low, high = field.height_range
    assert body.positions[:, 2].min() == 0
    assert body.positions[: field.heights.size, 2].min() == pytest.approx(1.5)
    assert body.positions[:, 2].max() == pytest.approx(1.5 + (high - low) * 1000 / 500, rel=1e-5)


def test_without_a_scale_the_longer_side_is_150_mm():
    body = slab(meshes(HeightField(rolling(20, 33, 50.0), (4.0, 3.0)), Wanted())[0], Print())
    np.testing.assert_allclose(np.ptp(body.positions, axis=0)[:2], (150.0, 150.0 * 19 * 4 / (32 * 3)))
    assert body.scale == pytest.approx(32 * 3.0 * 1000 / 150)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"base_mm": 0.0}, "slab = 0: expected 0.1 to 1000 mm"),
        ({"base_mm": float("nan")}, "slab = nan: expected 0.1 to 1000 mm"),
        ({"scale": 0.5}, "scale = 0.5: expected 1 : 1 to 1 : 1e"),
    ],
)
def test_what_is_out_of_range_is_refused(changed, told):
    with pytest.raises(InputError, match=told):
        Print(**changed)
