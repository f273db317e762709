"""Where the eye is, and what its lens is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fellview.core.parameters import Group, choice, real


@dataclass(frozen=True)
class Camera(Group):
    """Where the eye is. Yaw 0° looks along +z and 90° along +x; pitch is positive upwards."""

    key: ClassVar[str] = "camera"
    title: ClassVar[str] = "Camera"
    undoable: ClassVar[bool] = False

    mode: str = choice(
        "orbit",
        ("orbit", "demo"),
        tip="Orbit turns about the ground under the cursor; demo turns in place about the vertical, as the DirectX demo"
        " did.",
    )
    x: float = real(100.0, -1e9, 1e9, useful=(), unit="m", tip="The eye along the columns.")
    y: float = real(100.0, -1e9, 1e9, useful=(), unit="m", tip="The eye's height.")
    z: float = real(-100.0, -1e9, 1e9, useful=(), unit="m", tip="The eye along the rows.")
    yaw: float = real(0.0, -360.0, 360.0, slider=(0, 360), unit="°", wraps=True, tip="The compass direction of view.")
    pitch: float = real(-20.0, -90.0, 90.0, unit="°", tip="Low looks down, high looks up.")
    projection: str = choice(
        "perspective",
        ("perspective", "orthographic"),
        tip="Orthographic shows what is far as large as what is near, without haze, like a map.",
    )
    field_of_view: float = real(
        45.0,
        1.0,
        150.0,
        slider=(15, 90),
        unit="°",
        only={"projection": ("perspective",)},
        tip="Low is a long lens, high is a wide one. Measured vertically.",
    )
    span: float = real(
        1000.0,
        0.1,
        1e8,
        slider=(100, 10_000),
        unit="m",
        only={"projection": ("orthographic",)},
        useful=(),
        tip="How much is seen from the lower edge of the picture to its upper one; the wheel changes it.",
    )

    def turned(self, degrees: float) -> Camera:
        """Return it turned about the vertical by so many degrees, clockwise from above."""
        return self.replace(yaw=(self.yaw + degrees) % 360)

    @property
    def is_parallel(self) -> bool:
        """Whether the sight lines are parallel."""
        return self.projection == "orthographic"
