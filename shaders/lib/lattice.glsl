// What:   noise on the square lattice: a corner's value or gradient, blended by fades; and its derivatives.
// Use:    float n = lattice(cell, t, 3, period, slope);  the kind defines corner()
// Range:  the kind's; `cell` is the floor of the position, `t` the rest; coordinates past the dimension are 0
// Source: K. Perlin, "An image synthesizer", SIGGRAPH 1985
// Twin:   app/fellview/noise/lattice.py, points()

#include "lib/fade.glsl"
#include "lib/wrap.glsl"

uniform int u_fade;

// The value v and gradient g of a lattice point; each kind has its own.
void corner(ivec4 q, int dimension, out float v, out vec4 g);

// The share of the corners of one cube: of all, or in four dimensions of the half with last coordinate q.w.
void add_cube(ivec4 near, ivec4 far, vec4 t, vec4 near_weight, vec4 far_weight, vec4 far_slope, bool half_far,
              int dimension, inout float noise, inout vec4 slope) {
    for (int bits = 0; bits < 1 << min(dimension, 3); bits++) {
        ivec4 toward = ivec4(bits & 1, bits >> 1 & 1, bits >> 2, half_far);
        bvec4 is_far = equal(toward, ivec4(1));
        ivec4 q = ivec4(
            is_far.x ? far.x : near.x,
            is_far.y ? far.y : near.y,
            is_far.z ? far.z : near.z,
            is_far.w ? far.w : near.w);
        float v;
        vec4 g;
        corner(q, dimension, v, g);
        vec4 w = vec4(1.0);
        vec4 s = vec4(0.0);
        for (int axis = 0; axis < dimension; axis++) {
            w[axis] = is_far[axis] ? far_weight[axis] : near_weight[axis];
            s[axis] = is_far[axis] ? far_slope[axis] : -far_slope[axis];
        }
        float ramp = v + dot(g, t - vec4(toward));
        float whole = w.x * w.y * w.z * w.w;
        noise += whole * ramp;
        slope += whole * g + s * w.yxxx * w.zzyy * w.wwwz * ramp;
    }
}

// Cubes are added one by one, since compilers leave a loop over sixteen corners as it is, and hash each from the start.
float lattice(ivec4 cell, vec4 t, int dimension, int period, out vec4 slope) {
    ivec4 near = wrap(cell, period);
    ivec4 far = wrap(cell + 1, period);
    vec4 far_slope;
    vec4 far_weight = fade_weight(t, u_fade, far_slope);
    vec4 near_weight = 1.0 - far_weight;
    float noise = 0.0;
    slope = vec4(0.0);
    add_cube(near, far, t, near_weight, far_weight, far_slope, false, dimension, noise, slope);
    if (dimension > 3) {
        add_cube(near, far, t, near_weight, far_weight, far_slope, true, dimension, noise, slope);
    }
    return noise;
}
