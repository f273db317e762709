// What:   islands: few large, many small, with ragged coasts, over a sea floor.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: J. Korcak (1938); B. B. Mandelbrot, PNAS 72 (1975)
// Twin:   app/fellview/terrain/landforms/islands.py

#include "lib/landform.glsl"

uniform float u_largest_m, u_height_m, u_bend_m, u_irregularity, u_octaves, u_corner_x, u_corner_z, u_tiles;
uniform float u_shallows, u_fall;

const float SEA_FLOOR = 0.3; // of the height, below the water
const float BEACH = 0.06; // of the height
const float GENTLE = 0.12; // of the slope that is left at the water line
const float MERGE = 0.25; // of an island's height, over which its foot runs into others
const float LAGOON = 0.1; // of the sea's depth: how deep shallows are at most
const float RELIEF = 4.0; // octaves of hills at most

vec2 landform(vec2 p) {
    float relief = landform_ridged(2.3 * p / u_largest_m, min(u_octaves, RELIEF), u_started);
    p += u_bend_m * landform_outline(1.4 * p / u_largest_m, u_octaves, 0.47, u_started);
    ivec2 span = landform_span(p, vec2(u_corner_x, u_corner_z), u_tiles);
    float h = -SEA_FLOOR * u_height_m;
    for (int n = span.x; n < span.x + span.y; n++) {
        vec4 island = landform_entry(n); // x, z, radius, height
        float rho = length(p - island.xy) / island.z;
        float one = island.w * (rho < 1.0 ? 1.0 - rho * rho : u_fall * (1.0 - rho));
        h = smooth_max(h, one, MERGE * island.w);
    }
    float beach = BEACH * u_height_m;
    // crests and valleys grow from the beach inland
    float inland = clamp(h / (4.0 * beach), 0.0, 1.0);
    h *= 1.0 + inland * u_irregularity * (1.2 * relief - 0.5);
    if (u_shallows > 0.0 && h < 0.0) {
        float bottom = -SEA_FLOOR * u_height_m;
        float edge = u_shallows * (0.2 + 0.8 * min(relief, 1.0));
        float sunk = h / bottom;
        h = bottom * (LAGOON * min(sunk / edge, 1.0) + (1.0 - LAGOON) * max(sunk - edge, 0.0) / (1.0 - edge));
    }
    // gentle at the water line
    float s = h * (GENTLE + (1.0 - GENTLE) * abs(h) / (abs(h) + beach));
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
