// What:   ridge line: a winding crest along x, with peaks, saddles, and spurs between gullies.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: as in the twin
// Twin:   app/fellview/terrain/landforms/ridge.py

#include "lib/landform.glsl"

uniform float u_half_m, u_height_m, u_flank, u_width_m, u_irregularity, u_octaves, u_gully_octaves;

vec2 landform(vec2 p) {
    float irregularity = u_irregularity * landform_window(length(p), u_half_m);
    vec2 bend = vec2(0.0);
    if (irregularity > 0.0) {
        bend = landform_outline(2.2 * p / u_half_m, u_octaves, 0.45, u_started);
        float crest = landform_outline(vec2(1.6 * p.x / u_half_m + 40.0, 0.5), 2.0, 0.5, u_started).x;
        p.x += 0.12 * irregularity * u_half_m * bend.x;
        p.y += irregularity * u_half_m * (0.15 * bend.y + 0.4 * crest);
    }
    float d = abs(p.y);
    float end = abs(p.x) / u_half_m;
    float e = u_height_m * (1.0 - end * end * end);
    float s = e - d * u_flank;
    if (irregularity > 0.0) {
        float peaks = landform_outline(vec2(3.3 * p.x / u_half_m, 7.5), 2.0, 0.5, u_started).x;
        float t = min(d / u_width_m, 1.5);
        float side = p.y > 0.0 ? 31.7 : 0.0; // keeps the two flanks apart
        vec2 drawn_out = vec2(1.9 * p.x / u_width_m + side, 0.7 * t) + 0.3 * bend;
        float gullies = landform_ridged(drawn_out, u_gully_octaves, u_started);
        float between = max(t * (1.25 - t), 0.0) * 2.56;
        float notch = 0.4 * (0.4 + peaks) * max(1.0 - t, 0.0);
        s += irregularity * u_height_m * (0.36 * between * (gullies - 0.4) - notch);
    }
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
