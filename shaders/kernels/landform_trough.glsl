// What:   trough: a valley that a glacier cut along z, with hanging valleys on its sides.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: H. Svensson, Journal of Glaciology 3 (1959); W. L. Graf, Arctic and Alpine Research 2 (1970)
// Twin:   app/fellview/terrain/landforms/trough.py

#include "lib/landform.glsl"

uniform float u_half_m, u_height_m, u_exponent, u_side_valleys, u_wander_m, u_stretch, u_rough, u_octaves;

const float SIDE_SHARE = 0.45; // of width and depth that a side valley has

float across(float d, float half_m, float depth) {
    float t = d / half_m;
    return t < 1.0 ? depth * ((t > 0.0 ? pow(t, u_exponent) : 0.0) - 1.0) : 0.25 * (t - 1.0);
}

vec2 landform(vec2 p) {
    vec2 bend = landform_outline(0.9 * p / u_half_m, u_octaves, 0.38, u_started);
    p += u_rough * u_half_m * bend;
    float path = landform_outline(vec2(p.y * u_stretch, 3.5), 2.0, 0.4, u_started).x;
    float beyond = landform_outline(vec2((p.y + 0.05 / u_stretch) * u_stretch, 3.5), 2.0, 0.4, u_started).x;
    float turn = u_wander_m * (beyond - path) * u_stretch / 0.05;
    float d = (p.x - u_wander_m * path) / sqrt(1.0 + turn * turn);
    float s = across(abs(d), u_half_m, 1.0);
    // side valleys: cells along the trough, one candidate to a cell and side
    float apart = 3.2 * u_half_m;
    float cell = floor(p.y / apart);
    uint side = d > 0.0 ? 1u : 0u;
    float out_share = max(abs(d) / u_half_m - 0.5, 0.0);
    for (int k = -1; k <= 1; k++) {
        uint h = hash_mix(hash_chain(u_started, int(cell) + k) ^ side);
        if (hash_unit(h) < u_side_valleys) {
            float where = (cell + float(k) + 0.2 + 0.6 * hash_unit(hash_more(h, 1u))) * apart;
            float slant = 1.2 * (hash_unit(hash_more(h, 2u)) - 0.5);
            float middle = where + u_half_m * (slant * out_share + 0.35 * bend.y * min(out_share, 2.0));
            float share = SIDE_SHARE * (0.7 + 0.6 * hash_unit(hash_more(h, 3u)));
            float bottom = share * clamp(1.0 - out_share / 7.0, 0.0, 1.0);
            float head = 0.25 * out_share * out_share / 7.0;
            s = smooth_min(s, across(abs(p.y - middle), share * u_half_m, bottom) + head, 0.05);
        }
    }
    s *= u_height_m;
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, -s));
}
