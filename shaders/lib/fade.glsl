// What:   the far corner's weight at offset t in a lattice cell, and its slope, for four axes at once.
// Use:    vec4 far = fade_weight(t, u_fade, slope);  fade as in the parameters: 0 linear, 1 cubic, 2 quintic
// Range:  0 ... 1 for t in 0 ... 1
// Source: K. Perlin, SIGGRAPH 1985 (cubic) and 2002 (quintic)
// Twin:   app/fellview/noise/lattice.py, weight()

vec4 fade_weight(vec4 t, int fade, out vec4 slope) {
    if (fade == 0) {
        slope = vec4(1.0);
        return t;
    }
    // from the nearer end, by w(t) = 1 - w(1 - t): near 1 the quintic's terms cancel, and a float loses four bits
    vec4 u = min(t, 1.0 - t);
    vec4 weight;
    if (fade == 1) {
        slope = 6.0 * u * (1.0 - u);
        weight = u * u * (3.0 - 2.0 * u);
    } else {
        slope = 30.0 * u * u * (1.0 - u) * (1.0 - u);
        weight = u * u * u * (u * (u * 6.0 - 15.0) + 10.0);
    }
    return mix(weight, 1.0 - weight, greaterThan(t, vec4(0.5)));
}
