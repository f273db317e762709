// What:   how high the shadow of all land towards the sun stands, in metres: for the rays from the sun's lower limb (x)
//         and upper limb (y). A ray falls by its drop a step, so that the shadow is the greatest of height - steps *
//         drop. Each pass takes four values u_stride steps apart, so that n passes look 4^n steps far.

#include "draw/light/sheared_grid.glsl"

uniform sampler2D u_reach;
uniform int u_stride;
uniform int u_skip; // 1 in the first pass: land throws no shadow on itself
uniform vec2 u_drop_m; // a step, of the rays from the lower and the upper limb

out vec2 out_reach_m;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int steps = textureSize(u_reach, 0).y;
    int line = line_of(texel);
    vec2 reach = vec2(-1e30);
    for (int i = 0; i < 4; ++i) {
        int away = (i + u_skip) * u_stride;
        ivec2 at = ivec2(texel.x, texel.y + away);
        if (at.y < steps && line_of(at) == line) {
            vec2 there = texelFetch(u_reach, at, 0).rg;
            reach = max(reach, there - float(away) * u_drop_m);
        }
    }
    out_reach_m = reach;
}
