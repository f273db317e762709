// What:   the sea where no land is seen under it: beyond the land's edge the bed falls away, and before land that is
//         cut off over the sea it is as deep as that is high. A sight line that meets the sea over the land has left
//         that over its edge.
// Use:    vec3 light = open_sea(direction_world);  a direction that falls

#include "draw/sky/air.glsl"
#include "draw/water/absorption.glsl"
#include "draw/water/land_coordinate.glsl"
#include "draw/water/land_side.glsl"
#include "draw/water/smooth_ground.glsl"
#include "draw/water/seen_on_water.glsl"
#include "draw/water/water_light.glsl"

const float BED_FALLS = 0.06; // the sea's bed beyond the land, a metre
const float EARTH_M = 7.43e6; // the Earth's radius, 7/6 of it, as air bends light along its curve

// How far away the sea is that a level one would show at `way`: the Earth's falls away, and from a height h none is seen
// beyond its horizon, sqrt(2 R h). The horizon stays where a level sea has it, but is a line of water behind as much air
// as there is, where endless air would leave nothing of it.
float sea_distance_m(float way) {
    float over_m = max(light_eye.y / view_exaggeration - water_sea_level, 0.1);
    return way * inversesqrt(1.0 + way * way / (2.0 * EARTH_M * over_m));
}

vec3 open_sea(vec3 direction) {
    float way = (light_eye.y - drawn_height_m(water_sea_level)) / max(-direction.y, 1e-5);
    vec3 at = light_eye.xyz + way * direction;
    float out_m;
    vec2 inside = nearest_on_land(at.xz, out_m);
    vec4 seen = seen_on_water(at.xz);
    float under_m = 0.0;
    if (out_m == 0.0) {
        under_m = steps_to_land_side(at, direction);
        inside += under_m * direction.xz;
        seen = in_the_open(vec2(1.0)); // the land's shadows lie on the land
    }
    float depth = abs(water_sea_level - texture(u_ground_m, land_coordinate(inside)).r) + BED_FALLS * (out_m + under_m);
    vec3 light = water_light(light_plain.rgb * level_light(seen), at, depth, seen, u_sea_bands, 1.0);
    vec2 place = light_eye.xz + sea_distance_m(way) * direction.xz;
    return through_air(light, vec3(place.x, at.y, place.y));
}
