// What:   cone: a volcano with concave flanks, radial gullies, and a crater with a rim.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: J. Milne, "On the form of volcanoes", Geological Magazine 5 (1878)
// Twin:   app/fellview/terrain/landforms/cone.py

#include "lib/landform.glsl"

uniform float u_rim_m, u_outer_m, u_length_m, u_top, u_foot, u_height_m, u_depth_m;
uniform float u_irregularity, u_octaves, u_gully_octaves;

vec2 landform(vec2 p) {
    float irregularity = u_irregularity * landform_window(length(p), u_outer_m);
    vec2 bend = vec2(0.0);
    if (irregularity > 0.0) {
        bend = landform_outline(1.7 * p / u_outer_m, u_octaves, 0.45, u_started);
    }
    p += 0.13 * irregularity * u_outer_m * bend;
    float r = length(p);
    vec2 way = p / max(r, 1e-6 * u_outer_m);
    float flank = u_length_m * (u_top * exp(-max(r - u_rim_m, -u_rim_m) / u_length_m) - u_foot);
    float bowl = u_rim_m > 0.0 ? u_height_m - u_depth_m * (1.0 - (r / u_rim_m) * (r / u_rim_m)) : flank;
    float s = smooth_min(flank, bowl, 0.25 * u_depth_m);
    // the rim stands lower on some sides, gullies run straight down and join on the way
    if (irregularity > 0.0) {
        float near = (r - u_rim_m) / (0.6 * u_rim_m + 0.02 * u_outer_m);
        float breach = landform_pair(vec2(1.4 * way.x + 5.0, 1.4 * way.y), u_started).x;
        float inside = min(r / (u_rim_m + 0.01 * u_outer_m), 1.0);
        s -= irregularity * 0.7 * u_depth_m * max(breach, -0.3) * inside * inside * exp(-near * near);
        float t = clamp((r - u_rim_m) / (u_outer_m - u_rim_m), 0.0, 1.0);
        float across = 1.1 * (bend.x * way.y - bend.y * way.x); // bends of the ground turn the gullies too
        vec2 turned = way + 0.3 * across * vec2(-way.y, way.x);
        float gullies = landform_ridged((2.6 + 2.4 * t) * turned, u_gully_octaves, u_started);
        s -= irregularity * 0.2 * u_height_m * (gullies - 0.1) * t * (1.0 - t) * (1.0 - t) * 4.0;
    }
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
