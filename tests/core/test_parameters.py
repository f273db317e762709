import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import pytest

from fellview.core.errors import InputError
from fellview.core.parameters import Group, choice, colour, real, switch, whole
from fellview.scene.scene import Scene


@dataclass(frozen=True)
class Soil(Group):
    key: ClassVar[str] = "soil"
    title: ClassVar[str] = "Soil"

    depth: float = real(2.0, 0.0, 10.0, unit="m", tip="Low is bare, high is deep.", slider=(0, 5))
    layers: int = whole(3, 1, 9, unit="layers", tip="Low is plain, high is banded.", only={"kind": ("clay", "loam")})
    kind: str = choice("sand", ("sand", "clay", "loam"), tip="What it is.")
    wet: bool = switch(False, tip="Dry or wet.")
    tint: str = colour("#aabbcc", label="Soil's colour", tip="Its colour.")


def test_a_group_has_its_defaults_and_knows_its_parameters():
    assert Soil().values() == {"depth": 2.0, "layers": 3, "kind": "sand", "wet": False, "tint": "#aabbcc"}
    assert list(Soil.declarations()) == ["depth", "layers", "kind", "wet", "tint"]


def test_a_label_is_made_from_the_name_where_none_is_given():
    assert Soil.declaration("depth").label == "Depth"
    assert Soil.declaration("tint").label == "Soil's colour"


def test_a_slider_covers_the_limits_where_nothing_else_is_said():
    assert Soil.declaration("depth").slider == (0, 5)
    assert Soil.declaration("layers").slider == (1, 9)


BAD = [
    ("depth", -0.1, "0 to 10 m"),
    ("depth", 10.1, "0 to 10 m"),
    ("depth", math.nan, "0 to 10 m"),
    ("depth", math.inf, "0 to 10 m"),
    ("depth", "2", "0 to 10 m"),
    ("depth", True, "0 to 10 m"),
    ("depth", None, "0 to 10 m"),
    ("depth", [1.0], "0 to 10 m"),
    ("layers", 2.5, "a whole number, 1 to 9 layers"),
    ("layers", 0, "a whole number, 1 to 9 layers"),
    ("layers", math.inf, "a whole number, 1 to 9 layers"),
    ("kind", "peat", "one of sand, clay, loam"),
    ("kind", 1, "one of sand, clay, loam"),
    ("wet", 1, "true or false"),
    ("wet", "yes", "true or false"),
    ("tint", "red", "a colour such as #2d32aa"),
    ("tint", "#12345", "a colour such as #2d32aa"),
    ("tint", "#1234567", "a colour such as #2d32aa"),
]


@pytest.mark.parametrize(("name", "value", "accepted"), BAD, ids=[f"{name}={value!r}" for name, value, _ in BAD])
def test_a_refusal_names_the_key_the_value_and_what_is_accepted(name, value, accepted):
    with pytest.raises(InputError) as refusal:
        Soil(**{name: value})
    text = str(refusal.value)
    assert f"soil.{name} = {value!r}" in text and accepted in text
    assert "\n" not in text


def test_limits_are_included_and_values_take_the_parameters_type():
    soil = Soil(depth=10, layers=9.0, tint="#ABCDEF")
    assert soil.depth == 10.0 and type(soil.depth) is float
    assert soil.layers == 9 and type(soil.layers) is int
    assert soil.tint == "#abcdef"


def test_replace_validates_and_leaves_the_original():
    soil = Soil()
    assert soil.replace(depth=4.0).depth == 4.0 and soil.depth == 2.0
    with pytest.raises(InputError, match=r"soil\.mud: no such parameter; soil has depth, layers"):
        soil.replace(mud=1)
    with pytest.raises(InputError):
        soil.replace(depth=99.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        soil.depth = 1.0


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("depth", "1.5", 1.5),
        ("depth", " 1e0 ", 1.0),
        ("layers", "4", 4),
        ("layers", "4.0", 4),
        ("kind", "clay", "clay"),
        ("wet", "On", True),
        ("wet", "no", False),
        ("tint", "#00FF00", "#00ff00"),
    ],
)
def test_text_is_parsed_by_the_parameters_type(name, text, value):
    parsed = Soil.declaration(name).parsed(f"soil.{name}", text)
    assert parsed == value and type(parsed) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [("depth", "deep"), ("depth", ""), ("depth", "nan"), ("depth", "11"), ("layers", "4.5"), ("wet", "maybe")],
)
def test_text_that_does_not_fit_is_refused_by_name(name, text):
    with pytest.raises(InputError, match=rf"^soil\.{name} = .*expected"):
        Soil.declaration(name).parsed(f"soil.{name}", text)


def test_clamping_undoes_float32_widgets():
    depth = Soil.declaration("depth")
    assert depth.clamped(0.10000000149011612) == 0.1
    assert depth.clamped(10.0000001) == 10.0
    assert depth.clamped(-1e9) == 0.0
    layers = Soil.declaration("layers")
    assert layers.clamped(4.6) == 5 and type(layers.clamped(4.6)) is int


def test_a_parameter_shows_only_under_the_choices_that_it_belongs_to():
    assert not Soil(kind="sand").shows("layers")
    assert Soil(kind="loam").shows("layers")
    assert Soil().shows("depth")


EVERY = [
    (f"{key}.{name}", declaration)
    for key, group in Scene().groups().items()
    for name, declaration in group.declarations().items()
]


@pytest.mark.parametrize(("key", "declaration"), EVERY, ids=[key for key, _ in EVERY])
def test_every_declaration_of_the_scene_is_sound(key, declaration):
    assert declaration.validated(key, declaration.default) == declaration.default
    assert declaration.label and declaration.tip.endswith(".")
    if declaration.type in (int, float):
        low, high = declaration.slider
        assert declaration.low <= low < high <= declaration.high < math.inf
        assert declaration.scale == "linear" or low > 0
    siblings = Scene().groups()[key.partition(".")[0]].declarations()
    for sibling, accepted in declaration.only.items():
        assert set(accepted) <= set(siblings[sibling].options or (True, False))
