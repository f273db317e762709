"""Palettes: which material plays which part of a land, and in what colours."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fellview.gpu.uniform_block import rgb
from fellview.scene.groups.ground import Ground

PARTS = ("base", "upper", "steep", "high", "low", "deposit")
"""In the order of the shader's arrays; each is a parameter of `Ground` too."""


@dataclass(frozen=True)
class Part:
    """One material and the two colours, sRGB, between which it changes from place to place.

    They are its means: whatever its texture, from afar it has this colour.
    """

    material: str
    colour: str
    other: str


@dataclass(frozen=True)
class Palette:
    """The parts in the order of `PARTS`; what the beds of rock multiply light by; how far water shows."""

    parts: tuple[Part, ...]
    beds: tuple[tuple[float, float, float], tuple[float, float, float]] = ((0.6, 0.58, 0.56), (1.25, 1.22, 1.18))
    wet: float = 1.0
    walls: str = "crags"  # the relief of steep ground, one of `ground_textures.RELIEFS`
    slopes: str = ""  # and of what is steep but no wall, where that is another
    plants: tuple[str, str, str, str] | None = None  # sRGB: of wet hollows, of dry swells, bushes, heath; or only grass
    bared: tuple[float, float] = (0.0, 0.0)  # how much gravel lies in streams, how much rock looks out of gentle ground


# colours by eye, from photographs of such country under an overcast sky, where the ground shows its own
_PALETTES: dict[str, Palette] = {
    "alpine": Palette(
        (
            Part("grass", "#5c6344", "#77714f"),
            Part("scree", "#827c72", "#8d8474"),
            Part("rock", "#5f5d5b", "#736c64"),
            Part("snow", "#eef2f7", "#f4f4f2"),
            Part("sand", "#a89a80", "#948a76"),
            Part("scree", "#8d877d", "#9a9080"),
        ),
        plants=("#4f6038", "#857a54", "#454d31", "#6a543e"),
        bared=(0.9, 1.0),
    ),
    "highland": Palette(
        (
            Part("grass", "#66673f", "#827049"),
            Part("grass", "#6f5a3e", "#6c6145"),
            Part("rock", "#6a6763", "#77736a"),
            Part("rock", "#77736c", "#80796a"),
            Part("sand", "#8c8068", "#9c8e72"),
            Part("soil", "#6b5e40", "#716b46"),
        ),
        beds=((0.8, 0.78, 0.76), (1.12, 1.11, 1.09)),
        plants=("#5b613a", "#8f7f54", "#443f2c", "#62493a"),
        bared=(0.6, 0.8),
    ),
    "desert": Palette(
        (
            Part("sand", "#cfae80", "#d8bd92"),
            Part("soil", "#b48c66", "#a57a58"),
            Part("rock", "#94694e", "#a67e60"),
            Part("rock", "#a0745a", "#b18c6c"),
            Part("sand", "#dcc090", "#e2cca2"),
            Part("sand", "#cba371", "#c4976b"),
        ),
        beds=((0.72, 0.62, 0.55), (1.25, 1.2, 1.1)),
        wet=0.4,
        walls="ledges",
        slopes="rills",
    ),
    "badlands": Palette(
        (
            Part("soil", "#ae9473", "#b9a584"),
            Part("soil", "#a88064", "#b39377"),
            Part("soil", "#b0836a", "#b5957c"),
            Part("soil", "#9a8a63", "#8c8458"),
            Part("sand", "#c2ac8a", "#cbb898"),
            Part("sand", "#bba683", "#c8b594"),
        ),
        beds=((0.82, 0.67, 0.6), (1.24, 1.23, 1.2)),
        wet=0.6,
        walls="rills",
    ),
    "volcanic": Palette(
        (
            Part("basalt", "#3b3734", "#4b423a"),
            Part("scree", "#514640", "#604a40"),
            Part("basalt", "#47403b", "#5b4a40"),
            Part("scree", "#6e4b3b", "#82664f"),
            Part("sand", "#33302e", "#403b36"),
            Part("scree", "#4a4540", "#5c5148"),
        ),
        beds=((0.74, 0.6, 0.54), (1.3, 1.16, 1.08)),
    ),
    "tropical": Palette(
        (
            Part("grass", "#3b5a26", "#587036"),
            Part("grass", "#465f2e", "#5a6b38"),
            Part("rock", "#6a6155", "#77705c"),
            Part("grass", "#48632e", "#647640"),
            Part("sand", "#e6d5ac", "#eddfbd"),
            Part("grass", "#4b692c", "#68793a"),
        )
    ),
    "arctic": Palette(
        (
            Part("soil", "#6f6a54", "#7a7050"),
            Part("scree", "#7a7874", "#868078"),
            Part("rock", "#5f6063", "#6d6b68"),
            Part("snow", "#edf2f8", "#e4ecf5"),
            Part("sand", "#6c6a66", "#7c776e"),
            Part("scree", "#86847f", "#928d84"),
        )
    ),
    "moon": Palette(
        (
            Part("regolith", "#7e7c79", "#8a8782"),
            Part("regolith", "#8a8885", "#959188"),
            Part("rock", "#94918c", "#a19c94"),
            Part("regolith", "#928f8a", "#9d988f"),
            Part("regolith", "#6a6866", "#757270"),
            Part("regolith", "#757370", "#807c77"),
        ),
        wet=0.0,
    ),
}

# what a material looks like where a person puts it into a part that the palette gives to another
_OWN = {
    "grass": ("#5e6543", "#7c764f"),
    "soil": ("#6e5b45", "#7c6c50"),
    "rock": ("#726d68", "#80786c"),
    "scree": ("#7d766c", "#8a8070"),
    "sand": ("#cfb68a", "#d8c4a0"),
    "snow": ("#eef2f7", "#f4f4f2"),
    "basalt": ("#3f3936", "#4d433c"),
    "regolith": ("#827f7b", "#8c8882"),
}

# the mean of the texture in display colours, and of bare ground as ground_texture.glsl has it: 1.6 times as bright
_DEMO_MEAN, _DEMO_BARE = (0.382, 0.485, 0.236), 0.712


def chosen(ground: Ground) -> Palette:
    """Return the palette of `ground` with the parts that a person gave to other materials."""
    palette = _PALETTES[ground.palette]
    parts = []
    for name, part in zip(PARTS, palette.parts, strict=True):
        material = getattr(ground, name)
        kept = material in ("palette", part.material)
        parts.append(part if kept else Part(material, *_OWN[material]))
    return replace(palette, parts=tuple(parts))


def plain_parts(ground: Ground) -> tuple[list[tuple[float, ...]], tuple[float, ...]]:
    """Return the display colours of the parts base, upper, steep, high and low, and where they begin.

    Those are the slopes of upper and steep in degrees, and the heights of snow and sand in metres.
    """
    if ground.kind != "materials":
        grass = tuple(mean * part for mean, part in zip(_DEMO_MEAN, rgb(ground.tint), strict=True))
        bare = tuple(_DEMO_BARE * part for part in rgb(ground.bare_tint))
        return [grass, bare, bare, grass, grass], (ground.bare_slope, ground.bare_slope, 1e6, -1e6)
    parts = chosen(ground).parts[:5]
    colours = [tuple(float(value) for value in 0.5 * (np.array(rgb(p.colour)) + np.array(rgb(p.other)))) for p in parts]
    return colours, (ground.grass_slope, ground.rock_slope, ground.snow_line, ground.sand_height)
