// What:   ramp: low land that rises to high land along x.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: as in the twin
// Twin:   app/fellview/terrain/landforms/ramp.py

#include "lib/landform.glsl"

uniform float u_length_m, u_height_m, u_bend_m, u_frequency, u_octaves, u_spurs, u_spur_frequency, u_spur_octaves;

vec2 landform(vec2 p) {
    float bend = landform_outline(u_frequency * p, u_octaves, 0.42, u_started).x;
    // drawn out downhill
    vec2 drawn_out = u_spur_frequency * vec2(0.45 * p.x + 0.5 * u_bend_m * bend, p.y);
    float crests = landform_ridged(drawn_out, u_spur_octaves, u_started);
    float t = (p.x + u_bend_m * bend) / u_length_m + 0.5;
    float between = max(t * (1.0 - t), 0.0) * 4.0;
    float line = u_height_m * (t + u_spurs * between * (crests - 0.4));
    float s = smooth_min(smooth_max(line, 0.0, 0.1 * u_height_m), u_height_m, 0.1 * u_height_m);
    return vec2(s, s / u_height_m);
}
