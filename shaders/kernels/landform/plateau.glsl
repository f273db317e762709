// What:   plateau: a flat top behind a cliff, over a slope of scree.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: as in the twin
// Twin:   app/fellview/terrain/landforms/plateau.py

#include "lib/landform.glsl"

uniform float u_radius_m, u_height_m, u_bend_m, u_frequency, u_octaves, u_scree, u_cliff;

vec2 landform(vec2 p) {
    landform_bent(p, u_radius_m, u_bend_m, u_frequency, u_octaves, 0.45);
    float d = u_radius_m - length(p);
    float scree_height = 0.4 * u_height_m;
    float wall = max(d * u_scree, scree_height + (d - scree_height / u_scree) * u_cliff);
    float s = smooth_min(wall, u_height_m, 0.06 * u_height_m);
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
