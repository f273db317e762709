// What:   where beyond a land's border each place takes its ground from: the land mirrored at its sides, over and over,
//         slanting, and moved aside by slow waves that grow with the distance, so that no two copies are alike and none
//         shows where the mirrors stand. Mirror lines are rounded, or each were a crease.
// Use:    Source at = source_of(place);  value = continued(u_field, at, level)
// Units:  places in sides of the land: 0 to 1 is the land itself
// Twin:   app/fellview/draw/land/surroundings.py, which says what is made of it

const float ROUND = 0.05; // of a side: how far from a mirror line the ground begins to level out
const float STRIP = 0.09; // of a side: in it the land's own slopes run out beyond the border
const float SHEAR = 0.6; // how far copies are moved along a side for every step away from it: mirrored, but slanting
const float WARP = 0.16; // of a side: the farthest that a copy is moved aside besides, a wave
const vec2 WARP_GROWS = vec2(0.02, 1.1); // sides from the border over which it does
const vec3 HEIGHT_GROWS = vec3(0.02, 0.12, 0.6); // sides from the border from which on copies take their own height, and
// by which they have, low ones and high: a foot runs out into a lowland before the hills that are mirrored rise again
const float SWELL = 0.22; // how much higher and lower copies are, a wave

uniform vec2 u_land_texels; // of the land's textures, columns and rows
uniform vec3 u_settles; // sides from the border from which on the ground sinks to the plain, and is level; how high it is

struct Source {
    vec2 border; // texture coordinates: the place of the land that is the nearest,
    vec2 mirrored; // the one that mirrors this one at the nearest side,
    vec2 far; // and the one that far ground is taken from
    float share; // of the far ground
    float out_sides; // how far out of the land
    float height; // times the land's, over the plain
};

vec2 on_land_texels(vec2 place) {
    return (clamp(place, 0.0, 1.0) * (u_land_texels - 1.0) + 0.5) / u_land_texels;
}

// To and fro between 0 and 1, rounded where it turns.
vec2 to_and_fro(vec2 place) {
    vec2 t = abs(mod(place + 1.0, 2.0) - 1.0);
    t = mix(t, (t * t + ROUND * ROUND) / (2.0 * ROUND), lessThan(t, vec2(ROUND)));
    vec2 s = 1.0 - t;
    return 1.0 - mix(s, (s * s + ROUND * ROUND) / (2.0 * ROUND), lessThan(s, vec2(ROUND)));
}

Source source_of(vec2 place) {
    vec2 border = clamp(place, 0.0, 1.0), out_axes = place - border;
    float out_sides = length(out_axes);
    float grown = smoothstep(WARP_GROWS.x, WARP_GROWS.y, out_sides);
    // of no common period; their slopes stay under 1, or ground would be folded over itself
    vec2 aside = vec2(sin(2.03 * place.y + 0.7 * place.x + 1.1) + 0.7 * sin(1.31 * place.x - 1.7 * place.y + 4.0),
        sin(1.83 * place.x - 0.6 * place.y + 2.6) + 0.7 * sin(1.47 * place.y + 1.6 * place.x + 0.4));
    float swell = sin(2.3 * place.x + 1.1 * place.y + 0.9) + sin(1.27 * place.x - 1.9 * place.y + 2.2);
    Source at;
    at.border = on_land_texels(border);
    at.mirrored = on_land_texels(2.0 * border - place);
    // one to the left and one to the right, or corners were folded over themselves
    at.far = on_land_texels(to_and_fro(place + SHEAR * vec2(-out_axes.y, out_axes.x) + WARP * grown * aside));
    at.share = smoothstep(0.0, STRIP, out_sides);
    at.out_sides = out_sides;
    out_axes = abs(out_axes);
    float settled = smoothstep(u_settles.x, u_settles.y, max(out_axes.x, out_axes.y));
    float taken_by = mix(HEIGHT_GROWS.y, HEIGHT_GROWS.z, min(u_settles.z, 1.0));
    float height = mix(1.0, u_settles.z, smoothstep(HEIGHT_GROWS.x, taken_by, out_sides));
    at.height = height * (1.0 + SWELL * grown * swell) * (1.0 - settled);
    return at;
}

// What a texture of the land has there, passing from what is mirrored into what is far.
vec4 continued(sampler2D field, Source at, float level) {
    return mix(textureLod(field, at.mirrored, level), textureLod(field, at.far, level), at.share);
}
