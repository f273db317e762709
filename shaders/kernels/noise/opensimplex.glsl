// What:   smooth simplex noise: wider supports than simplex noise, so that no zero line follows an edge.
// Use:    float n = noise_opensimplex_2(cell, t, period, slope);
//         `slope` holds the derivatives; the period counts for nothing
// Range:  -1 ... 1
// Source: idea of K. Spencer, OpenSimplex2 ("smooth" variant), 2020
// Twin:   app/fellview/noise/opensimplex.py

#include "lib/hash.glsl"
#include "lib/fixed_point_ratio.glsl"
#include "lib/noise_tables.glsl"

uniform uint u_start;

const Ratio SKEW_2D = Ratio(0x5DB3D743u, -0.240641378, 0.3660254038); // (sqrt(3) - 1) / 2
const Ratio UNSKEW_2D = Ratio(0x361962EAu, -0.253119541, 0.2113248654); // (3 - sqrt(3)) / 6
const Ratio DIAGONAL = Ratio(0x93CD3A2Du, -0.493760919, 0.5773502692); // 1 / sqrt(3)
const Ratio TURN = Ratio(0xC9E69D16u, 0.253119541, -0.2113248654); // (1 / sqrt(3) - 1) / 2
const float RADIUS_SQUARED_2D = 2.0 / 3.0;
const float RADIUS_SQUARED_3D = 3.0 / 4.0;
const float SCALE_2D = 18.241961; // as in the twin
const float SCALE_3D = 12.155125;

// One lattice point's share of the noise and of its slope; q is hashed, xk the offset from it.
void add_point(ivec4 q, vec4 xk, int dimension, float radius_squared, inout float noise, inout vec4 slope) {
    float support = max(radius_squared - dot(xk, xk), 0.0);
    vec4 g = u_vectors[hash_below(hash_cell(q, dimension, u_start), uint(VECTORS))];
    float along = dot(g, xk);
    float t3 = support * support * support;
    noise += t3 * support * along;
    slope += t3 * support * g - 8.0 * t3 * along * xk;
}

float noise_opensimplex_2(ivec4 cell, vec4 t, int period, out vec4 slope) {
    float rest;
    int whole = times(cell.x + cell.y, SKEW_2D, rest);
    float skew = rest + SKEW_2D.value * (t.x + t.y);
    ivec2 own = cell.xy + whole + ivec2(floor(t.xy + skew));
    whole = times(own.x + own.y, UNSKEW_2D, rest);
    vec2 x0 = vec2(cell.xy - own + whole) + (t.xy + rest);
    int i = x0.x >= x0.y ? 1 : 0;
    int j = 1 - i;
    ivec2 points[6] = ivec2[6](
        ivec2(0, 0), ivec2(i, j), ivec2(1, 1), ivec2(j, i), ivec2(i - 1, j - 1), ivec2(i + 1, j + 1));
    float noise = 0.0;
    slope = vec4(0.0);
    for (int k = 0; k < 6; k++) {
        vec2 xk = x0 - vec2(points[k]) + float(points[k].x + points[k].y) * UNSKEW_2D.value;
        add_point(ivec4(own + points[k], 0, 0), vec4(xk, 0.0, 0.0), 2, RADIUS_SQUARED_2D, noise, slope);
    }
    slope *= SCALE_2D;
    return SCALE_2D * noise;
}

float noise_opensimplex_3(ivec4 cell, vec4 t, int period, out vec4 slope) {
    // whole cells and rests of the turned position, each with the share that the turn takes from the other axes
    float turned_rest, up_rest, side_rest;
    int turned = times(cell.x + cell.y, TURN, turned_rest);
    int up = times(cell.z, DIAGONAL, up_rest);
    int side = times(cell.z - cell.x - cell.y, DIAGONAL, side_rest);
    float s = (t.x + t.y) * TURN.value + t.z * DIAGONAL.value;
    vec3 turned_t = vec3(
        t.xy + (turned_rest + up_rest + s),
        side_rest + (t.z - t.x - t.y) * DIAGONAL.value);
    ivec3 turned_cell = ivec3(cell.xy + turned + up, side);
    float noise = 0.0;
    vec4 d = vec4(0.0);
    for (int half_step = 0; half_step < 2; half_step++) {
        vec3 o = turned_t - 0.5 * float(half_step);
        ivec3 own = turned_cell + ivec3(floor(o));
        o -= floor(o);
        for (int bits = 0; bits < 8; bits++) {
            ivec3 point = ivec3(bits & 1, bits >> 1 & 1, bits >> 2);
            ivec3 q = 2 * (own + point) + half_step;
            add_point(ivec4(q, 0), vec4(o - vec3(point), 0.0), 3, RADIUS_SQUARED_3D, noise, d);
        }
    }
    // the turn's transpose brings the derivatives back
    float both = (d.x + d.y) * TURN.value - d.z * DIAGONAL.value;
    slope = SCALE_3D * vec4(d.x + both, d.y + both, (d.x + d.y + d.z) * DIAGONAL.value, 0.0);
    return SCALE_3D * noise;
}
