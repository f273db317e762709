"""Stones about the camera, which give the land its size: angular rocks, drawn many times where the ground has them.

They stand on lattices fixed to the ground, finer ones for smaller stones, which reach less far, so that their number
is bounded and none moves with the camera. Chance, by a hash of the lattice's cell, says where one stands; the vertex
shader leaves out those on ground too steep for stones to rest on, gathers them under walls and makes them fewer where
the ground is level.
"""

from __future__ import annotations

import math

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame
from fellview.draw.light.lighting import LitPrograms
from fellview.gpu import bindings, programs
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.groups.camera import Camera
from fellview.view import projection

# spacing of the lattice and reach in m, smallest and largest stone in m
_RINGS = ((1.1, 24.0, 0.1, 0.3), (2.8, 70.0, 0.25, 0.9), (9.5, 360.0, 0.9, 3.6), (26.0, 1200.0, 2.4, 10.0))
_LIKELIEST = 0.6  # the share of a lattice's cells that has a stone where there are most
_ALONE = 0.12  # of the mean, stones that stand outside clusters
_CLUSTER_CELLS = 5  # cells of the lattice a side of a cluster: some are crowded, others empty
_LOOKS_DOWN = 0.5  # how level its direction is at most, as a cosine, of an eye that may see stones all around
_BEHIND_M = 3.0  # a stone as far behind the eye may still reach into the picture

_SHADOW, _CONTACT = "#define SHADOW\n", "#define CONTACT\n"
SHAPES = 3
"""Rocks that are drawn, each turned and squashed in its own way every time."""

_DRAFT_PX = 32.0  # of the picture that stones of a draft are wide at least: as many as a frame has a few ms for

_OVER_THE_GROUND = (-2.0, -4.0)  # of depth, for shadows: the land has fewer triangles than they know of

MOST = sum((2 * int(reach / spacing) + 3) ** 2 for spacing, reach, _, _ in _RINGS)
"""Stones that there can be at one time: the cells of all lattices."""


def rock(shape: int = 0) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    """Return an angular rock about the origin: vertices (n, 3) at 0.5 to 1.1 from it, and triangles, clockwise outside.

    It is an icosahedron with its faces cut in four, flattened by planes that are the same on every machine: those of
    each `shape`, 0 to `SHAPES` - 1, are others, and the later ones fewer and deeper.
    """
    golden = (1 + 5**0.5) / 2
    corners = [(0, a, b * golden) for a in (-1, 1) for b in (-1, 1)]
    vertices = [np.roll(corner, turn) / np.hypot(1, golden) for turn in range(3) for corner in corners]
    points = np.array(vertices)
    near = np.linalg.norm(points[:, None] - points[None], axis=2)
    edge = near[near > 0].min() * 1.01
    faces = [
        (a, b, c)
        for a in range(12)
        for b in range(a + 1, 12)
        for c in range(b + 1, 12)
        if max(near[a, b], near[b, c], near[a, c]) < edge
    ]
    middles: dict[tuple[int, int], int] = {}

    def middle(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in middles:
            between = vertices[a] + vertices[b]
            vertices.append(between / np.linalg.norm(between))
            middles[key] = len(vertices) - 1
        return middles[key]

    cut = []
    for a, b, c in faces:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        cut += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    points = np.array(vertices)
    generator = np.random.default_rng(4 + shape)
    count = 9 - 2 * shape
    planes = generator.standard_normal((count, 3))
    planes /= np.linalg.norm(planes, axis=1)[:, None]
    away = generator.uniform(0.62 - 0.05 * shape, 0.9, count)
    reach = np.min(np.where(points @ planes.T > 0.05, away / np.maximum(points @ planes.T, 0.05), 2.0), axis=1)
    points = points * np.minimum(reach, 1.1)[:, None]
    triangles = np.array(cut)
    outward = np.einsum(
        "ij,ij->i",
        np.cross(points[triangles[:, 1]] - points[triangles[:, 0]], points[triangles[:, 2]] - points[triangles[:, 0]]),
        points[triangles].mean(axis=1),
    )
    triangles[outward < 0] = triangles[outward < 0][:, ::-1]
    return points.astype(np.float32), triangles.astype(np.uint16)


def _mixed(*numbers: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return the hash of noise/hash.py, for arrays: that one is compiled, and a process that draws compiles nothing."""
    h = np.zeros(np.broadcast(*numbers).shape, np.uint32)
    for number in numbers:
        h = h ^ number.astype(np.uint32)
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1)):
            h = (h ^ (h >> np.uint32(shift))) * np.uint32(factor)
    return h


def _unit(h: NDArray[np.uint32]) -> NDArray[np.float64]:
    return (h >> np.uint32(8)).astype(np.float64) * 2.0**-24


def scattered(
    camera: Camera, aspect: float, land_m: tuple[float, float], share: float, seen_m: float = math.inf
) -> NDArray[np.float32]:
    """Return the stones that may be in view, (stones, 8): x, z, size and reach in metres, and four chances.

    `land_m` is the land's extent (x, z), and `share` how many of the most stones there are, 0 to 1. A stone reaches as
    far as its ring, and no farther than `seen_m` for each metre of its size.
    """
    found = []
    eye = np.array([camera.x, camera.z])
    half_across = np.tan(np.radians(camera.field_of_view) / 2) * np.hypot(aspect, 1.0)
    forward = projection.forward(camera)
    level = float(np.hypot(forward[0], forward[2]))
    ahead = np.array([forward[0], forward[2]]) / max(level, 1e-6)

    def in_view(x: NDArray[np.float64], z: NDArray[np.float64], beside_m: float = 0.0) -> NDArray[np.bool_]:
        """Return whether what is up to `beside_m` from there may be seen; looking down, all around may."""
        if level <= _LOOKS_DOWN:
            return np.ones(np.broadcast(x, z).shape, bool)
        along, across = x * ahead[0] + z * ahead[1], np.abs(x * ahead[1] - z * ahead[0])
        beside_m += _BEHIND_M
        seen: NDArray[np.bool_] = across - beside_m < (along + beside_m) * half_across / level
        return seen

    for ring, (spacing, ring_reach, smallest, largest) in enumerate(_RINGS):
        within = min(ring_reach, largest * seen_m)
        first = np.floor((eye - within) / spacing).astype(int)
        cells = first[:, None] + np.arange(2 * int(within / spacing) + 3)
        # a stone lies within its cell: most of those are told out of view before any chance is worked out
        to_x, to_z = (cells + 0.5) * spacing - eye[:, None]
        near = to_x**2 + to_z[:, None] ** 2 < (within + spacing) ** 2
        near &= in_view(to_x, to_z[:, None], spacing)
        row, column = np.nonzero(near)
        x, z = cells[0][column], cells[1][row]
        h = _mixed(np.full_like(x, ring + 1), x, z)
        chances = _unit(_mixed(h.astype(np.int64), np.arange(8)[:, None]))
        crowd = _unit(_mixed(np.full_like(x, ring + 11), x // _CLUSTER_CELLS, z // _CLUSTER_CELLS))
        places = np.stack([(x + chances[0]) * spacing, (z + chances[1]) * spacing], axis=1)
        size = smallest * (largest / smallest) ** (chances[3] ** 2)  # few are large
        reach = np.minimum(ring_reach, size * seen_m)
        offset = places - eye
        stands = chances[2] < _LIKELIEST * share * (_ALONE + 3 * crowd**3)
        stands &= np.hypot(*offset.T) < reach
        stands &= (places > 0).all(axis=1) & (places < land_m).all(axis=1)
        stands &= in_view(*offset.T)
        found.append(np.stack([*places.T, size, reach, *chances[4:]], axis=1)[stands])
    return np.concatenate(found).astype(np.float32)


def _pixels_a_metre(frame: Frame) -> float:
    """Return how many pixels of the picture that is seen in the end a metre has that is a metre away."""
    return frame.seen_size[1] / (2 * math.tan(math.radians(frame.scene.camera.field_of_view) / 2))


class BoulderPass(DrawPass):
    """Draws the stones of a scene on the height map."""

    name = "boulders"

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        super().__init__(context, look)
        self._programs = LitPrograms(context, look, "draw/ground/boulder.vert", "draw/ground/boulder.frag")
        self._rocks: dict[int, tuple[moderngl.Buffer, ...]] = {}
        self._instances = [context.buffer(reserve=32, dynamic=True) for _ in range(SHAPES)]
        self._arrays: dict[tuple[int, int], moderngl.VertexArray] = {}
        self.darkens = True
        """Whether stones take light from the ground about them."""
        self.waits = False
        """Whether stones come when the picture rests."""
        self._scattered_for: tuple[object, ...] = ()
        self._counts: list[int] = []  # of the instances of each shape

    def wanted(self, frame: Frame) -> bool:
        """Return whether land was drawn that stones may lie on, and there is time for them."""
        return (frame.drawn is not None or bool(frame.begun)) and (frame.options.resting or not self.waits)

    def draw(self, frame: Frame) -> None:
        """Draw what the ground's cover wants of stones, over the land that was drawn before.

        Their shadows, where they have any, take light from that land. They lie about an eye, which orthographic views
        have not: there are none in these.
        """
        scene, height_map, lighting, cover = frame.scene, frame.height_map, frame.lighting, frame.cover
        camera, exaggeration, field = scene.camera, scene.view.exaggeration, height_map.field
        shadows = scene.sun.shadows and scene.sun.elevation > 0
        if not cover.boulders or field is None or height_map.heights is None or height_map.normals is None:
            return
        farthest = max(reach for _, reach, _, _ in _RINGS)
        if camera.is_parallel or camera.y - exaggeration * field.height_range[1] > farthest:
            return  # or too high over everything
        width, height = frame.size
        land_m = (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]
        seen_m = _pixels_a_metre(frame) / _DRAFT_PX if frame.of is not None else math.inf
        self._scatter(camera, width / height, land_m, cover.boulders, seen_m)
        if not any(self._counts):
            return
        self._context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._context.front_face = "cw"
        darkening = (_CONTACT, _SHADOW) if shadows else (_CONTACT,)
        for defines in (*darkening, "") if self.darkens and not lighting.surface else ("",):
            program = self._programs.of(lighting, defines)
            bindings.use(
                program,
                {
                    "u_heights": height_map.heights,
                    "u_normals": height_map.normals,
                    "u_surface": lighting.water.surface if lighting.water else height_map.heights,
                },
            )
            cover.bind(program)
            cell_m = field.cell_size[1], field.cell_size[0]
            numbers = {"u_cell_m": cell_m, "u_exaggeration": exaggeration, "u_level_bias": math.log2(frame.scale)}
            bindings.write(program, numbers)
            programs.write(program, "u_view_projection", frame.view_projection)
            arrays = [(self._array(program, shape), count) for shape, count in enumerate(self._counts) if count]
            if defines:
                self._multiply(arrays)
            else:
                if frame.of is not None:  # it may have the depth of the draft before, stones and all
                    self._context.depth_func = "<="
                for array, count in arrays:
                    array.render(moderngl.TRIANGLES, instances=count)
                self._context.depth_func = "<"

    def _scatter(self, camera: Camera, aspect: float, land_m: tuple[float, float], share: float, seen_m: float) -> None:
        """Bring the stones of each shape into their buffer, where they are not those of the frame before."""
        wanted = camera, aspect, land_m, share, seen_m
        if wanted == self._scattered_for:
            return
        self._scattered_for = wanted
        stones = scattered(*wanted)
        kinds = np.minimum((stones[:, 7] * 97.0 % 1.0 * SHAPES).astype(int), SHAPES - 1)
        self._counts = []
        for shape, instances in enumerate(self._instances):
            data = stones[kinds == shape].tobytes()
            instances.orphan(max(len(data), instances.size))
            instances.write(data)
            self._counts.append(len(data) // (4 * stones.shape[1]))

    def _multiply(self, arrays: list[tuple[moderngl.VertexArray, int]]) -> None:
        """Multiply the picture by what is left of its light; a stone is convex, so that none of it counts twice."""
        context = self._context
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.DST_COLOR, moderngl.ZERO
        context.polygon_offset = _OVER_THE_GROUND
        context.fbo.depth_mask = False  # flat stones stand no higher than this is drawn, and would hide in it
        try:
            for array, count in arrays:
                array.render(moderngl.TRIANGLES, instances=count)
        finally:
            context.fbo.depth_mask = True
            context.polygon_offset = (0.0, 0.0)
            context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA  # moderngl's own, which others expect
            context.disable(moderngl.BLEND)

    def _array(self, program: moderngl.Program, shape: int) -> moderngl.VertexArray:
        if (program.glo, shape) not in self._arrays:
            if shape not in self._rocks:
                self._rocks[shape] = tuple(self._context.buffer(part.tobytes()) for part in rock(shape))
            vertices, indices = self._rocks[shape]
            content = [(vertices, "3f", "in_rock"), (self._instances[shape], "4f 4f/i", "in_stone", "in_chances")]
            self._arrays[program.glo, shape] = self._context.vertex_array(
                program, content, index_buffer=indices, index_element_size=2
            )
        return self._arrays[program.glo, shape]
