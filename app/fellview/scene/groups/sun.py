"""The sun, and the light that fills its shadows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fellview.core.parameters import Group, colour, real, switch


@dataclass(frozen=True)
class Sun(Group):
    """The one light and what fills its shadows."""

    key: ClassVar[str] = "sun"
    title: ClassVar[str] = "Sun"

    azimuth: float = real(
        315.0,
        0.0,
        360.0,
        unit="°",
        wraps=True,
        tip="Where the sun stands, clockwise from +z seen from above: 90° is +x. It turns the shading about the hills.",
    )
    elevation: float = real(
        35.0,
        -90.0,
        90.0,
        slider=(-5, 90),
        unit="°",
        useful=(5, 60),
        tip="Low sun rakes the ground and shows every fold, high sun flattens it.",
    )
    ambient: float = real(
        0.3,
        0.0,
        1.0,
        useful=(0.02, 0.3),
        tip="Light that comes from everywhere and lifts the shadows. Low leaves them dark, high washes relief out.",
    )
    shadows: bool = switch(
        False,
        tip="On, mountains throw shadows, hollows see less of the sky, and ground lights what is near. Off, only slopes"
        " decide.",
    )
    light: str = colour("#ffffff", tip="The sunlight: yellow towards evening. A physical sky reddens it by itself.")
    shade: str = colour("#ffffff", tip="The light in the shade: blue under a clear sky.")
    diameter: float = real(
        0.53,
        0.05,
        20.0,
        slider=(0.1, 10),
        unit="°",
        scale="log",
        more=True,
        useful=(),
        tip="How large the sun's disc is. Low throws shadows with hard edges, high soft ones; 0.53° is the real sun.",
    )
