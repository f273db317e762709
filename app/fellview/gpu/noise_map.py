"""Noise drawn by the GPU over a regular grid: the twin of `noise.at` at the grid's points, as a texture.

Positions are laid out here in double precision and handed over as whole cells and rests, one table entry a row and a
column for every octave; the shader never multiplies a position. So float32 stays within 1e-5 of the output's range
wherever the output is continuous, while coordinates times an octave's factor stay below 2²⁰ cells; measured, it is
5e-7. Beyond, the simplex kinds lose a bit with every doubling.

A warp adds float32 displacements, whose error it multiplies by `warp` times the slope, once a level: 1e-5 holds for
warps of up to 1 cycle of one level and 0.3 of two, and grows in proportion, squared for two. Where the output jumps
(white noise, the values of Worley noise, sums damped by the slopes of a linear fade) a share of samples differs
instead, at most one in 10,000.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.gpu import bindings, programs
from fellview.noise import fractal, hash
from fellview.noise.evaluate import LARGEST_COORDINATE, Request
from fellview.noise.fractal import Octave
from fellview.noise.options import FADES, Tables
from fellview.noise.worley import METRICS, OUTPUTS

_MOST_OCTAVES = int(fractal.Fractal.declarations()["octaves"].high)
_MOST_FIELDS = len(fractal.OFFSETS) + 1
_PLACES = ("u_places_x", "u_places_y")  # samplers by axis
_LARGEST_PERIOD = 2**30  # cells; no int32 lattice index reaches the seam of a longer one
_BEFORE_ONE = np.nextafter(np.float32(1), np.float32(0))

Places = NDArray[np.int32]
"""(octaves · fields, samples, 2): a cell and the bits of the rest; for white noise the bits of the coordinate and 0."""


class NoiseMap:
    """Draws noise into textures; one program a kind and dimension, whose parameters are uniforms.

    A kind's first map compiles its program, and so does its first with tables given to it, and white noise's first
    warped one. Drawing leaves the framebuffer that was in use, but binds textures and uniform blocks of its
    own, and switches depth test, culling and blending off.
    """

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._programs: dict[tuple[str, int, bool], moderngl.VertexArray] = {}
        self._places: dict[str, moderngl.Texture] = {}
        self._index: moderngl.Texture | None = None
        self._buffers: dict[str, moderngl.Buffer] = {}
        self._framebuffer: moderngl.Framebuffer | None = None

    def draw(
        self,
        asked: Request,
        size: tuple[int, int],
        *,
        extent: float | tuple[float, float],
        origin: tuple[float, float] = (0.0, 0.0),
        z: float = 0.0,
        w: float = 0.0,
        only_octave: int | None = None,
        count: int | None = None,
        amplitude: float = 1.0,
        only_rows: tuple[int, int] | None = None,
        into: moderngl.Texture | None = None,
    ) -> moderngl.Texture:
        """Return the noise `asked` for over `size` = (columns, rows) samples, an R32F texture [row, column].

        As in `noise.grid`, row r and column c of R × C lie at (x₀ + eₓ·r/R, y₀ + e_y·c/C, z, w), with `origin` (x₀, y₀)
        and `extent` (eₓ, e_y), or one number for both, in cycles: x runs along rows, y along columns. In one dimension
        x runs along columns, so that a map of one row is a curve. `only_octave` asks for that octave's share alone;
        the shares add up to the sum, less the ½ that the range "unit" adds. `count` asks for the sum's first octaves,
        and the result is multiplied by `amplitude`. `only_rows` (first, last) leaves all other rows as they are, for
        maps that take longer than one frame.

        The texture is the caller's to release. `into` is one that was returned before: it is drawn over where its size
        is right, and released where it is not. Every octave is drawn; which ones a grid can show is the caller's to
        say. `InputError` where a size, place or octave is out of range.
        """
        octaves = fractal.octaves(asked.sum)[:count]
        spans = (extent, extent) if isinstance(extent, (int, float)) else extent
        self._check(size, (*origin, *spans, z, w), only_octave, len(octaves))
        columns, rows = size
        pass_ = self._pass(asked)
        fields = 1 + 2 * asked.sum.warp_levels if asked.sum.warp else 1
        x_samples = rows if asked.dimension > 1 else columns
        for axis, (start, span, samples) in enumerate(zip(origin, spans, (x_samples, columns), strict=True)):
            line = start + span * np.arange(samples) / samples
            offsets = [pair[axis] for pair in fractal.OFFSETS[: fields - 1]] + [0.0]
            exact = _is_exact(asked)
            self._upload(axis, _words(line)[None] if exact else _places(asked, line, octaves, axis, offsets))
        across = np.concatenate(
            [_places(asked, np.array([at]), octaves, axis, [0.0]) for axis, at in ((2, z), (3, w))], axis=1
        )
        self._bind_tables(asked)
        _set_uniforms(pass_.program, asked, octaves, fields, across)
        _set(pass_.program, "u_only", -1 if only_octave is None else only_octave)
        gain, offset = (0.5, 0.5) if asked.unit_range else (1.0, 0.0)
        offset = offset if only_octave is None else 0.0
        _set(pass_.program, "u_range", (amplitude * gain, amplitude * offset))
        return self._filled(pass_, size, only_rows or (0, rows), into)

    def release(self) -> None:
        """Give back all but the textures that were returned."""
        for pass_ in self._programs.values():
            pass_.program.release()
            pass_.release()
        for thing in (*self._places.values(), *self._buffers.values(), self._index, self._framebuffer):
            if thing is not None:
                thing.release()
        self._programs, self._places, self._buffers = {}, {}, {}
        self._index = self._framebuffer = None

    def _check(self, size: tuple[int, int], numbers: Sequence[float], only_octave: int | None, octaves: int) -> None:
        limit = self._context.info["GL_MAX_TEXTURE_SIZE"]
        if not all(1 <= side <= limit for side in size):
            raise InputError(f"size = {size}: expected 1 to {limit} columns and rows")
        for number in numbers:
            if not math.isfinite(number):
                raise InputError(f"noise map: place {number!r}: expected finite numbers")
        if only_octave is not None and not 0 <= only_octave < octaves:
            raise InputError(f"only_octave = {only_octave}: expected 0 to {octaves - 1}")

    def _pass(self, asked: Request) -> moderngl.VertexArray:
        given, exact = _is_given(asked), _is_exact(asked)
        key = (asked.kind.name, asked.dimension, given or exact)
        if key not in self._programs:
            permutation, vectors = asked.tables.permutation, asked.tables.vectors
            definitions = {
                "DIMENSION": asked.dimension,
                "OCTAVES": _MOST_OCTAVES,
                "FIELDS": _MOST_FIELDS,
                "PERMUTATION": 1 if asked.kind.name == "axis" else len(permutation),
                "VECTORS": len(vectors),
                "NOISE": f"noise_{asked.kind.glsl}_{asked.dimension}",
            }
            if given:
                definitions["GIVEN_TABLES"] = 1
            name = "gpu/noise_map_white_warped.frag" if exact else "gpu/noise_map.frag"
            program = programs.program(
                self._context,
                "gpu/full_screen.vert",
                name,
                [f"#define {key} {value}" for key, value in definitions.items()],
                [f"kernels/noise/{asked.kind.glsl}.glsl"],
                alone=True,
            )
            self._programs[key] = self._context.vertex_array(program, [])
        return self._programs[key]

    def _upload(self, axis: int, places: Places) -> None:
        name = _PLACES[axis]
        entries, samples, _ = places.shape
        texture = self._places.get(name)
        if texture is None or texture.size != (samples, entries):
            if texture is not None:
                texture.release()
            texture = self._places[name] = self._integers((samples, entries), 2)
        texture.write(places)

    def _integers(self, size: tuple[int, int], components: int) -> moderngl.Texture:
        texture = self._context.texture(size, components, dtype="i4")
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return texture

    def _bind_tables(self, asked: Request) -> None:
        tables = asked.tables
        permutation = tables.permutation
        if asked.kind.name == "axis" and _is_given(asked):
            self._upload_index(tables)
            permutation = permutation[:1]
        quads = np.zeros((len(permutation), 4), np.int32)
        quads[:, 0] = permutation
        self._bind("Permutation", quads.tobytes())
        self._bind("Vectors", tables.vectors.astype(np.float32).tobytes())

    def _upload_index(self, tables: Tables) -> None:
        rows, columns = (int(side) for side in tables.permutation[:2])
        if self._index is not None:
            self._index.release()
        self._index = self._integers((columns, rows), 1)
        self._index.write(np.ascontiguousarray(tables.permutation[2:]))

    def _bind(self, block: str, contents: bytes) -> None:
        buffer = self._buffers.get(block)
        if buffer is None or buffer.size != len(contents):
            if buffer is not None:
                buffer.release()
            buffer = self._buffers[block] = self._context.buffer(reserve=len(contents), dynamic=True)
        buffer.write(contents)
        buffer.bind_to_uniform_block(bindings.block(block))

    def _filled(
        self,
        pass_: moderngl.VertexArray,
        size: tuple[int, int],
        only_rows: tuple[int, int],
        into: moderngl.Texture | None,
    ) -> moderngl.Texture:
        if into is not None and into.size != size:
            into.release()
            into = None
        if into is None:
            into = self._context.texture(size, 1, dtype="f4")
            into.filter = (moderngl.NEAREST, moderngl.NEAREST)
            into.repeat_x = into.repeat_y = False
        before = self._context.fbo
        framebuffer = self._context.framebuffer(into)
        framebuffer.scissor = (0, only_rows[0], size[0], only_rows[1] - only_rows[0])
        framebuffer.use()
        self._context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
        bindings.use(pass_.program, self._places)
        if self._index is not None:
            bindings.use(pass_.program, {"u_gradient_index": self._index})
        pass_.render(moderngl.TRIANGLES, vertices=3)
        # moderngl remembers one that was released as the one in use, so ours lives until the next
        if before is not None and before is not self._framebuffer and _is_alive(before):
            before.use()
        if self._framebuffer is not None:
            self._framebuffer.release()
        self._framebuffer = framebuffer
        return into


def _is_alive(framebuffer: moderngl.Framebuffer) -> bool:
    return not isinstance(framebuffer.mglo, moderngl.InvalidObject)


def _is_given(asked: Request) -> bool:
    """Return whether a kind that hashes looks into given tables instead, which is another program."""
    return asked.kind.name in ("value", "axis") and asked.tables.permutation.size > 1


def _is_exact(asked: Request) -> bool:
    """Return whether each bit of a coordinate counts and the shader moves coordinates: warped white noise."""
    return asked.kind.name == "white" and asked.sum.warp > 0


def _places(
    asked: Request, line: NDArray[np.float64], octaves: Sequence[Octave], axis: int, offsets: Sequence[float]
) -> Places:
    """Return where the samples at `line` along an axis lie, for every octave and, within it, every offset."""
    factors = np.array([octave.factor for octave in octaves])[:, None, None]
    shifts = np.array([octave.shift[axis] for octave in octaves])[:, None, None]
    periods = np.array([octave.period or LARGEST_COORDINATE for octave in octaves])[:, None, None]
    places = (line + np.array(offsets)[:, None]) * factors + shifts
    if (np.abs(places) >= LARGEST_COORDINATE).any():
        places = np.fmod(places, periods)  # as the reference does: no fraction is left out there
    if asked.kind.name == "white":
        cells = (places.astype(np.float32) + np.float32(0)).view(np.int32)  # -0 and 0 are one point
        rests = np.zeros(places.shape, np.float32)
    else:
        whole = np.floor(places)
        # a rest that rounds to 0 or 1 would lie between two cells; where that is a jump, keep clear by what a sum of
        # squares resolves
        least = np.float32(2.0**-22 if asked.kind.smoothness(asked.options) < 0 else 0.0)
        rests = (places - whole).astype(np.float32)
        rests[places > whole] = np.maximum(rests[places > whole], least)
        rests = np.minimum(rests, min(1 - least, _BEFORE_ONE))
        cells = np.where(periods < LARGEST_COORDINATE, np.mod(whole, periods), whole).astype(np.int64).astype(np.int32)
    found = np.stack([cells, rests.view(np.int32)], axis=-1)
    return np.ascontiguousarray(found.reshape(-1, len(line), 2))


def _words(numbers: Any) -> NDArray[np.int32]:
    """Return the high and low words of float64 `numbers` (n,), int32 (n, 2)."""
    bits = np.ascontiguousarray(numbers, np.float64).view(np.uint64)
    return np.stack([bits >> np.uint64(32), bits & np.uint64(2**32 - 1)], axis=-1).astype(np.uint32).view(np.int32)


def _set_uniforms(
    program: moderngl.Program, asked: Request, octaves: Sequence[Octave], fields: int, across: Places
) -> None:
    sums, options = asked.sum, asked.options
    _set(program, "u_start", hash.start_number(asked.seed))
    _set(program, "u_mode", fractal.MODES.index(sums.fractal))
    _set(program, "u_octaves", len(octaves))
    _set(program, "u_fields", fields)
    _set(program, "u_warp", sums.warp)
    for name, codes in (("fade", FADES), ("metric", METRICS), ("output", OUTPUTS)):
        if hasattr(options, name):
            _set(program, f"u_{name}", codes.index(getattr(options, name)))
    _set(program, "u_jitter", getattr(options, "jitter", 0.0))
    factors = np.array([octave.factor for octave in octaves])
    amplitudes = np.array([octave.amplitude for octave in octaves])
    periods = [octave.period if octave.period < _LARGEST_PERIOD else 0 for octave in octaves]
    _set_array(program, "u_factor", factors.astype(np.float32))
    _set_array(program, "u_amplitude", amplitudes.astype(np.float32))
    _set_array(program, "u_period", np.array(periods, np.int32))
    _set_array(program, "u_across_cell", across[..., 0])
    _set_array(program, "u_across_t", across[..., 1].view(np.float32))
    if sums.fractal == "hybrid":
        amplitudes = amplitudes / (1 + fractal.HYBRID_OFFSET)
    shifts = np.array([octave.shift[:2] for octave in octaves])
    bends = np.array([*fractal.OFFSETS[: fields - 1], (0.0, 0.0)])
    _set_array(program, "u_double_factor", _words(factors))
    _set_array(program, "u_double_amplitude", _words(amplitudes))
    _set_array(program, "u_double_shift", _words(shifts).reshape(-1, 4))
    _set_array(program, "u_double_offset", _words(bends).reshape(-1, 4), _MOST_FIELDS)
    _set_array(program, "u_double_warp", _words(np.array([sums.warp])), 1)


def _set(program: moderngl.Program, name: str, value: float | tuple[float, ...]) -> None:
    """Set the uniform `name` where the program uses it."""
    uniform = program.get(name, None)
    if isinstance(uniform, moderngl.Uniform):
        uniform.value = value


def _set_array(program: moderngl.Program, name: str, values: NDArray[Any], size: int = _MOST_OCTAVES) -> None:
    """Set the first entries of the uniform array `name`, `size` long, where the program uses it; the rest to 0."""
    uniform = program.get(name, None)
    if isinstance(uniform, moderngl.Uniform):
        whole = np.zeros((size, *values.shape[1:]), values.dtype)
        whole[: len(values)] = values
        uniform.write(whole.tobytes())
