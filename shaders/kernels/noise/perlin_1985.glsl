// What:   Perlin's noise of 1985: random gradients on a lattice.
// Use:    float n = noise_perlin_1985_3(cell, t, period, slope);
//         `slope` holds the derivatives; a period of 0 never repeats
// Range:  within sqrt(d) / 2 of 0
// Source: K. Perlin, "An image synthesizer", SIGGRAPH 1985
// Twin:   app/fellview/noise/perlin_1985.py

#include "lib/lattice.glsl"
#include "lib/noise_tables.glsl"

// No value and the gradient of a lattice point; the tables are doubled, so that sums need no modulo.
void corner(ivec4 q, int dimension, out float v, out vec4 g) {
    int index = u_permutation[q.x & 255].x;
    if (dimension > 1) {
        index = u_permutation[index + (q.y & 255)].x;
    }
    if (dimension > 2) {
        index = index + (q.z & 255);
    }
    v = 0.0;
    g = u_vectors[index];
}

float noise_perlin_1985_1(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 1, period, slope);
}

float noise_perlin_1985_2(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 2, period, slope);
}

float noise_perlin_1985_3(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 3, period, slope);
}
