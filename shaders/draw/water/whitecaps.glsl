// What:   how much foam of waves that break in the wind covers a place: crests across it, over a threshold of noise.
// Use:    float cover = whitecap_cover(place_m, pixel_m, gust);  gust: the wind's share that strikes there, 1 on the
//         mean
// Range:  0 ... 1

#include "draw/water/tile_noise.glsl"
#include "draw/water/foam.glsl"

const float LEAST_CAPS = 1e-3; // of the sea, from which on they are drawn: a wind of 5 m/s

uniform vec2 u_whitecaps; // the share of the open sea that they cover, and the noise that as much lies over

float whitecap_cover(vec2 place_m, float pixel_m, float gust) {
    vec2 across = vec2(2.2 * dot(u_wind, place_m), u_wind.x * place_m.y - u_wind.y * place_m.x);
    across.x -= 2.2 * 5.0 * u_water_seconds;
    // weights whose squares add up to one keep its deviation, and so the share
    float noise = 0.5 + 0.75 * (tile_noise(across, 97.0, pixel_m) - 0.5)
        + 0.57 * (tile_noise(across, 14.3, pixel_m) - 0.5) + 0.34 * (tile_noise(place_m, 2.9, pixel_m) - 0.5);
    float caps = 0.8 * smoothstep(0.0, 0.09, noise - u_whitecaps.y + 0.05 * (gust - 1.0));
    // noise that pixels average has no peaks left; the mean is
    return mix(caps, u_whitecaps.x * min(gust, 1.5), smoothstep(0.7, 4.0, pixel_m));
}
