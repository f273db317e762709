"""Crags: ribs, gullies and ledges on steep ground, too fine for what erosion leaves of a slope.

In octaves of the wavelength λ = size/2ⁱ, each on the heights h that the one before has left:

    h ← h + ½·strength·gainⁱ·w·m·P(θ),   w ← w·(1 + ½·m·P(θ))
    m·e^(iθ) ∝ Σ_k W(p − p_k)·e^(i(φ_k + 2π·c_k·(p − p_k)/λ_k))
    P(θ) = cos θ + sharpness·(4/π − 2·|sin ½θ| − cos θ)

The sum is phasor noise: plane waves about the vertices k of a triangular lattice, whose phase alone is taken, so that
ribs are equally high everywhere and only where two meet, m sinks from 1 to 0. Each wave has a phase φ_k of its own, a
length λ_k within a quarter of λ, and the direction c_k along the contour, so that gullies run down the fall line of the
land as a disc of the diameter λ sees it. The next octave runs down the flanks of the ribs before it, and higher on
their crests (w grows) than in their gullies, as where rock falls and is swept away. P has the mean 0.

At first w is tan(slope), at most 2, times a smoothstep that rises from 0 at the angle `slope` to 1 some 10° above it:
flats and scree stay as they are, to the bit. The slope is the root mean square of those on either side along z and x,
over an eighth of `size`, so that a crest, too, is steep. Where the ground rises all around, in the bottom of a valley,
w fades to 0: streams keep their way. Where it falls all around over half of `size`, on a summit, w fades as well: a
crest of all octaves there would be a needle, and what stands free on every side is the first to fall. At a brink, steep
on one side alone and below it, w sinks to a quarter: a rib that ends there would stand up as a horn over the flat
above. With n and s the slopes to either side, and w and e,

    brink = (|n² − s²| + |w² − e²|)/(n² + s² + w² + e²),   0 on planes and knife ridges, 1 where half of them is flat

Ledges are beds of the thickness `ledge_height` that dip: h ← h + ledges·w·T·(g(f) − f) with f the part of the bed that
lies below, and g level but for a riser in the middle. Their thickness and strength swing with the height.

At last no cell stands more than tan 20° over the highest of its eight neighbours: rock that falls away all around does
not end in a needle one cell wide, which no rib is meant to be.

All lengths are metres, so that every grid shows the same crags; octaves and ledges shorter than four cells are left
out. Nothing moves down, no mass is kept: it is the form that falling rock leaves, not the process.

References: T. Tricard et al., "Procedural phasor noise", ACM TOG 38 (2019), doi:10.1145/3306346.3322990. The idea of
gullies as stripes of noise down the slope, octave upon octave: C. John, "Eroded terrain noise", 2018,
https://www.shadertoy.com/view/MtGcWh; R. S. Johansen, "Fast and gorgeous erosion filter", 2026,
https://blog.runevision.com/2026/03/fast-and-gorgeous-erosion-filter.html. Their code was not used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.number_format import measure
from fellview.core.parameters import Group, real, switch, whole
from fellview.core.smoothstep import smoothstep
from fellview.noise.hash import mix
from fellview.terrain.domain import Domain
from fellview.terrain.fractal_field import seed_of
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step

_WAVES, _BEDS = 0x57, 0x42  # purposes of the waves' hash and of the beds' phases
CELLS_A_WAVE = 4.0  # with fewer a sharp rib is a row of peaks
FADE_ANGLE = 10.0  # degrees from no crags to all of them
# of a hollow's mean rise to its neighbours, in slopes: 0 on a plane, 2/π in a V, the mean of |sin| all around
SWEPT_FROM, SWEPT = 0.15, 0.5
# of the mean fall to places half of `size` away over its root mean square: 0 on a plane, 0.9 on a roof, 1 on a tip
FREE_FROM, FREE = 0.45, 1.15
# of a brink: where its ribs begin to fade, as far as noise makes any plane one, and where a quarter of them is left
BRINK_FROM, BRINK, BRINK_KEEPS = 0.4, 0.9, 0.25
TIP = math.tan(math.radians(20.0))  # a summit's last cell; the tips of knife ridges stay, those of needles do not
MOST_SLOPE = 2.0  # a wall of 63° has twice the relief of one of 45°, and any steeper one no more
SPACING = 1.3  # wavelengths from wave to wave: a gully is about as long as three are wide before it joins another
SKEW, UNSKEW = (math.sqrt(3) - 1) / 2, (3 - math.sqrt(3)) / 6  # of the triangular lattice onto a square one
EDGE = math.sqrt(2 / 3)  # of the triangles, in units of the square lattice
MEETING = 0.09  # where waves meet, ribs fade as the sum of waves comes under 0.3 of what it would be in step
LEAST = 1e-12  # keeps a sum of 0 from dividing 0
RISER = 0.45  # of a bed
UNEVEN, UNEVEN_CYCLES = 0.12, 0.37  # beds of 0.8 to 1.4 thicknesses: 1 ± 2π·0.37·0.12 of them a thickness
STRONG_CYCLES = 0.13  # a bed: every eighth or so hardly shows
CIRCLE = tuple((math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)) for turn in range(8))


@dataclass(frozen=True)
class Crags(Group):
    """Ribs, gullies and ledges of bare rock."""

    key: ClassVar[str] = "crags"
    title: ClassVar[str] = "Crags"

    enabled: bool = switch(False, tip="Gives steep ground the relief of bare rock: ribs, gullies and ledges.")
    strength: float = real(
        6.0,
        0.0,
        10_000.0,
        slider=(0.5, 200),
        unit="m",
        scale="log",
        useful=(2, 60),
        tip="From gully to crest at 45°. Low scratches slopes, high breaks them up into towers.",
    )
    size: float = real(
        60.0,
        0.1,
        100_000.0,
        slider=(10, 2000),
        unit="m",
        scale="log",
        useful=(40, 600),
        tip="From rib to rib. Low grooves walls finely, high splits them into buttresses.",
    )
    slope: float = real(
        35.0,
        0.0,
        80.0,
        slider=(10, 60),
        unit="°",
        label="Slope from",
        useful=(15, 45),
        tip="Gentler ground stays as it is. Low roughens whole hillsides, high only walls.",
    )
    octaves: int = whole(5, 1, 8, tip="One is smooth buttresses, many are ribs upon ribs down to what the grid shows.")
    gain: float = real(
        0.5,
        0.0,
        1.0,
        unit="×",
        tip="How deep each finer octave is. Low leaves great ribs smooth, high shatters them.",
        more=True,
    )
    sharpness: float = real(0.7, 0.0, 1.0, tip="Low rounds ribs and gullies alike, high leaves knife ridges.")
    ledges: float = real(0.3, 0.0, 1.0, tip="Low leaves gullies unbroken, high cuts walls into ledges and steps.")
    ledge_height: float = real(
        15.0,
        0.05,
        10_000.0,
        slider=(1, 300),
        unit="m",
        scale="log",
        useful=(8, 100),
        tip="From ledge to ledge. Low is fine bedding, high a few great bands of cliffs.",
    )
    dip: float = real(
        8.0,
        0.0,
        60.0,
        unit="°",
        tip="Low runs ledges along contours, high lets them climb across walls.",
        more=True,
    )


@dataclass(frozen=True)
class Octave:
    """One octave of ribs: `unit_m` metres to the unit of its square lattice, of rows × columns vertices."""

    wavelength_m: float
    amplitude_m: float
    unit_m: float
    rows: int
    columns: int
    seed: int


def octaves(parameters: Crags, domain: Domain) -> list[Octave]:
    """Return the octaves that the grid shows, coarsest first."""
    grid = domain.grid
    found = []
    for number in range(parameters.octaves):
        wavelength = parameters.size / 2**number
        if wavelength < CELLS_A_WAVE * max(grid.cell_size):
            break
        unit = SPACING / EDGE * wavelength
        z, x = grid.size_z / unit, grid.size_x / unit
        rows, columns = (int(side + SKEW * (z + x)) + 3 for side in (z, x))
        amplitude = parameters.strength * parameters.gain**number / 2
        found.append(Octave(wavelength, amplitude, unit, rows, columns, seed_of(domain.seed, _WAVES + (number << 8))))
    return found


def slopes(parameters: Crags) -> tuple[float, float]:
    """Return the tangents of the slope where crags begin and of that where they are whole."""
    full = min(parameters.slope + FADE_ANGLE, (parameters.slope + 90) / 2)
    return math.tan(math.radians(parameters.slope)), math.tan(math.radians(full))


def reach(parameters: Crags, domain: Domain, share: float = 1 / 8) -> tuple[int, int]:
    """Return how many cells along z and x are a `share` of the size, at least one: what the slope is measured over."""
    z, x = (max(1, round(parameters.size * share / cell)) for cell in domain.grid.cell_size)
    return min(z, domain.grid.rows - 1), min(x, domain.grid.columns - 1)


def summit_reach(parameters: Crags, domain: Domain) -> tuple[int, int]:
    """Return how many cells along z and x the fall all around a summit is measured over."""
    return reach(parameters, domain, 1 / 2)


@dataclass(frozen=True)
class Beds:
    """The ledges' beds: dips in m a metre along z and x, and where their swings begin, in cycles."""

    strength: float
    thickness_m: float
    dip_z: float
    dip_x: float
    phases: tuple[float, float]


def beds(parameters: Crags, domain: Domain) -> Beds:
    """Return the beds; with a strength of 0 where the grid does not show them.

    Half of it is there at five cells a bed, all of it from six on.
    """
    bits = [seed_of(domain.seed, _BEDS + number) / 2**32 for number in range(3)]
    dip, turn = math.tan(math.radians(parameters.dip)), 2 * math.pi * bits[0]
    cells = parameters.ledge_height / max(domain.grid.cell_size)
    shown = min(max((cells - CELLS_A_WAVE) / 2, 0.0), 1.0)
    return Beds(
        parameters.ledges * shown / (1 + 2 * math.pi * UNEVEN_CYCLES * UNEVEN),  # so that the thinnest are level too
        parameters.ledge_height,
        dip * math.cos(turn),
        dip * math.sin(turn),
        (bits[1], bits[2]),
    )


@kernel(inline="always")
def _free(heights, row, c, reach_z, reach_x, cell_z, cell_x):
    """Return how far the ground falls on all sides, of its slope there; towards the border the reach shrinks."""
    rows, columns = heights.shape
    z, x = min(reach_z, row, rows - 1 - row), min(reach_x, c, columns - 1 - c)
    if z == 0 or x == 0:
        return np.float32(0)
    dz, dx = np.float32(z) * cell_z, np.float32(x) * cell_x
    across = np.sqrt(dz * dz + dx * dx)
    h = heights[row, c]
    n, s = (h - heights[row - z, c]) / dz, (h - heights[row + z, c]) / dz
    w, e = (h - heights[row, c - x]) / dx, (h - heights[row, c + x]) / dx
    nw, se = (h - heights[row - z, c - x]) / across, (h - heights[row + z, c + x]) / across
    ne, sw = (h - heights[row - z, c + x]) / across, (h - heights[row + z, c - x]) / across
    square = ((n * n + s * s) + (w * w + e * e)) + ((nw * nw + se * se) + (ne * ne + sw * sw))
    fall = ((n + s) + (w + e)) + ((nw + se) + (ne + sw))
    return fall / np.sqrt(np.float32(8) * square + np.float32(LEAST))


@kernel(parallel=True)
def _weigh(heights, reach_z, reach_x, summit_z, summit_x, cell_z, cell_x, low, high, weights, cancel):
    """Write how craggy each cell is; see the module. Towards the border the reach shrinks to what there is."""
    rows, columns = heights.shape
    one = np.float32(1)
    for r in prange(rows):
        if cancel[0]:
            continue
        row = np.int64(r)  # an unsigned index would make differences floats
        along_z = min(reach_z, row, rows - 1 - row)
        on_z = np.float32(1 if along_z > 0 else 0)  # on the border the ground goes on as it comes: no bend across it
        along_z = max(along_z, 1)
        up = row - along_z if row >= along_z else row + along_z
        down = row + along_z if row + along_z < rows else row - along_z
        dz = np.float32(along_z) * cell_z
        for c in range(columns):
            along_x = min(reach_x, c, columns - 1 - c)
            on_x = np.float32(1 if along_x > 0 else 0)
            along_x = max(along_x, 1)
            left = c - along_x if c >= along_x else c + along_x
            right = c + along_x if c + along_x < columns else c - along_x
            dx = np.float32(along_x) * cell_x
            across = np.sqrt(dz * dz + dx * dx)
            h = heights[r, c]
            n, s = (heights[up, c] - h) / dz, (heights[down, c] - h) / dz
            w, e = (heights[r, left] - h) / dx, (heights[r, right] - h) / dx
            nw, se = (heights[up, left] - h) / across, (heights[down, right] - h) / across
            ne, sw = (heights[up, right] - h) / across, (heights[down, left] - h) / across
            square = (n * n + s * s) + (w * w + e * e)
            slope = np.sqrt(np.float32(0.5) * square)  # a plane's, whatever the reaches
            rise = (on_z * (n + s) + on_x * (w + e)) + on_z * on_x * ((nw + se) + (ne + sw))
            hollow = np.float32(0.125) * rise / (slope + np.float32(LEAST))
            steep = smoothstep((slope - low) / (high - low))
            swept = smoothstep((hollow - np.float32(SWEPT_FROM)) / np.float32(SWEPT - SWEPT_FROM))
            uneven = (on_z * abs(n * n - s * s) + on_x * abs(w * w - e * e)) / (square + np.float32(LEAST))
            brink = smoothstep((uneven - np.float32(BRINK_FROM)) / np.float32(BRINK - BRINK_FROM))
            keeps = one - np.float32(1 - BRINK_KEEPS) * brink if rise < np.float32(0) else one
            weight = steep * (one - swept) * keeps * min(slope, np.float32(MOST_SLOPE))
            if weight > np.float32(0):
                free = _free(heights, row, c, summit_z, summit_x, cell_z, cell_x)
                weight *= one - smoothstep((free - np.float32(FREE_FROM)) / np.float32(FREE - FREE_FROM))
            weights[r, c] = weight


@kernel(inline="always")
def _at(heights, z, x):
    """Return the height at (z, x) in cells, blended from four of them and held at the border."""
    rows, columns = heights.shape
    z = min(max(z, np.float32(0)), np.float32(rows - 1))
    x = min(max(x, np.float32(0)), np.float32(columns - 1))
    r, c = min(int(z), rows - 2), min(int(x), columns - 2)
    u, v = z - np.float32(r), x - np.float32(c)
    above = heights[r, c] + v * (heights[r, c + 1] - heights[r, c])
    below = heights[r + 1, c] + v * (heights[r + 1, c + 1] - heights[r + 1, c])
    return above + u * (below - above)


@kernel(inline="always")
def _unit(h):
    """Return a hash as a number in [0, 1)."""
    return np.float32(np.int32(h >> np.uint32(8))) * np.float32(2.0**-24)


@kernel(parallel=True)
def _set_waves(heights, unit_z, unit_x, radius_z, radius_x, cycles, circle, seed, waves, cancel):
    """Write each vertex' wave: the cycles a unit of the lattice along x and z, and its phase in cycles.

    `unit_z` and `unit_x` are the cells a unit, the radii those of the disc. By the divergence theorem the mean gradient
    over a disc is the mean of h·n around it times 2/radius.
    """
    rows, columns = heights.shape
    table_rows, table_columns, _ = waves.shape
    one = np.float32(1)
    for j in prange(table_rows):
        if cancel[0]:
            continue
        for i in range(table_columns):
            back = np.float32(i + j) * np.float32(UNSKEW)
            z, x = (np.float32(j) - back) * unit_z, (np.float32(i) - back) * unit_x
            if z < -unit_z or x < -unit_x or z > np.float32(rows) + unit_z or x > np.float32(columns) + unit_x:
                continue  # no cell's triangle
            down_z, down_x = np.float32(0), np.float32(0)
            for k in range(8):
                h = _at(heights, z + circle[k, 1] * radius_z, x + circle[k, 0] * radius_x)
                down_z += h * circle[k, 1]
                down_x += h * circle[k, 0]
            bits = mix(np.uint32(mix(np.uint32(np.uint32(i) ^ seed)) ^ np.uint32(j)))
            wave = cycles * (np.float32(0.75) + np.float32(0.5) * _unit(mix(bits)))
            wave /= np.sqrt(down_z * down_z + down_x * down_x) + np.float32(1e-6)
            waves[j, i, 0] = -down_z * wave
            waves[j, i, 1] = down_x * wave
            waves[j, i, 2] = _unit(bits) - one


@kernel(inline="always")
def _sine(cycles):
    """Return sin 2π·cycles for −½ ≤ cycles ≤ ½, to 0.001: two parabolas, bent once."""
    s = cycles * (np.float32(8) - np.float32(16) * abs(cycles))
    return s * (np.float32(0.775) + np.float32(0.225) * abs(s))


@kernel(inline="always")
def _wrapped(cycles):
    """Return `cycles` without whole ones, from −½ to ½."""
    return cycles - np.floor(cycles + np.float32(0.5))


@kernel(inline="always")
def _felt(waves, i, j, x, z):
    """Return how much the wave of the vertex (i, j) counts at (x, z) from it, and its phase there."""
    near = max(np.float32(0.5) - (x * x + z * z), np.float32(0))
    return near * near * near, _wrapped(waves[j, i, 2] + waves[j, i, 0] * x + waves[j, i, 1] * z)


@kernel(parallel=True)
def _raise(heights, weights, waves, unit_z, unit_x, amplitude, sharpness, cancel):
    """Add one octave to `heights`, and to `weights` what its crests give the next; units are parts of one a cell."""
    rows, columns = heights.shape
    zero, half, one, two = np.float32(0), np.float32(0.5), np.float32(1), np.float32(2)
    quarter, unskew = np.float32(0.25), np.float32(UNSKEW)
    for r in prange(rows):
        if cancel[0]:
            continue
        z = np.float32(r) * unit_z
        for c in range(columns):
            weight = weights[r, c]
            if weight == zero:
                continue
            x = np.float32(c) * unit_x
            skew = (x + z) * np.float32(SKEW)
            i, j = int(x + skew), int(z + skew)
            back = np.float32(i + j) * unskew
            x0, z0 = x - (np.float32(i) - back), z - (np.float32(j) - back)
            on_i = 1 if x0 > z0 else 0
            on_j = 1 - on_i
            near0, turn0 = _felt(waves, i, j, x0, z0)
            near1, turn1 = _felt(
                waves, i + on_i, j + on_j, x0 - np.float32(on_i) + unskew, z0 - np.float32(on_j) + unskew
            )
            near2, turn2 = _felt(waves, i + 1, j + 1, x0 - one + two * unskew, z0 - one + two * unskew)
            re = near0 * _sine(_wrapped(turn0 + quarter)) + near1 * _sine(_wrapped(turn1 + quarter))
            re += near2 * _sine(_wrapped(turn2 + quarter))
            im = near0 * _sine(turn0) + near1 * _sine(turn1) + near2 * _sine(turn2)
            total = near0 + near1 + near2
            square = re * re + im * im
            cosine = re / (np.sqrt(square) + np.float32(LEAST))
            there = np.sqrt(square / (square + np.float32(MEETING) * total * total))
            ridge = np.float32(4 / np.pi) - two * np.sqrt(max(half - half * cosine, zero))
            rib = there * (cosine + sharpness * (ridge - cosine))
            heights[r, c] += amplitude * weight * rib
            weights[r, c] = weight * (one + half * rib)


@kernel(parallel=True)
def _cut(heights, weights, dz, dx, thickness, strength, dip_z, dip_x, first, second, cancel):
    """Cut the ledges into `heights`."""
    rows, columns = heights.shape
    zero, half, one = np.float32(0), np.float32(0.5), np.float32(1)
    for r in prange(rows):
        if cancel[0]:
            continue
        for c in range(columns):
            weight = min(weights[r, c], one)
            if weight == zero:
                continue
            h = heights[r, c]
            y = (h + dip_z * (np.float32(r) * dz) + dip_x * (np.float32(c) * dx)) / thickness
            y += np.float32(UNEVEN) * _sine(_wrapped(np.float32(UNEVEN_CYCLES) * y + first))
            f = y - np.floor(y)
            strong = half + half * _sine(_wrapped(np.float32(STRONG_CYCLES) * y + second))
            bench = smoothstep((f - half) / np.float32(RISER) + half)
            heights[r, c] = h + strength * weight * strong * thickness * (bench - f)


@kernel(parallel=True)
def _blunt(heights, weights, tip_z, tip_x, tip_across, out, cancel):
    """Write `heights` with craggy cells no higher than their neighbours allow: each one's height and a `tip` for it."""
    rows, columns = heights.shape
    for r in prange(rows):
        if cancel[0]:
            continue
        row = np.int64(r)
        up, down = max(row - 1, 0), min(row + 1, rows - 1)
        for c in range(columns):
            h = heights[r, c]
            if weights[r, c] == np.float32(0):
                out[r, c] = h
                continue
            left, right = max(c - 1, 0), min(c + 1, columns - 1)
            most = max(max(heights[up, c], heights[down, c]) + tip_z, max(heights[r, left], heights[r, right]) + tip_x)
            above, below = max(heights[up, left], heights[up, right]), max(heights[down, left], heights[down, right])
            out[r, c] = min(h, max(most, max(above, below) + tip_across))


def tips(domain: Domain) -> tuple[float, float, float]:
    """Return how far, in m, a cell may stand over its highest neighbour along z, along x and across."""
    dz, dx = domain.grid.cell_size
    return TIP * dz, TIP * dx, TIP * math.hypot(dz, dx)


def run(parameters: Crags, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the heights with crags, float32 [row, column]."""
    grid = domain.grid
    (dz, dx), cancel = grid.cell_size, progress.cancel
    craggy = heights.copy()
    weights = np.zeros_like(heights)
    low, high = (np.float32(tangent) for tangent in slopes(parameters))
    reaches = *reach(parameters, domain), *summit_reach(parameters, domain)
    _weigh(read_only(heights), *reaches, np.float32(dz), np.float32(dx), low, high, weights, cancel)
    asked, grown = octaves(parameters, domain), weights.copy()
    for number, octave in enumerate(asked):
        progress.check()
        waves: NDArray[np.float32] = np.zeros((octave.rows, octave.columns, 4), np.float32)
        radius = octave.wavelength_m / 2
        _set_waves(
            craggy,
            np.float32(octave.unit_m / dz),
            np.float32(octave.unit_m / dx),
            np.float32(radius / dz),
            np.float32(radius / dx),
            np.float32(octave.unit_m / octave.wavelength_m),
            np.array(CIRCLE, np.float32),
            np.uint32(octave.seed),
            waves,
            cancel,
        )
        _raise(
            craggy,
            grown,
            waves,
            np.float32(dz / octave.unit_m),
            np.float32(dx / octave.unit_m),
            np.float32(octave.amplitude_m),
            np.float32(parameters.sharpness),
            cancel,
        )
        progress.report(Crags.key, (number + 1) / (len(asked) + 1))
    bedded = beds(parameters, domain)
    if bedded.strength > 0:
        _cut(
            craggy,
            weights,
            np.float32(dz),
            np.float32(dx),
            *(np.float32(value) for value in (bedded.thickness_m, bedded.strength, bedded.dip_z, bedded.dip_x)),
            *(np.float32(phase) for phase in bedded.phases),
            cancel,
        )
    blunt = np.empty_like(craggy)
    _blunt(craggy, weights, *(np.float32(tip) for tip in tips(domain)), blunt, cancel)
    return blunt


def active(parameters: Crags) -> bool:
    """Return whether anything is raised."""
    return parameters.enabled and (parameters.strength > 0 or parameters.ledges > 0)


def remark(parameters: Crags, domain: Domain) -> str:
    """Return a line where the grid shows no rib of that size."""
    cell = max(domain.grid.cell_size)
    if parameters.strength > 0 and not octaves(parameters, domain):
        wide, least = measure(cell, "m"), measure(CELLS_A_WAVE * cell, "m")
        return f"crags.size = {parameters.size:g} m: cells are {wide}; ribs show from {least} on"
    return ""


STEP = Step(
    Crags,
    run,
    active,
    remark,
    scratch_bytes=lambda parameters: 20,  # weights twice, waves, and heights before they are blunted
    forms=True,
    revision=2,
)
