// What:   islands: few large, many small, with ragged coasts, over a sea floor.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: J. Korcak (1938); B. B. Mandelbrot, PNAS 72 (1975)
// Twin:   app/fellview/terrain/landforms/islands.py

#include "lib/landform.glsl"

uniform float u_largest_m, u_height_m, u_bend_m, u_irregularity, u_octaves, u_corner_x, u_corner_z, u_tiles;

vec2 landform(vec2 p) {
    float relief = landform_ridged(2.3 * p / u_largest_m, u_octaves, u_started);
    p += u_bend_m * landform_outline(1.4 * p / u_largest_m, u_octaves, 0.47, u_started);
    ivec2 span = landform_span(p, vec2(u_corner_x, u_corner_z), u_tiles);
    float s = -0.3 * u_height_m;
    for (int n = span.x; n < span.x + span.y; n++) {
        vec4 island = landform_entry(n); // x, z, radius, height
        float rho = length(p - island.xy) / island.z;
        float one = island.w * (rho < 1.0 ? 1.0 - rho * rho : 0.8 * (1.0 - rho));
        s = smooth_max(s, one, 0.25 * island.w);
    }
    // crests and valleys grow from the beach inland
    s *= s > 0.0 ? 1.0 + u_irregularity * (1.2 * relief - 0.5) : 1.0;
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
