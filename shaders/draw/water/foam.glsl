// What:   how much of a place foam covers where the share `dense` of it is foam on the mean: patches with holes, and
//         lace.
// Use:    float cover = foam_cover(place_m, dense, pixel_m);
// Range:  0 ... 1

#include "draw/water/tile_noise.glsl"

const float FOAM_ALBEDO = 0.75;

uniform float u_water_seconds;

float foam_cover(vec2 place_m, float dense, float pixel_m) {
    vec2 moved = place_m + 0.4 * sin(vec2(0.5, 0.37) * u_water_seconds);
    float broad = tile_noise(moved, 31.0, pixel_m) - 0.5;
    float fine = tile_noise(moved.yx + 2.0 * broad, 6.7, pixel_m) - 0.5;
    float edge = mix(0.09, 0.5, smoothstep(0.3, 1.5, pixel_m)); // from afar the mean of patches is a veil
    float patchy = smoothstep(0.5 - edge, 0.5 + edge, dense + 1.1 * broad + 1.2 * fine);
    float lace = 1.0 - smoothstep(0.0, 0.1, abs(fine + 0.4 * broad)); // borders of bubbles
    float between = 0.35 * lace * smoothstep(0.05, 0.4, dense);
    return mix(between, clamp(0.3 + 0.55 * dense + 0.35 * lace, 0.0, 0.92), patchy);
}
