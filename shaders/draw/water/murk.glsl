// What:   how much more a lake's water carries at a place than it does on the mean: silt and plankton stand in clouds,
//         which the wind draws out into streaks.
// Use:    float murk = murkier(place_m, pixel_m);
// Range:  0.4 ... 1.9, 1 on the mean; what comes up out of the water goes by what it carries, and so does extinction

#include "draw/water/tile_noise.glsl"

const float CLOUDS_M = 2300.0; // a side of the tile: clouds of 60 to 800 m
const float STREAKS_M = 640.0; // and streaks 16 to 200 m wide
const float DRAWN_OUT = 6.0; // times as long as wide
const vec2 MURK = vec2(1.3, 0.9); // of a deviation of a sixth: of clouds and of streaks

float murkier(vec2 place_m, float pixel_m) {
    vec2 run = vec2(dot(u_wind, place_m) / DRAWN_OUT, u_wind.x * place_m.y - u_wind.y * place_m.x);
    float clouds = tile_noise(place_m.yx, CLOUDS_M, pixel_m) - 0.5;
    float streaks = tile_noise(run + 60.0 * clouds, STREAKS_M, pixel_m) - 0.5;
    return clamp(1.0 + dot(MURK, vec2(clouds, streaks)), 0.4, 1.9);
}
