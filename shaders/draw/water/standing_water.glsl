// What:   the highest water that stands at a place, sea or lake, and the river that runs there.
// Use:    StandingWater water = standing_water(position_world);  call it where all pixels do, for it looks at their
//         difference
//         StandingWater water = deep_sea(ground_m);  where it is known to be the sea, and deep
// Units:  levels and depths in metres, as they are without exaggeration
// Twin:   app/fellview/draw/water/water.py

#include "draw/water/land_coordinate.glsl"
#include "draw/water/smooth_ground.glsl"
#include "draw/water/water_at_place.glsl"
#include "draw/water/river.glsl"

const float OUTLINE_PX = 2.0;
const float NOWHERE_M = -1e6;
const float DEEP_M = 1e4; // leaves no light from the bed

uniform sampler2D u_lakes; // lakes' levels in m; where there is none NOWHERE_M, times 1 to 2 as the sea is sheltered

// The sea's waves of the open sea's, where a lake's level is that of no lake.
float sea_waves(float lake) {
    return clamp(2.0 - lake / NOWHERE_M, 0.0, 1.0);
}

StandingWater deep_sea(vec2 ground_m) {
    float waves = sea_waves(texture(u_lakes, land_coordinate(ground_m)).r);
    return StandingWater(water_sea_level, DEEP_M, 1.0, true, waves, 1.0, -1e6, 0.0, 0.0, 0.0, vec2(0.0));
}

StandingWater standing_water(vec3 position) {
    vec2 place = land_coordinate(position.xz);
    float ground = smooth_ground_m(place);
    float lake = NOWHERE_M, sea = NOWHERE_M, waves = 1.0;
#if defined(LAKES) || defined(SEA)
    lake = texture(u_lakes, place).r;
#endif
#ifdef SEA
    sea = water_sea_level;
    waves = sea_waves(lake);
#endif
    float level = max(lake, sea);
    float depth = level - ground;
    float soft = clamp(fwidth(ground), 1e-4, 2.0);
    float cover = clamp(depth / soft + 0.5, 0.0, 1.0);
    // a pixel whose middle lies past the outline of a hill has a position behind that hill, far over the ground there;
    // how far the land drawn may be from the ground, coarse as it is, goes by pixels across the sight
    vec3 sight = position - light_eye.xyz;
    float apart_m = OUTLINE_PX * u_water_pixel * dot(sight, sight) / max(length(sight.xz), 1e-3);
    cover *= 1.0 - smoothstep(apart_m, 2.0 * apart_m, position.y - drawn_height_m(level));
    float pixel_m = u_water_pixel * sqrt(length(sight) * dot(sight, sight) / max(-sight.y, 1e-3));
    StandingWater water;
    water = StandingWater(level, depth, cover, sea >= lake, waves, pixel_m, -1e6, 0.0, 0.0, 0.0, vec2(0.0));
#ifdef RIVERS
    find_river(position.xz, place, water);
#endif
    return water;
}
