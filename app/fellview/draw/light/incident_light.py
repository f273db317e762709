"""What light falls on a scene's ground: the sun's, the sky's, the night's, and what the ground sends itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.draw.colour import LUMINANCE, from_srgb
from fellview.draw.ground import palettes
from fellview.draw.light import earthlight, light_block
from fellview.draw.light import exposure as exposing
from fellview.draw.light.light_map import GroundLight
from fellview.draw.sky import atmosphere
from fellview.draw.sky.atmosphere import Atmosphere
from fellview.gpu.uniform_block import rgb
from fellview.scene.scene import Scene

_MIST_REFLECTS = 0.5  # of what falls on it from above: a fog bank of a few hundred metres
_BRIGHTEST_STARS = 0.03  # so that at night they show as bright as snow does at noon
_STARS_BELOW = (-5.0, -13.0)  # degrees of the sun, between which the stars come out: civil to nautical twilight
_LARGEST_DISC = 400.0  # the sun is some 40,000 times as bright as the sky; more than this only rounds badly
_GROUND_IN_SUN = 0.5  # of the ground around a place, in whose light it stands: the other half lies in shadow

_CLOUD_LIGHT = (0.06, 0.24)  # of sunlight, what the sky's clouds send down under a sun at the horizon and overhead
_SKY_IN_CLOUD = 0.8  # of the sky that clouds cover, what of its light they take the place of
_SUN_IN_CLOUD = 0.7  # of their cover, the sun's light that is gone on the mean: under their edges some comes through

_NIGHT_SKY = np.array([0.3, 0.5, 1.0]) * 1e-3  # airglow and stars, far brighter than they are: land must read
_MOONLIGHT = np.array([0.55, 0.85, 1.5]) * 2e-3  # on a surface that faces it, over pi: bluer than it is, as eyes see it
_MOON_HEIGHT = np.radians(40.0)
_MOON_BELOW = (-2.0, -10.0)  # degrees of the sun, between which its light grows: the full moon rises at sunset


def sun_direction(azimuth: float, elevation: float) -> NDArray[np.float64]:
    """Return the unit vector towards the sun, world xyz, from degrees; azimuth 0 is +z and 90 is +x."""
    turn, rise = np.radians(azimuth), np.radians(elevation)
    return np.array([np.sin(turn) * np.cos(rise), np.sin(rise), np.cos(turn) * np.cos(rise)])


def earth_direction(scene: Scene) -> NDArray[np.float64]:
    """Return the unit vector towards the full Earth, which stands across from the sun over the ground, world xyz."""
    return sun_direction(scene.sun.azimuth + 180, earthlight.HEIGHT_DEG)


def lit_from(scene: Scene, kind: str, radius: float) -> NDArray[np.float64]:
    """Return the unit vector towards what casts shadows, world xyz: the sun, whose disc has a `radius` in radians.

    In space, once that has set, it is the full Earth, across from it.
    """
    if kind == "space" and np.radians(scene.sun.elevation) < -radius:
        return earth_direction(scene)
    return sun_direction(scene.sun.azimuth, scene.sun.elevation)


def gathered(
    scene: Scene, kind: str, sun: NDArray[np.float64], radius: float, sky: Atmosphere, *, late: bool
) -> dict[str, NDArray[np.float64]]:
    """Return the block's values by name, each of fours; the `sky` may be a frame `late`.

    `sun` is what `lit_from` says.
    """
    values = light_block.empty()
    turn = np.arctan2(sun[0], sun[2])
    across = np.array([np.sin(turn), np.cos(turn)])
    sunlight, shade, plain = (from_srgb(rgb(text)) for text in (scene.sun.light, scene.sun.shade, scene.sky.plain))
    extinction = atmosphere.KOSCHMIEDER / (1000 * scene.sky.visibility)  # a metre
    values["sun_dir"][:] = *sun, radius
    values["sun_across"][:2] = across
    values["plain"][:3] = plain
    values["air_mie"][:] = extinction, extinction, extinction, 1000 * atmosphere.MIE_HEIGHT_KM
    exposure = 2.0**scene.air.exposure * (exposing.FILMIC if scene.air.tone == "filmic" else 1.0)
    if kind == "gradient":
        values["sun"][:3] = sunlight
        values["sky"][0, :3] = scene.sun.ambient * shade
        values["exposure"][:3] = exposing.PAINTED * exposure
        return values
    above = np.pi * sunlight  # so that a white surface that faces the sun above the air sends just 1
    if kind == "physical":
        moments = sky.update(scene.sun.elevation, scene.sky.visibility, late=late)
        kept = atmosphere.transmittance(scene.sun.elevation, scene.sky.visibility)
        total, directed = above * moments.total, above[:, None] * moments.directed
        values["night"][3] = _BRIGHTEST_STARS * _grown(_STARS_BELOW, scene.sun.elevation)
        values["night"][:3] = _NIGHT_SKY
        total = total + 2 * np.pi * _NIGHT_SKY
        directed[:, 1] += np.pi * _NIGHT_SKY
        moon = _MOONLIGHT * _grown(_MOON_BELOW, scene.sun.elevation)
        total = total + _shine(directed, moon, _MOON_HEIGHT)
        values["sky"][:4, :3] = _first_terms(shade * total, shade[:, None] * directed, across)
        values["sky"][4:, :3] = shade * _quadric_terms(above[:, None, None] * moments.quadric / np.pi, across)
        values["cloud_sun"][:3] = sunlight * _sun_at_height(scene, scene.sky.cloud_height / 1000)
        sun_left = _under_clouds(scene, values["sky"], values["cloud_sun"][:3], sun[1])
        mie = atmosphere.mie_per_km(scene.sky.visibility) / 1000
        values["air_rayleigh"][:] = *(atmosphere.RAYLEIGH_PER_KM / 1000), 1000 * atmosphere.RAYLEIGH_HEIGHT_KM
        values["air_mie"][:3] = mie
    else:
        kept, sun_left = np.ones(3), 1.0
        values["night"][3] = 1.0
    # the disc sets over its own width
    shown = min(max(0.5 + np.radians(scene.sun.elevation) / (2 * radius), 0.0), 1.0)
    values["sun"][:3] = shown * kept * above / np.pi
    values["above_air"][:3] = above
    disc = kept * above / (np.pi * radius**2)
    values["disc"][:3] = disc * min(1.0, _LARGEST_DISC / max(float(disc.max()), 1e-9))
    if kind == "space":
        shines = earthlight.earthlight(
            shade * sunlight, scene.sun.elevation, float(np.degrees(radius)), earth_direction(scene)
        )
        values["sun"][:3] += shines.lit  # of which one is black
        values["disc"][:3] *= shown > 0
        values["sky"][:4, :3] = shines.sky
    lit = sun_left * values["sun"][:3]
    values["sun"][3] = sun_left
    sky_above = from_above(values["sky"])
    level = lit * max(sun[1], 0.0) + sky_above
    values["mist"][:3] = _MIST_REFLECTS * level
    values["ground"][:3] = _GROUND_IN_SUN * plain * level
    brightness = float(LUMINANCE @ level)
    # what lifts shadows stands for sunlight that is scattered more than once: it goes by that, or the night would glow
    values["fill"][:3] = scene.sun.ambient * shade * float(LUMINANCE @ lit)
    if kind == "physical":
        # An eye takes in upright things, too, and the sky: half goes by a surface that faces the sun. A low sun hardly
        # lights level ground, and film exposed for that alone would show white all around the sun.
        facing = lit + sky_above
        exposure *= exposing.adapted(0.5 * (brightness + float(LUMINANCE @ facing)))
        sky_light = moments.total / 4 + moments.directed[:, 1] / 2
        values["exposure"][:3] = exposure * exposing.balance(shown * kept, sky_light, _NIGHT_SKY + moon)
    else:
        # no air scatters anything while the sun is up, and film that sees the sunlit ground sees black beside it
        values["exposure"][:3] = exposure
    return values


def _grown(below: tuple[float, float], elevation: float) -> float:
    """Return how far a light of the night has come out, 0 to 1, between the two of the sun's elevations in degrees."""
    day, night = below
    return min(max((elevation - day) / (night - day), 0.0), 1.0)


def _shine(directed: NDArray[np.float64], light: NDArray[np.float64], height: float) -> NDArray[np.float64]:
    """Return what a full moon adds to the sky's total, rgb, and add its part to `directed`, (rgb, xyz).

    It stands `height` radians high across from the sun, and `light`, rgb over pi, falls on what faces it. It has no
    shadows of its own: as part of the sky's light it falls on all that is turned to it, softly, and half as bright on
    what is turned across.
    """
    directed[:, 0] -= np.cos(height) * np.pi * light
    directed[:, 1] += np.sin(height) * np.pi * light
    return 2 * np.pi * light


def _first_terms(
    total: NDArray[np.float64], directed: NDArray[np.float64], across: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the first four terms of draw/light/sky_irradiance.glsl, (4, rgb), of a sky's first moments.

    `total` (rgb) and `directed` (rgb, xyz) are as in `Moments`, with the sun over +x, which stands over `across`.
    """
    x, z = across
    return np.array([total / 2, directed[:, 0] * x, directed[:, 1], directed[:, 0] * z]) / (2 * np.pi)


def from_above(sky: NDArray[Any]) -> NDArray[Any]:
    """Return what falls on a level surface of the `sky` of the block `Light`, (9, 4): rgb over pi."""
    return np.asarray(sky[0, :3] + sky[2, :3] + 2 * sky[8, :3])


def _quadric_terms(quadric: NDArray[np.float64], across: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the last five terms of draw/light/sky_irradiance.glsl, (5, rgb).

    `quadric` (rgb, xyz, xyz) is that of `Moments`, with the sun over +x, which stands over `across`, x and z.
    """
    x, z = across
    tilted = 2 * quadric[:, 0, 1]
    stretched = quadric[:, 0, 0] - quadric[:, 2, 2]
    return np.array(
        [tilted * x, tilted * z, 2 * stretched * x * z, stretched * (x * x - z * z) / 2, quadric[:, 1, 1] / 2]
    )


def ground_light(scene: Scene, values: dict[str, NDArray[np.float64]], rise: float) -> GroundLight:
    """Return what decides which light the ground sends; `rise` is the sine of the sun's height.

    A map of it keeps red and blue alone, and `values` get how much green goes with them: that of the ground's plain
    colours in the sun, in the shade and beyond the land, by least squares. All that the ground sends is mixed of them.
    """
    colours, borders = palettes.plain_parts(scene.ground)
    lit = values["sun"][3] * values["sun"][:3]
    above = from_above(values["sky"])
    sent = [part * from_srgb(colour) for colour in colours for part in (lit * max(rise, 0.0) + above, above)]
    samples = np.array([*sent, values["ground"][:3]])
    if samples.any():
        values["green"][:2] = np.linalg.lstsq(samples[:, [0, 2]], samples[:, 1], rcond=None)[0]
    red, _, blue = values["ground"][:3].tolist()
    return GroundLight(
        (red, blue),
        {
            "u_part_colours": colours,
            "u_borders": borders,
            "u_snow_softness": scene.ground.snow_softness,
            "u_sun": tuple(lit.tolist()),
            "u_around": tuple((_GROUND_IN_SUN * (lit * max(rise, 0.0) + above)).tolist()),
            "u_sky": [tuple(term) for term in values["sky"].tolist()],
            "u_water": tuple(from_srgb(rgb(scene.water.colour)).tolist()),
        },
    )


def _under_clouds(scene: Scene, sky: NDArray[np.float64], at_clouds: NDArray[np.float64], rise: float) -> float:
    """Put clouds' light in the place of the sky's that they hide; return the share of the sun's that is left.

    `sky` (9, 4) is that of the block `Light`, `at_clouds` sunlight there, rgb over pi, `rise` the sine of the sun's
    height. What comes through a closed sky is a third of a clear one's light, and nearly alike from everywhere.
    """
    cover = 0.0 if scene.view.stage == "slab" else scene.sky.clouds
    low, high = _CLOUD_LIGHT
    sent = (low + (high - low) * max(rise, 0.0)) * at_clouds
    hidden = _SKY_IN_CLOUD * cover
    sky[:, :3] *= 1 - hidden
    sky[[0, 2], :3] += hidden * sent / 2  # the halves of what falls on level ground
    return 1 - _SUN_IN_CLOUD * cover


def _sun_at_height(scene: Scene, height_km: float) -> NDArray[np.float64]:
    """Return the share of sunlight, rgb, that reaches a height; there the sun sets later than on the ground."""
    dip = np.degrees(np.arccos(atmosphere.GROUND_KM / (atmosphere.GROUND_KM + height_km)))
    over = scene.sun.elevation + dip
    shown = min(max(0.5 + over / scene.sun.diameter, 0.0), 1.0)
    elevation = max(scene.sun.elevation, 0.01 - dip)  # the part of the disc that is over the horizon
    return shown * atmosphere.transmittance(elevation, scene.sky.visibility, height_km)
