"""The sky and its clouds, and how far one sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fellview.core.parameters import Group, choice, colour, real


@dataclass(frozen=True)
class Sky(Group):
    """The backdrop and the air in front of it."""

    key: ClassVar[str] = "sky"
    title: ClassVar[str] = "Sky"

    kind: str = choice(
        "gradient",
        ("gradient", "physical", "space"),
        tip="Gradient is two painted colours. Physical is what the sun's place and the air make of it, and lights the"
        " land. Space is black, with stars and no air.",
    )
    zenith: str = colour("#3a6ea5", only={"kind": ("gradient",)}, tip="The sky overhead.")
    horizon: str = colour(
        "#c8d8e4",
        only={"kind": ("gradient",)},
        tip="The sky at the horizon, and the colour that distance fades to.",
    )
    plain: str = colour(
        "#6e6a58",
        only={"kind": ("physical", "space")},
        tip="The ground beyond the land's edge. It lights hollows and shaded slopes a little, too.",
    )
    visibility: float = real(
        50.0,
        0.001,
        1e6,
        slider=(1, 200),
        unit="km",
        scale="log",
        only={"kind": ("gradient", "physical")},
        useful=(15, 150),
        tip="How far the eye sees through the air. Low is mist, high is clear mountain air.",
    )
    clouds: float = real(
        0.0,
        0.0,
        1.0,
        only={"kind": ("gradient", "physical")},
        tip="The share of the sky that heaps of cloud cover; their shade lies on the ground. 0 is none, low a few of a"
        " fair day, and at 1 the sky is closed. A painted sky shows none of them, only their shade.",
    )
    cirrus: float = real(
        0.0,
        0.0,
        1.0,
        only={"kind": ("physical",)},
        tip="Thin ice clouds high above, drawn out by the wind. Low is a wisp, high veils most of the sky. They"
        " throw no shade.",
    )
    cloud_size: float = real(
        1.0,
        0.01,
        100.0,
        slider=(0.1, 10),
        unit="km",
        scale="log",
        only={"kind": ("gradient", "physical")},
        label="Cloud size",
        tip="How wide a cloud and the gap beside it are. Low dapples slopes, high shades whole valleys.",
    )
    cloud_height: float = real(
        1500.0,
        50.0,
        20_000.0,
        slider=(300, 6000),
        unit="m",
        scale="log",
        only={"kind": ("gradient", "physical")},
        label="Cloud height",
        more=True,
        useful=(),
        tip="How far over the plain the clouds' bases are. Low hangs them over the hills, high makes them small.",
    )
    cloud_drift: float = real(
        0.0,
        0.0,
        100.0,
        unit="%",
        wraps=True,
        only={"kind": ("gradient", "physical")},
        label="Cloud drift",
        more=True,
        tip="How far the wind has carried clouds and their shade along -x: at 100 they are where they were at 0.",
    )
