// What:   two fields in one, with two cells more on every side, going on straight.
// Twin:   app/fellview/terrain/resample.py, _extended()

uniform sampler2D u_one;
uniform sampler2D u_other;

out vec2 out_values;

vec2 at(ivec2 cell) {
    return vec2(texelFetch(u_one, cell, 0).x, texelFetch(u_other, cell, 0).x);
}

vec2 along_row(ivec2 cell, int column, int inward, float beyond) {
    vec2 value = at(ivec2(column, cell.y));
    return value + beyond * (value - at(ivec2(inward, cell.y)));
}

void main() {
    ivec2 last = textureSize(u_one, 0) - 1;
    ivec2 asked = ivec2(gl_FragCoord.xy) - 2;
    ivec2 cell = clamp(asked, ivec2(0), last);
    ivec2 inward = clamp(2 * cell - asked, cell - 1, cell + 1);
    vec2 beyond = vec2(abs(asked - cell));
    inward = clamp(inward, ivec2(0), last);
    vec2 here = along_row(cell, cell.x, inward.x, beyond.x);
    vec2 there = along_row(ivec2(cell.x, inward.y), cell.x, inward.x, beyond.x);
    out_values = here + beyond.y * (here - there);
}
