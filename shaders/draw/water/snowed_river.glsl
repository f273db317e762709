// What:   a river where snow lies: it covers the banks, and brooks whole, which run on under it; wider ones it bridges
//         here and there, the more the higher they run.
// Use:    snow_river(snow, position_m, water);  before wet_albedo() and with_water(); snow: the share of the place that
//         it covers

#include "draw/sky/sky_light.glsl"
#include "lib/dynamic_branch.glsl"
#include "draw/water/tile_noise.glsl"
#include "draw/water/water_at_place.glsl"

const vec2 DEEP = vec2(0.5, 1.5); // softnesses of the snow's line above it: between patches of snow brooks are open
const vec2 BRIDGED_M = vec2(10.0, 18.0); // the widest that old snow bridges there, and the least that it leaves open
const float VARIES = 2.5; // how much wider one counts from place to place, a deviation of noise being a sixth
const float HIGHER_M = 16.0; // and how much wider ones it bridges for each softness higher

void snow_river(float snow, vec3 position_m, inout StandingWater water) {
    water.snow = snow;
    DYNAMIC_IF(snow > 0.0 && water.flows > 0.0) {
        float over_line = (position_m.y - ground_snow_line) / ground_snow_softness;
        float varied = 1.0 + VARIES * (tile_noise(position_m.xz, 1900.0, water.pixel_m) - 0.5);
        float wide_m = 2.0 * water.half_m * varied - HIGHER_M * over_line;
        float bridged = smoothstep(DEEP.x, DEEP.y, over_line) * (1.0 - smoothstep(BRIDGED_M.x, BRIDGED_M.y, wide_m));
        water.flows *= 1.0 - snow * bridged;
    }
}
