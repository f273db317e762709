"""The slab, heights drawn higher than they are, and pictures that are the mean of many frames."""

import dataclasses

import numpy as np
import pytest
from PIL import Image, ImageDraw

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw import accumulate
from fellview.draw.light.lighting import slab_base
from fellview.draw.overlay.marks import marks
from fellview.draw.registry import IN_THE_FRAME
from fellview.draw.renderer import Renderer
from fellview.draw.sky.sky import SkyPass
from fellview.draw.stage.figure import FigurePass, person, pole
from fellview.io import heights, scenes
from fellview.library import generate
from fellview.mesh.triangle_list import positions
from fellview.scene.scene import Scene
from fellview.view import framing, projection
from fellview.view.exaggeration import badge, exaggerated
from fellview.view.picking import height_at
from fellview.view.scale import Spot, measured, scale_bar, spot_at, spot_under
from tests.lands import RUGGED

SIZE = (320, 180)
SMALL = (192, 108)  # where many frames are drawn
LOUD = (255, 0, 255)


@pytest.fixture(scope="module")
def opening():
    return scenes.load(RUGGED)


@pytest.fixture(scope="module")
def land(opening):
    return generate(opening, "cpu")


def seen(scene, field, yaw, pitch):
    """Return `scene` with all of it in view."""
    drawn = exaggerated(field, scene.view.exaggeration)
    camera = scene.camera.replace(yaw=yaw, pitch=pitch)
    return dataclasses.replace(scene, camera=framing.fitted(camera, drawn, SIZE[0] / SIZE[1], slab_base(scene, field)))


def all_but(kind):
    """Return the passes of a frame but one."""
    return tuple(one for one in IN_THE_FRAME if one is not kind)


@pytest.fixture(scope="module")
def without_sky(context):
    """What leaves sky and studio out."""
    return Renderer(context, all_but(SkyPass))


@pytest.fixture(scope="module")
def without_figure(context):
    """What draws the shadow of a person alone."""
    return Renderer(context, all_but(FigurePass))


@pytest.fixture(scope="module")
def of_samples(context):
    """Renderers by the samples of a frame."""
    sides = accumulate.SOFTWARE_MULTISAMPLES, accumulate.HARDWARE_MULTISAMPLES
    return {samples: Renderer(context, multisamples=samples) for samples in sides}


def drawn_at(renderer, scene, field, full=False):
    """Return where anything is drawn by a `renderer` without sky, bool [row, column]."""
    plain = scene.replace({"sky.kind": "gradient", "air.tone": "none", "sun.ambient": 1.0})
    renderer.show(field)
    picture = renderer.draw(plain, SIZE, 1, full).picture
    return np.frombuffer(picture.read(components=4), np.uint8).reshape(SIZE[1], SIZE[0], 4)[::-1, :, 3] > 0


@pytest.mark.parametrize("exaggeration", [1.0, 4.0])
@pytest.mark.parametrize(("yaw", "pitch"), [(0, -5), (30, -20), (135, -60), (200, -35), (290, -12), (45, -89)])
def test_slab_is_watertight_against_a_loud_background(without_sky, opening, land, yaw, pitch, exaggeration):
    scene = opening.replace({"view.stage": "slab", "view.exaggeration": exaggeration})
    scene = seen(scene, land, float(yaw), float(pitch))
    solid = drawn_at(without_sky, scene, land)
    assert solid.mean() > 0.1
    # a land without overhangs has no holes in its outline, so the loud background is reached from outside or not at all
    picture = Image.fromarray(np.where(solid[..., None], np.uint8([0, 0, 0]), np.uint8(LOUD)))
    framed = Image.new("RGB", (SIZE[0] + 2, SIZE[1] + 2), LOUD)
    framed.paste(picture, (1, 1))
    ImageDraw.floodfill(framed, (0, 0), (0, 255, 0))
    assert LOUD not in {colour for _, colour in framed.getcolors()}


def test_slab_reaches_its_base_and_no_further(without_sky, land):
    """A level view from far away: the slab's lower edge lies where its base is, to a pixel."""
    flat = HeightField(np.full((65, 65), 100.0, np.float32), (4.0, 4.0))
    scene = Scene().replace({"view.stage": "slab", "view.thickness": 20.0, "camera.field_of_view": 40.0})
    base = slab_base(scene, flat)
    assert base == pytest.approx(100 - 0.20 * 260)
    camera = scene.camera.replace(mode="orbit", x=128.0, y=100.0, z=-1000.0, yaw=0.0, pitch=0.0)
    solid = drawn_at(without_sky, dataclasses.replace(scene, camera=camera), flat)
    pixels_a_metre = SIZE[1] / 2 / np.tan(np.radians(20)) / 1000
    assert solid.any(axis=1).sum() == pytest.approx((100 - base) * pixels_a_metre, abs=1)
    assert solid.any(axis=0).sum() == pytest.approx(256 * pixels_a_metre, abs=1)


def test_land_drawn_twice_as_high_has_the_outline_of_land_twice_as_high(without_sky, opening, land):
    scene = seen(opening.replace({"view.exaggeration": 2.0}), land, 30.0, -15.0)
    doubled = HeightField(2 * land.heights, land.cell_size)
    one = drawn_at(without_sky, scene, land, full=True)
    other = drawn_at(without_sky, scene.replace({"view.exaggeration": 1.0}), doubled, full=True)
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


@pytest.mark.parametrize("most", [accumulate.SOFTWARE_MULTISAMPLES, accumulate.HARDWARE_MULTISAMPLES])
@pytest.mark.parametrize("samples", range(1, 65))
def test_plan_makes_just_so_many_samples_and_moves_nothing_on_the_mean(samples, most):
    frames, multisamples = accumulate.plan(samples, most)
    assert multisamples in (1, most)
    assert frames * multisamples == samples
    places = accumulate.offsets(frames, multisamples)
    assert places.shape == (frames, 2)
    assert np.abs(places.mean(axis=0)).max() < 1e-12
    assert np.abs(places).max() < 1
    assert len({tuple(place) for place in places.round(6)}) == frames


def rms(one, other):
    """Return the root of the mean square of the difference, which edges decide and not the noise of rounding."""
    return np.sqrt(np.mean((one.astype(float) - other) ** 2))


@pytest.fixture(params=[accumulate.SOFTWARE_MULTISAMPLES, accumulate.HARDWARE_MULTISAMPLES])
def multisampled(request, of_samples):
    """A renderer, with frames of one sample and with frames of several."""
    return of_samples[request.param]


@pytest.mark.slow
@pytest.mark.parametrize("tone", ["filmic", "none"])
def test_frames_that_add_up_come_nearer_to_the_reference(multisampled, opening, land, tone):
    renderer = multisampled
    scene = opening.replace({"air.tone": tone} if tone == "filmic" else {"air.tone": tone, "sky.kind": "gradient"})
    pictures = {samples: capture.still(renderer, scene, land, SMALL, samples) for samples in (1, 4, 16, 64)}
    apart = {samples: rms(pictures[samples], pictures[64]) for samples in (1, 4, 16)}
    assert apart[4] < 0.7 * apart[1]
    assert apart[16] < 0.7 * apart[4]


@pytest.mark.slow
def test_frames_of_one_sample_and_of_several_end_at_the_same_picture(renderer, of_samples, opening, land):
    """But for textures, which several samples of one frame share: the finer their grain, the more that leaves apart."""
    plain = opening.replace({"view.mode": "normals"})
    ends = [capture.still(of_samples[samples], plain, land, SMALL, 64) for samples in (1, 4)]
    assert rms(*ends) < 0.5 * rms(capture.still(renderer, plain, land, SMALL, 1), ends[0])


def test_refining_leaves_no_trace_of_what_was_there_before(renderer, opening, land):
    fresh = capture.still(renderer, opening, land, SMALL, 16)
    other = seen(opening, land, 120.0, -40.0)
    renderer.refine(other, SMALL, 16, 0)
    renderer.refine(other, SMALL, 16, 1)  # cut off by a change
    assert np.array_equal(capture.still(renderer, opening, land, SMALL, 16), fresh)


def test_refining_frame_by_frame_ends_at_the_picture_of_as_many_samples(renderer, opening, land):
    whole = capture.still(renderer, opening, land, SMALL, 16)
    renderer.draw(opening, SMALL, 1)
    for number in range(renderer.frames(16)):
        last = renderer.refine(opening, SMALL, 16, number)
    assert np.array_equal(last.pixels(), whole)


# -- the studio --------------------------------------------------------------------------------------------------------


def studio_from_above(field, changes):
    """Return a scene that looks down on a slab of `field` and the floor around it, four times as wide as it is."""
    even = {"sky.kind": "space", "air.tone": "none", "view.stage": "slab", "sun.diameter": 0.1, "view.thickness": 10.0}
    scene = Scene().replace({**even, **changes})
    middle = field.size[1] / 2
    camera = scene.camera.replace(mode="orbit", x=middle, z=middle, yaw=0.0, pitch=-90.0, field_of_view=10.0)
    high = slab_base(scene, field) + 2 * field.size[1] / np.tan(np.radians(5.0))
    return dataclasses.replace(scene, camera=camera.replace(y=high))


@pytest.mark.parametrize("elevation", [25.0, 45.0])
def test_the_slabs_shadow_on_the_floor_has_the_outline_of_the_land(renderer, elevation):
    """h over the floor at x throws its shadow to x - h / tan(elevation) under an eastern sun, on each line its own."""
    heights = np.zeros((129, 129), np.float32)
    heights[96:, 20] = 40.0  # a wall by the western side, along the northern quarter
    field = HeightField(heights, (2.0, 2.0))
    scene = studio_from_above(field, {"sun.azimuth": 90.0, "sun.elevation": elevation})
    size = (600, 600)
    renderer.show(field)
    lit, shaded = (
        renderer.draw(scene.replace({"sun.shadows": shadows}), size, 1).pixels()[..., :3].mean(axis=-1)
        for shadows in (False, True)
    )
    kept = shaded / np.maximum(lit, 1.0)
    base = -slab_base(scene, field)
    across = np.tan(np.radians(elevation))
    for z, wanted in ((64.0, -base / across), (224.0, 40.0 - (40.0 + base) / across)):
        x = np.linspace(wanted - 60.0, -3.0, 400)
        places = [projection.project(scene.camera, size, (one, -base, z)) for one in x]
        values = np.array([kept[int(row), int(column)] for column, row in places])
        half = 0.5 * (values[0] + values[-1])
        assert values[0] > 0.97 and values[-1] < 0.7
        assert x[np.argmax(values < half)] == pytest.approx(wanted, abs=4.0)


@pytest.mark.parametrize("bent", [{}, {"rock.tilt": 15.0, "rock.tilt_azimuth": 200.0, "rock.undulation": 25.0}])
def test_layers_go_on_from_the_ground_into_the_slabs_sides(renderer, bent):
    """In the map of rock, just over and just under the land's cut edge the colour has the same hue."""
    side = 129
    heights = np.tile(np.linspace(0.0, 250.0, side, dtype=np.float32), (side, 1))
    field = HeightField(heights, (4.0, 4.0))
    layers = {"rock.enabled": True, "rock.thickness": 40.0, "grid.rows": side, "grid.columns": side}
    layers |= {"grid.size_x": 4.0 * side, "grid.size_z": 4.0 * side}
    scene = Scene().replace({"view.stage": "slab", "view.mode": "rock", "sun.ambient": 0.6, **layers, **bent})
    size = (900, 600)
    camera = framing.fitted(scene.camera.replace(yaw=0.0, pitch=-40.0), field, 1.5, slab_base(scene, field))
    picture = capture.still(renderer, dataclasses.replace(scene, camera=camera), field, size, 4)[..., :3].astype(float)
    alike = []
    for x in np.linspace(20.0, 490.0, 60):
        height = x * 250.0 / 512.0
        pair = []
        for point in ((x, height, 5.0), (x, height - 3.5, 0.0)):
            column, row = projection.project(camera, size, point)
            pair.append(picture[int(row), int(column)] / picture[int(row), int(column)].sum())
        alike.append(np.abs(pair[0] - pair[1]).max() < 0.03)
    hues = {tuple((picture[r, c] / 40).astype(int)) for r in range(250, 420, 9) for c in range(200, 700, 9)}
    assert len(hues) > 4
    assert np.mean(alike) > 0.85  # the rest are contacts, which cross the edge within a pixel or two


def test_rock_below_the_lowest_ground_has_layers_of_its_own(renderer):
    """A flat land on layers of 10 m, cut 100 m deep: its sides change colour all the way down."""
    field = HeightField(np.full((65, 65), 500.0, np.float32), (4.0, 4.0))
    changes = {"view.stage": "slab", "view.mode": "rock", "view.thickness": 40.0, "sun.ambient": 0.6}
    scene = Scene().replace({**changes, "rock.enabled": True, "rock.thickness": 10.0, "rock.irregularity": 0.3})
    base = slab_base(scene, field)
    camera = scene.camera.replace(mode="orbit", x=128.0, y=0.5 * (500 + base), z=-400.0, yaw=0.0, pitch=0.0)
    picture = capture.still(renderer, dataclasses.replace(scene, camera=camera), field, (200, 400), 1)[..., :3]
    column = picture[:, 100].astype(float)
    rows = [projection.project(camera, (200, 400), (128.0, y, 0.0))[1] for y in (base + 3, 497.0)]
    side = column[int(rows[1]) : int(rows[0])]
    hue = side / side.sum(axis=1, keepdims=True)
    contacts = np.flatnonzero(np.abs(np.diff(hue, axis=0)).max(axis=1) > 0.012)
    assert len(contacts) >= 5
    assert contacts.max() > 0.7 * len(side)


# -- what tells how large it is ----------------------------------------------------------------------------------------

SHADED = {"sun.shadows": True, "sun.diameter": 0.1}
FLAT = HeightField(np.full((129, 129), 50.0, np.float32), (2.0, 2.0))


def before_figure(metres, exaggeration=1.0):
    """Return a scene with the figure in the middle of a flat land, seen level from so many metres away."""
    scene = Scene().replace(
        {
            "view.figure": True,
            "view.figure_x": 128.0,
            "view.figure_z": 200.0,
            "view.exaggeration": exaggeration,
            "camera.field_of_view": 40.0,
        }
    )
    height = exaggeration * (50.0 + 1.0)
    return dataclasses.replace(
        scene, camera=scene.camera.replace(mode="orbit", x=128.0, y=height, z=200.0 - metres, yaw=0.0, pitch=0.0)
    )


def rows_covered(renderer, scene, columns):
    """Return how many rows the figure covers within `columns`, by what its absence changes."""
    size = (800, 600)
    there, gone = (
        capture.still(renderer, one, FLAT, size, 1).astype(int)
        for one in (scene, scene.replace({"view.figure": False}))
    )
    return (np.abs(there - gone).max(axis=-1)[:, columns] > 6).any(axis=1).sum()


@pytest.mark.parametrize("exaggeration", [1.0, 2.0])
@pytest.mark.parametrize(("tall", "metres", "aside"), [(1.8, 15.0, 0.0), (1.8, 30.0, 0.0), (20.0, 60.0, 1.5)])
def test_person_and_pole_cover_as_many_rows_as_their_distance_says(renderer, tall, metres, aside, exaggeration):
    """h metres at d metres, seen level, cover h / (2 d tan(fov / 2)) of the picture's height; times what is drawn."""
    metres *= exaggeration  # all of it in view
    a_pixel = 2 * metres * np.tan(np.radians(20)) / 600
    there = [round(400 + (aside + side * 0.7) / a_pixel) for side in (-1, 1)]
    rows = rows_covered(renderer, before_figure(metres, exaggeration), slice(*there))
    assert rows == pytest.approx(exaggeration * tall / a_pixel, abs=2)  # a head's top is narrower than a pixel


def test_a_figure_off_the_land_is_not_drawn(renderer):
    scene = before_figure(60.0).replace({"view.figure_x": -1.0})
    assert rows_covered(renderer, scene, slice(None)) == 0


def shaded(renderer, scene, field, size):
    """Return rows and columns of the pixels that a figure takes light from, which the `renderer` leaves out itself."""
    there, gone = (
        capture.still(renderer, one, field, size, 1)[..., :3].astype(int).sum(axis=-1)
        for one in (scene, scene.replace({"view.figure": False}))
    )
    return np.nonzero(gone - there > 0.3 * gone)


@pytest.mark.parametrize(("azimuth", "elevation"), [(90.0, 45.0), (200.0, 30.0), (330.0, 60.0)])
def test_the_poles_shadow_points_away_from_the_sun_and_is_as_long_as_its_height_says(
    without_figure, azimuth, elevation
):
    """20 m / tan(elevation) on level ground, seen straight from above, without the figure itself."""
    scene = before_figure(60.0).replace({"sun.azimuth": azimuth, "sun.elevation": elevation, **SHADED})
    camera = scene.camera.replace(y=50.0 + 120.0, x=128.0, z=200.0, yaw=0.0, pitch=-90.0, field_of_view=45.0)
    scene, size = dataclasses.replace(scene, camera=camera), (800, 800)
    rows, columns = shaded(without_figure, scene, FLAT, size)
    foot = projection.project(camera, size, (128.0 + 1.5, 50.0, 200.0))
    metre = projection.project(camera, size, (128.0 + 2.5, 50.0, 200.0))[0] - foot[0]
    away = np.stack([columns + 0.5 - foot[0], foot[1] - rows - 0.5], axis=1) / metre  # x and z in metres
    from_sun = -np.array([np.sin(np.radians(azimuth)), np.cos(np.radians(azimuth))])
    along = away @ from_sun
    beside = np.abs(away @ [from_sun[1], -from_sun[0]])
    of_pole = beside < 0.5
    assert along[of_pole].max() == pytest.approx(20.0 / np.tan(np.radians(elevation)), abs=1.0)
    assert along.min() > -1.5  # the person's begins beside the pole
    assert beside.max() < 1.5 + 0.5


def test_a_figures_shadow_lies_on_slopes_as_they_rise(without_figure):
    """On a slope of 45 degrees that faces the sun a shadow of 45 degrees is half as long in plan."""
    _, x = np.mgrid[:129, :129]
    slope = HeightField((256.0 - 2.0 * x).astype(np.float32), (2.0, 2.0))  # falls to the east, where the sun is
    scene = before_figure(60.0).replace({"sun.azimuth": 90.0, "sun.elevation": 45.0, **SHADED})
    camera = scene.camera.replace(y=300.0, x=118.0, z=200.0, yaw=0.0, pitch=-90.0, field_of_view=45.0)
    scene, size = dataclasses.replace(scene, camera=camera), (800, 800)
    _, columns = shaded(without_figure, scene, slope, size)
    tip = projection.project(camera, size, (129.5 - 10.0, 256.0 - 119.5, 200.0))
    assert columns.min() == pytest.approx(tip[0], abs=4)


def test_figures_outer_faces_look_outwards():
    """Every triangle's normals point away from its body's axis, or up or down where it is level."""
    for body in (person(), pole()):
        corners = body.reshape(-1, 3, 9)
        middle, normal = corners[..., :3].mean(axis=1), corners[..., 3:6].mean(axis=1)
        outwards = np.sum(middle[:, [0, 2]] * normal[:, [0, 2]], axis=1)
        assert np.all(outwards > -1e-5)
    assert person()[:, 1].max() == pytest.approx(1.8)
    assert pole()[:, 1].max() == 20


def test_slope_of_a_plane_is_known_everywhere():
    z, x = np.mgrid[:33, :33]
    plane = HeightField((3.0 * x + 4.0 * z).astype(np.float32), (10.0, 10.0))  # 0.3 and 0.4 a metre
    for place in ((0.0, 0.0), (155.0, 31.0), (320.0, 320.0)):
        spot = spot_at(plane, *place)
        assert spot.height == pytest.approx(0.3 * place[0] + 0.4 * place[1], abs=1e-3)
        assert spot.slope == pytest.approx(np.degrees(np.arctan(0.5)), abs=1e-3)


def test_the_ground_under_the_cursor_is_told_with_its_true_height(opening, land):
    scene = seen(opening, land, 30.0, -40.0)
    high = exaggerated(land, 3.0)
    camera = framing.fitted(scene.camera, high, SIZE[0] / SIZE[1])
    point = np.array([0.4 * land.size[1], 0.0, 0.5 * land.size[0]])
    point[1] = 3 * height_at(land, point[0], point[2])
    cursor = projection.project(camera, SIZE, point)
    spot = spot_under(land, high, camera, SIZE, cursor)
    assert projection.project(camera, SIZE, (spot.x, 3 * spot.height, spot.z)) == pytest.approx(cursor, abs=1e-3)
    assert spot.height == pytest.approx(height_at(land, spot.x, spot.z))
    assert spot_under(land, high, camera, SIZE, (-1.0, 5.0)) is None


def test_measured_is_the_straight_way():
    got = measured(Spot(0, 0, 10, 0), Spot(30, 40, 130, 0))
    assert (got.distance, got.rise) == (130, 120)
    assert got.slope == pytest.approx(np.degrees(np.arctan2(120, 50)))
    back = measured(Spot(30, 40, 130, 0), Spot(0, 0, 10, 0))
    assert (back.distance, back.rise, back.slope) == (130, -120, got.slope)
    assert measured(Spot(1, 1, 5, 0), Spot(1, 1, 5, 0)).distance == 0


@pytest.mark.parametrize("height", [3.0, 37.0, 500.0, 8000.0])
def test_scale_bar_is_true_for_the_ground_in_the_middle(height):
    camera = Scene().camera.replace(mode="orbit", x=128.0, y=50 + height, z=128.0, yaw=0.0, pitch=-90.0)
    metres, pixels = scale_bar(FLAT, camera, SIZE)
    one, other = (projection.project(camera, SIZE, (128.0 + side * metres / 2, 50.0, 128.0)) for side in (-1, 1))
    assert other[0] - one[0] == pytest.approx(pixels)
    assert 0.22 / 2.5 * SIZE[0] <= pixels <= 0.22 * SIZE[0] * (1 + 1e-9)
    assert f"{metres:e}"[:8] in ("1.000000", "2.000000", "5.000000")


def test_there_is_no_scale_bar_for_the_sky():
    assert (
        scale_bar(FLAT, Scene().camera.replace(mode="orbit", x=0.0, y=100.0, z=0.0, yaw=0.0, pitch=80.0), SIZE) is None
    )


@pytest.mark.parametrize(("yaw", "side"), [(0.0, "up"), (90.0, "left"), (180.0, "down"), (270.0, "right")])
def test_the_arrow_points_to_greater_z(yaw, side):
    """On a map, whose camera has x to the right at yaw 0; where +z is seen the camera itself says."""
    picture = marks(None, (yaw, -90.0), (640, 360))[..., 3].astype(float)
    scene = Scene().camera.replace(mode="orbit", x=128.0, y=500.0, z=128.0, yaw=yaw, pitch=-90.0)
    here, north = (projection.project(scene, (640, 360), (128.0, 50.0, z)) for z in (128.0, 138.0))
    seen_at = np.sign(np.round(np.subtract(north, here)))
    rows, columns = np.nonzero(picture > 250)
    middle = np.array([(columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2])
    across, down = seen_at
    assert (across, down) == {"up": (0, -1), "left": (-1, 0), "down": (0, 1), "right": (1, 0)}[side]
    # letter and tip lie ahead of the needle's broad end: the heap of pixels is behind the middle of the outline
    heap = np.array([columns.mean(), rows.mean()]) - middle
    assert heap @ seen_at < 0


def test_marks_reach_saved_pictures(renderer, opening, land):
    plain = capture.still(renderer, opening, land, SIZE, 1)
    marked = capture.still(renderer, opening.replace({"view.scale_bar": True, "view.north_arrow": True}), land, SIZE, 1)
    changed = np.any(plain != marked, axis=-1)
    assert changed[SIZE[1] // 2 :, : SIZE[0] // 2].any()
    assert not changed[: SIZE[1] // 3].any() and not changed[:, SIZE[0] // 2 :].any()


def test_a_legend_reaches_saved_pictures_where_it_is_asked_for(renderer, opening, land):
    """Its colours run from first to last, in the upper left corner."""
    size = (960, 540)
    steep = opening.replace({"view.mode": "slope"})
    plain = capture.still(renderer, steep, land, size, 1)
    shown = capture.still(renderer, steep.replace({"view.legend": True}), land, size, 1)
    rows, columns = np.nonzero(np.any(plain != shown, axis=-1))
    assert rows.max() < size[1] / 3 and columns.max() < size[0] / 3
    colours = renderer.legend.colours
    for colour in (colours[0], colours[len(colours) // 2], colours[-1]):
        near = np.abs(shown[: size[1] // 3, : size[0] // 3, :3].astype(int) - colour).max(axis=-1) <= 3
        assert (near & np.any(plain != shown, axis=-1)[: size[1] // 3, : size[0] // 3]).sum() > 20
    usual = opening.replace({"view.legend": True})
    assert np.array_equal(
        capture.still(renderer, usual, land, size, 1), capture.still(renderer, opening, land, size, 1)
    )
