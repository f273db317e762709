"""The physical sky: tables of what air lets through and scatters, made when the sun or the visibility changes.

Light is relative to sunlight of irradiance 1 above the air. Source: Hillaire, "A scalable and production ready sky and
atmosphere rendering technique" (2020), doi:10.1111/cgf.14050. Rejected: a table for every eye height, remade in every
frame, which software OpenGL has no time for; and a table of the air before each pixel: draw/sky/air.glsl has a closed
form.
"""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.gpu.passes import GridPasses, Number

Colour = NDArray[np.float64]

KOSCHMIEDER = 3.912
"""-ln 0.02: visibility is where contrast has fallen to 2 %."""

GROUND_KM, TOP_KM = 6360.0, 6460.0
RAYLEIGH_PER_KM = np.array([5.802e-3, 13.558e-3, 33.1e-3])  # table 1 of the source, as the rest
RAYLEIGH_HEIGHT_KM, MIE_HEIGHT_KM = 8.0, 1.2
OZONE_PER_KM = np.array([0.650e-3, 1.881e-3, 0.085e-3])
_OZONE_MIDDLE_KM, _OZONE_HALF_KM = 25.0, 15.0

_CLEAREST_MIE_PER_KM = 1e-4  # air without any dust; at 280 km of visibility it is all Rayleigh's
_THICKEST_MIE_PER_KM = 40.0  # visibility of 100 m: beyond it the sky is the same grey
_TRANSMITTANCE_SIZE = (128, 32)  # columns (direction), rows (height)
_OFTEN_SIZE = (24, 16)
_SKY_SIZE = (64, 64)
_RAY_STEPS = 200
_LATE_DEG = 1.0  # of the sun's elevation, less than which a table may be out of date for two frames


def mie_per_km(visibility_km: float) -> float:
    """Return the extinction by aerosols at sea level that leaves `visibility_km` of sight in green light."""
    wanted = KOSCHMIEDER / visibility_km - RAYLEIGH_PER_KM[1]
    return float(min(max(wanted, _CLEAREST_MIE_PER_KM), _THICKEST_MIE_PER_KM))


def transmittance(elevation: float, visibility_km: float, height_km: float = 0.0) -> Colour:
    """Return the share of light, rgb, that reaches `height_km` from above the air at `elevation` degrees.

    It is exp(-∫ extinction), summed along a straight ray; zero where the ground is in the way.
    Twin: shaders/draw/sky/transmittance.frag.
    """
    radius, sine = GROUND_KM + height_km, np.sin(np.radians(elevation))
    if sine < 0 and radius * np.sqrt(1 - sine * sine) < GROUND_KM:
        return np.zeros(3)
    way = -radius * sine + np.sqrt(radius * radius * (sine * sine - 1) + TOP_KM * TOP_KM)
    edges = way * np.linspace(0, 1, _RAY_STEPS + 1) ** 2  # short steps in dense air
    at, steps = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    height = np.sqrt(radius * radius + at * at + 2 * radius * sine * at) - GROUND_KM
    ozone = np.maximum(1 - np.abs(height - _OZONE_MIDDLE_KM) / _OZONE_HALF_KM, 0)
    depth = RAYLEIGH_PER_KM * (steps @ np.exp(-height / RAYLEIGH_HEIGHT_KM))
    depth = depth + mie_per_km(visibility_km) * (steps @ np.exp(-height / MIE_HEIGHT_KM))
    return np.asarray(np.exp(-(depth + OZONE_PER_KM * (steps @ ozone))))


@dataclass(frozen=True)
class Moments:
    """The sky's light summed over all directions (rgb), and summed times the direction once (rgb, xyz) and twice (rgb,
    xyz, xyz)."""

    total: Colour
    directed: Colour
    twice: Colour

    def irradiance(self, normal: NDArray[np.float64]) -> Colour:
        """Return what falls on a surface, rgb: total / 4 + directed · normal / 2 + normal · quadric · normal.

        These are the first three orders in spherical harmonics, doi:10.1145/383259.383317; right for a uniform sky
        over a level, upright or overhanging surface. Twin: shaders/draw/light/sky_irradiance.glsl.
        """
        return self.total / 4 + self.directed @ normal / 2 + self.quadric @ normal @ normal

    @property
    def quadric(self) -> Colour:
        """The third order as a form in the normal, 5/32 · (3 · twice − total), (rgb, xyz, xyz); its trace is 0."""
        return 5 / 32 * (3 * self.twice - self.total[:, None, None] * np.eye(3))


def sky_moments(table: NDArray[np.float32]) -> Moments:
    """Return the moments of a table of the sky, float32 [row, column, rgb or rgba], with the sun over +x.

    A texel stands for its share of the sphere: columns are sines of half the turn from the sun, rows square roots of
    the direction's height. Twin: shaders/draw/sky/sky_coordinate.glsl.
    """
    rows, columns = table.shape[:2]

    def spans(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        middles = np.linspace(0, 1, count)
        return middles, np.concatenate([[0.0], (middles[1:] + middles[:-1]) / 2, [1.0]])

    sine, sine_edges = spans(columns)
    root, root_edges = spans(rows)
    turns = 2 * np.diff(2 * np.arcsin(sine_edges))  # both sides of the sun
    weights = np.diff(root_edges**2)[:, None] * turns
    rise = np.broadcast_to((root**2)[:, None], weights.shape)
    along = np.sqrt(1 - rise**2) * (1 - 2 * sine**2)
    light = table[..., :3].astype(np.float64) * weights[..., None]
    directed = [np.tensordot(part, light, 2) for part in (along, rise)]
    squares = [np.tensordot(part, light, 2) for part in (along**2, along * rise, rise**2)]
    total, none = light.sum((0, 1)), np.zeros(3)
    twice = [
        [squares[0], squares[1], none],
        [squares[1], squares[2], none],
        [none, none, total - squares[0] - squares[2]],
    ]
    return Moments(total, np.stack([*directed, none], axis=1), np.moveaxis(np.array(twice), -1, 0))


class Atmosphere:
    """The tables in one OpenGL context; they stay as long as sun and visibility do."""

    def __init__(self, context: moderngl.Context) -> None:
        self._grids = GridPasses(context)
        self._often, self.table = (self._filtered(size) for size in (_OFTEN_SIZE, _SKY_SIZE))
        self._transmittance = self._filtered(_TRANSMITTANCE_SIZE)
        self._air: float | None = None
        self._sky: tuple[float, float] | None = None
        self._unread = False  # the table that was made last: its moments are those of one before
        self._moments = Moments(np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3, 3)))

    def update(self, elevation: float, visibility_km: float, *, late: bool = False) -> Moments:
        """Bring `table`, the sky's light, up to date; return its moments with the sun over +x.

        `elevation` is the sun's in degrees. Reading the moments back waits for the passes. Where that is enough,
        `late`, the table follows a sun that moves little in every second call, and its moments in those between.
        """
        grids, mie = self._grids, mie_per_km(visibility_km)
        if mie != self._air:
            air = {"u_mie_per_km": mie}
            kept = {"u_transmittance": self._transmittance}
            grids.run("draw/sky/transmittance.frag", self._transmittance, {}, {**air, "u_size": _TRANSMITTANCE_SIZE})
            grids.run("draw/sky/multiple_scattering.frag", self._often, kept, {**air, "u_size": _OFTEN_SIZE})
            self._air, self._sky = mie, None
        late = late and self._sky is not None and abs(elevation - self._sky[0]) < _LATE_DEG
        if self._sky != (elevation, mie) and not (late and self._unread):
            textures = {"u_transmittance": self._transmittance, "u_multiple_scattering": self._often}
            rise = float(np.sin(np.radians(elevation)))
            numbers: dict[str, Number] = {"u_mie_per_km": mie, "u_size": _SKY_SIZE, "u_sun_rise": rise}
            grids.run("draw/sky/sky_table.frag", self.table, textures, numbers)
            self._sky, self._unread = (elevation, mie), True
            if late:
                return self._moments
        if self._unread:
            self._moments, self._unread = sky_moments(grids.read(self.table)), False
        return self._moments

    def sky_table(self) -> NDArray[np.float32]:
        """Return `table`, float32 [row, column, rgba]."""
        return self._grids.read(self.table)

    def transmittance_table(self) -> NDArray[np.float32]:
        """Return the table of transmittance, float32 [height, direction, rgba]."""
        return self._grids.read(self._transmittance)

    def _filtered(self, size: tuple[int, int]) -> moderngl.Texture:
        texture = self._grids.texture(size[1], size[0], 4)
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        return texture
