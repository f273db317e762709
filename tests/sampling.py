"""Which cases of a large family of tests run each time, and which only among the slow ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest


def sampled(
    names: str,
    cases: Iterable[Any],
    *,
    quick: int,
    each: Callable[..., Hashable] = lambda *values: None,
    ids: Any = None,
    seed: int = 1,
) -> pytest.MarkDecorator:
    """Return `parametrize` over all cases, of which some, drawn by the seed, run each time; the others are slow.

    Each time run `quick` cases of those that are alike by `each`, such as of each kind of noise. The draw stays the
    same: processes that share the tests must agree on it, and a failure must come again.
    """
    several = "," in names
    every = [one if hasattr(one, "marks") else pytest.param(*(one if several else [one])) for one in cases]
    alike: dict[Hashable, list[int]] = {}
    for place, one in enumerate(every):
        alike.setdefault(each(*one.values), []).append(place)
    draw = random.Random(seed)
    chosen = {place for those in alike.values() for place in draw.sample(those, min(quick, len(those)))}
    marked = [
        one if place in chosen else pytest.param(*one.values, id=one.id, marks=[*one.marks, pytest.mark.slow])
        for place, one in enumerate(every)
    ]
    return pytest.mark.parametrize(names, marked, ids=ids)
