// What:   dunes: wind blows along x; crescents and long winding crests, steep to lee.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: N. Lancaster, "Geomorphology of desert dunes" (1995)
// Twin:   app/fellview/terrain/landforms/dunes.py

#include "lib/landform.glsl"

uniform float u_spacing_m, u_height_m, u_windward, u_lee, u_small_dunes, u_rounded;

const float BRINK = 0.6; // of the mean slope to windward, what is left of it at the brink
const float STEEPEST = (3.0 - BRINK) * (3.0 - BRINK) / (3.0 * (2.0 - BRINK)); // of the mean slope to windward
const float SMALLER = 6.0; // times: the spacing of dunes over that of the small ones on them
const int PERIOD = 64; // spacings
const int SAMPLES = 12; // a spacing
const float STEEPER = 0.9; // of the slope of dry sand: the most that a brink rises

// Offset and height of a crest at z, each before its slope along z; all in spacings.
vec4 crest_at(int crest, float z) {
    float at = z * float(SAMPLES);
    float whole = floor(at);
    float t = at - whole;
    // z may lie a little under 0, where the remainder of a negative number is anyone's guess
    int here = (int(whole) + PERIOD * SAMPLES) % (PERIOD * SAMPLES);
    int first = crest * PERIOD * SAMPLES;
    vec4 a = landform_entry(first + here);
    vec4 b = landform_entry(first + (here + 1) % (PERIOD * SAMPLES));
    // a cubic through both samples with both slopes, which are given a spacing
    vec2 d0 = a.yw * (1.0 / float(SAMPLES));
    vec2 d1 = b.yw * (1.0 / float(SAMPLES));
    vec2 bent = 3.0 * (b.xz - a.xz) - 2.0 * d0 - d1 + t * (2.0 * (a.xz - b.xz) + d0 + d1);
    vec2 values = a.xz + t * (d0 + t * bent);
    vec2 slopes = a.yw + t * (b.yw - a.yw);
    return vec4(values.x, slopes.x, values.y, slopes.y);
}

vec2 wrapped(vec2 p) {
    return p - float(PERIOD) * floor(p * (1.0 / float(PERIOD)));
}

// Height of the highest dune at p, in spacings, `strength` times as high as in the table and as long; the height of small
// dunes is added to windward sides.
float sand(vec2 p, float rounded, float small, float strength) {
    p = wrapped(p);
    float s = 0.0;
    int own = int(floor(p.x));
    for (int k = own - 3; k <= own + 3; k++) {
        int crest = (k + PERIOD) % PERIOD;
        vec4 here = crest_at(crest, p.y); // offset, bend, height, rise
        float before = float(k) + here.x - p.x;
        float onward = STEEPEST * here.z / u_windward;
        if (here.z > 0.0 && before < onward && before > -0.8) {
            float t = 1.0 - before / onward;
            float up = strength * here.z * t * t * (3.0 - BRINK + (BRINK - 2.0) * t);
            up += small * smoothstep(0.0, 0.35, t) * (1.0 - smoothstep(0.7, 1.0, t));
            if (before < 0.0) {
                up = strength * (here.z - before * u_windward * (BRINK / STEEPEST));
            }
            if (before < 4.0 * rounded) {
                // the nearest point of the brink
                float at = p.y;
                for (int n = 0; n < 3; n++) {
                    float along = (here.y * -before + (p.y - at)) / (1.0 + here.y * here.y);
                    at += clamp(along, -0.2, 0.2);
                    here = crest_at(crest, at);
                    before = float(k) + here.x - p.x;
                }
                float most = STEEPER * u_lee;
                float climbs = clamp(strength * here.w / sqrt(1.0 + here.y * here.y), -most, most);
                float away = length(vec2(before, p.y - at)) * (before < 0.0 ? -1.0 : 1.0);
                up = smooth_min(up, strength * here.z + away * sqrt(u_lee * u_lee - climbs * climbs), rounded);
            }
            s = max(s, up);
        }
    }
    return s;
}

vec2 landform(vec2 p) {
    p /= u_spacing_m;
    float small = 0.0;
    if (u_small_dunes > 0.0) {
        small = sand(SMALLER * p, SMALLER * u_rounded, 0.0, u_small_dunes) / SMALLER;
    }
    float s = u_spacing_m * sand(p, u_rounded, small, 1.0);
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
