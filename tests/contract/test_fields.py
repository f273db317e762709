"""What every declared field keeps: its name, unit and range stand in one place, and its numbers are as declared."""

import json

import numpy as np
import pytest

from fellview.io import heights
from fellview.scene.scene import Scene
from fellview.terrain.pipeline import masks
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import FIELDS, STEPS, Pipeline
from fellview.terrain.step import HEIGHT

SMALL = {"grid.rows": 48, "grid.columns": 64, "grid.size_x": 4000.0, "grid.size_z": 3000.0, "noise.octaves": 6}
SCENES = {
    "every field": {
        "erosion.kind": "hydraulic",
        "rock.enabled": True,
        "rock.undulation": 60.0,
        "scree.enabled": True,
        "water.enabled": True,
        "water.lakes": True,
        "water.rivers": True,
        "water.sea_level": 30.0,
        "noise.amplitude": 3000.0,
    },
    "cliffs under water": {
        "noise.amplitude": 100_000.0,
        "noise.frequency": 20.0,
        "rock.enabled": True,
        "rock.irregularity": 1.0,
        "erosion.kind": "fluvial",
        "water.enabled": True,
        "water.lakes": True,
        "water.rivers": True,
        "water.river_share": 0.05,
        "water.river_width": 50.0,
        "water.sea_level": 20_000.0,
    },
    "flat": {"noise.amplitude": 0.0, "erosion.kind": "none"},
}
UNITS = {"m", "m²", "m/s", "1/m", "degrees", "1"}


@pytest.fixture(scope="module")
def lands():
    """The scenes' height fields with the masks of their water, by name."""
    made = {}
    for name, changes in SCENES.items():
        scene = Scene().replace(SMALL | changes)
        field = Pipeline(CpuEngine()).run(scene.terrain_groups()).field
        made[name] = field.with_masks(field.masks.with_water(scene.water))
    return made


def test_no_two_fields_share_a_name_or_a_title():
    declared = [HEIGHT, *masks.FIELDS, *(field for step in STEPS for field in step.fields)]
    assert len({field.name for field in declared}) == len(declared)
    assert len({field.title for field in declared}) == len(declared)


@pytest.mark.parametrize("field", [HEIGHT, *FIELDS.values()], ids=lambda field: field.name)
def test_a_declaration_is_whole(field):
    assert field.name.isidentifier() and field.name.islower()
    assert field.title[0].isupper() and field.description[0].isupper() and field.description.endswith(".")
    assert field.unit in UNITS, "a unit that no other field has is more likely misspelt than needed"
    assert field.lowest < field.highest


def test_a_land_of_everything_has_every_declared_field_and_no_other(lands):
    assert list(lands["every field"].masks) == list(FIELDS)


@pytest.mark.parametrize("scene", SCENES)
def test_numbers_lie_in_the_declared_range(lands, scene):
    for name, values in lands[scene].masks.items():
        field = FIELDS[name]
        assert np.isfinite(values).all(), name
        assert field.lowest <= values.min() and values.max() <= field.highest, (name, values.min(), values.max())
    assert np.isfinite(lands[scene].heights).all()


def test_the_fields_are_put_to_the_test(lands):
    """Nothing but the flat land's is all 0, so that the ranges above are worth something."""
    assert [name for name, values in lands["every field"].masks.items() if not values.any()] == []


def test_a_categorical_field_has_few_numbers(lands):
    """A pile of layers has some dozens; a measured quantity has one a cell."""
    for name, values in lands["every field"].masks.items():
        if FIELDS[name].categorical:
            assert 1 < len(np.unique(values)) < 100


@pytest.mark.parametrize("name", FIELDS)
def test_a_sidecar_says_what_is_declared(lands, name, tmp_path):
    heights.export(tmp_path / "mask.npy", lands["every field"], "", name)
    facts = json.loads((tmp_path / "mask.npy.json").read_text(encoding="utf-8"))
    field = FIELDS[name]
    assert (facts["mask"], facts["unit"]) == (field.name, field.unit)
    assert (facts["description"], facts["categorical"]) == (field.description, field.categorical)
    assert field.lowest <= facts["minimum"] <= facts["maximum"] <= field.highest


def test_what_is_no_length_is_not_exported_as_one():
    assert {name for name, field in FIELDS.items() if field.unit == "1"} == {
        "rock_layer",
        "rock_hardness",
        "river_cover",
    }
