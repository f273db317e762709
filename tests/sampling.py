"""Which cases of a large family of tests run each time, and which only among the slow ones."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest


def sampled(names: str, cases: Iterable[Any], *, quick: int, seed: int = 1) -> pytest.MarkDecorator:
    """Return `parametrize` over all cases, of which `quick`, drawn by the seed, run each time; the others are slow.

    The draw stays the same: processes that share the tests must agree on it, and a failure must come again.
    """
    every = list(cases)
    chosen = set(random.Random(seed).sample(range(len(every)), min(quick, len(every))))
    several = "," in names
    return pytest.mark.parametrize(
        names,
        [
            case if place in chosen else pytest.param(*(case if several else [case]), marks=pytest.mark.slow)
            for place, case in enumerate(every)
        ],
    )
