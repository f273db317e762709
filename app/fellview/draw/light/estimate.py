"""A scene's light estimated in closed form, for pictures that are drawn before the tables of the sky can be.

What the sunbeam loses on its way the air scatters, about half of it down. A sky of the optical depth τ above, of one
source everywhere, sends 1 - exp(-τ m) of that source through m times the air overhead. Its light on level ground is as
that of 1.66 times the air overhead: W. M. Elsasser, "Heat transfer by infrared radiation in the atmosphere" (1942).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.draw.colour import LUMINANCE, from_srgb, to_srgb
from fellview.draw.light import earthlight
from fellview.draw.light import exposure as exposing
from fellview.draw.light.filmic import filmic
from fellview.draw.sky import atmosphere
from fellview.gpu.uniform_block import rgb
from fellview.scene.scene import Scene

Colour = NDArray[np.float64]

_SCATTERED_DOWN = 0.5  # of what the sunbeam loses
_DIFFUSIVITY = 1.66
_AIR_AT_HORIZON = 9.0  # times the air overhead, at 6°: a little over the hills at the horizon
_OFF_THE_SUN = 0.3  # of what aerosols scatter, beside an even share: most goes on close to the sunbeam
_IN_CIRRUS = 0.3  # of the light that passes, what a whole sky of cirrus sends on; clouds are as white cards are
_TWILIGHT_DEG = 1.26  # from 400 lx under a sun at the horizon to 3.4 lx at -6°: a factor e in so many degrees
_NIGHT = np.array([0.3, 0.5, 1.0]) * 3e-3  # over pi, of sky and moon together


@dataclass(frozen=True)
class Estimate:
    """Light relative to sunlight above the air, rgb over pi, and the exposure by which it is shown."""

    level: Colour
    """What falls on level ground."""
    shade: Colour
    """What of it does not come from the sun itself."""
    zenith: Colour
    """What the sky sends from overhead."""
    horizon: Colour
    """What it sends from about the horizon."""
    exposure: Colour
    scene: Scene

    def shown(self, light: Colour) -> Colour:
        """Return the display colour, rgb from 0 to 1, that the scene's film has of `light`."""
        air, exposed = self.scene.air, np.maximum(self.exposure * light, 0.0)
        toned = filmic(exposed, air.contrast, air.saturation) if air.tone == "filmic" else np.minimum(exposed, 1.0)
        return to_srgb(toned)


def estimate(scene: Scene) -> Estimate:
    """Return about the light that `scene` has by the physics of draw/light/incident_light.py, without shadows."""
    sunlight, shade = (from_srgb(rgb(text)) for text in (scene.sun.light, scene.sun.shade))
    rise = max(float(np.sin(np.radians(scene.sun.elevation))), 0.0)
    exposure = 2.0**scene.air.exposure * (exposing.FILMIC if scene.air.tone == "filmic" else 1.0)
    black = np.zeros(3)
    if scene.sky.kind == "gradient":
        zenith, horizon = (from_srgb(rgb(text)) for text in (scene.sky.zenith, scene.sky.horizon))
        around, painted = scene.sun.ambient * shade, exposing.PAINTED * exposure
        return Estimate(rise * sunlight + around, around, zenith, horizon, np.full(3, painted), scene)
    if scene.sky.kind == "space":
        lit = sunlight if rise > 0 else black
        around = scene.sun.ambient * shade * float(LUMINANCE @ lit)
        earth_rise = float(np.sin(np.radians(earthlight.HEIGHT_DEG)))
        towards = np.array([0.0, earth_rise, np.sqrt(1 - earth_rise**2)])  # level ground has as much from anywhere
        night = earthlight.earthlight(shade * sunlight, scene.sun.elevation, scene.sun.diameter / 2, towards)
        around = around + night.sky[0] + night.sky[2]
        level = rise * lit + earth_rise * night.lit + around
        return Estimate(level, around, black, black, np.full(3, exposure), scene)
    up_deg = max(scene.sun.elevation, 0.0)
    kept = atmosphere.transmittance(up_deg, scene.sky.visibility)
    dusk = float(np.exp(min(scene.sun.elevation, 0.0) / _TWILIGHT_DEG))
    # the air over a place is lit by a sun at the horizon, too, which stands higher there
    over = max(rise, float(np.sin(np.radians(_TWILIGHT_DEG))))
    rayleigh = atmosphere.RAYLEIGH_PER_KM * atmosphere.RAYLEIGH_HEIGHT_KM
    mie = atmosphere.mie_per_km(scene.sky.visibility) * atmosphere.MIE_HEIGHT_KM
    ozone = -np.log(atmosphere.transmittance(90.0, scene.sky.visibility)) - rayleigh - mie
    scattered = 1 - kept ** ((rayleigh + mie) / (rayleigh + mie + np.maximum(ozone, 0)))
    sky = dusk * _SCATTERED_DOWN * over * scattered * sunlight
    lit = kept * sunlight if rise > 0 else black
    depth = rayleigh + _OFF_THE_SUN * mie
    source = depth / (rayleigh + mie) * sky / (1 - np.exp(-_DIFFUSIVITY * depth))
    zenith, horizon = (source * (1 - np.exp(-air * depth)) for air in (1.0, _AIR_AT_HORIZON))
    from_sky = shade * (sky + _NIGHT)
    facing = lit + from_sky
    level = rise * lit + from_sky
    exposure *= exposing.adapted(0.5 * float(LUMINANCE @ (level + facing)))
    fill = scene.sun.ambient * shade * float(LUMINANCE @ lit)
    balance = exposing.balance(kept if rise > 0 else black, sky, _NIGHT)
    clouded = scene.sky.clouds + (1 - scene.sky.clouds) * _IN_CIRRUS * scene.sky.cirrus
    zenith, horizon = ((1 - clouded) * light + clouded * level + _NIGHT for light in (zenith, horizon))
    return Estimate(level + fill, from_sky + fill, zenith, horizon, exposure * balance, scene)
