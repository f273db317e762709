// What:   white noise: every point has its own number.
// Use:    float n = noise_white_2(bits, t, period, slope);
//         `bits` are those of the float32 coordinates, -0 made 0; there is no lattice: `t` and the
//         period count for nothing, and `slope` is 0
// Range:  [-1, 1)
// Source: hash.glsl
// Twin:   app/fellview/noise/white.py

#include "lib/hash.glsl"

uniform uint u_start;

float noise_white_1(ivec4 bits, vec4 t, int period, out vec4 slope) {
    slope = vec4(0.0);
    return hash_signed(hash_cell(bits, 1, u_start));
}

float noise_white_2(ivec4 bits, vec4 t, int period, out vec4 slope) {
    slope = vec4(0.0);
    return hash_signed(hash_cell(bits, 2, u_start));
}

float noise_white_3(ivec4 bits, vec4 t, int period, out vec4 slope) {
    slope = vec4(0.0);
    return hash_signed(hash_cell(bits, 3, u_start));
}

float noise_white_4(ivec4 bits, vec4 t, int period, out vec4 slope) {
    slope = vec4(0.0);
    return hash_signed(hash_cell(bits, 4, u_start));
}
