"""Slopes of one angle, seen from straight above in an even light: what covers them is known."""

from __future__ import annotations

import numpy as np

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.view import framing

SIZE = (160, 120)
SIDE, CELL_M = 65, 10.0

WHERE = {"ground.kind": "materials", "ground.variation": 0.0, "ground.wetness": 0.0, "ground.snow_line": 20_000.0}
WHERE |= {"ground.relief": 0.0}  # which moves borders to ledges and ribs
"""Materials whose place slope and height alone decide."""


def ramp(degrees, side=SIDE):
    """Return land that rises along x at an angle."""
    row = np.tan(np.radians(degrees)) * CELL_M * np.arange(side)
    return HeightField(np.tile(row, (side, 1)).astype(np.float32), (CELL_M, CELL_M))


def from_above(field, changes=None, height_share=1.0):
    """Return a scene that looks straight down on the middle of `field`, in display colours under an even light."""
    even = {"sky.kind": "gradient", "air.tone": "none", "sun.elevation": 90.0, "sky.visibility": 1000.0}
    scene = Scene().replace({**even, **(changes or {})})
    camera = framing.fitted(scene.camera.replace(yaw=0.0, pitch=-90.0), field, SIZE[0] / SIZE[1])
    return scene.with_group(camera.replace(y=height_share * camera.y))


def seen(renderer, scene, field, samples=1):
    return capture.still(renderer, scene, field, SIZE, samples)[..., :3].astype(int)


def middle(pixels):
    return pixels[pixels.shape[0] // 2, pixels.shape[1] // 2]
