"""What is held fast while a scene is varied: a frozen set of the keys of parameters and of whole groups.

``frozenset({"camera", "noise.frequency"})`` leaves all of the camera alone, and one parameter of the noise. It is no
part of a recipe.
"""

from __future__ import annotations

from collections.abc import Iterable

from fellview.scene.scene import Scene

Locks = frozenset[str]

USUAL: Locks = frozenset({"camera", "sun", "sky", "air"})
"""The camera and the light: lands are compared by what they are, and not by where one stands and when."""


def is_locked(locked: Locks, key: str) -> bool:
    """Return whether `key`, of a parameter or a group, is locked, by itself or with its group."""
    return key in locked or key.partition(".")[0] in locked


def toggled(locked: Locks, key: str) -> Locks:
    """Return `locked` with the lock on `key`, of a parameter or a group, changed to the other state.

    A locked group has no other locks inside. Where one parameter of it is let go, the others stay locked one by one;
    where the last one is locked, so is the group.
    """
    group, dot, _ = key.partition(".")
    inside = frozenset(f"{group}.{name}" for name in Scene().groups()[group].declarations())
    if not dot:
        return locked - {group} if group in locked else (locked - inside) | {group}
    if group in locked:
        return (locked - {group}) | (inside - {key})
    changed = locked ^ {key}
    return (changed - inside) | {group} if inside <= changed else changed


def known(keys: Iterable[str]) -> Locks:
    """Return those of `keys` that are of a parameter or a group of this version."""
    groups = Scene().groups()
    every = {f"{key}.{name}" for key, group in groups.items() for name in group.declarations()} | groups.keys()
    return frozenset(keys) & every
