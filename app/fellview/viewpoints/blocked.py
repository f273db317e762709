"""Whether near ground is in the way of a view."""

from __future__ import annotations

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.extent import extent
from fellview.view.picking import heights_at
from fellview.view.projection import axes, eye, half_extents

_NEAR_WIDTHS = 1 / 25  # of the land
_COLUMNS, _ROWS, _STEPS = 9, 7, 160  # sight lines through the middle third of the picture, and places along each
_MOST = 0.5  # of them


def is_blocked(camera: Camera, field: HeightField, aspect: float) -> bool:
    """Return whether over half of the middle of the picture shows ground within a twenty-fifth of the land's width.

    The middle is the middle third of the width, from the picture's middle up and as far down. `field` is the land as
    drawn; an orthographic camera has nothing in its way.
    """
    if camera.is_parallel:
        return False
    half_height, half_width = half_extents(camera, aspect)
    across, up = np.meshgrid(
        np.linspace(-1 / 3, 1 / 3, _COLUMNS) * half_width, np.linspace(-1 / 3, 1 / 3, _ROWS) * half_height
    )
    ways = np.stack([across, up, np.ones_like(up)], axis=-1).reshape(-1, 3) @ axes(camera.yaw, camera.pitch)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    distances = np.geomspace(1e-4, 1, _STEPS) * (_NEAR_WIDTHS * extent(field).width)
    x, y, z = (eye(camera)[i] + distances[:, np.newaxis] * ways[:, i] for i in range(3))
    ground = heights_at(field, x.ravel(), z.ravel()).reshape(x.shape)
    size_z, size_x = field.size
    inside = (x >= 0) & (x <= size_x) & (z >= 0) & (z <= size_z)
    return bool(((ground > y) & inside).any(axis=0).mean() > _MOST)
