// What:   the weights of four points in a row for a value between the second and the third, at t.
// Use:    vec4 weights = catmull_rom(t);
// Range:  t 0 to 1; the weights add up to 1
// Source: E. Catmull, R. Rom, "A class of local interpolating splines" (1974), doi:10.1016/B978-0-12-079050-0.50020-5
// Twin:   app/fellview/terrain/resample.py, cubic()

vec4 catmull_rom(float t) {
    float s = 1.0 - t;
    return vec4(
        -0.5 * t * s * s,
        1.0 - 0.5 * t * t * (5.0 - 3.0 * t),
        1.0 - 0.5 * s * s * (5.0 - 3.0 * s),
        -0.5 * s * t * t
    );
}
