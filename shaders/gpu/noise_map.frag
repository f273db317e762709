// What:   noise over a regular grid: octaves summed in a fractal mode, after the domain warp. The kernel of the kind
//         stands in front, with NOISE, DIMENSION and OCTAVES.
// Twin:   app/fellview/noise/evaluate.py, warped() and summed()

#include "lib/lattice_cell.glsl"
#include "lib/fractal.glsl"

uniform int u_octaves;
uniform float u_amplitude[OCTAVES];
uniform int u_period[OCTAVES];
uniform float u_warp;
uniform int u_only; // the octave whose share alone is wanted, or -1
uniform vec2 u_range; // what the sum is multiplied by, and what is added then

out float out_noise;

// Loops test at their end: software OpenGL runs the body once more, to no effect, after a test at the start.
float summed(int field, vec2 bent, int only) {
    float total = 0.0;
    vec2 state = fractal_state();
    int octave = 0;
    do {
        vec4 t, slope;
        ivec4 cell = place(octave, field, bent, t);
        float noise = NOISE(cell, t, u_period[octave], slope);
        float share = fractal_share(u_amplitude[octave], noise, slope.xy, state);
        total += only < 0 || only == octave ? share : 0.0;
    } while (++octave < u_octaves);
    return total;
}

// Fields 0 and 1 bend x and y of the sum that follows, 2 and 3 those of the second level; the last is the result.
void main() {
    vec2 bent = vec2(0.0);
    float noise = 0.0;
    int field = 0;
    do {
        float before = noise;
        noise = summed(field, bent, field == u_fields - 1 ? u_only : -1);
        if ((field & 1) == 1) {
            bent = u_warp * vec2(before, noise);
        }
    } while (++field < u_fields);
    out_noise = u_range.x * noise + u_range.y;
}
