// What:   the lowest and the highest of blocks of 8 × 8 cells: first of heights, then of such pairs.
// Twin:   app/fellview/terrain/steps/curve.py, run()

uniform sampler2D u_values;
uniform int u_first; // 1 where the values are heights

const int BLOCK = 8;

out vec2 out_extremes;

void main() {
    ivec2 corner = ivec2(gl_FragCoord.xy) * BLOCK;
    ivec2 last = textureSize(u_values, 0) - 1;
    vec2 found = texelFetch(u_values, corner, 0).rg;
    float low = found.r, high = u_first == 1 ? found.r : found.g;
    for (int r = 0; r < BLOCK; r++) {
        for (int c = 0; c < BLOCK; c++) {
            vec2 value = texelFetch(u_values, min(corner + ivec2(c, r), last), 0).rg;
            low = min(low, value.r);
            high = max(high, u_first == 1 ? value.r : value.g);
        }
    }
    out_extremes = vec2(low, high);
}
