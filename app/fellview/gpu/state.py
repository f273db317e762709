"""The state of OpenGL that passes change, left as it was found.

A pass sets what it needs and need not set it back, where it is drawn within `kept`: what comes after meets the same
framebuffer, flags and boxes as before, an error in the middle of the pass or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import moderngl

OVER: Any = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
"""The blend function of what lies over a picture, and covers as much more of it as alpha says."""


Box = tuple[int, int, int, int]
"""The first column and row, and how many columns and rows."""


@contextmanager
def kept(context: moderngl.Context) -> Iterator[None]:
    """Leave the bound framebuffer, its viewport, scissor box and masks, flags, front face and polygon mode as they are.

    moderngl cannot tell which depth test, blend function and polygon offset stand: those go to its own defaults, from
    which each pass starts. No pass may change which faces are culled: of a fresh context moderngl tells front and back
    where OpenGL has back, so that writing it back would hide everything. Where no framebuffer is bound, flags end
    switched off.
    """
    gl: Any = context  # moderngl's own types refuse what its setters take
    found: Any = context.fbo
    if found is None or not _is_alive(found):
        try:
            yield
        finally:
            _to_defaults(gl)
            gl.wireframe = False
            context.enable_only(moderngl.NOTHING)
        return
    front_face, wireframe = gl.front_face, gl.wireframe
    viewport, scissor = found.viewport, found.scissor
    masks = found.color_mask, found.depth_mask
    scope = context.scope(found)
    try:
        with scope:
            yield
    finally:
        _to_defaults(gl)
        gl.front_face, gl.wireframe = front_face, wireframe
        if _is_alive(found):  # a picture of another size takes its place
            if found.viewport != viewport:
                found.viewport = viewport
            if found.scissor != scissor:  # moderngl says the whole framebuffer where scissoring is off
                found.scissor = None if scissor == (0, 0, *found.size) else scissor
            if (found.color_mask, found.depth_mask) != masks:
                found.color_mask, found.depth_mask = masks
            found.use()
        else:
            context.error  # noqa: B018 # takes the flag of binding what is gone


@contextmanager
def rows_only(
    framebuffer: moderngl.Framebuffer, first: int, count: int, columns: tuple[int, int] | None = None
) -> Iterator[None]:
    """Draw into `count` rows of the bound `framebuffer` from row `first` on, and into all of them afterwards.

    Of `columns`, a first one and how many, only those are drawn, as before and afterwards. A framebuffer has its
    scissor box wherever it is bound again: one that an error left would cut later pictures.
    """
    one: Any = framebuffer  # moderngl's own types refuse what its setters take
    left, width = columns or (0, framebuffer.width)
    one.scissor = left, first, width, count
    try:
        yield
    finally:
        one.scissor = None if columns is None else (left, 0, width, framebuffer.height)


def _is_alive(framebuffer: moderngl.Framebuffer) -> bool:
    return not isinstance(framebuffer.mglo, moderngl.InvalidObject)


def _to_defaults(gl: Any) -> None:
    gl.depth_func = "<"
    gl.blend_func = moderngl.DEFAULT_BLENDING
    gl.polygon_offset = (0.0, 0.0)


@contextmanager
def box_only(framebuffer: moderngl.Framebuffer, box: Box) -> Iterator[None]:
    """Draw into a `box` of `framebuffer`, and into all of it afterwards."""
    one: Any = framebuffer  # moderngl's own types refuse what its setters take
    one.scissor = box
    try:
        yield
    finally:
        one.scissor = None


@contextmanager
def columns_only(framebuffer: moderngl.Framebuffer, first: int, count: int, height: int) -> Iterator[None]:
    """Draw into `count` columns of `framebuffer`, `height` pixels high, from `first` on, and into all afterwards."""
    with box_only(framebuffer, (first, 0, count, height)):
        yield
