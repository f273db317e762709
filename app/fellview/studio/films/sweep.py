"""Sweep: parameters go from value to value; the land's ones make another land in every frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fellview.core.errors import InputError, quoted
from fellview.core.parameters import Declaration, Value
from fellview.scene.scene import Scene
from fellview.studio.films.film import Frame, Plan, Setting
from fellview.terrain.erosion import registry
from fellview.terrain.erosion.kind import Kind, OverTime

MOST_VALUES = 1000


@dataclass(frozen=True)
class Sweep:
    """Parameters that change: by key the values that each goes through, evenly, all at the same time.

    Numbers go from one to the next on the parameter's own scale; words and switches stay until it is the next one's
    turn.
    """

    closed: ClassVar[bool] = False

    values: Mapping[str, tuple[Value, ...]]

    def frames(self, scene: Scene, rate: float) -> int | None:
        """Return None: any number sweeps."""
        return None

    def plan(self, scene: Scene, setting: Setting) -> Plan:
        """Return the sweep of `scene`, which is validated at all values."""
        declared = {key: scene.find(key)[2] for key in self.values}
        for key, several in self.values.items():
            for value in several:
                scene.replace({key: value})
        return lambda share: Frame(
            scene.replace({key: _between(declared[key], several, share) for key, several in self.values.items()})
        )


def from_table(scene: Scene, table: Mapping[str, Any]) -> Sweep:
    """Return the sweep of a film file's `table`, such as ``{"noise.frequency": [2, 8]}``."""
    values = {}
    for key, several in table.items():
        declaration = scene.find(key)[2]
        if not isinstance(several, list) or not 2 <= len(several) <= MOST_VALUES:
            raise InputError(f"sweep: {key} = {quoted(several)}: expected a list of 2 to {MOST_VALUES:,} values")
        values[key] = tuple(declaration.validated(key, value) for value in several)
    if not values:
        raise InputError('sweep: no parameter: expected one at least, such as "noise.frequency" = [2, 8]')
    return Sweep(values)


def growing_erosion(scene: Scene) -> Sweep:
    """Return the sweep in which the erosion of `scene` goes from nothing to what it is; each frame is its own land."""
    name = next((_lasts(kind) for kind in registry.every() if kind.name == scene.erosion.kind), "")
    if not name or not getattr(scene.erosion, name):
        raise InputError(f"erosion.kind = {quoted(scene.erosion.kind)}: wears nothing here; expected a scene that does")
    return Sweep({f"erosion.{name}": (0, getattr(scene.erosion, name))})


def _lasts(kind: Kind) -> str:
    """Return the parameter that says how long a kind of erosion lasts; empty where none does."""
    return "duration" if issubclass(kind.parameters, OverTime) else kind.ends_after


def _between(declaration: Declaration, values: tuple[Value, ...], share: float) -> Value:
    if declaration.type not in (int, float):
        return values[min(int(share * len(values)), len(values) - 1)]
    place = share * (len(values) - 1)
    before = min(int(place), len(values) - 2)
    return declaration.at_share(place - before, float(values[before]), float(values[before + 1]))
