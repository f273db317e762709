"""Hydraulic erosion on the GPU: the twin of `terrain/erosion/hydraulic.py`, level by level and step by step.

A texel of the land holds ground, water and load; one of the flows holds those of a cell's four pipes, so that a pipe is
computed twice, once for each of its cells, and nothing has to be stored outside the grid.
"""

from __future__ import annotations

from collections.abc import Iterable

import moderngl
import numpy as np

from fellview.gpu import pyramid as gpu_pyramid
from fellview.gpu.passes import GridPasses, Number
from fellview.gpu.resample import coarser
from fellview.gpu.twin import GpuLand, Work
from fellview.gpu.twins import rock as layered
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import hydraulic, pyramid, rock
from fellview.terrain.field import by_name

_CELLS_A_TURN = 1 << 18  # steps on fewer cells come several in a row: a GPU is not busy with less


class Level:
    """One grid of the pyramid and what is on it; the twin of `hydraulic.Level`."""

    def __init__(self, passes: GridPasses, rows: int, columns: int, plan: hydraulic.Plan, salt: int) -> None:
        self.passes, self.rows, self.columns = passes, rows, columns
        self.land, self.flow, self._spare_land, self._spare_flow = (passes.texture(rows, columns, 4) for _ in range(4))
        passes.run("kernels/hydraulic/still.frag", self.flow)
        pull_z, pull_x, fastest_z, fastest_x, drag, deepest = plan.flow
        share_z, share_x, rain, kept, power_z, power_x, most, erode, settle = plan.carry
        bank, slide, deep = plan.slump
        self._flow: dict[str, Number] = {
            "u_fall_outside": hydraulic.FALL_OUTSIDE,
            "u_pull": (pull_z, pull_x),
            "u_fastest": (fastest_z, fastest_x),
            "u_drag": drag,
            "u_deepest": deepest,
        }
        self._carry: dict[str, Number] = {
            "u_fall_outside": hydraulic.FALL_OUTSIDE,
            "u_share": (share_z, share_x),
            "u_power": (power_z, power_x),
            "u_rain": rain,
            "u_grain": hydraulic.GRAIN,
            "u_kept": kept,
            "u_most": most,
            "u_erode": erode,
            "u_settle": settle,
            "u_least_depth": hydraulic.LEAST_DEPTH,
            "u_salt": salt & 0xFFFFFFFF,
        }
        self._slump: dict[str, Number] = {"u_bank": bank, "u_slide": slide, "u_deep": deep}
        self._slump |= {"u_tali": plan.tali, "u_rates": plan.rates}
        self.layers: layered.Laid | None = None

    def step(self) -> None:
        """Let water flow and carry for one step."""
        run = self.passes.run
        run("kernels/hydraulic/flow.frag", self._spare_flow, {"u_land": self.land, "u_flow": self.flow}, self._flow)
        self.flow, self._spare_flow = self._spare_flow, self.flow
        rocks, layered_or_not = layered.felt(self.layers)
        sources = {"u_land": self.land, "u_flow": self.flow, **rocks}
        run("kernels/hydraulic/carry.frag", self._spare_land, sources, self._carry | layered_or_not)
        self.land, self._spare_land = self._spare_land, self.land

    def slump(self) -> None:
        """Let wet banks and steep slopes give way."""
        if self.layers:
            self.layers.look_up(self.land)
        rocks, layered_or_not = layered.felt(self.layers)
        sources, numbers = {"u_land": self.land, **rocks}, self._slump | layered_or_not
        self.passes.run("kernels/hydraulic/slump.frag", self._spare_land, sources, numbers)
        self.land, self._spare_land = self._spare_land, self.land

    def give_back(self) -> None:
        """Give back all textures."""
        self.passes.give_back(self.land, self.flow, self._spare_land, self._spare_flow)
        if self.layers:
            self.layers.give_back()


def _finer(
    passes: GridPasses, values: moderngl.Texture, rows: int, columns: int, sway: float, salt: int
) -> moderngl.Texture:
    """Return a new texture of four fields on more cells; the twin of `resample.finer_swayed`."""
    out = passes.texture(rows, columns, 4)
    numbers: dict[str, Number] = {"u_cells": (columns, rows), "u_sway": sway, "u_salt": salt & 0xFFFFFFFF}
    passes.run("kernels/resample/finer.frag", out, {"u_values": values}, numbers)
    return out


class _Rain:
    """What hydraulic erosion does on the grids of its pyramid; the twin of `hydraulic._Rain`."""

    def __init__(
        self,
        passes: GridPasses,
        talus_angle: float,
        domain: Domain,
        units: hydraulic.Scale,
        strata: rock.Strata | None,
        plans: list[hydraulic.Plan],
        sizes: list[tuple[int, int]],
    ) -> None:
        self._passes, self._talus_angle, self._domain, self._units = passes, talus_angle, domain, units
        self._strata, self._plans, self._sizes = strata, plans, sizes
        self._level: Level | None = None
        self._bases: list[moderngl.Texture] = []

    def coarser(self, base: moderngl.Texture, rows: int, columns: int) -> moderngl.Texture:
        """Return a new texture of the input on fewer cells."""
        self._bases.append(coarser(self._passes, base, rows, columns))
        return self._bases[-1]

    def begin(
        self, number: int, base: moderngl.Texture, below: Level | None, base_below: moderngl.Texture, salt: int
    ) -> Level:
        """Return a level that goes on from `below`, with its rock laid."""
        size = self._sizes[number]
        level = self._level = Level(self._passes, *size, self._plans[number], salt)
        self._write(level, base, below, base_below, salt)
        if below:
            below.give_back()
        if self._strata:
            units = self._units
            place = self._domain, *size, units.lowest, units.relief, self._talus_angle, units.slope
            level.layers = layered.Laid(self._passes, self._strata, *place, base)
        return level

    def _write(
        self, level: Level, base: moderngl.Texture, below: Level | None, base_below: moderngl.Texture, salt: int
    ) -> None:
        """Write the land of `level` over the input `base`, going on from the level `below`."""
        passes = self._passes
        numbers: dict[str, Number] = {"u_first": True, "u_buried": hydraulic.BURIED, "u_most": hydraulic.MOST_LOAD}
        if below is None:
            passes.run("kernels/hydraulic/begin.frag", level.land, {"u_base": base}, numbers)
            return
        change = passes.texture(below.rows, below.columns, 4)
        passes.run("kernels/hydraulic/change.frag", change, {"u_land": below.land, "u_base": base_below})
        fields = _finer(passes, change, level.rows, level.columns, hydraulic.SWAY, salt)
        lifted_base = _finer(passes, base_below, level.rows, level.columns, 0.0, salt)
        textures = {"u_base": base, "u_below": fields, "u_lifted_base": lifted_base}
        passes.run("kernels/hydraulic/begin.frag", level.land, textures, numbers | {"u_first": False})
        passes.give_back(change, fields, lifted_base)

    def settle(self, level: Level) -> Iterable[None]:
        """Do nothing: water finds its ways while it flows."""
        return ()

    def iterate(self, level: Level, iteration: int) -> None:
        """Let water flow, and now and then the ground slump."""
        level.step()
        if iteration % hydraulic.SLUMP_EVERY == 0:
            level.slump()

    def in_a_turn(self, level: Level) -> int:
        """Return more on few cells."""
        return max(1, _CELLS_A_TURN // (level.rows * level.columns))

    def give_back(self) -> None:
        """Give back all textures."""
        if self._level:
            self._level.give_back()
        self._passes.give_back(*self._bases)


def run(passes: GridPasses, parameters: hydraulic.Hydraulic, domain: Domain, below: GpuLand) -> Work:
    """Yield how much is done; return the land with `water_depth`, `sediment` and `water_speed`."""
    rows, columns = domain.grid.rows, domain.grid.columns
    sizes = hydraulic.level_sizes(rows, columns)
    coarse = coarser(passes, below.heights, *sizes[0]) if len(sizes) > 1 else below.heights
    units = hydraulic.scale(passes.read(coarse), parameters, domain)
    if coarse is not below.heights:
        passes.give_back(coarse)
    if units is None:
        dry = {field.name: passes.upload(np.zeros((rows, columns), np.float32)) for field in hydraulic.FIELDS}
        return GpuLand(passes.upload(passes.read(below.heights)), {**below.fields, **dry})
    strata = rock.strata(domain, units.lowest, units.lowest + units.relief)
    talus = 1.0 if strata else units.talus  # layers have their own
    plans = [hydraulic.plan(parameters, *size, units.extent, talus) for size in sizes]
    counted = pyramid.Count(
        [plan.steps for plan in plans], [high * wide for high, wide in sizes], parameters.stop_after
    )
    base = passes.texture(rows, columns)
    numbers = {"u_lowest": units.lowest, "u_relief": units.relief}
    passes.run("kernels/hydraulic/base.frag", base, {"u_heights": below.heights}, numbers)
    rain = _Rain(passes, parameters.talus_angle, domain, units, strata, plans, sizes)
    try:
        level = yield from gpu_pyramid.run(rain, base, sizes, counted, domain.seed)
        outs = [passes.texture(rows, columns) for _ in range(1 + len(hydraulic.FIELDS))]
        passes.run(
            "kernels/hydraulic/finish.frag",
            outs,
            {"u_land": level.land, "u_flow": level.flow, "u_base": base, "u_heights": below.heights},
            {
                "u_metres": units.relief,
                "u_speed_unit": units.speed,
                "u_fastest": hydraulic.FASTEST,
                "u_least_depth": hydraulic.LEAST_DEPTH,
            },
        )
        return GpuLand(outs[0], {**below.fields, **by_name(hydraulic.FIELDS, outs[1:])})
    finally:
        rain.give_back()
        passes.give_back(base)
