"""Layers of hard and soft rock, which erosion feels: cliffs over slopes of scree, benches, mesas under a caprock.

A place (x, z) at the height h lies at s = h + tan(tilt)·d − undulation·N(x, z) in the pile of layers, all in metres; d
is its distance from the middle of the land in the direction in which the layers fall, N a random field
(`fractal_field.py`). Layer k reaches from T·(k + j·u_k) to T·(k + 1 + j·u_(k+1)), with the mean thickness T, hashes u
within ±½ and j = 0.9·irregularity. Hard and soft alternate: the hardness H is ±(1 − 0.7·irregularity·v_k) with hashes v
from 0 to 1, and goes straight from one to the next over a tenth of T to either side of their contact. A caprock is as
hard as can be (H = 1) and what lies over it as soft (H = −1), so that it is soon stripped.

    erodibility = C^(−H/2),   tan(steepest slope) = tan(talus) + max(H, 0)·(tan(cliff) − tan(talus))

where C is the contrast and talus the erosion's own angle. A cell sees all that it spans from one side to the other at
the talus angle: the means of the reciprocals of both, by which a river crosses the layers and a slope climbs them. A
river meets all that lies between a cell and its receiver r, (s − s_r) / ∫ ds / erodibility; with that of the cell
alone, a long step in time would take it from soft rock through the hard rock below. Hence layers that a grid cannot
show make it neither rough nor another land.

Erosion looks both up again and again at the heights that it has reached, in a table over s that is as quick as it is
small. What was laid down on the ground is loose: it has erodibility 1 and lies at the talus angle, whatever layer was
there.

Limits: layers stay where they are while land rises through them, so that benches keep level and colours their heights;
real ones would rise with it. `fluvial.py` takes what it laid down for rock.

Reference: N. A. Mitchell, B. J. Yanites, "Bedrock river erosion through dipping layered rocks", Earth Surface Dynamics
9 (2021), doi:10.5194/esurf-9-723-2021, for rivers of stream power on layers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, real, switch
from fellview.terrain.domain import Domain
from fellview.terrain.field import Field, by_name
from fellview.terrain.fractal_field import FractalField, seed_of
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.drainage import ROOT, offset

ROCK_LAYER = Field(
    "rock_layer",
    "Rock layer",
    "1",
    "Which layer of rock lies at the surface, as a number of its own for each.",
    lowest=0,
    highest=1,
    categorical=True,
)
ROCK_HARDNESS = Field(
    "rock_hardness",
    "Rock hardness",
    "1",
    "How hard the rock at the surface is, from -1 for the softest to 1 for the hardest.",
    lowest=-1,
    highest=1,
)
FIELDS = (ROCK_LAYER, ROCK_HARDNESS)
BYTES_A_CELL = 28  # of `Laid`, and the strength of the rock on top of which fluvial erosion puts the layers'

_FOLDS = 0x52  # purpose of the field
_OCTAVES, _GAIN = 3, 0.45
_JITTER = 0.9  # of a thickness at irregularity 1: the thinnest layer is a tenth of it, the thickest 1.9
_WEAKER = 0.7  # how much weaker a layer may be than the hardest or softest at irregularity 1
_CONTACT = 0.1  # of the thickness to either side
_SAMPLES = 4096  # of the table; OpenGL 3.3 machines have textures as wide
_FINE = 8  # places that are looked at for a sample
LEAST_CROSSED = 4.0  # samples: as much is told apart where ∫ ds / erodibility has run up to 10⁴ in float32
_LOOSE = 0.05  # of a thickness: as deep, what was laid down hides the rock


@dataclass(frozen=True)
class Rock(Group):
    """What the ground is made of."""

    key: ClassVar[str] = "rock"
    title: ClassVar[str] = "Rock"

    enabled: bool = switch(
        False, tip="Lays hard and soft rocks on one another. Erosion makes cliffs, benches and mesas of them."
    )
    thickness: float = real(
        20.0,
        0.01,
        10_000.0,
        slider=(1, 500),
        unit="m",
        scale="log",
        label="Layer thickness",
        useful=(5, 80),
        tip="Low makes many fine bands, high a few great cliffs.",
    )
    irregularity: float = real(
        0.5, 0.0, 1.0, tip="Low makes even stairs of alike layers, high mixes thick and thin, strong and weak ones."
    )
    contrast: float = real(
        10.0,
        1.0,
        1000.0,
        slider=(1, 100),
        unit="×",
        scale="log",
        useful=(2, 30),
        tip="How much faster the softest rock wears than the hardest. Low hardly shows layers, high leaves mesas.",
    )
    cliff_angle: float = real(
        75.0,
        1.0,
        88.0,
        slider=(40, 85),
        unit="°",
        useful=(60, 82),
        tip="How steep the hardest rock stands. Low makes rounded ledges, high sheer walls over slopes of scree.",
    )
    tilt: float = real(
        0.0,
        0.0,
        60.0,
        slider=(0, 30),
        unit="°",
        useful=(0, 15),
        tip="Low keeps benches level, high makes ridges that are steep on one side and slope down on the other.",
    )
    tilt_azimuth: float = real(
        90.0,
        0.0,
        360.0,
        unit="°",
        wraps=True,
        label="Tilted towards",
        tip="Where layers go down, clockwise from +z seen from above: 90° is +x.",
        more=True,
    )
    undulation: float = real(
        0.0,
        0.0,
        10_000.0,
        slider=(0, 200),
        unit="m",
        useful=(0, 60),
        tip="Low keeps layers plane, high bends them into basins and domes, around which cliffs run in rings.",
    )
    undulation_frequency: float = real(
        2.0,
        0.01,
        4096.0,
        slider=(0.5, 32),
        label="Undulations",
        unit="cycles",
        scale="log",
        tip="Low bends layers in a few wide folds, high in many narrow ones.",
        more=True,
    )
    cap_thickness: float = real(
        0.0,
        0.0,
        10_000.0,
        slider=(0, 200),
        unit="m",
        label="Caprock",
        tip="A layer of the hardest rock under soft ground. 0 lays none, high makes mesas with tall cliffs.",
    )
    cap_height: float = real(
        100.0,
        -100_000.0,
        100_000.0,
        slider=(-500, 2000),
        unit="m",
        label="Caprock's top",
        useful=(),
        tip="How high the caprock reaches, where tilt and undulation leave it. Low makes low mesas of more land.",
    )


@dataclass(frozen=True)
class Strata:
    """The pile of layers under one land: hardness and colour, from 0 to 1, at `first_m`, `first_m` + `step_m`, ..."""

    rock: Rock
    seed: int
    first_m: float
    step_m: float
    hardness: NDArray[np.float64]
    colour: NDArray[np.float64]

    @property
    def sample_m(self) -> float:
        """Metres from one sample of the tables to the next."""
        return _FINE * self.step_m

    def wear(self, span_m: float, talus: float, unit: float = 1.0) -> NDArray[np.float32]:
        """Return the table (3, samples) of erodibility and of the steepest slope times `unit`, over `span_m` each.

        The third is ∫ ds / erodibility, in samples from the middle, where rounding is least. `talus` is the tangent of
        the talus angle.
        """
        cliff = max(math.tan(math.radians(self.rock.cliff_angle)), talus)
        easy = self.rock.contrast ** (-self.hardness / 2)
        steep = talus + np.maximum(self.hardness, 0) * (cliff - talus)
        ease, tangent = (1 / self._means(1 / values, span_m) for values in (easy, steep))
        crossing = np.concatenate([[0.0], np.cumsum((1 / ease[1:] + 1 / ease[:-1]) / 2)])
        return np.stack([ease, unit * tangent, crossing - crossing[-1] / 2]).astype(np.float32)

    def looks(self) -> NDArray[np.float32]:
        """Return the table (2, samples) of `FIELDS`; to be read without blending, as colours jump."""
        return np.stack([self.colour[::_FINE], self.hardness[::_FINE]]).astype(np.float32)

    def _means(self, values: NDArray[np.float64], span_m: float) -> NDArray[np.float64]:
        """Return for each sample of the table the mean of `values` over `span_m` about it, at least a sample."""
        reach = min(max(round(span_m / self.step_m / 2), _FINE // 2), len(values))
        sums = np.concatenate([[0.0], np.cumsum(np.pad(values, reach, mode="edge"))])
        width = 2 * reach + 1
        return ((sums[width:] - sums[:-width]) / width)[::_FINE]

    @property
    def folds(self) -> FractalField:
        """The field N."""
        return FractalField(self.rock.undulation_frequency, _OCTAVES, _GAIN, seed_of(self.seed, _FOLDS))

    def tilts(self, domain: Domain) -> tuple[float, float]:
        """Return how far layers fall from one side of the land to the other along z and x, in m."""
        return _tilts(self.rock, domain)

    def loose(self, unit_m: float) -> float:
        """Return how deep, in units of `unit_m`, deposits must be to hide the rock."""
        return max(_LOOSE * self.rock.thickness / unit_m, 1e-12)


def _tilts(rock: Rock, domain: Domain) -> tuple[float, float]:
    slope, azimuth = math.tan(math.radians(rock.tilt)), math.radians(rock.tilt_azimuth)
    return slope * math.cos(azimuth) * domain.grid.size_z, slope * math.sin(azimuth) * domain.grid.size_x


def strata(domain: Domain, lowest_m: float, highest_m: float) -> Strata | None:
    """Return the layers that heights from `lowest_m` to `highest_m` meet; none where rock is off.

    Beyond, layers go on as they are there.
    """
    rock = domain.other(Rock)
    if not rock.enabled:
        return None
    bent = rock.undulation + sum(map(abs, _tilts(rock, domain))) / 2
    first, last = lowest_m - bent, highest_m + bent
    step = max((last - first) / ((_SAMPLES - 1) * _FINE), 1e-9)
    at = first + step * np.arange(_SAMPLES * _FINE, dtype=np.float64)
    return Strata(rock, domain.seed, first, step, *_layers(rock, domain.seed, at))


def _mixed(h: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the bits of `h` scrambled; the twin of `hash.mix` without numba, which a window's process has not."""
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        h = (h ^ (h >> np.uint32(shift))) * np.uint32(factor)
    return h ^ (h >> np.uint32(16))


def _unit(layers: NDArray[np.int64], seed: int, purpose: int) -> NDArray[np.float64]:
    """Return a hash in [0, 1) of each layer's number."""
    bits = _mixed(layers.astype(np.uint32) ^ np.uint32(seed_of(seed, _FOLDS + purpose)))
    return (bits >> np.uint32(8)).astype(np.float64) * 2.0**-24


def _of_each(
    work_out: Callable[[NDArray[np.int64]], NDArray[np.float64]], layer: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return what `work_out` gives for each `layer`, worked out once a layer where there are fewer than places."""
    first, last = int(layer.min()), int(layer.max())
    if last - first >= layer.size:
        return work_out(layer)
    return work_out(np.arange(first, last + 1)).take(layer - first)


def _layers(rock: Rock, seed: int, at: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return hardness and colour at the places `at` in the pile, in m."""
    s = at / rock.thickness

    def lower_of(layer: NDArray[np.int64]) -> NDArray[np.float64]:
        return layer + _JITTER * rock.irregularity * (_unit(layer, seed, 1) - 0.5)

    def own_of(layer: NDArray[np.int64]) -> NDArray[np.float64]:
        strength = 1 - _WEAKER * rock.irregularity * _unit(layer, seed, 2)
        return np.where(layer % 2 == 0, strength, -strength)

    lower, own = partial(_of_each, lower_of), partial(_of_each, own_of)

    layer = np.floor(s).astype(np.int64)
    layer = layer - (s < lower(layer)) + (s >= lower(layer + 1))
    hardness = own(layer)
    for other, away in ((layer - 1, s - lower(layer)), (layer + 1, lower(layer + 1) - s)):
        hardness = hardness + 0.5 * np.maximum(1 - away / _CONTACT, 0) * (own(other) - own(layer))
    colour = _of_each(lambda layer: _unit(layer, seed, 3), layer)
    if rock.cap_thickness:
        contact = _CONTACT * rock.cap_thickness
        bottom = rock.cap_height - rock.cap_thickness
        in_cap, over = (np.clip((at - border) / contact + 0.5, 0, 1) for border in (bottom, rock.cap_height))
        hardness = (hardness * (1 - in_cap) + in_cap) * (1 - over) - over
        special = _unit(np.array([-1, -2]), seed, 4)
        colour = np.where(over > 0.5, special[1], np.where(in_cap > 0.5, special[0], colour))
    return hardness, colour


@kernel(parallel=True)
def _place(folds, tilt_z, tilt_x, middle, rows, columns, places, cancel):
    """Write to the flat, padded `places` the layers' own heights, in samples of a table, of ground at height 0."""
    for r in prange(rows):
        if cancel[0]:
            continue
        first = (r + 1) * (columns + 2) + 1
        down = tilt_z * (np.float32(r) / np.float32(rows) - np.float32(0.5)) + middle
        for c in range(columns):
            places[first + c] = down + tilt_x * (np.float32(c) / np.float32(columns) - np.float32(0.5)) - folds[r, c]


@kernel(parallel=True)
def _look_up(
    heights, places, samples_a_unit, table, plain, loose, rows, columns, ground, ease, tangents, at_s, crossings, cancel
):
    """Write erodibility and steepest slope of what lies at the surface, and the rock's own surface to `ground`.

    What lies over `ground`, as low as it has ever been, is loose and has the `plain` slope. With `ground` of length 0
    all is rock, and its sample and ∫ ds / erodibility there are written too.
    """
    zero, one = np.float32(0), np.float32(1)
    last = np.float32(table.shape[1] - 1)
    for r in prange(rows):
        if cancel[0]:
            continue
        first = (r + 1) * (columns + 2) + 1
        for i in range(first, first + columns):
            h = heights[i]
            at = min(max(h * samples_a_unit + places[i], zero), last)
            k = min(int(at), table.shape[1] - 2)
            t = at - np.float32(k)
            easy = table[0, k] + t * (table[0, k + 1] - table[0, k])
            steep = table[1, k] + t * (table[1, k + 1] - table[1, k])
            if ground.size:
                lowest = min(ground[i], h)
                ground[i] = lowest
                buried = min((h - lowest) / loose, one)
                easy += buried * (one - easy)
                steep += buried * (plain - steep)
            else:
                at_s[i] = at
                crossings[i] = table[2, k] + t * (table[2, k + 1] - table[2, k])
            ease[i] = easy
            tangents[i] = steep


@kernel(parallel=True)
def _cross(at_s, crossings, ease, directions, plain, rows, columns, strength, cancel):
    """Write `plain` times the erodibility of all that lies between each cell and its receiver."""
    stride, one = np.int64(columns + 2), np.float32(1)
    for r in prange(rows):
        if cancel[0]:
            continue
        first = (r + 1) * stride + 1
        for i in range(first, first + columns):
            direction = np.int64(directions[i])
            below = i + offset(direction, stride) if direction < ROOT else i
            fall = abs(at_s[i] - at_s[below])
            easy = ease[i]
            if fall > np.float32(LEAST_CROSSED):
                crossed = min(fall / np.float32(LEAST_CROSSED) - one, one)  # with a jump, rounding would change rivers
                easy += crossed * (fall / abs(crossings[i] - crossings[below]) - easy)
            strength[i] = plain[i] * easy


@kernel(parallel=True)
def _look(heights, places, samples_a_unit, table, rows, columns, fields, cancel):
    """Write the nearest samples of `table` at the flat `heights` to `fields`, one an entry of the table."""
    zero, last = np.float32(0), np.float32(table.shape[1] - 1)
    for r in prange(rows):
        if cancel[0]:
            continue
        for c in range(columns):
            i = (r + 1) * (columns + 2) + c + 1
            k = int(min(max(heights[i] * samples_a_unit + places[i], zero), last) + np.float32(0.5))
            for entry in range(2):
                fields[entry, r, c] = table[entry, k]


@kernel(inline="always")
def everywhere(talus, tangents, i):
    """Return the steepest slope at i where there are no layers."""
    return talus


@kernel(inline="always")
def by_cell(talus, tangents, i):
    """Return the steepest slope at i where there are layers."""
    return tangents[i]


@kernel(inline="always")
def one_between(tangents, i, n):
    """Return the factor of the steepest slope between i and n where there are no layers."""
    return np.float32(1)


@kernel(inline="always")
def mean_between(tangents, i, n):
    """Return the factor of the steepest slope between i and n where there are layers: alike from both sides."""
    return np.float32(0.5) * (tangents[i] + tangents[n])


@kernel(inline="always")
def all_alike(part, ease, i):
    """Return the part that is worn off at i where there are no layers."""
    return part


@kernel(inline="always")
def as_soft(part, ease, i):
    """Return the part that is worn off at i where there are layers, at most all."""
    return min(part * ease[i], np.float32(1))


NOTHING = np.empty(0, np.float32)
"""What a kernel takes for erodibilities and slopes where there are no layers."""


class Laid:
    """The layers under one grid, and what lies at its surface: `ease`, its erodibility, and `tangents`.

    Flat and padded by a cell, which repeats the edge. Heights are `lowest_m` + `unit_m` times those that are looked up.
    """

    def __init__(
        self,
        layers: Strata,
        domain: Domain,
        rows: int,
        columns: int,
        lowest_m: float,
        unit_m: float,
        talus_angle: float,
        slope_unit: float,
        cancel: NDArray[np.uint8],
        ground: Heights = NOTHING,
    ) -> None:
        """Lay `layers`; `slope_unit` is a slope of 45° in the units of `tangents`. Loose is what lies over `ground`."""
        self.rows, self.columns = rows, columns
        self._table, plain = wear(layers, domain, rows, columns, talus_angle, slope_unit)
        self._plain = np.float32(plain)
        self._loose = np.float32(layers.loose(unit_m))
        self._samples_a_unit = np.float32(unit_m / layers.sample_m)
        self._ground = ground
        self._places = places(layers, domain, rows, columns, lowest_m, cancel)
        size = (rows + 2) * (columns + 2)
        self.ease, self.tangents = np.ones((2, size), np.float32)
        self._at_s, self._crossings = np.zeros((2, 0 if ground.size else size), np.float32)

    def look_up(self, heights: Heights, cancel: NDArray[np.uint8]) -> None:
        """Find what lies at the surface of the flat `heights`."""
        _look_up(
            heights,
            self._places,
            self._samples_a_unit,
            self._table,
            self._plain,
            self._loose,
            self.rows,
            self.columns,
            self._ground,
            self.ease,
            self.tangents,
            self._at_s,
            self._crossings,
            cancel,
        )
        drainage.repeat_edge(self.tangents, self.rows, self.columns)

    def cross(
        self, directions: NDArray[np.uint8], plain: Heights, strength: Heights, cancel: NDArray[np.uint8]
    ) -> None:
        """Write `plain` times the erodibility on the way to each receiver to `strength`, where all is rock."""
        _cross(self._at_s, self._crossings, self.ease, directions, plain, self.rows, self.columns, strength, cancel)


def wear(
    layers: Strata, domain: Domain, rows: int, columns: int, talus_angle: float, slope_unit: float
) -> tuple[NDArray[np.float32], float]:
    """Return the table of a grid of `rows` × `columns` cells, and the slope of what is loose."""
    talus = math.tan(math.radians(talus_angle))
    cell_m = math.sqrt(domain.grid.size_x * domain.grid.size_z / (rows * columns))
    return layers.wear(cell_m * talus, talus, slope_unit), talus * slope_unit


def places(
    layers: Strata, domain: Domain, rows: int, columns: int, lowest_m: float, cancel: NDArray[np.uint8]
) -> Heights:
    """Return in samples of a table, flat and padded, where ground at `lowest_m` lies among the layers."""
    amplitude = layers.rock.undulation / layers.sample_m
    if amplitude:
        folds = layers.folds.drawn(rows, columns, amplitude, cancel)
    else:
        folds = np.broadcast_to(np.float32(0), (rows, columns))
    found = np.zeros((rows + 2) * (columns + 2), np.float32)
    tilt_z, tilt_x = (np.float32(fall / layers.sample_m) for fall in layers.tilts(domain))
    middle = np.float32((lowest_m - layers.first_m) / layers.sample_m)
    _place(np.ascontiguousarray(folds), tilt_z, tilt_x, middle, rows, columns, found, cancel)
    return found


def fields(domain: Domain, heights: Heights, cancel: NDArray[np.uint8]) -> dict[str, Heights]:
    """Return `FIELDS` by name, each float32 [row, column]; none where rock is off."""
    layers = strata(domain, float(heights.min()), float(heights.max()))
    if layers is None:
        return {}
    rows, columns = heights.shape
    found = np.empty((2, rows, columns), np.float32)
    at = places(layers, domain, rows, columns, 0.0, cancel)
    per_metre = np.float32(1 / layers.sample_m)
    _look(drainage.padded(heights, 0), at, per_metre, layers.looks(), rows, columns, found, cancel)
    return by_name(FIELDS, found)
