// What:   classic noise: the DirectX terrain demo's gradient noise.
// Use:    float n = noise_classic_3(cell, t, period, slope);
//         `slope` holds the derivatives; a period of 0 never repeats
// Range:  within sqrt(d) / 2 of 0
// Source: K. Perlin, "An image synthesizer", SIGGRAPH 1985; the permutation from "Improving noise", SIGGRAPH 2002
// Twin:   app/fellview/noise/classic.py

#include "lib/lattice.glsl"
#include "lib/noise_tables.glsl"

// No value and the gradient of a lattice point.
void corner(ivec4 q, int dimension, out float v, out vec4 g) {
    int index = 0;
    if (dimension > 2) {
        index = u_permutation[q.z & 255].x;
    }
    if (dimension > 1) {
        index = u_permutation[(q.y + index) & 255].x;
    }
    index = u_permutation[(q.x + index) & 255].x;
    v = 0.0;
    g = u_vectors[index];
}

float noise_classic_1(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 1, period, slope);
}

float noise_classic_2(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 2, period, slope);
}

float noise_classic_3(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 3, period, slope);
}
