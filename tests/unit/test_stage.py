"""The slab, heights drawn higher than they are, and pictures that are the mean of many frames."""

import dataclasses

import numpy as np
import pytest
from PIL import Image, ImageDraw

from fellview import capture
from fellview.core.height_field import HeightField
from fellview.draw import accumulate
from fellview.draw.lighting import slab_base
from fellview.draw.renderer import Renderer
from fellview.gpu import context as gpu_context
from fellview.io import heights, scenes
from fellview.library import generate
from fellview.mesh.triangle_list import positions
from fellview.scene.scene import Scene
from fellview.view import framing
from fellview.view.exaggeration import badge, exaggerated

SIZE = (320, 180)
LOUD = (255, 0, 255)


@pytest.fixture(scope="module")
def renderer():
    one = gpu_context.standalone()
    yield Renderer(one)
    one.release()


@pytest.fixture(scope="module")
def opening():
    return scenes.load(scenes.OPENING_PRESET)


@pytest.fixture(scope="module")
def land(opening):
    return generate(opening, "cpu")


def seen(scene, field, yaw, pitch):
    """Return `scene` with all of it in view."""
    drawn = exaggerated(field, scene.view.exaggeration)
    camera = scene.camera.replace(yaw=yaw, pitch=pitch)
    return dataclasses.replace(scene, camera=framing.frame(camera, drawn, SIZE[0] / SIZE[1], slab_base(scene, field)))


def drawn_at(renderer, scene, field, full=False):
    """Return where anything but the background is drawn, bool [row, column]: sky and studio are left out."""
    plain = scene.replace({"sky.kind": "gradient", "air.tone": "none", "sun.ambient": 1.0})
    renderer.show(field)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer._sky, "draw", lambda *_: None)
        picture = renderer.draw(plain, SIZE, 1, full)
        alpha = np.frombuffer(picture._resolved.read(components=4), np.uint8).reshape(SIZE[1], SIZE[0], 4)[::-1, :, 3]
    return alpha > 0


@pytest.mark.parametrize("exaggeration", [1.0, 4.0])
@pytest.mark.parametrize(("yaw", "pitch"), [(0, -5), (30, -20), (135, -60), (200, -35), (290, -12), (45, -89)])
def test_slab_is_watertight_against_a_loud_background(renderer, opening, land, yaw, pitch, exaggeration):
    scene = opening.replace({"view.stage": "slab", "view.exaggeration": exaggeration})
    scene = seen(scene, land, float(yaw), float(pitch))
    solid = drawn_at(renderer, scene, land)
    assert solid.mean() > 0.1
    # a land without overhangs has no holes in its outline, so the loud background is reached from outside or not at all
    picture = Image.fromarray(np.where(solid[..., None], np.uint8([0, 0, 0]), np.uint8(LOUD)))
    framed = Image.new("RGB", (SIZE[0] + 2, SIZE[1] + 2), LOUD)
    framed.paste(picture, (1, 1))
    ImageDraw.floodfill(framed, (0, 0), (0, 255, 0))
    assert LOUD not in {colour for _, colour in framed.getcolors()}


def test_slab_reaches_its_base_and_no_further(renderer, land):
    """A level view from far away: the slab's lower edge lies where its base is, to a pixel."""
    flat = HeightField(np.full((65, 65), 100.0, np.float32), (4.0, 4.0))
    scene = Scene().replace({"view.stage": "slab", "view.thickness": 20.0, "camera.field_of_view": 40.0})
    base = slab_base(scene, flat)
    assert base == pytest.approx(100 - 0.20 * 260)
    camera = scene.camera.replace(mode="orbit", x=128.0, y=100.0, z=-1000.0, yaw=0.0, pitch=0.0)
    solid = drawn_at(renderer, dataclasses.replace(scene, camera=camera), flat)
    pixels_a_metre = SIZE[1] / 2 / np.tan(np.radians(20)) / 1000
    assert solid.any(axis=1).sum() == pytest.approx((100 - base) * pixels_a_metre, abs=1)
    assert solid.any(axis=0).sum() == pytest.approx(256 * pixels_a_metre, abs=1)


def test_land_drawn_twice_as_high_has_the_outline_of_land_twice_as_high(renderer, opening, land):
    scene = seen(opening.replace({"view.exaggeration": 2.0}), land, 30.0, -15.0)
    doubled = HeightField(2 * land.heights, land.cell_size)
    one = drawn_at(renderer, scene, land, full=True)
    other = drawn_at(renderer, scene.replace({"view.exaggeration": 1.0}), doubled, full=True)
    assert one.mean() > 0.1
    assert np.array_equal(one, other)


def test_exaggerated_field_is_the_field_times_as_high(land):
    high = exaggerated(land, 3.0)
    assert np.array_equal(high.heights, 3 * land.heights)
    assert high.height_range == (3 * land.height_range[0], 3 * land.height_range[1])
    assert np.array_equal(high.block_tops, 3 * land.block_tops)
    assert (high.rows, high.columns, high.size) == (land.rows, land.columns, land.size)
    assert exaggerated(land, 3.0) is high
    assert exaggerated(land, 1.0) is land


def test_exaggeration_never_reaches_exported_heights_and_meshes(opening, tmp_path):
    written = []
    for number, exaggeration in enumerate((1.0, 4.0)):
        scene = opening.replace({"view.exaggeration": exaggeration, "grid.rows": 33, "grid.columns": 33})
        field = generate(scene, "cpu")
        path = tmp_path / f"{number}.npy"
        heights.export(path, field, "")
        written.append((path.read_bytes(), positions(field)))
    assert written[0][0] == written[1][0]
    assert all(np.array_equal(*parts) for parts in zip(written[0][1:], written[1][1:], strict=True))


def test_window_says_so_where_heights_are_not_drawn_as_they_are():
    assert badge(1.0) == ()
    assert badge(2.0) == ("heights ×2",)
    assert badge(0.25) == ("heights ×0.25",)


# -- accumulation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("samples", range(1, 65))
def test_plan_makes_just_so_many_samples_and_moves_nothing_on_the_mean(samples):
    frames, multisamples = accumulate.plan(samples)
    assert frames * multisamples == samples
    places = accumulate.offsets(frames, multisamples)
    assert places.shape == (frames, 2)
    assert np.abs(places.mean(axis=0)).max() < 1e-12
    assert np.abs(places).max() < 1
    assert len({tuple(place) for place in places.round(6)}) == frames


def rms(one, other):
    """Return the root of the mean square of the difference, which edges decide and not the noise of rounding."""
    return np.sqrt(np.mean((one.astype(float) - other) ** 2))


@pytest.mark.parametrize("tone", ["filmic", "none"])
def test_frames_that_add_up_come_nearer_to_the_reference(renderer, opening, land, tone):
    scene = opening.replace({"air.tone": tone} if tone == "filmic" else {"air.tone": tone, "sky.kind": "gradient"})
    pictures = {samples: capture.still(renderer, scene, land, SIZE, samples) for samples in (1, 4, 16, 64)}
    apart = {samples: rms(pictures[samples], pictures[64]) for samples in (1, 4, 16)}
    assert apart[4] < 0.7 * apart[1]
    assert apart[16] < 0.7 * apart[4]


def test_many_frames_of_one_sample_come_nearer_to_the_reference_too(renderer, opening, land):
    reference = capture.still(renderer, opening, land, SIZE, 64)
    assert accumulate.plan(15) == (15, 1)
    one, many = (rms(capture.still(renderer, opening, land, SIZE, count), reference) for count in (1, 15))
    assert many < 0.5 * one


def test_refining_leaves_no_trace_of_what_was_there_before(renderer, opening, land):
    fresh = capture.still(renderer, opening, land, SIZE, 16)
    other = seen(opening, land, 120.0, -40.0)
    renderer.refine(other, SIZE, 16, 0)
    renderer.refine(other, SIZE, 16, 1)  # cut off by a change
    assert np.array_equal(capture.still(renderer, opening, land, SIZE, 16), fresh)


def test_refining_frame_by_frame_ends_at_the_picture_of_as_many_samples(renderer, opening, land):
    whole = capture.still(renderer, opening, land, SIZE, 16)
    renderer.draw(opening, SIZE, 1)
    frames, _ = accumulate.plan(16)
    for number in range(frames):
        last = renderer.refine(opening, SIZE, 16, number)
    assert np.array_equal(last.pixels(), whole)
