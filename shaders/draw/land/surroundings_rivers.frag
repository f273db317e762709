// What:   the rivers of a land carried on around it, as the ground is: a texture as river_courses.frag makes it.

#include "draw/land/surroundings.glsl"

uniform sampler2D u_rivers;
uniform vec2 u_first; // the place of the grid's first vertex, in sides of the land
uniform float u_sides_a_cell;
uniform float u_finer; // texels a cell
uniform float u_river_level; // at which a texel of the land's is as wide as one of these
uniform vec2 u_rivers_end; // sides from the border over which they run dry
#ifdef RECIPE
uniform sampler2D u_beyond; // rivers in that ground's own valleys, on this grid's texels
uniform float u_has_beyond; // whether there are any
#endif

out vec4 out_river;

void main() {
    vec2 place = u_first + (gl_FragCoord.xy / u_finer - 0.5) * u_sides_a_cell;
    Source at = source_of(place);
    // of what is mirrored and what is far one course, since two would leave ends between them
    vec2 from = mix(at.mirrored, most_of(at), at.share);
    vec4 river = textureLod(u_rivers, from, u_river_level);
    float turn = texelFetch(u_rivers, ivec2(from * vec2(textureSize(u_rivers, 0))), 0).a;
    vec2 odd = mod(floor(place), 2.0);
    river.a = odd.x == odd.y ? turn : fract(1.0 - turn);
    river.rgb *= 1.0 - smoothstep(u_rivers_end.x, u_rivers_end.y, at.out_sides);
#ifdef RECIPE
    vec4 beyond = u_has_beyond * texelFetch(u_beyond, ivec2(gl_FragCoord.xy), 0);
    river = beyond.r > river.r ? beyond : river;
#endif
    out_river = river;
}
