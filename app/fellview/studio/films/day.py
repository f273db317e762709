"""Day: the sun goes over the land from one hour to another, as it does at a latitude on a day of the year."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from fellview.core.errors import InputError
from fellview.core.parameters import Group, real, whole
from fellview.scene.scene import Scene
from fellview.studio.films.film import Frame, Plan, Setting

_OBLIQUITY = 23.44  # degrees, of the Earth's axis
_SOLSTICE = 10  # days from the winter's to the end of the year


@dataclass(frozen=True)
class Day(Group):
    """The sun through a day, in hours of true solar time."""

    key: ClassVar[str] = "day"
    title: ClassVar[str] = "The sun through a day"
    closed: ClassVar[bool] = False

    latitude: float = real(46.0, -90.0, 90.0, unit="°", tip="Low is the far south, 0 the equator, high the far north.")
    date: int = whole(172, 1, 366, unit="day of the year", tip="1 is midwinter in the north, 172 midsummer.")
    start: float = real(5.0, 0.0, 24.0, unit="h", tip="Low begins in the night, 12 at noon.")
    end: float = real(21.0, 0.0, 24.0, unit="h", tip="Low ends in the morning, high in the night.")

    def frames(self, scene: Scene, rate: float) -> int | None:
        """Return None: a day may be as short as one likes. `InputError` where it ends before it starts."""
        if self.start >= self.end:
            raise InputError(f"day.end = {self.end:g}: expected more than day.start, which is {self.start:g}")
        return None

    def plan(self, scene: Scene, setting: Setting) -> Plan:
        """Return the sun's way over `scene`."""

        def at(share: float) -> Frame:
            azimuth, elevation = sun_at(self.latitude, self.date, self.start + share * (self.end - self.start))
            return Frame(scene.with_group(scene.sun.replace(azimuth=azimuth, elevation=elevation)))

        return at


def sun_at(latitude: float, date: int, hour: float) -> tuple[float, float]:
    """Return the sun's azimuth, clockwise from north, and elevation in degrees at an `hour` of true solar time.

    Source: P. I. Cooper, The absorption of radiation in solar stills, 1969, for the declination; the rest is spherical
    trigonometry.
    """
    declination = math.radians(-_OBLIQUITY * math.cos(2 * math.pi / 365 * (date + _SOLSTICE)))
    north, turn = math.radians(latitude), math.radians(15 * (hour - 12))  # 15° an hour
    up = math.sin(north) * math.sin(declination) + math.cos(north) * math.cos(declination) * math.cos(turn)
    east = -math.cos(declination) * math.sin(turn)
    ahead = math.cos(north) * math.sin(declination) - math.sin(north) * math.cos(declination) * math.cos(turn)
    return math.degrees(math.atan2(east, ahead)) % 360, math.degrees(math.asin(min(max(up, -1.0), 1.0)))
