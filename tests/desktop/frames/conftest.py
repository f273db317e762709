"""A viewer in a window that no display shows, and one whose pictures are slow."""

import pytest

from tests.desktop.frames.slow import Slow, aim
from tests.headless_window import opened, turn
from tests.session.scripted import SMALL


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer, 6)
        yield viewer


@pytest.fixture
def slow(viewer):
    """The viewer whose pictures are slow, with one of them finished."""
    slow = Slow(viewer)
    aim(viewer, 1.0)
    turn(viewer, 6)
    slow.begun.clear(), slow.finished.clear(), slow.log.clear()
    slow.passes_drawn = 0
    return slow
