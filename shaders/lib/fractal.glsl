// What:   one octave added to a sum, in every fractal mode.
// Use:    vec2 state = fractal_state();  total += fractal_share(amplitude, noise, slope.xy, state);
// Range:  shares of fbm, billow and derivative-damped add up to -1 ... 1, of ridged and turbulence to 0 ... 1, of
//         hybrid to -0.18 ... 1
// Source: F. K. Musgrave in "Texturing and Modeling" (3rd ed., 2003), ch. 16; I. Quilez, "More noise" (2008)
// Twin:   app/fellview/noise/fractal.py, accumulate()

const int FBM = 0, BILLOW = 1, RIDGED = 2, HYBRID = 3, TURBULENCE = 4, DAMPED = 5;
const float HYBRID_OFFSET = 0.7;

uniform int u_mode;

// The weight of ridged and hybrid, in x; or the sum of slopes.
vec2 fractal_state() {
    return u_mode == DAMPED ? vec2(0.0) : vec2(1.0, 0.0);
}

float fractal_share(float amplitude, float noise, vec2 slope, inout vec2 state) {
    if (u_mode == FBM) {
        return amplitude * noise;
    }
    if (u_mode == BILLOW) {
        return amplitude * (2.0 * abs(noise) - 1.0);
    }
    if (u_mode == TURBULENCE) {
        return amplitude * abs(noise);
    }
    if (u_mode == RIDGED) {
        float ridge = 1.0 - abs(noise);
        float signal = state.x * ridge * ridge;
        state.x = min(2.0 * signal, 1.0);
        return amplitude * signal;
    }
    if (u_mode == HYBRID) {
        float signal = state.x * (noise + HYBRID_OFFSET);
        state.x = clamp(signal, 0.0, 1.0);
        return amplitude / (1.0 + HYBRID_OFFSET) * signal;
    }
    state += slope;
    return amplitude * noise / (1.0 + dot(state, state));
}
