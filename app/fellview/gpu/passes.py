"""Passes over grids of cells: full-screen fragment programs that read float textures and write others.

What a kernel does to one cell, a pass does to all. Textures are [row, column] with row 0 first, have no filtering and
no wrap, and hold one to four float32 a cell, or the next best (`formats.py`). Whoever asks for a texture owns it until
it is given back; given-back ones are handed out again, so that iterating allocates nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.gpu import bindings, formats, mipmaps, programs, state

Number = float | int | tuple[float, ...] | tuple[int, ...] | list[tuple[float, ...]]

_SPARE_BYTES = 256 << 20  # of textures that nobody uses: the few that a step takes at 2048², or one of 8192²

STRIP_CELLS = 1 << 17
"""Of a pass that takes 5 to 25 ms on two cores of software OpenGL."""


class _Tool(Protocol):
    def release(self) -> None:
        """Give everything back."""


_AnyTool = TypeVar("_AnyTool", bound=_Tool)


class GridPasses:
    """Compiles passes once, keeps spare textures, and runs passes in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self._counter = context.query(samples=True)
        self._programs: dict[tuple[str, tuple[str, ...]], moderngl.VertexArray] = {}
        self._framebuffers: dict[tuple[int, ...], moderngl.Framebuffer] = {}
        self._spare: dict[tuple[tuple[int, int], int, bool], list[moderngl.Texture]] = {}
        self._with_levels: set[int] = set()  # textures by their names in OpenGL
        self._all: list[moderngl.Texture] = []
        self._tools: dict[Callable[[moderngl.Context], _Tool], _Tool] = {}

    def texture(self, rows: int, columns: int, components: int = 1, *, levels: bool = False) -> moderngl.Texture:
        """Return a texture of undefined content; `InputError` where this OpenGL has none so large.

        Only one with `levels` may be given coarser ones: software OpenGL compiles for textures that have them, and for
        others.
        """
        largest = self.context.info["GL_MAX_TEXTURE_SIZE"]
        if max(rows, columns) > largest:
            raise InputError(
                f"grid.rows × grid.columns = {rows} × {columns}: this OpenGL has textures of at most {largest}²"
            )
        spare = self._spare.get(((columns, rows), components, levels))
        if spare:
            texture = spare.pop()
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)  # whatever it had
            return texture
        if sum(map(size_bytes, self.spare)) > _SPARE_BYTES:  # as after a change of the grid
            self.trim()
        dtype = formats.of(self.context).drawn(components, formats.PRECISE, "what is worked out of heights and light")
        texture = self.context.texture((columns, rows), components, dtype=dtype)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.repeat_x = texture.repeat_y = False
        self._all.append(texture)
        if levels:
            mipmaps.reserve(texture)
            self._with_levels.add(texture.glo)
        return texture

    @property
    def spare(self) -> tuple[moderngl.Texture, ...]:
        """The textures that were given back, to be handed out again."""
        return tuple(texture for textures in self._spare.values() for texture in textures)

    @property
    def in_use(self) -> tuple[moderngl.Texture, ...]:
        """The textures that were handed out and not given back."""
        spare = {texture.glo for texture in self.spare}
        return tuple(texture for texture in self._all if texture.glo not in spare)

    def trim(self) -> None:
        """Release the textures that nobody uses."""
        spare, in_use = self.spare, self.in_use
        gone = {texture.glo for texture in spare}
        # OpenGL gives their names out again, and a framebuffer is found by them
        for key in [key for key in self._framebuffers if gone & set(key)]:
            self._framebuffers.pop(key).release()
        self._all = list(in_use)
        self._with_levels -= gone
        for texture in spare:
            texture.release()
        self._spare.clear()

    def tool(self, make: Callable[[moderngl.Context], _AnyTool]) -> _AnyTool:
        """Return what `make` makes of the context: made once, and released with the passes."""
        if make not in self._tools:
            self._tools[make] = make(self.context)
        return self._tools[make]  # type: ignore[return-value]

    @contextmanager
    def temporary(
        self, rows: int, columns: int, components: int = 1, *, levels: bool = False
    ) -> Iterator[moderngl.Texture]:
        """Give a texture as `texture` does, and take it back at the end."""
        texture = self.texture(rows, columns, components, levels=levels)
        try:
            yield texture
        finally:
            self.give_back(texture)

    @contextmanager
    def unfinished(self, rows: int, columns: int, components: int = 1) -> Iterator[moderngl.Texture]:
        """Give a texture as `texture` does, and take it back where what fills it ends early."""
        texture = self.texture(rows, columns, components)
        try:
            yield texture
        except BaseException:  # a generator that is closed, too
            self.give_back(texture)
            raise

    def upload(self, values: NDArray[np.float32]) -> moderngl.Texture:
        """Return a texture with `values`, float32 [row, column] or [row, column, component]."""
        components = values.shape[2] if values.ndim > 2 else 1
        texture = self.texture(values.shape[0], values.shape[1], components)
        texture.write(formats.packed(values, texture.dtype))
        return texture

    def read(self, texture: moderngl.Texture) -> NDArray[np.float32]:
        """Return the values of `texture`, float32 [row, column] or [row, column, component]."""
        columns, rows = texture.size
        shape = (rows, columns) if texture.components == 1 else (rows, columns, texture.components)
        return np.frombuffer(texture.read(), formats.NUMPY[texture.dtype]).reshape(shape).astype(np.float32, copy=False)

    def read_part(
        self, texture: moderngl.Texture, row: int, column: int, rows: int, columns: int
    ) -> NDArray[np.float32]:
        """Return `rows` × `columns` values of `texture` from [row, column] on; what is drawn into stays bound."""
        part = self._framebuffer((texture,)).read(
            (column, row, columns, rows), components=texture.components, dtype="f4"
        )
        shape = (rows, columns) if texture.components == 1 else (rows, columns, texture.components)
        return np.frombuffer(part, np.float32).reshape(shape)

    def read_border(self, texture: moderngl.Texture) -> tuple[NDArray[np.float32], ...]:
        """Return the first row of `texture`, its last row, its first column and its last column, each (n,)."""
        columns, rows = texture.size
        places = ((0, 0, 1, columns), (rows - 1, 0, 1, columns), (0, 0, rows, 1), (0, columns - 1, rows, 1))
        return tuple(self.read_part(texture, *place).ravel() for place in places)

    def give_back(self, *textures: moderngl.Texture) -> None:
        """Take textures that nobody needs any more."""
        for texture in textures:
            key = (texture.size, texture.components, texture.glo in self._with_levels)
            self._spare.setdefault(key, []).append(texture)

    def run(
        self,
        fragment: str,
        out: moderngl.Texture | Sequence[moderngl.Texture],
        textures: Mapping[str, moderngl.Texture] | None = None,
        numbers: Mapping[str, Number] | None = None,
        libraries: Sequence[str] = (),
    ) -> None:
        """Fill every cell of `out` (several for several outputs) with what `fragment`, a file in shaders/, gives.

        `textures` and `numbers` are its uniforms by name; a number that the compiler found unused is passed over.
        `libraries` are files put in front of it.
        """
        self.target(out)
        pass_ = self._pass(fragment, tuple(libraries))
        self.bind(pass_.program, textures or {}, numbers or {})
        pass_.render(moderngl.TRIANGLES, vertices=3)

    def run_in_strips(
        self,
        fragment: str,
        out: moderngl.Texture,
        textures: Mapping[str, moderngl.Texture] | None = None,
        numbers: Mapping[str, Number] | None = None,
        libraries: Sequence[str] = (),
        strip_cells: int = STRIP_CELLS,
    ) -> Iterator[None]:
        """Do as `run`, giving way after strips of rows of about `strip_cells`; where `out` is no larger, not at all.

        Until the end `out` is a part of what it becomes.
        """
        columns, rows = out.size
        count = -(-columns * rows // strip_cells)
        if count == 1:
            self.run(fragment, out, textures, numbers, libraries)
            return
        for number in range(count):
            # even rows: differences between neighbours are taken of two by two
            first, end = (2 * (rows * each // count // 2) if each < count else rows for each in (number, number + 1))
            with state.rows_only(self._framebuffer((out,)), first, end - first):
                self.run(fragment, out, textures, numbers, libraries)
            yield

    def run_in_boxes(
        self,
        fragment: str,
        out: moderngl.Texture,
        boxes: Sequence[state.Box],
        textures: Mapping[str, moderngl.Texture] | None = None,
        numbers: Mapping[str, Number] | None = None,
        libraries: Sequence[str] = (),
    ) -> None:
        """Do as `run` in `boxes` alone; what else is in `out` stays."""
        for box in boxes:
            with state.box_only(self._framebuffer((out,)), box):
                self.run(fragment, out, textures, numbers, libraries)

    def count(
        self,
        fragment: str,
        out: moderngl.Texture,
        textures: Mapping[str, moderngl.Texture] | None = None,
        numbers: Mapping[str, Number] | None = None,
    ) -> int:
        """Do as `run` and return how many cells `fragment` did not discard; this waits for all passes before it."""
        with self._counter:
            self.run(fragment, out, textures, numbers)
        return int(self._counter.samples)

    def scatter(
        self,
        points: int,
        vertex: str,
        fragment: str,
        out: moderngl.Texture,
        textures: Mapping[str, moderngl.Texture],
        count: bool = False,
    ) -> int:
        """Add to `out` what `vertex` and `fragment`, files in shaders/, make of `points` points of one cell each.

        With `count` the number of points that hit a cell is returned, which waits for all passes before it; else 0.
        """
        self.target(out)
        key = (vertex + fragment, ())
        if key not in self._programs:
            program = programs.program(self.context, vertex, fragment, alone=True)
            self._programs[key] = self.context.vertex_array(program, [])
        pass_ = self._programs[key]
        self.bind(pass_.program, textures, {})
        self.context.enable(moderngl.BLEND)
        self.context.blend_func = moderngl.ONE, moderngl.ONE
        if count:
            with self._counter:
                pass_.render(moderngl.POINTS, vertices=points)
        else:
            pass_.render(moderngl.POINTS, vertices=points)
        # moderngl's own, which others expect
        self.context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.context.disable(moderngl.BLEND)
        return int(self._counter.samples) if count else 0

    def target(self, out: moderngl.Texture | Sequence[moderngl.Texture]) -> moderngl.Framebuffer:
        """Bind a framebuffer over `out`, for a draw of the caller's own, with depth test, culling and blending off."""
        several = [out] if isinstance(out, moderngl.Texture) else list(out)
        framebuffer = self._framebuffer(several)
        framebuffer.use()
        self.context.viewport = (0, 0, *several[0].size)
        self.context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
        return framebuffer

    def _framebuffer(self, textures: Sequence[moderngl.Texture]) -> moderngl.Framebuffer:
        """Return the framebuffer over `textures`, made once."""
        key = tuple(texture.glo for texture in textures)
        if key not in self._framebuffers:
            self._framebuffers[key] = self.context.framebuffer(list(textures))
        return self._framebuffers[key]

    @staticmethod
    def bind(
        program: moderngl.Program, textures: Mapping[str, moderngl.Texture], numbers: Mapping[str, Number]
    ) -> None:
        """Set the uniforms of `program`."""
        bindings.use(program, textures)
        bindings.write(program, numbers)

    def _pass(self, fragment: str, libraries: tuple[str, ...]) -> moderngl.VertexArray:
        key = (fragment, libraries)
        if key not in self._programs:
            program = programs.program(self.context, "gpu/full_screen.vert", fragment, libraries=libraries, alone=True)
            self._programs[key] = self.context.vertex_array(program, [])
        return self._programs[key]

    def release(self) -> None:
        """Give everything back, textures in use too."""
        for framebuffer in self._framebuffers.values():
            framebuffer.release()
        for texture in self._all:
            texture.release()
        for tool in self._tools.values():
            tool.release()
        for pass_ in self._programs.values():
            pass_.program.release()
            pass_.release()
        self._framebuffers, self._all, self._programs, self._spare, self._tools = {}, [], {}, {}, {}
        self._with_levels = set()


def size_bytes(texture: moderngl.Texture) -> int:
    """Return the memory that `texture` holds, float32 a component."""
    return 4 * texture.components * texture.width * texture.height
