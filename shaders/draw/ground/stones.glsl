// What:   stones that lie on the ground near the eye, and their shadows.
// Use:    float stone = stones_on(place_m, across_m, up_m, towards_sun, sun_rises, seen, many, slopes);  with NEAR
//         defined; slopes then has theirs, and sun_past_stones the sun's share that they let through.  towards_sun: the
//         sun's direction in the plane that the place lies in, of length 1; sun_rises: metres a metre of way along the
//         ground; seen: how far a pixel shows them; many: how many of them lie there
// Range:  what covers the pixel, 0 ... 1

#include "lib/hash.glsl"
#include "draw/ground/patches.glsl"
#include "draw/ground/relief_texture.glsl"
#include "draw/ground/strewn.glsl"

const vec2 STONES_FROM = vec2(2.8, 0.0); // deviations, up to which the fewest stones are buried, and the most
const float MOST_BURIED = 3.1; // more than there is
const float PATCH = 0.61; // of a side of their relief, a patch that shows one part of it
const float STONE_HIGH = 0.02; // of a side of their relief, a high one

float sun_past_stones = 1.0; // the share of the sun's light

#ifdef NEAR
// Two numbers from 0 to 1 for a cell of a lattice.
vec2 random_offset(vec2 cell) {
    uint h = hash_chain(hash_chain(GOLDEN, int(cell.x)), int(cell.y));
    return vec2(h & 0xffffu, h >> 16) / 65536.0;
}

float stones_on(vec2 place_m, vec2 across_m, vec2 up_m, vec2 towards_sun, float sun_rises, float seen, float many,
                inout vec2 slopes) {
    float stone = 0.0;
    float from = mix(STONES_FROM.x, STONES_FROM.y, many);
    vec2 at_m = TURNED * place_m, at_across_m = TURNED * across_m, at_up_m = TURNED * up_m;
    vec2 toward = TURNED * towards_sun;
    for (int i = 0; i < 2; i++) {
        float repeats = i == 0 ? u_strewn.y : u_strewn.z;
        // every patch of ground has its own part of the relief, so that none repeats; no stone is cut at their borders
        vec2 patch_at = (at_m + 0.2 / repeats * sin(2.3 * repeats * at_m.yx)) * repeats / PATCH;
        vec2 patch_edge = 0.5 - abs(fract(patch_at) - 0.5);
        vec2 lies_at = at_m + random_offset(floor(patch_at)) / repeats;
        float buried = mix(MOST_BURIED, from, smoothstep(0.0, 0.16, min(patch_edge.x, patch_edge.y)));
        vec4 there = relief_texel(repeats, u_strewn.x, lies_at, at_across_m, at_up_m);
        float away = clamp(STONE_HIGH / sun_rises, 0.01, 0.05); // sides
        float sunward = relief_texel(repeats, u_strewn.x, lies_at + away / repeats * toward, at_across_m, at_up_m).b;
        float over = u_strewn.w * (max(sunward, buried) - max(there.b, buried)) - away * sun_rises;
        sun_past_stones *= 1.0 - seen * smoothstep(0.0, 0.5 * STONE_HIGH, over);
        float one_there = many > 0.0 ? smoothstep(buried, buried + 0.3, there.b) : 0.0;
        slopes = mix(slopes, 1.3 * there.rg * TURNED, one_there);
        stone = max(stone, one_there);
    }
    return stone;
}
#endif
