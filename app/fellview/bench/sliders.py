"""Which sliders of a scene a bench drags: those that its panel shows and that change its land, or its look."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from fellview.core.parameters import Declaration, Group
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.ui import rows, values

_LOOK = ("sun", "air", "water", "ground")
_LEAST_STEPS = 2.2  # of whole numbers: half a drag is to change the value already


def of_terrain(scene: Scene, count: int) -> list[str]:
    """Return the keys of `count` sliders that change the land, by turns of each group; some again if there are fewer.

    The grid's are none: they change how finely the land is sampled.
    """
    groups = scene.groups()
    active = [step for step in STEPS if step.active(groups[step.key])]
    keys = dict.fromkeys(key for step in active for key in (step.key, *(kind.key for kind in step.reads)))
    return _by_turns((groups[key] for key in groups if key in keys), count)


def of_look(scene: Scene, count: int) -> list[str]:
    """Return the keys of `count` sliders of sun, fog, water and materials, likewise."""
    groups = scene.groups()
    return _by_turns((groups[key] for key in _LOOK), count)


def place(scene: Scene, key: str) -> float:
    """Return where the grip of a slider stands, 0 to 1."""
    group, name, declaration = scene.find(key)
    return values.to_fraction(declaration, getattr(group, name))


def reach(declaration: Declaration, usual: float) -> float:
    """Return the share of a slider to drag it by: the `usual` one, or as much as whole numbers need to change."""
    low, high = declaration.slider
    return max(usual, min(_LEAST_STEPS / (high - low), 1 / 2)) if declaration.type is int else usual


def _by_turns(groups: Iterable[Group], count: int) -> list[str]:
    lists = [_of(group) for group in groups if getattr(group, "enabled", True)]
    found = [key for turn in itertools.zip_longest(*lists) for key in turn if key is not None]
    return list(itertools.islice(itertools.cycle(found), count)) if found else []


def _of(group: Group) -> list[str]:
    declared = group.declarations()
    return [
        f"{group.key}.{name}"
        for name in rows.shown(group, list(declared))
        if declared[name].type in (int, float) and name != "seed" and values.on_slider(declared[name])
    ]
