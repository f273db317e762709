// What:   the heights of the ground around a land, on a grid that the land is the middle of.
// Note:   beyond the border the land's slopes run out: 2 h(border) - h(mirrored) has its heights and its slopes there,
//         as far as they are not too steep to go on. Within a strip that passes into what the land is like elsewhere.
//         Inside, the heights are the land's own, for shadows to fall from. Where a finer grid lies inside this one,
//         both are as fine along the line between them.

#include "draw/land/surroundings.glsl"

uniform sampler2D u_land; // its heights, with their coarser levels
uniform vec2 u_first; // the place of the grid's first vertex, in sides of the land
uniform float u_sides_a_cell;
uniform float u_level; // of the heights that a cell is the mean of
uniform float u_inside_level; // the same inside the land
uniform float u_fine_level; // beside the finer grid inside this one
uniform float u_inner_sides; // how far out that reaches, or 0
uniform float u_plain_m; // the height of the plain
uniform vec2 u_range_m; // the land's lowest and highest
uniform vec2 u_land_m; // its sides, x and z


out float out_height_m;

const float STEEPEST = 0.8; // a mean slope over the way out: a cliff would go on as high again
const float FINE_CELLS = 3.0; // over which heights become as coarse as the grid

float land_m(vec2 at, float level) {
    return textureLod(u_land, at, level).r;
}

void main() {
    vec2 place = u_first + floor(gl_FragCoord.xy) * u_sides_a_cell;
    Source at = source_of(place);
    vec2 out_axes = abs(place - clamp(place, 0.0, 1.0));
    float coarser_sides = FINE_CELLS * u_sides_a_cell;
    float past = abs(max(out_axes.x, out_axes.y) - u_inner_sides) / coarser_sides;
    float level = mix(u_fine_level, u_level, min(past, 1.0));
    float border_m = land_m(at.border, 0.0);
    float rise_m = border_m - land_m(at.mirrored, level * min(at.out_sides / coarser_sides, 1.0));
    float most_m = STEEPEST * length(out_axes * u_land_m);
    float near_m = clamp(border_m + rise_m / (1.0 + abs(rise_m) / max(most_m, 1e-6)), u_range_m.x, u_range_m.y);
    float far_m = u_plain_m + at.height * (land_m(at.far, level) - u_plain_m);
    bool inside = all(greaterThan(place, vec2(0.0))) && all(lessThan(place, vec2(1.0)));
    out_height_m = inside ? land_m(at.border, u_inside_level) : mix(near_m, far_m, at.share);
}
