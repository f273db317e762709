// What:   simplex noise: gradients on the corners of a triangle (tetrahedron, ...) grid, each with a round support.
// Use:    float n = noise_simplex_2(cell, t, period, slope);
//         `slope` holds the derivatives; the period counts for nothing
// Range:  -1 ... 1
// Source: K. Perlin, "Noise hardware", SIGGRAPH course 2001; S. Gustavson, "Simplex noise demystified", 2005
// Twin:   app/fellview/noise/simplex.py

#include "lib/hash.glsl"
#include "lib/fixed_point_ratio.glsl"
#include "lib/noise_tables.glsl"

uniform uint u_start;

// By dimension: F = (sqrt(d + 1) - 1) / d and G = (1 - 1 / sqrt(d + 1)) / d, none in one.
const Ratio SKEW[5] = Ratio[5](
    Ratio(0u, 0.0, 0.0),
    Ratio(0u, 0.0, 0.0),
    Ratio(0x5DB3D743u, -0.240641378, 0.3660254038),
    Ratio(0x55555555u, 0.333333333, 0.3333333333),
    Ratio(0x4F1BBCDDu, -0.251384852, 0.3090169944));
const Ratio UNSKEW[5] = Ratio[5](
    Ratio(0u, 0.0, 0.0),
    Ratio(0u, 0.0, 0.0),
    Ratio(0x361962EAu, -0.253119541, 0.2113248654),
    Ratio(0x2AAAAAABu, -0.333333333, 0.1666666667),
    Ratio(0x2360DA3Au, 0.250276970, 0.1381966011));
const float RADIUS_SQUARED[5] = float[5](0.0, 1.0, 0.5, 0.5, 0.5);
const float SCALE[5] = float[5](0.0, 3.160493, 45.230614, 76.880750, 62.777707); // as in the twin

// The twin's p is cell + t. Whole cells are kept apart all the way, so that x0 is as good far from the origin.
float simplex(ivec4 cell, vec4 t, int dimension, out vec4 slope) {
    float rest;
    int whole = times(cell.x + cell.y + cell.z + cell.w, SKEW[dimension], rest);
    float skew = rest + SKEW[dimension].value * (t.x + t.y + t.z + t.w);
    ivec4 own = ivec4(0);
    for (int axis = 0; axis < dimension; axis++) {
        own[axis] = cell[axis] + whole + int(floor(t[axis] + skew));
    }
    whole = times(own.x + own.y + own.z + own.w, UNSKEW[dimension], rest);
    vec4 x0 = vec4(0.0);
    for (int axis = 0; axis < dimension; axis++) {
        x0[axis] = float(cell[axis] - own[axis] + whole) + (t[axis] + rest);
    }
    // an axis' rank is how many others it precedes; an axis of rank r steps at corner d - r
    ivec4 rank = ivec4(0);
    for (int a = 0; a < dimension; a++) {
        for (int b = a + 1; b < dimension; b++) {
            int first = int(x0[a] >= x0[b]);
            rank[a] += first;
            rank[b] += 1 - first;
        }
    }
    float noise = 0.0;
    slope = vec4(0.0);
    for (int k = 0; k <= dimension; k++) {
        ivec4 steps = ivec4(0);
        vec4 xk = vec4(0.0);
        for (int axis = 0; axis < dimension; axis++) {
            steps[axis] = int(rank[axis] >= dimension - k);
            xk[axis] = x0[axis] - float(steps[axis]) + float(k) * UNSKEW[dimension].value;
        }
        float support = max(RADIUS_SQUARED[dimension] - dot(xk, xk), 0.0);
        vec4 g = u_vectors[hash_below(hash_cell(own + steps, dimension, u_start), uint(VECTORS))];
        float along = dot(g, xk);
        float t3 = support * support * support;
        noise += t3 * support * along;
        // d(t^4 g.d)/da = t^4 g_a - 8 t^3 (g.d) d_a
        slope += t3 * support * g - 8.0 * t3 * along * xk;
    }
    slope *= SCALE[dimension];
    return SCALE[dimension] * noise;
}

float noise_simplex_1(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return simplex(cell, t, 1, slope);
}

float noise_simplex_2(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return simplex(cell, t, 2, slope);
}

float noise_simplex_3(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return simplex(cell, t, 3, slope);
}

float noise_simplex_4(ivec4 cell, vec4 t, int period, out vec4 slope) {
    return simplex(cell, t, 4, slope);
}
