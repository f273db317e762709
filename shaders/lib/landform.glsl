// What:   what landforms are made of: smooth extremes, steps, and the noise that bends their outlines.
// Use:    vec2 n = landform_outline(p, octaves, 0.5, u_started);
// Range:  landform_pair within 2 of 0, mostly within 0.7; landform_ridged 0 ... about 1
// Source: I. Quilez, "smooth minimum" (2013); K. Perlin, SIGGRAPH 2002
// Twin:   app/fellview/terrain/landforms/shapes.py; app/fellview/terrain/landforms/form.py, tiled()

#include "lib/hash.glsl"

uniform uint u_started;
uniform sampler2D u_table; // entries of 4, 1024 a row
uniform sampler2D u_spans; // first entry and count of each tile

float smooth_max(float a, float b, float k) {
    float near = max(k - abs(a - b), 0.0);
    return max(a, b) + (k > 0.0 ? near * near / (4.0 * k) : 0.0);
}

float smooth_min(float a, float b, float k) {
    float near = max(k - abs(a - b), 0.0);
    return min(a, b) - (k > 0.0 ? near * near / (4.0 * k) : 0.0);
}

// How much an outline is bent at a distance from the middle: 1 up to 1.5 radii, 0 from 1.9 on.
float landform_window(float distance_m, float radius_m) {
    return 1.0 - smoothstep(1.5, 1.9, distance_m / radius_m);
}

// The two gradients in the bits of h, times t.
vec2 landform_slopes(uint h, vec2 t) {
    vec4 parts = vec4(ivec4(h & 255u, h >> 8 & 255u, h >> 16 & 255u, h >> 24)) * (4.0 / 255.0) - 2.0;
    return vec2(dot(parts.xy, t), dot(parts.zw, t));
}

vec2 landform_pair(vec2 p, uint started) {
    vec2 whole = floor(p);
    vec2 t = p - whole;
    ivec2 cell = ivec2(whole);
    uint near = hash_chain(started, cell.x);
    uint far = hash_chain(started, cell.x + 1);
    vec2 w = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    vec2 n0 = landform_slopes(hash_chain(near, cell.y), t);
    vec2 n1 = landform_slopes(hash_chain(far, cell.y), t - vec2(1.0, 0.0));
    vec2 n2 = landform_slopes(hash_chain(near, cell.y + 1), t - vec2(0.0, 1.0));
    vec2 n3 = landform_slopes(hash_chain(far, cell.y + 1), t - 1.0);
    n0 += w.x * (n1 - n0);
    n2 += w.x * (n3 - n2);
    return n0 + w.y * (n2 - n0);
}

// The next octave's place: turned by the angle of the triangle 3-4-5 and doubled.
vec2 landform_next(vec2 p) {
    return vec2(1.6 * p.x - 1.2 * p.y + 17.3, 1.2 * p.x + 1.6 * p.y + 9.1);
}

vec2 landform_outline(vec2 p, float octaves, float gain, uint started) {
    vec2 total = vec2(0.0);
    float share = 1.0;
    for (int k = 0; k < int(octaves); k++) {
        total += share * landform_pair(p, hash_more(started, uint(k)));
        p = landform_next(p);
        share *= gain;
    }
    return total;
}

// Moves p by `amount` times an outline's noise, within 1.9 `reach_m` of the middle; gives the noise times its window.
vec2 landform_bent(inout vec2 p, float reach_m, float amount, float factor, float octaves, float gain) {
    float most = 1.9 * reach_m;
    if (amount <= 0.0 || dot(p, p) >= most * most) {
        return vec2(0.0);
    }
    vec2 bend = landform_outline(factor * p, octaves, gain, u_started) * landform_window(length(p), reach_m);
    p += amount * bend;
    return bend;
}

float landform_ridged(vec2 p, float octaves, uint started) {
    float total = 0.0;
    float share = 0.5;
    for (int k = 0; k < int(octaves); k++) {
        float crest = 1.0 - min(abs(landform_pair(p, hash_more(started, uint(k))).x) * 1.4, 1.0);
        total += share * crest * crest;
        p = landform_next(p);
        share *= 0.5;
    }
    return total;
}

// First entry and count of the tile at p.
ivec2 landform_span(vec2 p, vec2 corner, float tiles) {
    ivec2 tile = ivec2(clamp(floor((p - corner) * tiles), 0.0, 31.0));
    return ivec2(texelFetch(u_spans, tile, 0).rg);
}

vec4 landform_entry(int number) {
    return texelFetch(u_table, ivec2(number & 1023, number >> 10), 0);
}
