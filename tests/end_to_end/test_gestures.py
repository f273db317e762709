"""The real window outlives gestures that nobody would make."""

from __future__ import annotations

import os
from random import SystemRandom

import pytest

from tests.fuzz import campaign, gestures


def held(seconds: float) -> gestures.Gestures:
    seed = 1 if os.environ.get("CI") else SystemRandom().randrange(10**9)
    print(f"seed {seed}")
    done = gestures.make(seed, seconds, keep=campaign.FAILURES)
    assert not done.faults, f"seed {seed}:\n{done.summary()}"
    assert done.made >= 10
    return done


def test_the_window_outlives_random_gestures(display):
    held(6)


@pytest.mark.slow
@pytest.mark.minutes
def test_the_window_outlives_many_random_gestures(display):
    print(held(150).summary())  # `make soak` makes them for hours
