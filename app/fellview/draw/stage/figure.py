"""The figure pass: a person of 1.8 m and a pole of 20 m on the ground, which tell how large the land is."""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame
from fellview.draw.light.lighting import LitPrograms
from fellview.gpu import programs
from fellview.gpu.uniform_block import UniformBlock
from fellview.view.figure import PERSON_M, POLE_M, POLE_RADIUS_M, standing

BAND_M = 1.0
GROUP_M = 5.0
"""The pole's bands are red and white over so many metres, then blue and white: far off the groups can be counted."""

Colour = tuple[float, float, float]
Ring = tuple[float, float, float]
"""Height, half the width (x) and half the depth (z) in metres."""

_SIDES = 16
_TROUSERS, _JACKET, _SKIN = (0.05, 0.06, 0.09), (0.80, 0.16, 0.03), (0.55, 0.33, 0.23)  # albedo; orange is no ground's
_RED, _BLUE, _WHITE = (0.62, 0.04, 0.03), (0.03, 0.07, 0.30), (0.85, 0.85, 0.82)
_SUNK_M = -0.3  # both go on so far into the ground: on a slope of 45° nothing shows under their lower side

# Widths of an adult: shoulders 0.46 m, hips 0.34 m, head 0.17 m; Pheasant, "Bodyspace" (1986), table 10.1.
_LEGS: tuple[Ring, ...] = (
    (_SUNK_M, 0.13, 0.13),
    (0.0, 0.13, 0.13),
    (0.06, 0.12, 0.12),
    (0.1, 0.1, 0.08),
    (0.45, 0.13, 0.09),
    (0.87, 0.17, 0.11),
)
_TRUNK: tuple[Ring, ...] = (
    (0.8, 0.0, 0.0),
    (0.8, 0.18, 0.12),
    (1.1, 0.19, 0.12),
    (1.38, 0.23, 0.13),
    (1.48, 0.19, 0.11),
    (1.53, 0.06, 0.06),
)
_HEAD_M, _HEAD_MIDDLE_M = (0.145, 0.085, 0.1), PERSON_M - 0.145


class FigurePass(DrawPass):
    """Draws person and pole where the scene has them."""

    name = "figure"

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        super().__init__(context, look)
        self._programs = LitPrograms(context, look, "draw/stage/figure.vert", "draw/stage/figure.frag")
        self._counts: list[int] = []  # of the vertices of each, once there are any
        self._vertices: moderngl.Buffer | None = None
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def wanted(self, frame: Frame) -> bool:
        """Return whether there is land to stand on."""
        return frame.field is not None

    def draw(self, frame: Frame) -> None:
        """Draw both on the land and as high as it is drawn; off the land they are not drawn."""
        field = frame.field
        things = standing(frame.scene, field, frame.size) if field is not None else ()
        if not things:
            return
        self._context.enable_only(moderngl.DEPTH_TEST)
        program = self._programs.of(frame.lighting)
        programs.write(program, "u_view_projection", frame.view_projection)
        program["u_exaggeration"] = frame.scene.view.exaggeration
        if self._vertices is None:
            bodies = person(), pole()
            self._counts = [len(body) for body in bodies]
            self._vertices = self._context.buffer(np.concatenate(bodies).tobytes())
        if program.glo not in self._arrays:
            self._arrays[program.glo] = self._context.vertex_array(
                program, [(self._vertices, "3f 3f 3f", "in_position_m", "in_normal", "in_albedo")]
            )
        first = 0
        for thing, count in zip(things, self._counts, strict=True):
            program["u_foot_m"] = tuple(thing.foot_m)
            program["u_widened"] = thing.widened
            self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=count, first=first)
            first += count


def person() -> NDArray[np.float32]:
    """Return the triangles of a person: position in metres, normal and albedo of each corner, (corners, 9)."""
    turns = np.linspace(-np.pi / 2, np.pi / 2, 9)
    tall, half_width, half_depth = _HEAD_M
    head = tuple((_HEAD_MIDDLE_M + tall * np.sin(t), half_width * np.cos(t), half_depth * np.cos(t)) for t in turns)
    return np.concatenate([_turned(_LEGS, _TROUSERS), _turned(_TRUNK, _JACKET), _turned(head, _SKIN)])


def pole() -> NDArray[np.float32]:
    """Return the triangles of a pole in bands of a metre, (corners, 9)."""
    radius, parts = POLE_RADIUS_M, []
    for number, low in enumerate(np.arange(0, POLE_M, BAND_M)):
        strong = (_RED, _BLUE)[int(low // GROUP_M) % 2]
        bottom = _SUNK_M if number == 0 else low
        parts.append(_turned(((bottom, radius, radius), (low + BAND_M, radius, radius)), (strong, _WHITE)[number % 2]))
    parts.append(_turned(((POLE_M, radius, radius), (POLE_M, 0.0, 0.0)), _WHITE))
    return np.concatenate(parts)


def _turned(rings: tuple[Ring, ...], albedo: Colour) -> NDArray[np.float32]:
    """Return the triangles of the surface through `rings`, ellipses about the y axis, (corners, 9).

    With p(θ, y) = (a cos θ, y, b sin θ) the normal is ∂p/∂y × ∂p/∂θ; along the rings, derivatives are by differences.
    """
    height, a, b = (np.array(part, float)[:, None] for part in zip(*rings, strict=True))
    theta = np.linspace(0, 2 * np.pi, _SIDES + 1)[None, :]
    place = np.stack([a * np.cos(theta), np.broadcast_to(height, (len(rings), _SIDES + 1)), b * np.sin(theta)], axis=-1)
    round_ = np.stack([-a * np.sin(theta), np.zeros_like(a * theta), b * np.cos(theta)], axis=-1)
    step = place[1:] - place[:-1]
    corners = []
    for row, upwards in enumerate(step):
        for offsets in (((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 1), (0, 1))):
            for down, along in offsets:
                sides = np.arange(_SIDES) + along
                around = round_[row + down, sides]
                if not around.any():  # a point has no way around it: its neighbour's
                    around = round_[row + 1 - down, sides]
                normal = np.cross(upwards[sides], around)
                normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
                corners.append(np.hstack([place[row + down, sides], normal, np.tile(albedo, (_SIDES, 1))]))
    triangles = [np.stack(corners[first : first + 3], axis=1).reshape(-1, 9) for first in range(0, len(corners), 3)]
    return np.concatenate(triangles).astype(np.float32)
