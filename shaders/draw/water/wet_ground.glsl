// What:   the albedo of ground at a shore: dark where waves reach, gravel and what grows beside fresh water, and weed
//         on the sea's bed.
// Use:    albedo = wet_albedo(albedo, ground_m, water, normal);
// Source: Lekner and Dorf (1988), doi:10.1364/AO.27.001278: how much darker wet ground is

#include "draw/sky/sky_light.glsl"
#include "lib/dynamic_branch.glsl"
#include "draw/water/foam.glsl"
#include "draw/water/shore.glsl"
#include "draw/water/tile_noise.glsl"
#include "draw/water/water_at_place.glsl"
#include "draw/water/river.glsl"

const float WET_ALBEDO = 0.5; // of dry sand's or soil's: Lekner and Dorf (1988), doi:10.1364/AO.27.001278
const float LAKE_WASH = 0.12; // of the sea's swash
const vec3 BRUSH = vec3(0.52, 0.62, 0.4); // of the ground's display colours: shrubs and reeds in it
const vec3 WEED = vec3(0.3, 0.38, 0.28); // of a bed's albedo: seagrass, algae and coral on it
const float SHORE_RISE_M = 0.9; // over a lake's level up to which its shore is gravel

uniform vec4 u_shore; // display colour of sand and gravel at the shores of fresh water; how much of it there is

vec3 wet_albedo(vec3 albedo, vec2 ground_m, StandingWater water, vec3 normal) {
    float wash = water_swash * (water.sea ? max(water.waves, LAKE_WASH) : LAKE_WASH);
    float over = height_over_shore_m(-water.depth_m, normal);
#ifdef SEA
    // reefs and weed on the sea's bed, in patches between bare sand, as deep as there is light for them
    DYNAMIC_IF(u_shore.a > 0.0 && water.sea && water.depth_m > 0.8 && water.depth_m < 2.0 * water_clarity) {
        float patches = 0.6 * tile_noise(ground_m, 1900.0, water.pixel_m)
            + 0.4 * tile_noise(ground_m.yx, 270.0, water.pixel_m)
            + 0.2 * (tile_noise(ground_m, 23.0, water.pixel_m) - 0.5);
        // of what lies twice as deep as water is clear, a hundredth of the light comes up
        float lit = smoothstep(0.8, 3.0, water.depth_m) * smoothstep(2.0, 1.0, water.depth_m / water_clarity);
        albedo *= mix(vec3(1.0), WEED, smoothstep(0.525, 0.6, patches) * lit);
    }
#endif
    bool fresh = false;
#ifdef LAKES
    fresh = !water.sea && over < 3.0 * SHORE_RISE_M;
#endif
#ifdef RIVERS
    fresh = fresh || water.half_m > 0.0;
#endif
    if (water.sea && over < -0.5 * wash) {
        albedo *= WET_ALBEDO;
    }
    DYNAMIC_IF(fresh || (water.sea && over < 1.4 * wash && over >= -0.5 * wash)) {
        float uneven = tile_noise(ground_m, 23.0, water.pixel_m) - 0.5;
#if defined(LAKES) || defined(RIVERS)
        float stones = tile_noise(ground_m, 3.1, water.pixel_m) - 0.5;
        vec3 gravel = paint(u_shore.rgb) * (1.0 + 0.9 * stones + 0.6 * uneven);
        float bare = 0.0, damp = 0.0;
#ifdef LAKES
        // here wide, there none
        float far = tile_noise(ground_m.yx, 260.0, water.pixel_m) - 0.45;
        float rise = over + SHORE_RISE_M * (0.9 * uneven + 3.0 * far);
        bare = water.sea ? 0.0 : 1.0 - smoothstep(0.5 * SHORE_RISE_M, SHORE_RISE_M, rise);
        damp = water.sea ? 0.0 : 1.0 - smoothstep(0.1 * SHORE_RISE_M, 0.35 * SHORE_RISE_M, rise);
#endif
#ifdef RIVERS
        float plenty = tile_noise(ground_m, 340.0, water.pixel_m) - 0.5; // of gravel, and the less of what grows on it
        float wide = min(0.35 * water.half_m + 1.0, 0.3 * u_river_margin_m) * clamp(1.0 + 3.5 * plenty, 0.25, 1.9);
        float beside = water.bank_m + 1.5 * wide * uneven;
        float snowless = 1.0 - water.snow * (1.0 - water.flows);
        bare = max(bare, snowless * smoothstep(-wide, -0.5 * wide, beside));
        damp = max(damp, snowless * smoothstep(-0.8 * wide, -0.3 * wide, beside));
        // what drinks from the river grows beyond its gravel, in patches
        float patchy = tile_noise(ground_m, 97.0, water.pixel_m) + 0.7 * uneven;
        float nearer = water.bank_m + 1.2 * u_river_margin_m * (patchy - 0.45);
        float green = smoothstep(-0.95 * u_river_margin_m, -wide, nearer);
        green *= smoothstep(-0.98, -0.7, water.bank_m / u_river_margin_m) * smoothstep(0.3, 0.5, patchy - 0.7 * plenty);
        green *= snowless * u_shore.a * smoothstep(0.7, 0.9, normal.y);
        albedo = mix(albedo, albedo * paint(BRUSH), green * (1.0 - bare));
#endif
        // stones do not stay on walls
        albedo = mix(albedo, gravel, bare * u_shore.a * smoothstep(0.6, 0.85, normal.y));
        albedo *= mix(1.0, WET_ALBEDO, damp);
#endif
#ifdef SEA
        float wet = float(water.sea) * (1.0 - smoothstep(0.5 * wash, wash + 1e-3, over + 1.2 * wash * uneven));
        albedo *= mix(1.0, WET_ALBEDO, wet);
        // what a wave leaves on rock as it falls back, in threads; sand drinks it
        float film = wet * smoothstep(0.55 * wash, 0.0, over + 1.5 * wash * uneven);
        film *= smoothstep(-0.3 * wash, 0.0, over);
        film *= smoothstep(0.2, 0.6, 1.0 - normal.y);
        float threads = smoothstep(0.42, 0.62, tile_noise(ground_m + 0.5 * over, 4.1, water.pixel_m) + 0.25 * film);
        albedo = mix(albedo, vec3(FOAM_ALBEDO), 0.6 * film * threads);
#endif
    }
    return albedo;
}
