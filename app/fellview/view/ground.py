"""How close to the ground an eye may come."""

from __future__ import annotations

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.look import Camera
from fellview.scene.scene import Scene
from fellview.view.exaggeration import exaggerated
from fellview.view.extent import extent
from fellview.view.picking import height_at

_EYE_HEIGHT_M = 2.0  # of a tall standing person
_CLEARANCE_OF_WIDTH = 1 / 1000  # on a land of 50 m a person's height would already be a tower


def clearance(field: HeightField) -> float:
    """Return the least height of an eye above the ground, in metres."""
    return min(_EYE_HEIGHT_M, max(_CLEARANCE_OF_WIDTH * extent(field).width, 1e-6))


def floor_at(field: HeightField, x: float, z: float) -> float:
    """Return the lowest height in metres that an eye may have at (x, z).

    Over the land that is the ground and the clearance. Outside, the floor falls from the nearest edge at 45° down to
    the lowest ground: a cliff there would throw up an eye that flies in below the edge.
    """
    box = extent(field)
    outside = np.hypot(
        max(box.low[0] - x, x - box.high[0], 0.0),
        max(box.low[2] - z, z - box.high[2], 0.0),
    )
    return max(height_at(field, x, z) - float(outside), float(box.low[1])) + clearance(field)


def above_ground(camera: Camera, field: HeightField) -> Camera:
    """Return `camera`, lifted to the floor where its eye lies lower; an orthographic one may have it anywhere."""
    if camera.is_parallel:
        return camera
    # most eyes are higher than all ground about: then no height is read, which may have to come from the GPU
    if camera.y >= extent(field).top_near(camera.x, camera.z) + clearance(field):
        return camera
    floor = floor_at(field, camera.x, camera.z)
    return camera if camera.y >= floor else camera.replace(y=floor)


def above_sea(camera: Camera, scene: Scene, field: HeightField) -> Camera:
    """Return `camera`, lifted over the sea of `scene` where that covers its eye; beside a slab there is none.

    `field` is the land as it is drawn. The demo's own camera goes where it is sent, as does an orthographic one.
    """
    if camera.mode != "orbit" or camera.is_parallel or not (scene.water.enabled and scene.water.sea):
        return camera
    low, high = extent(field).low, extent(field).high
    if scene.view.stage == "slab" and not (low[0] <= camera.x <= high[0] and low[2] <= camera.z <= high[2]):
        return camera
    floor = scene.view.exaggeration * scene.water.sea_level + clearance(field)
    return camera if camera.y >= floor else camera.replace(y=floor)


def above_all(scene: Scene, field: HeightField) -> Camera:
    """Return the camera of `scene`, lifted over ground and sea that cover its eye; `field` is the land as computed."""
    camera, drawn = scene.camera, exaggerated(field, scene.view.exaggeration)
    return above_sea(above_ground(camera, drawn) if camera.mode == "orbit" else camera, scene, drawn)
