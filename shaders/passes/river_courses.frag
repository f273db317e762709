// Rivers on a grid finer than the land's: red the share of a texel that they cover, green how deep they are, a parabola
// across as in terrain/water.py. Cells know the nearest point of the centre line; the line runs through it across the
// way there, and past it for somewhat more than half a cell, where the next cell's begins.

const float REACH = 0.75; // of a cell

uniform sampler2D u_courses; // the way to the line, x and z, and the river's width, in m
uniform vec2 u_cell_m;
uniform float u_finer; // texels a cell
uniform float u_depth_factor; // of the width's power: the depth that is 1
uniform float u_depth_power;

out vec2 out_cover_depth;

void main() {
    vec2 place = gl_FragCoord.xy / u_finer - 0.5; // in cells
    ivec2 middle = ivec2(round(place)), last = textureSize(u_courses, 0) - 1;
    float cell = sqrt(u_cell_m.x * u_cell_m.y), texel = cell / u_finer;
    float cover = 0.0, depth = 0.0;
    for (int z = -1; z <= 1; ++z) {
        for (int x = -1; x <= 1; ++x) {
            ivec2 at = clamp(middle + ivec2(x, z), ivec2(0), last);
            vec3 course = texelFetch(u_courses, at, 0).rgb;
            if (course.z == 0.0) {
                continue;
            }
            vec2 off = (place - vec2(at)) * u_cell_m - course.xy;
            float way = length(course.xy);
            vec2 across = way > 1e-3 * cell ? course.xy / way : vec2(0.0);
            float aside = dot(off, across);
            float past = length(off - aside * across);
            float away = length(vec2(aside, max(past - REACH * cell, 0.0) + (way > 1e-3 * cell ? 0.0 : past)));
            float half_width = max(0.5 * course.z, 0.5 * texel);
            float covered = clamp((half_width - away) / texel + 0.5, 0.0, 1.0) * min(0.5 * course.z / half_width, 1.0);
            float share = away / half_width;
            cover = max(cover, covered);
            depth = max(depth, u_depth_factor * pow(course.z, u_depth_power) * max(1.0 - share * share, 0.0));
        }
    }
    out_cover_depth = vec2(cover, depth);
}
