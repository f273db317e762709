"""What a landform is, and the one kernel that lays any of them over the heights below.

A landform's `shape` kernel gives, at a row of places (x, z) in metres from its centre, turned with it, the heights s in
metres above its base and its cover, 1 within it and 0 outside. A rising form (sign 1) goes on downwards beyond its foot
and a sinking one (sign −1) upwards beyond its rim, so that maximum and minimum meet whatever ground lies there. With
the heights below b, the base e and s̄ (s cut off at the base, see `_cut`):

    add      b + s̄                    maximum  smooth_max(b, e + s)
    replace  b + (e + s̄ − b)·cover    minimum  smooth_min(b, e + s)
    mask     b·cover + e + s̄

s counts to ±`FARTHEST`: on long and narrow land a place may lie a million of the form's own sizes away, and what goes
on beyond it has left all bounds there.

Everything is float32, as in the twin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy import float32 as f32
from numpy.typing import NDArray

from fellview.core import compiled
from fellview.core.compiled import Kernel, kernel, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import Group
from fellview.terrain.domain import Domain
from fellview.terrain.landforms.shapes import smooth_max, smooth_min
from fellview.terrain.progress import Progress

BLENDS = ("add", "maximum", "minimum", "replace", "mask")
"""In the order of the kernels' codes."""

TILES = 32
"""Tiles a side into which lists of craters, islands and the like are sorted."""

SCRATCH = 8
"""Rows of scratch that a shape is given."""

FARTHEST = 1e6
"""Metres from its base that a form counts, up and down: ten times the greatest height it can be given."""

_ROUNDED = 0.05  # of the height: how much of the foot is rounded where a form is cut off at its base
_OCTAVES = 6  # of an outline, at most


@dataclass(frozen=True)
class Place:
    """Where a landform lies: all that `prepare` may depend on beside its parameters.

    `side` is the domain's shorter side in metres, `reach` the distance from the middle of the domain to its corner,
    `middle` the domain's middle in the landform's coordinates, `cell` the longer side of a cell, `extent` the domain's
    (x, z); all in metres. `started` is the hash that its seed starts from.
    """

    side: float
    reach: float
    middle: tuple[float, float]
    cell: float
    extent: tuple[float, float]
    started: int

    def octaves(self, wavelength: float) -> float:
        """Return how many octaves below `wavelength`, in metres, have at least two samples a cycle."""
        fit = math.floor(math.log2(max(wavelength / (2 * self.cell), 1.0))) + 1
        return float(min(max(fit, 1), _OCTAVES))


@dataclass(frozen=True)
class Prepared:
    """What a shape is made from, the same for both engines.

    `numbers` are the kernel's constants in its order, and the twin's uniforms `u_NAME`. `table` is float32 (n, 4);
    `spans` float32 (TILES, TILES, 2) tells the first entry of each tile and how many it has.
    """

    numbers: dict[str, float]
    table: NDArray[np.float32] = field(default_factory=lambda: np.zeros((1, 4), np.float32))
    spans: NDArray[np.float32] = field(default_factory=lambda: np.zeros((TILES, TILES, 2), np.float32))


@dataclass(frozen=True)
class Form:
    """One landform.

    `parameters` declares what it has beside the common rows, of which it does without `unused`. `prepare` turns
    parameters into `Prepared`. `shape` is the kernel; the twin is `landform()` in shaders/kernels/landform/NAME.glsl.
    `natural_height` is the share of the land's shorter side, and `natural_size` the size in %, that read well.
    `goes_on` is whether the domain's outside is like its inside: not where a list of forms fills the domain alone, if
    the registry prepares it in no other way there, nor where all that makes the form is finer than what is drawn of it
    from afar. `has_walls` is whether it is steep over less than a hundredth of the land's side, with level ground
    beside. `is_one_way` is whether its steep sides all face one way, so that its mirror image is none of its kind.
    """

    name: str
    tip: str
    parameters: type[Group]
    prepare: Callable[[Any, Place], Prepared]
    shape: Kernel
    sign: int
    natural_height: float
    natural_size: float = 50.0
    unused: tuple[str, ...] = ()
    goes_on: bool = True
    has_walls: bool = False
    is_one_way: bool = False
    remark: Callable[[Any, Place], str] = lambda parameters, place: ""


def tiled(
    place: Place, centres: NDArray[Any], reaches: NDArray[Any], entries: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], dict[str, float]]:
    """Return table, spans and constants: for every tile the `entries` (n, texels, 4) that may touch it, in their order.

    Tiles cover the square about the domain whatever way the landform is turned; `centres` are (n, 2), in metres, x
    first, and `reaches` their radii. What lies outside the square belongs to the nearest tile, as does a place there.
    All entries once, in their order, follow those of the tiles: kernels on the CPU take them one by one, each over a
    piece of a row. `first` tells where they begin, in entries, and `count` how many they are.
    """
    numbers = tile_numbers(place)
    scale = numbers["tiles"]
    corner = np.array([numbers["corner_x"], numbers["corner_z"]])
    low = np.clip(np.floor((centres - reaches[:, None] - corner) * scale), 0, TILES - 1).astype(int)
    high = np.clip(np.floor((centres + reaches[:, None] - corner) * scale), 0, TILES - 1).astype(int)
    wide, tall = (high - low + 1).T
    touched = wide * tall
    number = np.repeat(np.arange(len(centres)), touched)
    nth = np.arange(len(number)) - np.repeat(np.cumsum(touched) - touched, touched)
    own = (low[number, 1] + nth // wide[number]) * TILES + low[number, 0] + nth % wide[number]
    counts = np.bincount(own, minlength=TILES * TILES)
    spans = np.stack([np.cumsum(counts) - counts, counts], axis=-1).astype(np.float32).reshape(TILES, TILES, 2)
    order = np.concatenate([number[np.argsort(own, kind="stable")], np.arange(len(centres))])
    table = np.ascontiguousarray(entries[order].reshape(-1, 4), np.float32)
    return table, spans, numbers | {"first": float(len(number)), "count": float(len(centres))}


def mixed(h: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the bits of `h` scrambled, as `hash.mix` does, which needs numba."""
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1)):
        h = (h ^ (h >> np.uint32(shift))) * np.uint32(factor)
    return h


def waves(x: NDArray[Any], z: NDArray[Any], octaves: int, gain: float, started: int) -> NDArray[Any]:
    """Return (2, n) what `shapes.outline` fills its two with at n places, but in float64, for what is prepared."""
    total, strength = np.zeros((2, len(x))), 1.0
    for octave in range(octaves):
        own = mixed(np.array([(started + octave * 0x9E3779B9) & 0xFFFFFFFF], np.uint32))  # `hash.more`
        column, row = np.floor(x), np.floor(z)
        tx, tz = x - column, z - row
        wx, wz = (t * t * t * (t * (t * 6 - 15) + 10) for t in (tx, tz))
        for i, across in ((0, 1 - wx), (1, wx)):
            for j, along in ((0, 1 - wz), (1, wz)):
                h = mixed(own ^ (column + i).astype(np.int64).astype(np.uint32))
                h = mixed(h ^ (row + j).astype(np.int64).astype(np.uint32))
                part = [(h >> np.uint32(bits) & np.uint32(255)) * (4 / 255) - 2 for bits in (0, 8, 16, 24)]
                total[0] += strength * across * along * (part[0] * (tx - i) + part[1] * (tz - j))
                total[1] += strength * across * along * (part[2] * (tx - i) + part[3] * (tz - j))
        x, z = 1.6 * x - 1.2 * z + 17.3, 1.2 * x + 1.6 * z + 9.1
        strength *= gain
    return total


def draws(started: int, count: int, stream: int) -> NDArray[Any]:
    """Return `count` numbers in [0, 1) from the integer hash; another `stream` gives other ones."""
    h = mixed((np.arange(count, dtype=np.uint32) * np.uint32(8) + np.uint32(stream)) ^ np.uint32(started))
    return (h >> np.uint32(8)) * 2.0**-24


def scattered(place: Place, count: int, margin: float) -> NDArray[np.float64]:
    """Return `count` places (n, 2) in metres over the domain and `margin` of it beyond each edge; the first is 0, 0.

    Moving the landform moves them all; what leaves on one side comes in on the other.
    """
    extent = np.array(place.extent) * (1 + 2 * margin)
    middle = np.array(place.middle)
    shares = np.stack([draws(place.started, count, stream) for stream in (1, 2)], axis=-1)
    centres = middle + (np.mod(shares - middle / extent, 1.0) - 0.5) * extent
    centres[0] = 0.0
    return centres


def tile_numbers(place: Place) -> dict[str, float]:
    """Return the constants with which a shape finds its tile: the square's corner and the tiles a metre."""
    return {
        "corner_x": place.middle[0] - place.reach,
        "corner_z": place.middle[1] - place.reach,
        "tiles": TILES / (2 * place.reach),
    }


@kernel()
def near_columns(begin, pace, columns, away, reach):
    """Return the first and one past the last of a row's places that are nearer than `reach`, `away` across the row.

    Along the row they lie at `begin`, then every `pace` metres. There may be one too many.
    """
    square = reach * reach - away * away
    if square <= f32(0):
        return 0, 0
    half = math.sqrt(square)
    most = f32(columns)
    first = min(max(np.floor((-half - begin) / pace), f32(0)), most)
    last = min(max(np.ceil((half - begin) / pace) + f32(1), f32(0)), most)
    return int(first), int(last)


def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill `s` and `cover` for a row of places (x, z), which it may move; each landform binds its own.

    `scratch` is float32 [SCRATCH, columns].
    """
    raise NotImplementedError


@kernel(inline="always")
def _cut(s, sign, rounded):
    """Return s cut off at the base, over a rounded foot; a form of sign 0 is left as it is."""
    if sign > 0:
        return smooth_max(s, f32(0), rounded)
    if sign < 0:
        return smooth_min(s, f32(0), rounded)
    return s


@kernel(inline="always")
def blended(below, s, cover, code, sign, base, smoothness, rounded):
    """Return the height that `below` and the landform's s make together."""
    s = min(max(s, f32(-FARTHEST)), f32(FARTHEST))
    if code == 0:
        return below + _cut(s, sign, rounded)
    if code == 1:
        return smooth_max(below, base + s, smoothness)
    if code == 2:
        return smooth_min(below, base + s, smoothness)
    if code == 3:
        return below + (base + _cut(s, sign, rounded) - below) * cover
    return below * cover + base + _cut(s, sign, rounded)


@kernel()
def _blend(below, s, cover, code, sign, base, smoothness, rounded, out):
    """Fill one row; a kernel of its own, since every landform has it and `lay` is compiled for each."""
    for c in range(out.size):
        out[c] = blended(below[c], s[c], cover[c], code, sign, base, smoothness, rounded)


@kernel()
def lay(top, bottom, below, frame, numbers, table, spans, started, code, sign, levels, out, cancel):
    """Fill rows `top` to `bottom` − 1 of `out` with the landform over `below`.

    `frame` is (x, z at row 0 and column 0, their steps by column, their steps by row); `levels` are base, smoothness
    and the rounded part of the foot, in metres.
    """
    x0, z0, x_column, z_column, x_row, z_row = frame[0], frame[1], frame[2], frame[3], frame[4], frame[5]
    base, smoothness, rounded = levels[0], levels[1], levels[2]
    columns = below.shape[1]
    for r in range(top, bottom):
        if cancel[0]:
            break
        room = np.empty((4 + SCRATCH, columns), np.float32)
        x, z, s, cover = room[0], room[1], room[2], room[3]
        for c in range(columns):
            x[c] = x0 + f32(c) * x_column + f32(r) * x_row
            z[c] = z0 + f32(c) * z_column + f32(r) * z_row
        shape(x, z, numbers, table, spans, started, room[4:], s, cover)
        _blend(below[r], s, cover, code, sign, base, smoothness, rounded, out[r])


def rounded_foot(height: float) -> float:
    """Return how many metres of a form's foot are rounded where it is cut off at its base."""
    return _ROUNDED * height


def frame(x: float, z: float, rotation: float, domain: Domain) -> tuple[float, ...]:
    """Return `lay`'s frame of a landform at (x, z), in % of the domain, turned by `rotation` degrees.

    Turned by 90°, what pointed along x points along z. Row r and column c lie at (r/R, c/C), as noise has it.
    """
    grid = domain.grid
    cell_z, cell_x = grid.cell_size
    cos, sin = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    east, north = -x / 100 * grid.size_x, -z / 100 * grid.size_z
    return (
        cos * east + sin * north,
        cos * north - sin * east,
        cos * cell_x,
        -sin * cell_x,
        sin * cell_z,
        cos * cell_z,
    )


def place(x: float, z: float, rotation: float, started: int, domain: Domain) -> Place:
    """Return where a landform at (x, z), in % of the domain, lies."""
    grid = domain.grid
    x0, z0, x_column, z_column, x_row, z_row = frame(x, z, rotation, domain)
    half_column, half_row = grid.columns / 2, grid.rows / 2
    return Place(
        min(grid.size_x, grid.size_z),
        math.hypot(grid.size_x, grid.size_z) / 2,
        (x0 + half_column * x_column + half_row * x_row, z0 + half_column * z_column + half_row * z_row),
        max(grid.cell_size),
        (grid.size_x, grid.size_z),
        started,
    )


def run(
    lay_form: Kernel,
    prepared: Prepared,
    framed: tuple[float, ...],
    started: int,
    code: int,
    sign: int,
    levels: tuple[float, float, float],
    heights: Heights,
    progress: Progress,
) -> Heights:
    """Return new heights with the landform laid over `heights`."""
    out = np.empty(heights.shape, np.float32)
    numbers = np.array(list(prepared.numbers.values()), np.float32)
    compiled.in_bands(
        len(heights),
        1,
        lay_form,
        read_only(np.ascontiguousarray(heights)),
        np.array(framed, np.float32),
        numbers,
        prepared.table,
        prepared.spans,
        np.uint32(started),
        code,
        sign,
        np.array(levels, np.float32),
        out,
        progress.cancel,
    )
    return out
