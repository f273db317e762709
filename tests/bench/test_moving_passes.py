"""The costs of moving frames by pass: both motions of a scene, every pass of theirs, shares of a whole."""

import pytest

from fellview.bench import bench, moving_passes
from fellview.core.errors import InputError

SMALL = moving_passes.Plan(size=(96, 64), scale=0.5, side=64, coarse_side=32, frames=2, warm_frames=1)


@pytest.fixture(scope="module")
def measured(half_as_fine):
    return moving_passes.measure(["highlands"], SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("motion", ["orbit", "slider"])
def test_shares_are_of_the_passes_together(measured, motion):
    rows = {name.split(", ")[2]: (seconds, figures) for name, seconds, figures in measured if f", {motion}, " in name}
    assert "whole frame" in rows and "share" not in rows["whole frame"][1]
    shares = [figures["share"] for _, figures in rows.values() if "share" in figures]
    assert len(shares) == len(rows) - 1 and sum(shares) == pytest.approx(1.0, abs=0.001 * len(shares))
    assert shares == sorted(shares, reverse=True)
    assert all(len(seconds) == SMALL.frames for seconds, _ in rows.values()), "a pass that only some frames have"


@pytest.mark.slow
def test_only_new_heights_have_passes_that_follow_from_heights(measured):
    of_heights = {name.split(", ")[1] for name, _, _ in measured if name.endswith((", heights", ", occlusion"))}
    assert of_heights == {"slider"}


def test_an_unknown_scene_is_named():
    with pytest.raises(InputError, match=r"bench passes: scene .*nowhere"):
        bench.run("passes", as_json=False, chosen_scenes=["nowhere"])
