// What:   the level of the lake on each cell, and on those of its shore, so that between them it is the lake's;
//         elsewhere far down, beyond its sill too: how far tells how sheltered the sea is. The shore is two cells wide,
//         as far as heights between vertices are smoothed.

uniform sampler2D u_heights;
uniform sampler2D u_depth;
uniform sampler2D u_no_lakes; // what there is without any

out float out_level_m;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(u_heights, 0) - 1;
    float ground = texelFetch(u_heights, here, 0).r;
    float nowhere = texture(u_no_lakes, gl_FragCoord.xy / vec2(last + 1)).r;
    float level = nowhere;
    for (int z = -2; z <= 2; ++z) {
        for (int x = -2; x <= 2; ++x) {
            ivec2 at = clamp(here + ivec2(x, z), ivec2(0), last);
            float depth = texelFetch(u_depth, at, 0).r;
            float there = texelFetch(u_heights, at, 0).r + depth;
            if (depth > 0.0 && there <= ground) {
                level = max(level, there);
            }
        }
    }
    float own = texelFetch(u_depth, here, 0).r;
    out_level_m = own > 0.0 ? ground + own : level;
}
