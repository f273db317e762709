"""Textures whose coarser levels are ours: drawn by a pass, or made once and kept, instead of by the driver.

llvmpipe compiles what makes the levels of the first texture of a format anew in every process, which takes 45 to 115 ms
each; our pass takes 3 to 10, since Mesa keeps it on disk. Its own are rounded up at every level: the coarsest of bytes
are 4 too bright, and slopes kept in them lean to one side. moderngl has no calls for levels, so OpenGL's functions are
asked of the context as moderngl asks for its own. Where it does not tell, or a driver wants more of a level before it
draws into it, the driver makes the levels.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.gpu import bindings, formats, programs, state

# OpenGL 3.3, tables 3.2 to 3.13 and 4.11
_TEXTURE_2D, _TEXTURE_2D_ARRAY = 0x0DE1, 0x8C1A
_BASE_LEVEL, _MAX_LEVEL = 0x813C, 0x813D
_UNIT = bindings.OWN.start  # of what a pass reads that reads one texture
_FRAMEBUFFER, _COLOUR_ATTACHMENT, _COMPLETE = 0x8D40, 0x8CE0, 0x8CD5
_LAYOUTS = {1: 0x1903, 2: 0x8227, 4: 0x1908}  # RED, RG and RGBA
_TYPES = {"f1": 0x1401, "f2": 0x140B, "f4": 0x1406}
_INTERNAL = {
    (1, "f1"): 0x8229,
    (2, "f1"): 0x822B,
    (4, "f1"): 0x8058,
    (1, "f2"): 0x822D,
    (2, "f2"): 0x822F,
    (4, "f2"): 0x881A,
    (1, "f4"): 0x822E,
    (2, "f4"): 0x8230,
    (4, "f4"): 0x8814,
}
"""By components and moderngl's names of numbers: R8, RG8, RGBA8, R16F, RG16F, RGBA16F, R32F, RG32F and RGBA32F."""

Levels = Sequence[NDArray[Any]]


def levels(values: NDArray[Any]) -> list[NDArray[Any]]:
    """Return `values`, (..., n, n, components) where n is a power of two, and its coarser levels down to one texel.

    A texel is the mean of the four under it. The mean is taken of the next finer level before that is rounded.
    """
    made = [values]
    exact = values.astype(np.float32)
    while exact.shape[-2] > 1:
        exact = 0.5 * (exact[..., 0::2, :, :] + exact[..., 1::2, :, :])
        exact = 0.5 * (exact[..., 0::2, :] + exact[..., 1::2, :])
        rounded = np.rint(exact) if np.issubdtype(values.dtype, np.integer) else exact
        made.append(rounded.astype(values.dtype))
    return made


def texture(context: moderngl.Context, made: Levels) -> moderngl.Texture:
    """Return the levels `made` of one picture, uint8 (n, n, 4) and on, as a texture."""
    finest = made[0]
    texture = context.texture((finest.shape[1], finest.shape[0]), 4, finest)
    reserve(texture)
    write(texture, made[1:])
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


def array(context: moderngl.Context, made: Levels, dtype: str) -> moderngl.TextureArray:
    """Return the levels `made` of all layers, (layers, n, n, 4) and on, as a texture array of moderngl's `dtype`."""
    finest = made[0]
    texture = context.texture_array((finest.shape[2], finest.shape[1], finest.shape[0]), 4, finest, dtype=dtype)
    # target, level, internal format, three sizes, border; layout, type, data: OpenGL 3.3, section 3.8.1
    numbers = ctypes.c_uint, *[ctypes.c_int] * 6, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p
    define = _function(context, "glTexImage3D", *numbers)
    if define:
        internal, layout, kind = _INTERNAL[4, dtype], _LAYOUTS[4], _TYPES[dtype]
        texture.use(bindings.SCRATCH)
        for number, values in enumerate(made[1:], start=1):
            layers, rows, columns = values.shape[:3]
            data = np.ascontiguousarray(values)
            define(_TEXTURE_2D_ARRAY, number, internal, columns, rows, layers, 0, layout, kind, data.ctypes.data)
    else:
        texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


def empty(
    context: moderngl.Context, size: tuple[int, int], components: int, dtype: str = "f1", finest: Any = None
) -> moderngl.Texture:
    """Return a texture of `size` (columns, rows) that ends at its border, with coarser levels of undefined content.

    So is its own content where no bytes of the `finest` level are given.
    """
    texture = context.texture(size, components, finest, dtype=dtype)
    texture.repeat_x = texture.repeat_y = False
    reserve(texture)
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


def reserve(texture: moderngl.Texture) -> None:
    """Give `texture` its coarser levels, of undefined content."""
    gl = _Calls.of(texture)
    if gl is None:
        texture.build_mipmaps()
        return
    texture.use(bindings.SCRATCH)
    for level in range(1, _count(texture)):
        gl.define(texture, level, None)


def write(texture: moderngl.Texture, coarser: Levels) -> None:
    """Fill the levels of `texture`, which has them, from the second on: each [row, column, component] of its dtype."""
    gl = _Calls.of(texture)
    if gl is not None:
        texture.use(bindings.SCRATCH)
    for level, values in enumerate(coarser, start=1):
        if gl is None:
            texture.write(np.ascontiguousarray(values), level=level)
        else:
            gl.define(texture, level, values)


def build(texture: moderngl.Texture, least: int = 1) -> None:
    """Fill the levels of `texture`, which has them, each from the one before as gpu/coarser_level.frag has it.

    The coarsest one that is read has `least` texels on its longer side or more, unless it is the second: software
    OpenGL takes 0.2 ms for each, however small it is.
    """
    drawing = _drawing(texture)
    if drawing is not None:
        drawing.build(texture, least)
    else:
        filters = texture.filter
        texture.build_mipmaps()
        texture.filter = filters


def read(texture: moderngl.Texture, level: int) -> NDArray[np.float32]:
    """Return a level of `texture`, float32 [row, column, component]."""
    drawing = _drawing(texture)
    if drawing is not None:
        data = np.frombuffer(drawing.read(texture, level), np.float32)
    else:
        data = np.frombuffer(texture.read(level=level), formats.NUMPY[texture.dtype]).astype(np.float32, copy=False)
    columns, rows = _size(texture, level)
    return data.reshape(rows, columns, texture.components)


class _Calls:
    """The functions of OpenGL for levels of textures that a context tells of."""

    def __init__(self, context: moderngl.Context) -> None:
        of_levels = [ctypes.c_uint, *[ctypes.c_int] * 5, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p]
        # target, level, internal format, columns, rows, border; layout, type, data: OpenGL 3.3, section 3.8.1
        self._define = _function(context, "glTexImage2D", *of_levels)
        # target, parameter, value: section 3.8.4
        self._set = _function(context, "glTexParameteri", ctypes.c_uint, ctypes.c_uint, ctypes.c_int)
        # target, attachment, target of the texture, texture, level: section 4.4.2
        numbers = *[ctypes.c_uint] * 4, ctypes.c_int
        self._attach = _function(context, "glFramebufferTexture2D", *numbers)
        # target: section 4.4.4
        self._status = _function(context, "glCheckFramebufferStatus", ctypes.c_uint, returns=ctypes.c_uint)

    @staticmethod
    def of(texture: moderngl.Texture) -> _Calls | None:
        """Return those of the context of `texture`; none where one is missing, or where its format has no row here."""
        kept = _kept(texture.ctx)
        if "calls" not in kept:
            kept["calls"] = _Calls(texture.ctx)
        calls: _Calls = kept["calls"]
        is_there = all((calls._define, calls._set, calls._attach, calls._status))
        return calls if is_there and (texture.components, texture.dtype) in _INTERNAL else None

    def define(self, texture: moderngl.Texture, level: int, values: NDArray[Any] | None) -> None:
        """Make a level of `texture`, which is bound, of `values`, or of nothing defined."""
        columns, rows = _size(texture, level)
        data = None if values is None else np.ascontiguousarray(values)
        internal = _INTERNAL[texture.components, texture.dtype]
        layout, kind = _LAYOUTS[texture.components], _TYPES[texture.dtype]
        address = None if data is None else data.ctypes.data
        self._define(_TEXTURE_2D, level, internal, columns, rows, 0, layout, kind, address)

    def read_only(self, first: int, last: int) -> None:
        """Have the levels of the bound texture from `first` to `last` be all that it has."""
        self._set(_TEXTURE_2D, _BASE_LEVEL, first)
        self._set(_TEXTURE_2D, _MAX_LEVEL, last)

    def draw_into(self, texture: moderngl.Texture, level: int) -> None:
        """Have the bound framebuffer be that of a level of `texture`."""
        self._attach(_FRAMEBUFFER, _COLOUR_ATTACHMENT, _TEXTURE_2D, texture.glo, level)

    def can_draw(self) -> bool:
        """Return whether OpenGL draws into the bound framebuffer as it is."""
        return bool(self._status(_FRAMEBUFFER) == _COMPLETE)


class _LevelPass:
    """Draws and reads levels of textures in one context."""

    def __init__(self, context: moderngl.Context, calls: _Calls) -> None:
        self._context, self._gl = context, calls
        self._passes: dict[tuple[Any, ...], moderngl.VertexArray] = {}
        # software OpenGL compiles for the filters of what is read, too
        self._nearest = context.sampler(repeat_x=False, repeat_y=False, filter=(moderngl.NEAREST, moderngl.NEAREST))
        self._nothing = context.texture((1, 1), 4)
        self._framebuffer = context.framebuffer(self._nothing)
        self.is_allowed = self._try_levels()
        """Whether OpenGL draws into a level while the finer one is all that may be read: a driver may want both."""

    def _try_levels(self) -> bool:
        tried = self._context.texture((2, 2), 4)
        reserve(tried)
        with self._drawing():
            tried.use(_UNIT)
            self._gl.read_only(0, 0)
            self._gl.draw_into(tried, 1)
            allowed = self._gl.can_draw()
        tried.release()
        return allowed

    @contextlib.contextmanager
    def _drawing(self) -> Iterator[None]:
        """Have the framebuffer bound, and everything as before afterwards."""
        with state.kept(self._context):
            self._framebuffer.use()
            try:
                yield
            finally:
                self._framebuffer.use()
                self._gl.draw_into(self._nothing, 0)  # or what it was would be held

    def build(self, texture: moderngl.Texture, least: int) -> None:
        """Draw the levels of `texture` but the first, down to `least` texels on its longer side."""
        coarsest = _count(texture) - 1
        last = min(max(coarsest - (least - 1).bit_length(), 1), coarsest)
        with self._drawing():
            self._context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
            self._nearest.use(_UNIT)
            texture.use(_UNIT)  # and it stays the one whose parameters are set
            try:
                for level in range(1, last + 1):
                    self._gl.read_only(level - 1, level - 1)  # what is drawn into may not be read
                    self._gl.draw_into(texture, level)
                    self._context.viewport = (0, 0, *_size(texture, level))
                    self._pass(texture, level).render(moderngl.TRIANGLES, vertices=3)
            finally:
                self._gl.read_only(0, last)
                self._nearest.clear(_UNIT)

    def _pass(self, texture: moderngl.Texture, level: int) -> moderngl.VertexArray:
        """Return what draws a level of such a `texture`.

        Each kind that software OpenGL tells apart has a program of its own: of one program it finds again only what it
        compiled of it first (`warm_up.py`).
        """
        even = tuple(side & (side - 1) == 0 for side in texture.size)
        kind = (texture.components, texture.dtype, *even, level == 1)
        if kind not in self._passes:
            made = programs.program(self._context, "gpu/full_screen.vert", "gpu/coarser_level.frag", alone=True)
            self._passes[kind] = self._context.vertex_array(made, [])
        return self._passes[kind]

    def read(self, texture: moderngl.Texture, level: int) -> bytes:
        """Return a level of `texture`, float32 a component."""
        with self._drawing():
            self._gl.draw_into(texture, level)
            size = (0, 0, *_size(texture, level))
            return self._framebuffer.read(size, components=texture.components, dtype="f4")


def _drawing(texture: moderngl.Texture) -> _LevelPass | None:
    """Return what draws levels in the context of `texture`; none where it cannot draw those of such a texture."""
    context, calls = texture.ctx, _Calls.of(texture)
    if calls is None or not formats.of(context).draws(texture.components, texture.dtype):
        return None
    kept = _kept(context)
    if "pass" not in kept:
        kept["pass"] = _LevelPass(context, calls)
    made: _LevelPass = kept["pass"]
    return made if made.is_allowed else None


def _kept(context: moderngl.Context) -> dict[str, Any]:
    """Return what is kept here for all who use a `context`; it ends with it."""
    if context.extra is None:
        context.extra = {}
    kept: dict[str, Any] = context.extra
    return kept


def _count(texture: moderngl.Texture) -> int:
    """Return how many levels `texture` may have."""
    return max(texture.size).bit_length()


def _size(texture: moderngl.Texture, level: int) -> tuple[int, int]:
    """Return columns and rows of a level."""
    return max(texture.width >> level, 1), max(texture.height >> level, 1)


def _function(context: moderngl.Context, name: str, *arguments: Any, returns: Any = None) -> Any:
    """Return the OpenGL function `name`, by what it takes and returns (ctypes); none where it is not."""
    address = _address(context, name)
    return _FUNCTION(returns, *arguments)(address) if address else None


_FUNCTION = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)  # OpenGL's convention of calls


def _address(context: moderngl.Context, name: str) -> int:
    """Return where the OpenGL function `name` is, 0 where the context does not tell."""
    loader = getattr(context.mglo, "_context", None)
    try:
        return int(loader.load_opengl_function(name))  # type: ignore[union-attr]
    except (AttributeError, TypeError, ValueError):
        return 0
