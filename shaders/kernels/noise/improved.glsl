// What:   improved Perlin noise of 2002: gradients to the edges of a cube, one permutation.
// Use:    float n = noise_improved_3(cell, t, period, slope);
//         `slope` holds the derivatives; a period of 0 never repeats
// Range:  within 1.065 of 0
// Source: K. Perlin, "Improving noise", SIGGRAPH 2002
// Twin:   app/fellview/noise/improved.py

#include "lib/lattice.glsl"
#include "lib/noise_tables.glsl"

// No value and the gradient of a lattice point; coordinates that are missing count as 0.
void corner(ivec4 q, int dimension, out float v, out vec4 g) {
    int h = u_permutation[(u_permutation[(u_permutation[q.x & 255].x + q.y) & 255].x + q.z) & 255].x;
    if (dimension > 3) { // time is the fourth
        h = u_permutation[(h + q.w) & 255].x;
    }
    int index = h & (VECTORS - 1);
    v = 0.0;
    g = u_vectors[index];
}

float noise_improved_1(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 1, period, slope);
}

float noise_improved_2(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 2, period, slope);
}

float noise_improved_3(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 3, period, slope);
}

float noise_improved_4(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 4, period, slope);
}
