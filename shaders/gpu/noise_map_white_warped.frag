// What:   white noise over a regular grid after the domain warp. It has no lattice but reads the bits of float32
//         coordinates, and a warp that is off by one bit gives another number: places and sums are those of the CPU to
//         the last bit. The kernel stands in front, with NOISE, DIMENSION, OCTAVES and FIELDS.
// Twin:   app/fellview/noise/evaluate.py, warped() and summed(); app/fellview/noise/fractal.py, accumulate()

#include "lib/float64.glsl"

const int FBM = 0, BILLOW = 1, RIDGED = 2, HYBRID = 3; // the rest is turbulence; there are no slopes to damp by
const uvec2 HYBRID_OFFSET = uvec2(0x3FE66666u, 0x66666666u); // 0.7

uniform isampler2D u_places_x; // float64 words; along rows, or along columns where there is but one dimension
uniform isampler2D u_places_y; // along columns
uniform int u_fields;
uniform uvec4 u_double_offset[FIELDS]; // of a field along x and y
uniform uvec2 u_double_factor[OCTAVES];
uniform uvec4 u_double_shift[OCTAVES]; // along x and y
uniform uvec2 u_double_amplitude[OCTAVES]; // in the hybrid mode over 1.7
uniform uvec2 u_double_warp;
uniform ivec2 u_across_cell[OCTAVES]; // the bits of z and w
uniform int u_mode;
uniform int u_octaves;
uniform int u_only; // the octave whose share alone is wanted, or -1
uniform vec2 u_range; // what the sum is multiplied by, and what is added then

out float out_noise;

uvec2 share(uvec2 amplitude, float noise, inout uvec2 state) {
    uvec2 signal;
    if (u_mode == FBM) {
        signal = double_from_float(noise);
    } else if (u_mode == BILLOW) {
        signal = double_from_float(2.0 * abs(noise) - 1.0);
    } else if (u_mode == RIDGED) {
        uvec2 ridge = double_from_float(1.0 - abs(noise));
        signal = double_times(double_times(state, ridge), ridge);
        uvec2 twice = double_exponent(signal) > 0 ? signal + uvec2(1u << 20, 0u) : DOUBLE_ZERO;
        state = twice.x < DOUBLE_ONE.x ? twice : DOUBLE_ONE;
    } else if (u_mode == HYBRID) {
        signal = double_times(state, double_add(double_from_float(noise), HYBRID_OFFSET));
        state = (signal.x & SIGN) != 0u ? DOUBLE_ZERO : signal.x < DOUBLE_ONE.x ? signal : DOUBLE_ONE;
    } else {
        signal = double_from_float(abs(noise));
    }
    return double_times(amplitude, signal);
}

// The bits of the float nearest to an octave's coordinate.
int bits(uvec2 moved, uvec2 shift, int octave) {
    return double_to_float_bits(double_add(double_times(moved, u_double_factor[octave]), shift));
}

uvec2 summed(int field, uvec2 bent_x, uvec2 bent_y, int only) {
    uvec2 moved_x = double_add(bent_x, u_double_offset[field].xy);
    uvec2 moved_y = double_add(bent_y, u_double_offset[field].zw);
    uvec2 total = DOUBLE_ZERO;
    uvec2 state = DOUBLE_ONE;
    int octave = 0;
    do {
        ivec4 cell = ivec4(
            bits(moved_x, u_double_shift[octave].xy, octave),
            bits(moved_y, u_double_shift[octave].zw, octave),
            u_across_cell[octave]);
        vec4 slope;
        uvec2 one = share(u_double_amplitude[octave], NOISE(cell, vec4(0.0), 0, slope), state);
        total = only < 0 || only == octave ? double_add(total, one) : total;
    } while (++octave < u_octaves);
    return total;
}

// Fields as in noise_map.frag.
void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    uvec2 x = uvec2(texelFetch(u_places_x, ivec2(DIMENSION > 1 ? texel.y : texel.x, 0), 0).rg);
    uvec2 y = uvec2(texelFetch(u_places_y, ivec2(texel.x, 0), 0).rg);
    uvec2 bent_x = x;
    uvec2 bent_y = y;
    uvec2 noise = DOUBLE_ZERO;
    int field = 0;
    do {
        uvec2 before = noise;
        noise = summed(field, bent_x, bent_y, field == u_fields - 1 ? u_only : -1);
        if ((field & 1) == 1) {
            bent_x = double_add(x, double_times(u_double_warp, before));
            bent_y = double_add(y, double_times(u_double_warp, noise));
        }
    } while (++field < u_fields);
    out_noise = u_range.x * intBitsToFloat(double_to_float_bits(noise)) + u_range.y;
}
