// What:   where a sample of a map lies in the lattice of an octave: whole cells and the rest, apart.
// Use:    vec4 t;  ivec4 cell = place(octave, field, bent, t);
// Range:  t 0 ... 1; coordinates past DIMENSION are 0
// Source: tables that the CPU fills in double precision, one entry a row or column of the map for every octave and
//         field of the warp: (the cell, the bits of the rest). A float product of frequency and position would lose a
//         bit with every octave.
// Twin:   app/fellview/gpu/noise_map.py, which fills the tables; app/fellview/noise/evaluate.py, summed()

uniform isampler2D u_places_x; // along rows, or along columns where there is but one dimension
uniform isampler2D u_places_y; // along columns
uniform int u_fields;
uniform float u_factor[OCTAVES];
uniform ivec2 u_across_cell[OCTAVES]; // z and w, the same for the whole map
uniform vec2 u_across_t[OCTAVES];

// `bent` is the warp's displacement of x and y, in cycles of the first octave.
ivec4 place(int octave, int field, vec2 bent, out vec4 t) {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int entry = octave * u_fields + field;
    ivec4 cell = ivec4(0);
    t = vec4(0.0);
    ivec2 x = texelFetch(u_places_x, ivec2(DIMENSION > 1 ? texel.y : texel.x, entry), 0).rg;
    t.x = intBitsToFloat(x.g) + bent.x * u_factor[octave];
    cell.x = x.r + int(floor(t.x));
    t.x -= floor(t.x);
#if DIMENSION > 1
    ivec2 y = texelFetch(u_places_y, ivec2(texel.x, entry), 0).rg;
    t.y = intBitsToFloat(y.g) + bent.y * u_factor[octave];
    cell.y = y.r + int(floor(t.y));
    t.y -= floor(t.y);
#endif
#if DIMENSION > 2
    cell.z = u_across_cell[octave].x;
    t.z = u_across_t[octave].x;
#endif
#if DIMENSION > 3
    cell.w = u_across_cell[octave].y;
    t.w = u_across_t[octave].y;
#endif
    return cell;
}
