"""Scenes by chance: one parameter after the other drawn anew, or whole groups taken from either of two scenes.

Chance changes the numbers that have an effect. What is switched on and which kinds are chosen stay, since another kind
is another scene, and so do seeds, but for the widest amount: what parameters do is told on the same land.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from fellview.core import number_format
from fellview.core.errors import InputError, named
from fellview.core.parameters import Declaration, Group, Value
from fellview.scene import locks
from fellview.scene.locks import Locks, is_locked
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.variants.axes import require_count

LOCKED = locks.USUAL
"""What chance leaves alone where nothing else is said: camera and light."""

_NOT_MIXED = ("view", "grid")  # how one looks at a land, and how large it is

ANYTHING = 1.0
"""The amount that draws from all of the useful range, wherever the scene lies in it."""

AMOUNT = 0.5
"""The amount where nothing is said."""

_SEED = "seed"
_NUDGE = 0.02  # of the useful range, at the amount 0
_LARGEST_DRAWN_SEED = 999_999  # as the dice in the window: one that can be read out to somebody


def require_known(scene: Scene, locked: Locks) -> None:
    """Raise `InputError` for the first of `locked` that is neither a group nor a parameter."""
    groups = scene.groups()
    for name in locked:
        if name not in groups:
            if "." not in name:
                raise InputError(f"{named(name)}: no such group; expected group.name or one of {', '.join(groups)}")
            scene.find(name)


def varied(scene: Scene, locked: Locks = LOCKED) -> dict[str, Declaration]:
    """Return the declarations of the numbers that chance may change, by key: with an effect, a range, and no lock."""
    found = {}
    for group in at_work(scene):
        for name, declaration in group.declarations().items():
            key = f"{group.key}.{name}"
            if declaration.useful and declaration.undoable and group.shows(name) and not is_locked(locked, key):
                found[key] = declaration
    return found


def at_work(scene: Scene) -> list[Group]:
    """Return the groups of `scene` that have an effect: those of steps that do something, and what is not off."""
    steps = {step.key: step for step in STEPS}
    return [
        group
        for key, group in scene.groups().items()
        if (steps[key].active(group) if key in steps else getattr(group, "enabled", True))
    ]


def randomise(scene: Scene, amount: float = AMOUNT, seed: int | None = None, locked: Locks = LOCKED) -> Scene:
    """Return `scene` with every number that is not locked drawn anew.

    `amount` is from a nudge (0) to anything (1): how far a number may go from where it is, as a share of its useful
    range on its own scale. At 1 the seeds are drawn, too. The same `seed` gives the same scene.
    """
    return next(draws(scene, amount, random.Random(seed), locked))


def some(
    scene: Scene, count: int, amount: float = AMOUNT, seed: int | None = None, locked: Locks = LOCKED
) -> list[Scene]:
    """Return `count` scenes like `randomise`."""
    require_count(count)
    return list(itertools.islice(draws(scene, amount, random.Random(seed), locked), count))


def draws(scene: Scene, amount: float, chance: random.Random, locked: Locks) -> Iterator[Scene]:
    """Give scenes like `randomise` without end; `InputError` for an amount or a lock that is none."""
    if not 0 <= amount <= ANYTHING:
        raise InputError(f"amount = {amount:g}: expected 0, a nudge, to 1, anything")
    require_known(scene, locked)
    free = varied(scene, locked)
    seeds = [
        f"{key}.{_SEED}"
        for key, group in scene.groups().items()
        if _SEED in group.declarations() and not is_locked(locked, f"{key}.{_SEED}")
    ]
    while True:
        changes: dict[str, Value] = {
            key: _drawn(declaration, float(scene.get(key)), amount, chance) for key, declaration in free.items()
        }
        if amount == ANYTHING:
            changes |= {key: chance.randrange(_LARGEST_DRAWN_SEED + 1) for key in seeds}
        yield scene.replace(changes)


def _drawn(declaration: Declaration, value: float, amount: float, chance: random.Random) -> Value:
    low, high = min(*declaration.useful, value), max(*declaration.useful, value)
    amount = max(amount, _NUDGE)
    here = declaration.share(value, low, high)
    return declaration.at_share(chance.uniform(max(here - amount, 0.0), min(here + amount, 1.0)), low, high)


def most_changed(scene: Scene, base: Scene, count: int = 2) -> str:
    """Return in words which numbers of `scene` are farthest from those of `base`, by shares of their useful ranges."""
    moved = []
    for key, declaration in varied(base, frozenset()).items():
        now, was = float(scene.get(key)), float(base.get(key))
        low, high = min(*declaration.useful, was, now), max(*declaration.useful, was, now)
        way = abs(declaration.share(now, low, high) - declaration.share(was, low, high))
        if way:
            moved.append(
                (way, f"{declaration.label.lower()} {number_format.with_unit(float(f'{now:.2g}'), declaration.unit)}")
            )
    return ", ".join(text for _, text in sorted(moved, reverse=True)[:count])


def mix(
    first: Scene,
    second: Scene,
    count: int = 12,
    seed: int = 0,
    locked: Locks = LOCKED,
) -> list[Scene]:
    """Return up to `count` different children of two scenes, which take every group whole from either of them.

    What is locked is the `first` one's. There are fewer where the two differ in few groups, and none where in none.
    """
    require_count(count)
    require_known(first, locked)
    theirs = second.groups()
    differing = [
        key for key, group in first.groups().items() if key not in (*_NOT_MIXED, *locked) and group != theirs[key]
    ]
    chance = random.Random(seed)
    children: list[Scene] = []
    for taken in _choices(len(differing), chance):
        child = first
        for key, take in zip(differing, taken, strict=True):
            if take:
                child = child.with_group(theirs[key])
        child = child.replace({key: first.get(key) for key in locked if "." in key})
        if child not in (first, second, *children):
            children.append(child)
        if len(children) == count:
            break
    return children


def _choices(groups: int, chance: random.Random) -> Iterator[Sequence[bool]]:
    """Give which of so many groups are taken from the second: all ways in a random order, or random ones of many."""
    if groups <= 8:  # 256 ways
        ways = list(itertools.product((False, True), repeat=groups))
        chance.shuffle(ways)
        yield from ways
        return
    while True:
        yield [chance.random() < 0.5 for _ in range(groups)]
