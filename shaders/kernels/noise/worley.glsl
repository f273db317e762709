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

// Let the feature of the cell with hash h, `offset` away from the own one, count.
void meet(uint h, ivec4 offset, vec4 t, int dimension, inout Found found) {
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
    // raster order: the earlier cell wins a tie. The outer loop tests at its end, since software OpenGL runs the body
    // once more after a test at the start.
    Found found = Found(UNKNOWN, UNKNOWN, 0u);
    ivec4 at[3] = ivec4[3](wrap(cell - 1, period), wrap(cell, period), wrap(cell + 1, period));
    int i = -1;
    do {
        uint h_x = hash_chain(u_start, wrap(cell + i, period).x);
        for (int j = dimension > 1 ? -1 : 0; j <= (dimension > 1 ? 1 : 0); j++) {
            uint h_y = dimension > 1 ? hash_chain(h_x, at[j + 1].y) : h_x;
            for (int k = dimension > 2 ? -1 : 0; k <= (dimension > 2 ? 1 : 0); k++) {
                uint h = dimension > 2 ? hash_chain(h_y, at[k + 1].z) : h_y;
                meet(h, ivec4(i, j, k, 0), t, dimension, found);
            }
        }
    } while (++i <= 1);
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
        uint h = hash_cell(wrap(cell + offset - 2, period), dimension, u_start);
        meet(h, offset - 2, t, dimension, found);
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
