"""What drawing water needs: lakes' levels, how sheltered the sea is, and rivers' courses, as textures.

Water is drawn by the passes that draw what lies under it, pixel by pixel, and has no mesh of its own. Where a line of
sight meets the ground below a water's level, it met that water on the way, at a place that follows from the two
heights: nothing can hide that place, since the ground behind it is seen. So the shore is where the height map says, at
any level of detail, nothing fights for depth, and there is no order of blending. Sight lines that leave the land, over
its edge or under the sea, meet the sea in the pass behind everything. Rejected: a sheet with depth test, whose shore is
that of the triangles drawn and moves with their level of detail. The eye is taken to be over the water.

shaders/draw/water/ has the light of it, an idea a file (water_over_ground.glsl puts them together), and
shaders/draw/water/waves.glsl the waves, which `waves.py` makes; the land that it mirrors is `far_land.py`'s. Rivers are
a texture finer than the grid, `river_map.py`'s, of how far within its bank a place lies: so a pixel close by can make
the bank as uneven as banks are, and lay gravel and brush beside it. Where the sea hides its bed, software OpenGL works
nothing of that out (shaders/draw/land/deep_sea.frag).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import moderngl
import numpy as np

from fellview.core.height_field import HeightField, Heights
from fellview.draw.ground.palettes import plain_parts
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.valleys import Leaving
from fellview.draw.passes import Passes, whole
from fellview.draw.target import Size
from fellview.draw.water import waves
from fellview.draw.water.river_map import RIVER_MASKS, RiverMap, margin_m
from fellview.draw.water.shelter_map import NOWHERE_M, ShelterMap
from fellview.gpu import bindings, mipmaps, stand_ins
from fellview.gpu.context import is_software
from fellview.gpu.passes import GridPasses
from fellview.scene.groups.ground import Ground
from fellview.scene.scene import Scene
from fellview.terrain.hydrology import water
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.masks import Masks, masks_there
from fellview.view.projection import light_goes_to

LAKE_MASKS = frozenset({"lake_depth"})

_LOOKS = 9  # for land on a reflected way, each 1.65 times as far away: 1.2 to 66 cells
NEAR_CELLS = 4
"""A side of a texel of the mask of where there may be water, as in water_near.frag."""

_FINER = 4  # river texels a cell along each axis
_UNSEEN_CLARITIES = 3.0  # of depth, where a thousandth of the brightest light from the bed is left
_SURF_SWASHES = 30.0  # of depth, where there is none any more: as with_water() has it
_WET_SWASHES, _SOFT_M = 1.4, 1.1  # how far over its level water shows: as wetted() and standing_water() have it
_WINDS = {"sea": (1.0, 100e3), "lake": (0.6, 1.5e3), "river": (0.5, 60.0)}
"""Share of the wind, since land around takes the rest, and the way in m over which it raises waves."""
_SOFTWARE_LARGEST, _HARDWARE_LARGEST = 2048, 4096  # most river texels a side


def drawn_masks(group: Water) -> frozenset[str]:
    """Return the masks that drawing the water of `group` needs."""
    if not group.enabled:
        return frozenset()
    return (LAKE_MASKS if group.lakes else frozenset()) | (RIVER_MASKS if group.rivers else frozenset())


@dataclass(frozen=True)
class WaterMaps:
    """What programs with WATER defined read, beside the block of the look."""

    textures: Mapping[str, moderngl.Texture]
    ground: moderngl.Sampler
    surface: moderngl.Texture
    """Heights of the ground, or of standing water where it is higher."""
    version: int
    """Grows when `surface` changes."""
    near: moderngl.Texture
    """Above 0 where there may be water, or ground that it wets; the second channel 1 where the sea hides its bed."""
    numbers: Mapping[str, float | tuple[float, ...] | list[tuple[float, ...]]]
    kinds: tuple[str, ...]
    """What water there may be, as the shaders' defines; OPEN_SEA where the eye is over the sea."""
    has_lakes: bool = False
    has_rivers: bool = False
    """Whether lakes and rivers are there: until their masks have come, there are none."""
    lakes_share: float = 0.0
    """Of the land, how much is under lakes."""
    rivers_version: int = 0
    """Grows when rivers change."""
    river_margin_m: float = 0.0
    """How far their texture knows of rivers beyond their banks."""
    leaving: Leaving | None = None
    """The rivers that leave the land over its border."""
    sea_m: float = NOWHERE_M
    """The sea's level as drawn, far down where there is none."""
    dry_m: float = -NOWHERE_M
    """The height as drawn over which no water reaches: far up where there may be lakes or rivers."""

    @property
    def is_there(self) -> bool:
        """Return whether any is known of."""
        return "SEA" in self.kinds or self.has_lakes or self.has_rivers

    def bind(self, program: moderngl.Program) -> None:
        """Set the uniforms of `program`, as far as it has them."""
        bindings.use(program, self.textures)
        bindings.use(program, {"u_ground_m": self.ground})
        bindings.write(program, self.numbers)


class WaterPass:
    """Keeps the textures of one land's water in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._grids = GridPasses(context)
        # heights are read between vertices here, and exactly at them by the passes that draw the land
        self._ground = context.sampler(repeat_x=False, repeat_y=False, filter=(moderngl.LINEAR, moderngl.LINEAR))
        self._most = _SOFTWARE_LARGEST if is_software(context) else _HARDWARE_LARGEST
        self._no_lakes, self._no_rivers = self._stand_ins((1, 1))
        self._waves: moderngl.Texture | None = None
        self._surface: moderngl.Texture | None = None
        self._levels: moderngl.Texture | None = None
        self._shelter = ShelterMap(context)
        self._levels_shelter = 0
        self.waits = False
        """Whether, while something moves, the sea is as sheltered as before and rivers come a piece a frame."""
        self._near: moderngl.Texture | None = None
        self._version = self._lakes_made = 0
        self._lakes_share = 0.0
        self._near_made: tuple[object, ...] = ()
        self._rivers = RiverMap(context)
        self._made: dict[str, tuple[object, Water | None]] = {}
        self._surface_made: tuple[int, tuple[float, int] | None] | None = None
        self._size = (0, 0)

    def make_rivers(self, scene: Scene, height_map: HeightMap, *, draft: bool = False) -> Passes[None]:
        """Make the rivers of `scene` when their masks have come, giving way; in a `draft` a piece of them."""
        group, field = scene.water, height_map.field
        if not group.enabled or field is None or height_map.heights is None:
            return
        if self._size != height_map.heights.size:
            self._forget(height_map.heights.size)
        if not group.rivers:
            return
        masks = masks_there(field, group)
        if masks is not None and self._changed("rivers", field, group, masks, RIVER_MASKS):
            self._rivers.begin(field, masks, group, self._finer)
        yield from self._rivers.make(one=draft and self.waits)

    def prepare(
        self, scene: Scene, height_map: HeightMap, seconds: float, size: Size, *, draft: bool = False
    ) -> WaterMaps | None:
        """Return what to draw the water of `scene` with, at the time `seconds`; none where there is none.

        `size` is the picture's, in pixels; a `draft` is one while something moves.

        Lakes and rivers whose masks have not come yet stay as they were. What `make_rivers` has left is made.
        """
        whole(self.make_rivers(scene, height_map, draft=draft))
        group, field = scene.water, height_map.field
        if not group.enabled or field is None or height_map.heights is None:
            return None
        masks = masks_there(field, group)
        goes_on = scene.view.surroundings == "land"
        sheltered = self._shelter.texture(height_map, group, goes_on=goes_on, late=draft and self.waits)
        no_lakes, shelter_version = (sheltered, self._shelter.version) if sheltered else (self._no_lakes, 0)
        if group.lakes and masks is not None and set(masks) >= LAKE_MASKS:
            others = self._changed("lakes", field, group, masks, LAKE_MASKS)
            if others or self._levels_shelter != shelter_version:
                self._take_lakes(height_map.heights, masks, no_lakes)
                self._levels_shelter = shelter_version
        lakes = self._levels if group.lakes else None
        rivers = self._rivers.texture if group.rivers else None
        self._waves = self._waves or waves.texture(self._context)
        seconds = seconds if group.animate else 0.0
        kinds = {
            "SEA": group.sea,
            "OPEN_SEA": group.sea and over_sea(scene),
            "LAKES": group.lakes,
            "RIVERS": group.rivers,
        }
        return WaterMaps(
            {
                "u_ground_m": height_map.heights,
                "u_lakes": lakes or no_lakes,
                "u_rivers": rivers or self._no_rivers,
                "u_waves": self._waves,
            },
            self._ground,
            *self._surface_of(height_map, group, lakes),
            self._near_of(height_map, group, lakes, rivers),
            {
                "u_water_seconds": seconds,
                "u_wave_layers": waves.layers(seconds),
                "u_wind": (float(np.cos(waves.WIND_DIRECTION)), float(np.sin(waves.WIND_DIRECTION))),
                "u_wave_texels_log2": tuple(float(np.log2(size_m / waves.SIDE)) for size_m in waves.TILES_M),
                "u_whitecaps": waves.whitecaps(group.wind),
                **{
                    f"u_{name}_bands": waves.steepness(share * group.wind, fetch_m)
                    for name, (share, fetch_m) in _WINDS.items()
                },
                "u_water_pixel": 2 * light_goes_to(scene.camera, field)[1] / size[1],
                "u_water_looks": _LOOKS,
                "u_river_margin_m": margin_m(field),
                "u_river_depths": _depth_of_rivers(group),
                "u_shore": _shore(scene.ground),
                "u_water_cell_m": float(np.sqrt(field.cell_size[0] * field.cell_size[1])),
                "u_water_highest_m": scene.view.exaggeration * field.height_range[1],
            },
            tuple(name for name, there in kinds.items() if there),
            lakes is not None,
            rivers is not None,
            self._lakes_share,
            self._rivers.version,
            margin_m(field),
            self._rivers.leaving if rivers and masks is not None and set(masks) >= RIVER_MASKS else None,
            scene.view.exaggeration * group.sea_level if group.sea else NOWHERE_M,
            -NOWHERE_M if group.lakes or group.rivers else scene.view.exaggeration * (group.sea_level + reach_m(group)),
        )

    def _surface_of(
        self, height_map: HeightMap, group: Water, lakes: moderngl.Texture | None
    ) -> tuple[moderngl.Texture, int]:
        """Return the surface and its version, made anew where heights, the sea or lakes have changed.

        Where none stands over the ground, those are the ground's heights.
        """
        assert height_map.heights is not None and height_map.field is not None
        sea_m = group.sea_level if group.sea else NOWHERE_M
        key = (sea_m, self._lakes_made if lakes else 0)
        if lakes is None and sea_m <= height_map.field.height_range[0]:
            if self._surface_made != (height_map.version, None):
                self._surface_made = height_map.version, None
                self._version += 1
            return height_map.heights, self._version
        if self._surface is None:
            self._surface = self._grids.texture(*height_map.heights.size[::-1])
            self._surface_made = None
        if self._surface_made != (height_map.version, key):
            self._surface_made = height_map.version, key
            self._version += 1
            textures = {"u_heights": height_map.heights, "u_lakes": lakes or self._no_lakes}
            numbers: dict[str, float] = {"u_sea_m": sea_m, "u_has_lakes": float(lakes is not None)}
            self._grids.run("draw/water/water_surface.frag", self._surface, textures, numbers)
        return self._surface, self._version

    def _near_of(
        self,
        height_map: HeightMap,
        group: Water,
        lakes: moderngl.Texture | None,
        rivers: moderngl.Texture | None,
    ) -> moderngl.Texture:
        """Return the mask of where there may be water, made anew where any water has changed."""
        assert height_map.heights is not None and height_map.field is not None
        columns, rows = height_map.heights.size
        sea_m = group.sea_level if group.sea else NOWHERE_M
        of_water = self._lakes_made if lakes else 0, self._rivers.version if rivers else 0
        made = (height_map.version, height_map.stride, sea_m, reach_m(group), deep_m(group), *of_water)
        if self._near is None:
            self._near = mipmaps.empty(self._context, (-(-columns // NEAR_CELLS), -(-rows // NEAR_CELLS)), 2)
            self._near_made = ()
        if self._near_made != made:
            self._near_made = made
            if lakes is None and rivers is None and sea_m + reach_m(group) < height_map.field.height_range[0]:
                self._grids.target(self._near).clear()
            else:
                self._find_near(height_map.heights, sea_m, group, lakes, rivers, min(height_map.stride, 2))
            mipmaps.build(self._near)
        return self._near

    def _find_near(
        self,
        heights: moderngl.Texture,
        sea_m: float,
        group: Water,
        lakes: moderngl.Texture | None,
        rivers: moderngl.Texture | None,
        stride: int,
    ) -> None:
        """Fill the mask, from vertices so far apart."""
        assert self._near is not None
        textures = {
            "u_heights": heights,
            "u_lakes": lakes or self._no_lakes,
            "u_rivers": rivers or self._no_rivers,
        }
        numbers: dict[str, float | tuple[float, float]] = {
            "u_has": (float(lakes is not None), float(rivers is not None)),
            "u_sea_m": sea_m,
            "u_reach_m": reach_m(group),
            "u_deep_m": deep_m(group),
            "u_stride": stride,
            "u_river_level": float(np.log2(self._finer)),
        }
        self._grids.run("draw/water/water_mask.frag", self._near, textures, numbers)

    def _stand_ins(self, size: tuple[int, int]) -> tuple[moderngl.Texture, moderngl.Texture]:
        """Return what takes the place of lakes and rivers of a land of `size` until they are there."""
        columns, rows = size
        self._finer = min(max(self._most // max(rows, columns), 1), _FINER)
        lakes = self._grids.upload(stand_ins.values(NOWHERE_M, size))
        lakes.filter = (moderngl.LINEAR, moderngl.LINEAR)
        return lakes, stand_ins.empty(self._context, (columns * self._finer, rows * self._finer))

    def _forget(self, size: tuple[int, int]) -> None:
        self._grids.release()
        self._rivers.forget()
        for texture in (self._near, self._no_rivers):
            if texture is not None:
                texture.release()
        self._no_lakes, self._no_rivers = self._stand_ins(size)
        self._surface = self._levels = self._near = None
        self._made, self._size = {}, size

    def _changed(
        self, what: str, field: HeightField, group: Water, masks: Mapping[str, Heights], names: frozenset[str]
    ) -> bool:
        """Return whether the masks `names` are there, and are not those that `what` was made from."""
        if not names <= set(masks):
            return False
        # masks that come from elsewhere come with a field of their own, those made here with each change of the water
        key = (field.masks, group.for_masks(names) if isinstance(masks, Masks) else None)
        made, self._made[what] = self._made.get(what), key
        return made is None or made[0] is not key[0] or made[1] != key[1]

    def _take_lakes(self, heights: moderngl.Texture, masks: Mapping[str, Heights], no_lakes: moderngl.Texture) -> None:
        """Make the texture of levels: a lake's on its cells and on those around, elsewhere that of `no_lakes`."""
        columns, rows = heights.size
        if self._levels is None:
            self._levels = self._grids.texture(rows, columns)
            self._levels.filter = (moderngl.LINEAR, moderngl.LINEAR)
        depth = self._grids.upload(masks["lake_depth"])
        textures = {"u_heights": heights, "u_depth": depth, "u_no_lakes": no_lakes}
        self._grids.run("draw/water/lake_level.frag", self._levels, textures)
        self._lakes_made += 1
        self._lakes_share = float(np.count_nonzero(masks["lake_depth"]) / masks["lake_depth"].size)
        self._grids.give_back(depth)


def reach_m(group: Water) -> float:
    """Return how far over its level water shows on ground, in metres."""
    return _WET_SWASHES * group.swash + _SOFT_M


def deep_m(group: Water) -> float:
    """Return from which depth on nothing is seen of the sea's bed, and no surf, in metres."""
    return max(_UNSEEN_CLARITIES * group.clarity, _SURF_SWASHES * group.swash)


def over_sea(scene: Scene) -> bool:
    """Return whether the sea is seen from above: parallel sight lines come from above where they fall."""
    if scene.camera.is_parallel:
        return scene.camera.pitch < 0
    return scene.camera.y > scene.view.exaggeration * scene.water.sea_level


def _depth_of_rivers(group: Water) -> tuple[float, float]:
    """Return the factor and the power by which a river's depth in metres follows from its width in metres."""
    power = water.DEPTH_POWER / water.WIDTH_POWER
    return water.DEPTH_M / (water.WIDTH_M * group.river_width) ** power, power


def _shore(ground: Ground) -> tuple[float, ...]:
    """Return the display colour of sand and gravel on lakes' and rivers' shores, and how much of it there is."""
    colours, _ = plain_parts(ground)
    return *colours[-1], float(ground.kind == "materials" and ground.palette != "moon")
