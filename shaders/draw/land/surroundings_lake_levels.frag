// What:   the level of the lake at each vertex of the grid around a land and of those a cell beyond its borders, raised
//         and lowered with the ground that it lies in, or far down where there is none. On ground of the recipe's form,
//         where what is mirrored would lie aslant, lakes are those of its own hollows.
// Twin:   app/fellview/draw/land/surroundings_lakes.py, which finds these

#include "draw/land/surroundings.glsl"

#ifdef RECIPE
uniform sampler2D u_hollows; // the levels of blocks
uniform float u_hollows_last; // sides of the land beyond each border up to which they reach
uniform float u_blocks; // a side of the land
#else
uniform sampler2D u_lakes;
#endif
uniform vec2 u_first;
uniform float u_sides_a_cell;
uniform float u_plain_m;

out float out_level_m;

const float NOWHERE_M = -1e6;
const float WITHIN = 1e-3; // of a block: a vertex on its first side is in it
const float DRAINED = 0.5; // of the land's height: where the ground sinks to the plain there are none

void main() {
    vec2 place = u_first + (floor(gl_FragCoord.xy) - 1.0) * u_sides_a_cell;
#ifdef RECIPE
    ivec2 block = ivec2(floor((place + u_hollows_last) * u_blocks + WITHIN)), count = textureSize(u_hollows, 0);
    bool is_known = all(greaterThanEqual(block, ivec2(0))) && all(lessThan(block, count));
    out_level_m = is_known ? texelFetch(u_hollows, block, 0).r : NOWHERE_M;
#else
    Source at = source_of(place);
    vec2 from = at.share < 0.5 ? at.mirrored : most_of(at);
    float found_m = texelFetch(u_lakes, ivec2(from * u_land_texels), 0).r;
    float height = mix(1.0, at.height, at.share);
    bool is_wet = found_m > 0.5 * NOWHERE_M && (height > DRAINED * u_settles.z || at.share == 0.0);
    out_level_m = is_wet ? u_plain_m + height * (found_m - u_plain_m) - at.sunk_m : NOWHERE_M;
#endif
}
