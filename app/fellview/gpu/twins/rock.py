"""Layers of rock on the GPU: the twin of `rock.Laid`, and the fields that erosion leaves of them."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.gpu import noise_texture
from fellview.gpu.extremes import extremes
from fellview.gpu.passes import GridPasses, Number
from fellview.gpu.twin import GpuLand, Run, Work
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import rock
from fellview.terrain.field import by_name

NONE: dict[str, Number] = {"u_layers": False}
"""The numbers of a pass where there are no layers."""


class Laid:
    """The layers under one grid; `surface` holds what `rock_surface.frag` finds.

    The twin of `rock.Laid`, with the same arguments; `ground` is a texture of the rock's surface at first, none where
    all is rock.
    """

    def __init__(
        self,
        passes: GridPasses,
        layers: rock.Strata,
        domain: Domain,
        rows: int,
        columns: int,
        lowest_m: float,
        unit_m: float,
        talus_angle: float,
        slope_unit: float,
        ground: moderngl.Texture | None = None,
    ) -> None:
        self.passes, self._base = passes, ground
        wear, plain = rock.wear(layers, domain, rows, columns, talus_angle, slope_unit)
        self._table = _table(passes, wear)
        self._places = places(passes, layers, domain, rows, columns, lowest_m)
        self.surface, self._spare = (passes.texture(rows, columns, 4) for _ in range(2))
        self._looked = False
        self._numbers: dict[str, Number] = {
            "u_samples_a_unit": unit_m / layers.sample_m,
            "u_plain": plain,
            "u_loose": layers.loose(unit_m) if ground else 0.0,
        }

    def look_up(self, heights: moderngl.Texture) -> None:
        """Find what lies at the surface of the first component of `heights`."""
        first = not self._looked
        sources = {"u_heights": heights, "u_places": self._places, "u_table": self._table}
        sources["u_ground"] = self._base if first and self._base else self.surface
        self.passes.run("kernels/rock/surface.frag", self._spare, sources, self._numbers | {"u_first": first})
        self.surface, self._spare = self._spare, self.surface
        self._looked = True

    @property
    def owned(self) -> tuple[moderngl.Texture, ...]:
        """All textures but the ground that was given."""
        return self._table, self._places, self.surface, self._spare

    def give_back(self) -> None:
        """Give back all textures but the ground that was given."""
        self.passes.give_back(*self.owned)


def felt(laid: Laid | None) -> tuple[dict[str, moderngl.Texture], dict[str, Number]]:
    """Return the textures and numbers by which a pass feels the layers, or that there are none."""
    return ({"u_surface": laid.surface}, {"u_layers": True}) if laid else ({}, NONE)


def places(
    passes: GridPasses, layers: rock.Strata, domain: Domain, rows: int, columns: int, lowest_m: float
) -> moderngl.Texture:
    """Return a new texture of where ground at `lowest_m` lies among the layers, in samples of a table."""
    out = passes.texture(rows, columns)
    if layers.rock.undulation:
        folds = noise_texture.drawn(passes, layers.folds, rows, columns)
    else:
        folds = passes.texture(rows, columns)
        passes.target(folds).clear()
    tilt_z, tilt_x = (fall / layers.sample_m for fall in layers.tilts(domain))
    numbers: dict[str, Number] = {
        "u_undulation": layers.rock.undulation / layers.sample_m * layers.folds.share(rows, columns),
        "u_tilt": (tilt_x, tilt_z),
        "u_middle": (lowest_m - layers.first_m) / layers.sample_m,
    }
    passes.run("kernels/rock/places.frag", out, {"u_folds": folds}, numbers)
    passes.give_back(folds)
    return out


def fields(passes: GridPasses, domain: Domain, heights: moderngl.Texture) -> dict[str, moderngl.Texture]:
    """Return new textures of `rock.FIELDS` where rock is on; the twin of `rock.fields`."""
    if not domain.other(rock.Rock).enabled:
        return {}
    measured = extremes(passes, heights)
    if not measured.finite:
        return {}  # the engine says so
    layers = rock.strata(domain, measured.low, measured.high)
    assert layers is not None, "rock is on"
    columns, rows = heights.size
    table, at = _table(passes, layers.looks()), places(passes, layers, domain, rows, columns, 0.0)
    outs = [passes.texture(rows, columns) for _ in rock.FIELDS]
    sources = {"u_heights": heights, "u_places": at, "u_table": table}
    passes.run("kernels/rock/look.frag", outs, sources, {"u_samples_a_unit": 1 / layers.sample_m})
    passes.give_back(table, at)
    return by_name(rock.FIELDS, outs)


def with_fields(run: Run) -> Run:
    """Return `run`, of a twin of erosion, with the fields of rock added to its land."""

    def both(passes: GridPasses, parameters: Any, domain: Domain, below: GpuLand) -> Work:
        land = yield from run(passes, parameters, domain, below)
        return GpuLand(land.heights, {**land.fields, **fields(passes, domain, land.heights)})

    return both


def _table(passes: GridPasses, table: NDArray[np.float32]) -> moderngl.Texture:
    return passes.upload(np.ascontiguousarray(table.T[None]))
