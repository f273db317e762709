// What:   value noise: a random height on every lattice point, blended between.
// Use:    float n = noise_value_3(cell, t, period, slope);
//         `slope` holds the derivatives; a period of 0 never repeats
// Range:  -1 ... 1
// Source: the lattice of K. Perlin, "Improving noise", SIGGRAPH 2002, with the hash as the height
// Twin:   app/fellview/noise/value.py

#include "lib/lattice.glsl"
#ifdef GIVEN_TABLES
#include "lib/noise_tables.glsl"
#else
#include "lib/hash.glsl"

uniform uint u_start;
#endif

// The value of a lattice point, and no gradient.
void corner(ivec4 q, int dimension, out float v, out vec4 g) {
    g = vec4(0.0);
#ifdef GIVEN_TABLES
    int h = u_permutation[q.x & 255].x;
    if (dimension > 1) {
        h = u_permutation[(h + q.y) & 255].x;
    }
    if (dimension > 2) {
        h = u_permutation[(h + q.z) & 255].x;
    }
    if (dimension > 3) { // time is the fourth
        h = u_permutation[(h + q.w) & 255].x;
    }
    v = 2.0 * float(h) / 255.0 - 1.0;
#else
    v = hash_signed(hash_cell(q, dimension, u_start));
#endif
}

float noise_value_1(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 1, period, slope);
}

float noise_value_2(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 2, period, slope);
}

float noise_value_3(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 3, period, slope);
}

float noise_value_4(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 4, period, slope);
}
