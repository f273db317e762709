"""The water of one grid around a land: its lakes and rivers carried on, and the sea's level and shelter there."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import moderngl
import numpy as np

from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.recipe_form import BEYOND, RiversBeyond
from fellview.draw.land.surroundings_lakes import Lakes
from fellview.draw.passes import Passes
from fellview.draw.water.river_map import near_rivers
from fellview.draw.water.shelter_map import NOWHERE_M, sea_shelter
from fellview.draw.water.water import NEAR_CELLS, WaterMaps, deep_m, reach_m
from fellview.gpu import mipmaps, stand_ins
from fellview.gpu.passes import GridPasses, Number
from fellview.gpu.state import Box
from fellview.terrain.hydrology.water import Water

_REACH = 1.75  # cells along an axis: how far from a texel on a bank the cell may lie that tells of the river
_SHARPER = 1.0  # levels finer than a cell: a mean over all of it would leave far ridges too low


@dataclass(frozen=True)
class Sources:
    """From where on a land a grid around it takes what lies there: what is in shaders with surroundings.glsl."""

    places: dict[str, moderngl.Texture] = field(default_factory=dict)
    """Textures that say from which places,"""
    numbers: dict[str, Number] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    """and what is put in front of the shaders."""
    rivers_end: tuple[float, float] = (0.0, 0.0)
    """Sides of the land from the border between which rivers run dry."""
    courses: RiversBeyond | None = None
    """Rivers of ground that has the recipe's form,"""
    beyond: float = 0.0
    """and how many sides of the land beyond each border the grid begins."""

    def run_in_strips(
        self,
        grids: GridPasses,
        shader: str,
        into: moderngl.Texture,
        textures: dict[str, moderngl.Texture],
        numbers: dict[str, Number] | None = None,
        boxes: Sequence[Box] | None = None,
    ) -> Passes[None]:
        """Fill `into` by `shader` with what it takes from `textures` of the land, giving way after strips of rows.

        Where there are `boxes`, only those are filled, without a way out.
        """
        given = {**textures, **self.places}, {**self.numbers, **(numbers or {})}, self.libraries
        if boxes is None:
            yield from grids.run_in_strips(shader, into, *given)
        else:
            grids.run_in_boxes(shader, into, boxes, *given)


class FrameWater:
    """Keeps the maps of water of one grid of `vertices` a side, `cells` of them a side of the land."""

    def __init__(
        self, context: moderngl.Context, grids: GridPasses, vertices: int, cells: int, river_texels: int
    ) -> None:
        self._context, self._grids = context, grids
        self._vertices, self._cells, self._river_texels = vertices, cells, river_texels
        self._standing: dict[str, moderngl.Texture] = {}
        self._standing_of: object = None
        self.hollows: Lakes | None = None
        self.version = 0
        """Rises when its surfaces change."""
        size = vertices, vertices
        self._no_lakes = grids.upload(stand_ins.values(NOWHERE_M, size))
        self._no_lakes.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._no_hollows = grids.upload(np.full((1, 1), NOWHERE_M, np.float32))
        self._shelter: moderngl.Texture | None = None
        self._rivers: moderngl.Texture | None = None
        self._no_rivers = stand_ins.empty(context, size)

    def maps(
        self, water: WaterMaps, group: Water, height_map: HeightMap, sources: Sources, *, resting: bool
    ) -> Passes[WaterMaps]:
        """Return the maps of the land's `water` for what is around it, whose heights are `height_map`.

        Lakes are those of `hollows` where there are such, which ground of the recipe's form has.
        """
        assert height_map.heights is not None
        grids, has_lakes = self._grids, water.has_lakes
        has_rivers = water.has_rivers and self._river_texels > 0
        sea_m = group.sea_level if group.sea else NOWHERE_M
        wind = group.wind if group.sea else 0.0
        versions = height_map.version, water.version, water.rivers_version
        hollows = self.hollows.version if self.hollows else 0
        key = (sea_m, wind, reach_m(group), deep_m(group), has_lakes, has_rivers, hollows, *versions)
        if not self._standing:
            across = -(-self._vertices // NEAR_CELLS)
            self._standing = {
                "surface": grids.texture(self._vertices, self._vertices),
                "near": grids.texture(across, across, 2),
            }
            self._standing["near"].filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._standing_of = None
        if has_lakes and "lakes" not in self._standing:
            self._standing["lakes"] = grids.texture(self._vertices, self._vertices)
            self._standing["lakes"].filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._standing_of = None
        anew = self._standing_of is None or (key != self._standing_of and resting)
        if anew:
            self._shelter_sea(group, height_map)
        lakes = self._standing["lakes"] if has_lakes else self._shelter or self._no_lakes
        if anew:
            if has_lakes:
                with grids.temporary(self._vertices + 2, self._vertices + 2) as levels:
                    yield from self._find_levels(levels, water.textures["u_lakes"], sources)
                    there = {"u_levels": levels, "u_no_lakes": self._shelter or self._no_lakes}
                    grids.run("draw/land/surroundings_lakes.frag", lakes, there)
                yield
            if has_rivers:
                yield from self._carry_rivers_on(water, sources)
            textures = {"u_heights": height_map.heights, "u_lakes": lakes}
            numbers: dict[str, Number] = {"u_sea_m": sea_m, "u_has_lakes": float(has_lakes)}
            grids.run("draw/water/water_surface.frag", self._standing["surface"], textures, numbers)
            level = math.log2(max(self._river_texels, 1))
            numbers |= {"u_has": (float(has_lakes), float(has_rivers))}
            numbers |= {"u_reach_m": reach_m(group), "u_deep_m": deep_m(group)}
            numbers |= {"u_river_level": level, "u_stride": 1}
            textures |= {"u_rivers": self._rivers if has_rivers and self._rivers else self._no_rivers}
            grids.run("draw/water/water_mask.frag", self._standing["near"], textures, numbers)
            self._standing_of = key
            self.version += 1
        rivers = self._rivers if has_rivers and self._rivers else self._no_rivers
        ours = {"u_ground_m": height_map.heights, "u_lakes": lakes, "u_rivers": rivers}
        return dataclasses.replace(
            water,
            textures={**water.textures, **ours},
            surface=self._standing["surface"],
            near=self._standing["near"],
            version=self.version,
        )

    def _find_levels(self, levels: moderngl.Texture, lakes: moderngl.Texture, sources: Sources) -> Passes[None]:
        """Write the levels of lakes at the vertices to `levels`, of the land's `lakes` or in hollows."""
        textures = {"u_lakes": lakes, "u_hollows": self._no_hollows}
        numbers: dict[str, Number] = {"u_blocks": 0.0, "u_hollows_last": 0.0}
        if self.hollows is not None:
            textures["u_hollows"] = self.hollows.levels
            numbers = {"u_blocks": float(self.hollows.blocks), "u_hollows_last": self.hollows.last}
        yield from sources.run_in_strips(
            self._grids, "draw/land/surroundings_lake_levels.frag", levels, textures, numbers
        )

    def _shelter_sea(self, group: Water, height_map: HeightMap) -> None:
        """Work out how sheltered the sea is of `group`, where anybody sees its surf."""
        assert height_map.heights is not None and height_map.field is not None
        if self._shelter is not None:
            self._grids.give_back(self._shelter)
            self._shelter = None
        if group.sea and self._river_texels:
            self._shelter = sea_shelter(self._grids, height_map.heights, height_map.field, group, goes_on=True)

    def _carry_rivers_on(self, water: WaterMaps, sources: Sources) -> Passes[None]:
        """Make the texture of rivers here of that of the land's `water`, and of what runs on from it."""
        finer, rivers = self._river_texels, water.textures["u_rivers"]
        if self._rivers is None:
            side = finer * self._vertices
            self._rivers = mipmaps.empty(self._context, (side, side), 4)
        numbers: dict[str, Number] = {
            "u_finer": float(finer),
            "u_river_level": level_of(max(rivers.size) / (finer * self._cells)),
            "u_rivers_end": sources.rivers_end,
        }
        beyond = yield from self._beyond(water, sources)
        try:
            textures = {"u_rivers": rivers, "u_beyond": beyond or self._no_rivers}
            numbers["u_has_beyond"] = float(beyond is not None)
            yield from sources.run_in_strips(
                self._grids, "draw/land/surroundings_rivers.frag", self._rivers, textures, numbers
            )
        finally:
            if beyond is not None:
                self._grids.give_back(beyond)
        mipmaps.build(self._rivers)
        yield

    def _beyond(self, water: WaterMaps, sources: Sources) -> Passes[moderngl.Texture | None]:
        """Return the rivers of ground of the recipe's form, texel by texel as they are wanted here."""
        found = sources.courses
        if found is None:
            return None
        grids, finer = self._grids, self._river_texels
        side = finer * self._vertices
        reach = math.floor(_REACH + (0.5 * found.widest_m + water.river_margin_m) / min(found.cell_m))
        cells = found.cells / self._cells  # a cell of this grid is so many of those
        numbers: dict[str, Number] = {
            "u_cell_m": (found.cell_m[1], found.cell_m[0]),
            "u_first": 2 * ((BEYOND - sources.beyond) * found.cells - 0.5 * cells,),
            "u_texel_cells": cells / finer,
            "u_margin_m": water.river_margin_m,
        }
        with near_rivers(grids, found.texture, reach) as (textures, near), grids.unfinished(side, side, 4) as beyond:
            yield from grids.run_in_strips("draw/water/river_courses.frag", beyond, textures, numbers | near)
        return beyond


def level_of(cells: float) -> float:
    """Return the level of a texture of which a texel is about as wide as so many cells."""
    return max(math.log2(max(cells, 1.0)) - _SHARPER, 0.0)
