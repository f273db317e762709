"""How the land looks: parameters that reach the shaders without rerunning any step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fellview.core.parameters import Group, choice, colour, real, switch, text

MATERIALS = ("grass", "soil", "rock", "scree", "sand", "snow", "basalt", "regolith")
"""What land can be made of, in the order of the layers of its textures."""

PALETTES = ("alpine", "highland", "desert", "badlands", "volcanic", "tropical", "arctic", "moon")
"""Choices of a material and its colours for every part of a land; draw/ground/palettes.py says which."""

MAPS = ("normals", "height", "slope", "curvature", "drainage", "erosion", "rock")
"""View modes that show values as colours, which light and air leave as they are."""

_DEMO: dict[str, tuple[str | bool, ...]] = {"kind": ("demo",)}
_MATERIALS: dict[str, tuple[str | bool, ...]] = {"kind": ("materials",)}


def _part(tip: str) -> Any:
    return choice("palette", ("palette", *MATERIALS), tip=tip, only=_MATERIALS, more=True)


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
        0.3,
        0.0,
        1.0,
        tip="Light that comes from everywhere and lifts the shadows. Low leaves them dark, high washes relief out.",
    )
    shadows: bool = switch(
        False, tip="On, mountains throw shadows, and hollows see less of the sky. Off, only slopes decide."
    )
    light: str = colour("#ffffff", tip="The sunlight: yellow towards evening. A physical sky reddens it by itself.")
    shade: str = colour("#ffffff", tip="The light in the shade: blue under a clear sky.")
    diameter: float = real(
        0.53,
        0.05,
        20.0,
        slider=(0.1, 10),
        unit="°",
        scale="log",
        more=True,
        tip="How large the sun's disc is. Low throws shadows with hard edges, high soft ones; 0.53° is the real sun.",
    )


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
        tip="From this height on lies what is high: snow, or the palette's own. Low whitens all, high leaves none.",
    )
    grass_slope: float = real(
        29.0,
        0.0,
        90.0,
        slider=(0, 60),
        unit="°",
        only=_MATERIALS,
        tip="Up to this slope the ground is covered. Low leaves thin soil and stones, high lets grass climb the walls.",
    )
    rock_slope: float = real(
        39.0,
        0.0,
        90.0,
        slider=(10, 70),
        unit="°",
        only=_MATERIALS,
        tip="From this slope on bare rock stands out. Low is all rock, 90° none.",
    )
    sand_height: float = real(
        -20_000.0,
        -20_000.0,
        20_000.0,
        slider=(-500, 1000),
        unit="m",
        only=_MATERIALS,
        tip="Up to this height, and where it is nearly level, lie beaches and flats of sand. Low leaves none.",
    )
    strata: float = real(
        0.0,
        0.0,
        1.0,
        only=_MATERIALS,
        tip="Bands in bare rock. Low is one stone, high lays dark and light beds over each other. Where layers of rock"
        " are on, they show in any case, and these lie within them.",
    )
    wetness: float = real(
        0.4,
        0.0,
        1.0,
        only=_MATERIALS,
        tip="How dark and green the ground is where water gathers. Low is dry everywhere, high draws every gully.",
    )
    boulders: float = real(
        0.0,
        0.0,
        1.0,
        only=_MATERIALS,
        tip="Stones of 0.1 to 10 m near the camera, which give the land its size. Low is none, high a field of them.",
    )
    relief: float = real(
        1.0,
        0.0,
        2.0,
        only=_MATERIALS,
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
        tip="How thick the beds of rock are. Low draws fine stripes, high broad bands.",
    )
    variation: float = real(
        1.0,
        0.0,
        2.0,
        only=_MATERIALS,
        more=True,
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


@dataclass(frozen=True)
class Sky(Group):
    """The backdrop and the air in front of it."""

    key: ClassVar[str] = "sky"
    title: ClassVar[str] = "Sky"

    kind: str = choice(
        "gradient",
        ("gradient", "physical", "space"),
        tip="Gradient is two painted colours. Physical is what the sun's place and the air make of it, and lights the"
        " land. Space is black, with stars and no air.",
    )
    zenith: str = colour("#3a6ea5", only={"kind": ("gradient",)}, tip="The sky overhead.")
    horizon: str = colour(
        "#c8d8e4",
        only={"kind": ("gradient",)},
        tip="The sky at the horizon, and the colour that distance fades to.",
    )
    plain: str = colour(
        "#6e6a58",
        only={"kind": ("physical", "space")},
        tip="The ground beyond the land's edge. It lights hollows and shaded slopes a little, too.",
    )
    visibility: float = real(
        50.0,
        0.001,
        1e6,
        slider=(1, 200),
        unit="km",
        scale="log",
        only={"kind": ("gradient", "physical")},
        tip="How far the eye sees through the air. Low is mist, high is clear mountain air.",
    )
    clouds: float = real(
        0.0,
        0.0,
        1.0,
        only={"kind": ("gradient", "physical")},
        tip="The share of the sky that heaps of cloud cover; their shade lies on the ground. 0 is none, low a few of a"
        " fair day, and at 1 the sky is closed. A painted sky shows none of them, only their shade.",
    )
    cirrus: float = real(
        0.0,
        0.0,
        1.0,
        only={"kind": ("physical",)},
        tip="Thin ice clouds high above, drawn out by the wind. Low is a wisp, high veils most of the sky. They"
        " throw no shade.",
    )
    cloud_size: float = real(
        1.0,
        0.01,
        100.0,
        slider=(0.1, 10),
        unit="km",
        scale="log",
        only={"kind": ("gradient", "physical")},
        label="Cloud size",
        tip="How wide a cloud and the gap beside it are. Low dapples slopes, high shades whole valleys.",
    )
    cloud_height: float = real(
        1500.0,
        50.0,
        20_000.0,
        slider=(300, 6000),
        unit="m",
        scale="log",
        only={"kind": ("gradient", "physical")},
        label="Cloud height",
        more=True,
        tip="How far over the plain the clouds' bases are. Low hangs them over the hills, high makes them small.",
    )
    cloud_drift: float = real(
        0.0,
        0.0,
        100.0,
        unit="%",
        wraps=True,
        only={"kind": ("gradient", "physical")},
        label="Cloud drift",
        more=True,
        tip="How far the wind has carried clouds and their shade along -x: at 100 they are where they were at 0.",
    )


@dataclass(frozen=True)
class Air(Group):
    """What is between land and film: exposure, tone, and mist in the valleys."""

    key: ClassVar[str] = "air"
    title: ClassVar[str] = "Air and exposure"

    tone: str = choice(
        "none",
        ("none", "filmic"),
        tip="Filmic keeps detail in deep shadow and bright snow. None clips what is too bright; under a gradient sky it"
        " mixes display colours, as old games do.",
    )
    exposure: float = real(
        0.0,
        -4.0,
        4.0,
        unit="EV",
        tip="Low darkens the picture, high brightens it; one step doubles the light. It needs the filmic tone or a sky"
        " that is not a gradient.",
    )
    contrast: float = real(
        1.0,
        0.5,
        2.0,
        unit="×",
        only={"tone": ("filmic",)},
        tip="Low is flat and soft, as through haze; high deepens the shadows and makes the light hard.",
    )
    saturation: float = real(
        1.0,
        0.0,
        2.0,
        unit="×",
        only={"tone": ("filmic",)},
        tip="At 0 the picture is black and white, low is muted, high is gaudy.",
    )
    mist: float = real(
        0.0,
        0.0,
        1.0,
        tip="How thick mist lies in the valleys. Low thins it to a breath, high hides what is 200 m away.",
    )
    mist_top: float = real(
        100.0,
        -20_000.0,
        20_000.0,
        slider=(-200, 3000),
        unit="m",
        label="Mist top",
        tip="The height up to which mist is thickest. Low keeps it on valley floors, high drowns the hills.",
    )
    mist_falloff: float = real(
        60.0,
        1.0,
        10_000.0,
        slider=(5, 1000),
        unit="m",
        scale="log",
        label="Mist fade",
        tip="How it ends upwards. Low cuts it off like a lake's surface, high lets it thin out slowly.",
    )


@dataclass(frozen=True)
class View(Group):
    """What of the land is drawn."""

    key: ClassVar[str] = "view"
    title: ClassVar[str] = "View"

    mode: str = choice(
        "textured",
        (
            "textured",
            "normals",
            "wireframe",
            "plain",
            "height",
            "slope",
            "curvature",
            "drainage",
            "erosion",
            "edges",
            "checker",
            "rock",
        ),
        tip="Textured is the lit ground, normals colours each direction that the ground faces, wireframe shows the"
        " triangles and edges lays them over the ground, plain is one texture throughout. Height, slope, curvature,"
        " drainage, and erosion with deposition are maps in colours, and so is rock, with a colour a layer; checker has"
        " squares of a round size.",
        undoable=False,
    )
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
        tip="The height between two contour lines. Low draws many, high few, and 0 chooses about twenty for the land.",
    )
    exaggeration: float = real(
        1.0,
        0.25,
        4.0,
        unit="×",
        scale="log",
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
    x: float = real(100.0, -1e9, 1e9, unit="m", tip="The eye along the columns.")
    y: float = real(100.0, -1e9, 1e9, unit="m", tip="The eye's height.")
    z: float = real(-100.0, -1e9, 1e9, unit="m", tip="The eye along the rows.")
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
        tip="How much is seen from the lower edge of the picture to its upper one; the wheel changes it.",
    )

    @property
    def is_parallel(self) -> bool:
        """Whether the sight lines are parallel."""
        return self.projection == "orthographic"
