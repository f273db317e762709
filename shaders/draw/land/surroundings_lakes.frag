// What:   the levels of lakes around a land, raised and lowered with the ground that they lie in, or far down where
//         there is none.

#include "draw/land/surroundings.glsl"

uniform sampler2D u_lakes;
uniform vec2 u_first;
uniform float u_sides_a_cell;
uniform float u_plain_m;

out float out_level_m;

const float NOWHERE_M = -1e6;
const float DRAINED = 0.5; // of the land's height: where the ground sinks to the plain there are none

void main() {
    float level_m = NOWHERE_M;
    for (int i = 0; i < 9; i++) { // and a cell around: levels are read between vertices
        vec2 place = u_first + (floor(gl_FragCoord.xy) + vec2(i % 3 - 1, i / 3 - 1)) * u_sides_a_cell;
        Source at = source_of(place);
        vec2 from = at.share < 0.5 ? at.mirrored : at.far;
        float found_m = texelFetch(u_lakes, ivec2(from * u_land_texels), 0).r;
        float height = mix(1.0, at.height, at.share);
        if (found_m > 0.5 * NOWHERE_M && (height > DRAINED * u_settles.z || at.share == 0.0)) {
            level_m = max(level_m, u_plain_m + height * (found_m - u_plain_m));
        }
    }
    out_level_m = level_m;
}
