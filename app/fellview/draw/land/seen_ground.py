"""Which ground around a land a camera sees: a wedge, seen from above.

A dragged slider changes all of that ground with every frame, and three quarters of it lie beside the eye and behind it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from fellview.gpu.state import Box
from fellview.scene.groups.camera import Camera
from fellview.view import projection

_BACK = 0.4  # sides of the land that it begins behind the eye: what lies beside the view decides slopes at its edge
_BESIDE = math.radians(4.0)
_WIDEST = math.radians(150.0)


@dataclass(frozen=True)
class SeenGround:
    """All places (x, z), in sides of the land from its first vertex, that lie from `apex` between two directions.

    `low` and `high` are angles from the x axis to the z axis, less than half a turn apart.
    """

    apex: tuple[float, float]
    low: float
    high: float

    def boxes(self, first: float, step: float, vertices: int, strips: int) -> list[Box]:
        """Return boxes that hold all of its vertices of a grid, one in each of so many strips of rows, or none.

        The grid has `vertices` along either axis, the first at `first` on both, `step` apart. Boxes begin and end at
        even vertices: differences between neighbours are taken of two by two.
        """
        found = []
        edges = [2 * (vertices * number // strips // 2) for number in range(strips)] + [vertices]
        for start, end in itertools.pairwise(edges):
            span = self._span(first + step * start, first + step * (end - 1), first, first + step * (vertices - 1))
            if span is not None:
                left, right = ((at - first) / step for at in span)
                column = 2 * (math.floor(left) // 2)
                after = min(2 * (math.ceil(right) // 2 + 1), vertices)
                found.append((column, start, after - column, end - start))
        return found

    def _span(self, z_first: float, z_last: float, least: float, most: float) -> tuple[float, float] | None:
        """Return from which x to which it reaches between two z, cut to `least` and `most`; none where it does not."""
        x, z = self.apex
        # inside is what lies to the left of the one edge and to the right of the other
        edges = (-math.sin(self.low), math.cos(self.low)), (math.sin(self.high), -math.cos(self.high))
        spans = []
        for at in {z_first, z_last, min(max(z, z_first), z_last)}:
            low, high = least, most
            for across, along in edges:
                short = -along * (at - z)  # across · (x' − x) has to be as much
                if abs(across) < 1e-9:
                    low, high = (low, high) if short <= 1e-9 else (most, least)
                elif across > 0:
                    low = max(low, x + short / across)
                else:
                    high = min(high, x + short / across)
            if low <= high:
                spans.append((low, high))
        return (min(low for low, _ in spans), max(high for _, high in spans)) if spans else None


def seen_ground(camera: Camera, aspect: float, sides_m: tuple[float, float]) -> SeenGround | None:
    """Return the ground that `camera` may see in a picture of that `aspect`, around a land with `sides_m` (x, z).

    None where that is no wedge: of an eye that looks down, or along parallel lines.
    """
    if camera.is_parallel:
        return None
    rise = math.tan(math.radians(camera.field_of_view) / 2)
    right, up, ahead = projection.axes(camera.yaw, camera.pitch)
    corners = [ahead + x * aspect * rise * right + y * rise * up for x in (-1, 1) for y in (-1, 1)]
    flat = np.array(corners)[:, [0, 2]] / sides_m
    middle = math.atan2(*(np.array([ahead[0], ahead[2]]) / sides_m)[::-1])
    turned = (np.arctan2(flat[:, 1], flat[:, 0]) - middle + math.pi) % (2 * math.pi) - math.pi
    low, high = float(turned.min()) - _BESIDE, float(turned.max()) + _BESIDE
    if high - low > _WIDEST:
        return None
    along = middle + (low + high) / 2
    eye = camera.x / sides_m[0], camera.z / sides_m[1]
    return SeenGround((eye[0] - _BACK * math.cos(along), eye[1] - _BACK * math.sin(along)), middle + low, middle + high)
