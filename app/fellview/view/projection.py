"""From the world to the screen and back.

The world is left-handed (looking along +z, x is to the right); OpenGL's eye space is right-handed and looks along -z.
The one reflection between them is `_TO_OPENGL_HAND`, and nothing else in the project mirrors anything. A picture is not
mirrored by it: right stays right. Triangles keep their sense on the screen too, so the land's, which run clockwise seen
from above, are clockwise where they face the eye.

A size is (width, height) in pixels. A pixel is (x right, y down) from the window's top-left corner, and may have a
fraction; (width/2, height/2) is the middle.

An orthographic camera shows `Camera.span` metres from the lower to the upper edge. Its sight lines are parallel and
come from behind everything: of its eye only the place across the view counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.extent import Vector, extent
from fellview.view.ground import clearance

Matrix = NDArray[np.float32]
Size = tuple[int, int]
Pixel = tuple[float, float]

BEHIND_M = 1e8
"""How far behind its eye an orthographic camera's sight lines begin: more than any land is wide; float64 keeps the
places there to 1e-8 m."""

DEMO_CLIP_PLANES = (1.0, 1000.0)  # the DirectX demo's near and far plane in metres

_TO_OPENGL_HAND = (1.0, 1.0, -1.0)  # along right, up, forward

_NEAR_LIMIT = 1e-5  # of far: a smaller near plane leaves 24 bits of depth too coarse to sort distant ridges
_STANDS_M = 200.0  # more than stands on any land, a pole of 20 m drawn ten times as high
_FAR_OFF = 1000.0  # radii of the land: from there sight lines are parallel to a thousandth over the land
_WIDEST_ASPECT = 2.4  # width by height of a wide desktop monitor; bounds how far off the axis a corner looks


def axes(yaw: float, pitch: float) -> Vector:
    """Return the camera's right, up and forward as the rows of a float64 (3, 3); the angles are in degrees.

    They come from the angles alone, so that straight up and straight down are directions like any other.
    """
    sin_yaw, cos_yaw = np.sin(np.radians(yaw)), np.cos(np.radians(yaw))
    sin_pitch, cos_pitch = np.sin(np.radians(pitch)), np.cos(np.radians(pitch))
    return np.array(
        [
            [cos_yaw, 0.0, -sin_yaw],
            [-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch],
            [sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch],
        ]
    )


def right(camera: Camera) -> Vector:
    """Return the unit vector (x, y, z) to the right of the screen."""
    return axes(camera.yaw, camera.pitch)[0]


def up(camera: Camera) -> Vector:
    """Return the unit vector (x, y, z) up the screen."""
    return axes(camera.yaw, camera.pitch)[1]


def forward(camera: Camera) -> Vector:
    """Return the unit vector (x, y, z) into the screen."""
    return axes(camera.yaw, camera.pitch)[2]


def eye(camera: Camera) -> Vector:
    """Return the eye's place (x, y, z) in metres."""
    return np.array([camera.x, camera.y, camera.z])


def view_projection(
    camera: Camera, size: Size, near: float, far: float, shift: Sequence[float] | Vector = (0, 0)
) -> Matrix:
    """Return the matrix from the world to clip space, float32 (4, 4) for row vectors, multiplied in float64.

    Its bytes are a GLSL mat4 to be used as `M * vec4`. `near` and `far` are metres along the view axis, of an
    orthographic camera also behind the eye. `shift` moves the picture right and up, in halves of its width and height.
    """
    matrix = np.array(_projection(camera, aspect_of(size), near, far) * _view(camera))
    matrix[:, :2] += matrix[:, 3:] * np.asarray(shift)
    return np.asarray(matrix, np.float32)


def aspect_of(size: Size) -> float:
    """Return width by height; a minimised window's zero counts as one pixel."""
    return max(size[0], 1) / max(size[1], 1)


def _view(camera: Camera):  # type: ignore[no-untyped-def] # pyrr has no types
    from pyrr import Matrix44  # here, so that reading a scene does not import it

    to_camera = np.eye(4)
    to_camera[:3, :3] = axes(camera.yaw, camera.pitch).T
    to_eye = Matrix44.from_translation(-eye(camera), dtype="f8")
    return Matrix44(np.diag([*_TO_OPENGL_HAND, 1.0])) * Matrix44(to_camera) * to_eye


def _projection(camera: Camera, aspect: float, near: float, far: float):  # type: ignore[no-untyped-def]
    from pyrr import Matrix44

    if camera.is_parallel:
        up_m, right_m = camera.span / 2, aspect * camera.span / 2
        return Matrix44.orthogonal_projection(-right_m, right_m, -up_m, up_m, near, far, dtype="f8")
    return Matrix44.perspective_projection(camera.field_of_view, aspect, near, far, dtype="f8")


def clip_planes(
    camera: Camera, field: HeightField, base: float | None = None, around_m: float = 0.0
) -> tuple[float, float]:
    """Return the near and far plane in metres that show all of the land with the finest depth there is to have.

    The demo's are fixed. Otherwise far reaches the box's farthest corner, and near stays short of the nearest ground
    in any direction, so that turning in place changes neither. `base` is the height of a slab's base under the land.
    Ground around the land, up to `around_m` from its first vertex, may be near wherever the land ends. The planes of an
    orthographic camera hold a ball about all of it, wherever the eye is: its depth is even, and has digits to spare.
    """
    if camera.is_parallel:
        centre, radius = _ball(field, base)
        middle = float(forward(camera) @ (centre - eye(camera)))
        reach = 2 * radius + around_m + _STANDS_M
        return middle - reach, middle + reach
    if camera.mode == "demo":
        return DEMO_CLIP_PLANES
    land = extent(field)
    place = eye(camera)
    low = land.low if base is None else np.minimum(land.low, [np.inf, base, np.inf])
    farthest = np.linalg.norm(np.maximum(np.abs(low - place), np.abs(land.high - place)))
    off_axis = np.tan(np.radians(camera.field_of_view / 2)) * np.hypot(1, _WIDEST_ASPECT)
    depth_share = 1 / np.hypot(1, off_axis)  # of a distance, as depth, in the corner of the window
    # half: an eye at its clearance over a slope of 60° is only half as far from the ground
    nearest = land.distance_at_least(place)
    if around_m:
        inside = float(np.minimum(place - land.low, land.high - place)[[0, 2]].min())
        nearest = min(nearest, max(inside, 0.0))
    nearest = max(nearest, clearance(field)) / 2 * depth_share
    far = 1.01 * float(farthest) + clearance(field)  # a hundredth, so that rounding never cuts the last corner
    # by the land: how finely depth is told goes by the near plane, and hardly by one that is farther still
    return max(float(nearest), _NEAR_LIMIT * far), max(far, 1.01 * (float(np.linalg.norm(place)) + around_m))


def _ball(field: HeightField, base: float | None) -> tuple[Vector, float]:
    """Return centre (x, y, z) and radius in metres of a ball that holds the land, and a slab's `base` with it."""
    land = extent(field)
    low = land.low if base is None else np.minimum(land.low, [np.inf, base, np.inf])
    return (low + land.high) / 2, float(np.linalg.norm(land.high - low)) / 2


def light_goes_to(camera: Camera, field: HeightField | None, radii: float = _FAR_OFF) -> tuple[Vector, float]:
    """Return where the light of the picture goes to (x, y, z), and half the height seen one metre ahead, in metres.

    That is the eye; of an orthographic camera it is a place as good as infinitely far behind, so many `radii` of the
    land from its middle, from which a long lens would show the land as large.
    """
    if not camera.is_parallel or field is None:
        return eye(camera), half_extents(camera, 1.0)[0]
    centre, radius = _ball(field, None)
    away, ahead = radii * max(radius, 1.0), forward(camera)
    place = eye(camera) + ahead * (float(ahead @ (centre - eye(camera))) - away)
    return place, camera.span / 2 / away


def ray(camera: Camera, size: Size, pixel: Pixel) -> tuple[Vector, Vector]:
    """Return a place (x, y, z) in metres and the unit vector from it through `pixel`.

    The place is the eye; of an orthographic camera it is far behind the eye, on the pixel's own sight line.
    """
    if camera.is_parallel:
        across = (pixel[0] / max(size[0], 1) - 0.5) * aspect_of(size) * camera.span
        upwards = (0.5 - pixel[1] / max(size[1], 1)) * camera.span
        right_, up_, ahead = axes(camera.yaw, camera.pitch)
        return eye(camera) + across * right_ + upwards * up_ - BEHIND_M * ahead, ahead
    half_height, half_width = half_extents(camera, aspect_of(size))
    across = (2 * pixel[0] / max(size[0], 1) - 1) * half_width
    upwards = (1 - 2 * pixel[1] / max(size[1], 1)) * half_height
    direction = np.array([across, upwards, 1.0]) @ axes(camera.yaw, camera.pitch)
    return eye(camera), direction / np.linalg.norm(direction)


def project(camera: Camera, size: Size, point: Sequence[float] | Vector) -> Pixel | None:
    """Return the pixel that shows `point` (x, y, z), which may lie outside the window; None behind the eye.

    Nothing is behind the eye of an orthographic camera.
    """
    across, upwards, depth = axes(camera.yaw, camera.pitch) @ (np.asarray(point, np.float64) - eye(camera))
    if camera.is_parallel:
        return (
            float((across / (aspect_of(size) * camera.span) + 0.5) * max(size[0], 1)),
            float((0.5 - upwards / camera.span) * max(size[1], 1)),
        )
    if depth <= 0:
        return None
    half_height, half_width = half_extents(camera, aspect_of(size))
    return (
        float((across / (depth * half_width) + 1) / 2 * max(size[0], 1)),
        float((1 - upwards / (depth * half_height)) / 2 * max(size[1], 1)),
    )


def half_extents(camera: Camera, aspect: float) -> tuple[float, float]:
    """Return half the height and half the width of what a lens sees one metre ahead, in metres."""
    half_height = float(np.tan(np.radians(camera.field_of_view / 2)))
    return half_height, half_height * aspect
