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
    assert first.shape == (24, 38, 4) and first.dtype == np.uint8
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
