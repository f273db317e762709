"""Clouds: their pattern, the shade and the light that they throw, and that they stand where they ought to."""

from __future__ import annotations

import dataclasses
import itertools
import re

import numpy as np
import pytest
from numpy.typing import NDArray

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw.colour import LUMINANCE, from_srgb
from fellview.draw.land.height_map import HeightMap
from fellview.draw.light.light_block import GLSL
from fellview.draw.light.lighting import LightPass
from fellview.draw.passes import whole
from fellview.draw.registry import THE_SKY
from fellview.draw.renderer import LOOK_GROUPS, Renderer
from fellview.draw.sky import cloud_pattern
from fellview.draw.sky.atmosphere import transmittance
from fellview.draw.sky.clouds import CloudPass
from fellview.draw.sky.sky import corner_directions
from fellview.draw.target import Size
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.scene import Scene
from tests.drawn_plain import PICTURE as SIZE
from tests.drawn_plain import plain_scene, seen


def test_the_pattern_of_clouds_holds_every_cover_and_has_no_seam():
    pattern = cloud_pattern.pattern(128)
    for cover in (0.1, 0.5, 0.9):
        assert (pattern > 1 - cover).mean() == pytest.approx(cover, abs=0.001)
    for axis in (0, 1):
        inside = np.abs(np.diff(pattern, axis=axis)).max()
        assert np.abs(pattern.take(0, axis) - pattern.take(-1, axis)).max() <= inside


def test_clouds_are_of_many_sizes():
    """Chords through clouds of one size vary by 0.6 of their mean, waiting times of chance by 1."""
    clouds = (cloud_pattern.pattern(256) > 0.85).astype(int)
    chords = []
    for row in clouds:
        ends = np.diff(np.concatenate([[0], np.roll(row, -int(row.argmin())), [0]]))
        chords.append(np.flatnonzero(ends == -1) - np.flatnonzero(ends == 1))
    lengths = np.concatenate(chords)
    assert lengths.std() / lengths.mean() > 0.75


def test_there_is_more_cloud_around_wide_clouds_than_around_small_ones():
    """By that wide ones tower and small ones stay flat."""
    pattern = cloud_pattern.pattern(256)
    clouds, around = pattern > 0.9, cloud_pattern.around(pattern)
    inner = clouds.copy()
    for _ in range(4):  # texels off each side: clouds half a patch wide are gone
        for axis, step in itertools.product((0, 1), (-1, 1)):
            inner &= np.roll(inner, step, axis)
    near = inner.copy()
    for _ in range(8):
        for axis, step in itertools.product((0, 1), (-1, 1)):
            near |= np.roll(near, step, axis)
    small = clouds & ~near
    assert 0.05 < small.sum() / clouds.sum() < 0.6
    assert around[inner].mean() > 0.9
    assert around[small].mean() < around[inner].mean() - 0.1
    assert np.abs(around[0] - around[-1]).max() <= np.abs(np.diff(around, axis=0)).max(), "no seam"


def test_the_billows_of_clouds_have_no_seam_and_no_direction():
    billows = cloud_pattern.billows()
    rough = [np.abs(np.diff(billows, axis=axis)) for axis in range(3)]
    means = [float(steps.mean()) for steps in rough]
    assert max(means) < 1.1 * min(means)
    for axis, steps in enumerate(rough):
        others = tuple(other for other in range(3) if other != axis)
        across = np.abs(billows.take(0, axis) - billows.take(-1, axis)).mean()
        assert across < 1.1 * steps.mean(axis=others).max(), "the seam is as smooth as what is inside"


class Alone:
    """The pass of clouds over a plain, with those that it needs, and no picture of anything else."""

    def __init__(self, context, **how):
        self.look = UniformBlock("Look", LOOK_GROUPS)
        self.buffer = self.look.buffer(context)
        self.clouds, self.light = CloudPass(context, self.look, **how), LightPass(context)
        self.height_map = HeightMap(context)
        self.height_map.upload(PLAIN)

    def lighting(self, scene, size=SIZE, *, draft=True):
        """Return the light of `scene`, which is bound."""
        self.buffer.write(self.look.packed(scene.groups()))
        self.look.bind(self.buffer)
        return self.light.prepare(scene, self.height_map, size=size, draft=draft)

    def alpha(self, scene, size=SIZE, *, draft=True):
        """Return what clouds hide in a picture of `scene`, 0 to 1, [row, column]."""
        lighting = self.lighting(scene, size, draft=draft)
        whole(self.clouds.picture(scene, lighting, corner_directions(scene, size), size, draft=draft))
        return self.clouds.alpha()


@pytest.fixture(scope="module")
def alone(context):
    return Alone(context)


def test_clouds_have_no_steps_of_the_march(context):
    """Twice as many steps along each sight line hide the same of the sky."""
    scene = plain_scene(**FAIR | {"sky.clouds": 0.4, "camera.y": 3.0, "camera.pitch": 20.0})
    usual, few, many = (
        Alone(context, **how).alpha(scene, (128, 72), draft=False) for how in ({}, {"steps": 60}, {"steps": 120})
    )
    assert np.array_equal(usual, few)
    assert 0.2 < many.mean() < 0.9
    assert np.abs(few - many).mean() < 0.03
    assert np.corrcoef(few.ravel(), many.ravel())[0, 1] > 0.98


FAIR = {  # a plain under a sun at 60°, seen from above: a picture of 1.2 km, in which there are several clouds
    "sky.kind": "physical",
    "sun.ambient": 0.2,
    "camera.x": 500.0,
    "camera.y": 1200.0,
    "sky.cloud_size": 0.2,
    "sky.cloud_height": 2000.0,
    "sun.elevation": 60.0,
}
PLAIN = HeightField(np.zeros((64, 64), np.float32), (1000 / 64, 1000 / 64))


def view_of(renderer: Renderer, **changes: object) -> NDArray[np.float64]:
    """Return how bright each pixel of a picture of the plain is, (54, 54)."""
    picture = capture.still(renderer, plain_scene(**FAIR).replace(changes), PLAIN, (64, 64), samples=1)
    return from_srgb(picture[5:-5, 5:-5, :3] / 255).mean(-1)  # but for what lies beyond the plain


@pytest.mark.parametrize("kind", ["gradient", "physical", "space"])
def test_clouds_take_sun_away_in_patches_where_there_is_air(renderer, kind):
    clear, few, many, closed = (
        view_of(renderer, **{"sky.kind": kind, "sky.clouds": cover}) for cover in (0.0, 0.3, 0.7, 1.0)
    )
    if kind == "space":
        assert (clear == closed).all()
        return
    # eyes adapt to light, so that the sun between the clouds is what shade is told by
    few_shade, many_shade = (1 - part / np.quantile(part, 0.95) for part in (few / clear, many / clear))
    assert (few_shade < 0.03).mean() > 0.4 and few_shade.max() > 0.3, "sun between the patches, and shade in them"
    assert (many_shade - few_shade > -0.05).all(), "more cover is shade in the same places, and more of it"
    assert (many_shade > 0.3).mean() > 1.6 * (few_shade > 0.3).mean()
    middle = np.median(closed / clear)
    assert (np.abs(closed / clear / middle - 1) < 0.1).mean() > 0.6, (
        "under a closed sky most of the land is in one shade"
    )


ACROSS = 6  # tiles of the pattern that a picture from far above shows, of 48 pixels each


def light_from_above(renderer: Renderer, tiles: float, cover: float) -> NDArray[np.float64]:
    """Return the light under clouds in that of a clear day, (288, 288), as it is seen from so many tiles above."""
    side_m = 1000 * cloud_pattern.PATCHES_A_TILE * 0.2
    plain = HeightField(np.zeros((64, 64), np.float32), (ACROSS * side_m / 63,) * 2)
    place = {"camera.x": ACROSS * side_m / 2, "camera.z": ACROSS * side_m / 2, "camera.y": tiles * side_m}
    lens = {"camera.field_of_view": 2 * float(np.degrees(np.arctan(ACROSS / 2 / tiles)))}
    clear = plain_scene(**FAIR | place | lens)
    cloudy, bright = (
        from_srgb(capture.still(renderer, scene, plain, (48 * ACROSS,) * 2, samples=4)[..., :3] / 255).mean(-1)
        for scene in (clear.replace({"sky.clouds": cover}), clear)
    )
    return np.asarray(cloudy / bright)


def alike(picture: NDArray[np.float64], right: int, down: int) -> float:
    """Return the correlation of a picture with itself so many pixels aside."""
    rows, columns = picture.shape
    one, other = picture[down:, right:], picture[: rows - down, : columns - right]
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


@pytest.mark.parametrize("cover", [0.3, 0.6])
def test_from_far_above_the_shade_of_clouds_does_not_repeat(renderer, cover):
    """It is as dark as ever, and as much of it."""
    light, pattern = light_from_above(renderer, 6.0, cover), cloud_pattern.pattern(256)
    assert max(alike(light, 48, 0), alike(light, 0, 48), alike(light, 48, 48)) < 0.5
    assert alike(light, 1, 0) > 0.5, "clouds are wider than a pixel"
    thick = np.clip((pattern - (1 - cover)) / 0.22, 0.0, 1.0)
    shade = (light.max() - light) / np.ptp(light)  # eyes adapt to the sun between the clouds
    assert shade.mean() == pytest.approx((thick * thick * (3 - 2 * thick)).mean(), rel=0.1)


def test_where_clouds_are_no_wider_than_a_pixel_their_shade_is_its_mean(renderer):
    near, far = (light_from_above(renderer, tiles, 0.3) for tiles in (6.0, 30.0))
    assert near.std() > 0.15
    assert far.std() < 0.02
    assert far.mean() == pytest.approx(near.mean(), rel=0.05)


def test_clouds_are_drawn_once_for_as_long_as_nothing_moves(renderer):
    """Frames of a mean give way as often, but for those in which clouds are drawn, band by band."""

    def drawn(scene):
        """Return how many frames of a picture draw clouds."""
        parts = [sum(1 for _ in renderer.passes(scene, SIZE, 16, number)) for number in range(renderer.frames(16))]
        assert min(parts) == parts[-1]
        return sum(count > parts[-1] for count in parts)

    scene = plain_scene(**FAIR | {"sky.clouds": 0.5, "camera.pitch": 30.0})
    renderer.show(PLAIN)
    assert drawn(scene) == 1
    assert drawn(scene) == 0
    assert drawn(scene.replace({"air.exposure": 1.0})) == 0, "exposure comes later"
    for change in ({"sun.elevation": 20.0}, {"camera.yaw": 3.0}, {"sky.cirrus": 0.5}):
        scene = scene.replace(change)
        assert drawn(scene) == 1
    renderer.show(dataclasses.replace(PLAIN, heights=PLAIN.heights + 200))
    assert drawn(scene) == 1, "clouds stand over the land's border, which has risen"
    assert drawn(scene.replace({"sky.clouds": 0.0, "sky.cirrus": 0.0})) == 0


def orbit(number: int) -> Scene:
    """Return a view of a sky with clouds, turned a little, and the eye moved, from each number to the next."""
    moved = {"camera.x": 500.0 + 30.0 * number, "camera.yaw": 1.5 * number}
    return plain_scene(**FAIR | {"sky.clouds": 0.4, "camera.y": 300.0, "camera.pitch": 20.0} | moved)


def moving(alone: Alone, scene: Scene, size: Size = (192, 108), scale: float = 0.34) -> NDArray[np.float32]:
    """Return what clouds hide in a frame of something that moves."""
    whole(alone.clouds.moving(scene, alone.lighting(scene, size), corner_directions(scene, size), size, scale))
    return alone.clouds.alpha()


@pytest.mark.parametrize("scale", [0.5, 0.34, 0.28])
def test_clouds_of_something_that_stands_still_become_those_of_a_draft(context, scale):
    alone = Alone(context)
    wanted = alone.alpha(orbit(0), (192, 108))
    assert wanted.std() > 0.2
    frames = [moving(alone, orbit(0), scale=scale) for _ in range(20)]
    assert frames[0].shape == wanted.shape
    assert np.abs(frames[0] - wanted).mean() > 0.01, "one frame brings some pixels"
    assert np.abs(frames[-1] - wanted).max() < 0.01, "half floats, and places as they are worked out"
    assert (frames[-1] == frames[-2]).all()


def test_clouds_of_something_that_moves_are_taken_along(context):
    """An eye that moves sees near clouds move against far ones."""
    alone = Alone(context)
    for number in range(12):
        taken = moving(alone, orbit(number))
    wanted = alone.alpha(orbit(11), (192, 108))
    coarse = moving(Alone(context), orbit(11))
    assert np.abs(taken - wanted).mean() < 0.7 * np.abs(coarse - wanted).mean()


def test_of_clouds_that_have_changed_nothing_is_taken_along(context):
    found = []
    for cover in (0.4, 0.9):
        alone = Alone(context)
        for number in range(3):
            before = moving(alone, orbit(number).replace({"sky.clouds": cover}))
        found.append(moving(alone, orbit(3).replace({"sky.clouds": 0.2})))
        assert found[-1].mean() < 0.8 * before.mean()
    assert np.array_equal(*found), "whatever was there before"


def test_a_sky_without_ground_before_it_has_its_clouds(context, renderer):
    scene = plain_scene(**FAIR | {"sky.clouds": 0.4, "camera.y": 3.0, "camera.pitch": 30.0})
    behind = Renderer(context, THE_SKY)
    pictures = []
    for each in (renderer, behind):
        each.show(PLAIN)
        pictures.append(each.light(scene, (96, 54), 1))
    assert np.array_equal(*pictures)
    cloudless = behind.light(scene.replace({"sky.clouds": 0.0}), (96, 54), 1)
    assert np.abs(pictures[0] - cloudless).max() > 0.1


def test_clouds_light_what_they_shade(alone):
    """Under a closed sky a third of the light is left, it has little colour, and comes from no side."""

    def light(clouds: float) -> NDArray[np.float64]:
        lit = alone.lighting(plain_scene(**FAIR | {"sky.clouds": clouds, "sun.elevation": 40.0}))
        block = np.frombuffer(lit.before_exposure, np.float32).reshape(-1, 4)
        fields = re.findall(r"vec4 (\w+?)(?:\[(\d)\])?;", GLSL)  # as shaders read the block
        first = sum(int(count or 1) for _, count in fields[: [name for name, _ in fields].index("light_sky")])
        return block[first : first + 4, :3].astype(float)

    clear, closed = light(0.0), light(1.0)
    total = clear[0] + clear[2] + transmittance(40.0, 1000.0) * np.sin(np.radians(40.0))
    under = closed[0] + closed[2] + (1 - 0.88) * (total - clear[0] - clear[2])
    assert 0.2 < (LUMINANCE @ under) / (LUMINANCE @ total) < 0.4
    assert (closed[0] / closed[0][0])[2] < (clear[0] / clear[0][0])[2] / 1.5, "less blue"
    assert np.abs(closed[[1, 3]]).max() < 0.3 * np.abs(clear[[1, 3]]).max()


@pytest.mark.parametrize("azimuth", [20.0, 250.0])
@pytest.mark.parametrize("exaggeration", [1.0, 3.0])
def test_a_cloud_stands_where_its_shadow_falls(renderer, alone, azimuth, exaggeration):
    """Looking from the ground at the sun, one sees a cloud where it is dark, and sky where it is light."""
    look = {
        "sky.clouds": 0.5,
        "sky.cloud_drift": azimuth / 4,
        "sun.azimuth": azimuth,
        "sky.cloud_height": 1500.0,
        "view.exaggeration": exaggeration,
    }
    light, hidden = [], []
    for x, z in 90.0 * np.argwhere(np.eye(10) + np.eye(10)[::-1]):
        there = plain_scene(
            **FAIR | look | {"camera.x": x, "camera.z": z, "camera.y": 3.0, "camera.field_of_view": 2.0}
        )
        down = there.replace({"camera.pitch": -90.0})
        light.append((seen(renderer, down) / seen(renderer, down.replace({"sky.clouds": 0.0}))).mean())
        alpha = alone.alpha(there.replace({"camera.pitch": 60.0, "camera.yaw": azimuth}))
        row, column = (side // 2 for side in alpha.shape)
        hidden.append(float(alpha[row - 1 : row + 1, column - 1 : column + 1].mean()))
    dark, hides = 1 - np.array(light) / max(light), np.array(hidden)
    assert (dark > 0.5).sum() > 3 and (dark < 0.02).sum() > 3
    assert (hides[dark > 0.5] > 0.7).all()
    assert np.median(hides[dark < 0.02]) < 0.1, "but the way to the sun may meet the side of a cloud over the base"
    assert np.corrcoef(dark, hides)[0, 1] > 0.7


def test_the_base_of_clouds_is_flat(alone):
    """Seen from its height it is a level line; clouds of 30 km, so that the nearest stand out from those behind."""
    rows, field_of_view, pitch = 144, 20.0, 5.0
    lowest_deg = []
    for yaw in range(0, 360, 40):
        sky = {"sky.clouds": 0.2, "sky.cloud_size": 30.0, "sky.cloud_height": 1500.0, "camera.y": 1500.0}
        camera = {"camera.pitch": pitch, "camera.yaw": float(yaw), "camera.field_of_view": field_of_view}
        hides = alone.alpha(plain_scene(**FAIR | sky | camera), (256, rows), draft=False) > 0.3  # the lowest row first
        first = hides.argmax(axis=0)[hides.any(axis=0)]
        over = (first + 0.5) / hides.shape[0] * 2 - 1
        lowest_deg.append(pitch + np.degrees(np.arctan(over * np.tan(np.radians(field_of_view / 2)))))
    found = np.concatenate(lowest_deg)
    assert len(found) > 200
    assert found.min() > 0.0
    assert (found < 0.3).mean() > 0.85, "300 m of 16 km, at 60 km"
