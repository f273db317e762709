import numpy as np
import pytest

from fellview import library
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Bodies
from fellview.terrain.pipeline import masks
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.step import Land

SMALL = {"grid.rows": 40, "grid.columns": 60, "grid.size_x": 3000.0, "grid.size_z": 1000.0, "noise.octaves": 6}


def made(**changes):
    scene = Scene().replace(SMALL | {key.replace("__", "."): value for key, value in changes.items()})
    return Pipeline(CpuEngine()).run(scene.terrain_groups()).field


def test_every_mask_has_the_shape_of_the_heights_and_is_read_only():
    field = made(erosion__kind="fluvial")
    plain = {"slope", "curvature", "drainage_area", "erosion_depth", "deposition_depth"}
    assert set(field.masks) == plain | set(Bodies.NAMES)
    for mask in field.masks.values():
        assert mask.shape == field.heights.shape and mask.dtype == np.float32 and np.isfinite(mask).all()
        assert not mask.flags.writeable


def test_a_mask_is_made_when_asked_for_and_once():
    """Of the heights as they are then."""
    heights = np.zeros((8, 8), np.float32)
    found = masks.Masks(Land(heights, {}), (1.0, 1.0), heights)
    heights[:] = np.arange(8)
    assert found["slope"] == pytest.approx(45)
    heights[:] = 0
    assert found["slope"] is found["slope"] and found["slope"] == pytest.approx(45)


def test_a_ramp_has_its_slope_and_no_curvature():
    z, x = np.mgrid[:9, :7].astype(np.float32)
    ramp = 3 * 2.0 * z + 4 * 5.0 * x  # 3 and 4 metres a metre over cells of 2 by 5 m
    assert masks.slope(ramp.astype(np.float32), (2.0, 5.0)) == pytest.approx(np.degrees(np.arctan(5)), rel=1e-6)
    assert abs(masks.curvature(ramp.astype(np.float32), (2.0, 5.0))[1:-1, 1:-1]).max() < 1e-5


def test_a_bowl_curves_down_and_a_dome_up():
    z, x = np.mgrid[-4:5, -4:5].astype(np.float32)
    dome = -(z * z + x * x)
    assert masks.curvature(dome, (1.0, 1.0))[4, 4] == pytest.approx(4)
    assert masks.curvature(-dome, (1.0, 1.0))[4, 4] == pytest.approx(-4)


def test_water_runs_down_a_ramp_row_by_row():
    z, _ = np.mgrid[:6, :4].astype(np.float32)
    area = masks.drainage_area(z, (2.0, 5.0))
    # cells on the edge keep what reaches them; the two columns between run up to the first row
    np.testing.assert_array_equal(area[:, 1], 10 * np.array([5, 4, 3, 2, 1, 1], np.float32))


def test_a_hollow_spills_and_all_rain_leaves_over_the_edge():
    field = made(erosion__kind="none", noise__frequency=9.0)
    area = masks.drainage_area(field.heights, field.cell_size)
    edge = np.ones(area.shape, bool)
    edge[1:-1, 1:-1] = False
    assert area[edge].sum() == pytest.approx(3000 * 1000, rel=1e-5)


@pytest.mark.parametrize("kind", ["none", "demo", "thermal", "fluvial", "hydraulic"])
def test_erosion_and_deposition_are_what_changed(kind):
    steep = {"noise__amplitude": 500.0, "smooth__iterations": 0}
    field = made(erosion__kind=kind, **steep)
    base = made(erosion__kind="none", **steep).heights
    lowered, raised = field.masks["erosion_depth"], field.masks["deposition_depth"]
    np.testing.assert_allclose(raised - lowered, field.heights - base, atol=1e-4)
    assert (np.minimum(raised, lowered) == 0).all()
    assert (raised.max() > 0.1) == (kind != "none")


def test_the_library_hands_masks_over():
    assert library.generate(Scene().replace(SMALL)).masks["slope"].max() > 0
