"""Clouds: their pattern, the shade and the light that they throw, and that they stand where they ought to."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw.colour import LUMINANCE, from_srgb
from fellview.draw.light import lighting
from fellview.draw.renderer import Renderer
from fellview.draw.sky import cloud_pattern, clouds
from fellview.draw.sky.atmosphere import transmittance
from fellview.draw.sky.clouds import CloudPass
from tests.drawn_plain import PICTURE as SIZE
from tests.drawn_plain import plain_scene, seen


def test_the_pattern_of_clouds_holds_every_cover_and_has_no_seam():
    pattern = cloud_pattern.pattern(128)
    for cover in (0.1, 0.5, 0.9):
        assert (pattern > 1 - cover).mean() == pytest.approx(cover, abs=0.001)
    for axis in (0, 1):
        inside = np.abs(np.diff(pattern, axis=axis)).max()
        assert np.abs(pattern.take(0, axis) - pattern.take(-1, axis)).max() <= inside


def test_the_billows_of_clouds_have_no_seam_and_no_direction():
    billows = cloud_pattern.billows()
    rough = [np.abs(np.diff(billows, axis=axis)) for axis in range(3)]
    means = [float(steps.mean()) for steps in rough]
    assert max(means) < 1.1 * min(means)
    for axis, steps in enumerate(rough):
        others = tuple(other for other in range(3) if other != axis)
        across = np.abs(billows.take(0, axis) - billows.take(-1, axis)).mean()
        assert across < 1.1 * steps.mean(axis=others).max(), "the seam is as smooth as what is inside"


def test_clouds_have_no_steps_of_the_march(renderer):
    """Twice as many steps along each sight line hide the same of the sky."""
    scene = plain_scene(**FAIR | {"sky.clouds": 0.4, "camera.y": 3.0, "camera.pitch": 20.0})
    hidden = []
    for steps in (60, 120):
        renderer._clouds = CloudPass(renderer._context, renderer._look)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clouds, "_RESTING_STEPS", steps)
            capture.still(renderer, scene, PLAIN, (128, 72), samples=4)
        hidden.append(renderer._clouds.alpha())
    few, many = hidden
    assert 0.2 < many.mean() < 0.9
    assert np.abs(few - many).mean() < 0.03
    assert np.corrcoef(few.ravel(), many.ravel())[0, 1] > 0.98


FAIR = {  # a plain under a sun at 60°, seen from above: a picture of 1.2 km, in which there are several clouds
    "sky.kind": "physical",
    "sun.ambient": 0.2,
    "camera.x": 500.0,
    "camera.y": 1200.0,
    "sky.cloud_size": 0.3,
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


def test_clouds_are_drawn_once_for_as_long_as_nothing_moves(renderer, monkeypatch):
    drawn = []
    draw = CloudPass._draw
    monkeypatch.setattr(CloudPass, "_draw", lambda *rest, **more: (drawn.append(1), draw(*rest, **more))[1])
    scene = plain_scene(**FAIR | {"sky.clouds": 0.5, "camera.pitch": 30.0})
    renderer.show(PLAIN)
    renderer.draw(scene, SIZE, 16)
    assert len(drawn) == 1
    renderer.draw(scene.replace({"air.exposure": 1.0}), SIZE, 16)
    assert len(drawn) == 1, "exposure comes later"
    for change in ({"sun.elevation": 20.0}, {"camera.yaw": 3.0}, {"sky.cirrus": 0.5}):
        before = len(drawn)
        scene = scene.replace(change)
        renderer.draw(scene, SIZE, 16)
        assert len(drawn) == before + 1
    renderer.show(dataclasses.replace(PLAIN, heights=PLAIN.heights + 200))
    renderer.draw(scene, SIZE, 16)
    assert len(drawn) == before + 2, "clouds stand over the land's border, which has risen"
    renderer.draw(scene.replace({"sky.clouds": 0.0, "sky.cirrus": 0.0}), SIZE, 16)
    assert len(drawn) == before + 2


def test_clouds_light_what_they_shade(renderer):
    """Under a closed sky a third of the light is left, it has little colour, and comes from no side."""

    def light(clouds: float) -> NDArray[np.float64]:
        renderer.show(PLAIN)
        renderer.draw(plain_scene(**FAIR | {"sky.clouds": clouds, "sun.elevation": 40.0}), SIZE, 1)
        block = np.frombuffer(renderer._light._buffer.read(), np.float32).reshape(-1, 4)
        counts = np.cumsum([0] + [count for _, count in lighting._FIELDS])
        first = dict(zip((name for name, _ in lighting._FIELDS), counts, strict=False))["sky"]
        return block[first : first + 4, :3].astype(float)

    clear, closed = light(0.0), light(1.0)
    total = clear[0] + clear[2] + transmittance(40.0, 1000.0) * np.sin(np.radians(40.0))
    under = closed[0] + closed[2] + (1 - 0.88) * (total - clear[0] - clear[2])
    assert 0.2 < (LUMINANCE @ under) / (LUMINANCE @ total) < 0.4
    assert (closed[0] / closed[0][0])[2] < (clear[0] / clear[0][0])[2] / 1.5, "less blue"
    assert np.abs(closed[[1, 3]]).max() < 0.3 * np.abs(clear[[1, 3]]).max()


@pytest.mark.parametrize("azimuth", [20.0, 250.0])
@pytest.mark.parametrize("exaggeration", [1.0, 3.0])
def test_a_cloud_stands_where_its_shadow_falls(renderer, azimuth, exaggeration):
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
        seen(renderer, there.replace({"camera.pitch": 60.0, "camera.yaw": azimuth}))
        alpha = renderer._clouds.alpha()
        row, column = (side // 2 for side in alpha.shape)
        hidden.append(float(alpha[row - 1 : row + 1, column - 1 : column + 1].mean()))
    dark, hides = 1 - np.array(light) / max(light), np.array(hidden)
    assert (dark > 0.5).sum() > 3 and (dark < 0.02).sum() > 3
    assert (hides[dark > 0.5] > 0.7).all()
    assert np.median(hides[dark < 0.02]) < 0.1, "but the way to the sun may meet the side of a cloud over the base"
    assert np.corrcoef(dark, hides)[0, 1] > 0.7
