"""The sky pass: whichever sky there is, behind everything."""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np

from fellview.core.height_field import HeightField
from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame
from fellview.draw.light.lighting import LitPrograms
from fellview.draw.target import Size
from fellview.gpu import bindings, programs, state
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.scene import Scene
from fellview.view import projection

_SIGHT_RADII = 20.0  # of the land, from which the sky's parallel sight lines begin: near enough for float32's digits
_FULL_SCREEN_CORNERS = (
    (-1.0, -1.0),
    (3.0, -1.0),
    (-1.0, 3.0),
)  # of the triangle that covers the viewport, in clip space


@dataclass(frozen=True)
class Parallel:
    """Where the sight lines of an orthographic view begin."""

    corners: np.ndarray
    """Places (x, y, z) at the triangle's corners, (3, 3); they interpolate linearly."""
    pixel: float
    """How long a pixel is at the land, for every metre from there."""


class SkyPass(DrawPass):
    """Fills the pixels that no ground covers, above the horizon and below it."""

    name = "sky"

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        super().__init__(context, look)
        self._programs = LitPrograms(context, look, "draw/sky/sky.vert", "draw/sky/sky.frag")
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def wanted(self, frame: Frame) -> bool:
        """Return whether anything is behind what was drawn."""
        return not frame.options.transparent

    def draw(self, frame: Frame) -> None:
        """Draw at the far plane, clouds over it."""
        context, clouds = self._context, frame.clouds
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        directions = corner_directions(frame.scene, frame.seen_size, frame.shift)
        parallel = _parallel(frame.scene, frame.field, frame.size, frame.shift)
        for half, (first, count) in halves(directions, frame.size[1]).items():
            first, count = frame.region.rows_of(first, count)
            if count == 0:
                continue
            kinds = {half: True, "STARRY": frame.lighting.starry, "ORTHOGRAPHIC": parallel is not None}
            defines = "".join(f"#define {name}\n" for name, is_so in kinds.items() if is_so)
            program = self._programs.of(frame.lighting, defines)
            if bindings.reads(program, "u_corner_dir_world"):  # a black sky is one everywhere
                programs.write(program, "u_corner_dir_world", directions)
            if parallel is not None and bindings.reads(program, "u_corner_eye_world"):
                programs.write(program, "u_corner_eye_world", parallel.corners)
            if parallel is not None:
                bindings.write(program, {"u_water_pixel": parallel.pixel})
            if bindings.reads(program, "u_cloud_picture"):
                assert clouds is not None, "the pass of clouds draws before"
                bindings.use(program, {"u_cloud_picture": clouds})
                bindings.write(program, {"u_picture_size": frame.size, "u_corner_px": frame.region.corner})
            if program.glo not in self._arrays:
                self._arrays[program.glo] = context.vertex_array(program, [])
            with state.rows_only(context.fbo, first, count):
                self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)
        context.depth_func = "<"


def corner_directions(scene: Scene, size: Size, shift: np.ndarray | float = 0.0) -> np.ndarray:
    """Return the world directions at the corners of the full-screen triangle, (3, 3); they interpolate linearly.

    An orthographic view has one direction. `shift`, in clip space, is that of a frame.
    """
    width, height = size
    if scene.camera.is_parallel:
        return np.tile(projection.forward(scene.camera), (3, 1))
    forward, right, up = projection.forward(scene.camera), projection.right(scene.camera), projection.up(scene.camera)
    rise = np.tan(np.radians(scene.camera.field_of_view) / 2)
    corners = np.array(_FULL_SCREEN_CORNERS) - shift
    return np.array([forward + x * rise * width / height * right + y * rise * up for x, y in corners])


def _parallel(scene: Scene, field: HeightField | None, size: Size, shift: np.ndarray) -> Parallel | None:
    """Return where the sight lines of an orthographic view begin; None for a perspective."""
    camera = scene.camera
    if not camera.is_parallel:
        return None
    place, half_height = projection.light_goes_to(camera, field, _SIGHT_RADII)
    right, up = (
        camera.span / 2 * projection.aspect_of(size) * projection.right(camera),
        camera.span / 2 * projection.up(camera),
    )
    corners = np.array([place + x * right + y * up for x, y in np.array(_FULL_SCREEN_CORNERS) - shift])
    return Parallel(corners, 2 * half_height / size[1])


def halves(directions: np.ndarray, height: int) -> dict[str, tuple[int, int]]:
    """Return first row and number of rows, from below, of the pixels that look ABOVE the horizon and BELOW it.

    Cameras do not roll, so that a row looks up or down as a whole; `directions` are those of `corner_directions`.
    Each half has a program of its own, since software OpenGL runs through both sides of every branch.
    """
    low, high = directions[[0, 2], 1]  # at -1 and 3 of clip space
    rises = low + (high - low) * (np.arange(height) + 0.5) / (2 * height) >= 0
    above = int(rises.sum())
    first = int(rises.argmax()) if above else height
    return {"ABOVE": (first, above), "BELOW": (above if first == 0 else 0, height - above)}
