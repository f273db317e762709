// What:   axis-gradient noise: gradients along the four axis directions.
// Use:    float n = noise_axis_2(cell, t, period, slope);
//         `slope` holds the derivatives; a period of 0 never repeats
// Range:  within 0.5626 of 0
// Source: a bounded grid of gradient indices, or hash.glsl
// Twin:   app/fellview/noise/axis.py

#include "lib/lattice.glsl"
#include "lib/hash.glsl"
#include "lib/noise_tables.glsl"

#ifdef GIVEN_TABLES
uniform isampler2D u_gradient_index; // [x mod n, y mod m] of the bounded grid: x along rows, y along columns
#else
uniform uint u_start;
#endif

// No value and the gradient of a lattice point.
void corner(ivec4 q, int dimension, out float v, out vec4 g) {
#ifdef GIVEN_TABLES
    ivec2 size = textureSize(u_gradient_index, 0);
    int index = texelFetch(u_gradient_index, ivec2(wrap(q, size.x).y, wrap(q, size.y).x), 0).r;
#else
    int index = hash_below(hash_cell(q, dimension, u_start), 4u);
#endif
    v = 0.0;
    g = u_vectors[index];
}

float noise_axis_2(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return lattice(cell, t, 2, period, slope);
}
