// What:   the share of the sun's disc that each cell sees, from how high the shadows of its two limbs stand over the
//         cell. Between them the ground is in half-shade: near what throws the shadow it is narrow, far from it wide.

#include "draw/light/sheared_grid.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_reach;
uniform float u_soft_m; // the least height over which a shadow ends, so that one cell's own shape throws none

out float out_visible;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float line = sheared_line(cell);
    int step_ = sheared_step(u_major.x == 1 ? cell.x : cell.y);
    int least = int(floor(line));
    vec2 a = texelFetch(u_reach, ivec2(least % u_columns, step_), 0).rg;
    vec2 b = texelFetch(u_reach, ivec2((least + 1) % u_columns, step_), 0).rg;
    vec2 reach = mix(a, b, line - float(least));
    float height_m = texelFetch(u_heights, cell, 0).r;
    float width = max(reach.x - reach.y, 0.0) + u_soft_m;
    float share = clamp((height_m - reach.y + u_soft_m) / width, 0.0, 1.0);
    out_visible = share * share * (3.0 - 2.0 * share);
}
