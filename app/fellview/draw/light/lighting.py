"""Everything that decides the light of one frame, worked out once and handed to all passes: the block `Light`.

Passes that draw into the picture take their programs from `LitPrograms` and their light from
draw/light/diffuse_light.glsl and draw/sky/air.glsl, whatever they draw: land, sky, water.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw import stopwatch
from fellview.draw.land.height_map import HeightMap
from fellview.draw.light import light_block
from fellview.draw.light.incident_light import gathered, ground_light, lit_from
from fellview.draw.light.light_map import DARK, LEAST_SKY_SIDE, GroundLight, LightMap, asked_for
from fellview.draw.overlay import view_modes
from fellview.draw.passes import whole
from fellview.draw.sky import atmosphere, cloud_pattern
from fellview.draw.sky.atmosphere import Atmosphere
from fellview.draw.stage import studio
from fellview.draw.target import Size
from fellview.draw.water.water import WaterMaps, over_sea
from fellview.gpu import bindings, programs
from fellview.gpu.context import is_software
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.groups.sky import Sky
from fellview.scene.scene import Scene
from fellview.view.figure import standing
from fellview.view.projection import light_goes_to

_SOFTWARE_SIDES, _HARDWARE_SIDES = (256, 512), (512, 1024)
"""Most cells a side of a light map: draft and full. All are powers of two: llvmpipe has programs compiled for those and
for others apart, and a first drag of the sun with a map of 192 took 2 s."""

_FULL_MIST_PER_M = 0.02  # extinction at mist 1: 200 m of visibility
_SHALLOWEST_PARALLEL = -20.0  # degrees; where sight lines fall less, hills before the land would hide it
_PLAIN_WIDTHS = 2.0  # widths of the land in which the plain around it keeps a third of its colour
_EYE_OVER_PLAIN = 0.015  # widths of the land: from lower down all of the plain would be a line at the horizon
_CIRRUS_M = 9000.0  # over the plain; see draw/sky/clouds.frag
_CLOUD_THICK = 0.55  # of a patch's width: heaps of fair weather are about half as high as wide
_ABOVE_CLOUDS = 0.25  # of their pattern's tile, over which an eye that rises past their tops comes to see it repeat
_LOWEST_SHADE = np.sin(np.radians(3.0))  # sine of the sun's height from which on shadows lie no farther off


@dataclass(frozen=True)
class Lighting:
    """What a frame's programs are compiled for, and the textures that they read."""

    kind: str
    linear: bool
    light_map: moderngl.Texture
    sky_table: moderngl.Texture
    clouds: moderngl.Texture
    base_m: float | None
    """The drawn height of the slab's base, where there is one."""
    water: WaterMaps | None = None
    map_place: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    """From metres to texture coordinates of the land: factors x, z and offsets x, z."""
    border: bool = False
    """Whether the land passes into what lies around it."""
    outline: moderngl.Texture | None = None
    """How far the slab's shadow reaches on its floor, where it has one."""
    figure: bool = False
    """Whether person and pole keep sun away."""
    clouded: bool = False
    """Whether there are clouds to see."""
    clouds_m: float = 0.0
    """The height of their base, as drawn, or of cirrus where that is all."""
    far_land: moderngl.Texture | None = None
    """The land as water mirrors it, where it does."""
    starry: bool = False
    """Whether there are stars to see through air."""
    round: bool = False
    """Whether the land goes on over the horizon of a world without air."""
    cut: bool = False
    """Whether water ends at the land's sides and is seen through them."""
    surface: bool = False
    """Whether programs draw where things stand, and their normals, instead of their light."""
    ground: GroundLight = DARK
    """What decides which light the ground sends."""
    has_new_shadows: bool = False
    """Whether the land's shadows were cast anew for this frame."""
    before_exposure: bytes = b""
    """What the block `Light` holds, but for exposure: while it stays, so does the light of what is drawn by it."""

    @functools.cached_property
    def textures(self) -> Mapping[str, moderngl.Texture]:
        """The textures by the names that shaders have for them, but those of water."""
        there = {
            "u_light_map": self.light_map,
            "u_sky_table": self.sky_table,
            "u_clouds": self.clouds,
            "u_outline": self.outline,
            "u_far_land": self.far_land,
        }
        return {name: texture for name, texture in there.items() if texture is not None}

    @functools.cached_property
    def defines(self) -> str:
        """The lines in front of a shader that choose the sky, whether colours are light, and what else there is.

        Software OpenGL runs through both sides of every branch for every pixel: what the scene has not got must not be
        in the program.
        """
        kinds = Sky.declaration("kind").options
        there = {
            "LINEAR": self.linear,
            "SLAB": self.base_m is not None,
            "BORDER": self.border,
            "OUTLINE": self.outline is not None,
            "FIGURE": self.figure,
            "WATER": self.water is not None,
            "CLOUDED": self.clouded,
            "CUT": self.cut,
            "ROUND": self.round,
        }
        names = [name for name, is_there in there.items() if is_there] + list(self.water.kinds if self.water else ())
        return f"#define SKY_KIND {kinds.index(self.kind)}\n" + "".join(f"#define {name}\n" for name in names)


def is_linear(scene: Scene) -> bool:
    """Return whether `scene` is drawn as light and mapped to tones, or straight in display colours."""
    plain = scene.sky.kind == "gradient" and scene.air.tone == "none"
    return not plain and view_modes.drawing(scene.view.mode).lit


class LightPass:
    """Works out a frame's light and fills the block `Light`; its maps are so many times `coarser` than a window's."""

    def __init__(self, context: moderngl.Context, coarser: int = 1) -> None:
        self._atmosphere = Atmosphere(context)
        self._context = context
        self._no_clouds = context.texture((1, 1), 4, bytes(4))
        self._clouds: moderngl.Texture | None = None
        sides = _SOFTWARE_SIDES if is_software(context) else _HARDWARE_SIDES
        sky_side = LEAST_SKY_SIDE // coarser
        self._light_map = LightMap(context, sides[1] // coarser, sky_side)
        self._drafts = LightMap(context, sides[0] // coarser, sky_side, finer=self._light_map)
        self._buffer, self._elsewhere = (context.buffer(reserve=4 * light_block.FLOATS, dynamic=True) for _ in range(2))
        self._written = np.zeros(light_block.FLOATS, np.float32)
        self._field: HeightField | None = None
        self._foot_m = 0.0
        self.clear_air = False
        """Whether there is no air and no mist between the eye and the land; clouds keep their shadows."""

    def prepare(
        self,
        scene: Scene,
        height_map: HeightMap,
        *,
        size: Size,
        draft: bool = False,
        small: bool = False,
        water: WaterMaps | None = None,
    ) -> Lighting:
        """Bring tables, shadows and block up to date for `scene`; return what programs need to know.

        `size` is the picture's, by which far figures are as wide as can be seen. A `draft`, while something moves, has
        coarser shadows, unless the fine ones are there; in a `small` one, of fewer pixels than its picture, the sky's
        light does not follow the land, and light follows the sun in every second frame.
        Shadows lie on the surface of `water`, not on its bed.
        """
        base_m = slab_base(scene, height_map.field)
        radius = float(np.radians(scene.sun.diameter) / 2) + (studio.SOFT_RAD if base_m is not None else 0.0)
        linear = is_linear(scene)
        kind = scene.sky.kind if linear else "gradient"
        sun = lit_from(scene, kind, radius)
        surface, version = (water.surface, water.version) if water else (None, 0)
        with stopwatch.part("sky's tables"):
            values = gathered(scene, kind, sun, radius, self._atmosphere, late=small)
        values["plain"][3] = _PLAIN_WIDTHS * max(height_map.field.size) if height_map.field is not None else 1.0
        values["mist"][3] = _FULL_MIST_PER_M * scene.air.mist**2  # squared, so that thin mist has room on a slider
        values["map_place"] = _place(height_map.field)
        foot_m = self._foot(height_map, scene.view.exaggeration)
        cut_m = cut_base(scene, height_map.field)
        values["land"] = np.array([*_sides(height_map.field), foot_m if cut_m is None else cut_m, foot_m])
        if scene.sky.kind != "space":
            self._place_clouds(values, scene, sun, foot_m)
        place = tuple(float(value) for value in values["map_place"])
        outline = None
        clear = base_m is not None or scene.camera.is_parallel  # the air of a studio, and that over a map
        if clear and not self.clear_air:
            values["clouds"][0] = 0.0
        if clear or self.clear_air:
            values["mist"][3] = 0.0
            values["air_mie"][:3] = values["air_rayleigh"][:3] = 0.0
        if base_m is not None and linear:
            studio.lit_by_walls(values, values["sun"][:3] * max(sun[1], 0.0) + values["sky"][0, :3])
        ground = ground_light(scene, values, sun[1]) if linear and kind != "gradient" else DARK
        with stopwatch.part("light map"):
            asked = asked_for(height_map, sun, radius, scene.view.exaggeration, version, ground)
            maps = self._drafts if draft and not self._light_map.is_of(asked) else self._light_map
            lit = scene.sun.shadows, scene.view.exaggeration
            light_map = whole(maps.passes(height_map, sun, radius, *lit, surface, version, ground=ground, rough=small))
        if base_m is not None and height_map.field is not None:
            sea_m = scene.water.sea_level if water and "SEA" in water.kinds else None
            values["sides"][:] = studio.sides_m(height_map.field, base_m, scene.view.exaggeration, sea_m)
            if scene.sun.shadows:
                outline = maps.outline(sun, base_m, _sides(height_map.field), place)
        things = standing(scene, height_map.field, size) if height_map.field is not None else ()
        for number, thing in enumerate(things):
            values["figure"][2 * number] = *thing.foot_m, thing.tall_m
            values["figure"][2 * number + 1, 0] = thing.half_width_m * thing.widened
        figure = bool(things) and scene.sun.shadows and sun[1] > 0
        below_m = _EYE_OVER_PLAIN * max(height_map.field.size) if height_map.field is not None else 1.0
        plain_m = foot_m if scene.camera.is_parallel else min(foot_m, scene.camera.y - below_m)
        values["eye"] = np.array([*light_goes_to(scene.camera, height_map.field)[0], plain_m])
        values["at_eye"][:] = _at_eye(scene)
        self._written = light_block.packed(values)
        self._buffer.write(self._written.tobytes())
        self._buffer.bind_to_uniform_block(
            light_block.BINDING
        )  # another renderer of this context may have bound its own
        border = cut_m is None and scene.view.border > 0 and not goes_on(scene)
        drawn = kind == "physical" or scene.sky.clouds > 0  # the plain has the pattern, too
        if self._clouds is None and drawn:  # it takes a third of a second to make
            self._clouds = cloud_pattern.texture(self._context)
        clouded = kind == "physical" and base_m is None and max(scene.sky.clouds, scene.sky.cirrus) > 0
        cirrus_m = plain_m + _CIRRUS_M * scene.view.exaggeration
        clouds_m = float(values["cloud"][0]) if scene.sky.clouds > 0 else cirrus_m
        return Lighting(
            kind,
            linear,
            light_map,
            self._atmosphere.table,
            self._clouds or self._no_clouds,
            base_m,
            water,
            place,
            border,
            outline,
            figure,
            clouded,
            clouds_m,
            starry=values["night"][3] > 0,
            round=goes_on(scene) and is_round(scene),
            ground=ground,
            has_new_shadows=maps.is_new,
            cut=base_m is not None or (cut_m is not None and not over_sea(scene)),
            before_exposure=self._written[: -values["exposure"].size].tobytes(),  # which stands last
        )

    @property
    def values(self) -> dict[str, NDArray[np.float32]]:
        """What the block `Light` holds as it was written last, float32 (4,) or (count, 4) by name."""
        return light_block.unpacked(self._written)

    @property
    def sky_table(self) -> NDArray[np.float32]:
        """The light of the physical sky, float32 [row, column, rgba], as draw/sky/sky_coordinate.glsl places it."""
        return self._atmosphere.sky_table()

    @contextmanager
    def elsewhere(self, lighting: Lighting) -> Iterator[None]:
        """Let the block `Light` have the `map_place` of `lighting` meanwhile."""
        values = self._written.copy()
        first = light_block.first_float("map_place")
        values[first : first + 4] = lighting.map_place
        self._elsewhere.write(values.tobytes())
        self._elsewhere.bind_to_uniform_block(light_block.BINDING)
        try:
            yield
        finally:
            self._buffer.bind_to_uniform_block(light_block.BINDING)

    def _place_clouds(
        self, values: dict[str, NDArray[np.float64]], scene: Scene, sun: NDArray[np.float64], foot_m: float
    ) -> None:
        """Set what the block `Light` has of clouds."""
        sky = scene.sky
        over_m = scene.view.exaggeration * sky.cloud_height  # they keep to the peaks that they stand by
        shade_m = over_m / max(sun[1], _LOWEST_SHADE) * sun[[0, 2]]
        tile_m = cloud_pattern.PATCHES_A_TILE * 1000 * sky.cloud_size
        drift_m = sky.cloud_drift / 100 * tile_m
        values["clouds"][:] = sky.clouds, 1 / tile_m, *np.mod(shade_m + np.array([drift_m, 0.0]), tile_m)
        thick_m = _CLOUD_THICK * 1000 * sky.cloud_size
        values["cloud"][:] = foot_m + over_m, thick_m, sky.cirrus, drift_m
        camera = scene.camera
        over_tops = (camera.y - foot_m - over_m - thick_m) / (_ABOVE_CLOUDS * tile_m)
        above = 0.0 if camera.is_parallel else min(max(over_tops, 0.0), 1.0)
        values["cloud_eye"][:] = camera.x, camera.y - foot_m, camera.z, above

    def _foot(self, height_map: HeightMap, exaggeration: float) -> float:
        """Return the mean height of the land's border, as drawn: there the plain around it lies."""
        field = height_map.field
        if field is not None and field is not self._field:
            self._field, self._foot_m = field, float(field.border.mean())
        return exaggeration * self._foot_m


class LitPrograms:
    """The programs of one pass, one for each kind of light that was asked for."""

    def __init__(
        self,
        context: moderngl.Context,
        look: UniformBlock,
        vertex: str,
        fragment: str,
        surface: str = "draw/frame/surface.frag",
    ) -> None:
        self._context, self._look, self._vertex = context, look, vertex
        self._fragments = {False: fragment, True: surface}
        self._programs: dict[tuple[str, str], moderngl.Program] = {}
        self._by_text: dict[programs.Stages, moderngl.Program] = {}

    def of(self, lighting: Lighting, defines: str = "") -> moderngl.Program:
        """Return the program for `lighting`, with the blocks and the textures of light bound.

        `defines` are more lines in front of the shader, which choose what else it is compiled for.
        """
        lines, fragment = lighting.defines + defines, self._fragments[lighting.surface]
        key = (fragment, lines)
        if key not in self._programs:
            blocks = [lines, self._look.glsl, light_block.GLSL]
            files = self._vertex, fragment
            self._programs[key] = programs.program(self._context, *files, blocks, shared=self._by_text)
        program = self._programs[key]
        bindings.use(program, lighting.textures)
        if lighting.water is not None:
            lighting.water.bind(program)
        return program


def goes_on(scene: Scene) -> bool:
    """Return whether the land of `scene` goes on beyond its border in the picture; a view for study shows it alone."""
    view = scene.view
    for_study = view.contours or not view_modes.drawing(view.mode).surroundings
    hidden = scene.camera.is_parallel and scene.camera.pitch > _SHALLOWEST_PARALLEL
    return view.surroundings == "land" and view.stage == "landscape" and not (for_study or hidden)


def is_round(scene: Scene) -> bool:
    """Return whether the ground around the land of `scene` bends as the Moon does: no air hides how far it goes.

    Seas are level here and hide it.
    """
    return scene.sky.kind == "space" and not (scene.water.enabled and scene.water.sea)


def slab_base(scene: Scene, field: HeightField | None) -> float | None:
    """Return the drawn height of the base that the land is a slab on, in metres; None in a landscape."""
    if field is None or scene.view.stage != "slab":
        return None
    return _under(scene, field)


def cut_base(scene: Scene, field: HeightField | None) -> float | None:
    """Return the drawn height down to which the land's sides are drawn, in metres; None where they are not.

    A slab has them, and a landscape that parallel sight lines show with nothing around it: without them one would look
    under its near border. There all that is lower is hidden by the sea where one looks down on that.
    """
    if field is None or scene.view.stage == "slab":
        return slab_base(scene, field)
    if not scene.camera.is_parallel or goes_on(scene):
        return None
    if scene.water.enabled and scene.water.sea and over_sea(scene):
        return scene.view.exaggeration * scene.water.sea_level
    return _under(scene, field)


def _under(scene: Scene, field: HeightField) -> float:
    """Return the drawn height in metres that leaves the wanted thickness of rock under the lowest ground."""
    return scene.view.exaggeration * field.height_range[0] - scene.view.thickness / 100 * max(field.size)


def _at_eye(scene: Scene) -> tuple[float, float, float, float]:
    """Return what draw/sky/air.glsl needs of the eye's own height, which would cost every pixel four exponentials."""
    height = scene.camera.y / scene.view.exaggeration  # as true_height() there
    over, falloff = height - scene.air.mist_top, scene.air.mist_falloff
    thinned = float(np.exp(-max(over, 0.0) / falloff))
    below = over if over < 0 else falloff * (1 - thinned)
    density = float(np.exp(-max(height, 0.0) / (1000 * atmosphere.MIE_HEIGHT_KM)))
    return density, below, thinned, falloff - below


def _sides(field: HeightField | None) -> tuple[float, float]:
    """Return the sides of the land as drawn, along x and z in metres: from the first vertex to the last."""
    if field is None:
        return 1.0, 1.0
    return (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]


def _place(field: HeightField | None) -> NDArray[np.float64]:
    """Return factors and offsets from metres (x, z) to texture coordinates; vertex i of n stands at (i + 1/2) / n."""
    if field is None:
        return np.zeros(4)
    z, x = field.size
    return np.array([1 / x, 1 / z, 0.5 / field.columns, 0.5 / field.rows])
