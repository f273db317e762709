"""How the land looks: parameters that reach the shaders without rerunning any step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fellview.core.parameters import Group, choice, colour, real


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
        tip="Low sun rakes the ground and shows every fold, high sun flattens it.",
    )
    ambient: float = real(
        0.3, 0.0, 1.0, tip="Light that comes from everywhere. Low leaves shaded slopes black, high washes relief out."
    )
    light: str = colour("#ffffff", tip="The sunlight: yellow towards evening.")
    shade: str = colour("#ffffff", tip="The light in the shade: blue under a clear sky.")


@dataclass(frozen=True)
class Ground(Group):
    """What the land is made of, as far as colour goes."""

    key: ClassVar[str] = "ground"
    title: ClassVar[str] = "Ground"

    tint: str = colour("#ffffff", tip="Multiplies the ground texture where the land is flat.")
    bare_tint: str = colour("#8c8378", tip="The rock and soil that shows where the land is too steep for grass.")
    bare_slope: float = real(
        90.0, 0.0, 90.0, unit="°", tip="From this slope on the ground is bare. Low is all rock, 90° all grass."
    )
    repeats: float = real(
        10.0,
        0.1,
        10_000.0,
        slider=(1, 100),
        scale="log",
        unit="×",
        tip="How often the ground texture repeats across the land. Low shows big blades, high a fine grain.",
    )


@dataclass(frozen=True)
class Sky(Group):
    """The backdrop and the air in front of it."""

    key: ClassVar[str] = "sky"
    title: ClassVar[str] = "Sky"

    zenith: str = colour("#3a6ea5", tip="The sky overhead.")
    horizon: str = colour("#c8d8e4", tip="The sky at the horizon, and the colour that distance fades to.")
    visibility: float = real(
        50.0,
        0.001,
        1e6,
        slider=(1, 200),
        unit="km",
        scale="log",
        tip="How far the eye sees through the air. Low is mist, high is clear mountain air.",
    )


@dataclass(frozen=True)
class View(Group):
    """What of the land is drawn."""

    key: ClassVar[str] = "view"
    title: ClassVar[str] = "View"

    mode: str = choice(
        "textured",
        ("textured", "normals", "wireframe"),
        tip="Textured is the lit ground, normals colours each direction that the ground faces, wireframe shows the"
        " triangles.",
    )


@dataclass(frozen=True)
class Camera(Group):
    """Where the eye is. Yaw 0° looks along +z and 90° along +x; pitch is positive upwards."""

    key: ClassVar[str] = "camera"
    title: ClassVar[str] = "Camera"

    mode: str = choice(
        "orbit",
        ("orbit", "demo"),
        tip="Orbit turns about the ground under the cursor; demo turns in place about the vertical, as the DirectX demo"
        " did.",
    )
    x: float = real(100.0, -1e9, 1e9, unit="m", tip="The eye along the columns.")
    y: float = real(100.0, -1e9, 1e9, unit="m", tip="The eye's height.")
    z: float = real(-100.0, -1e9, 1e9, unit="m", tip="The eye along the rows.")
    yaw: float = real(0.0, -360.0, 360.0, slider=(0, 360), unit="°", wraps=True, tip="The compass direction of view.")
    pitch: float = real(-20.0, -90.0, 90.0, unit="°", tip="Low looks down, high looks up.")
    field_of_view: float = real(
        45.0, 1.0, 150.0, slider=(15, 90), unit="°", tip="Low is a long lens, high is a wide one. Measured vertically."
    )
