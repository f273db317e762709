"""Pictures for a file: drawn without a window, the recipe inside."""

from datetime import datetime

import numpy as np
import pytest

from fellview.capture import capture
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.renderer import Renderer
from fellview.gpu import context as gpu_context
from fellview.io import pictures, scenes
from fellview.scene.scene import Scene

SIZE = (48, 27)


@pytest.fixture(scope="module")
def scene():
    """Half land, half sky, in normals: the look of the ground does not matter here."""
    changes = {"camera.x": 16.0, "camera.y": 6.0, "camera.z": -4.0, "camera.pitch": 0.0, "view.mode": "normals"}
    return Scene(name="Föhn über 3 Hügeln").replace(changes)


@pytest.fixture(scope="module")
def field():
    rows, columns = np.mgrid[:32, :32]
    return HeightField(np.sin(rows / 3 + columns / 5).astype(np.float32), (1.0, 1.0))


@pytest.fixture(scope="module")
def pixels(scene, field):
    return capture.picture(scene, field, SIZE, samples=1)


def test_a_picture_has_its_size_and_is_opaque(pixels):
    assert pixels.shape == (27, 48, 4) and pixels.dtype == np.uint8
    assert (pixels[..., 3] == 255).all()


def test_the_sky_is_above_and_the_land_below(pixels):
    top, bottom = pixels[0, :, :3].astype(int), pixels[-1, :, :3].astype(int)
    assert np.ptp(top, axis=0).max() <= 8, "the sky is one band"
    assert (bottom[:, 1] > 150).all(), "ground faces up: the normals' y is green"
    assert np.abs(top.mean(axis=0) - bottom.mean(axis=0)).max() > 40


def test_the_same_scene_gives_the_same_picture(scene, field, pixels):
    np.testing.assert_array_equal(capture.picture(scene, field, SIZE, samples=1), pixels)


def test_more_samples_change_edges_and_not_the_picture(scene, field, pixels):
    smooth = capture.picture(scene, field, SIZE, samples=4)
    apart = np.abs(smooth.astype(int) - pixels)
    assert apart.max() > 0 and apart.mean() < 3


def test_a_renderer_draws_what_it_is_given_last(scene, field, pixels):
    context = gpu_context.standalone()
    try:
        renderer = Renderer(context)
        hill = HeightField(field.heights + np.float32(5), field.cell_size)
        higher = capture.still(renderer, scene, hill, SIZE, 1)
        assert renderer.field is hill
        again = capture.still(renderer, scene, field, SIZE, 1)
        turned = capture.still(renderer, scene.replace({"camera.yaw": 180.0}), field, SIZE, 1)
    finally:
        context.release()
    np.testing.assert_array_equal(again, pixels)
    assert (higher != pixels).any()
    assert np.ptp(turned[-1].astype(int), axis=0).max() <= 8, "there is no land behind us"


def test_a_saved_picture_opens_as_its_scene(tmp_path, scene, pixels):
    path = tmp_path / "land.png"
    capture.save(path, scene, pixels)
    assert scenes.load(path) == scene
    assert "[camera]" in pictures.read_recipe(path)


@pytest.mark.parametrize("size", [(0, 9), (9, 0), (-1, 9), (16385, 9), (9, 16385)])
def test_a_size_that_cannot_be_drawn_is_refused_with_the_accepted_ones(scene, field, size):
    with pytest.raises(InputError, match=f"--size {size[0]}x{size[1]}: expected 1x1 to 16384x16384"):
        capture.picture(scene, field, size)


def test_the_smallest_picture_is_one_pixel(scene, field):
    assert capture.picture(scene, field, (1, 1), 1).shape == (1, 1, 4)


SECOND = datetime(2024, 2, 29, 23, 59, 58)


def test_stamped_names_tell_scene_and_time_and_never_collide(tmp_path, scene):
    made = []
    for _ in range(12):
        path = capture.stamped_path(tmp_path, scene, ".png", SECOND)
        assert not path.exists() and path.parent == tmp_path
        path.touch()
        made.append(path.name)
    assert made[:2] == ["föhn-über-3-hügeln-20240229-235958.png", "föhn-über-3-hügeln-20240229-235958-2.png"]
    assert len(set(made)) == 12


@pytest.mark.parametrize("name", ["", "///", "../../etc/passwd", "a" * 5000, "山" * 5000, "con:|?*", "nul\0"])
def test_any_scene_name_gives_a_file_name_that_can_be_written(tmp_path, pixels, name):
    scene = Scene(name=name)
    path = capture.stamped_path(tmp_path, scene, ".png")
    assert path.parent == tmp_path and path.suffix == ".png" and not set(path.stem) & set('/\\:|?*"<>\0')
    capture.save(path, scene, pixels)
    assert scenes.load(path) == scene
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_folder_full_of_this_second_is_told(tmp_path, scene):
    first = capture.stamped_path(tmp_path, scene, ".png", SECOND)
    for name in (first.name, *(f"{first.stem}-{number}.png" for number in range(2, 1000))):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match="a thousand pictures"):
        capture.stamped_path(tmp_path, scene, ".png", SECOND)
