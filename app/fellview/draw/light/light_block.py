"""The uniform block `Light`: its fields, in their order, and how it is declared to shaders."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.gpu import bindings

FIELDS = (
    ("sun_dir", 1),  # xyz towards the sun; w its angular radius in radians
    ("sun_across", 1),  # xy: the sun's direction over the ground, x and z, of length 1
    ("sun", 1),  # rgb of sunlight at the ground over pi; w the share of it that clouds leave on the mean
    ("above_air", 1),  # rgb of sunlight above the air
    ("disc", 1),  # rgb of the sun's disc as seen from the ground
    ("sky", 9),  # rgb over pi by terms of the normal, as draw/light/sky_irradiance.glsl has them
    ("ground", 1),  # rgb over pi from the ground beyond the land
    ("green", 1),  # xy: how much green the ground's light has for its red and its blue
    ("fill", 1),  # rgb over pi that lifts the shadows
    ("plain", 1),  # rgb: albedo of the ground beyond the land; w metres in which it fades
    ("night", 1),  # rgb of the sky at night; w the light of the brightest stars
    ("mist", 1),  # rgb that thick mist sends to the eye; w its extinction a metre
    ("at_eye", 1),  # aerosols' density; mist_below, mist_density of draw/sky/air.glsl; metres of full mist above
    ("eye", 1),  # xyz in metres; w the height of the plain around the land
    (
        "land",
        1,
    ),  # xy: the sides of the land drawn, x and z in metres; z the base of cut sides, w its border's mean height
    ("clouds", 1),  # x: cover; y: their patterns a metre; zw: metres, x and z, from the plain to its shade's cloud
    ("cloud", 1),  # x: the height of their bases; y: how thick the layer is, in metres; z: the cover of cirrus
    ("cloud_eye", 1),  # xyz: the eye, y over the plain; w: 1 well over the clouds, 0 below their tops
    ("cloud_sun", 1),  # rgb of sunlight at the clouds over pi
    ("sides", 1),  # a slab's height over its floor at the least and the greatest x, the least and the greatest z
    ("figure", 4),  # by pairs of person and pole: xyz of the foot and height, as drawn; half a width
    ("map_place", 1),  # from metres to the light map: factors x, z and offsets x, z
    ("air_rayleigh", 1),  # rgb extinction a metre at sea level; w the height in metres over which it falls to a third
    ("air_mie", 1),  # the same of aerosols; under a gradient all of the air
    ("exposure", 1),  # rgb by which light is multiplied before it is mapped to tones
)

BINDING = bindings.block("Light")

GLSL = "\n".join(
    [
        "layout(std140) uniform Light {",
        *(
            f"    vec4 {name if name.startswith('air_') else 'light_' + name}{f'[{count}]' if count > 1 else ''};"
            for name, count in FIELDS
        ),
        "};",
    ]
)
"""The block's declaration in GLSL."""

FLOATS = 4 * sum(count for _, count in FIELDS)


def empty() -> dict[str, NDArray[np.float64]]:
    """Return zeros for the fields by name, each of fours."""
    return {name: np.zeros((count, 4) if count > 1 else 4) for name, count in FIELDS}


def packed(values: dict[str, NDArray[np.float64]]) -> NDArray[np.float32]:
    """Return `values` as they lie in the block, float32 (FLOATS,)."""
    return np.concatenate([np.ravel(values[name]) for name, _ in FIELDS]).astype(np.float32)


def unpacked(floats: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """Return the values that lie in a block, float32 (4,) or (count, 4) by name."""
    counts = [count for _, count in FIELDS]
    rows = np.split(floats.reshape(-1, 4), np.cumsum(counts)[:-1])
    return {name: each[0] if len(each) == 1 else each for (name, _), each in zip(FIELDS, rows, strict=True)}


def first_float(field: str) -> int:
    """Return where the values of `field` begin in the block."""
    return 4 * sum(count for _, count in FIELDS[: [name for name, _ in FIELDS].index(field)])
