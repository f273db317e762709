"""Light and air: known answers for the atmosphere, air in front of the land, and tones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw.colour import LUMINANCE, from_srgb
from fellview.draw.light import exposure
from fellview.draw.light.filmic import filmic
from fellview.draw.sky import atmosphere
from fellview.draw.sky.atmosphere import Atmosphere, Moments, mie_per_km, sky_moments, transmittance
from fellview.gpu import bindings
from fellview.gpu.passes import GridPasses
from fellview.scene.scene import Scene
from tests.drawn_plain import plain_scene, seen

# ---- the atmosphere --------------------------------------------------------------------------------------------------


def test_light_from_the_zenith_keeps_the_analytic_share():
    """Straight up, the depth is extinction times scale height; ozone's tent holds its peak times 15 km."""
    clear = 280.0  # km, where hardly any aerosol is left
    depth = (
        atmosphere.RAYLEIGH_PER_KM * atmosphere.RAYLEIGH_HEIGHT_KM
        + mie_per_km(clear) * atmosphere.MIE_HEIGHT_KM
        + atmosphere.OZONE_PER_KM * 15
    )
    np.testing.assert_allclose(transmittance(90.0, clear), np.exp(-depth), rtol=2e-3)


def test_the_setting_sun_is_dimmer_and_redder():
    noon, evening, dusk = (transmittance(elevation, 60.0) for elevation in (90.0, 5.0, 0.0))
    assert (noon > evening).all() and (evening > dusk).all()
    assert noon[2] / noon[0] > evening[2] / evening[0] > dusk[2] / dusk[0]
    assert (transmittance(-5.0, 60.0) == 0).all()


def test_visibility_is_where_two_in_a_hundred_are_left():
    for visibility in (1.0, 20.0, 100.0):
        green = mie_per_km(visibility) + atmosphere.RAYLEIGH_PER_KM[1]
        assert np.exp(-green * visibility) == pytest.approx(0.02, rel=1e-3)


def test_the_table_of_transmittance_is_the_integral(context):
    air = Atmosphere(context)
    air.update(30.0, 60.0)
    table = air.transmittance_table()
    np.testing.assert_allclose(table[0, 0, :3], transmittance(90.0, 60.0), rtol=0.03)  # straight up from the ground
    np.testing.assert_allclose(table[-1, 0, :3], 1.0, atol=1e-3)  # from the top of the air


def test_moments_of_an_even_sky_are_its_irradiance():
    even = sky_moments(np.ones((64, 64, 4), np.float32))
    for normal, expected in (([0, 1, 0], np.pi), ([1, 0, 0], np.pi / 2), ([0, -1, 0], 0.0)):
        np.testing.assert_allclose(even.irradiance(np.array(normal, float)), expected, atol=0.02)


def test_moments_give_slopes_under_a_sky_that_glows_about_its_sun_what_they_get():
    """Against the sum over many directions: within 2 % of level ground's light, where one order fewer is 16 % off."""
    sun = np.array([0.8, 0.6, 0.0])

    def sky(directions: NDArray[np.float64]) -> NDArray[np.float64]:
        return 0.3 + np.exp(3 * (directions @ sun - 1)) * 3

    sine, rise = np.meshgrid(np.linspace(0, 1, 64), np.linspace(0, 1, 64) ** 2)
    flat, turned = np.sqrt(1 - rise**2), 1 - 2 * sine**2
    table = sky(np.stack([flat * turned, rise, flat * np.sqrt(1 - turned**2)], axis=-1))
    moments = sky_moments(np.repeat(table[..., None], 4, axis=-1).astype(np.float32))
    count = 20_000
    up, turn = (np.arange(count) + 0.5) / count, np.pi * (1 + 5**0.5) * np.arange(count)  # even over the half sphere
    level = np.sqrt(1 - up**2)
    every = np.stack([level * np.cos(turn), up, level * np.sin(turn)], axis=1)
    off, without = [], []
    for tilt in np.radians([0.0, 30.0, 60.0]):
        for about in np.radians([0.0, 45.0, 90.0, 135.0, 180.0]):
            normal = np.array([np.sin(tilt) * np.cos(about), np.cos(tilt), np.sin(tilt) * np.sin(about)])
            light = 2 * np.pi * (sky(every) * np.maximum(every @ normal, 0)).mean()
            off.append(moments.irradiance(normal)[0] - light)
            without.append(moments.total[0] / 4 + moments.directed[0] @ normal / 2 - light)
    ground = moments.irradiance(np.array([0.0, 1.0, 0.0]))[0]
    assert np.abs(off).max() < 0.02 * ground
    assert np.abs(without).max() > 0.1 * ground


def test_the_sky_is_blue_overhead_and_brightest_by_the_sun(context):
    air = Atmosphere(context)
    moments = air.update(40.0, 80.0)
    assert isinstance(moments, Moments) and (moments.directed[:, 0] > 0).all()
    sky = GridPasses(context).read(air.table)[..., :3]
    zenith = sky[-1, 32]
    assert zenith[2] > 1.5 * zenith[0]
    towards, away = sky[round(np.sqrt(np.sin(np.radians(40.0))) * (len(sky) - 1)), [0, -1]]
    assert (towards > 1.5 * away).all() and towards[0] > 3 * away[0]
    assert moments.irradiance(np.array([0.0, 1.0, 0.0])).sum() < 3 * transmittance(40.0, 80.0).max()


@pytest.mark.parametrize("elevation", [20.0, 35.0, 50.0, 65.0])
def test_a_clear_sky_is_as_bright_as_measured_ones(context, elevation):
    """Its horizon against its zenith, and its light against the sun's.

    The standard's clear sky, type 12 of ISO 15469:2004 / CIE S 011: gradation 1 - exp(-0.32 / cos z) times indicatrix
    1 + 10 (exp(-3 a) - exp(-3 pi / 2)) + 0.45 cos² a, a being the angle from the sun. A clear sky gives a tenth to a
    third of all light on level ground, the more the lower the sun; Liu and Jordan (1960),
    doi:10.1016/0038-092X(60)90062-1.
    """

    def standard(from_zenith: float, from_sun: float) -> float:
        gradation = 1 - (np.exp(-0.32 / np.cos(from_zenith)) if from_zenith < np.pi / 2 else 0)
        return gradation * (1 + 10 * (np.exp(-3 * from_sun) - np.exp(-1.5 * np.pi)) + 0.45 * np.cos(from_sun) ** 2)

    air = Atmosphere(context)
    moments = air.update(elevation, 60.0)
    bright = GridPasses(context).read(air.table)[..., :3] @ LUMINANCE
    across = round(np.sin(np.pi / 4) * (bright.shape[1] - 1))  # a quarter turn from the sun
    found = bright[0, across] / bright[-1, across]
    expected = standard(np.pi / 2, np.pi / 2) / standard(0.0, np.pi / 2 - np.radians(elevation))
    assert 1 < found / expected < 2.7, "brighter at the horizon than the mean of skies, as very clear ones are"
    diffuse = LUMINANCE @ moments.irradiance(np.array([0.0, 1.0, 0.0]))
    direct = LUMINANCE @ transmittance(elevation, 60.0) * np.sin(np.radians(elevation))
    assert 0.1 < diffuse / (diffuse + direct) < 0.34


def test_night_is_darker_than_dusk_and_dusk_than_day(context):
    air = Atmosphere(context)
    found = [float(air.update(elevation, 60.0).total.sum()) for elevation in (-90.0, -12.0, -3.0, 5.0, 60.0)]
    assert found == sorted(found) and found[0] >= 0 and found[-1] > 20 * found[1]


# ---- pictures --------------------------------------------------------------------------------------------------------


def test_a_plains_light_goes_with_the_sines_of_the_suns_height(renderer):
    high = seen(renderer, plain_scene())
    low = seen(renderer, plain_scene(**{"sun.elevation": 30.0}))
    np.testing.assert_allclose(low / high, 0.5, atol=0.02)
    brighter = seen(renderer, plain_scene(**{"sun.elevation": 30.0, "air.exposure": 1.0}))
    np.testing.assert_allclose(brighter / high, 1.0, atol=0.03)


@pytest.mark.parametrize("elevation", [5.0, 30.0, 90.0])
def test_a_plains_light_is_albedo_times_sun_times_the_sine_of_its_height(renderer, elevation):
    """Lambert: white sunlight is scaled so that a white surface across it sends 1."""
    scene = plain_scene(
        **{"sun.elevation": elevation, "sun.light": "#ffc080", "sky.plain": "#a0c8ff", "camera.x": -5000.0}
    )
    expected = from_srgb(np.array([160, 200, 255]) / 255) * from_srgb(np.array([255, 192, 128]) / 255)
    np.testing.assert_allclose(
        seen(renderer, scene), expected * np.sin(np.radians(elevation)), rtol=0.01, atol=2e-3
    )  # of half a level of the screen


def test_fill_lifts_shadows_in_space(renderer):
    pole = {"sun.elevation": 0.5}
    assert seen(renderer, plain_scene(**pole, **{"sun.ambient": 0.5})).min() > seen(renderer, plain_scene(**pole)).max()


@pytest.mark.parametrize("kind", ["gradient", "physical"])
def test_near_ground_is_itself_and_endless_air_is_the_horizon(renderer, kind):
    def view(visibility: float, **more: object) -> NDArray[np.float64]:
        scene = plain_scene(
            **{"sky.kind": kind, "air.tone": "filmic", "sky.visibility": visibility, "sun.elevation": 50.0}
        )
        return seen(renderer, scene.replace(more))

    near = [view(1e5, **{"camera.y": height}) for height in (50.0, 51.0)]
    np.testing.assert_allclose(near[0], near[1], atol=0.02)
    lost = [view(0.01, **{"ground.bare_tint": colour}) for colour in ("#000000", "#ffffff")]
    np.testing.assert_allclose(lost[0], lost[1], atol=0.004)


@pytest.mark.parametrize("mist", [0.0, 0.4])
@pytest.mark.parametrize("eye_m", [30.0, 400.0])
@pytest.mark.parametrize("azimuth", [0.0, 120.0])
def test_the_horizon_has_no_seam(renderer, mist, eye_m, azimuth):
    scene = plain_scene(
        **{
            "sky.kind": "physical",
            "air.tone": "filmic",
            "air.mist": mist,
            "sky.visibility": 40.0,
            "sun.elevation": 25.0,
            "sun.azimuth": azimuth,
            "camera.y": eye_m,
            "camera.z": 2000.0,  # with its back to the land
            "camera.pitch": 0.0,
            "camera.field_of_view": 2.0,
            "sky.plain": "#405020",
        }
    )
    field = HeightField(np.zeros((8, 8), np.float32), (100.0, 100.0))
    pixels = capture.still(renderer, scene, field, (8, 64), samples=1)[..., :3].astype(int)
    assert np.abs(np.diff(pixels, axis=0)).max() <= 5


@pytest.mark.parametrize("lower_m", [0.0, 60.0, 160.0])
def test_a_gap_in_the_land_shows_no_line_at_the_horizon(renderer, lower_m):
    """From a valley lower than most of the land's border, out of its open end: haze grows evenly up to the horizon."""
    _, x = np.indices((64, 64))
    field = HeightField(np.where(np.abs(x - 32) < 8, -600.0, 0.0).astype(np.float32), (100.0, 100.0))
    scene = plain_scene(
        **{
            "sky.kind": "physical",
            "air.tone": "filmic",
            "sky.visibility": 60.0,
            "sun.elevation": 30.0,
            "sun.azimuth": 100.0,
            "camera.x": 3200.0,
            "camera.z": 600.0,
            "camera.y": field.border.mean() - lower_m,
            "camera.pitch": 0.0,
            "camera.field_of_view": 6.0,
            "sky.plain": "#b1947a",
        }
    )
    rows = capture.still(renderer, scene, field, (16, 121), samples=1)[..., :3].astype(float).mean(1)
    steps = np.abs(np.diff(rows[20:100], axis=0))  # down to 2° under the horizon; lower is the valley's floor
    assert steps.max() < 4, "no line"
    assert np.abs(rows[61:64].mean(0) - rows[56:59].mean(0)).max() < 3, "the horizon's own colour at the horizon"


def test_nights_are_dark_and_blue_and_every_hill_can_be_seen(renderer):
    z, x = np.indices((48, 48))
    field = HeightField((60 * np.sin(x / 5) * np.cos(z / 7)).astype(np.float32), (20.0, 20.0))
    look = {"sky.kind": "physical", "air.tone": "filmic", "sky.plain": "#808080", "sun.ambient": 0.1}
    look |= {"ground.bare_slope": 0.0, "ground.bare_tint": "#8c8c8c", "camera.field_of_view": 90.0, "sun.shadows": True}

    def land(elevation: float) -> NDArray[np.float64]:
        scene = plain_scene(**look | {"sun.elevation": elevation})
        return capture.still(renderer, scene, field, (64, 64), samples=1)[8:-8, 8:-8, :3].astype(float)

    day, evening, dusk, night, midnight = (land(elevation) for elevation in (40.0, 12.0, -4.0, -20.0, -90.0))
    means = [float((part @ LUMINANCE).mean()) for part in (day, evening, dusk, night)]
    assert means == sorted(means, reverse=True)
    for dark in (night, midnight):
        assert 15 < (dark @ LUMINANCE).mean() < 60
        assert (dark @ LUMINANCE).std() > 2, "relief"
        assert dark[..., 2].mean() > 1.1 * dark[..., 0].mean()


@pytest.mark.parametrize("elevation", [-5.0, -10.0, -20.0])
def test_nights_in_space_are_lit_by_the_earth_and_every_hill_can_be_seen(renderer, elevation):
    z, x = np.indices((48, 48))
    field = HeightField((60 * np.sin(x / 5) * np.cos(z / 7)).astype(np.float32), (20.0, 20.0))
    look = {"air.tone": "filmic", "ground.bare_tint": "#8c8c8c", "camera.field_of_view": 90.0, "sun.shadows": True}

    def land(height: float, **more: object) -> NDArray[np.float64]:
        scene = plain_scene(**look | {"sun.elevation": height} | more)
        return capture.still(renderer, scene, field, (64, 64), samples=1)[8:-8, 8:-8, :3].astype(float)

    day, night = land(40.0), land(elevation)
    assert 15 < (night @ LUMINANCE).mean() < (day @ LUMINANCE).mean()
    assert (night @ LUMINANCE).std() > 2, "relief"
    sky = {"camera.pitch": 30.0}
    assert land(elevation, **sky).mean() == pytest.approx(land(40.0, **sky).mean(), rel=0.1), "stars as they are by day"


def test_nights_in_space_have_a_bright_side_and_shadows_that_are_not_black(renderer):
    """A ridge along z is lit by an Earth that stands where the sun does not, and throws a shadow."""
    x = np.arange(64)
    ridge = 300.0 * np.exp(-(((x - 32) / 6.0) ** 2))
    field = HeightField(np.tile(ridge, (64, 1)).astype(np.float32), (20.0, 20.0))
    look = {"air.tone": "filmic", "ground.bare_tint": "#8c8c8c", "sun.azimuth": 90.0, "sun.ambient": 0.0}
    where = {
        "camera.pitch": -90.0,
        "camera.yaw": 0.0,
        "camera.x": 640.0,
        "camera.z": 640.0,
        "camera.y": 1100.0,
        "camera.field_of_view": 45.0,
    }

    def across(elevation: float, *, shadows: bool = True) -> NDArray[np.float64]:
        scene = plain_scene(**look | where | {"sun.elevation": elevation, "sun.shadows": shadows})
        return capture.still(renderer, scene, field, (64, 64), samples=1)[24:40, :, :3].astype(float).mean(axis=(0, 2))

    night, unshaded = across(-20.0), across(-20.0, shadows=False)
    assert night[8:32].max() > 5 * night[32:56].min(), "from -x, as the sun has set over +x"
    assert night[32:56].min() > 2, "starlight"
    assert (unshaded - night).max() > 10
    day = across(20.0)
    assert day[32:].max() > day[:32].max() and day.max() > 1.5 * night.max()


def test_evenings_in_space_go_over_into_nights_without_a_gap(renderer):
    """Brightness from a sun just over the horizon to the night: no step is dark, and none is a jump."""
    z, x = np.indices((48, 48))
    field = HeightField((60 * np.sin(x / 5) * np.cos(z / 7)).astype(np.float32), (20.0, 20.0))
    look = {"air.tone": "filmic", "ground.bare_tint": "#8c8c8c", "camera.field_of_view": 90.0, "sun.ambient": 0.02}

    def shown(elevation: float) -> float:
        scene = plain_scene(**look | {"sun.elevation": elevation})
        picture = capture.still(renderer, scene, field, (64, 64), samples=1)
        return float((picture[8:-8, 8:-8, :3] @ LUMINANCE).mean())

    means = np.array([shown(elevation) for elevation in np.arange(0.4, -2.0, -0.05)])
    assert means.min() > 0.4 * means[-1]
    assert abs(np.diff(means)).max() < 0.15 * means[-1]


def test_no_light_of_the_night_is_there_while_the_sun_is_up(renderer):
    renderer.show(HeightField(np.zeros((8, 8), np.float32), (100.0, 100.0)))
    for elevation in (0.3, 5.0, 60.0):
        renderer.draw(plain_scene(**{"sun.elevation": elevation, "air.tone": "filmic"}), (8, 8), 1)
        found = renderer.light_pass.values
        assert (found["sky"] == 0).all()
        assert (found["exposure"][:3] == np.float32(exposure.FILMIC)).all() and found["night"][3] == 1


def test_less_light_shows_darker_and_never_too_dark():
    stops = np.arange(-2.0, 20.0)
    shown = np.log2([exposure.adapted(1.05 * 2.0**-less) * 2.0**-less for less in stops])
    assert (np.diff(shown) <= 0).all() and shown[-1] > -4.21 and shown[2] == pytest.approx(0.0)


def test_balance_makes_sunlight_whiter_and_leaves_its_brightness():
    for elevation in (60.0, 20.0, 3.0):
        sun, sky = transmittance(elevation, 60.0), np.array([0.02, 0.04, 0.08])
        light = sun + sky
        balanced = light * exposure.balance(sun, sky, np.zeros(3))
        assert LUMINANCE @ balanced == pytest.approx(LUMINANCE @ light)
        assert 1 < balanced[0] / balanced[2] < light[0] / light[2]


@pytest.mark.parametrize("kind", ["gradient", "physical", "space"])
@pytest.mark.parametrize("elevation", [-90.0, -18.0, -0.2, 0.0, 0.2, 10.0, 89.9, 90.0])
def test_every_sun_gives_finite_light(renderer, kind, elevation):
    z, x = np.indices((48, 48))
    field = HeightField((40 * np.sin(x / 5) * np.cos(z / 7)).astype(np.float32), (20.0, 20.0))
    scene = Scene().replace(
        {
            "sky.kind": kind,
            "air.tone": "filmic",
            "sun.shadows": True,
            "sun.elevation": elevation,
            "air.mist": 0.2,
            "sky.clouds": 0.6,
            "sky.cirrus": 0.7,
            "air.contrast": 1.5,
        }
    )
    renderer.show(field)
    for pitch in (-90.0, -5.0, 90.0):
        renderer.draw(scene.replace({"camera.pitch": pitch}), (65, 37), 1)  # the middle pixel looks along the pole
        light = np.frombuffer(renderer.frame.texture().read(), np.float16)
        assert np.isfinite(light).all() and light.min() >= 0 and light.max() <= 1


@pytest.mark.parametrize("pitch", [-90.0, 90.0])
def test_mist_has_no_streak_at_the_poles(renderer, pitch):
    """Where all azimuths meet, pixels side by side are as alike as anywhere."""
    scene = plain_scene(
        **{
            "sky.kind": "physical",
            "air.tone": "filmic",
            "air.mist": 0.5,
            "air.mist_top": 200.0,
            "air.mist_falloff": 150.0,
            "sun.elevation": 10.0,
            "camera.pitch": pitch,
            "camera.field_of_view": 60.0,
            "camera.x": -5000.0,
        }
    )
    field = HeightField(np.zeros((8, 8), np.float32), (100.0, 100.0))
    pixels = capture.still(renderer, scene, field, (65, 37), samples=1)[..., :3].astype(int)
    assert max(np.abs(np.diff(pixels, axis=axis)).max() for axis in (0, 1)) <= 4


@pytest.mark.parametrize("elevation", [2.0, 6.0, 24.0, 60.0])
@pytest.mark.parametrize("away", [60.0, 120.0, 180.0])
def test_the_horizon_is_no_darker_than_the_sky_above_it(renderer, elevation, away):
    """Air grows brighter down to the horizon, with no dull band and no line at it, and the plain's haze goes on so.

    Under a low sun the air at the horizon lies in the shade of that nearer to the sun; some of this is left.
    """
    scene = plain_scene(
        **{
            "sky.kind": "physical",
            "air.tone": "filmic",
            "sky.visibility": 60.0,
            "sun.elevation": elevation,
            "sun.azimuth": away,
            "camera.y": 600.0,
            "camera.z": 5000.0,
            "camera.pitch": 0.0,
            "camera.field_of_view": 24.0,
            "sky.plain": "#5c6440",
        }
    )
    field = HeightField(np.zeros((8, 8), np.float32), (500.0, 500.0))
    rows = capture.still(renderer, scene, field, (16, 241), samples=1)[..., :3].astype(float).mean(1) @ LUMINANCE
    at = rows[120]  # the horizon; a tenth of a degree a row
    assert (rows[20:120] <= (at + 2 if elevation > 10 else at / 0.8)).all()
    assert (np.abs(rows[121:131] - at) < 4).all()
    bends = np.abs(np.convolve(rows, [0.1] * 10 + [-0.1] * 10, "valid"))  # a step or a kink between rows
    assert np.abs(np.diff(bends)).max() < 3


def test_the_sun_at_six_degrees_leaves_colour_in_the_sky_around_it(renderer):
    """White is the disc, and what lies within some degrees of it."""
    scene = plain_scene(
        **{
            "sky.kind": "physical",
            "air.tone": "filmic",
            "sky.visibility": 60.0,
            "sun.elevation": 6.0,
            "sun.azimuth": 0.0,
            "camera.z": 5000.0,
            "camera.pitch": 6.0,
            "camera.field_of_view": 60.0,
        }
    )
    field = HeightField(np.zeros((8, 8), np.float32), (100.0, 100.0))
    pixels = capture.still(renderer, scene, field, (97, 61), samples=1)[..., :3]  # a degree a pixel
    row, column = np.indices(pixels.shape[:2])
    off = np.hypot(row - 30, column - 48)
    white = (pixels.min(-1) > 240) & (row < 36)
    assert white[30, 48] and off[white].max() < 12


# ---- the tone --------------------------------------------------------------------------------------------------------


def test_srgb_goes_there_and_back(context):
    """All 256 levels, decoded and encoded by the shaders."""
    grids = GridPasses(context)
    levels = np.linspace(0, 1, 256, dtype=np.float32)[None, :, None].repeat(4, 2)
    program = context.program(
        vertex_shader=_source("gpu/full_screen.vert"),
        fragment_shader=_source(
            "lib/srgb.glsl",
            "uniform sampler2D u_colour; out vec4 out_color;"
            "void main() { vec3 light = from_srgb(texelFetch(u_colour, ivec2(gl_FragCoord.xy), 0).rgb);"
            "out_color = vec4(to_srgb(light), light.g); }",
        ),
    )
    colours, out = grids.upload(levels), grids.texture(1, 256, 4)
    grids.target(out)
    bindings.attach(program, "probe")
    grids.bind(program, {"u_colour": colours}, {})
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    found = grids.read(out)[0]
    np.testing.assert_allclose(found[:, 0], levels[0, :, 0], atol=2e-6)
    np.testing.assert_allclose(found[:, 3], from_srgb(levels[0, :, 0]), atol=2e-6)
    assert from_srgb(0.5) == pytest.approx(0.21404, abs=1e-5)  # the standard's curve at the middle


def _source(name: str, body: str = "") -> str:
    from fellview.gpu import programs

    return programs.source(name)[0] + body


def test_filmic_tone_keeps_order_and_pales_what_is_bright(renderer):
    """A brighter exposure never darkens, and the brightest ends near white."""
    means = [
        seen(renderer, plain_scene(**{"air.tone": "filmic", "air.exposure": exposure})).mean()
        for exposure in (-4, -2, 0, 2, 4)
    ]
    assert means == sorted(means) and means[0] < 0.02 and means[-1] > 0.8


def filmed(context, light: NDArray[np.float64], contrast: float = 1.0, saturation: float = 1.0) -> NDArray[np.float64]:
    """Return what the filmic curve makes of `light`, (n, 3)."""
    grids = GridPasses(context)
    program = context.program(
        vertex_shader=_source("gpu/full_screen.vert"),
        fragment_shader=_source(
            "draw/light/filmic.glsl",
            "uniform sampler2D u_light; uniform vec2 u_how; out vec4 out_color;"
            "void main() { vec3 light = texelFetch(u_light, ivec2(gl_FragCoord.xy), 0).rgb;"
            "out_color = vec4(filmic(light, u_how.x, u_how.y), 1.0); }",
        ),
    )
    texels = np.concatenate([light, np.ones((len(light), 1))], axis=1).astype(np.float32)[None]
    given, out = grids.upload(texels), grids.texture(1, len(light), 4)
    grids.target(out)
    bindings.attach(program, "probe")
    grids.bind(program, {"u_light": given}, {"u_how": (contrast, saturation)})
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    return grids.read(out)[0, :, :3].astype(np.float64)


def test_the_filmic_curve_rises_everywhere_from_black_to_white(context):
    grey = np.concatenate([[0.0], np.geomspace(1e-4, 1e3, 400)])[:, None].repeat(3, 1)
    for contrast in (0.5, 1.0, 2.0):
        shown = filmed(context, grey, contrast)
        assert (np.diff(shown, axis=0) >= 0).all() and shown.min() >= 0 and shown.max() <= 1
        assert np.ptp(shown, axis=1).max() < 1e-5, "grey stays grey"
        assert shown[0].max() == 0 and shown[-1].min() > 0.99
    soft, hard = (
        filmed(context, np.array([[0.1] * 3, [0.4] * 3, [1.0] * 3]), contrast)[:, 0] for contrast in (0.8, 1.3)
    )
    assert soft[0] > hard[0] and soft[2] < hard[2] and soft[1] == pytest.approx(hard[1])
    snow = filmed(context, np.array([[1.7] * 3, [2.0] * 3, [2.6] * 3]))[:, 0]
    levels = 255 * np.where(snow > 0.0031308, 1.055 * snow ** (1 / 2.4) - 0.055, 12.92 * snow)
    assert (np.diff(levels) > 3).all() and levels[-1] < 253, "detail in sunlit snow"


def test_the_filmic_curve_is_the_same_on_the_processor(context):
    light = np.random.default_rng(1).gamma(0.5, 2.0, (200, 3))
    for contrast, saturation in ((1.0, 1.0), (0.8, 1.3)):
        twin = [filmic(each, contrast, saturation) for each in light]
        np.testing.assert_allclose(filmed(context, light, contrast, saturation), twin, atol=1e-4)


def test_the_filmic_curve_keeps_hues_and_pales_what_is_bright(context):
    turns = np.radians(np.arange(0, 360, 15))
    wheel = np.stack([np.cos(turns), np.sin(turns)], 1)
    red_green, blue = np.array([[1, -0.5, -0.5], [0, np.sqrt(0.75), -np.sqrt(0.75)]]), 0.45
    colours = 1 + blue * wheel @ red_green

    def hue(light: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.unwrap(np.arctan2(light @ red_green[1], light @ red_green[0]))

    for level in (0.05, 0.3, 1.0, 3.0):
        shown = filmed(context, level * colours)
        off = np.abs((hue(shown) - hue(colours) + np.pi) % (2 * np.pi) - np.pi)
        assert np.degrees(off).max() < 16
    pale = [np.ptp(filmed(context, level * colours), axis=1).mean() for level in (1.0, 4.0, 40.0)]
    assert pale[0] > pale[1] > pale[2] and pale[2] < 0.02
    assert np.ptp(filmed(context, colours, saturation=0.0), axis=1).max() < 1e-5
    vivid = filmed(context, 0.3 * colours, saturation=2.0)
    assert vivid.min() >= 0 and (np.ptp(vivid, axis=1) > np.ptp(filmed(context, 0.3 * colours), axis=1)).all()
