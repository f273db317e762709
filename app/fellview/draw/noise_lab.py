"""The noise lab's maps: two slices of noise drawn by their GLSL twins, coloured, and read back for the statistics.

A map is drawn when its slice changes and not otherwise. What is read back (the curve along the cut, the map for its
histogram and spectrum) goes through a buffer and is taken a frame later, so that no frame waits for the GPU; while the
slices move the statistics follow a few times a second, the two sides in turn.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw import colour_maps
from fellview.gpu import programs
from fellview.gpu.noise_map import NoiseMap
from fellview.noise import evaluate, registry
from fellview.noise.evaluate import Request
from fellview.noise.statistics import Histogram, Spectrum, histogram, radial_power_spectrum, value_range
from fellview.terrain import noise as terrain_noise
from fellview.terrain.domain import Grid
from fellview.terrain.noise import Noise

SIZE = 512
"""Samples a side of a map."""

AXES = ("third", "fourth")
_DIMENSION = {"": 0, "third": 3, "fourth": 4}
_GRID = Grid(rows=SIZE, columns=SIZE)
_STATISTICS_EVERY_S = 0.3  # a map's transform takes some 10 ms: a thirtieth of the time
_FLOAT = 4  # bytes

Curve = NDArray[np.float32]


@dataclass(frozen=True)
class Slice:
    """A plane through `noise` at `position` cycles along `axis`; with no axis, the plane that terrain is made of."""

    noise: Noise
    axis: str = ""
    position: float = 0.0

    @property
    def dimension(self) -> int:
        """The dimension of the noise that is cut: the kind's own where it has no such axis."""
        kind = registry.get(self.noise.kind)
        wanted = _DIMENSION[self.axis]
        return wanted if wanted in kind.dimensions else kind.flat_dimension

    @property
    def moves(self) -> bool:
        """Tell whether the kind has the axis."""
        return bool(self.axis) and self.dimension == _DIMENSION[self.axis]

    @property
    def place(self) -> tuple[float, float]:
        """The third and fourth coordinate, cycles."""
        if not self.moves:
            return 0.0, 0.0
        return (self.position, 0.0) if self.axis == "third" else (0.0, self.position)

    def request(self) -> Request:
        """Return what the twin is asked for."""
        return evaluate.request(
            self.noise.kind, self.dimension, self.noise.seed, None, terrain_noise.settings(self.noise)
        )

    def still(self) -> Slice:
        """Return the slice that draws the same: without an axis that the kind does not have."""
        return self if self.moves else dataclasses.replace(self, axis="", position=0.0)


@dataclass(frozen=True)
class Shown:
    """What one side has to show: plain data but for `texture`, an OpenGL name that is to be lent to the overlay.

    `curve` is the noise along the cut, float32 (SIZE,), and `octaves` what each octave adds to it, (octaves, SIZE).
    """

    slice: Slice
    low: float
    high: float
    cut_octaves: int
    texture: int = 0
    curve: Curve | None = None
    octaves: Curve | None = None
    histogram: Histogram | None = None
    spectrum: Spectrum | None = None


class NoiseLab:
    """The two maps of the lab, left and right."""

    def __init__(self, context: moderngl.Context) -> None:
        program = programs.program(context, "passes/full_screen.vert", "passes/colour_map.frag")
        noise_map = NoiseMap(context)
        self.sides = tuple(_Side(context, program, noise_map) for _ in range(2))

    def draw(self, slices: tuple[Slice, Slice], cut: float, colours: str, now: float) -> None:
        """Bring both sides up to `slices`; `cut` is the curves' row as a share of the map, `now` in seconds."""
        for side, one in zip(self.sides, slices, strict=True):
            side.draw(one.still(), cut, colours, now)
        left, right = self.sides
        if left.read_at == right.read_at == now:
            right.read_at -= _STATISTICS_EVERY_S / 2  # the two take turns, so that no frame makes both

    @property
    def settled(self) -> bool:
        """Tell whether everything that was read back has been taken and belongs to the maps."""
        return all(side.settled for side in self.sides)

    @property
    def shown(self) -> tuple[Shown | None, ...]:
        """What each side has to show."""
        return tuple(side.shown for side in self.sides)

    def textures(self) -> tuple[moderngl.Texture, ...]:
        """Return the two coloured maps."""
        return tuple(side.picture for side in self.sides)

    def release(self) -> None:
        """Give the memory back."""
        for side in self.sides:
            side.release()


class _Side:
    """One map: its colours on the GPU and what was read back of it."""

    def __init__(self, context: moderngl.Context, program: moderngl.Program, noise_map: NoiseMap) -> None:
        self._context, self._program, self._noise_map = context, program, noise_map
        self._pass = context.vertex_array(program, [])
        self._colours = context.texture((256, 1), 4)
        self._colours.repeat_x = False
        self.picture = context.texture((SIZE, SIZE), 4)
        # nearest when smaller than drawn: between texels white noise would be averaged, in a moving pattern of bands
        self.picture.filter = (moderngl.NEAREST, moderngl.LINEAR)
        self._framebuffer = context.framebuffer(self.picture)
        self._reading: dict[int, moderngl.Framebuffer] = {}
        self._row = context.buffer(reserve=SIZE * _FLOAT, dynamic=True)
        self._map = context.buffer(reserve=SIZE * SIZE * _FLOAT, dynamic=True)
        self._octave_rows: list[moderngl.Buffer] = []
        self._drawn: tuple[Slice, float, str] | None = None
        self._coloured_by = ""
        self._row_pending = 0
        self._map_pending: Slice | None = None
        self._statistics_of: Slice | None = None
        self.read_at = 0.0
        self.shown: Shown | None = None

    @property
    def settled(self) -> bool:
        return (
            self._drawn is not None
            and not self._row_pending
            and self._map_pending is None
            and self._statistics_of == self._drawn[0]
        )

    def draw(self, one: Slice, cut: float, colours: str, now: float) -> None:
        self._take()
        wanted = (one, cut, colours)
        due = now - self.read_at >= _STATISTICS_EVERY_S and self._statistics_of != one and self._map_pending is None
        if wanted == self._drawn and not due:
            return
        asked = one.request()
        if self._drawn is None or self._drawn[0] != one or self.shown is None:
            self._renew(one, asked)
        octaves = terrain_noise.kept_octaves(one.noise, _GRID)
        values = self._values(one, asked, (SIZE, SIZE), octaves)
        self._colour(values, colours)
        row = min(int(cut * SIZE), SIZE - 1)
        self._reader(values).read_into(self._row, viewport=(0, row, SIZE, 1), components=1, dtype="f4")
        if due:
            values.read_into(self._map)
            self._map_pending, self.read_at = one, now
        self._read_octaves(one, asked, octaves, row / SIZE)
        self._drawn = wanted

    def _renew(self, one: Slice, asked: Request) -> None:
        """Begin a new `shown`; what was read back of the last slice stays until there is newer."""
        low, high = value_range(asked)
        cut = terrain_noise.cut_octaves(one.noise, _GRID)
        texture = int(self.picture.glo)
        if self.shown is None:
            self.shown = Shown(one, low, high, cut, texture)
        else:
            self.shown = dataclasses.replace(self.shown, slice=one, low=low, high=high, cut_octaves=cut)

    def _values(self, one: Slice, asked: Request, size: tuple[int, int], octaves: int, y: float = 0.0) -> moderngl.Texture:
        z, w = one.place
        return self._noise_map.draw(asked, size, terrain_noise.cycles(one.noise), z, w, octaves, (0.0, y))

    def _colour(self, values: moderngl.Texture, colours: str) -> None:
        assert self.shown is not None
        if colours != self._coloured_by:
            self._colours.write(colour_maps.table(colours))
            self._coloured_by = colours
        self._framebuffer.use()
        self._context.viewport = (0, 0, SIZE, SIZE)
        self._context.enable_only(moderngl.NOTHING)
        values.use(0)
        self._colours.use(1)
        self._program["u_values"], self._program["u_colours"] = 0, 1
        self._program["u_low"], self._program["u_high"] = self.shown.low, self.shown.high
        self._pass.render(moderngl.TRIANGLES, vertices=3)

    def _reader(self, values: moderngl.Texture) -> moderngl.Framebuffer:
        """Return a framebuffer that reads `values` in part."""
        if values.glo not in self._reading:
            self._reading[values.glo] = self._context.framebuffer(values)
        return self._reading[values.glo]

    def _read_octaves(self, one: Slice, asked: Request, octaves: int, y: float) -> None:
        """Have the sums of the first 1, 2, … octaves along the cut read back; the last is the whole sum's own row."""
        while len(self._octave_rows) < octaves - 1:
            self._octave_rows.append(self._context.buffer(reserve=SIZE * _FLOAT, dynamic=True))
        for count in range(1, octaves):
            self._values(one, asked, (SIZE, 1), count, y).read_into(self._octave_rows[count - 1])
        self._row_pending = octaves

    def _take(self) -> None:
        """Take what the frame before had read back."""
        if self._row_pending:
            assert self.shown is not None
            rows = [*self._octave_rows[: self._row_pending - 1], self._row]
            sums = np.stack([np.frombuffer(row.read(), np.float32) for row in rows])
            base = np.float32(0.5 if self.shown.slice.request().unit_range else 0)
            octaves = np.diff(sums, axis=0, prepend=np.full((1, SIZE), base))
            self.shown = dataclasses.replace(self.shown, curve=sums[-1], octaves=octaves)
            self._row_pending = 0
        if self._map_pending is not None:
            assert self.shown is not None
            values = np.frombuffer(self._map.read(), np.float32).reshape(SIZE, SIZE)
            self.shown = dataclasses.replace(
                self.shown,
                histogram=histogram(values, self.shown.low, self.shown.high),
                spectrum=radial_power_spectrum(values, window=True),
            )
            self._statistics_of, self._map_pending = self._map_pending, None

    def release(self) -> None:
        for thing in (self._pass, self._colours, self._framebuffer, self.picture, self._row, self._map):
            thing.release()
        for thing in (*self._octave_rows, *self._reading.values()):
            thing.release()
