"""How much higher one land lies than another: on one grid, on others, and of other sizes."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.studio import height_difference
from fellview.studio.height_difference import MASK, with_difference

CHANCE = np.random.default_rng(3)


def land(heights, cell_m=2.0, masks=None):
    return HeightField(np.asarray(heights, np.float32), (cell_m, cell_m), masks or {})


def plane(rows, columns, size_m, along_z, along_x):
    """Return a plane that rises evenly, over `size_m` a side; cell r lies at r/n of it."""
    z, x = np.arange(rows) / rows * size_m, np.arange(columns) / columns * size_m
    return HeightField((along_z * z[:, None] + along_x * x).astype(np.float32), (size_m / rows, size_m / columns))


def test_on_one_grid_it_is_what_was_added():
    old = land(CHANCE.normal(size=(6, 9)))
    added = CHANCE.normal(size=(6, 9)).astype(np.float32)
    apart = height_difference.height_difference(old, land(old.heights + added))
    np.testing.assert_allclose(apart, added, atol=1e-6)
    assert apart.dtype == np.float32 and not apart.flags.writeable


@pytest.mark.parametrize("cells", [(8, 8), (16, 16), (40, 24)])
def test_the_same_ground_on_another_grid_does_not_differ(cells):
    old, new = plane(16, 16, 320.0, 0.5, -0.25), plane(*cells, 320.0, 0.5, -0.25)
    apart = height_difference.height_difference(old, new)
    inside = apart[np.ix_(new.cell_size[0] * np.arange(cells[0]) <= 300, new.cell_size[1] * np.arange(cells[1]) <= 300)]
    assert apart.shape == cells and np.abs(inside).max() < 1e-3


def test_turned_round_it_has_the_other_sign():
    one, other = plane(16, 16, 320.0, 0.5, 0.0), plane(16, 16, 320.0, 0.2, 0.1)
    there, back = (height_difference.height_difference(*pair) for pair in ((one, other), (other, one)))
    np.testing.assert_allclose(there, -back, atol=1e-5)


def test_where_the_other_land_does_not_reach_nothing_differs():
    small, large = plane(8, 8, 100.0, 0.0, 0.0), plane(16, 16, 200.0, 0.0, 1.0)
    apart = height_difference.height_difference(small, large)
    assert not apart[8:].any() and not apart[:, 8:].any()
    np.testing.assert_allclose(apart[:8, :8], large.heights[:8, :8])


def test_what_lies_on_other_sizes_and_grids_is_said():
    same = plane(8, 8, 100.0, 0.0, 0.0)
    assert not height_difference.remark(same, same)
    assert "8 × 8 and 16 × 16 cells" in height_difference.remark(same, plane(16, 16, 100.0, 0.0, 0.0))
    assert "100 × 100 m and 200 × 200 m" in height_difference.remark(same, plane(8, 8, 200.0, 0.0, 0.0))


def test_the_mask_joins_the_others_and_computes_none_of_them():
    class Lazy(dict):
        def __getitem__(self, name):
            raise AssertionError(f"{name} is not asked for")

    old = land(np.zeros((4, 4)))
    field = with_difference(old, land(np.ones((4, 4)), masks=Lazy(slope=None)))
    assert set(field.masks) == {MASK, "slope"}
    assert (field.masks[MASK] == 1).all()
