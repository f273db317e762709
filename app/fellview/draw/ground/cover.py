"""What the land is covered with as it is drawn: the demo's texture, materials of a palette, or a map of values.

The terrain pass asks for what its shader is to be compiled for (`prepare`) and has textures and numbers set (`bind`).
Textures of materials are read when they are first drawn; what heights decide is made when heights change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np

from fellview.draw import stopwatch
from fellview.draw.colour import LUMINANCE
from fellview.draw.ground import ground_textures, palettes
from fellview.draw.ground.ground_textures import GroundTextures
from fellview.draw.ground.plain_picture import PlainPicture, PlainScene
from fellview.draw.ground.rock_layers import Colours, RockLayers, tints
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.land_shape import LandShape
from fellview.draw.land.mask_texture import MaskTexture
from fellview.draw.overlay import maps, view_modes
from fellview.draw.overlay.legend import Legend, legend
from fellview.draw.overlay.view_modes import Values, ViewDrawing
from fellview.gpu import bindings
from fellview.gpu import context as gpu_context
from fellview.gpu.uniform_block import rgb
from fellview.scene.groups.ground import MATERIALS, Ground
from fellview.scene.groups.view import View
from fellview.scene.scene import Scene
from fellview.studio import height_difference
from fellview.terrain.erosion.rock import Strata
from fellview.terrain.steps.landform import Landform


@dataclass(frozen=True)
class MaterialLook:
    """How the ground of one material looks beside its texture."""

    roughness: float
    """Over metres: the deviation of slopes."""
    beds: float
    """How much of beds shows, 0 to 1."""
    plain_relief: float
    """The slopes of the relief of plains in it, as a share."""
    wall_relief: float
    """The same of the relief of walls."""
    hollows: float
    """How much darker hollows are, a deviation."""
    stones: float
    """How many stones lie on it, 0 to 1."""
    slabs: float
    """How much of it beds and joints cut into slabs, 0 to 1, where walls are crags."""
    crust: float
    """How much of it swells to crumbs and dries to a crust, 0 to 1, where nothing grows."""
    lying: str
    """Which relief lies on it where it is gentle ground; walls have crags."""


LOOKS: Mapping[str, MaterialLook] = {
    "grass": MaterialLook(0.08, 0.0, 0.7, 0.35, 0.08, 0.3, 0.0, 0.0, "turf"),
    "soil": MaterialLook(0.14, 0.7, 0.7, 0.6, 0.08, 0.7, 0.0, 1.0, "turf"),
    "rock": MaterialLook(0.34, 1.0, 0.9, 1.0, 0.13, 0.0, 1.0, 0.0, "lava"),
    "scree": MaterialLook(0.16, 0.15, 0.7, 0.25, 0.09, 0.0, 0.0, 0.0, "turf"),
    "sand": MaterialLook(0.015, 0.05, 1.0, 0.06, 0.015, 0.5, 0.0, 0.0, "ripples"),
    "snow": MaterialLook(0.04, 0.0, 0.15, 0.2, 0.015, 0.0, 0.0, 0.0, "turf"),
    "basalt": MaterialLook(0.3, 0.6, 0.9, 0.9, 0.12, 0.5, 0.0, 0.0, "lava"),
    "regolith": MaterialLook(0.06, 0.0, 1.0, 0.5, 0.05, 0.6, 0.0, 0.0, "pits"),
}
"""By the material's name."""

STREWN = "stones"
"""The relief of small stones, which lie on every ground."""

_ALL_STREWN = 0.3  # of the most boulders, from which on small stones lie as close as they do anywhere
_NEAR_M = (0.2, 0.45)  # metres that a pixel covers from which small stones begin to go under in it, and are gone
# of a slanting pixel's length, the least that textures are averaged over where they have no anisotropy: in one frame,
# which would glitter, and in one of several, of which so many lie side by side in that
_LEAST_ROUND = 0.7
_SIDE_BY_SIDE = 2.0
_MANY_FRAMES = 16  # from which on frames of one sample fill a pixel closely enough to be read as finely as they lie
_RIPPLES_END_DEG = 22.0  # grains that hop up a steeper slope roll back
_NO_END_DEG = 1000.0
_FIXED_WIND_DEG = 20.0  # where no dunes say whence it blows
_MUCH_CHANGE = 0.4  # of the largest change: what counts as a deposit through and through
_FRESH = 0.62  # of the bare ground's brightness: rock that is cut open has no bleached crust
_HUMUS, _SOIL_HUE, _SOIL_TINT = 0.6, 0.6, (1.08, 0.98, 0.84)  # soil, of its ground: darker, duller, browner
_LEAST_CHANGE_M = 2.0  # and what does anywhere: from a quarter of it on it shows, and less than 0.5 m buries no grass


def wanted_masks(view: View) -> frozenset[str]:
    """Return the masks without which the view mode has nothing to show."""
    return view_modes.drawing(view.mode).masks - {height_difference.MASK}  # which no land has by itself


def useful_masks(ground: Ground, view: View) -> frozenset[str]:
    """Return the masks that materials are better with."""
    if ground.kind != "materials" or not view_modes.drawing(view.mode).materials:
        return frozenset()
    wet = frozenset({"drainage_area"}) if ground.wetness > 0 and palettes.chosen(ground).wet > 0 else frozenset()
    return frozenset({"erosion_depth", "deposition_depth", "scree_depth"}) | wet


def masks(scene: Scene) -> frozenset[str]:
    """Return the masks that drawing `scene` makes use of."""
    return wanted_masks(scene.view) | useful_masks(scene.ground, scene.view)


def textures(scene: Scene) -> str:
    """Return the folder of a person's own textures that drawing `scene` may make use of; empty for none."""
    return scene.ground.textures if scene.ground.kind == "materials" else ""


def bare_defines(drawing: ViewDrawing) -> str:
    """Return the lines in front of the terrain's shader without any cover: the demo's texture, or what needs none."""
    return "" if drawing.reads_cover else _lines(drawing.defines)


def _lines(defines: Iterable[str]) -> str:
    return "".join(f"#define {each}\n" for each in defines)


def wind_degrees(scene: Scene) -> float:
    """Return where the wind blows that ripples lie across: as the last dunes of `scene` have it, from x to z."""
    dunes = [each for each in scene.terrain_groups().values() if isinstance(each, Landform) and each.kind == "dunes"]
    return dunes[-1].rotation if dunes else _FIXED_WIND_DEG


def _lying(relief: str) -> tuple[float, float, float, float]:
    """Return what the shader needs of `relief`: layer, 1/m of it and of its smaller copy, slope that ends it."""
    side_m, smaller_m = ground_textures.RELIEF_M[relief]
    ends = _RIPPLES_END_DEG if relief == "ripples" else _NO_END_DEG
    return float(ground_textures.RELIEFS.index(relief)), 1 / side_m, 1 / smaller_m, ends


def footprint(number: int, frames: int, multisamples: int = 1) -> tuple[float, float, float, float]:
    """Return what textures are averaged over in frame `number` of `frames`; see shaders/draw/ground/footprint.glsl.

    Pixels' centres of `frames` frames fill a pixel: each of them stands for its share of a slanting pixel's length, and
    for its root of a round one's side. Few frames would show noise at that, and multisampled ones lie within half a
    pixel, which is sharp by itself: textures are read half as many levels finer there.
    """
    if frames >= _MANY_FRAMES and multisamples == 1:
        least = side = frames**-0.5
    else:
        least, side = min(_LEAST_ROUND, _SIDE_BY_SIDE / frames), frames**-0.25
    return least, side, float(number), float(frames > 1)


@dataclass(frozen=True)
class OfVertices:
    """A texture with a texel a vertex of the land."""

    texture: moderngl.Texture
    version: int
    """Grows whenever the texture is made anew."""
    has_slopes: bool
    """Whether the third of its values is a curvature and the fourth a slope in degrees."""


@dataclass(frozen=True)
class _Bound:
    defines: str
    textures: dict[str, Any]
    numbers: dict[str, Any]


class Cover:
    """Keeps the textures of the ground and of what heights decide, in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._shape = LandShape(context)
        self._mask = MaskTexture(context)
        self._layers = RockLayers(context)
        self._plain = PlainPicture(context)
        self._colours: moderngl.Texture | None = None
        self._textures: GroundTextures | None = None
        self._folder = ""
        self.leaves_textures = False
        """Whether pictures of a person's own are left out."""
        self._waits = False
        self._bound = _Bound("", {}, {})
        self.cut = _Bound("", {}, {})
        """What a slab's sides are compiled for and read."""
        self.boulders = 0.0
        """How many of the most stones there are to be, 0 to 1."""
        self.legend: Legend | None = None
        """How to read the view that is drawn; none where that is just the ground."""
        self.near_m = 0.0
        """Metres that a pixel covers, up to which the shader wants NEAR defined; 0 where it makes no difference."""
        self.notices: list[str] = []
        """What a person should know, in lines; whoever shows them takes them out."""

    def wait_for_masks(self) -> None:
        """Have no mask computed while drawing from now on: they come with the height field, later.

        Nor is a person's texture read: until they were taken elsewhere, the ground has its own.
        """
        self._shape.waits = self._mask.waits = self._waits = True

    def go_on(self, whether: bool) -> None:
        """Have ground be what it is where the land is drawn on beyond its border, or what it is where that ends."""
        self._shape.goes_on = whether

    @property
    def replaced(self) -> frozenset[str]:
        """The materials whose textures, as they were drawn last, are a person's own."""
        return self._textures.replaced if self._textures is not None else frozenset()

    @property
    def defines(self) -> str:
        """The lines in front of the terrain's shader."""
        return self._bound.defines

    @property
    def of_vertices(self) -> dict[str, OfVertices]:
        """What is bound of textures that go by the land's vertices, by name."""
        kinds = {"u_shape": (self._shape.version, True), "u_layer_places": (self._layers.version, False)}
        textures = self._bound.textures
        return {name: OfVertices(textures[name], *kind) for name, kind in kinds.items() if name in textures}

    def load_textures(self, scene: Scene) -> None:
        """Load the textures of the ground, where `scene` is drawn with some that are not there."""
        if scene.ground.kind == "materials" and view_modes.drawing(scene.view.mode).materials:
            with stopwatch.part("ground's textures"):
                self._ground_textures(scene.ground)

    def prepare(
        self,
        scene: Scene,
        height_map: HeightMap,
        base_m: float | None = None,
        number: int = 0,
        frames: int = 1,
        multisamples: int = 1,
    ) -> None:
        """Get ready what `scene` covers the land of `height_map` with in frame `number` of the `frames` of a mean.

        Each frame has `multisamples`. `base_m` is the drawn height of a slab's base, down to which rock reaches.
        """
        field, view = height_map.field, scene.view
        if field is None:
            return
        drawing = view_modes.drawing(view.mode)
        self.boulders = self.near_m = 0.0
        lowest_m = math.inf if base_m is None else base_m / view.exaggeration
        lines = list(drawing.defines)
        textures: dict[str, Any] = {}
        numbers: dict[str, Any] = {}
        span: maps.Span | None = None
        if view.contours:
            lines.append("CONTOURS")
            numbers["u_contour_m"] = maps.contour_interval(view, field)
        if drawing.square:
            numbers["u_square_m"] = maps.square(field)
        if drawing.layers is not None:
            self._lay(scene, height_map, "map", drawing.layers, lowest_m, lines, textures, numbers)
        if drawing.values is not None:
            self._colours = self._colours or view_modes.colours(self._context)
            shape, span = self._values(view, height_map, drawing.values)
            textures |= {"u_shape": shape, "u_colour_maps": self._colours}
            numbers["u_map"] = view_modes.span_numbers(span)
        if scene.ground.kind == "materials" and drawing.materials:
            lines.append("MATERIALS")
            self.boulders = 0.0 if drawing.wireframe else scene.ground.boulders
            more_textures, more_numbers = self._materials(scene, height_map)
            textures |= more_textures
            numbers |= more_numbers | {"u_footprint": footprint(number, frames, multisamples), "u_near_m": _NEAR_M}
            self.near_m = _NEAR_M[1] if scene.ground.boulders > 0 else 0.0
            self._lay_ground(scene, height_map, lowest_m, lines, textures, numbers)
        if isinstance(scene, PlainScene) and scene.colours is not None:
            textures["u_ground"] = self._plain.texture(scene.colours, field)
        self.legend = legend(view, field, span)
        self._bound = _Bound(_lines(lines), textures, numbers)
        if base_m is not None:
            self._cut_open(scene, height_map, lowest_m)

    def _values(self, view: View, height_map: HeightMap, values: Values) -> tuple[moderngl.Texture, maps.Span]:
        """Return the texture of the `values` that a map shows, and their span."""
        if values.mask:
            texture = self._mask.texture(height_map, values.mask)
            first, last = (-self._mask.reach, self._mask.reach) if values.diverging else self._mask.range
            return texture, view_modes.mask_span(view.mode, first, last)
        assert values.span is not None
        shape = self._shape.texture(height_map, values.masks)
        return shape, values.span(view, height_map, self._shape)

    def _cut_open(self, scene: Scene, height_map: HeightMap, lowest_m: float) -> None:
        """Get ready what a slab's sides show: the layers that the ground has, or what its rock is."""
        lines: list[str] = []
        textures: dict[str, Any] = {}
        numbers: dict[str, Any] = self._cut_colours(scene.ground)
        own = view_modes.drawing(scene.view.mode).layers
        if own is not None:
            self._lay(scene, height_map, "map", own, lowest_m, lines, textures, numbers)
            if lines:
                numbers["u_rock"] = (1.0, 1.0, 1.0)
        else:
            self._lay_ground(scene, height_map, lowest_m, lines, textures, numbers)
        self.cut = _Bound(_lines(lines), textures, numbers)

    def _cut_colours(self, ground: Ground) -> dict[str, Any]:
        """Return the display colours of rock and soil where the land is cut."""
        if ground.kind == "materials":
            palette = palettes.chosen(ground)
            steep, base = (palette.parts[palettes.PARTS.index(name)] for name in ("steep", "base"))
            rock, top = (0.5 * (np.array(rgb(part.colour)) + np.array(rgb(part.other))) for part in (steep, base))
        else:
            rock = top = _FRESH * np.array(rgb(ground.bare_tint))
        soil = _HUMUS * (_SOIL_HUE * top + (1 - _SOIL_HUE) * float(LUMINANCE @ top)) * np.array(_SOIL_TINT)
        return {"u_rock": tuple(float(part) for part in rock), "u_soil": tuple(float(part) for part in soil)}

    def bind(self, program: moderngl.Program) -> None:
        """Set textures and numbers of `program`, which was compiled for `defines`."""
        self._set(program, self._bound)

    def bind_cut(self, program: moderngl.Program) -> None:
        """Set textures and numbers of `program`, which was compiled for `cut.defines`."""
        self._set(program, self.cut)

    @staticmethod
    def _set(program: moderngl.Program, bound: _Bound) -> None:
        bindings.use(program, bound.textures)
        bindings.write(program, bound.numbers)

    def _lay(
        self,
        scene: Scene,
        height_map: HeightMap,
        kind: object,
        colours: Callable[[Strata], Colours],
        lowest_m: float,
        lines: list[str],
        textures: dict[str, Any],
        numbers: dict[str, Any],
    ) -> None:
        """Add what the shader needs for layers of rock in `colours`, where rock is on."""
        found = self._layers.textures(scene, height_map, kind, colours, lowest_m)
        if found is not None:
            lines.append("LAYERS")
            textures |= found[0]
            numbers |= found[1]

    def _lay_ground(
        self,
        scene: Scene,
        height_map: HeightMap,
        lowest_m: float,
        lines: list[str],
        textures: dict[str, Any],
        numbers: dict[str, Any],
    ) -> None:
        """Do the same for layers in the colours of the ground."""
        palette, ground = palettes.chosen(scene.ground), scene.ground
        self._lay(
            scene,
            height_map,
            (palette.beds, ground.strata, ground.bed_height),
            lambda pile: tints(pile, palette.beds, ground.strata, ground.bed_height),
            lowest_m,
            lines,
            textures,
            numbers,
        )

    def _materials(self, scene: Scene, height_map: HeightMap) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return textures and uniforms by name."""
        ground, view = scene.ground, scene.view
        kept = self._ground_textures(ground)
        palette = palettes.chosen(ground)
        layers = [MATERIALS.index(part.material) for part in palette.parts]
        theirs = [part.material in kept.replaced for part in palette.parts]
        means = [tuple(float(value) for value in kept.means[layer]) for layer in layers]
        shape = self._shape.texture(height_map, useful_masks(ground, view))
        textures = {
            "u_shape": shape,
            "u_patches": kept.patches,
            "u_materials": kept.materials,
            "u_reliefs": kept.reliefs,
        }
        wind = math.radians(wind_degrees(scene))
        stones = ground_textures.RELIEFS.index(STREWN)
        looks = [LOOKS[part.material] for part in palette.parts]
        strewn = min(1.0, ground.boulders / _ALL_STREWN)
        numbers: dict[str, Any] = {
            "u_slopes_from": float(len(MATERIALS)),
            # a person's own picture keeps its own colours
            "u_colours": [m if own else rgb(p.colour) for p, m, own in zip(palette.parts, means, theirs, strict=True)],
            "u_others": [m if own else rgb(p.other) for p, m, own in zip(palette.parts, means, theirs, strict=True)],
            "u_evens": [tuple(1 / max(value, 1 / 255) for value in mean) for mean in means],
            "u_parts": [
                (float(layer), 1 / ground_textures.TILE_M[layer], look.roughness, look.beds)
                for look, layer in zip(looks, layers, strict=True)
            ],
            "u_lying": [
                _lying(looks[0].lying),
                _lying(palette.slopes or palette.walls),
                _lying(palette.walls),
            ],
            "u_standing": [(look.plain_relief, look.wall_relief, look.hollows, strewn * look.stones) for look in looks],
            "u_strewn": (*_lying(STREWN)[:3], kept.deviations[stones]),
            "u_ripples_wind": (math.cos(wind), math.sin(wind)),
            "u_round": float(kept.anisotropy <= 1),
            "u_beds": list(palette.beds),
            "u_wet": palette.wet,
            "u_plants": [rgb(each) for each in palette.plants or (palette.parts[0].colour,) * 4],
            "u_grown": [
                float(bool(palette.plants) and part.material == "grass" and not own)
                for part, own in zip(palette.parts, theirs, strict=True)
            ],
            "u_jointed": [look.slabs * (palette.walls == "crags") for look in looks],
            "u_snowed": [float(part.material == "snow") for part in palette.parts],
            "u_crusted": [look.crust * (not palette.plants) for look in looks],
            "u_bared": palette.bared,
            "u_change_m": max(_MUCH_CHANGE * self._shape.largest_change_m, _LEAST_CHANGE_M),
        }
        return textures, numbers

    def _ground_textures(self, ground: Ground) -> GroundTextures:
        """Return the textures, a person's own that `ground` names among them."""
        folder = "" if self.leaves_textures else ground.textures
        if self._waits and not ground_textures.is_taken(folder):
            folder = ""
        if self._textures is not None and folder == self._folder:
            return self._textures
        # the processor pays for every sample of a texture, and anisotropy takes several
        software = gpu_context.is_software(self._context)
        anisotropy = 1.0 if software else min(ground_textures.ANISOTROPY, self._context.max_anisotropy)
        made = ground_textures.load(self._context, folder, anisotropy)
        self.notices += made.notices
        if not software and anisotropy <= 1:
            self.notices.append("This OpenGL has no anisotropic filtering; slanting ground is drawn softer")
        if self._textures is not None:
            self._textures.release()
        self._textures, self._folder = made, folder
        return made
