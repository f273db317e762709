"""Every landform is the same at each resolution, stops when it is cancelled, and is finite; slots are alike."""

import numpy as np
import pytest

from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.landforms import registry
from fellview.terrain.progress import Progress
from fellview.terrain.steps import landform
from tests.terrain.landforms.laid import SQUARE, lay


@pytest.mark.parametrize("kind", registry.names())
def test_a_landform_is_the_same_at_every_resolution(kind):
    """On 256², 512² and 1024²: the same land, sampled more finely; another seed gives another one."""
    at = {}
    for side in (256, 512, 1024):
        grid = SQUARE.replace(rows=side, columns=side)
        at[side] = lay(grid, kind=kind)[0]
    small = at[256]
    for side in (512, 1024):
        down = at[side][:: side // 256, :: side // 256]
        assert np.corrcoef(small.ravel(), down.ravel())[0, 1] > 0.999
        assert np.sqrt(np.mean((down - small) ** 2)) < 0.03 * small.std()
    # another seed fails both
    other = lay(SQUARE.replace(rows=256, columns=256), seed=2, kind=kind)[0]
    assert np.corrcoef(small.ravel(), other.ravel())[0, 1] < 0.999
    assert np.sqrt(np.mean((other - small) ** 2)) > 0.1 * small.std()


@pytest.mark.parametrize("kind", registry.names())
def test_a_landform_stops_when_it_is_cancelled(kind):
    from fellview.core.errors import Cancelled

    progress = Progress()
    progress.cancel[0] = 1
    domain = Domain(SQUARE, 1)
    with pytest.raises(Cancelled):
        landform.run(landform.Landform1(kind=kind), domain, np.zeros((512, 512), np.float32), progress)


@pytest.mark.parametrize("kind", registry.names())
def test_extreme_parameters_give_finite_heights(kind):
    grid = Grid(rows=9, columns=5, size_x=1e7, size_z=1e-3)
    for values in (
        {"size": 1.0, "height": 1e5},
        {"size": 1000.0, "height": 0.001, "x": -100.0, "z": 200.0, "rotation": 123.0},
    ):
        for size_z in (1e-3, 1e7):
            heights, _ = lay(grid.replace(size_z=size_z), natural=False, kind=kind, irregularity=1.0, **values)
            assert np.isfinite(heights).all()


def test_slots_are_the_same_and_an_outline_goes_with_its_seed():
    one, two = landform.Landform1(kind="islands"), landform.Landform2(kind="islands")
    domain, ground = Domain(SQUARE, 1), np.zeros((512, 512), np.float32)
    first, second = (landform.run(slot, domain, ground, Progress()) for slot in (one, two))
    assert (first != second).any(), "two slots have two outlines"
    moved = landform.run(two.replace(seed=one.seed), domain, ground, Progress())
    np.testing.assert_array_equal(first, moved)
    assert landform.Landform1.declarations().keys() == landform.Landform4.declarations().keys()


def test_recipes_without_landforms_have_none():
    text = recipe.to_text(Scene())
    old = text[: text.index("[landform1]")] + text[text.index("[perturb]") :]
    old = "\n".join(line for line in old.splitlines() if not line.startswith("landform"))
    scene, notices = recipe.from_text(old)
    assert scene == Scene() and not notices
    # a landform that is there tells that it has changed since, an empty slot does not
    text = recipe.to_text(Scene().replace({"landform1.kind": "cone"}))
    start = text.index("[revisions]")
    aged = text[:start] + "\n".join(
        line.split("=")[0] + "= 1" if line.startswith("landform") else line for line in text[start:].splitlines()
    )
    notices = recipe.from_text(aged)[1]
    assert len(notices) == 1 and "landform1 has changed" in notices[0]
    assert not any(step.active(getattr(scene, step.key)) for step in landform.STEPS)
