// What:   the eight ways that water can take from a cell, and the random numbers that make it wander.
// Use:    uint bits = cell_bits(cell, u_salt);  float faster = jitter(bits, k, u_gain);
// Range:  jitter 1 ... 1 + 15 gain, roughness 1/4 ... 9/4; a way of (-1, -1) is none
// Twin:   app/fellview/terrain/hydrology/drainage.py

#include "lib/hash.glsl"

// (column, row), in scan order; 7 - k is opposite k
const ivec2 WAYS[8] = ivec2[8](ivec2(-1, -1), ivec2(0, -1), ivec2(1, -1), ivec2(-1, 0),
                               ivec2(1, 0), ivec2(-1, 1), ivec2(0, 1), ivec2(1, 1));

uint cell_bits(ivec2 cell, uint salt) {
    return hash_mix(hash_mix(uint(cell.y) * GOLDEN + salt) + uint(cell.x));
}

float jitter(uint bits, int k, float gain) {
    return 1.0 + gain * float(int((bits >> uint(4 * k)) & 15u));
}

float roughness(uint bits) {
    return 0.25 + (1.0 / 128.0) * float(bits >> 24);
}

// `lengths` are along z, along x and across.
float way_length(ivec2 way, vec3 lengths) {
    return way.x == 0 ? lengths.x : (way.y == 0 ? lengths.y : lengths.z);
}

bool inside(ivec2 cell, ivec2 size) {
    return cell.x >= 0 && cell.y >= 0 && cell.x < size.x && cell.y < size.y;
}
