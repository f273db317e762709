"""The air in the valleys, and how light becomes a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fellview.core.parameters import Group, choice, real


@dataclass(frozen=True)
class Air(Group):
    """What is between land and film: exposure, tone, and mist in the valleys."""

    key: ClassVar[str] = "air"
    title: ClassVar[str] = "Air and exposure"

    tone: str = choice(
        "none",
        ("none", "filmic"),
        tip="Filmic keeps detail in deep shadow and bright snow. None clips what is too bright; under a gradient sky it"
        " mixes display colours, as old games do.",
    )
    exposure: float = real(
        0.0,
        -4.0,
        4.0,
        unit="EV",
        useful=(-0.7, 0.7),
        tip="Low darkens the picture, high brightens it; one step doubles the light. It needs the filmic tone or a sky"
        " that is not a gradient.",
    )
    contrast: float = real(
        1.0,
        0.5,
        2.0,
        unit="×",
        only={"tone": ("filmic",)},
        useful=(0.85, 1.25),
        tip="Low is flat and soft, as through haze; high deepens the shadows and makes the light hard.",
    )
    saturation: float = real(
        1.0,
        0.0,
        2.0,
        unit="×",
        only={"tone": ("filmic",)},
        useful=(0.6, 1.3),
        tip="At 0 the picture is black and white, low is muted, high is gaudy.",
    )
    mist: float = real(
        0.0,
        0.0,
        1.0,
        tip="How thick mist lies in the valleys. Low thins it to a breath, high hides what is 200 m away.",
    )
    mist_top: float = real(
        100.0,
        -20_000.0,
        20_000.0,
        slider=(-200, 3000),
        unit="m",
        label="Mist top",
        useful=(),
        tip="The height up to which mist is thickest. Low keeps it on valley floors, high drowns the hills.",
    )
    mist_falloff: float = real(
        60.0,
        1.0,
        10_000.0,
        slider=(5, 1000),
        unit="m",
        scale="log",
        label="Mist fade",
        tip="How it ends upwards. Low cuts it off like a lake's surface, high lets it thin out slowly.",
    )
