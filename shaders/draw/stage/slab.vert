// What:   the slab's sides: under each vertex of a block on the land's border, one at the slab's base. The land's
//         border is placed by the land's own arithmetic, so that no gap opens at any level of detail.

const int LEAST_X = 0, GREATEST_X = 1, LEAST_Z = 2;

uniform sampler2D u_heights;
uniform vec2 u_cell_m; // x, z
uniform float u_exaggeration;
uniform float u_base_m; // as drawn
uniform mat4 u_view_projection;

#include "draw/land/block_surface.glsl"

in float in_side;

out vec3 v_position_world;
out float v_top_m; // of the land over it, as drawn
out vec2 v_on_texels; // where the vertices around stand in textures of the grid
flat out vec3 v_normal;

invariant gl_Position;

void main() {
    int stride = 1 << int(in_level);
    int last = BLOCK_CELLS / stride;
    int along = gl_VertexID / 2; // pairs: of the land, of the base
    int side = int(in_side);
    ivec2 number = side == LEAST_X ? ivec2(0, along)
        : side == GREATEST_X       ? ivec2(last, along)
        : side == LEAST_Z          ? ivec2(along, 0)
                                   : ivec2(along, last);
    Surface at = block_surface(number, stride);
    vec2 ground_m = at.place * u_cell_m;
    v_on_texels = (at.place + 0.5) / vec2(textureSize(u_heights, 0));
    v_top_m = u_exaggeration * at.height_m;
    v_position_world = vec3(ground_m.x, gl_VertexID % 2 == 0 ? v_top_m : min(u_base_m, v_top_m), ground_m.y);
    v_normal = side == LEAST_X ? vec3(-1.0, 0.0, 0.0)
        : side == GREATEST_X   ? vec3(1.0, 0.0, 0.0)
        : side == LEAST_Z      ? vec3(0.0, 0.0, -1.0)
                               : vec3(0.0, 0.0, 1.0);
    gl_Position = u_view_projection * vec4(v_position_world, 1.0);
}
