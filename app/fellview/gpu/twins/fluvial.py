"""Fluvial erosion on the GPU: the twin of `terrain/erosion/fluvial.py`, level by level and step by step.

What the CPU does along the order of a tree is done here by **pointer doubling**: after k passes each cell knows the
cell 2^k (or, where four stretches make one, 4^k) down its way, and what has been summed, composed or found highest so
far, so that the longest river takes some ten passes.

- **Areas and loads**: each cell adds what it has summed to the cell 2^k down, as a point with additive blending. Areas
  are whole numbers and exact in float32 up to 2^24 cells (4096²); beyond, to its rounding. Loads differ from the CPU's
  by the order of their sums.
- **Implicit step**: h = max(inflow + share·h_r, h_r + least) is solved by policy iteration (R. A. Howard, "Dynamic
  Programming and Markov Processes", 1960): the side of the maximum that was higher is taken for the only one, and what
  is left, affine steps, composes. The first guess is inflow + share·h_r everywhere. As share < 1, a cell that is once
  on the floor h_r + least stays there while heights rise from round to round, and when no cell joins it the heights
  are the solution.
- **Rivers that fall**: rounding could leave one without fall. Last of all the largest h − (least rise from the outlet
  up) down each way is found and heights are raised to it; as that is a maximum, it adds no rounding of its own.
- **Lakes**: only a level's first iteration has any, for incision leaves none. Water is swept down to the CPU's very
  levels, one cell a pass.

Where a driver fuses nothing, as Mesa's does not, receivers and areas are the CPU's bit by bit, but for ties on lakes.
The rest differs by rounding, which moves ridges in time as any change of a last digit does.

Limits: 145 bytes of video memory a cell at its peak; one point a cell and doubling, which is slow on
software OpenGL: there a run takes some fifty times as long as on the CPU.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import Heights
from fellview.gpu import pyramid as gpu_pyramid
from fellview.gpu.passes import GridPasses, Number
from fellview.gpu.resample import coarser
from fellview.gpu.twin import GpuLand, Work
from fellview.gpu.twins import rock as layered
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import fluvial, pyramid, rock

_K = "kernels/fluvial/"
_MOST_ROUNDS = 32  # of policy iteration; lakes take up to a dozen, other iterations three or four
_SWEEPS_A_LOOK = 16  # over lakes, between two questions whether any water still sinks


class _Held:
    """Textures taken from `passes` that are not given back yet."""

    def __init__(self, passes: GridPasses) -> None:
        self.passes = passes
        self._textures: dict[int, moderngl.Texture] = {}

    def take(self, rows: int, columns: int, components: int = 1) -> moderngl.Texture:
        return self.keep(self.passes.texture(rows, columns, components))

    def keep(self, texture: moderngl.Texture) -> moderngl.Texture:
        self._textures[texture.glo] = texture
        return texture

    def give_back(self, *textures: moderngl.Texture) -> None:
        for texture in textures:
            if self._textures.pop(texture.glo, None) is not None:
                self.passes.give_back(texture)

    def hand_over(self, texture: moderngl.Texture) -> moderngl.Texture:
        """Return `texture`, which is the caller's now."""
        return self._textures.pop(texture.glo)

    def give_all_back(self) -> None:
        self.give_back(*self._textures.values())


class Level:
    """One grid of the pyramid: its lengths, and the textures of an iteration. Twin of `fluvial.Level`."""

    def __init__(self, held: _Held, rows: int, columns: int, extent: tuple[float, float], salt: int) -> None:
        self.held, self.passes = held, held.passes
        self.rows, self.columns, self.salt = rows, columns, salt & 0xFFFFFFFF
        z, x = extent[0] / rows, extent[1] / columns
        across = math.hypot(z, x)
        self.lengths = z, x, across
        self.inverse_lengths = 1 / z, 1 / x, 1 / across
        self.weights = 2 / (3 * z * z), 2 / (3 * x * x), 1 / (3 * across * across)
        side = 1 / max(rows, columns)
        self.steps = side, side, math.sqrt(2) * side
        self.cell_area = 1 / (rows * columns)
        self.least = fluvial.RIVER_SLOPE * side
        self.heights, self.ground = self._take(), self._take(2)  # K, U
        self.doublings = 0  # that the longest way takes
        self._own = [self.heights, self.ground]
        self.layers: layered.Laid | None = None

    def _take(self, components: int = 1) -> moderngl.Texture:
        return self.held.take(self.rows, self.columns, components)

    def give_back(self) -> None:
        """Give back all textures."""
        self.held.give_back(*self._own)
        if self.layers:
            self.held.give_back(*self.layers.owned)

    def place_outlets(self, outlets: NDArray[np.int64]) -> None:
        """Take the (row, column) of the outlets, and the textures of an iteration; no river has a load."""
        cells = np.ascontiguousarray(outlets[None, :, ::-1], np.float32)
        self.outlets = self.held.keep(self.passes.upload(cells))
        self.before, self.other, self.load = (self._take() for _ in range(3))
        self.flow, self.summed = self._take(2), self._take(2)  # area and load
        # receivers; ways that double, with the least rise and the cells along them; steps that compose
        self.way, self.path, self.longer, self.step, self.solved, self.longer_step = (self._take(4) for _ in range(6))
        self._own += [self.outlets, self.before, self.other, self.load, self.flow, self.summed]
        self._own += [self.way, self.path, self.longer, self.step, self.solved, self.longer_step]
        self.passes.target(self.load).clear()

    def edge(self) -> Heights:
        """Return the heights along the edge [row, column], with zeros inside."""
        field = np.zeros((self.rows, self.columns), np.float32)
        field[0], field[-1], field[:, 0], field[:, -1] = self.passes.read_border(self.heights)
        return field

    def begin(
        self,
        parameters: fluvial.Fluvial,
        lifted: moderngl.Texture,
        base: moderngl.Texture,
        lifted_base: moderngl.Texture,
        rock: moderngl.Texture,
        worn: float,
        half_area: float,
    ) -> None:
        """Write heights, K and U from what the level below left, and from the input, `base`."""
        self.passes.run(
            f"{_K}begin.frag",
            (self.heights, self.ground),
            {"u_lifted": lifted, "u_base": base, "u_lifted_base": lifted_base, "u_rock": rock},
            {
                "u_salt": self.salt,
                "u_worn": worn,
                "u_half_area": half_area,
                "u_incision": parameters.incision,
                "u_contrast": parameters.rock_contrast,
                "u_uplift": parameters.uplift / 12,
                "u_grain": fluvial.GRAIN,
            },
        )

    def find_receivers(self, water: moderngl.Texture) -> None:
        """Find receivers on the `water` level, and begin the sums."""
        self.passes.run(
            f"{_K}receivers.frag",
            (self.way, self.flow),
            {"u_heights": self.heights, "u_water": water, "u_load": self.load, "u_outlets": self.outlets},
            {
                "u_salt": self.salt,
                "u_inverse_lengths": self.inverse_lengths,
                "u_steps": self.steps,
                "u_gain": float(fluvial.WANDER) / 15,
                "u_lake_slope": float(fluvial.LAKE_SLOPE),
                "u_least": self.least,
                "u_rounding": float(fluvial.ROUNDING),
            },
        )

    def _double(self, way: moderngl.Texture) -> None:
        """Write to `longer` and `summed` what `way` and `flow` come to twice as far down."""
        self.passes.run(f"{_K}double.frag", (self.longer, self.summed), {"u_way": way, "u_flow": self.flow})

    def route(self) -> None:
        """Find receivers on the heights, areas and loads; there must be no lakes."""
        self.find_receivers(self.heights)
        self.sum_up()

    def sum_up(self) -> None:
        """Sum areas and loads over all that drains through each cell, and the least rise along each way."""
        likely = max(self.rows, self.columns).bit_length()  # hardly ever is the longest way shorter than a side
        most = self._most_doublings()
        way, self.doublings, arrived = self.way, -1, 1
        while arrived and self.doublings < most:
            self.doublings += 1
            self._double(way)
            asks = self.doublings >= likely
            sent = self.passes.scatter(
                self.rows * self.columns,
                f"{_K}gather.vert",
                f"{_K}gather.frag",
                self.summed,
                {"u_way": way, "u_flow": self.flow},
                count=asks,
            )
            arrived = sent if asks else 1
            self.flow, self.summed = self.summed, self.flow
            self.path, self.longer = self.longer, self.path
            way = self.path

    def _most_doublings(self) -> int:
        return (self.rows * self.columns - 1).bit_length()  # no way has more cells than there are

    def route_over_lakes(self) -> Generator[None, None, None]:
        """Do as `route`, over lakes; yields now and then."""
        self.find_receivers(self.heights)
        way = self.way
        for _ in range(self._most_doublings()):
            self._double(way)
            self.path, self.longer = self.longer, self.path
            way = self.path
        water, other = self.before, self.other
        sources = {"u_way": self.path, "u_heights": self.heights}
        if self.passes.count(f"{_K}flood.frag", other, sources, {"u_only_undrained": True}):
            self.passes.run(f"{_K}flood.frag", water, sources, {"u_only_undrained": False})
            numbers: dict[str, Number] = {
                "u_salt": self.salt,
                "u_steps": self.steps,
                "u_lake_slope": float(fluvial.LAKE_SLOPE),
            }
            scratch = self._take()
            sinking = 1
            while sinking:
                for _ in range(_SWEEPS_A_LOOK):
                    self.passes.run(f"{_K}water.frag", other, {"u_heights": self.heights, "u_water": water}, numbers)
                    water, other = other, water
                sinking = self.passes.count(f"{_K}sunk.frag", scratch, {"u_water": water, "u_before": other})
                yield
            self.held.give_back(scratch)
            self.find_receivers(water)
        self.sum_up()

    def look_at_layers(self) -> None:
        """Find the rocks at the surface."""
        if self.layers:
            self.layers.look_up(self.heights)

    def relax(self, dt: float, creep: float, critical: float, talus: float) -> None:
        """Let soil creep and steep slopes slide, twice; the heights so far are left in `before`."""
        numbers: dict[str, Number] = {
            "u_cell_area": self.cell_area,
            "u_critical": 4 * critical,
            "u_creep": creep,
            "u_slide": -0.5 * math.expm1(-fluvial.SLIDE_RATE * dt),
            "u_talus": talus,
            "u_lengths": self.lengths,
            "u_weights": self.weights,
        }
        rocks, layered_or_not = layered.felt(self.layers)
        numbers |= layered_or_not
        for old, new in ((self.heights, self.other), (self.other, self.before)):
            self.passes.run(f"{_K}relax.frag", new, {"u_heights": old, "u_flow": self.flow, **rocks}, numbers)
        self.heights, self.before = self.before, self.heights

    def incise(self, dt: float, critical: float, deposition: float, sink: float, outlet_base: float) -> None:
        """Let the land rise and its rivers cut and lay down."""
        chosen = self.longer
        rocks, layered_or_not = layered.felt(self.layers)
        self.passes.run(
            f"{_K}prepare.frag",
            (self.step, chosen),
            {
                "u_heights": self.heights,
                "u_before": self.before,
                "u_way": self.way,
                "u_flow": self.flow,
                "u_ground": self.ground,
                **rocks,
            },
            {
                **layered_or_not,
                "u_least_crossed": rock.LEAST_CROSSED,
                "u_lengths": self.lengths,
                "u_dt": dt,
                "u_cell_area": self.cell_area,
                "u_critical": critical,
                "u_deposition": deposition,
                "u_most": 0.5 * min(self.lengths),
                "u_sink": sink,
                "u_outlet_base": outlet_base,
            },
        )
        self._compose("solve", "step", self.step)
        floored = 0
        for _ in range(_MOST_ROUNDS):
            before = floored
            floored = self.passes.count(
                f"{_K}choose.frag",
                chosen,
                {"u_step": self.step, "u_solved": self.solved},
                {"u_least": self.least, "u_rounding": float(fluvial.ROUNDING)},
            )
            if floored == before:  # cells on the floor stay there while heights rise, so that none has come or gone
                break
            self._compose("solve", "step", chosen)
        self.make_rivers_fall((1.0, 0.0))
        self.passes.run(
            f"{_K}load.frag",
            self.load,
            {"u_before": self.heights, "u_after": self.other, "u_ground": self.ground},
            {"u_dt": dt},
        )
        self.heights, self.other = self.other, self.heights

    def _compose(self, kernel: str, what: str, first: moderngl.Texture) -> None:
        """Write to `solved` what `first` comes to along the whole of each way, four stretches a pass."""
        source = first
        for _ in range((self.doublings + 1) // 2):
            self.passes.run(f"{_K}{kernel}.frag", self.longer_step, {f"u_{what}": source})
            self.solved, self.longer_step = self.longer_step, self.solved
            source = self.solved

    def make_rivers_fall(self, rise: tuple[float, float]) -> None:
        """Write to `other` the heights of `solved`, raised where a river would fall too little.

        `rise` is what one of the least rise and one cell along a way count.
        """
        heights = self.solved
        # solved is wanted again after the maxima have been found in the two others
        fall, self.solved = self.longer, self.step
        self.passes.run(
            f"{_K}fall.frag", fall, {"u_way": self.way, "u_path": self.path, "u_solved": heights}, {"u_rise": rise}
        )
        self._compose("highest", "fall", fall)
        self.passes.run(
            f"{_K}raise.frag",
            self.other,
            {"u_path": self.path, "u_solved": heights, "u_highest": self.solved},
            {"u_rise": rise},
        )
        self.step = heights

    def in_metres(self, lowest: float, relief: float) -> moderngl.Texture:
        """Return the heights in metres; every cell still lies above its receiver, whatever the rounding."""
        self.passes.run(
            f"{_K}metres.frag",
            self.solved,
            {"u_heights": self.heights},
            {"u_lowest": lowest, "u_relief": relief},
        )
        self.make_rivers_fall((relief, float(fluvial.ROUNDING) * abs(lowest)))
        return self.other


def _coarser(held: _Held, values: moderngl.Texture, rows: int, columns: int) -> moderngl.Texture:
    return held.keep(coarser(held.passes, values, rows, columns))


def _finer(
    held: _Held,
    one: moderngl.Texture,
    other: moderngl.Texture,
    rows: int,
    columns: int,
    sway: float = 0.0,
    salt: int = 0,
) -> moderngl.Texture:
    """Return a new texture of the first components of `one` and `other` on `rows` × `columns` cells."""
    extended = held.take(one.height + 4, one.width + 4, 2)
    held.passes.run(f"{_K}extended.frag", extended, {"u_one": one, "u_other": other})
    out = held.take(rows, columns, 2)
    held.passes.run(
        f"{_K}finer.frag",
        out,
        {"u_values": extended},
        {
            "u_ratio": (one.width / columns, one.height / rows),
            "u_sway": sway,
            "u_salt": salt & 0xFFFFFFFF,
        },
    )
    held.give_back(extended)
    return out


def _rocks(held: _Held, extent: tuple[float, float], seed: int) -> moderngl.Texture:
    """Return how soft the rocks are, deviation 1."""
    (rows, columns), cycles = fluvial.rock_plan(extent)
    drawn = held.take(rows, columns)
    held.passes.run(
        f"{_K}rocks.frag",
        drawn,
        numbers={
            "u_size": (columns, rows),
            "u_frequency": (cycles[1], cycles[0]),
            "u_octaves": fluvial.ROCK_OCTAVES,
            "u_salt": fluvial.ROCK_SALT * seed & 0xFFFFFFFF,
        },
    )
    values = held.passes.read(drawn)
    held.give_back(drawn)
    values = values - values.mean()
    values /= max(values.std(), np.float32(1e-6))
    return held.keep(held.passes.upload(values))


def run(passes: GridPasses, parameters: fluvial.Fluvial, domain: Domain, below: GpuLand) -> Work:
    """Return the eroded land out of the land `below`, which stays as it is.

    `stop_after` ends it after so many iterations over all levels (0: after all); the levels from there on only refine.
    Yields the fraction done after each iteration. The texture that is returned is the caller's; all others are given
    back, also when the generator is closed early.
    """
    held = _Held(passes)
    try:
        return GpuLand((yield from _run(held, parameters, domain, below.heights)), below.fields)
    finally:
        held.give_all_back()


def _run(
    held: _Held, parameters: fluvial.Fluvial, domain: Domain, heights: moderngl.Texture
) -> Generator[float, bool, moderngl.Texture]:
    passes = held.passes
    sizes = fluvial.level_sizes(heights.height, heights.width)
    coarse = _coarser(held, heights, *sizes[0])
    values = passes.read(coarse)
    held.give_back(coarse)
    lowest, relief = float(values.min()), float(np.ptp(values))
    base = held.take(heights.height, heights.width)
    if relief <= 1e-5 * abs(lowest) or relief < 1e-20:
        passes.run(f"{_K}base.frag", base, {"u_heights": heights}, {"u_lowest": 0.0, "u_relief": 1.0})
        return held.hand_over(base)  # below a hundred roundings there is nothing to carve
    passes.run(f"{_K}base.frag", base, {"u_heights": heights}, {"u_lowest": lowest, "u_relief": relief})
    rivers = _Rivers(held, parameters, domain, sizes, lowest, relief)
    base = rivers.with_uneven_plains(base, values)
    plan = rivers.plan
    counted = pyramid.Count(
        [count for count, _ in plan], [rows * columns for rows, columns in sizes], parameters.stop_after
    )
    level = yield from gpu_pyramid.run(rivers, base, sizes, counted, domain.seed)
    rivers.round_beds(level)
    return held.hand_over(level.in_metres(lowest, relief))


class _Rivers:
    """What fluvial erosion does on the grids of its pyramid; the twin of `fluvial._Rivers`."""

    def __init__(
        self,
        held: _Held,
        parameters: fluvial.Fluvial,
        domain: Domain,
        sizes: list[tuple[int, int]],
        lowest: float,
        relief: float,
    ) -> None:
        self._held, self._parameters, self._domain, self._sizes = held, parameters, domain, sizes
        self._lowest, self._relief = lowest, relief
        grid = domain.grid
        unit = math.sqrt(grid.size_x * grid.size_z)
        self._extent = grid.size_z / unit, grid.size_x / unit
        self._slope = unit / relief
        self._talus = math.tan(math.radians(parameters.talus_angle)) * unit / relief
        self._age = parameters.duration / 100
        self._worn = -math.expm1(-2 * self._age * parameters.incision)
        self._critical = (parameters.valley_spacing / 100) ** 2
        self._rocks = _rocks(held, self._extent, domain.seed)
        self._strata = rock.strata(domain, lowest - fluvial.UNDER * relief, lowest + fluvial.OVER * relief)
        self.plan = [fluvial.level_plan(max(size), parameters.duration) for size in sizes]
        self._outlets, self._outlet_base = np.zeros((0, 2), np.int64), 0.0
        self._dt = self._creep = self._sink = 0.0

    def with_uneven_plains(self, base: moderngl.Texture, coarse: Heights) -> moderngl.Texture:
        """Return the input `base`, or another in its place where it has plains; `coarse` are heights in metres."""
        held = self._held
        uneven = fluvial.unevenness(coarse, self._relief, held.passes.read(self._rocks))
        if not uneven.any():
            return base
        rows, columns = base.height, base.width
        few = held.keep(held.passes.upload(uneven))
        many, changed = _finer(held, few, few, rows, columns), held.take(rows, columns)
        held.passes.run(f"{_K}uneven.frag", changed, {"u_base": base, "u_uneven": many})
        held.give_back(base, few, many)
        return changed

    def coarser(self, base: moderngl.Texture, rows: int, columns: int) -> moderngl.Texture:
        """Return a new texture of the input on fewer cells."""
        return _coarser(self._held, base, rows, columns)

    def begin(
        self, number: int, base: moderngl.Texture, below: Level | None, base_below: moderngl.Texture, salt: int
    ) -> Level:
        """Return a level that goes on from `below`, with its outlets, and its rock laid."""
        held, parameters = self._held, self._parameters
        rows, columns = self._sizes[number]
        level = Level(held, rows, columns, self._extent, salt)
        if below is None:
            lifted = lifted_base = base  # of one component, so that areas are 0
            half_area = 1.0
        else:
            sway = fluvial.SWAY * -math.expm1(-10 * self._age * parameters.incision)
            lifted = _finer(held, below.heights, below.flow, rows, columns, sway, salt)
            lifted_base = _finer(held, base_below, base_below, rows, columns)
            half_area = (4 / min(below.rows, below.columns)) ** 2 * below.rows * below.columns
            below.give_back()
            held.give_back(base_below)
        rock_here = _finer(held, self._rocks, self._rocks, rows, columns)
        level.begin(parameters, lifted, base, lifted_base, rock_here, self._worn, half_area)
        held.give_back(rock_here)
        if below is None:
            values = held.passes.read(base)
            self._outlets = fluvial.lowest_along_edge(values)
            at_outlets = values[self._outlets[:, 0], self._outlets[:, 1]]
            self._outlet_base = fluvial.OUTLET_FALL * float(at_outlets.min())
        else:
            held.give_back(lifted, lifted_base)
            self._outlets = fluvial.refined(self._outlets, self._sizes[number - 1], level.edge())
        level.place_outlets(self._outlets)
        if self._strata:
            place = self._domain, rows, columns, self._lowest, self._relief, parameters.talus_angle, self._slope
            level.layers = layered.Laid(held.passes, self._strata, *place)
            for texture in level.layers.owned:
                held.keep(texture)
        count, time = self.plan[number]
        self._dt = time / count
        self._creep = self._dt * parameters.incision * (parameters.creep_length / 100) ** 2
        self._sink = -math.expm1(-self._dt * fluvial.OUTLET_RATE)
        return level

    def settle(self, level: Level) -> Iterable[None]:
        """Sweep lakes down: incision leaves none."""
        return level.route_over_lakes()

    def iterate(self, level: Level, iteration: int) -> None:
        """Let rivers find their ways, slopes relax and rivers cut."""
        if iteration:
            level.route()
        level.look_at_layers()
        level.relax(self._dt, self._creep, self._critical, self._talus)
        level.incise(self._dt, self._critical, self._parameters.deposition, self._sink, self._outlet_base)

    def in_a_turn(self, level: Level) -> int:
        """Return one: an iteration is many passes."""
        return 1

    def round_beds(self, level: Level) -> None:
        """Let rivers creep too, this once: a bed one cell wide is a row of steps."""
        level.look_at_layers()
        level.relax(self._dt, self._creep, 1e9, self._talus)
