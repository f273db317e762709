// What:   Worley noise: distances to scattered feature points, one in every lattice cell.
// Use:    float n = noise_worley_2(cell, t, period, slope);  `slope` is 0, there are no derivatives
// Range:  F1 0 ... a cell's diagonal, F2 that of 1 1/2 cells by one; value [-1, 1)
// Source: S. Worley, "A cellular texture basis function", SIGGRAPH 1996
// Twin:   app/fellview/noise/worley.py

#include "lib/hash.glsl"
#include "lib/wrap.glsl"

const int EUCLIDEAN = 0, MANHATTAN = 1; // the third is Chebyshev
const int F1 = 0, F2 = 1, VALUE = 3; // the fourth, 2, is F2 - F1
const float UNKNOWN = 1e30;

uniform uint u_start;
uniform int u_metric;
uniform int u_output;
uniform float u_jitter;

// The two smallest distances so far (squared if Euclidean) and the nearest cell's hash.
struct Found {
    float first;
    float second;
    uint nearest;
};

// Let the feature of the cell `offset` away from the own one count; distances are from the own cell, to keep bits.
void meet(ivec4 cell, ivec4 offset, vec4 t, int dimension, int period, inout Found found) {
    uint h = hash_cell(wrap(cell + offset, period), dimension, u_start);
    vec3 delta = vec3(0.0);
    for (int axis = 0; axis < dimension; axis++) {
        float scattered = 0.5 + u_jitter * (hash_unit(hash_more(h, uint(1 + axis))) - 0.5);
        delta[axis] = abs(float(offset[axis]) + scattered - t[axis]);
    }
    float apart = u_metric == EUCLIDEAN ? dot(delta, delta)
        : u_metric == MANHATTAN ? delta.x + delta.y + delta.z
        : max(delta.x, max(delta.y, delta.z));
    bool nearer = apart < found.first;
    found.second = nearer ? found.first : min(found.second, apart);
    found.first = nearer ? apart : found.first;
    found.nearest = nearer ? h : found.nearest;
}

float worley(ivec4 cell, vec4 t, int dimension, int period) {
    Found found = Found(UNKNOWN, UNKNOWN, 0u);
    int cells = dimension == 1 ? 3 : dimension == 2 ? 9 : 27;
    for (int n = 0; n < cells; n++) { // raster order: the earlier cell wins a tie
        ivec4 offset = dimension == 1 ? ivec4(n, 1, 1, 1)
            : dimension == 2 ? ivec4(n / 3, n % 3, 1, 1)
            : ivec4(n / 9, n / 3 % 3, n % 3, 1);
        meet(cell, offset - 1, t, dimension, period, found);
    }
    float edge = min(t.x, 1.0 - t.x);
    if (dimension > 1) {
        edge = min(edge, min(t.y, 1.0 - t.y));
    }
    if (dimension > 2) {
        edge = min(edge, min(t.z, 1.0 - t.z));
    }
    float sure = u_metric == EUCLIDEAN ? (1.0 + edge) * (1.0 + edge) : 1.0 + edge;
    // a loop that few enter, where an `if` would make software OpenGL search the wider ring everywhere
    int wider = dimension == 1 ? 5 : dimension == 2 ? 25 : 125;
    bool certain = (u_output == F1 || u_output == VALUE ? found.first : found.second) <= sure;
    if (!certain) {
        found = Found(UNKNOWN, UNKNOWN, 0u);
    }
    for (int n = certain ? wider : 0; n < wider; n++) {
        ivec4 offset = dimension == 1 ? ivec4(n, 2, 2, 2)
            : dimension == 2 ? ivec4(n / 5, n % 5, 2, 2)
            : ivec4(n / 25, n / 5 % 5, n % 5, 2);
        meet(cell, offset - 2, t, dimension, period, found);
    }
    if (u_output == VALUE) {
        return hash_signed(found.nearest);
    }
    if (u_metric == EUCLIDEAN) {
        found.first = sqrt(found.first);
        found.second = sqrt(found.second);
    }
    return u_output == F1 ? found.first : u_output == F2 ? found.second : found.second - found.first;
}

float noise_worley_1(ivec4 cell, vec4 t, int period, out vec4 slope) {
    slope = vec4(0.0);
    return worley(cell, t, 1, period);
}

float noise_worley_2(ivec4 cell, vec4 t, int period, out vec4 slope) {
    slope = vec4(0.0);
    return worley(cell, t, 2, period);
}

float noise_worley_3(ivec4 cell, vec4 t, int period, out vec4 slope) {
    slope = vec4(0.0);
    return worley(cell, t, 3, period);
}
