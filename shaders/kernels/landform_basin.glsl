// What:   basin: a bowl with an outline bent by noise.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: as in the twin
// Twin:   app/fellview/terrain/landforms/basin.py

#include "lib/landform.glsl"

uniform float u_radius_m, u_height_m, u_bend, u_octaves;

vec2 landform(vec2 p) {
    p /= u_radius_m;
    float bend = u_bend * landform_window(length(p), 1.0);
    if (bend > 0.0) {
        p += bend * landform_outline(1.3 * p, u_octaves, 0.38, u_started);
    }
    float rho = length(p);
    float s = u_height_m * (rho < 1.0 ? rho * rho - 1.0 : 2.0 * (rho - 1.0));
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, -s));
}
