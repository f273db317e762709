"""The DirectX demo's terrain, stage by stage, against what the demo itself computed."""

import numpy as np
import pytest

from fellview.noise import classic
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.steps import erosion, noise, perturb, smooth
from tests import golden_data

STAGES = (
    (perturb.STEP, "noise", "perturbed"),
    (erosion.STEP, "perturbed", "eroded"),
    (smooth.STEP, "eroded", "height"),
)


@pytest.fixture(params=golden_data.TERRAINS)
def data(request):
    return golden_data.load(request.param)


def test_the_noise_is_the_demos(data):
    groups = golden_data.terrain_groups(data)
    heights = noise.run(groups["noise"], golden_data.domain(groups), np.zeros_like(data["noise"]), Progress())
    np.testing.assert_allclose(heights, data["noise"], rtol=0, atol=1e-5)
    np.testing.assert_array_equal(heights, data["noise"])


@pytest.mark.parametrize(("step", "below", "result"), STAGES, ids=[result for _, _, result in STAGES])
def test_each_later_stage_is_the_demos_to_the_last_bit(data, step, below, result):
    groups = golden_data.terrain_groups(data)
    before = data[below].copy()
    heights = step.run(groups[step.key], golden_data.domain(groups), before, Progress())
    np.testing.assert_array_equal(heights, data[result])
    np.testing.assert_array_equal(before, data[below], "the step changed its input")


def test_the_whole_chain_is_the_demos_to_the_last_bit(data):
    heights = Pipeline(CpuEngine()).run(golden_data.terrain_groups(data)).field.heights
    assert (np.abs(heights - data["height"]) <= 1e-3).mean() >= 0.999
    np.testing.assert_array_equal(heights, data["height"])


def test_classic_noise_at_points():
    data = golden_data.load("classic_perlin")
    found = classic.exact_at(data["points"], int(data["rand_seed"]))
    np.testing.assert_allclose(found, data["noise_3d"], rtol=0, atol=1e-5)


def test_gradients_come_from_the_same_random_numbers():
    data = golden_data.load("classic_perlin")
    np.testing.assert_allclose(classic.gradients(int(data["rand_seed"])), data["gradients_3d"], rtol=0, atol=1e-6)
