// What:   rivers on a grid finer than the land's: red how far within the bank a texel lies (a half on the bank, and
//         none further out than `u_margin_m`), green the root of its width, blue the share of the texel that it covers,
//         alpha the direction of its course in half turns, from +x towards +z.
// Note:   cells know the nearest point of the centre line; the line runs through it across the way there, and past it
//         for somewhat more than half a cell, where the next cell's begins.

const float PAST = 0.75; // of a cell
const float WIDEST_M = 1024.0; // as in draw/water/river.glsl
const float TURN = 3.14159265;

uniform sampler2D u_near; // by blocks of cells: whether there is any river within reach, which there mostly is not
uniform int u_block; // cells a side
uniform sampler2D u_courses; // the way to the line, x and z, and the river's width, in m
uniform vec2 u_cell_m;
uniform vec2 u_first; // the place of the first texel's corner, in cells: 0 is the first cell's middle
uniform float u_texel_cells; // how wide a texel is
uniform float u_margin_m;
uniform int u_reach; // cells around that are asked

out vec4 out_river;

void main() {
    vec2 place = u_first + gl_FragCoord.xy * u_texel_cells; // in cells
    ivec2 middle = ivec2(round(place)), last = textureSize(u_courses, 0) - 1;
    float cell = sqrt(u_cell_m.x * u_cell_m.y), texel = cell * u_texel_cells;
    float cover = 0.0, within = -u_margin_m, width = 0.0, farthest = 1e-3 * cell, nearest = 1e9;
    vec2 aslant = vec2(0.0, 1.0);
    // software OpenGL leaves a loop that nobody is in, and runs through a branch that nobody takes
    int reach = texelFetch(u_near, clamp(middle, ivec2(0), last) / u_block, 0).r > 0.0 ? u_reach : -1;
    for (int z = -reach; z <= reach; ++z) {
        for (int x = -u_reach; x <= u_reach; ++x) {
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
            float away = length(vec2(aside, max(past - PAST * cell, 0.0) + (way > 1e-3 * cell ? 0.0 : past)));
            float half_width = max(0.5 * course.z, 0.5 * texel);
            float covered = clamp((half_width - away) / texel + 0.5, 0.0, 1.0) * min(0.5 * course.z / half_width, 1.0);
            cover = max(cover, covered);
            within = max(within, 0.5 * course.z - away);
            width = max(width, course.z);
            // the farther a cell is from the line, the surer it is of the line's direction
            if (way > farthest) {
                farthest = way;
                aslant = across;
            }
        }
    }
    float angle = atan(aslant.x, -aslant.y) / TURN; // a quarter turn on
    float bank = 0.5 + 0.5 * clamp(within / u_margin_m, -1.0, 1.0);
    out_river = vec4(bank, sqrt(width / WIDEST_M), cover, fract(angle + 1.0));
}
