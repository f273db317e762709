"""OpenGL contexts without a window, and what can be said of any context."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import moderngl

from fellview.core.errors import FellviewError
from fellview.gpu import bindings

REQUIRED_VERSION = 330
"""OpenGL 3.3, the version of GLSL 3.30; macOS ends at 4.1, so nothing may need more."""

_RENDER_NODES = Path("/dev/dri")  # Linux has one for each GPU
_EGL_DRAW, _EGL_READ = 0x3059, 0x305A  # EGL 1.5, table 3.1

_MOST_ERRORS = 8  # OpenGL keeps one flag of each kind, and a context that is lost tells so for ever
_FATAL = {
    "GL_OUT_OF_MEMORY": "no memory is left",
    "GL_UNKNOWN_ERROR": "the graphics driver is lost",  # moderngl's word for GL_CONTEXT_LOST, which is of OpenGL 4.5
}
_WOULD_WORK = "a smaller size, the same again, or LIBGL_ALWAYS_SOFTWARE=1 may work"

_SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast", "software", "basic render")


def thread_calls() -> None:
    """Have a thread of its own take OpenGL's calls while Python goes on, in every context from now on of this process.

    That is where Mesa draws on the processor. It finds again what it has linked only where that was linked so, too.
    """
    if sys.platform == "linux" and not any(_RENDER_NODES.glob("renderD*")):
        os.environ.setdefault("mesa_glthread", "true")
        os.environ.setdefault("MESA_DEBUG", "silent")  # or it tells of that in the terminal


def standalone() -> moderngl.Context:
    """Return a context that needs no window and no display; `FellviewError` says why there is none."""
    settings: dict[str, Any] = {"backend": "egl"} if sys.platform.startswith("linux") else {}
    try:
        context = moderngl.create_context(standalone=True, **settings)
    except Exception as fault:  # moderngl and its loaders raise plain exceptions of many kinds
        raise FellviewError(f"OpenGL: no context: {_one_line(fault)}; expected OpenGL 3.3 or later") from None
    return prepared(context)


@contextlib.contextmanager
def aside() -> Iterator[moderngl.Context]:
    """Give such a context for a while; a caller's own one without a window is current again afterwards.

    `FellviewError` where there is none, and where OpenGL refuses what it is asked for.
    """
    restore = _restores_current()
    context = standalone()
    try:
        yield context
    except moderngl.Error as fault:
        raise FellviewError(_lost(context, _one_line(fault))) from fault
    finally:
        context.release()
        restore()


def _restores_current() -> Callable[[], object]:
    """Return what makes the EGL context current that is so now; moderngl leaves a released one current, or none."""
    if not sys.platform.startswith("linux"):
        return lambda: None
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError:  # then there is none
        return lambda: None
    for name in ("eglGetCurrentDisplay", "eglGetCurrentSurface", "eglGetCurrentContext"):
        getattr(egl, name).restype = ctypes.c_void_p
    surfaces = (egl.eglGetCurrentSurface(kind) for kind in (_EGL_DRAW, _EGL_READ))
    current = [ctypes.c_void_p(part) for part in (egl.eglGetCurrentDisplay(), *surfaces, egl.eglGetCurrentContext())]
    return (lambda: egl.eglMakeCurrent(*current)) if current[-1] else lambda: None


def prepared(context: moderngl.Context) -> moderngl.Context:
    """Return `context`, ready for passes, or raise `FellviewError` where its OpenGL is too old."""
    if context.version_code < REQUIRED_VERSION:
        raise FellviewError(f"OpenGL {version_text(context)} on {renderer(context)}: expected OpenGL 3.3 or later")
    # moderngl takes the last unit that a stage has, which may be one that passes bind
    context.default_texture_unit = bindings.SCRATCH
    return context


def require_sound(context: moderngl.Context) -> None:
    """Raise `FellviewError` where OpenGL has told that it is lost or out of memory: what it draws then is no picture.

    What else it has told is forgotten.
    """
    for _ in range(_MOST_ERRORS):
        error = context.error
        if error in _FATAL:
            raise FellviewError(_lost(context, _FATAL[error]))
        if error == "GL_NO_ERROR":
            return


def _lost(context: moderngl.Context, why: str) -> str:
    return f"OpenGL on {short_renderer(context)}: {why}; {_WOULD_WORK}"


def version_text(context: moderngl.Context) -> str:
    """Return the OpenGL version, such as ``4.5``."""
    return f"{context.version_code // 100}.{context.version_code // 10 % 10}"


def renderer(context: moderngl.Context) -> str:
    """Return the name of what draws."""
    return str(context.info["GL_RENDERER"])


def short_renderer(context: moderngl.Context) -> str:
    """Return the same without what follows the name: driver, bus, instruction set."""
    return renderer(context).split("/")[0].split(" (")[0].strip()


def is_software(context: moderngl.Context) -> bool:
    """Return whether the processor draws, which makes every fragment dear."""
    name = renderer(context).lower()
    return any(known in name for known in _SOFTWARE_RENDERERS) or bool(os.environ.get("LIBGL_ALWAYS_SOFTWARE"))


def _one_line(fault: Exception) -> str:
    return " ".join(str(fault).split()) or type(fault).__name__
