// What:   places the vertices of one block of 64x64 cells at its level of detail; the instance says which block and
//         level. Past the block's own vertices come those of its border once more, side by side: they hang down, or lie
//         far out.

uniform sampler2D u_heights;
uniform vec2 u_cell_m; // x, z
uniform float u_exaggeration;
uniform vec2 u_origin_m; // of the first vertex, x and z
uniform vec2 u_skirt_m; // how far they hang down, and how far they lie out where that is the grid's border
uniform float u_rim_sinks_m; // how much lower those that lie out are than the border, before heights are exaggerated
uniform float u_skirt_foot_m; // in drafts the height that they hang down to, only where the grid ends; else endless
uniform vec2 u_hole; // the first and the last vertex along either axis of what is left out in the middle, or below 0
uniform mat4 u_view_projection;

#include "draw/land/block_surface.glsl"

out vec3 v_position_world;
out vec2 v_across;

invariant gl_Position; // the slab's sides (slab.vert) meet the land's border to the last bit

void main() {
    int stride = 1 << int(in_level);
    int side = BLOCK_CELLS / stride + 1; // vertices
    int past = gl_VertexID - side * side;
    int along = max(past, 0) % side, border = max(past, 0) / side;
    ivec2 turned = ivec2(border % 2 * (side - 1), along);
    ivec2 number = past < 0 ? ivec2(gl_VertexID % side, gl_VertexID / side) : border < 2 ? turned : turned.yx;
    Surface at = block_surface(number, stride);
    vec2 ground_m = at.place * u_cell_m + u_origin_m;
    v_position_world = vec3(ground_m.x, u_exaggeration * at.height_m, ground_m.y);
    v_across = at.place / vec2(textureSize(u_heights, 0));
    if (past >= 0) {
        vec2 last = vec2(textureSize(u_heights, 0) - 1);
        vec2 across = border < 2 ? vec2(at.place.x, last.x) : vec2(at.place.y, last.y);
        bool outermost = across.x == 0.0 || across.x == across.y;
        bool lies = u_skirt_m.y > 0.0 && outermost; // a side that only ends there would stand out of what lies there
        bool ends = outermost || any(equal(across.xx, u_hole));
        if (ends || u_skirt_foot_m < -1e30) {
            vec2 outwards = vec2(equal(at.place, last)) - vec2(equal(at.place, vec2(0.0)));
            v_position_world.xz += lies ? u_skirt_m.y * outwards : vec2(0.0);
            float hangs_m = min(u_skirt_m.x, v_position_world.y - u_skirt_foot_m);
            v_position_world.y -= lies ? u_exaggeration * u_rim_sinks_m : hangs_m;
        }
    }
    gl_Position = u_view_projection * vec4(v_position_world, 1.0);
}
