// What:   values on the cells of another grid along one axis, by a table of weights; then as metres.
// Twin:   app/fellview/terrain/resample.py, window()

uniform sampler2D u_values;
uniform sampler2D u_taps;  // [cell, tap]: the first source cell, then the weights from it on
uniform sampler2D u_below;
uniform bool u_along_rows; // else down columns
uniform bool u_adds;
uniform float u_first;
uniform float u_scale;
uniform float u_lowest;

out float out_value;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(u_values, 0) - 1;
    int i = u_along_rows ? cell.x : cell.y;
    int first = int(texelFetch(u_taps, ivec2(0, i), 0).x);
    int taps = textureSize(u_taps, 0).x - 1;
    float total = 0.0;
    for (int tap = 0; tap < taps; tap++) {
        ivec2 from = u_along_rows ? ivec2(first + tap, cell.y) : ivec2(cell.x, first + tap);
        total += texelFetch(u_taps, ivec2(tap + 1, i), 0).x * texelFetch(u_values, clamp(from, ivec2(0), last), 0).x;
    }
    out_value = (total - u_first) * u_scale + u_lowest;
    if (u_adds) {
        out_value += texelFetch(u_below, cell, 0).x;
    }
}
