"""A level plain under any sky, seen from straight above: what light makes of it is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw.colour import from_srgb
from fellview.draw.renderer import Renderer
from fellview.scene.scene import Scene

PICTURE = (64, 36)


def plain_scene(**changes: object) -> Scene:
    """Return a scene that looks straight down on a plain, in light without any tone mapping."""
    values = {
        "sky.kind": "space",
        "sun.ambient": 0.0,
        "sun.elevation": 90.0,
        "ground.bare_slope": 0.0,
        "camera.x": 500.0,
        "camera.y": 300.0,
        "camera.z": 500.0,
        "camera.pitch": -90.0,
        "sky.visibility": 1000.0,
        "sky.plain": "#000000",
    }
    return Scene().replace(values | changes)


def seen(renderer: Renderer, scene: Scene, height_m: float = 0.0) -> NDArray[np.float64]:
    """Return the mean light, rgb, of a picture of a plain; the ground's texture is a mean over many repeats."""
    field = HeightField(np.full((64, 64), height_m, np.float32), (1000 / 64, 1000 / 64))
    return from_srgb(capture.still(renderer, scene, field, PICTURE, samples=1)[..., :3] / 255).mean((0, 1))
