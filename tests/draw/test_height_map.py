"""The land on the GPU against the land in numpy: normals, and the triangles that are drawn."""

import functools

import moderngl
import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.terrain import Ground, GroundView, TerrainPass
from fellview.draw.light.lighting import LightPass
from fellview.draw.overlay import view_modes
from fellview.draw.passes import whole
from fellview.draw.target import Target
from fellview.gpu.uniform_block import UniformBlock
from fellview.mesh import triangle_list
from fellview.scene.scene import Scene
from tests.drawn_land import corners_drawn, every_cell

# less than a block, exactly one, one cell more, several with a rest, a thin strip either way
SHAPES = ((2, 2), (3, 200), (200, 3), (64, 65), (65, 65), (66, 129), (130, 67))
CELL_SIZE = (1.5, 0.75)  # along z and x
TRIANGLES_A_BLOCK = 2 * BLOCK_CELLS**2
SCENE = Scene().replace({"view.mode": "normals"})
light_of = functools.cache(LightPass)
SKY = (1.0, 0.0, 1.0)  # no upward normal has this colour


@pytest.fixture(scope="module")
def look(context):
    """The look's block with every group of a scene in it, whichever of them the shaders use."""
    groups = SCENE.groups()
    block = UniformBlock("Look", [type(group) for group in groups.values()])
    buffer = block.buffer(context)
    buffer.write(block.packed(groups))
    yield block
    buffer.release()


@pytest.fixture(scope="module")
def terrain(context, look):
    return TerrainPass(context, look)


@pytest.fixture
def height_map(context):
    one = HeightMap(context)
    yield one
    one.release()


def rough(rows, columns, height_m=0.5):
    heights = np.random.default_rng(rows * 1000 + columns).uniform(-height_m, height_m, (rows, columns))
    return HeightField(heights.astype(np.float32), CELL_SIZE)


def normals_xz(height_map):
    rows, columns = height_map.field.heights.shape
    return np.frombuffer(height_map.normals.read(), np.float32).reshape(rows, columns, 2)


def from_above(field, mirrored=False):
    """Return the matrix of a map of the whole land, for row vectors: x to the right, z up the screen, no perspective.

    Mirrored, x runs to the left, and the land is seen as from below.
    """
    wide, deep = (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]
    tall = 2 * np.abs(field.heights).max()
    matrix = np.diag([2 / wide, 2 / deep, -1 / tall, 1.0])[:, [0, 1, 2, 3]]
    matrix[1:3] = [[0, 0, -1 / tall, 0], [0, 2 / deep, 0, 0]]  # y is depth, z is up
    matrix[3] = [-1, -1, 0, 1]
    if mirrored:
        matrix[:, 0] *= -1
    return matrix


def draw(context, terrain, height_map, size, matrix, full=True):
    """Return the picture of the land's normals and the number of triangles that were sent."""
    target = Target(context, size)
    target.drawn.use()
    target.drawn.clear(*SKY, depth=1.0)
    light = light_of(context).prepare(SCENE, height_map, size=size)
    view = GroundView(matrix, view_modes.drawing("normals"), full=full)
    with context.query(primitives=True) as query:
        whole(terrain.begin(Ground(height_map, light), view))
    pixels = target.pixels()
    target.release()
    return pixels, query.primitives


@pytest.mark.parametrize("shape", SHAPES)
def test_normals_are_the_meshs(height_map, shape):
    field = rough(*shape)
    height_map.upload(field)
    np.testing.assert_allclose(normals_xz(height_map), triangle_list.normals(field)[..., [0, 2]], rtol=0, atol=3e-6)


def test_normals_of_cliffs_are_the_meshs(height_map):
    field = rough(33, 47, height_m=1e5)
    height_map.upload(field)
    np.testing.assert_allclose(normals_xz(height_map), triangle_list.normals(field)[..., [0, 2]], rtol=0, atol=3e-6)


def test_another_field_takes_the_place_of_the_first(height_map):
    for field in (rough(5, 7), rough(5, 7, height_m=3.0), rough(7, 5)):
        height_map.upload(field)
        assert height_map.field is field
        held = np.frombuffer(height_map.heights.read(), np.float32).reshape(field.heights.shape)
        np.testing.assert_array_equal(held, field.heights)
        np.testing.assert_allclose(normals_xz(height_map), triangle_list.normals(field)[..., [0, 2]], rtol=0, atol=3e-6)


def test_heights_of_the_same_size_are_written_into_the_same_texture(height_map):
    height_map.upload(rough(5, 7))
    first = height_map.heights
    height_map.upload(rough(5, 7, height_m=2.0))
    assert height_map.heights is first
    height_map.upload(rough(5, 8))
    assert height_map.heights is not first and isinstance(first.mglo, moderngl.InvalidObject)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_triangles_drawn_are_the_meshs_each_once(context, terrain, height_map, shape):
    field = rough(*shape)
    height_map.upload(field)
    _, sent = draw(context, terrain, height_map, (16, 16), from_above(field))
    blocks, rest = divmod(sent, TRIANGLES_A_BLOCK)
    assert rest == 0 and blocks == np.prod([-(-(side - 1) // BLOCK_CELLS) for side in shape]), "no block too many"
    drawn = corners_drawn(context, height_map, every_cell(height_map)).reshape(-1, 3, 5)
    assert len(drawn) == sent
    # vertices past the grid's end fall onto it: those triangles have no area
    one, other = drawn[:, 1] - drawn[:, 0], drawn[:, 2] - drawn[:, 0]
    drawn = drawn[one[:, 0] * other[:, 2] != one[:, 2] * other[:, 0]]
    mesh = triangle_list.build_mesh(field).vertices.reshape(-1, 3, 8)
    drawn, mesh = (triangles[np.lexsort(triangles[..., :3].reshape(-1, 9).T)] for triangles in (drawn, mesh))
    np.testing.assert_array_equal(drawn[..., :3], mesh[..., :3])
    across = mesh[..., 6:] / triangle_list.TEXTURE_REPEATS  # v runs against the rows
    np.testing.assert_allclose(drawn[..., 3], across[..., 0], rtol=0, atol=1e-6)
    np.testing.assert_allclose(1 - drawn[..., 4], across[..., 1], rtol=0, atol=1e-6)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_picture_has_no_hole_and_every_normal_in_its_place(context, terrain, height_map, shape, full):
    field = rough(*shape)
    height_map.upload(field)
    rows, columns = shape
    # two pixels a cell: the odd ones have vertices on their lower left corner
    size = 2 * (columns - 1), 2 * (rows - 1)
    pixels, _ = draw(context, terrain, height_map, size, from_above(field), full)
    seen = pixels[::-1, :, :3].astype(np.float64)  # rows of the land, z upwards
    assert not (seen == 255 * np.array(SKY)).all(axis=-1).any(), "sky shows through the land"
    # a pixel's middle is a quarter of a cell from its vertex
    flat = triangle_list.normals(field)[..., [0, 2]]
    along = 0.75 * flat[:-1] + 0.25 * flat[1:]
    x, z = np.moveaxis(0.75 * along[:, :-1] + 0.25 * along[:, 1:], -1, 0)
    expected = np.stack([x, np.sqrt(1 - x * x - z * z), z], axis=-1)
    np.testing.assert_allclose(seen[::2, ::2], 255 * (0.5 + 0.5 * expected), rtol=0, atol=2)


def test_the_land_is_not_drawn_from_below(context, terrain, height_map):
    field = rough(70, 70)
    height_map.upload(field)
    pixels, sent = draw(context, terrain, height_map, (32, 32), from_above(field, mirrored=True))
    assert sent and (pixels[..., :3] == 255 * np.array(SKY)).all()


def test_nothing_is_drawn_before_there_is_a_land(context, terrain, height_map):
    pixels, sent = draw(context, terrain, height_map, (8, 8), np.eye(4))
    assert sent == 0 and (pixels[..., :3] == 255 * np.array(SKY)).all()


def test_release_gives_the_textures_back(height_map):
    height_map.upload(rough(4, 4))
    textures = height_map.heights, height_map.normals
    height_map.release()
    assert all(isinstance(texture.mglo, moderngl.InvalidObject) for texture in textures)
    height_map.release()  # twice does no harm
