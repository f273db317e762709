// Up to four fields on more cells, bicubically, displaced at random by up to u_sway of their own cells; beyond their
// edges they go on straight. Twin of resample.finer_swayed and, with no sway, of resample.finer.

#include "lib/hash.glsl"

uniform sampler2D u_values;
uniform ivec2 u_cells; // of the result (columns, rows)
uniform float u_sway;
uniform uint u_salt;

out vec4 out_values;

const float SWIRL_CELLS = 3.0;

float uniform_at(ivec2 cell, uint salt) {
    uint row = hash_mix(uint(cell.y) * GOLDEN + salt);
    return float(int(hash_mix(row + uint(cell.x)))) * exp2(-31.0);
}

vec2 swirl(ivec2 cell) { // (x, z)
    return vec2(uniform_at(cell, u_salt + 1u), uniform_at(cell, u_salt));
}

vec4 down(int column, int row, ivec2 size) { // straight on above the first row and below the last
    int inside = clamp(row, 0, size.y - 1), over = row - inside;
    vec4 value = texelFetch(u_values, ivec2(column, inside), 0);
    if (over != 0) {
        value += float(abs(over)) * (value - texelFetch(u_values, ivec2(column, inside - sign(over)), 0));
    }
    return value;
}

vec4 value_at(int column, int row, ivec2 size) {
    int inside = clamp(column, 0, size.x - 1), over = column - inside;
    vec4 value = down(inside, row, size);
    if (over != 0) {
        value += float(abs(over)) * (value - down(inside - sign(over), row, size));
    }
    return value;
}

vec4 cubic(float t) { // Catmull-Rom weights at t between the second and the third of four points
    float s = 1.0 - t;
    return vec4(-0.5 * t * s * s, 1.0 - 0.5 * t * t * (5.0 - 3.0 * t), 1.0 - 0.5 * s * s * (5.0 - 3.0 * s),
                -0.5 * s * t * t);
}

void main() {
    ivec2 size = textureSize(u_values, 0);
    vec2 at = floor(gl_FragCoord.xy) * (vec2(size) / vec2(u_cells));
    if (u_sway > 0.0) {
        vec2 place = at / SWIRL_CELLS;
        ivec2 corner = ivec2(place);
        vec2 f = place - vec2(corner);
        f = f * f * (3.0 - 2.0 * f);
        vec2 a = swirl(corner), b = swirl(corner + ivec2(1, 0));
        vec2 c = swirl(corner + ivec2(0, 1)), d = swirl(corner + ivec2(1, 1));
        vec2 top = a + f.x * (b - a), low = c + f.x * (d - c);
        at = clamp(at + u_sway * (top + f.y * (low - top)), vec2(0.0), vec2(size));
    }
    ivec2 first = min(ivec2(at), size - 1);
    vec4 across = cubic(at.x - float(first.x)), along = cubic(at.y - float(first.y));
    out_values = vec4(0.0);
    for (int tap = 0; tap < 4; tap++) {
        int row = first.y - 1 + tap;
        out_values += along[tap] * ((across.x * value_at(first.x - 1, row, size) + across.y * value_at(first.x, row, size))
                                    + (across.z * value_at(first.x + 1, row, size)
                                       + across.w * value_at(first.x + 2, row, size)));
    }
}
