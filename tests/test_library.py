"""The public names, as a notebook uses them; and that a picture is not mirrored."""

import subprocess
import sys

import numpy as np
import pytest

import fellview
from fellview.capture import capture
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.gpu import choice
from tests import golden_data

SIZE = (320, 240)
CLEAR_COLOUR = (45, 50, 170)  # the DirectX demo's
SIDE, CELL_M = 256, 200 / 256  # the demo's land at half its resolution
EYE = np.array([100.0, 7.5, 100.0])  # the demo's camera, in the middle of the land
PIXELS_A_SLOPE = SIZE[1] / 2 / np.tan(np.radians(45 / 2))  # a vertical field of view of 45°


def small(preset, **changes):
    values = {key.replace("__", "."): value for key, value in changes.items()}
    return fellview.load(preset).replace({"grid.rows": 24, "grid.columns": 32} | values)


def land(*towers):
    """Return flat ground with square towers (x, z, height, half width), all in metres."""
    z, x = np.mgrid[:SIDE, :SIDE] * CELL_M
    heights = np.zeros((SIDE, SIDE), np.float32)
    for at_x, at_z, height, half in towers:
        heights[(np.abs(x - at_x) <= half) & (np.abs(z - at_z) <= half)] = height
    return HeightField(heights, (CELL_M, CELL_M))


def demo_picture(field, **camera):
    scene = fellview.load("directx-demo").replace({f"camera.{name}": value for name, value in camera.items()})
    return capture.picture(scene, field, SIZE, samples=1)[..., :3].astype(int)


def against_the_sky(picture):
    """Tell of each pixel above the horizon whether a tower covers it, bool [row, column]."""
    upper = picture[: SIZE[1] // 2]
    return np.abs(upper - CLEAR_COLOUR).max(axis=-1) > 2


def halves(covered):
    middle = SIZE[0] // 2
    return covered[:, :middle], covered[:, middle:]


def test_the_names_are_there():
    assert set(fellview.__all__) >= {"load", "generate", "build_mesh", "render", "presets"}
    assert all(callable(getattr(fellview, name)) for name in fellview.__all__ if name not in ("noise", "variants"))
    assert "classic" in fellview.noise.kinds()
    assert {"directx-demo", "highlands"} <= set(fellview.presets())
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = fellview.no_such_name


@pytest.mark.parametrize("statement", ["import fellview", "import fellview.cli; fellview.cli.parser().format_help()"])
def test_importing_it_and_asking_for_help_cost_next_to_nothing(statement):
    heavy = ["numpy", "numba", "moderngl", "imgui_bundle", "PIL", "pyrr", "platformdirs"]
    program = f"import sys; {statement}; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_generating_on_the_cpu_needs_no_opengl_and_no_window():
    program = (
        "import sys, fellview;"
        "fellview.generate(fellview.load('directx-demo').replace({'grid.rows': 4}), engine='cpu');"
        "print([name for name in ('moderngl', 'glfw', 'imgui_bundle') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_scene_is_changed_by_replacing():
    scene = fellview.load("directx-demo")
    other = scene.replace({"noise.frequency": 8.0})
    assert other.get("noise.frequency") == 8.0 and scene.get("noise.frequency") == 15.0
    with pytest.raises(InputError, match=r"noise\.frequency"):
        scene.replace({"noise.frequency": float("nan")})


def test_the_demo_gives_the_demos_heights():
    golden = golden_data.load("terrain_directx_demo_512")
    field = fellview.generate(fellview.load("directx-demo"), engine="cpu")
    assert field.heights.dtype == np.float32 and field.heights.shape == (512, 512)
    assert (np.abs(field.heights - golden["height"]) <= 1e-3).mean() >= 0.999
    assert field.cell_size == (200 / 512, 200 / 512)
    assert all(mask.shape == field.heights.shape for mask in field.masks.values())


def test_cells_have_their_sizes_along_z_and_x():
    field = fellview.generate(small("directx-demo", grid__size_x=64.0, grid__size_z=12.0))
    assert field.heights.shape == (24, 32) and field.cell_size == (0.5, 2.0)
    assert field.size == (12.0, 64.0)
    assert not field.heights.flags.writeable


def test_progress_is_told_by_step():
    told = []
    fellview.generate(small("directx-demo"), report=lambda step, fraction: told.append((step, fraction)))
    assert {step for step, _ in told} >= {"noise", "perturb", "erosion", "smooth"}
    assert all(0 <= fraction <= 1 for _, fraction in told)


@pytest.mark.parametrize("engine", ["gpu?", "", "CPU"])
def test_an_unknown_engine_is_refused_with_the_known_ones(engine):
    with pytest.raises(InputError) as refusal:
        fellview.generate(small("directx-demo"), engine=engine)
    assert str(refusal.value).startswith(f"engine = {engine!r}: expected one of auto, cpu, gpu")


def test_a_mesh_has_the_corners_of_all_triangles():
    field = fellview.generate(small("directx-demo"))
    mesh = fellview.build_mesh(field)
    assert mesh.vertices.dtype == np.float32 and mesh.vertices.shape == (23 * 31 * 2 * 3, 8)
    assert set(mesh.vertices[:, 1]) == set(field.heights.ravel())


@pytest.mark.usefixtures("half_as_fine", "coarse_light")
def test_a_preset_renders_land_and_more_than_one_colour():
    """Of every preset the approved pictures tell, which are drawn by the same renderer."""
    picture = fellview.render(small("archipelago", grid__rows=64, grid__columns=64), size=(64, 36))
    assert picture.shape == (36, 64, 4) and picture.dtype == np.uint8 and (picture[..., 3] == 255).all()
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 64


def test_the_demo_has_its_clear_colour_above_and_grass_below():
    picture = demo_picture(land())
    assert not against_the_sky(picture).any()
    red, green, blue = picture[-1].mean(axis=0)
    assert blue < 5 < min(red, green), "the material, (1, 1, 0), takes all blue out of the texture"


def test_a_tower_at_larger_x_stands_to_the_right():
    tall, low = (112.0, 150.0, 18.0, 2.0), (92.0, 150.0, 11.0, 2.0)
    left, right = halves(against_the_sky(demo_picture(land(tall, low))))
    assert left.any() and right.any()
    assert right.sum() > 1.5 * left.sum(), "the tall tower stands at the larger x"
    assert np.flatnonzero(right.any(axis=1))[0] < np.flatnonzero(left.any(axis=1))[0]


@pytest.mark.parametrize(("x", "z"), [(112.0, 150.0), (90.0, 140.0), (120.0, 180.0)])
def test_a_tower_stands_where_the_demos_lens_puts_it(x, z):
    height, half = 15.0, 1.5
    covered = against_the_sky(demo_picture(land((x, z, height, half))))
    rows, columns = np.nonzero(covered)
    front = z - half - EYE[2]  # metres ahead of the eye, to the face that we see
    expected_column = SIZE[0] / 2 + PIXELS_A_SLOPE * (x - EYE[0]) / front
    expected_top = SIZE[1] / 2 - PIXELS_A_SLOPE * (height - EYE[1]) / front
    cell = PIXELS_A_SLOPE * CELL_M / front
    assert abs(np.median(columns) - expected_column) < 2 * cell
    assert abs(rows.min() - expected_top) < 1 + cell


def test_a_tower_at_larger_z_is_farther_away():
    near, far = (94.0, 135.0, 15.0, 1.5), (115.0, 185.0, 15.0, 1.5)
    left, right = halves(against_the_sky(demo_picture(land(near, far))))
    assert right.any() and left.sum() > 3 * right.sum(), "35 m against 85 m: areas are as 5.9 to 1"
    behind_us = against_the_sky(demo_picture(land((100.0, 60.0, 15.0, 1.5))))
    assert not behind_us.any()


@pytest.mark.parametrize(("yaw", "x", "z"), [(90.0, 150.0, 112.0), (180.0, 112.0, 50.0), (270.0, 50.0, 88.0)])
def test_turning_to_the_right_looks_along_plus_x(yaw, x, z):
    """Looking along +x, +z is to the left; along -z, +x is to the left; along -x, -z is to the left."""
    left, right = halves(against_the_sky(demo_picture(land((x, z, 18.0, 2.0)), yaw=yaw)))
    assert left.any() and not right.any()


def test_the_demos_light_comes_from_minus_x():
    z, x = np.mgrid[:SIDE, :SIDE] * CELL_M
    ridge = np.maximum(14 - np.abs(x - 100), 0) * (np.abs(z - 140) < 15)
    picture = demo_picture(HeightField(ridge.astype(np.float32), (CELL_M, CELL_M)))
    covered = against_the_sky(picture)
    brightness = np.where(covered, picture[: SIZE[1] // 2].sum(axis=-1), 0)
    left, right = halves(covered)
    assert abs(int(left.sum()) - int(right.sum())) < 0.1 * covered.sum(), "the ridge is symmetrical"
    lit, shaded = (half.sum() for half in halves(brightness))
    assert lit > 1.2 * shaded


def test_a_callers_own_opengl_stays_current(context):
    """What a notebook has on the GPU is still its own after a picture, and after the search for an engine."""
    kept = context.texture((2, 2), 1, np.arange(4, dtype=np.float32).tobytes(), dtype="f4")
    choice.here.cache_clear()
    fellview.generate(small("directx-demo"), engine="auto")
    fellview.render(small("directx-demo"), size=(16, 9))
    made = context.texture((2, 2), 1, np.arange(4, 8, dtype=np.float32).tobytes(), dtype="f4")
    assert np.frombuffer(kept.read(), np.float32).tolist() == [0, 1, 2, 3]
    assert np.frombuffer(made.read(), np.float32).tolist() == [4, 5, 6, 7]
