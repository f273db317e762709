// Places the vertices of one 64x64-cell block; the instance says which block. Vertices past the grid's end fall onto it.

const int BLOCK_CELLS = 64;

uniform sampler2D u_heights;
uniform vec2 u_cell_m; // x, z
uniform int u_blocks_x;
uniform mat4 u_view_projection;

out vec3 v_position_world;
out vec2 v_across;

void main() {
    ivec2 size = textureSize(u_heights, 0);
    ivec2 block = ivec2(gl_InstanceID % u_blocks_x, gl_InstanceID / u_blocks_x);
    ivec2 local = ivec2(gl_VertexID % (BLOCK_CELLS + 1), gl_VertexID / (BLOCK_CELLS + 1));
    ivec2 vertex = min(block * BLOCK_CELLS + local, size - 1);

    vec2 ground_m = vec2(vertex) * u_cell_m;
    v_position_world = vec3(ground_m.x, texelFetch(u_heights, vertex, 0).r, ground_m.y);
    v_across = vec2(vertex) / vec2(size);
    gl_Position = u_view_projection * vec4(v_position_world, 1.0);
}
