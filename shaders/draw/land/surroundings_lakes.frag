// What:   the highest level of a lake at a vertex around a land or a cell around it: levels are read between vertices.

uniform sampler2D u_levels; // with a vertex more on every side

out float out_level_m;

void main() {
    ivec2 first = ivec2(gl_FragCoord.xy);
    float level_m = texelFetch(u_levels, first, 0).r;
    for (int i = 1; i < 9; i++) {
        level_m = max(level_m, texelFetch(u_levels, first + ivec2(i % 3, i / 3), 0).r);
    }
    out_level_m = level_m;
}
