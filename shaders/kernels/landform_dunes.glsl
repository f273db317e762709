// What:   dunes: wind blows along x; sand climbs gently and falls off a sharp crest.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: T. Tricard et al., "Procedural phasor noise", ACM Transactions on Graphics 38 (2019)
// Twin:   app/fellview/terrain/landforms/dunes.py

#include "lib/landform.glsl"

uniform float u_spacing_m, u_height_m, u_windward, u_lee, u_defects, u_irregularity, u_octaves;

const float TAU = 6.283185307179586;

// The complex noise at p in spacings, turned on by the bends of the crests.
vec2 band(vec2 p) {
    vec2 a = vec2(1.0, 0.0) + u_defects * landform_pair(vec2(0.31, 0.19) * p, u_started);
    float bend = landform_outline(vec2(0.21 * p.x + 50.0, 0.33 * p.y), u_octaves, 0.35, u_started).x;
    float turn = 8.0 * u_irregularity * bend;
    return vec2(a.x * cos(turn) - a.y * sin(turn), a.x * sin(turn) + a.y * cos(turn));
}

// The change of the argument from a to b over 0.03 spacings, in cycles a spacing.
float change(vec2 a, vec2 b) {
    return atan(a.x * b.y - a.y * b.x, dot(a, b)) / (0.03 * TAU);
}

vec2 landform(vec2 p) {
    p /= u_spacing_m;
    vec2 a = band(p);
    float kx = 1.0 + change(a, band(p + vec2(0.03, 0.0)));
    float kz = change(a, band(p + vec2(0.0, 0.03)));
    float phase = p.x + atan(a.y, a.x) / TAU;
    float cycle = u_spacing_m / max(length(vec2(kx, kz)), 0.2);
    float low = landform_pair(vec2(0.23 * p.x, 0.23 * p.y + 90.0), u_started).x;
    float runs = 1.0 / (0.85 * u_windward) + 1.0 / u_lee;
    float h = min(u_height_m * (1.0 - 0.5 * u_irregularity * min(abs(low) * 1.5, 1.0)), 0.95 * cycle / runs);
    float up = h / (0.85 * u_windward * cycle);
    float down = h / (u_lee * cycle);
    float t = phase - floor(phase);
    float s;
    if (t > 1.0 - down) {
        s = h * (1.0 - t) / down;
    } else {
        t = max(t - (1.0 - up - down), 0.0) / up;
        s = h * (t < 0.3 ? t * t / 0.6 : t - 0.15) / 0.85;
    }
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
