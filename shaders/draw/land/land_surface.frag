// What:   where the land stands that a pixel shows, and its normal: from the full grid, however few triangles carry it.

#include "draw/land/ground_normal.glsl"
#include "lib/drawn_normal.glsl"

in vec3 v_position_world;

layout(location = 0) out vec4 out_position; // in the world in metres, and 1
layout(location = 1) out vec4 out_normal;

in vec2 v_across; // vertex number over the number of vertices, x along columns and y along rows

void main() {
    out_position = vec4(v_position_world, 1.0);
    out_normal = vec4(drawn_normal(ground_normal(v_across)), 0.0);
}
