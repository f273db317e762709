// What:   the highest level of a lake at a vertex around a land or a cell around it: levels are read between vertices.
//         Elsewhere what there is without any.

uniform sampler2D u_levels; // with a vertex more on every side
uniform sampler2D u_no_lakes;

out float out_level_m;

const float NOWHERE_M = -1e6;

void main() {
    ivec2 first = ivec2(gl_FragCoord.xy);
    float level_m = texelFetch(u_levels, first, 0).r;
    for (int i = 1; i < 9; i++) {
        level_m = max(level_m, texelFetch(u_levels, first + ivec2(i % 3, i / 3), 0).r);
    }
    vec2 place = gl_FragCoord.xy / vec2(textureSize(u_levels, 0) - 2);
    out_level_m = level_m > NOWHERE_M ? level_m : texture(u_no_lakes, place).r;
}
