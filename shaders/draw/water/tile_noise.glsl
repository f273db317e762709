// What:   the noise of the waves' tile laid `size_m` wide: waves of a third of its width to a fortieth, and none that
//         pixels of `pixel_m` cannot show.
// Use:    float noise = tile_noise(place_m, size_m, pixel_m);
// Range:  a half on the mean, with a deviation of a sixth
// Note:   what is uneven about shores, foam and beds is laid at sizes in metres whose ratios are no simple fractions,
//         so that no two repeat together; sizes and weights are by eye.
// Twin:   app/fellview/draw/water/waves.py, which makes the tile

#include "draw/water/waves.glsl"

float tile_noise(vec2 place_m, float size_m, float pixel_m) {
    return textureLod(u_waves, place_m / size_m, max(log2(pixel_m / size_m * float(textureSize(u_waves, 0).x)), 0.0)).a;
}
