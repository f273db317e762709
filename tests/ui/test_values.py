"""Numbers as people read and type them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fellview.core import number_format
from fellview.core.parameters import Declaration
from fellview.scene.scene import Scene
from fellview.ui import values

NUMBERS = [
    (f"{key}.{name}", declaration)
    for key, group in Scene().groups().items()
    for name, declaration in group.declarations().items()
    if declaration.type in (int, float)
]

DISTINCT = {
    (one.type, one.low, one.high, one.slider, one.scale, one.wraps, one.unit): (key, one) for key, one in NUMBERS
}.values()
"""One of those that are alike in all that a slider and a field go by, such as the rows of four landforms."""

# every example is tried on all of them: drawing one takes a hundred times as long as trying it
thorough = settings(max_examples=300, deadline=None)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.25, "0.25"), (13.3333, "13.33"), (12500.0, "12,500"), (-7.5, "−7.5"), (512, "512"), (8192, "8,192")],
)
def test_numbers_read_well(value, text):
    assert number_format.number(value) == text


def test_units_stand_as_in_print():
    assert [number_format.with_unit(2.0, unit) for unit in ("m", "°", "×", "")] == ["2 m", "2°", "2×", "2"]


@given(fraction=st.floats(-2, 3), fine=st.booleans())
@thorough
def test_every_slider_gives_valid_values_that_stay_where_they_were_dropped(fraction, fine):
    for key, declaration in DISTINCT:
        if not values.on_slider(declaration):
            continue
        value = values.from_fraction(declaration, fraction, fine)
        assert declaration.validated(key, value) == value
        low, high = declaration.slider
        assert low <= value <= high, key
        if 0 <= fraction < 1:
            coarsest = 0.51 if declaration.type is int else 0.02  # whole numbers stand far apart on short sliders
            apart = abs(values.to_fraction(declaration, value) - fraction)
            if declaration.wraps:  # the ends of the slider are one place
                apart = min(apart, 1 - apart)
            assert apart <= coarsest, key


@given(text=st.text(max_size=12) | st.floats().map(str) | st.integers().map(str))
@thorough
def test_whatever_is_typed_is_valid_or_refused(text):
    for key, declaration in DISTINCT:
        value = values.typed(declaration, text)
        assert value is None or declaration.validated(key, value) == value


@pytest.mark.parametrize(("key", "declaration"), NUMBERS)
def test_text_that_a_field_starts_with_gives_the_value_back(key, declaration):
    value = declaration.default
    assert values.typed(declaration, values.editable(value)) == value


def test_wrapping_parameter_goes_round():
    azimuth = Scene().sun.declaration("azimuth")
    assert values.from_fraction(azimuth, 1.25) == 90.0
    assert values.from_fraction(azimuth, -0.25) == 270.0


def test_kilometres_in_a_field_of_kilometres():
    metres = Declaration(float, 1.0, "x", "", 0, 1e6, (1, 10), "m")
    kilometres = Declaration(float, 1.0, "x", "", 0, 1e6, (1, 10), "km")
    assert values.typed(metres, "5 km") == 5000
    assert values.typed(kilometres, "5 km") == 5
