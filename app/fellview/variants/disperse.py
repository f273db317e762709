"""The variants of a scene that differ most, out of many by chance (Design Galleries, J. Marks and others, 1997)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fellview.batch.batch import Batch, InProcess
from fellview.core.errors import InputError
from fellview.scene.locks import Locks
from fellview.scene.scene import Scene
from fellview.variants import measure
from fellview.variants.axes import require_count
from fellview.variants.chance import AMOUNT, LOCKED, some

CANDIDATES = 200
SHOWN = 12


@dataclass(frozen=True)
class Spread:
    """What variants are dispersed around: a scene, at most `amount` away from it, but for what is `locked`."""

    around: Scene
    amount: float
    locked: Locks = LOCKED


def disperse(
    scene: Scene,
    count: int = SHOWN,
    candidates: int = CANDIDATES,
    amount: float = AMOUNT,
    seed: int = 0,
    locked: Locks = LOCKED,
    batch: Batch | None = None,
    report: Callable[[float], None] = lambda fraction: None,
) -> list[Scene]:
    """Return the `count` of so many `candidates` that differ most by what the eye sees (`measure.py`).

    Candidates are drawn like `randomise` draws; the same `seed` gives the same ones. `batch` computes them, this
    process where nothing is said, and `report` is told which fraction is done.
    """
    require_count(count)
    if not count <= candidates:
        raise InputError(f"candidates = {candidates}: expected {count} or more, of which {count} are chosen")
    drawn = some(scene, candidates, amount, seed, locked)
    told = (batch or InProcess()).map(measure.measured, drawn, report)
    return [drawn[number] for number in measure.farthest(measure.distances(told), count)]
