// What:   what a texture of the land has of every vertex, carried on around it as the heights are.
// Note:   beside the border ground is neither mirrored nor far, but what runs out of both: its slope and its bend are
//         those of the heights here. A mirrored bend would have ridges for hollows, and lay snow the wrong way round.
//         The plain at the end has the land's means, or the rim would draw them out to the horizon as streaks.

#include "draw/land/surroundings.glsl"
#ifdef RECIPE
#include "draw/land/recipe_form.glsl"
#endif

uniform sampler2D u_field;
uniform sampler2D u_heights; // of this grid
uniform vec2 u_cell_m; // its cells, x and z
uniform vec2 u_first;
uniform float u_sides_a_cell;
uniform float u_level;
uniform float u_has_slopes; // 1 where the last of four is a slope in degrees, and the third a curvature: they go by the height

out vec4 out_field;

float height_m(ivec2 vertex) {
    return texelFetch(u_heights, clamp(vertex, ivec2(0), textureSize(u_heights, 0) - 1), 0).r;
}

// Curvature in 1/m and slope in degrees of this grid's own heights, as land_shape.frag has them.
vec2 own_shape() {
    ivec2 vertex = ivec2(gl_FragCoord.xy);
    float here = height_m(vertex);
    vec2 before = vec2(height_m(vertex - ivec2(1, 0)), height_m(vertex - ivec2(0, 1)));
    vec2 after = vec2(height_m(vertex + ivec2(1, 0)), height_m(vertex + ivec2(0, 1)));
    vec2 bend = (2.0 * here - before - after) / (u_cell_m * u_cell_m);
    return vec2(bend.x + bend.y, degrees(atan(length((after - before) / (2.0 * u_cell_m)))));
}

void main() {
    vec2 place = u_first + floor(gl_FragCoord.xy) * u_sides_a_cell;
    Source at = source_of(place);
    float level = mix(u_level, log2(max(u_land_texels.x, u_land_texels.y)), at.settled);
    vec4 near = vec4(0.0), far = vec4(0.0);
#ifndef FAR
    DYNAMIC_IF(at.share < 1.0) {
        near = textureLod(u_field, at.mirrored, level);
    }
#endif
#ifdef ISLANDS
    far = textureLod(u_field, at.border, level);
    Island one = island_at(at.waved);
    far = mix(far, textureLod(u_field, one.from, level - log2(one.across)), one.weight);
    if (u_has_slopes > 0.5) {
        near.ba = far.ba = own_shape();
    }
#else
    for (int i = 0; i < at.count; i++) {
        far += at.far[i].z * textureLod(u_field, at.far[i].xy, level);
    }
    if (u_has_slopes > 0.5) {
        near.ba = own_shape();
#ifdef RECIPE
        vec3 here = form_at(place);
        vec2 there = land_form_at(most_of(at));
        far.r *= min(roughness(here, there, at.out_sides), 1.0); // what walls shed lies on no plain
        far.ba = near.ba;
#else
        far.b *= at.height;
        far.a = degrees(atan(at.height * tan(radians(min(far.a, 89.0)))));
#endif
    }
#endif
#ifdef FAR
    out_field = far;
#else
    out_field = mix(near, far, at.share);
#endif
}
