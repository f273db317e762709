// What:   a lattice index within the period; a period of 0 leaves it alone.
// Use:    ivec4 near = wrap(cell, period);
// Range:  0 ... period - 1; right for indices within 2^22 periods and periods below 2^30
// Source: floor division by way of float, then one step of correction: % is undefined for negative numbers in GLSL
//         3.30, and integer division is slow on every vector unit
// Twin:   app/fellview/noise/lattice.py, wrap()

ivec4 wrap(ivec4 cell, int period) {
    float share = period > 0 ? 1.0 / float(period) : 0.0;
    ivec4 turns = ivec4(floor(vec4(cell) * share));
    ivec4 rest = cell - turns * period;
    rest += ivec4(lessThan(rest, ivec4(0))) * period;
    return rest - ivec4(greaterThanEqual(rest, ivec4(period))) * period;
}
