"""A scene by chance: all its numbers drawn anew that have an effect and are not locked.

What is switched on and which kinds are chosen stay, since another kind is another scene; so do seeds, but for the
widest amount.
"""

from __future__ import annotations

import math
import random

from fellview.core.errors import InputError
from fellview.core.parameters import Declaration, Value
from fellview.scene.locks import USUAL, Locks, is_locked
from fellview.scene.scene import Scene

_NEVER = ("grid", "view", "imported")  # how large a land is, how one looks at it, and what a file says
_SEED = "seed"
_LARGEST_SEED = 999_999  # that a person can read out to another
_NUDGE = 0.02  # of the slider's range, at the amount 0


def randomise(scene: Scene, amount: float = 0.5, seed: int | None = None, locked: Locks = USUAL) -> Scene:
    """Return `scene` with every number drawn anew that has an effect and is not `locked`.

    `amount` is from a nudge (0) to anything (1): how far a number may go from where it is, as a share of its slider's
    range on its own scale. At 1 the seeds are drawn, too. The same `seed` gives the same scene. `InputError` for an
    amount beyond that.
    """
    if not 0 <= amount <= 1:
        raise InputError(f"amount = {amount:g}: expected 0, a nudge, to 1, anything")
    chance = random.Random(seed)
    changes: dict[str, Value] = {}
    for key, group in scene.groups().items():
        if key in _NEVER or not getattr(group, "enabled", True):
            continue
        for name, declared in group.declarations().items():
            path = f"{key}.{name}"
            if is_locked(locked, path) or not declared.undoable or not group.shows(name):
                continue
            if name == _SEED:
                if amount == 1:
                    changes[path] = chance.randrange(_LARGEST_SEED + 1)
            elif declared.type in (int, float):
                changes[path] = _drawn(declared, getattr(group, name), max(amount, _NUDGE), chance)
    return scene.replace(changes)


def _drawn(declared: Declaration, value: float, reach: float, chance: random.Random) -> Value:
    """Return a number within `reach`, a share of the slider's range, of where `value` is; a range of none stays."""
    low, high = min(declared.slider[0], value), max(declared.slider[1], value)
    if not low < high:
        return value
    logarithmic = declared.scale == "log" and low > 0
    start, end, here = (math.log(one) if logarithmic else one for one in (low, high, value))
    way = reach * (end - start)
    drawn = chance.uniform(max(here - way, start), min(here + way, end))
    return declared.clamped(math.exp(drawn) if logarithmic else drawn)
