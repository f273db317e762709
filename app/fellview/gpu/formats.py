"""Which formats an OpenGL has: where one that is wanted is missing, the next best, and a line that says so.

OpenGL 3.3 promises all that we draw into, and drivers break the promise: a format may be refused when a texture is made
or when a framebuffer is put together. So each is tried once a context, with a few pixels, before anything relies on it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import FellviewError

PRECISE = ("f4", "f2")
"""Heights, places, tables: numbers of any size. With half floats they have three digits."""

LIGHT = ("f2", "f4", "f1")
"""Light squeezed into 0 to 1. Bytes show bands where it changes slowly."""

WIDE = ("f2", "f4")
"""Numbers over 1 that need few digits."""

NUMPY = {"f2": np.float16, "f4": np.float32}
"""What the bytes of a texture are, read or written."""

_LARGEST_HALF = 65504.0

_NAMES = {"f1": "bytes", "f2": "16-bit floats", "f4": "32-bit floats"}
_Made = list[Any]  # textures, renderbuffers, framebuffers: each can be released

_SIDE = 4  # pixels of what is tried
_ERROR_FLAGS = 8  # that OpenGL has at most: section 2.5 of the specification of 3.3

_known: weakref.WeakKeyDictionary[moderngl.Context, Formats] = weakref.WeakKeyDictionary()


class Formats:
    """What one context was found to have. Formats are moderngl's: f1 bytes, f2 half floats, f4 floats."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = weakref.ref(context)
        self._found: dict[tuple[object, ...], bool] = {}
        self._told: set[str] = set()
        self._notices: list[str] = []

    def drawn(self, components: int, wanted: Sequence[str], use: str) -> str:
        """Return the first of the formats `wanted` that can be drawn into; `use` is what a notice calls the contents.

        `FellviewError` where there is none.
        """
        return self._first(components, wanted, use, drawn=True)

    def kept(self, components: int, wanted: Sequence[str], use: str) -> str:
        """Return the same of textures that are only read."""
        return self._first(components, wanted, use, drawn=False)

    def draws(self, components: int, dtype: str) -> bool:
        """Return whether textures of this format can be drawn into."""
        return self._has(components, dtype, drawn=True)

    def multisamples(self, dtype: str, samples: int) -> bool:
        """Return whether pictures of this format can have so many samples a pixel."""
        context = self._context()
        assert context is not None

        def attempt(made: _Made) -> None:
            made.append(context.renderbuffer((_SIDE, _SIDE), 4, samples=samples, dtype=dtype))
            made.append(context.depth_renderbuffer((_SIDE, _SIDE), samples=samples))

        return self._tried(("samples", dtype, samples), attempt, drawn=True)

    def tell(self, text: str) -> None:
        """Have a person told `text`, once."""
        if text not in self._told:
            self._told.add(text)
            self._notices.append(text)

    def take_notices(self) -> list[str]:
        """Return the lines that nobody has taken yet."""
        notices, self._notices = self._notices, []
        return notices

    def _first(self, components: int, wanted: Sequence[str], use: str, *, drawn: bool) -> str:
        for dtype in wanted:
            if self._has(components, dtype, drawn):
                if dtype != wanted[0]:
                    self.tell(f"This OpenGL has no {_NAMES[wanted[0]]} for {use}; {_NAMES[dtype]} take their place")
                return dtype
        names = " or ".join(_NAMES[dtype] for dtype in wanted)
        raise FellviewError(f"OpenGL: no texture for {use}: expected {names}, {components} a pixel")

    def _has(self, components: int, dtype: str, drawn: bool) -> bool:
        context = self._context()
        assert context is not None

        def attempt(made: _Made) -> None:
            made.append(context.texture((_SIDE, _SIDE), components, dtype=dtype))

        return self._tried((components, dtype, drawn), attempt, drawn)

    def _tried(self, key: tuple[object, ...], attempt: Callable[[_Made], None], drawn: bool) -> bool:
        """Return whether `attempt`, which appends what it makes to a list, works, and if drawn into; found out once."""
        if key not in self._found:
            context = self._context()
            assert context is not None
            made: _Made = []
            _take_errors(context)
            try:
                attempt(made)
                self._found[key] = context.error == "GL_NO_ERROR"
                if drawn:  # moderngl raises where it is incomplete; flags may tell of one released while it was bound
                    made.append(context.framebuffer(*made))
            except Exception:  # moderngl raises plain exceptions of many kinds
                self._found[key] = False
            finally:
                for thing in reversed(made):
                    thing.release()
                _take_errors(context)
        return self._found[key]


def _take_errors(context: moderngl.Context) -> None:
    """Take the flags that stand, one a call."""
    for _ in range(_ERROR_FLAGS):
        if context.error == "GL_NO_ERROR":
            return


def packed(values: NDArray[np.floating[Any]], dtype: str) -> NDArray[np.floating[Any]]:
    """Return `values` as a texture of the format `dtype` takes them; numbers too large for it are its largest."""
    if dtype == "f2":
        values = np.clip(values, -_LARGEST_HALF, _LARGEST_HALF)
    return np.ascontiguousarray(values, NUMPY[dtype])


def of(context: moderngl.Context) -> Formats:
    """Return what `context` was found to have."""
    found = _known.get(context)
    if found is None:
        found = _known[context] = Formats(context)
    return found
