"""How far waves of the sea come: into bays, behind rocks, and nowhere without a way."""

import itertools

import numpy as np

from fellview.draw.water.shelter import sheltered

CELL_M = (10.0, 10.0)
WIND = 8.0


def bay(gap):
    """Return sea in the rows before 40, and behind a bar a basin open over `gap` columns, bool [row, column]."""
    wet = np.zeros((96, 96), bool)
    wet[:40] = True
    wet[44:80, 20:76] = True
    wet[40:44, 48 - gap // 2 : 48 + gap // 2] = True
    return wet


def test_the_open_sea_is_open_and_a_pool_without_a_way_has_no_waves():
    found = sheltered(bay(gap=0), CELL_M, WIND)
    assert found[:36].max() < 0.01
    assert found[44:80, 20:76].min() > 0.9, "but for what the wind raises on half a kilometre"


def test_the_wider_the_way_in_the_higher_are_waves_and_they_sink_with_the_way():
    basins = [sheltered(bay(gap), CELL_M, WIND)[44:80, 48] for gap in (4, 12, 40)]
    for narrow, wide in itertools.pairwise(basins):
        assert (wide[12:] <= narrow[12:]).all() and wide[-1] < narrow[-1] - 0.05
    assert (np.diff(basins[0]) > -1e-6).all()


def test_waves_close_behind_a_rock_and_not_behind_a_headland():
    wet = np.ones((96, 96), bool)
    wet[40:46, 45:51] = False
    rock = sheltered(wet, CELL_M, WIND)
    assert rock[50, 48] < 0.5 and rock[70, 48] < 0.05


def test_it_is_alike_whichever_way_the_sea_lies():
    wet = bay(gap=12)
    found = sheltered(wet, CELL_M, WIND)
    for turns in (1, 2, 3):
        turned = sheltered(np.rot90(wet, turns), CELL_M, WIND)
        np.testing.assert_allclose(np.rot90(turned, -turns), found, atol=1e-5)


def test_a_pool_that_the_border_cuts_is_open_where_the_land_ends_only():
    wet = np.zeros((96, 96), bool)
    wet[:6, 40:56] = True
    ends, goes_on = (sheltered(wet, CELL_M, WIND, mirrored) for mirrored in (0, 16))
    assert ends[2, 48] < 0.1 and goes_on[2, 48] > 0.9
    assert goes_on.shape == wet.shape
    np.testing.assert_array_equal(sheltered(np.ones_like(wet), CELL_M, WIND, 16), 0)
