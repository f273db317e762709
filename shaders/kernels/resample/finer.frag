// What:   up to four fields on more cells, bicubically, displaced at random by up to u_sway of their own cells; beyond
//         their edges they go on straight.
// Twin:   app/fellview/terrain/resample.py, finer_swayed(); without sway, finer()

#include "lib/catmull_rom.glsl"
#include "lib/swirl.glsl"

uniform sampler2D u_values;
uniform ivec2 u_cells; // of the result (columns, rows)
uniform float u_sway;
uniform uint u_salt;

out vec4 out_values;

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

void main() {
    ivec2 size = textureSize(u_values, 0);
    vec2 at = floor(gl_FragCoord.xy) * (vec2(size) / vec2(u_cells));
    if (u_sway > 0.0) {
        at = swayed(at, vec2(size), u_sway, u_salt);
    }
    ivec2 first = min(ivec2(at), size - 1);
    vec4 across = catmull_rom(at.x - float(first.x)), along = catmull_rom(at.y - float(first.y));
    out_values = vec4(0.0);
    for (int tap = 0; tap < 4; tap++) {
        int row = first.y - 1 + tap;
        out_values += along[tap] * ((across.x * value_at(first.x - 1, row, size) + across.y * value_at(first.x, row, size))
                                    + (across.z * value_at(first.x + 1, row, size)
                                       + across.w * value_at(first.x + 2, row, size)));
    }
}
