"""Pictures taken into files: in bands, with nothing behind the land, and with what their pixels show in numbers."""

import itertools

import numpy as np
import OpenEXR
import pytest
from PIL import Image

from fellview.capture import capture, passes, shot
from fellview.capture.shot import Shot
from fellview.core import png
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.colour import from_srgb
from fellview.draw.ground.ground_maps import GroundMapper
from fellview.draw.renderer import Renderer
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.step import Land
from fellview.view import picking, projection

SIZE = (96, 150)  # three bands of 64 rows
MARKS = {"view.legend": True, "view.scale_bar": True, "view.north_arrow": True}
LAYERS = ("depth", "normal", "position", "heights", "materials", "slope")


@pytest.fixture(scope="module")
def scene():
    """Half land, half sky, in normals: the look of the ground does not matter here."""
    changes = {"camera.x": 16.0, "camera.y": 9.0, "camera.z": -4.0, "camera.pitch": -20.0, "view.mode": "normals"}
    return Scene(name="hills").replace(changes)


@pytest.fixture(scope="module")
def field():
    rows, columns = np.mgrid[:64, :64]
    heights = (2 * np.sin(rows / 9 + columns / 15)).astype(np.float32)
    return HeightField(heights, (0.5, 0.5), Masks(Land(heights, {}), (0.5, 0.5), heights))


@pytest.fixture(scope="module")
def draw(field):
    """Return what draws pictures of the field, all with one renderer, and its renderer."""
    with gpu_context.aside() as context:
        renderer = Renderer(context)

        def draw(scene, samples=1, **how):
            return capture.Still(renderer, scene, field, SIZE, samples, **how).drawn()

        draw.renderer, draw.mapper = renderer, GroundMapper(context)
        yield draw


@pytest.fixture(scope="module")
def take(draw, scene, field):
    """Return what takes a shot of the scene into a file."""
    taker = shot.Taker(draw.renderer, draw.mapper)
    return lambda path, how: taker.take(path, scene, field, how)


@pytest.mark.parametrize(("size", "most"), [((96, 150), 1), ((7, 1081), 7 * 128), ((3, 5), 15), ((9, 64), 1)])
def test_bands_cover_the_picture_from_its_top(size, most):
    found = capture.bands(size, most)
    assert [one.bottom for one in found][-1] == 0 and found[0].bottom + found[0].size[1] == size[1]
    assert all(one.bottom == two.bottom + two.size[1] for one, two in itertools.pairwise(found))
    assert all(one.size[0] * one.size[1] <= max(most, 64 * size[0]) and one.whole == size for one in found)


def test_a_picture_of_ordinary_size_is_drawn_at_once():
    assert len(capture.bands((1920, 1080))) == 1
    assert all(one.size[0] * one.size[1] <= capture.BAND_PIXELS for one in capture.bands((16384, 16384)))


@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize("behind", [{}, {"transparent": True}], ids=["sky", "transparent"])
def test_bands_make_the_same_picture_as_the_whole(draw, scene, samples, behind):
    marked = scene.replace(MARKS)
    whole, banded = (draw(marked, samples, **behind, **most) for most in ({}, {"most_pixels": 1}))
    assert np.abs(whole.astype(int) - banded).max() <= 1


def test_a_transparent_picture_has_the_land_alone(draw, scene):
    opaque, alone = draw(scene, 4), draw(scene, 4, transparent=True)
    alpha = alone[..., 3]
    assert (alpha[0] == 0).all() and (alone[0] == 0).all() and (alpha[-1] == 255).all()
    assert set(np.unique(alpha)) - {0, 255}, "edges are covered in part"
    land = alpha == 255
    assert np.abs(alone.astype(int) - opaque)[land].max() <= 1
    over_black = alone[..., :3] * (alpha[..., None] / 255.0)
    edge = (alpha > 0) & ~land
    # with the sky, what an edge's pixel has more than the land's part in it is sky: at most the rest of it
    assert (opaque[..., :3][edge] - over_black[edge] <= 255 - alpha[edge][:, None] + 1).all()


def test_marks_lie_over_what_is_transparent(draw, scene):
    plain, marked = (draw(one, transparent=True) for one in (scene, scene.replace({"view.north_arrow": True})))
    changed = (plain != marked).any(axis=-1)
    assert changed.any() and (marked[..., 3] >= plain[..., 3]).all()


def test_passes_are_what_a_ray_meets(draw, scene, field):
    seen = capture.Still(draw.renderer, scene, field, SIZE, 1)
    seen.drawn()
    (region,) = seen.bands
    places, normals = draw.renderer.surfaces(seen.scene, region)
    found = passes.Passes(draw.mapper, seen.scene, field, LAYERS).rows(places, normals)
    eye, forward = projection.eye(seen.scene.camera), projection.forward(seen.scene.camera)
    met = 0
    for row in range(2, SIZE[1], 9):
        for column in range(1, SIZE[0], 7):
            point = picking.hit(field, *projection.ray(seen.scene.camera, SIZE, (column + 0.5, row + 0.5)))
            if point is None:
                assert found["depth.Z"][row, column] == np.float32(1e10) and found["heights.Y"][row, column] == 0
                continue
            met += 1
            depth = (point - eye) @ forward
            near = pytest.approx(depth, rel=2e-3)  # levels of detail move the land by up to 0.75 pixels
            assert found["depth.Z"][row, column] == near
            at = np.array([found[f"position.{axis}"][row, column] for axis in "XYZ"])
            np.testing.assert_allclose(at, point, atol=2e-3 * depth)
            height = picking.height_at(field, at[0], at[2])
            assert found["heights.Y"][row, column] == pytest.approx(height, abs=0.02)
            normal = np.array([found[f"normal.{axis}"][row, column] for axis in "XYZ"])
            slope = np.degrees(np.arccos(np.clip(normal[1], -1, 1)))
            assert found["slope.Y"][row, column] == pytest.approx(slope, abs=2.0)
            weights = [values[row, column] for name, values in found.items() if name.startswith("materials_")]
            assert sum(weights) == pytest.approx(1)
    assert met > 50


def test_heights_are_true_however_high_they_are_drawn(draw, scene, field):
    tall = scene.replace({"view.exaggeration": 2.0})
    still = capture.Still(draw.renderer, tall, field, SIZE, 1)
    still.drawn()
    found = passes.Passes(draw.mapper, still.scene, field, ("heights", "position")).rows(
        *draw.renderer.surfaces(still.scene, still.bands[0])
    )
    np.testing.assert_allclose(2 * found["heights.Y"], found["position.Y"])
    assert abs(found["heights.Y"]).max() <= abs(field.heights).max() + 1e-3


def test_one_openexr_has_all_layers(tmp_path, take):
    path = tmp_path / "land.exr"
    assert take(path, Shot(SIZE, 1, True, ("depth", "normal"))) == (path,)
    found = OpenEXR.File(str(path), separate_channels=True).channels()
    names = ["A", "B", "G", "R", "depth.Z", "normal.X", "normal.Y", "normal.Z"]
    assert sorted(found) == names
    assert all(found[name].pixels.shape == SIZE[::-1] for name in names)
    sky = found["depth.Z"].pixels == np.float32(1e10)
    assert (found["A"].pixels[sky] == 0).all() and (found["A"].pixels[~sky] == 1).all()


def test_passes_stand_beside_a_picture_that_has_no_layers(tmp_path, take, scene):
    written = take(tmp_path / "land.png", Shot(SIZE, 1, False, ("depth", "slope")))
    assert [one.name for one in written] == ["land.png", "land.depth.exr", "land.slope.exr"]
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(one.name for one in written)
    assert scenes.load(tmp_path / "land.png") == scene
    assert list(OpenEXR.File(str(written[2]), separate_channels=True).channels()) == ["slope.Y"]


@pytest.mark.parametrize("suffix", [".jpg", ".webp", ".exr"])
def test_other_formats_have_the_same_picture(tmp_path, draw, take, scene, suffix):
    expected = draw(scene)[..., :3]
    path = tmp_path / f"land{suffix}"
    take(path, Shot(SIZE, 1))
    if suffix == ".exr":
        found = OpenEXR.File(str(path), separate_channels=True).channels()
        light = np.stack([found[name].pixels for name in "RGB"], axis=-1)
        np.testing.assert_allclose(light, from_srgb(expected / 255), atol=1e-3)
        return
    with Image.open(path) as image:
        assert np.abs(np.asarray(image).astype(int) - expected).mean() < 3


def test_a_picture_tells_how_it_was_taken(tmp_path, take, scene):
    path = tmp_path / "land.png"
    take(path, Shot(SIZE, 2, True))
    assert shot.taken(path) == Shot(SIZE, 2, True)
    capture.save(path, scene, np.zeros((3, 5, 4), np.uint8))
    assert shot.taken(path) == Shot((5, 3)), "one that does not tell"


def test_a_full_disk_leaves_no_half_file(tmp_path, monkeypatch, take):
    def full(self, pixels):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(png.RowWriter, "write", full)
    with pytest.raises(InputError, match=r"land\.png: cannot be written: No space left on device"):
        take(tmp_path / "land.png", Shot(SIZE, 1, False, ("depth",)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "how", "message"),
    [
        ("land.bmp", Shot(), r"land\.bmp: \.bmp: expected \.png"),
        ("land.webp", Shot((16384, 9)), r"--size 16384x9: \.webp has at most 16,383 pixels a side"),
        ("land.jpg", Shot(transparent=True), r"land\.jpg: \.jpg is never transparent"),
        ("folder.png", Shot(), r"folder\.png: cannot be written: is a folder"),
        ("land.png", Shot(passes=("depth",)), r"land\.depth\.exr: cannot be written: is a folder"),
    ],
)
def test_what_cannot_be_written_is_told_before_anything_is_drawn(tmp_path, name, how, message):
    for folder in ("folder.png", "land.depth.exr"):
        (tmp_path / folder).mkdir()
    with pytest.raises(InputError, match=message):
        shot.require_files(tmp_path / name, how)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (Shot((16385, 1)), "--size 16385x1: expected 1x1 to 16384x16384"),
        (Shot(samples=257), "--samples 257: expected 1 to 256"),
        (Shot(passes=("depth", "deep")), "--passes deep: expected some of depth, normal"),
    ],
)
def test_a_shot_that_cannot_be_taken_is_refused(how, message):
    with pytest.raises(InputError, match=message):
        how.require()


def test_a_mask_that_the_land_has_not_is_refused(draw, scene, field):
    with pytest.raises(InputError, match="--passes sediment: expected some of depth"):
        passes.Passes(draw.mapper, scene, field, ("sediment",))
