"""What every registered kind of erosion declares; a new kind is held to it unasked.

How it wears the land `test_step_contract.py` holds, and `tests/parity/` that its twin, where it has one, does the same.
"""

import numpy as np
import pytest

from fellview.gpu.twins import erosion as twins
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.erosion import registry
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land
from fellview.terrain.steps.erosion import MAIN, STEP, Erosion
from tests.lands import rolling

every = pytest.mark.parametrize("kind", registry.every(), ids=lambda kind: kind.name)


@every
def test_it_says_what_it_is_and_its_parameters_stand_in_the_scenes_group(kind):
    assert Erosion(kind=kind.name).kind == registry.get(kind.name).name == kind.name
    assert kind.how and kind.how in Erosion.declaration("kind").tip
    own, shared = kind.parameters.declarations(), Erosion.declarations()
    assert own.keys() <= shared.keys() and kind.ends_after in own
    assert set(kind.main) <= set(own) and set(kind.main) <= set(MAIN)
    for name, one in own.items():
        assert one.tip and one.default == shared[name].default and kind.name in shared[name].only["kind"]


@every
def test_it_shows_its_own_parameters_and_no_others(kind):
    group = Erosion(kind=kind.name)
    shown = {name for name in group.declarations() if group.shows(name)}
    assert shown == {"enabled", "kind", *kind.parameters.declarations()}


@every
def test_it_runs_and_leaves_the_fields_that_it_declares(kind):
    grid = Grid(rows=40, columns=40, size_x=1000.0, size_z=1000.0)
    heights = rolling(grid.rows, grid.columns, amplitude=100.0)
    before = heights.copy()
    worn = kind.run(Erosion(kind=kind.name), Domain(grid, 1), heights, Progress())
    land = worn if isinstance(worn, Land) else Land(worn)
    assert set(land.fields) == {field.name for field in kind.fields} and set(kind.fields) <= set(STEP.fields)
    assert np.array_equal(heights, before) and not np.array_equal(land.heights, heights)


def test_every_twin_is_of_a_kind_that_there_is():
    assert set(twins.RUNS) <= set(registry.names())
