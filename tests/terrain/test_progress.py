"""What a long computation shows on its way."""

import numpy as np

from fellview.terrain.progress import Progress
from tests.session.scripted import Clock

LAND = np.zeros((2, 2), np.float32)


def test_pictures_on_the_way_take_a_long_run_and_become_rarer_the_longer_it_is():
    clock, shown = Clock(), []
    begun = clock.now
    progress = Progress(show=lambda heights: shown.append(clock.now - begun), clock=clock)
    while clock.now - begun < 30:
        if progress.wants_picture:
            progress.show(LAND)
        clock.now += 0.01
    pauses = np.diff(shown)
    assert 1 < shown[0] < 2
    assert (np.diff(pauses) > -0.02).all() and pauses[0] > 0.49 and 1.9 < pauses[-1] < 2.1


def test_nobody_is_shown_anything_that_does_not_look():
    clock = Clock()
    progress = Progress(clock=clock)
    clock.now += 100
    assert not progress.wants_picture
