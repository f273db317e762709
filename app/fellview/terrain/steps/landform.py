"""Landforms over the noise: up to four, each its own step, in order.

Every slot is one group of parameters with the same declarations: those that all landforms share, then those that each
adds (`landforms/`). A slot of kind none does nothing. What lies below is the noise for the first and the result of the
one before for each further one.

Position and size are shares of the domain, of its shorter side for the size; heights are metres; angles are true
degrees, whatever the cells' proportions. Outlines come from the scene's seed and the slot's own, so that a slot keeps
its outline wherever it stands in the order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, whole
from fellview.noise.hash import start_number
from fellview.terrain.domain import Domain
from fellview.terrain.landforms import form, registry
from fellview.terrain.landforms.form import BLENDS, Place, Prepared
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step

NONE = "none"

_SEED_STRIDE = 0x632BE5AB  # an odd number, so that 2³² seeds give as many starts; any odd one with mixed bits would do


@dataclass(frozen=True)
class _Common(Group):
    """What all landforms share; the kinds follow below, where all are known."""

    kind: str = choice(NONE, (NONE,), tip="What stands here.")
    blend: str = choice(
        "add",
        BLENDS,
        tip="How it meets the ground below: add keeps all hills, maximum lets it stand up through them, minimum cuts"
        " it in, replace clears the hills away, mask keeps them within the landform only.",
    )
    x: float = real(
        50.0,
        -100.0,
        200.0,
        slider=(0, 100),
        unit="%",
        label="Position x",
        useful=(30, 70),
        tip="Low is left, high right.",
    )
    z: float = real(
        50.0,
        -100.0,
        200.0,
        slider=(0, 100),
        unit="%",
        label="Position z",
        useful=(30, 70),
        tip="Low is near, high far.",
    )
    size: float = real(
        50.0,
        1.0,
        1000.0,
        slider=(5, 200),
        unit="%",
        scale="log",
        useful=(12, 110),
        tip="How wide it is, of the land's shorter side; of craters and islands, the largest one.",
    )
    height: float = real(
        300.0,
        0.001,
        100_000.0,
        slider=(1, 5000),
        unit="m",
        scale="log",
        useful=(50, 1500),
        tip="How high it stands, or how deep it is sunk.",
    )
    rotation: float = real(
        0.0, -360.0, 360.0, slider=(-180, 180), unit="°", tip="Turns it about its middle; the wind, for dunes."
    )
    irregularity: float = real(0.5, 0.0, 1.0, tip="Low is as drawn with a pair of compasses, high is ragged and worn.")
    smoothness: float = real(
        0.0,
        0.0,
        100_000.0,
        slider=(0, 500),
        unit="m",
        useful=(0, 250),
        tip="Low meets the ground in a sharp line, high runs into it.",
        only={"blend": ("maximum", "minimum")},
    )
    base: float = real(
        0.0,
        -100_000.0,
        100_000.0,
        slider=(-1000, 1000),
        unit="m",
        useful=(),
        tip="The height at which its foot lies.",
        only={"blend": BLENDS[1:]},
        more=True,
    )


_OWN = tuple(
    dict.fromkeys(
        registry.get(name).parameters for name in registry.names() if registry.get(name).parameters is not Group
    )
)


@dataclass(frozen=True)
class Landform(*reversed(_OWN), _Common):  # type: ignore[misc] # the registry knows which there are
    """One slot: a landform, where it stands and how it meets the ground."""

    kind: str = choice(
        NONE,
        (NONE, *registry.names()),
        tip="What stands here: a tableland, a slope, a chain, a bowl, a volcano, the Moon, sand, a glacier's valley,"
        " a canyon, a shore, an archipelago.",
    )

    def shows(self, name: str) -> bool:
        """Return whether parameter `name` has an effect under the present kind."""
        if name != "kind" and (self.kind == NONE or name in registry.get(self.kind).unused):
            return False
        return bool(super().shows(name))


def _seed(slot: int) -> Any:
    return whole(slot, 0, 2**31 - 1, slider=(0, 100), useful=(), tip="Another number, another outline.", more=True)


@dataclass(frozen=True)
class Landform1(Landform):
    """The first landform over the noise."""

    key: ClassVar[str] = "landform1"
    title: ClassVar[str] = "Landform 1"
    seed: int = _seed(1)


@dataclass(frozen=True)
class Landform2(Landform):
    """The second landform, over the first."""

    key: ClassVar[str] = "landform2"
    title: ClassVar[str] = "Landform 2"
    seed: int = _seed(2)


@dataclass(frozen=True)
class Landform3(Landform):
    """The third landform."""

    key: ClassVar[str] = "landform3"
    title: ClassVar[str] = "Landform 3"
    seed: int = _seed(3)


@dataclass(frozen=True)
class Landform4(Landform):
    """The last landform."""

    key: ClassVar[str] = "landform4"
    title: ClassVar[str] = "Landform 4"
    seed: int = _seed(4)


SLOTS: tuple[type[Landform], ...] = (Landform1, Landform2, Landform3, Landform4)


@dataclass(frozen=True)
class Laid:
    """A landform made ready for either engine: its list and constants, its frame, and how it meets the ground."""

    prepared: Prepared
    frame: tuple[float, ...]
    started: int
    blend: int
    sign: int
    base: float
    smoothness: float
    rounded: float


def _place(parameters: Any, domain: Domain) -> tuple[Place, float]:
    rotation = 0.0 if "rotation" in registry.get(parameters.kind).unused else parameters.rotation
    started = start_number((domain.seed + _SEED_STRIDE * parameters.seed) & 0xFFFFFFFF)
    return form.place(parameters.x, parameters.z, rotation, started, domain), rotation


def laid(parameters: Any, domain: Domain, beyond: float = 0.0) -> Laid:
    """Return the landform of `parameters` on `domain`, ready to be laid over heights.

    It may be laid on ground up to `beyond` sides of the domain outside of it, if it goes on there at all.
    """
    one = registry.get(parameters.kind)
    place, rotation = _place(parameters, domain)
    return Laid(
        registry.prepare(parameters.kind, beyond)(parameters, place),
        form.frame(parameters.x, parameters.z, rotation, domain),
        place.started,
        BLENDS.index(parameters.blend),
        one.sign,
        parameters.base,
        parameters.smoothness,
        form.rounded_foot(parameters.height),
    )


def natural(parameters: Any, domain: Domain) -> Any:
    """Return `parameters` with a height, to two digits, and a size that suit their kind on `domain`."""
    one = registry.get(parameters.kind)
    side = min(domain.grid.size_x, domain.grid.size_z)
    return parameters.replace(height=float(f"{one.natural_height * side:.2g}"), size=one.natural_size)


def remark(parameters: Any, domain: Domain) -> str:
    """Return a line for a person where the landform does less than asked for, else an empty text."""
    text = registry.get(parameters.kind).remark(parameters, _place(parameters, domain)[0])
    return f"{parameters.title}: {text}" if text else ""


def run(parameters: Any, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the heights with the landform, float32 [row, column]."""
    one = laid(parameters, domain)
    levels = (one.base, one.smoothness, one.rounded)
    out = form.run(
        registry.lay(parameters.kind),
        one.prepared,
        one.frame,
        one.started,
        one.blend,
        one.sign,
        levels,
        heights,
        progress,
    )
    progress.report(parameters.key, 1.0)
    return out


STEPS = tuple(
    Step(slot, run, active=lambda parameters: parameters.kind != NONE, remark=remark, revision=5) for slot in SLOTS
)
"""One step a slot, in running order."""
