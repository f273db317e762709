"""How much memory a graphics card has, where its driver tells.

Sources: the OpenGL extensions GL_NVX_gpu_memory_info and GL_ATI_meminfo, which count in kilobytes.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

import moderngl

_NVX_TOTAL, _NVX_FREE = 0x9047, 0x9049  # GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX, ..._CURRENT_AVAILABLE_VIDMEM_NVX
_ATI_FREE = 0x87FC  # TEXTURE_FREE_MEMORY_ATI: all, largest block, and the same of auxiliary memory
_KB = 1024


def graphics_memory(context: moderngl.Context) -> dict[str, int]:
    """Return ``total`` and ``free`` bytes of the card that draws in the current `context`, as far as that is told."""
    ask = _glgetintegerv()
    if ask is None:
        return {}
    if "GL_NVX_gpu_memory_info" in context.extensions:
        return {"total": _KB * ask(_NVX_TOTAL), "free": _KB * ask(_NVX_FREE)}
    if "GL_ATI_meminfo" in context.extensions:
        return {"free": _KB * ask(_ATI_FREE)}
    return {}


def _glgetintegerv() -> Callable[[int], int] | None:
    """Return what asks OpenGL for a number, which moderngl does only of those that it knows; none off Linux."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError:
        return None
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    address = egl.eglGetProcAddress(b"glGetIntegerv")
    if not address:
        return None
    get = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.POINTER(ctypes.c_int))(address)

    def ask(name: int) -> int:
        several = (ctypes.c_int * 4)()
        get(name, several)
        return int(several[0])

    return ask
