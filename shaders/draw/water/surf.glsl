// What:   how much foam covers the sea at a place: at its edge, where it breaks on rocks, and in broken lines outside.
// Use:    float cover = surf_cover(place_m, depth_m, normal, pixel_m);  with SEA defined
// Range:  0 ... 1

#include "draw/water/far_land.glsl"
#include "draw/water/foam.glsl"
#include "draw/water/land_coordinate.glsl"
#include "draw/water/shore.glsl"
#include "draw/water/tile_noise.glsl"

const float ROCKS_END = 10.0; // swashes: cells of the coarse land so wide tell nothing of surf_cover about rocks

#ifdef SEA
float surf_cover(vec2 place_m, float depth_m, vec3 normal, float pixel_m) {
    float swash = max(water_swash, 1e-3);
    float out_m = height_over_shore_m(max(depth_m, 0.0), normal) / swash;
    // rocks that stand up out of the water are met in full: the mean of land around stands over it
    float around = textureLod(u_far_land, land_coordinate(place_m), 1.0).a - drawn_height_m(water_sea_level);
    float rocks = smoothstep(0.0, 0.5, around / (view_exaggeration * 2.0 * far_land_cell_m()));
    rocks *= 1.0 - smoothstep(0.4 * ROCKS_END, ROCKS_END, far_land_cell_m() / swash);
    float edge = max(1.0 - out_m, 0.0);
    edge *= 0.9 * edge;
    float broad = tile_noise(place_m, 190.0, pixel_m) - 0.5;
    float line = smoothstep(0.6, 0.0, abs(out_m - 1.9 - 3.0 * broad)); // of breakers, here and there
    line *= smoothstep(-0.05, 0.15, tile_noise(place_m.yx, 270.0, pixel_m) - 0.5);
    float dense = max(max(edge, 0.8 * rocks), 0.6 * line);
    // where the whole band is narrower than a pixel it covers only that share of it
    float slope = max(sqrt(max(1.0 - normal.y * normal.y, 0.0)) / max(normal.y, 1e-3), LEAST_SHORE_SLOPE);
    float band = clamp(swash / slope / pixel_m + rocks, 0.0, 1.0);
    return foam_cover(place_m, dense, pixel_m) * smoothstep(0.0, 0.15, dense) * band;
}
#endif
