"""What the terrain's vertex shader makes of blocks and levels of detail: its triangles, and the surface they are."""

from __future__ import annotations

import moderngl
import numpy as np

from fellview.draw.land import level_of_detail
from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.land.block_mesh import block_indices
from fellview.gpu import programs

HOLE = np.float32(-1e30)

_HEIGHT_FRAGMENT = """#version 330 core
in vec3 v_position_world;
out float out_height_m;
void main() { out_height_m = v_position_world.y; }
"""


def every_cell(height_map):
    """Return all blocks at level 0."""
    rows, columns = height_map.detail.shape
    return at_levels(height_map, np.zeros((rows, columns)))


def at_levels(height_map, levels):
    """Return all blocks at `levels`, (block rows, block columns), wherever the eye is."""
    rows, columns = height_map.detail.shape
    return level_of_detail._drawn(np.asarray(levels, float), np.ones(rows * columns, bool), np.zeros(rows * columns))


def corners_drawn(context, height_map, drawn):
    """Return the corners of all triangles, float32 (corners, 5): x y z in metres and the place across the grid."""
    text, _ = programs.source("draw/land/terrain.vert")
    program = context.program(vertex_shader=text, varyings=["v_position_world", "v_across"])
    framebuffer = context.framebuffer(context.texture((1, 1), 4))
    framebuffer.use()  # OpenGL wants one, even where no pixel is drawn
    parts = []
    for array, blocks, level in _arrays(context, program, height_map, drawn):
        triangles = blocks * 2 * (BLOCK_CELLS >> level) ** 2
        result = context.buffer(reserve=triangles * 3 * 5 * 4)
        array.transform(result, moderngl.TRIANGLES, instances=blocks)
        parts.append(np.frombuffer(result.read(), np.float32).reshape(-1, 5))
        result.release()
    framebuffer.release()
    program.release()
    return np.concatenate(parts)


def surface(context, height_map, drawn, samples_a_cell):
    """Return the heights of the surface in metres, float32, at the middles of so many parts of a cell along each axis.

    Where nothing is drawn there is `HOLE`.
    """
    rows, columns = height_map.field.heights.shape
    size = samples_a_cell * (columns - 1), samples_a_cell * (rows - 1)
    texture = context.texture(size, 1, dtype="f4")
    framebuffer = context.framebuffer(texture)
    framebuffer.use()
    framebuffer.clear(float(HOLE))
    context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
    text, _ = programs.source("draw/land/terrain.vert")
    program = context.program(vertex_shader=text, fragment_shader=_HEIGHT_FRAGMENT)
    wide, deep = (columns - 1) * height_map.field.cell_size[1], (rows - 1) * height_map.field.cell_size[0]
    matrix = np.array([[2 / wide, 0, 0, 0], [0, 0, 0, 0], [0, 2 / deep, 0, 0], [-1, -1, 0, 1]])
    programs.write(program, "u_view_projection", matrix)
    for array, blocks, _ in _arrays(context, program, height_map, drawn):
        array.render(moderngl.TRIANGLES, instances=blocks)
    heights = np.frombuffer(texture.read(), np.float32).reshape(size[1], size[0])
    for thing in (framebuffer, texture, program):
        thing.release()
    return heights


def _arrays(context, program, height_map, drawn):
    """Yield vertex array, number of blocks and level, with the uniforms set."""
    height_map.heights.use(0)
    program["u_heights"] = 0
    program["u_cell_m"] = (height_map.field.cell_size[1], height_map.field.cell_size[0])
    program["u_exaggeration"] = 1.0
    for level in np.unique(drawn.levels.astype(int)):
        mine = drawn.levels.astype(int) == level
        parts = {
            "in_block": drawn.blocks[mine],
            "in_level": drawn.levels[mine, None],
            "in_border_levels": drawn.border_levels[mine],
        }
        formats = {name: f"{part.shape[1]}f4/i" for name, part in parts.items()}
        indices = context.buffer(block_indices(level).tobytes())
        content = [(context.buffer(np.float32(part).tobytes()), formats[name], name) for name, part in parts.items()]
        array = context.vertex_array(program, content, index_buffer=indices, index_element_size=2)
        yield array, int(mine.sum()), level
        array.release()
        for buffer, *_ in [*content, (indices,)]:
            buffer.release()
