// What:   basin: a bowl with an outline bent by noise.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: as in the twin
// Twin:   app/fellview/terrain/landforms/basin.py

#include "lib/landform.glsl"

uniform float u_radius_m, u_height_m, u_bend, u_octaves;

vec2 landform(vec2 p) {
    landform_bent(p, u_radius_m, u_bend * u_radius_m, 1.3 / u_radius_m, u_octaves, 0.38);
    float rho = length(p) / u_radius_m;
    float s = u_height_m * (rho < 1.0 ? rho * rho - 1.0 : 2.0 * (rho - 1.0));
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, -s));
}
