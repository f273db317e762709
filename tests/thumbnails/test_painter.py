"""Thumbnails as they are drawn: the scene's land and light, at every level, from its camera or from above."""

from __future__ import annotations

import numpy as np
import pytest

from fellview.core.errors import Cancelled
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.thumbnails.painter import LEVELS, Level, Painter

SIZE = (64, 40)
SCENE = scenes.load("directx-demo").replace({"grid.rows": 32, "grid.columns": 32})


@pytest.fixture
def painter():
    with gpu_context.aside() as context:
        yield Painter(context, np.zeros(1, np.uint8))


def test_a_picture_is_of_the_scene_and_of_no_other(painter):
    first = painter.draw(SCENE, SIZE, LEVELS[0])[0]
    assert first.shape == (40, 64, 4) and first.dtype == np.uint8
    other = painter.draw(SCENE.replace({"noise.seed": 9}), SIZE, LEVELS[0])[0]
    assert (first != other).any(axis=-1).mean() > 0.2
    np.testing.assert_array_equal(painter.draw(SCENE, SIZE, LEVELS[0])[0], first)


def test_from_above_the_sky_is_not_seen(painter):
    scene = SCENE.replace({"sky.horizon": "#ff00ff", "sky.zenith": "#ff00ff", "sky.plain": "#00ff00"})
    level, above = (painter.draw(scene, SIZE, Level(32, 1), look)[0][..., :3] for look in ("camera", "above"))

    def sky(picture: np.ndarray) -> float:
        return float((np.abs(picture.astype(int) - (255, 0, 255)).max(axis=-1) < 60).mean())

    land = slice(8, 32), slice(20, 44)  # a square in the middle
    assert sky(level) > 0.05 and sky(above[land]) == 0


def test_a_good_view_is_found_once_and_shown_at_every_level(painter):
    aside = SCENE.with_group(SCENE.camera.replace(x=-1e5))
    first, view = painter.draw(aside, SIZE, LEVELS[1], "views")
    again, same = painter.draw(aside, SIZE, LEVELS[1], "views")
    _, finer = painter.draw(aside, SIZE, Level(32, 1), "views")
    assert view == same == finer and view.x > 0
    np.testing.assert_array_equal(first, again)
    assert (first != painter.draw(aside, SIZE, LEVELS[1])[0]).any(axis=-1).mean() > 0.2


def test_what_nobody_wants_is_stopped():
    cancel = np.ones(1, np.uint8)
    with gpu_context.aside() as context, pytest.raises(Cancelled):
        Painter(context, cancel).draw(SCENE, SIZE, LEVELS[0])


def test_more_samples_come_nearer_to_the_picture_of_many(painter):
    one, two, many = (painter.draw(SCENE, SIZE, Level(32, samples))[0].astype(int) for samples in (1, 2, 6))
    assert one.shape == two.shape == many.shape
    assert np.abs(two - many).mean() < 0.7 * np.abs(one - many).mean()


@pytest.mark.slow
def test_the_first_picture_has_what_is_around_the_land(painter):
    wide = scenes.load("highlands").replace({"grid.rows": 64, "grid.columns": 64})
    first = painter.draw(wide, SIZE, Level(32, 1))[0]
    painter.draw(wide, SIZE, Level(32, 2))
    again = painter.draw(wide, SIZE, Level(32, 1))[0]
    assert (np.abs(first.astype(int) - again).max(axis=-1) > 40).mean() < 0.05
