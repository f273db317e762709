"""What the ground is made of: a texture, or the materials of a palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fellview.core.parameters import Group, choice, colour, real, text

MATERIALS = ("grass", "soil", "rock", "scree", "sand", "snow", "basalt", "regolith")
"""What land can be made of, in the order of the layers of its textures."""

PALETTES = ("alpine", "highland", "desert", "badlands", "volcanic", "tropical", "arctic", "moon")
"""Choices of a material and its colours for every part of a land; draw/ground/palettes.py says which."""

_DEMO: dict[str, tuple[str | bool, ...]] = {"kind": ("demo",)}
_MATERIALS: dict[str, tuple[str | bool, ...]] = {"kind": ("materials",)}


def _part(tip: str) -> Any:
    return choice("palette", ("palette", *MATERIALS), tip=tip, only=_MATERIALS, more=True)


@dataclass(frozen=True)
class Ground(Group):
    """What the land is made of, as far as colour goes."""

    key: ClassVar[str] = "ground"
    title: ClassVar[str] = "Ground"

    kind: str = choice(
        "demo",
        ("demo", "materials"),
        tip="Demo lays one texture over the land, bare where it is steep. Materials puts grass, rock, scree, sand and"
        " snow where height, slope and erosion have them.",
    )
    tint: str = colour("#ffffff", only=_DEMO, tip="Multiplies the ground texture where the land is flat.")
    bare_tint: str = colour(
        "#8c8378", only=_DEMO, tip="The rock and soil that shows where the land is too steep for grass."
    )
    bare_slope: float = real(
        90.0,
        0.0,
        90.0,
        unit="°",
        only=_DEMO,
        useful=(),
        tip="From this slope on the ground is bare. Low is all rock, 90° all grass.",
    )
    repeats: float = real(
        10.0,
        0.1,
        10_000.0,
        slider=(1, 100),
        scale="log",
        unit="×",
        only=_DEMO,
        useful=(),
        tip="How often the ground texture repeats across the land. Low shows big blades, high a fine grain.",
    )
    palette: str = choice(
        "alpine", PALETTES, only=_MATERIALS, tip="The country that it is: which material plays which part, and its hue."
    )
    snow_line: float = real(
        1000.0,
        -20_000.0,
        20_000.0,
        slider=(-500, 4000),
        unit="m",
        only=_MATERIALS,
        useful=(),
        tip="From this height on lies what is high: snow, or the palette's own. Low whitens all, high leaves none.",
    )
    grass_slope: float = real(
        29.0,
        0.0,
        90.0,
        slider=(0, 60),
        unit="°",
        only=_MATERIALS,
        useful=(),
        tip="Up to this slope the ground is covered. Low leaves thin soil and stones, high lets grass climb the walls.",
    )
    rock_slope: float = real(
        39.0,
        0.0,
        90.0,
        slider=(10, 70),
        unit="°",
        only=_MATERIALS,
        useful=(),
        tip="From this slope on bare rock stands out. Low is all rock, 90° none.",
    )
    sand_height: float = real(
        -20_000.0,
        -20_000.0,
        20_000.0,
        slider=(-500, 1000),
        unit="m",
        only=_MATERIALS,
        useful=(),
        tip="Up to this height, and where it is nearly level, lie beaches and flats of sand. Low leaves none.",
    )
    strata: float = real(
        0.0,
        0.0,
        1.0,
        only=_MATERIALS,
        useful=(),
        tip="Bands in bare rock. Low is one stone, high lays dark and light beds over each other. Where layers of rock"
        " are on, they show in any case, and these lie within them.",
    )
    wetness: float = real(
        0.4,
        0.0,
        1.0,
        only=_MATERIALS,
        useful=(),
        tip="How dark and green the ground is where water gathers. Low is dry everywhere, high draws every gully.",
    )
    boulders: float = real(
        0.0,
        0.0,
        1.0,
        only=_MATERIALS,
        useful=(),
        tip="Stones of 0.1 to 10 m near the camera, which give the land its size. Low is none, high a field of them.",
    )
    relief: float = real(
        1.0,
        0.0,
        2.0,
        only=_MATERIALS,
        useful=(),
        tip="How strong the small relief of the ground is: crags and gullies of 1 to 100 m on walls, hummocks, ripples"
        " of sand, pits. Low leaves the land as smooth as its cells are, high carves it.",
    )
    snow_softness: float = real(
        120.0,
        1.0,
        5000.0,
        slider=(5, 1000),
        unit="m",
        scale="log",
        only=_MATERIALS,
        more=True,
        useful=(),
        tip="The height over which snow thins out. Low ends it at once, high lets patches reach far down.",
    )
    bed_height: float = real(
        30.0,
        0.5,
        5000.0,
        slider=(2, 500),
        unit="m",
        scale="log",
        only=_MATERIALS,
        more=True,
        useful=(),
        tip="How thick the beds of rock are. Low draws fine stripes, high broad bands.",
    )
    variation: float = real(
        1.0,
        0.0,
        2.0,
        only=_MATERIALS,
        more=True,
        useful=(),
        tip="How much the colours of a material change from place to place. Low is even, high is mottled.",
    )
    base: str = _part("What lies where nothing else does: gentle ground.")
    upper: str = _part("What lies between grass and rock: thin ground on steeper slopes.")
    steep: str = _part("What cliffs are made of.")
    high: str = _part("What lies over the snow line.")
    low: str = _part("What lies on flats up to the sand's height.")
    deposit: str = _part("What erosion left at the foot of slopes and in fans.")
    textures: str = text(
        "",
        only=_MATERIALS,
        more=True,
        action="textures",
        tip="A folder of pictures of your own: rock.png or grass.jpg in it takes the place of that material.",
    )
