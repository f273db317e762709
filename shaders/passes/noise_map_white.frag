// White noise over a regular grid, in fractal modes and warped. It has no lattice but reads the bits of float32
// coordinates, so places and sums are kept in double width: a warp that is off by one bit gives another number.
// The kernel stands in front, with NOISE, DIMENSION and OCTAVES.
// Twin: app/fellview/noise/evaluate.py, warped() and summed(); app/fellview/noise/fractal.py, accumulate()

#include "lib/wide.glsl"

const int FBM = 0, BILLOW = 1, RIDGED = 2, HYBRID = 3; // the rest is turbulence; there are no slopes to damp by
const vec2 HYBRID_OFFSET = vec2(0.699999988079071, 1.19209291e-8); // 0.7
const vec2 HYBRID_SHARE = vec2(0.5882353186607361, -2.4543089e-8); // 1 / 1.7

uniform isampler2D u_places_x; // bits of coordinates, high and low part; otherwise as in lib/place.glsl
uniform isampler2D u_places_y;
uniform int u_fields;
uniform vec2 u_wide_factor[OCTAVES];
uniform ivec2 u_across_cell[OCTAVES]; // bits of z and w
uniform int u_mode;
uniform int u_octaves;
uniform vec2 u_wide_amplitude[OCTAVES];
uniform vec2 u_wide_warp;
uniform int u_only; // the octave whose share alone is wanted, or -1
uniform vec2 u_range; // what the sum is multiplied by, and what is added then

out float out_noise;

// The bits of the float nearest to a coordinate, displaced by the warp.
int bits(ivec2 place, vec2 bent, int octave) {
    vec2 coordinate = wide_add(intBitsToFloat(place), wide_times(bent, u_wide_factor[octave]));
    return floatBitsToInt(coordinate.x + 0.0);
}

vec2 share(vec2 amplitude, float noise, inout vec2 state) {
    if (u_mode == FBM) {
        return wide_times(amplitude, vec2(noise, 0.0));
    }
    if (u_mode == BILLOW) {
        return wide_times(amplitude, vec2(2.0 * abs(noise) - 1.0, 0.0));
    }
    if (u_mode == RIDGED) {
        vec2 ridge = vec2(1.0 - abs(noise), 0.0);
        vec2 signal = wide_times(wide_times(state, ridge), ridge);
        state = 2.0 * signal.x < 1.0 ? 2.0 * signal : vec2(1.0, 0.0);
        return wide_times(amplitude, signal);
    }
    if (u_mode == HYBRID) {
        vec2 signal = wide_times(state, wide_add(vec2(noise, 0.0), HYBRID_OFFSET));
        state = signal.x < 0.0 ? vec2(0.0) : signal.x < 1.0 ? signal : vec2(1.0, 0.0);
        return wide_times(wide_times(amplitude, HYBRID_SHARE), signal);
    }
    return wide_times(amplitude, vec2(abs(noise), 0.0));
}

// `bent_x`, `bent_y`: the warp's displacement, in cycles of the first octave.
vec2 summed(int field, vec2 bent_x, vec2 bent_y, int only) {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec2 total = vec2(0.0);
    vec2 state = vec2(1.0, 0.0);
    int octave = 0;
    do {
        int entry = octave * u_fields + field;
        ivec4 cell = ivec4(0);
        cell.x = bits(texelFetch(u_places_x, ivec2(DIMENSION > 1 ? texel.y : texel.x, entry), 0).rg, bent_x, octave);
#if DIMENSION > 1
        cell.y = bits(texelFetch(u_places_y, ivec2(texel.x, entry), 0).rg, bent_y, octave);
#endif
#if DIMENSION > 2
        cell.zw = u_across_cell[octave];
#endif
        vec2 one = share(u_wide_amplitude[octave], NOISE(cell), state);
        if (only < 0 || only == octave) {
            total = wide_add(total, one);
        }
    } while (++octave < u_octaves);
    return total;
}

// Fields as in noise_map.frag.
void main() {
    vec2 bent_x = vec2(0.0);
    vec2 bent_y = vec2(0.0);
    vec2 noise = vec2(0.0);
    int field = 0;
    do {
        vec2 before = noise;
        noise = summed(field, bent_x, bent_y, field == u_fields - 1 ? u_only : -1);
        if ((field & 1) == 1) {
            bent_x = wide_times(u_wide_warp, before);
            bent_y = wide_times(u_wide_warp, noise);
        }
    } while (++field < u_fields);
    out_noise = u_range.x * noise.x + u_range.y;
}
