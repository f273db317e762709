"""The light of the ground around: a white land under an even sky, and the colour of one bounce."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw.ground import palettes
from fellview.draw.land.height_map import HeightMap
from fellview.draw.light import lighting
from fellview.draw.light.incident_light import sun_direction
from fellview.draw.light.light_map import GroundLight, LightMap
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.gpu.passes import GridPasses
from tests.drawn_plain import plain_scene

SIDE, CELL_M = 128, 1000 / 128
BORDERS = (90.0, 90.0, 1e6, -1e6)  # the base alone
EVEN = np.zeros((9, 4))  # a sky that is 1 everywhere
EVEN[[0, 2], :3] = 0.5


def hollow(depth_m: float, half_m: float = 130.0) -> NDArray[np.float64]:
    """Return heights of a plain with a round hollow in its middle."""
    z, x = CELL_M * (np.indices((SIDE, SIDE)) - SIDE / 2)
    return -depth_m * np.exp(-(x**2 + z**2) / half_m**2)


def ground_light(albedo: float | tuple[float, ...], sun: float = 0.0) -> GroundLight:
    """Return that of ground of one display colour, with so much sunlight, under the even sky."""
    numbers = {
        "u_part_colours": [tuple(np.broadcast_to(albedo, 3).tolist())] * 5,
        "u_borders": BORDERS,
        "u_snow_softness": 1.0,
        "u_sun": (sun,) * 3,
        "u_around": (0.0,) * 3,
        "u_sky": [tuple(term) for term in EVEN.tolist()],
        "u_water": (0.0,) * 3,
    }
    return GroundLight((0.0, 0.0), numbers)


def light_map_of(context, heights: NDArray[np.float64], ground: GroundLight) -> NDArray[np.float32]:
    """Return the light map under a sun at 40° over +x, float32 [row, column, (sun, sky, red, blue)]."""
    height_map, light_map = HeightMap(context), LightMap(context, 256)
    height_map.upload(HeightField(heights.astype(np.float32), (CELL_M, CELL_M)))
    texture = whole(light_map.passes(height_map, sun_direction(90.0, 40.0), 0.005, shaded=True, ground=ground))
    found = np.frombuffer(texture.read(), np.float32).reshape(*texture.size[::-1], 4)
    height_map.release()
    return found


@pytest.mark.parametrize("depth_m", [60.0, 250.0])
def test_a_white_land_under_an_even_sky_of_1_shows_at_most_1(renderer: Renderer, monkeypatch, depth_m):
    """The white furnace: near 1 on the open plain, and no brighter in a hollow, where one bounce is not all."""
    gathered = lighting.gathered

    def even(*arguments, **named):
        values = gathered(*arguments, **named)
        for name in ("sun", "fill"):
            values[name][:3] = 0.0
        values["sky"][:], values["ground"][:3], values["exposure"][:3] = EVEN, 1.0, 1.0
        return values

    monkeypatch.setattr(lighting, "gathered", even)
    monkeypatch.setattr(palettes, "plain_parts", lambda ground: ([(1.0, 1.0, 1.0)] * 5, BORDERS))
    scene = plain_scene(**{"sun.shadows": True, "camera.y": 800.0, "camera.field_of_view": 60.0})

    def drawn(heights: NDArray[np.float64]) -> NDArray[np.float32]:
        renderer.show(HeightField(heights.astype(np.float32), (CELL_M, CELL_M)))
        return renderer.light(scene, (64, 64), 4)[..., 1]

    level, found = drawn(np.zeros((SIDE, SIDE))), drawn(hollow(depth_m))
    assert level.min() > 0
    middle = slice(29, 35), slice(29, 35)
    plain = found[:, :8].mean() / level[:, :8].mean()
    inside = found[middle].mean() / level[middle].mean()
    assert 0.97 < plain < 1.005
    assert 0.4 < inside < plain


def test_what_white_ground_sends_under_an_even_sky_is_at_most_1(context):
    found = light_map_of(context, hollow(250.0), ground_light(1.0))
    assert found[..., 2:].min() > 0.4 and found[..., 2:].max() < 1.001


def test_sunlit_ground_before_a_wall_in_the_shade_lights_it_in_the_grounds_colour(context):
    x = np.arange(SIDE)
    wall = np.tile(np.clip(20.0 * (x - 90), 0, 60), (SIDE, 1)).astype(float)
    red = light_map_of(context, wall, ground_light((0.9, 0.3, 0.3), sun=1.0))
    black = light_map_of(context, wall, ground_light(0.0, sun=1.0))
    foot = SIDE // 2, 91
    assert red[foot][0] < 0.2, "in the shade"
    assert red[foot][2] > 5 * red[foot][3] > 0
    assert black[foot][2] == 0


def test_rough_light_keeps_what_the_ground_sends_until_the_sun_moves_or_a_picture_is_drawn_in_full(context):
    grids, light_map, height_map, ground = GridPasses(context), LightMap(context, 256), HeightMap(context), {}
    lands = {depth_m: HeightField(hollow(depth_m).astype(np.float32), (CELL_M, CELL_M)) for depth_m in (60.0, 250.0)}

    def sent(depth_m, azimuth=90.0, *, rough=True, of=light_map, sun=3.0):
        if height_map.field is not lands[depth_m]:
            height_map.upload(lands[depth_m])
        of_sun = ground.setdefault(sun, ground_light(0.5, sun))
        how = {"shaded": True, "ground": of_sun, "rough": rough}
        return grids.read(whole(of.passes(height_map, sun_direction(azimuth, 40.0), 0.005, **how)))[..., 2:]

    first = sent(60.0)
    np.testing.assert_array_equal(sent(250.0), first)
    deep = sent(250.0, rough=False)
    assert np.abs(deep - first).max() > 0.01
    np.testing.assert_array_equal(deep, sent(250.0, rough=False, of=LightMap(context, 256)))
    np.testing.assert_array_equal(sent(60.0), deep)
    sent(60.0, 270.0)  # the first call after new shadows waits
    moved = sent(60.0, 270.0)
    assert (moved != deep).any()
    sent(60.0, 270.0, sun=1.0)
    assert (sent(60.0, 270.0, sun=1.0) != moved).any(), "nor is the light of another sun kept"
    finer = LightMap(context, 256)
    draft = LightMap(context, 128, finer=finer)
    first = sent(60.0, of=draft)
    np.testing.assert_array_equal(sent(250.0, of=draft), first)
    sent(250.0, rough=False, of=finer)
    assert (sent(250.0, of=draft) != first).any(), "what rests has shown it"
