// What:   heights along lines towards the sun, for shadow_reach.frag: two equal values a texel, far below where there
//         is no land.

#include "draw/light/sheared_grid.glsl"

const float NOTHING = -1e30;

uniform sampler2D u_heights; // as they stand against the sun: ridge_heights.frag

out vec2 out_reach_m;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float minor = minor_at(line_of(texel), texel.y);
    int least = int(floor(minor));
    int cells = u_major.x == 1 ? u_cells.y : u_cells.x;
    if (least < -1 || least >= cells || minor > float(cells) - 0.5 || minor < -0.5) {
        out_reach_m = vec2(NOTHING);
        return;
    }
    int major = sheared_step(texel.y); // its own inverse
    int near = clamp(least, 0, cells - 1);
    int far = clamp(least + 1, 0, cells - 1);
    float a = texelFetch(u_heights, u_major.x == 1 ? ivec2(major, near) : ivec2(near, major), 0).r;
    float b = texelFetch(u_heights, u_major.x == 1 ? ivec2(major, far) : ivec2(far, major), 0).r;
    out_reach_m = vec2(mix(a, b, minor - float(least)));
}
