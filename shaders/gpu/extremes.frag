// What:   the lowest and highest of each block of cells along one axis, and whether all were finite. Twice, along rows
//         and along columns, this makes a small table of a whole grid. Neighbouring blocks share the cell on their
//         border.

uniform sampler2D u_values; // lowest, highest, not finite; at first the heights
uniform bool u_first; // the values are heights
uniform ivec2 u_axis; // (1, 0) along columns, (0, 1) along rows
uniform int u_step; // cells from block to block

out vec4 out_extremes;

const int EXPONENT = 0x7f800000; // all ones in what is infinite or no number; compilers may take isnan() for false

vec3 extremes_at(ivec2 cell) {
    vec4 values = texelFetch(u_values, cell, 0);
    if (!u_first) {
        return values.xyz;
    }
    return vec3(values.xx, (floatBitsToInt(values.x) & EXPONENT) == EXPONENT);
}

void main() {
    ivec2 block = ivec2(gl_FragCoord.xy);
    ivec2 cell = block * (1 - u_axis) + u_axis * u_step * block;
    ivec2 last = textureSize(u_values, 0) - 1;
    vec3 found = extremes_at(cell);
    for (int i = 0; i < u_step; i++) {
        cell = min(cell + u_axis, last);
        vec3 other = extremes_at(cell);
        found = vec3(min(found.x, other.x), max(found.yz, other.yz));
    }
    out_extremes = vec4(found, 0.0);
}
