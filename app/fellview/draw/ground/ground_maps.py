"""Maps of what the ground is made of, for other programs: drawn straight from above, without light and without an eye.

Texels stand on the vertices and between them: of a land of n vertices a side, a map with k texels a cell has
k·(n − 1) + 1 a side, the first on the first vertex and the last on the last. Where they are to lie in the cells it has
k·(n − 1), the first half a texel from the first vertex. What only shows near an eye is left out:
single stones; water is, too. The sky's share is told apart at 1024 places a side at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw import accumulate
from fellview.draw.ground import demo_texture, palettes
from fellview.draw.ground.cover import Cover, footprint
from fellview.draw.land.height_map import HeightMap
from fellview.draw.light.light_block import GLSL
from fellview.draw.light.light_map import sky_share
from fellview.draw.passes import Passes
from fellview.draw.renderer import LOOK_GROUPS
from fellview.gpu import bindings, formats, programs
from fellview.gpu.passes import GridPasses
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.scene import Scene

MOST_TEXELS = 16
"""Most texels a cell."""
LARGEST_SIDE = 16384
"""Most texels a side: four maps of it are 4 GB."""

_FRAMES = 4  # whose mean is drawn
_SIDE = 1024  # texels of a part that is drawn at once, even, so that quads are the same whatever the part
_SKY_SIDE = 1024
_OUTPUTS = 4
_SKY = "#define SKY_KIND 0\n"  # the shaders of the ground share a file with those of the sky, and any will do
_LEVEL = 255


@dataclass(frozen=True)
class GroundMaps:
    """What the ground is made of, each uint8 with the northernmost row first, `texels` a cell.

    `colour` [row, column, rgb] in display colours (sRGB); `normal` [row, column, xyz] with x to the east, y to the
    north and z up, where 0 to 255 stand for −1 to 1; `sky` [row, column], the share of the sky that is seen; `weights`
    [row, column, layer] of the `layers`, by name: how much each covers, 255 in all.
    """

    texels: int
    colour: NDArray[np.uint8]
    normal: NDArray[np.uint8]
    sky: NDArray[np.uint8]
    weights: NDArray[np.uint8]
    layers: tuple[str, ...]


def shape(rows: int, columns: int, texels: int, in_cells: bool = False) -> tuple[int, int]:
    """Return rows and columns of a map of so many rows and columns of vertices; `InputError` where it is too large."""
    if not 1 <= texels <= MOST_TEXELS:
        raise InputError(f"texels = {texels}: expected 1 to {MOST_TEXELS} a cell")
    high, wide = (texels * (vertices - 1) + (not in_cells) for vertices in (rows, columns))
    if max(high, wide) > LARGEST_SIDE:
        raise InputError(
            f"texels = {texels}: maps of {rows} × {columns} vertices would be {wide} × {high} texels; expected at most"
            f" {LARGEST_SIDE} a side"
        )
    return high, wide


def layers(scene: Scene) -> tuple[str, ...]:
    """Return the names of what the ground of `scene` is made of: the part that it plays, and its material."""
    if scene.ground.kind != "materials":
        return ("texture", "bare")
    parts = palettes.chosen(scene.ground).parts
    return tuple(f"{part}_{each.material}" for part, each in zip(palettes.PARTS, parts, strict=True))


class GroundMapper:
    """Draws maps in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._look = UniformBlock("Look", LOOK_GROUPS)
        self._height_map = HeightMap(context)
        self._cover = Cover(context)
        self._grids = GridPasses(context)

    @property
    def notices(self) -> list[str]:
        """What could not be drawn as asked, in lines."""
        return self._cover.notices + formats.of(self._context).take_notices()

    def passes(self, scene: Scene, field: HeightField, texels: int, in_cells: bool = False) -> Passes[GroundMaps]:
        """Draw the maps of `field` under the ground of `scene` part by part, and return them.

        `InputError` where they would be too large.
        """
        rows, columns = shape(field.rows, field.columns, texels, in_cells)
        # as it is, whatever the picture shows of it
        view = scene.view.replace(mode="textured", contours=False, exaggeration=1.0)
        scene = scene.with_group(view)
        context, height_map = self._context, self._height_map
        height_map.upload(field)
        yield
        assert height_map.heights is not None and height_map.normals is not None
        sky = yield from sky_share(self._grids, height_map.heights, field.cell_size, _SKY_SIDE)
        yield
        buffer = self._look.buffer(context)
        buffer.write(self._look.packed(scene.groups()))
        self._cover.prepare(scene, height_map)
        program = programs.program(
            context,
            "gpu/full_screen.vert",
            "draw/ground/ground_maps.frag",
            [_SKY + self._cover.defines, self._look.glsl, GLSL],
        )
        full_screen = context.vertex_array(program, [])
        light = context.buffer(reserve=_block_bytes(program, "Light"))  # that no map reads
        textures = {"u_heights": height_map.heights, "u_normals": height_map.normals, "u_sky_share": sky}
        if bindings.reads(program, "u_ground"):
            textures["u_ground"] = demo_texture.load(context)
        names = layers(scene)
        done = GroundMaps(
            texels,
            np.empty((rows, columns, 3), np.uint8),
            np.empty((rows, columns, 3), np.uint8),
            np.empty((rows, columns), np.uint8),
            np.empty((rows, columns, len(names)), np.uint8),
            names,
        )
        outputs = [self._grids.texture(_SIDE, _SIDE, 4) for _ in range(_OUTPUTS)]
        moved = accumulate.offsets(_FRAMES, 1) + 0.5 * in_cells
        for south, west in _parts(rows, columns):
            high, wide = min(_SIDE, rows - south), min(_SIDE, columns - west)
            total = [np.zeros((high, wide, 4), np.float32) for _ in outputs]
            for number in range(_FRAMES):
                self._cover.prepare(scene, height_map, number=number, frames=_FRAMES)
                self._look.bind(buffer)
                light.bind_to_uniform_block(bindings.block("Light"))
                self._grids.target(outputs)
                context.viewport = (0, 0, wide, high)
                self._cover.bind(program)
                bindings.use(program, textures)
                first = (np.array([west, south]) + moved[number]) / texels
                numbers = {
                    "u_cell_m": field.cell_size[::-1],
                    "u_first": tuple(first.tolist()),
                    "u_step": 1 / texels,
                    # no chance in seams, which would show where parts meet
                    "u_footprint": (*footprint(number, _FRAMES)[:3], 0.0),
                }
                bindings.write(program, numbers)
                full_screen.render(moderngl.TRIANGLES, vertices=3)
                for sum_, output in zip(total, outputs, strict=True):
                    sum_ += self._grids.read_part(output, 0, 0, high, wide)
                yield
            _put(done, south, west, [sum_ / np.float32(_FRAMES) for sum_ in total])
        self._grids.give_back(sky, *outputs)
        for thing in (program, full_screen, buffer, light):
            thing.release()
        return done


def pass_count(field: HeightField, texels: int, in_cells: bool = False) -> int:
    """Return in how many passes maps of `field` are drawn."""
    return 2 + _FRAMES * len(_parts(*shape(field.rows, field.columns, texels, in_cells)))


def _parts(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the first row, from the south, and the first column of the parts that a map is drawn in."""
    return [(south, west) for south in range(0, rows, _SIDE) for west in range(0, columns, _SIDE)]


def _block_bytes(program: moderngl.Program, name: str) -> int:
    block = program.get(name, None)
    return int(block.size) if isinstance(block, moderngl.UniformBlock) else 16


def _put(done: GroundMaps, row: int, column: int, drawn: list[NDArray[np.float32]]) -> None:
    """Put what was `drawn` of the part that begins at [row, column] from the south into its place."""
    rows = len(done.sky)
    colour, normal, *weights = drawn
    high, wide = colour.shape[:2]
    east_north_up = normal[..., [0, 2, 1]]
    length = np.linalg.norm(east_north_up, axis=-1, keepdims=True)
    layered = np.concatenate(weights, axis=-1)[..., : len(done.layers)]
    for whole, part in (
        (done.colour, np.rint(_LEVEL * np.clip(colour[..., :3], 0, 1))),
        (done.normal, np.rint(0.5 * _LEVEL * (1 + east_north_up / np.maximum(length, 1e-6)))),
        (done.sky, np.rint(_LEVEL * np.clip(colour[..., 3], 0, 1))),
        (done.weights, whole_levels(layered)),
    ):
        # rows of maps go from north to south
        whole[rows - row - high : rows - row, column : column + wide] = part[::-1]


def whole_levels(weights: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return `weights` [..., layer] as levels that add up to 255 everywhere, each less than 1 off its share.

    What is lost by rounding down goes to the layers that lose most: the method of the largest remainder.
    """
    shares = np.maximum(weights.astype(np.float64), 0)
    total = shares.sum(axis=-1, keepdims=True)
    shares = np.where(total > 0, shares / np.where(total > 0, total, 1), 1 / weights.shape[-1]) * _LEVEL
    levels = np.floor(shares)
    missing = np.rint(_LEVEL - levels.sum(axis=-1, keepdims=True))
    rank = np.argsort(np.argsort(levels - shares, axis=-1, kind="stable"), axis=-1, kind="stable")
    return (levels + (rank < missing)).astype(np.uint8)
