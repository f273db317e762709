// Places the vertices of one block of 64x64 cells at its level of detail; the instance says which block and level.

uniform sampler2D u_heights;
uniform vec2 u_cell_m; // x, z
uniform float u_exaggeration;
uniform mat4 u_view_projection;

#include "lib/block_surface.glsl"

out vec3 v_position_world;
out vec2 v_across;

invariant gl_Position; // the slab's sides (slab.vert) meet the land's border to the last bit

void main() {
    int stride = 1 << int(in_level);
    int side = BLOCK_CELLS / stride + 1; // vertices
    Surface at = block_surface(ivec2(gl_VertexID % side, gl_VertexID / side), stride);
    vec2 ground_m = at.place * u_cell_m;
    v_position_world = vec3(ground_m.x, u_exaggeration * at.height_m, ground_m.y);
    v_across = at.place / vec2(textureSize(u_heights, 0));
    gl_Position = u_view_projection * vec4(v_position_world, 1.0);
}
