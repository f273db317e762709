// What:   the level of the lake at each vertex of the grid around a land and of those a cell beyond its borders, raised
//         and lowered with the ground that it lies in, or far down where there is none.

#include "draw/land/surroundings.glsl"

uniform sampler2D u_lakes;
uniform vec2 u_first;
uniform float u_sides_a_cell;
uniform float u_plain_m;

out float out_level_m;

const float NOWHERE_M = -1e6;
const float DRAINED = 0.5; // of the land's height: where the ground sinks to the plain there are none

void main() {
    vec2 place = u_first + (floor(gl_FragCoord.xy) - 1.0) * u_sides_a_cell;
    Source at = source_of(place);
    vec2 from = at.share < 0.5 ? at.mirrored : at.far[0];
    float found_m = texelFetch(u_lakes, ivec2(from * u_land_texels), 0).r;
    float height = mix(1.0, at.height, at.share);
    bool is_wet = found_m > 0.5 * NOWHERE_M && (height > DRAINED * u_settles.z || at.share == 0.0);
#ifdef RECIPE
    is_wet = is_wet && at.share < 0.5; // far ground is raised and tilted, and so would be what is level
#endif
    out_level_m = is_wet ? u_plain_m + height * (found_m - u_plain_m) - at.sunk_m : NOWHERE_M;
}
