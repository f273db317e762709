"""How close to the ground an eye may come."""

from __future__ import annotations

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.masks import masks_there
from fellview.view.exaggeration import exaggerated
from fellview.view.extent import Vector, extent
from fellview.view.picking import heights_at

_EYE_HEIGHT_M = 2.0  # of a tall standing person
_CLEARANCE_OF_WIDTH = 1 / 1000  # on a land of 50 m a person's height would already be a tower


def clearance(field: HeightField) -> float:
    """Return the least height of an eye above the ground, in metres."""
    return min(_EYE_HEIGHT_M, max(_CLEARANCE_OF_WIDTH * extent(field).width, 1e-6))


def floor_at(field: HeightField, x: float, z: float) -> float:
    """Return the lowest height in metres that an eye may have at (x, z); see `floors_at`."""
    return float(floors_at(field, np.array([x]), np.array([z]))[0])


def floors_at(field: HeightField, x: Vector, z: Vector) -> Vector:
    """Return the lowest heights in metres that an eye may have at the points `x`, `z` (n,).

    Over the land that is the ground and the clearance. Outside, the floor falls from the nearest edge at 45° down to
    the lowest ground: a cliff there would throw up an eye that flies in below the edge.
    """
    box = extent(field)
    outside = np.hypot(
        np.maximum(np.maximum(box.low[0] - x, x - box.high[0]), 0.0),
        np.maximum(np.maximum(box.low[2] - z, z - box.high[2]), 0.0),
    )
    floors: Vector = np.maximum(heights_at(field, x, z) - outside, box.low[1]) + clearance(field)
    return floors


def above_ground(camera: Camera, field: HeightField) -> Camera:
    """Return `camera`, lifted to the floor where its eye lies lower; an orthographic one may have it anywhere."""
    if camera.is_parallel:
        return camera
    # most eyes are higher than all ground about: then no height is read, which may have to come from the GPU
    if camera.y >= extent(field).top_near(camera.x, camera.z) + clearance(field):
        return camera
    floor = floor_at(field, camera.x, camera.z)
    return camera if camera.y >= floor else camera.replace(y=floor)


def above_water(camera: Camera, scene: Scene, field: HeightField) -> Camera:
    """Return `camera`, lifted over the sea of `scene` or the lake of `field` that covers its eye.

    `field` is the land as computed; lakes whose masks have not come are none yet, and beside a slab there is no water.
    The demo's own camera goes where it is sent, as does an orthographic one.
    """
    if camera.mode != "orbit" or camera.is_parallel or not scene.water.enabled:
        return camera
    drawn = exaggerated(field, scene.view.exaggeration)
    low, high = extent(drawn).low, extent(drawn).high
    over_land = low[0] <= camera.x <= high[0] and low[2] <= camera.z <= high[2]
    level = -np.inf
    if scene.water.sea and (over_land or scene.view.stage != "slab"):
        level = scene.water.sea_level
    if scene.water.lakes and over_land and camera.y < high[1] + clearance(drawn):  # no lake is higher than all ground
        level = max(level, _lake_level(field, scene, camera.x, camera.z))
    floor = scene.view.exaggeration * level + clearance(drawn)
    return camera if camera.y >= floor else camera.replace(y=floor)


def _lake_level(field: HeightField, scene: Scene, x: float, z: float) -> float:
    """Return the height in metres of the lake in the cell at (x, z), the highest of several; -inf where none is."""
    masks = masks_there(field, scene.water)
    if masks is None or "lake_depth" not in masks:
        return -np.inf
    row, column = min(int(z / field.cell_size[0]), field.rows - 1), min(int(x / field.cell_size[1]), field.columns - 1)
    depth = masks["lake_depth"][row : row + 2, column : column + 2]
    wet = np.nonzero(depth > 0)
    if not len(wet[0]):
        return -np.inf
    return float((field.at(row + wet[0], column + wet[1]) + depth[wet]).max())


def above_all(scene: Scene, field: HeightField) -> Camera:
    """Return the camera of `scene`, lifted over ground and water that cover its eye; `field` is the land computed."""
    camera, drawn = scene.camera, exaggerated(field, scene.view.exaggeration)
    return above_water(above_ground(camera, drawn) if camera.mode == "orbit" else camera, scene, field)
