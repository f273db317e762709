// What:   trough: a valley that a glacier cut along z, with tributaries and hanging side valleys.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: H. Svensson, Journal of Glaciology 3 (1959); W. L. Graf, Arctic and Alpine Research 2 (1970)
// Twin:   app/fellview/terrain/landforms/trough.py

#include "lib/landform.glsl"

uniform float u_half_m, u_height_m, u_exponent, u_side_valleys, u_wander_m, u_stretch, u_rough, u_octaves;
uniform float u_tributaries, u_side_m;

const float SIDE_SHARE = 0.45; // of width and depth that a side valley has

float across(float d, float half_m, float depth) {
    float t = d / half_m;
    return t < 1.0 ? depth * ((t > 0.0 ? pow(t, u_exponent) : 0.0) - 1.0) : 0.25 * (t - 1.0);
}

// s with the n-th tributary cut in, at p where the main trough's middle is x = 0.
float joined(float s, vec2 p, int n) {
    uint key = hash_more(u_started, uint(21 + n));
    float east = (n + int(u_started & 1u)) % 2 == 0 ? 1.0 : -1.0;
    if (east * p.x < -0.3 * u_half_m) {
        return s;
    }
    float beyond = max(east * p.x, 0.0);
    float slant = 0.3 + 0.8 * hash_unit(hash_more(key, 1u));
    float curve = (hash_unit(hash_more(key, 2u)) - 0.3) / u_side_m;
    float width = u_half_m * (0.55 + 0.3 * hash_unit(hash_more(key, 3u)));
    float where = (float(n) + hash_unit(hash_more(key, 4u))) * 0.19 * u_side_m - 0.3 * u_side_m;
    float middle = where - beyond * (slant + curve * beyond);
    float lean = slant + 2.0 * curve * beyond;
    float d = abs(p.y - middle) / sqrt(1.0 + lean * lean);
    // level with the main floor where it opens, rising inland; gone beyond the main trough's middle
    float bottom = 0.92 * max(1.0 - 0.6 * beyond / u_side_m, 0.1);
    bottom *= smoothstep(-0.3, 0.4, east * p.x / u_half_m);
    return smooth_min(s, across(d, width, bottom), 0.06);
}

vec2 landform(vec2 p) {
    vec2 bend = landform_outline(0.9 * p / u_half_m, u_octaves, 0.38, u_started);
    p += u_rough * u_half_m * bend;
    float path = landform_outline(vec2(p.y * u_stretch, 3.5), 2.0, 0.4, u_started).x;
    float beyond = landform_outline(vec2(p.y * u_stretch + 0.05, 3.5), 2.0, 0.4, u_started).x;
    float turn = u_wander_m * (beyond - path) * u_stretch / 0.05;
    float away = p.x - u_wander_m * path;
    float d = away / sqrt(1.0 + turn * turn);
    float h = across(abs(d), u_half_m, 1.0);
    for (int n = 0; n < int(u_tributaries); n++) {
        h = joined(h, vec2(away, p.y), n);
    }
    // side valleys: cells along the trough, one candidate to a cell and side
    float apart = 3.2 * u_half_m;
    float out_share = max(abs(d) / u_half_m - 0.5, 0.0);
    if (out_share > 0.0 && out_share < 9.0) {
        float cell = floor(p.y / apart);
        uint bank = d > 0.0 ? 1u : 0u;
        for (int k = -1; k <= 1; k++) {
            uint key = hash_mix(hash_chain(u_started, int(cell) + k) ^ bank);
            if (hash_unit(key) < u_side_valleys) {
                // it leaves at a slant and bends, shallower with distance
                float where = (cell + float(k) + 0.2 + 0.6 * hash_unit(hash_more(key, 1u))) * apart;
                float slant = 1.2 * (hash_unit(hash_more(key, 2u)) - 0.5);
                float middle = where + u_half_m * (slant * out_share + 0.35 * bend.y * min(out_share, 2.0));
                float part = SIDE_SHARE * (0.7 + 0.6 * hash_unit(hash_more(key, 3u)));
                float bottom = part * max(1.0 - out_share / 7.0, 0.0);
                // the valley's end rises to the land beyond the main one's shoulder
                float head = 0.25 / 7.0 * out_share * out_share;
                h = smooth_min(h, across(abs(p.y - middle), part * u_half_m, bottom) + head, 0.05);
            }
        }
    }
    float s = h * u_height_m;
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, -s));
}
