"""Small pictures in textures: which are kept, and that those without alpha are opaque."""

import numpy as np
import pytest

from fellview.draw.overlay.overlay import Overlay
from fellview.draw.overlay.thumbnails import Thumbnails


@pytest.fixture
def thumbnails(context):
    overlay = Overlay(context)
    yield Thumbnails(context, overlay, 2)
    overlay.release()


def test_a_picture_without_alpha_is_opaque(thumbnails):
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    thumbnails.put("a", pixels)
    texture = thumbnails._textures["a"]
    kept = np.frombuffer(texture.read(), np.uint8).reshape(2, 3, 4)
    assert np.array_equal(kept[..., :3], pixels) and (kept[..., 3] == 255).all()


def test_those_that_were_put_last_are_kept(thumbnails):
    pixels = np.zeros((2, 2, 4), np.uint8)
    ids = [thumbnails.put(key, pixels) for key in ("a", "b", "a", "c")]
    assert thumbnails.id("b") is None
    assert thumbnails.ids() == {"a": ids[2], "c": ids[3]} and ids[0] == ids[2]
    assert thumbnails.id("c") == ids[3]
