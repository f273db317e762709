"""Textures whose coarser levels are ours: made once and kept, instead of by the driver at every start.

llvmpipe takes 0.1 s to make the levels of the first texture of a kind, and 0.02 s to take in those that are there. Its
own are rounded up at every level: the coarsest of bytes are 4 too bright, and slopes kept in them lean to one side.
moderngl has no call for that, so the function is asked of the context as moderngl asks for its own. Where the context
does not tell, the driver makes the levels.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.gpu import bindings

_TEXTURE_2D, _TEXTURE_2D_ARRAY, _RGBA = 0x0DE1, 0x8C1A, 0x1908  # OpenGL 3.3, tables 3.2 to 3.13
_KINDS = {"f1": (0x8058, 0x1401), "f2": (0x881A, 0x140B), "f4": (0x8814, 0x1406)}
"""By moderngl's names: RGBA8, RGBA16F and RGBA32F, and what their numbers are given as."""

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
    _complete(context, texture, made, _TEXTURE_2D, "f1")
    return texture


def array(context: moderngl.Context, made: Levels, dtype: str) -> moderngl.TextureArray:
    """Return the levels `made` of all layers, (layers, n, n, 4) and on, as a texture array of moderngl's `dtype`."""
    finest = made[0]
    texture = context.texture_array((finest.shape[2], finest.shape[1], finest.shape[0]), 4, finest, dtype=dtype)
    _complete(context, texture, made, _TEXTURE_2D_ARRAY, dtype)
    return texture


def _complete(
    context: moderngl.Context, texture: moderngl.Texture | moderngl.TextureArray, made: Levels, target: int, dtype: str
) -> None:
    """Give `texture`, which has its finest level, the others."""
    flat = target == _TEXTURE_2D
    address = _address(context, "glTexImage2D" if flat else "glTexImage3D")
    if address:
        internal, kind = _KINDS[dtype]
        # target, level, internal format, two or three sizes, border; format, type, data: OpenGL 3.3, section 3.8.1
        numbers = [ctypes.c_uint, *[ctypes.c_int] * (5 if flat else 6)]
        define = _FUNCTION(None, *numbers, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p)(address)
        texture.use(bindings.SCRATCH)
        for number, values in enumerate(made[1:], start=1):
            layers, (rows, columns) = values.shape[:-3], values.shape[-3:-1]
            data = np.ascontiguousarray(values)
            define(target, number, internal, columns, rows, *layers, 0, _RGBA, kind, data.ctypes.data)
    else:
        texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)


_FUNCTION = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)  # OpenGL's convention of calls


def _address(context: moderngl.Context, name: str) -> int:
    """Return where the OpenGL function `name` is, 0 where the context does not tell."""
    loader = getattr(context.mglo, "_context", None)
    try:
        return int(loader.load_opengl_function(name))  # type: ignore[union-attr]
    except (AttributeError, TypeError, ValueError):
        return 0
