"""The noise lab's maps: two slices of noise drawn by their GLSL twins, coloured, and read back for the statistics.

A map is drawn when its slice changes and not otherwise. While slices move and frames would come late, each frame
draws a half, a quarter, … of a map anew, from the bottom up and round again, as a screen is scanned: a map
keeps its samples, and none is older than a few frames. (Rejected: fewer samples, which change what is looked at, and
every so many rows in turn, whose combs show and stand in the spectrum.) What is read back, the curve along the cut and
the map for histogram and spectrum, is read when the next frame begins: by then it has been drawn, and no frame waits
for it.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import FellviewError
from fellview.draw.overlay import colour_maps
from fellview.gpu import bindings, formats, programs
from fellview.gpu.noise_map import NoiseMap
from fellview.noise import evaluate, fractal, registry
from fellview.noise.evaluate import Request
from fellview.noise.statistics import Histogram, Spectrum, histogram, radial_power_spectrum, value_range
from fellview.terrain.domain import Grid
from fellview.terrain.steps import noise as terrain_noise
from fellview.terrain.steps.noise import Noise

SIZE = 512
"""Samples a side of a map."""

AXES = ("third", "fourth")
_DIMENSIONS = {"": 0, "third": 3, "fourth": 4}
_GRID = Grid(rows=SIZE, columns=SIZE)
_STATISTICS_EVERY_S = 0.3  # while slices move: a map's transform takes 6 ms
_OCTAVES_EVERY_S = 1 / 8  # each octave's curve is a draw of its own
_ROUND = 0.05  # colours reach to multiples of this
_SLACK = 1e-3  # of a multiple: white noise ends a hair before 1

Curve = NDArray[np.float32]


@dataclass(frozen=True)
class Slice:
    """A plane through `noise` at `position` cycles along `axis`; with no axis, the plane that terrain is made of."""

    noise: Noise
    axis: str = ""
    position: float = 0.0

    @property
    def dimension(self) -> int:
        """The dimension of the noise that is cut: the one of terrain where the kind has no such axis."""
        kind = registry.get(self.noise.kind)
        wanted = _DIMENSIONS[self.axis]
        return wanted if wanted in kind.dimensions else kind.flat_dimension

    @property
    def moves(self) -> bool:
        """Return whether the kind has the axis."""
        return bool(self.axis) and self.dimension == _DIMENSIONS[self.axis]

    @property
    def place(self) -> tuple[float, float]:
        """The third and fourth coordinate, cycles."""
        if not self.moves:
            return 0.0, 0.0
        return (self.position, 0.0) if self.axis == "third" else (0.0, self.position)

    def still(self) -> Slice:
        """Return the slice that shows the same: without an axis that the kind does not have."""
        return self if self.moves else dataclasses.replace(self, axis="", position=0.0)


@dataclass(frozen=True)
class Wanted:
    """What the twin is asked for, and what its values v then mean: the noise is scale·v + offset, low to high.

    As on the land, octaves finer than two samples a cycle are left out and the others keep their strength; the twin
    has the strengths that it is asked for add up to 1.
    """

    asked: Request
    scale: float
    offset: float
    low: float
    high: float
    cut_octaves: int

    @classmethod
    def of(cls, one: Slice) -> Wanted:
        """Return what shows `one`."""
        noise = one.noise
        asked = evaluate.request(noise.kind, one.dimension, noise.seed, None, terrain_noise.settings(noise))
        low, high = value_range(asked)
        kept, cut = terrain_noise.kept_octaves(noise, _GRID), terrain_noise.cut_octaves(noise, _GRID)
        scale = 1.0
        if cut:
            scale = sum(octave.amplitude for octave in fractal.octaves(asked.sum)[:kept])
            asked = dataclasses.replace(asked, sum=asked.sum.replace(octaves=kept, warp=asked.sum.warp * scale))
        return cls(asked, scale, (1 - scale) / 2 if asked.unit_range else 0.0, low, high, cut)


@dataclass(frozen=True)
class Shown:
    """What one side has to show: plain data but for `texture`, an OpenGL name that is to be lent to the overlay.

    Values can lie between `low` and `high`; colours and curve reach from `lowest` to `highest`, which is what was seen
    of this noise so far, on round numbers. `curve` is the noise along the cut, float32 (SIZE,), and `octaves` what each
    octave adds to it, (octaves, SIZE).
    """

    slice: Slice
    low: float
    high: float
    cut_octaves: int
    lowest: float = -1.0
    highest: float = 1.0
    texture: int = 0
    curve: Curve | None = None
    octaves: Curve | None = None
    histogram: Histogram | None = None
    spectrum: Spectrum | None = None


class Pace:
    """In how many parts a map is drawn while slices move, one a frame, so that frames keep their rate.

    The number doubles when frames are late, and halves when they would be in time though they took twice as long.
    """

    LATE_S = 1 / 36
    """A frame that takes longer is late: 30 a second are promised, and not every frame is alike."""

    MOST = 16
    _FRAMES = 5  # one slow frame, such as one that compiled a kind's program, is no reason

    def __init__(self) -> None:
        self.parts = 1
        self._seconds: list[float] = []

    def note(self, seconds: float) -> None:
        """Take in how long a frame took."""
        self._seconds.append(seconds)
        if len(self._seconds) < self._FRAMES:
            return
        usual = statistics.median(self._seconds)
        self._seconds.clear()
        if usual > self.LATE_S:
            self.parts = min(2 * self.parts, self.MOST)
        elif 2 * usual < self.LATE_S:
            self.parts = max(self.parts // 2, 1)


class NoiseLab:
    """The two maps of the lab, left and right."""

    def __init__(self, context: moderngl.Context) -> None:
        self._noise_map = NoiseMap(context)
        self._program = programs.program(context, "gpu/full_screen.vert", "draw/overlay/colour_map.frag")
        self._sides = tuple(_Side(context, self._program, self._noise_map, lag) for lag in (0.0, 0.5))
        self.pace = Pace()

    def draw(self, slices: tuple[Slice, Slice], cut: float, colours: str, now: float, moving: bool = False) -> None:
        """Bring both sides up to `slices`; `cut` is the curves' row as a share of the map, `now` in seconds.

        With `moving` a map may be drawn in part, and statistics follow a few times a second.
        """
        parts = self.pace.parts if moving else 1
        for side, one in zip(self._sides, slices, strict=True):
            side.draw(one.still(), cut, colours, now, parts, moving)

    @property
    def settled(self) -> bool:
        """Return whether all is drawn whole, read back and taken, so that the next frame would show the same."""
        return all(side.settled for side in self._sides)

    @property
    def shown(self) -> tuple[Shown | None, ...]:
        """What each side has to show."""
        return tuple(side.shown for side in self._sides)

    def textures(self) -> tuple[moderngl.Texture, ...]:
        """Return the two coloured maps."""
        return tuple(side.picture for side in self._sides)

    def release(self) -> None:
        """Give the memory back."""
        for side in self._sides:
            side.release()
        self._noise_map.release()
        self._program.release()


class _Side:
    """One map: its values and colours on the GPU, and what was read back of it."""

    def __init__(self, context: moderngl.Context, program: moderngl.Program, noise_map: NoiseMap, lag: float) -> None:
        if not formats.of(context).draws(1, "f4"):
            raise FellviewError("noise lab: this OpenGL cannot draw into textures of 32-bit floats, which it measures")
        self._context, self._program, self._noise_map = context, program, noise_map
        self._lag = lag  # of its turns behind the other side's, so that no frame makes the statistics of both
        self._pass = context.vertex_array(program, [])
        self._colours = context.texture((256, 1), 4)
        self._colours.repeat_x = False
        self.picture = context.texture((SIZE, SIZE), 4)
        # nearest when smaller than drawn: between texels white noise would be averaged, in a moving pattern of bands
        self.picture.filter = (moderngl.NEAREST, moderngl.LINEAR)
        self._values = context.texture((SIZE, SIZE), 1, dtype="f4")
        self._framebuffer = context.framebuffer([self.picture, self._values])
        self._reader = context.framebuffer(self._values)
        self._rows: moderngl.Texture | None = None  # drawn last
        self._octaves: list[moderngl.Texture] = []  # a row each
        self._wanted: Wanted | None = None
        self._part = 0
        self._latest: tuple[Slice, str] | None = None  # what rows were last drawn for, and the whole map
        self._whole: tuple[Slice, str] | None = None
        self._curve_of: tuple[Slice, float] | None = None
        self._octaves_of: tuple[Slice, float] | None = None
        self._statistics_of: Slice | None = None
        self._turns: dict[str, int] = {}
        self._reading_curve = self._reading_map = False
        self._reading_octaves = 0
        self._seen_of: Slice | None = None  # at position 0: the extremes of a noise are those of all its slices
        self.shown: Shown | None = None
        self.settled = False

    def draw(self, one: Slice, cut: float, colours: str, now: float, parts: int, moving: bool) -> None:
        """Read back what the last frame drew, draw what has changed, and note what is to be read back."""
        self._take()
        row = min(int(cut * SIZE), SIZE - 1)
        self._draw_map(one, colours, parts, moving)
        if self._curve_of != (one, cut):
            self._curve_of, self._reading_row = (one, cut), row
        if self._octaves_of != (one, cut) and self._is_turn("octaves", now, _OCTAVES_EVERY_S, moving):
            self._draw_octaves(one, row)
            self._octaves_of = one, cut
        if self._statistics_of != one and self._is_turn("statistics", now, _STATISTICS_EVERY_S, moving):
            self._statistics_of, self._reading_map = one, True
        self.settled = not moving and not self._reading_map and self._reading_row < 0 and not self._reading_octaves

    def _is_turn(self, what: str, now: float, every_s: float, moving: bool) -> bool:
        """Return whether `what` is due: at rest always, while slices move once in `every_s`."""
        turn = int(now / every_s + self._lag)
        if moving and self._turns.get(what) == turn:
            return False
        self._turns[what] = turn
        return True

    def _draw_map(self, one: Slice, colours: str, parts: int, moving: bool) -> None:
        """Bring the map up to `one`: as a whole, or while it only moves the next of `parts`."""
        latest, self._latest = self._latest, (one, colours)
        if self._whole == self._latest or (moving and latest == self._latest):
            return
        if latest is None or (dataclasses.replace(latest[0], position=one.position), latest[1]) != self._latest:
            self._wanted, parts = Wanted.of(one), 1
            self._colours.write(colour_maps.table(colours))
        wanted = self._wanted
        assert wanted is not None
        self._show(one, wanted)
        self._draw_part(one, wanted, parts)
        self._whole = self._latest if parts == 1 else None

    def _show(self, one: Slice, wanted: Wanted) -> None:
        """Say what is shown; what was read back of the last slice stays until there is newer."""
        known = self.shown or Shown(one, 0.0, 1.0, 0, wanted.low, wanted.high)
        self.shown = dataclasses.replace(
            known,
            slice=one,
            low=wanted.low,
            high=wanted.high,
            cut_octaves=wanted.cut_octaves,
            texture=int(self.picture.glo),
        )

    def _draw_part(self, one: Slice, wanted: Wanted, parts: int) -> None:
        """Draw the next of `parts` equal parts into the values and the picture."""
        assert self.shown is not None
        self._part = (self._part + 1) % parts
        rows = SIZE // parts
        cycles, (z, w) = terrain_noise.cycles(one.noise), one.place
        self._rows = self._noise_map.draw(
            wanted.asked,
            (SIZE, rows),
            extent=(cycles / parts, cycles),
            origin=(cycles * self._part / parts, 0.0),
            z=z,
            w=w,
            into=self._rows,
        )
        self._framebuffer.use()
        self._framebuffer.viewport = (0, self._part * rows, SIZE, rows)
        self._context.enable_only(moderngl.NOTHING)
        bindings.use(self._program, {"u_rows": self._rows, "u_colours": self._colours})
        for name, value in (
            ("u_first", self._part * rows),
            ("u_scale", (wanted.scale, wanted.offset)),
            ("u_low", self.shown.lowest),
            ("u_high", self.shown.highest),
        ):
            self._program[name] = value
        self._pass.render(moderngl.TRIANGLES, vertices=3)

    def _draw_octaves(self, one: Slice, row: int) -> None:
        """Draw what each octave adds along the cut."""
        assert self._wanted is not None
        cycles, (z, w) = terrain_noise.cycles(one.noise), one.place
        count = self._wanted.asked.sum.octaves
        for octave in range(count):
            texture = self._noise_map.draw(
                self._wanted.asked,
                (SIZE, 1),
                extent=cycles,
                origin=(cycles * row / SIZE, 0.0),
                z=z,
                w=w,
                only_octave=octave,
                into=self._octaves[octave] if octave < len(self._octaves) else None,
            )
            self._octaves[octave : octave + 1] = [texture]
        self._reading_octaves = count

    def _take(self) -> None:
        """Read back what the frame before has drawn."""
        if self.shown is None or self._wanted is None:
            return
        if self._reading_row >= 0:
            data = self._reader.read(viewport=(0, self._reading_row, SIZE, 1), components=1, dtype="f4")
            self.shown = dataclasses.replace(self.shown, curve=np.frombuffer(data, np.float32))
        if self._reading_octaves:
            textures = self._octaves[: self._reading_octaves]
            rows = np.stack([np.frombuffer(texture.read(), np.float32) for texture in textures])
            self.shown = dataclasses.replace(self.shown, octaves=rows * np.float32(self._wanted.scale))
        if self._reading_map:
            values = np.frombuffer(self._values.read(), np.float32).reshape(SIZE, SIZE)
            self.shown = dataclasses.replace(
                self.shown,
                histogram=histogram(values, self.shown.low, self.shown.high),
                spectrum=radial_power_spectrum(values, window=True),
            )
            self._widen(float(values.min()), float(values.max()))
        self._reading_map, self._reading_row, self._reading_octaves = False, -1, 0

    def _widen(self, lowest: float, highest: float) -> None:
        """Have colours reach to the extremes seen of this noise; they only ever widen, or slices would flicker."""
        assert self.shown is not None and self._statistics_of is not None
        low = math.floor(lowest / _ROUND + _SLACK) * _ROUND
        high = max(math.ceil(highest / _ROUND - _SLACK) * _ROUND, low + _ROUND)
        noise = dataclasses.replace(self._statistics_of, position=0.0)
        if noise == self._seen_of:
            low, high = min(low, self.shown.lowest), max(high, self.shown.highest)
        self._seen_of = noise
        if (low, high) != (self.shown.lowest, self.shown.highest):
            self.shown = dataclasses.replace(self.shown, lowest=low, highest=high)
            self._whole = self._latest = None  # the whole map takes the new colours

    def release(self) -> None:
        """Give the memory back."""
        for thing in (self._pass, self._colours, self._framebuffer, self._reader, self.picture, self._values):
            thing.release()
        for texture in (self._rows, *self._octaves):
            if texture is not None:
                texture.release()
