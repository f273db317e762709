"""What a session shows before anything is computed, and what it leaves to the next one."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.io import land_cache
from fellview.session.session import Session
from tests.session.scripted import SMALL, ScriptedCompute, compute, finish, keep, seed


@pytest.fixture
def anew(session, tmp_path):
    """Ends the session, and returns the next one in its folder."""

    def begin():
        session.close()
        following = Session(lambda: None, tmp_path / "state", computers=[ScriptedCompute])
        assert following.restore()
        return following

    return begin


def test_the_next_session_shows_the_land_of_the_last_before_it_is_computed(session, anew):
    seed(session, 7)
    finish(session)
    following = anew()
    assert following.result is None and following.busy
    assert np.all(following.land.heights == 7)
    assert following.land.cell_size == session.land.cell_size
    assert compute(following).seen == [24 * 32]


def test_a_land_that_turns_out_otherwise_is_replaced(session, tmp_path):
    heights = np.full((24, 32), 5.0, np.float32)
    session.close()
    land_cache.store(tmp_path / "state", SMALL.terrain_groups(), HeightField(heights, SMALL.grid.cell_size))
    following = Session(lambda: None, tmp_path / "state", computers=[ScriptedCompute])
    following.start(SMALL)
    assert np.all(following.land.heights == 5)
    finish(following)
    assert np.all(following.land.heights == SMALL.noise.seed)


def test_a_recipe_without_its_land_waits_for_it(session, tmp_path):
    seed(session, 7)
    session.close()  # the land of this seed was never computed
    following = Session(lambda: None, tmp_path / "state", computers=[ScriptedCompute])
    assert following.restore()
    assert following.land is None
    assert compute(following).seen == [0]


def test_the_land_is_written_every_few_seconds_and_only_once(session, clock, tmp_path):
    path = tmp_path / "state" / "land.arrays"

    keep(session)
    assert path.exists()
    path.unlink()
    clock.now += 100
    keep(session)
    assert not path.exists()
    seed(session, 7)
    finish(session)
    keep(session)
    assert path.exists()
