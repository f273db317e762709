"""A crater field that goes on beyond the domain is that of the domain, with others of its kind around."""

import subprocess
import sys

import numpy as np
import pytest

from fellview.terrain.domain import Domain, Grid
from fellview.terrain.landforms import craters, registry
from fellview.terrain.steps import landform

BEYOND = 1.5
SIDE_M = 4000.0


def domain(cells):
    return Domain(Grid(rows=cells, columns=cells, size_x=SIDE_M, size_z=SIDE_M), 1)


def field(count=60, **values):
    """Return a crater field's parameters."""
    one = landform.natural(landform.Landform1(kind="craters"), domain(64))
    return one.replace(craters=count, size=30.0, x=41.0, z=55.0, **values)


def found(one, cells, beyond=BEYOND):
    """Return (n, 8) all craters from the oldest on: x, z, radius, how fresh, height and slopes before, floor."""
    prepared = landform.laid(one, domain(cells), beyond).prepared
    first = int(prepared.numbers["first"])
    return prepared.table.reshape(-1, 8)[first : first + int(prepared.numbers["count"])]


def sides(one, listed):
    """Return (n, 2) where the centres of `listed` craters lie, in sides of the domain."""
    return listed[:, :2] / SIDE_M + np.array([one.x, one.z]) / 100


def is_own(one, listed):
    at = sides(one, listed)
    return (np.abs(at - 0.5) <= 0.5 + craters.MARGIN).all(axis=1)


def test_its_own_craters_are_those_of_the_domain():
    one = field()
    own = found(one, 512, beyond=0.0)
    around = found(one, 512)
    kept = around[is_own(one, around)]
    assert len(kept) == len(own) == 60
    np.testing.assert_allclose(kept[:, :4], own[:, :4], rtol=1e-5, atol=1e-2)
    np.testing.assert_allclose(kept[:, 7], own[:, 7], rtol=1e-5)
    inside = (np.abs(sides(one, kept) - 0.5) < 0.4).all(axis=1)
    assert np.corrcoef(kept[inside, 4], own[inside, 4])[0, 1] > 0.98, "dug into the same ground"


def test_around_there_are_as_many_as_large():
    one = field(400)
    around = found(one, 1024)
    own = is_own(one, around)
    area = (1 + 2 * craters.MARGIN) ** 2
    wide = (1 + 2 * craters.MARGIN + 2 * BEYOND) ** 2
    assert (~own).sum() / (wide - area) == pytest.approx(own.sum() / area, rel=0.1)
    for radius in np.quantile(around[own, 2], [0.3, 0.6, 0.9]):
        share, elsewhere = ((around[which, 2] > radius).mean() for which in (own, ~own))
        assert elsewhere == pytest.approx(share, rel=0.15)
    at = sides(one, around[~own])
    assert at.min() < -1.4 and at.max() > 2.4
    corners = [(at[:, 0] < 0.5) ^ low & (at[:, 1] < 0.5) ^ high for low in (False, True) for high in (False, True)]
    assert min(corner.mean() for corner in corners) > 0.2


def test_a_coarse_grid_has_the_widest_of_a_fine_ones():
    one = field(400)
    coarse, fine = found(one, 64), found(one, 512)
    assert len(coarse) < len(fine) / 4
    assert coarse[:, 2].min() >= 1.5 * SIDE_M / 64 * 0.99
    places = {tuple(row) for row in fine[:, :3]}
    assert {tuple(row) for row in coarse[:, :3]} <= places


def test_there_are_never_so_many_that_a_window_waits_for_them():
    for cells in (32, 128):
        assert len(found(field(4000).replace(size=100.0), cells)) < 13 * cells


def test_they_move_with_it():
    one, moved = field(), field().replace(x=44.0)
    before, after = found(one, 256), found(moved, 256)
    shift = (sides(moved, after)[:, None] - sides(one, before)).reshape(-1, 2)
    same = (np.abs(shift - [0.03, 0.0]) < 1e-4).all(axis=1).sum()
    assert same > 0.9 * len(before)


def test_it_needs_no_kernel():
    """A window's process runs none."""
    code = f"""
import sys
from fellview.terrain.steps import landform
from fellview.terrain.domain import Domain, Grid
landform.laid(landform.Landform1(kind="craters"), Domain(Grid(rows=128, columns=128), 1), {BEYOND})
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_other_landforms_are_prepared_as_on_the_domain():
    assert registry.prepare("ridge", BEYOND) is registry.get("ridge").prepare
    assert registry.prepare("craters", 0.0) is registry.get("craters").prepare
