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
    if (fade == 1) {
        slope = 6.0 * t * (1.0 - t);
        return t * t * (3.0 - 2.0 * t);
    }
    slope = 30.0 * t * t * (1.0 - t) * (1.0 - t);
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}
