// What:   the light of the ground at a place with what water is over it; the position becomes that of the surface seen.
//         Standing water and rivers share one surface, which passes from one into the other where they meet: on
//         software OpenGL every pixel would pay for two.
// Use:    light = with_water(light, position_world, water, normal, seen);
// Twin:   app/fellview/draw/water/water.py

#include "lib/dynamic_branch.glsl"
#include "draw/water/absorption.glsl"
#include "draw/water/foam.glsl"
#include "draw/water/land_coordinate.glsl"
#include "draw/water/land_side.glsl"
#include "draw/water/river.glsl"
#include "draw/water/sea_section.glsl"
#include "draw/water/seen_on_water.glsl"
#include "draw/water/surf.glsl"
#include "draw/water/tile_noise.glsl"
#include "draw/water/water_at_place.glsl"
#include "draw/water/water_light.glsl"

const float RIVER_MURK = 3.0; // times as much of light is lost in rivers: they carry silt, and their beds are stones
const int STREAK_LOOKS = 6; // along a river's course
const float STREAK_STEP_M = 1.7; // two steps are as long as the shorter half of the noise's waves: streaks of 10 m

uniform vec4 u_lake_bands;
uniform vec4 u_river_bands;
uniform vec2 u_river_depths; // factor and power of the width

vec3 with_water(vec3 light, inout vec3 position, StandingWater water, vec3 normal, vec4 seen) {
    float depth = max(water.depth_m, 0.0), cover = water.cover;
    vec3 to_eye = light_eye.xyz - position;
    // by the height of what is drawn, which is not the smooth ground's: low over deep water that would move the surface
    // by as many metres as the eye is over it
    float under_m = drawn_height_m(water.level_m) - position.y;
    float share = water.cover > 0.0 ? clamp(under_m / max(to_eye.y, 1e-3), 0.0, 1.0) : 0.0;
#ifdef CUT
    float side = steps_to_land_side(position, to_eye);
    if (side < share) { // seen through the sea's cut side
        vec3 kept = exp(-water_extinction() * (DIFFUSE_PATH * depth + side * length(to_eye)));
        vec3 inside = mix(paint(water_colour.rgb) * level_light(in_the_open(vec2(1.0))), light, kept);
        vec3 cut = sea_section(inside, position + side * to_eye, drawn_height_m(water.level_m), normalize(to_eye));
        return mix(light, cut, water.cover);
    }
#endif
    vec3 surface = position + to_eye * share;
    seen = seen_on_water(surface.xz);
    vec4 bands = water.sea ? mix(u_lake_bands, u_sea_bands, water.waves) : u_lake_bands;
    vec3 bed = light;
#ifdef RIVERS
    float flows = water.flows;
    float aside = 1.0 - clamp(water.bank_m / max(min(water.half_m, u_river_margin_m), 1e-3), 0.0, 1.0);
    float deep = u_river_depths.x * pow(max(2.0 * water.half_m, 1e-3), u_river_depths.y) * (1.0 - aside * aside);
    // eddies drawn out by the current: noise averaged along the course, which needs no way along it
    float streak = 0.0, pixel_m = u_water_pixel * length(to_eye);
    for (int i = 0; i < (flows > 0.0 ? STREAK_LOOKS : 0); ++i) {
        vec2 at = surface.xz + STREAK_STEP_M * (float(i) - 0.5 * float(STREAK_LOOKS - 1)) * water.along;
        streak += (tile_noise(at, 17.0, pixel_m) - 0.5) / float(STREAK_LOOKS);
    }
    streak *= 1.0 - aside * aside; // the current is slow at the bank
    deep *= clamp(1.0 + 2.0 * streak, 0.5, 1.5);
    depth = max(depth, flows * RIVER_MURK * deep);
    bands = mix(u_river_bands * clamp(1.0 + 7.0 * streak, 0.1, 2.0), bands, water.cover);
    cover = 1.0 - (1.0 - cover) * (1.0 - flows);
#endif
    if (cover <= 0.004) { // a level of 255
        return light;
    }
#ifdef SEA
    float sea = water.sea && water.cover > 0.0 ? water.waves : 0.0;
#else
    float sea = 0.0; // known to the compiler, which leaves out what only the sea has
#endif
    vec3 shown = water_light(bed, surface, depth, seen, bands, sea);
#ifdef SEA
    // where rocks are met the sea may be deep beside them
    DYNAMIC_IF(water.sea && water.waves > LEAST_SURF
        && water.depth_m < (far_land_cell_m() < ROCKS_END * water_swash ? 30.0 : 5.0) * water_swash) {
        float foam = surf_cover(surface.xz, water.depth_m, normal, water.waves, water.pixel_m);
        shown = mix(shown, FOAM_ALBEDO * level_light(seen), foam * water.cover / cover);
    }
#endif
    position = mix(position, surface, water.cover);
    return mix(light, shown, cover);
}
