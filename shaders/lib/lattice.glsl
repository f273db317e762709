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

float lattice(ivec4 cell, vec4 t, int dimension, int period, out vec4 slope) {
    ivec4 near = wrap(cell, period);
    ivec4 far = wrap(cell + 1, period);
    vec4 slope_far;
    vec4 weight_far = fade_weight(t, u_fade, slope_far);
    vec4 weight_near = 1.0 - weight_far;
    float noise = 0.0;
    slope = vec4(0.0);
    for (int bits = 0; bits < 1 << dimension; bits++) {
        ivec4 toward = ivec4(bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3);
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
            w[axis] = is_far[axis] ? weight_far[axis] : weight_near[axis];
            s[axis] = is_far[axis] ? slope_far[axis] : -slope_far[axis];
        }
        float ramp = v + dot(g, t - vec4(toward));
        float whole = w.x * w.y * w.z * w.w;
        noise += whole * ramp;
        slope += whole * g + s * w.yxxx * w.zzyy * w.wwwz * ramp;
    }
    return noise;
}
