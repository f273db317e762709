"""What of the land is drawn, on what stage, and with which marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fellview.core.parameters import Group, choice, real, switch
from fellview.scene.groups import view_modes


@dataclass(frozen=True)
class View(Group):
    """What of the land is drawn."""

    key: ClassVar[str] = "view"
    title: ClassVar[str] = "View"

    mode: str = choice("textured", view_modes.NAMES, tip=view_modes.TIP, undoable=False)
    colours: str = choice(
        "viridis",
        ("viridis", "terrain", "grey"),
        only={"mode": ("height",)},
        tip="The colours of heights, from the lowest to the highest.",
        undoable=False,
    )
    contours: bool = switch(
        False,
        label="Contour lines",
        tip="Lays lines of equal height over the ground, as wide from afar as close by; every fifth is heavier.",
    )
    contour_interval: float = real(
        0.0,
        0.0,
        10_000.0,
        slider=(0, 200),
        unit="m",
        only={"contours": (True,)},
        useful=(),
        tip="The height between two contour lines. Low draws many, high few, and 0 chooses about twenty for the land.",
    )
    exaggeration: float = real(
        1.0,
        0.25,
        4.0,
        unit="×",
        scale="log",
        useful=(),
        tip="How many times as high the land is drawn. Low flattens it, high shows faint relief. It changes the view"
        " alone, never heights or exports.",
    )
    stage: str = choice(
        "landscape",
        ("landscape", "slab"),
        tip="Landscape lies in a plain under the sky. Slab cuts the land out and sets it on the floor of a studio, in"
        " clear air.",
    )
    thickness: float = real(
        8.0,
        0.5,
        100.0,
        slider=(2, 40),
        unit="%",
        scale="log",
        only={"stage": ("slab",)},
        useful=(),
        tip="How much rock is left under the lowest ground, in hundredths of the land's width. Low is a tile, high a"
        " block.",
    )
    border: float = real(
        0.0,
        0.0,
        50.0,
        slider=(0, 20),
        unit="%",
        only={"stage": ("landscape",)},
        useful=(),
        tip="The strip along the land's edge that passes into the plain, in hundredths of its width. At 0 the edge is"
        " cut clean, high dissolves half of the land.",
    )
    surroundings: str = choice(
        "plain",
        ("plain", "land"),
        only={"stage": ("landscape",)},
        tip="What lies beyond the land's edge. Plain is a flat that fades into the horizon. Land goes on as it is here,"
        " up to the horizon, in no two places alike; it is for the picture alone, never in exports, and views that show"
        " values, edges or contour lines leave it out.",
    )
    surroundings_height: float = real(
        100.0,
        0.0,
        300.0,
        slider=(0, 150),
        unit="%",
        only={"stage": ("landscape",), "surroundings": ("land",)},
        label="Height around",
        more=True,
        useful=(),
        tip="How high the land beyond the edge rises over the plain, in hundredths of this land. Low lets it sink into"
        " a lowland, high rings it with greater heights.",
    )
    figure: bool = switch(
        False,
        label="Scale figure",
        tip="A person of 1.8 m and a pole of 20 m, striped in metres. K sets them down under the cursor, and there"
        " takes them away. Far off they stay wide enough to be seen.",
        undoable=False,
    )
    figure_x: float = real(
        0.0,
        -1e6,
        1e6,
        unit="m",
        label="Figure x",
        more=True,
        useful=(),
        tip="Where the person stands along the columns.",
        undoable=False,
    )
    figure_z: float = real(
        0.0,
        -1e6,
        1e6,
        unit="m",
        label="Figure z",
        more=True,
        useful=(),
        tip="Where the person stands along the rows.",
        undoable=False,
    )
    scale_bar: bool = switch(
        False,
        label="Scale bar",
        tip="A bar of a round length, true for the ground in the middle of the picture or, where sky is there,"
        " below it; in saved pictures too.",
    )
    north_arrow: bool = switch(
        False, label="North arrow", tip="Where north is, which is +z and up on the map; in saved pictures too."
    )
    legend: bool = switch(
        False,
        label="Legend",
        tip="How to read a view that shows values, in saved pictures too; off, only the window has it.",
    )
