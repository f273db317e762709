"""Draws the panel's triangles over the picture. What to draw comes as plain data, so that nothing here knows ImGui."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import moderngl
import numpy as np
import numpy.typing as npt

from fellview.gpu import bindings, programs

VERTEX = np.dtype([("position", np.float32, 2), ("texture_coordinate", np.float32, 2), ("color", np.uint8, 4)])
"""One corner of a triangle: position in window units (y down), texture coordinate, sRGB colour with straight alpha."""

_LARGEST_WINDOW = 16384  # pixels a side; a clip rectangle beyond it is cut before it becomes an integer

Box = tuple[int, int, int, int]
"""Left, bottom, right and top in pixels of the framebuffer."""


@dataclass(frozen=True)
class Command:
    """Triangles that share a texture and a clip rectangle (left, top, right, bottom in window units)."""

    clip: tuple[float, float, float, float]
    texture: int
    first_index: int
    base_vertex: int
    count: int


@dataclass(frozen=True)
class CommandList:
    """`vertices` of dtype `VERTEX`, `indices` uint16 or uint32 relative to each command's base vertex."""

    vertices: npt.NDArray[Any]
    indices: npt.NDArray[Any]
    commands: tuple[Command, ...]


@dataclass(frozen=True)
class TextureUpdate:
    """A request about one texture: `pixels` (uint8 [row, column, rgba], top row first) go to column `x`, row `y`."""

    kind: Literal["create", "update", "destroy"]
    texture: int
    x: int = 0
    y: int = 0
    pixels: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True)
class DrawData:
    """All that one frame of the panel needs. Texture updates come once: draw every frame, or call `Overlay.update`."""

    lists: tuple[CommandList, ...]
    textures: tuple[TextureUpdate, ...]
    display_position: tuple[float, float]
    display_size: tuple[float, float]
    framebuffer_scale: tuple[float, float]


_Cut = tuple[Command, int, Box]
"""A command, where its indices begin in the buffer, and the box that it draws in."""


class Overlay:
    """The pass that draws `DrawData`; owns its program, one vertex and one index buffer, and the textures by id."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._program = programs.program(ctx, "draw/overlay/overlay.vert", "draw/overlay/overlay.frag")
        self._textures: dict[int, moderngl.Texture] = {}
        self._lent: dict[int, moderngl.Texture] = {}
        self._vertices = ctx.buffer(reserve=1 << 16, dynamic=True)
        self._indices = ctx.buffer(reserve=1 << 16, dynamic=True)
        self._array = self._vertex_array()
        self._drawn: DrawData | None = None  # what the buffers hold
        self._again: tuple[Box, list[_Cut]] | None = None  # a part, and what of that reaches into it

    def lend(self, texture: moderngl.Texture) -> int:
        """Return the id by which commands may name `texture`; the overlay samples it and never releases it."""
        self._lent[texture.glo] = texture
        return int(texture.glo)

    def take_back(self, texture: moderngl.Texture) -> None:
        """Forget a lent texture."""
        self._lent.pop(texture.glo, None)

    def update(self, data: DrawData) -> None:
        """Carry out the texture requests of `data`."""
        for request in data.textures:
            if request.kind == "destroy":
                gone = self._textures.pop(request.texture, None)
                if gone is not None:
                    gone.release()
                continue
            assert request.pixels is not None, "only a destroyed texture has no pixels"
            rows, columns = request.pixels.shape[:2]
            pixels = np.ascontiguousarray(request.pixels)
            if request.kind == "create":
                old = self._textures.pop(request.texture, None)
                if old is not None:
                    old.release()
                texture = self._ctx.texture((columns, rows), 4, pixels)
                texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
                texture.repeat_x = texture.repeat_y = False
                self._textures[request.texture] = texture
            else:
                self._textures[request.texture].write(pixels, viewport=(request.x, request.y, columns, rows))

    def draw(self, data: DrawData, framebuffer: moderngl.Framebuffer) -> None:
        """Draw `data` over `framebuffer`.

        Enable flags, wireframe, viewport, scissor and the bound framebuffer are as before afterwards. moderngl cannot
        tell which blend function and equation stood: those go to moderngl's own defaults, from which each pass starts.
        The framebuffer's size is taken from `data`: of a window's, moderngl keeps the size at its context's making.
        """
        self.update(data)
        self._drawn = self._again = None
        total = sum(len(one.indices) for one in data.lists)
        if not total or min(data.display_size) <= 0:
            return
        self._upload(data, total)
        self._drawn = data
        self._draw(data, _cuts(data), framebuffer)

    def draw_again(self, framebuffer: moderngl.Framebuffer, part: Box) -> None:
        """Draw over `part` of `framebuffer` what was drawn last, as far as triangles reach into it."""
        if self._drawn is None:
            return
        if self._again is None or self._again[0] != part:
            self._again = part, _cuts(self._drawn, part)
        self._draw(self._drawn, self._again[1], framebuffer)

    def _draw(self, data: DrawData, cuts: list[_Cut], framebuffer: moderngl.Framebuffer) -> None:
        with self._drawing(data, framebuffer):
            for command, first, (left, bottom, right, top) in cuts:
                texture = self._textures.get(command.texture) or self._lent.get(command.texture)
                if texture is None:
                    continue
                framebuffer.scissor = (left, bottom, right - left, top - bottom)
                bindings.use(self._program, {"u_texture": texture})
                self._array.render(moderngl.TRIANGLES, vertices=command.count, first=first)

    @contextmanager
    def _drawing(self, data: DrawData, framebuffer: moderngl.Framebuffer) -> Iterator[None]:
        """Set the state in which triangles are drawn; put it back afterwards."""
        size = _size(data)
        ctx: Any = self._ctx  # moderngl's own types refuse what its setters take
        target: Any = framebuffer
        wireframe = ctx.wireframe
        viewport, scissor = target.viewport, target.scissor
        scope = ctx.scope(framebuffer, enable_only=moderngl.BLEND)
        try:
            with scope:
                ctx.wireframe = False
                ctx.blend_equation = moderngl.FUNC_ADD
                # alpha adds up, or a compositor would show the desktop through the window
                ctx.blend_func = (
                    moderngl.SRC_ALPHA,
                    moderngl.ONE_MINUS_SRC_ALPHA,
                    moderngl.ONE,
                    moderngl.ONE_MINUS_SRC_ALPHA,
                )
                target.viewport = (0, 0, *size)
                self._program["u_display_position"] = data.display_position
                self._program["u_display_size"] = data.display_size
                yield
        finally:
            target.viewport = viewport
            # moderngl says the whole framebuffer where scissoring is off
            target.scissor = None if scissor == (0, 0, *framebuffer.size) else scissor
            ctx.wireframe = wireframe
            ctx.blend_func = moderngl.DEFAULT_BLENDING

    def release(self) -> None:
        """Release all that this pass owns."""
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()
        self._lent.clear()
        for one in (self._array, self._vertices, self._indices, self._program):
            one.release()

    def _upload(self, data: DrawData, total: int) -> None:
        """Join all lists into one vertex and one index buffer: moderngl draws without a base vertex, so it is added."""
        vertices = np.concatenate([one.vertices for one in data.lists])
        indices = np.empty(total, np.uint32)
        first = base = 0
        for one in data.lists:
            part = indices[first : first + len(one.indices)]
            part[:] = one.indices
            for command in one.commands:
                part[command.first_index : command.first_index + command.count] += np.uint32(base + command.base_vertex)
            first += len(one.indices)
            base += len(one.vertices)
        grown = False
        if vertices.nbytes > self._vertices.size:
            self._vertices.release()
            self._vertices = self._ctx.buffer(reserve=2 * vertices.nbytes, dynamic=True)
            grown = True
        if indices.nbytes > self._indices.size:
            self._indices.release()
            self._indices = self._ctx.buffer(reserve=2 * indices.nbytes, dynamic=True)
            grown = True
        if grown:
            self._array.release()
            self._array = self._vertex_array()
        self._vertices.write(vertices)
        self._indices.write(indices)

    def _vertex_array(self) -> moderngl.VertexArray:
        layout = (self._vertices, "2f4 2f4 4f1", "in_position", "in_texture_coordinate", "in_color")
        return self._ctx.vertex_array(self._program, [layout], self._indices, index_element_size=4)


def _size(data: DrawData) -> tuple[int, int]:
    """Return width and height of the framebuffer that `data` is drawn over, in pixels."""
    (width, height), (scale_x, scale_y) = data.display_size, data.framebuffer_scale
    return round(width * scale_x), round(height * scale_y)


def _cuts(data: DrawData, part: Box | None = None) -> list[_Cut]:
    """Return the commands of `data` that draw anything; where a `part` is given, of those that reach into it."""
    height, first = _size(data)[1], 0
    found: list[_Cut] = []
    for one in data.lists:
        for command in one.commands:
            box = _pixels(data, command.clip, height)
            if not command.count or not _has_pixels(box):
                continue
            if part is not None:
                box = _within(box, part)
                if not _has_pixels(_within(box, _reach(data, one, command, height))):
                    continue
            found.append((command, first + command.first_index, box))
        first += len(one.indices)
    return found


def _reach(data: DrawData, one: CommandList, command: Command, height: int) -> Box:
    """Return the box about the triangles of `command`, and a pixel farther."""
    indices = one.indices[command.first_index : command.first_index + command.count]
    places = one.vertices["position"][indices.astype(np.intp) + command.base_vertex]
    (left, top), (right, bottom) = places.min(axis=0), places.max(axis=0)
    return _pixels(data, (float(left) - 1, float(top) - 1, float(right) + 1, float(bottom) + 1), height)


def _pixels(data: DrawData, corners: tuple[float, float, float, float], height: int) -> Box:
    """Return left, top, right and bottom in window units as a box in a framebuffer of `height` pixels."""
    (left, top), (scale_x, scale_y) = data.display_position, data.framebuffer_scale
    x0, x1 = ((edge - left) * scale_x for edge in corners[::2])
    y0, y1 = ((edge - top) * scale_y for edge in corners[1::2])
    x0, y0 = max(x0, 0.0), max(y0, 0.0)
    x1, y1 = min(x1, _LARGEST_WINDOW), min(y1, _LARGEST_WINDOW)
    return int(x0), height - int(y1), int(x1), height - int(y0)


def _within(box: Box, other: Box) -> Box:
    return max(box[0], other[0]), max(box[1], other[1]), min(box[2], other[2]), min(box[3], other[3])


def _has_pixels(box: Box) -> bool:
    left, bottom, right, top = box
    return left < right and bottom < top
