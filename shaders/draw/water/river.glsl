// What:   what the river at a place is like: banks that bend by what is not in the grid, and gravel that lies bare in
//         it.
// Use:    find_river(ground_m, coordinate, water);  with RIVERS defined
// Twin:   app/fellview/draw/water/water.py

#include "draw/water/tile_noise.glsl"
#include "draw/water/water_at_place.glsl"

const float PI = 3.14159265;
const float WIDEST_M = 1024.0; // of rivers, as in river_courses.frag
const float GRAVEL_BAR = 0.55; // of half a river's width that its widest banks of gravel take

uniform sampler2D u_rivers;
uniform float u_river_margin_m; // beyond the bank, as far as the texture knows

#ifdef RIVERS
void find_river(vec2 ground_m, vec2 place, inout StandingWater water) {
    float pixel_m = water.pixel_m;
    vec2 size = vec2(textureSize(u_rivers, 0));
    vec4 river = textureLod(u_rivers, place, max(log2(pixel_m * light_map_place.x * size.x), 0.0));
    // directions have no mean where they turn over: that of the nearest texel, and they change slowly
    float turn = PI * texelFetch(u_rivers, ivec2(place * size), 0).a;
    water.along = vec2(cos(turn), sin(turn));
    water.half_m = 0.5 * WIDEST_M * river.g * river.g;
    float bank_m = (2.0 * river.r - 1.0) * u_river_margin_m;
    float uneven = tile_noise(ground_m, 61.0, pixel_m) - 0.5, fine = tile_noise(ground_m, 13.0, pixel_m) - 0.5;
    float most_m = min(water.half_m, 0.5 * u_river_margin_m);
    float bar = smoothstep(0.0, 0.3, tile_noise(ground_m.yx, 430.0, pixel_m) - 0.5);
    water.bank_m = bank_m + smoothstep(0.0, 0.3, river.r) * most_m * (0.7 * uneven + 0.15 * fine - GRAVEL_BAR * bar);
    // rivers about as wide as a pixel are the share of it that they cover
    float thin = smoothstep(0.4, 1.2, pixel_m / max(water.half_m, 1e-3));
    water.flows = mix(clamp(water.bank_m / pixel_m + 0.5, 0.0, 1.0), smoothstep(0.1, 0.9, river.b), thin)
        * (1.0 - smoothstep(0.0, 0.5, water.depth_m)) * step(1e-3, river.g);
}
#endif
