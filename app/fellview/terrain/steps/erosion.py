"""Erosion of the chosen kind (`erosion/registry.py`), and what rock it leaves at the surface.

The scene's group has the parameters of all kinds, each declared once beside its kind. It is put together here.
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import ClassVar

from fellview.core.height_field import Heights
from fellview.core.parameters import Declaration, Group, choice, switch
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import registry, rock
from fellview.terrain.erosion.kind import Kind
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step

NONE = "none"

_HOW = [kind.how for kind in registry.every()]


@dataclass(frozen=True)
class _Common(Group):
    """What is asked before all else."""

    enabled: bool = switch(True, tip="Wears the ground down; off leaves it as it was made.")
    kind: str = choice(
        "demo",
        (NONE, *registry.names()),
        tip=f"How the ground wears: not at all, {', '.join(_HOW[:-1])}, or {_HOW[-1]}.",
    )


# dataclasses take the fields of the last base first
@dataclass(frozen=True)
class Erosion(*[kind.parameters for kind in reversed(registry.every())], _Common):  # type: ignore[misc]
    """How the ground wears down."""

    key: ClassVar[str] = "erosion"
    title: ClassVar[str] = "Erosion"

    @classmethod
    @functools.cache
    def declarations(cls) -> dict[str, Declaration]:
        """Return the declarations by field name, each shown with the kinds that have it, rarely changed ones last."""
        found = {}
        for name, one in super().declarations().items():
            kinds = registry.having(name)
            found[name] = dataclasses.replace(one, only={"kind": kinds, **one.only}) if kinds else one
        return dict(sorted(found.items(), key=lambda item: item[1].more))


def _kind(parameters: Erosion) -> Kind | None:
    """Return the kind that `parameters` choose, if any."""
    return None if parameters.kind == NONE else registry.get(parameters.kind)


def run(parameters: Erosion, domain: Domain, heights: Heights, progress: Progress) -> Heights | Land:
    """Return the worn heights in metres, float32 [row, column], with the fields that the kind leaves.

    Where rock is on, what lies at the surface comes with them.
    """
    worn = registry.get(parameters.kind).run(parameters, domain, heights, progress)
    if not domain.other(rock.Rock).enabled:
        return worn
    land = worn if isinstance(worn, Land) else Land(worn)
    return Land(land.heights, {**land.fields, **rock.fields(domain, land.heights, progress.cancel)})


def _active(parameters: Erosion) -> bool:
    kind = _kind(parameters)
    return parameters.enabled and kind is not None and kind.active(parameters)


def _remark(parameters: Erosion, domain: Domain) -> str:
    """Return a line for a person where erosion ends early, else an empty text."""
    if parameters.stop_after == 0 or not parameters.shows("stop_after"):
        return ""
    return f"erosion: stops after {parameters.stop_after} iterations"


def _scratch_bytes(parameters: Erosion) -> int:
    kind = _kind(parameters)
    return kind.bytes_a_cell if kind else 0


def _in_cells(parameters: Erosion) -> bool:
    kind = _kind(parameters)
    return kind is not None and kind.in_cells


def _stopped(parameters: Erosion, reached: int) -> Erosion:
    return parameters.replace(**{registry.get(parameters.kind).ends_after: reached})


MAIN = ("kind", *dict.fromkeys(name for kind in registry.every() for name in kind.main))
"""The parameters that the panel shows at once."""

STEP = Step(
    Erosion,
    run,
    active=_active,
    revision=3,
    remark=_remark,
    scratch_bytes=_scratch_bytes,
    scratch_bytes_beside=lambda layers: rock.BYTES_A_CELL if layers.enabled else 0,
    in_cells=_in_cells,
    stopped=_stopped,
    reads=(rock.Rock,),
    fields=(*(field for kind in registry.every() for field in kind.fields), *rock.FIELDS),
)
