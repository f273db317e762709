"""Every value that a parameter may be given makes land: finite everywhere, of bounded height, without a warning.

Scenes are drawn over the declared limits, which a typed value or a recipe reaches, and not over the sliders alone:
their corners and what lies between, on land of every width and depth. A number is one scene.
"""

import random
import warnings

import numpy as np
import pytest

from fellview.scene.scene import Scene
from fellview.terrain.landforms import registry
from fellview.terrain.landforms.form import BLENDS
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from tests.sampling import sampled

HIGHEST = 1e7  # metres: four landforms at their farthest, over the highest noise
GRIDS = ((24, 32), (24, 32), (24, 32), (33, 3), (2, 17), (2, 2))
SWEEPS = 300  # of the demo's erosion and smoothing: ten thousand are no other land, and take a while


def drawn(draw, declaration):
    """Return a value within the declared limits: one of them, the default, or between them in equal ratios or steps."""
    if declaration.options:
        return draw.choice(declaration.options)
    if declaration.type is bool:
        return draw.random() < 0.5
    if declaration.type is str:
        return declaration.default
    low, high = declaration.low, declaration.high
    match draw.randrange(6):
        case 0:
            value = low
        case 1:
            value = high
        case 2:
            value = declaration.default
        case 3:
            value = draw.uniform(*declaration.slider)
        case 4:
            value = draw.uniform(low, high)
        case _:
            least = max(low, 1e-4 * high)
            value = least * (high / least) ** draw.random() if high > 0 else draw.uniform(low, high)
    value = min(max(value, low), high)
    return round(value) if declaration.type is int else float(value)


def scene(number):
    """Return the scene of that number."""
    draw = random.Random(number)
    base = Scene()
    values = {}
    for key, group in base.terrain_groups().items():
        if key == "imported" or (key.startswith("landform") and draw.random() < 0.6):
            continue
        values |= {f"{key}.{name}": drawn(draw, one) for name, one in group.declarations().items()}
    values["noise.enabled"] = True  # with landforms at rest there would be no land
    values["grid.rows"], values["grid.columns"] = draw.choice(GRIDS)
    for name in ("erosion.iterations", "smooth.iterations"):
        values[name] = min(values[name], SWEEPS)
    values |= {f"water.{name}": drawn(draw, one) for name, one in base.water.declarations().items()}
    return base.replace(values)


def require_land(wanted):
    """Fail unless the land of `wanted` and all of its masks are what land is."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        field = Pipeline(CpuEngine()).run(wanted.terrain_groups(), Progress()).field
        assert np.isfinite(field.heights).all()
        assert np.abs(field.heights).max() <= HIGHEST
        masks = field.masks.with_water(wanted.water)
        for name in masks:
            assert np.isfinite(masks[name]).all(), name


@sampled("number", range(40), quick=10)
def test_every_scene_within_the_limits_is_land(number):
    require_land(scene(number))


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(1, 11))
def test_a_thousand_more_scenes_within_the_limits_are_land(hundred):
    for number in range(100 * hundred, 100 * hundred + 100):
        try:
            require_land(scene(number))
        except Exception as fault:
            raise AssertionError(f"scene {number}") from fault


@pytest.mark.parametrize("kind", registry.names())
def test_a_landform_far_from_its_own_size_leaves_land(kind):
    for sizes in ((1e7, 1e-3), (1e-3, 1e7)):
        for number, blend in enumerate(BLENDS):
            values = {"kind": kind, "blend": blend, "size": 1.0, "x": -100.0, "height": 1e5, "rotation": 30.0 * number}
            land = Scene().replace({f"landform1.{name}": value for name, value in values.items()})
            grid = dict(zip(("grid.size_x", "grid.size_z"), sizes, strict=True)) | {"grid.rows": 9, "grid.columns": 12}
            require_land(land.replace(grid | {"erosion.kind": "none", "rock.enabled": True, "noise.amplitude": 0.0}))
