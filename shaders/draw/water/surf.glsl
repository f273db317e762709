// What:   how much foam covers the sea at a place: fronts of waves that break and what they trail, the wash at its
//         edge, and where it breaks on rocks.
// Use:    float cover = surf_cover(place_m, depth_m, normal, waves, pixel_m);  with SEA defined; waves: how high they
//         are there, of the open sea's
// Range:  0 ... 1
// Source: waves break where the depth is 1.3 of their height: W. H. Munk, "The solitary wave theory and its application
//         to surf problems" (1949), doi:10.1111/j.1749-6632.1949.tb27281.x; over an even slope they need a time to the
//         shore that goes by the root of the depth

#include "draw/water/far_land.glsl"
#include "draw/water/foam.glsl"
#include "draw/water/land_coordinate.glsl"
#include "draw/water/shore.glsl"
#include "draw/water/tile_noise.glsl"

const float ROCKS_END = 10.0; // swashes: cells of the coarse land so wide tell nothing of surf_cover about rocks
const float LEAST_SURF = 0.05; // of the open sea's waves, from which on there is surf
const float BREAKS = 1.3; // of a wave's height, the depth in which it breaks
const float FRONTS = 2.6; // in the surf at a time: some 9 s apart on a slope of 0.04
const float PERIOD_S = 9.0; // of swell
const float ROLLER = 0.1; // of the way between fronts, the white front itself
const float TRAIL = 0.5; // and behind it the foam that it leaves, to 1/e

#ifdef SEA
float surf_cover(vec2 place_m, float depth_m, vec3 normal, float waves, float pixel_m) {
    float height_m = max(waves * water_swash, 1e-3);
    float out_m = height_over_shore_m(max(depth_m, 0.0), normal) / height_m;
    // rocks that stand up out of the water are met in full: the mean of land around stands over it
    float around = textureLod(u_far_land, land_coordinate(place_m), 1.0).a - drawn_height_m(water_sea_level);
    float rocks = smoothstep(0.0, 0.5, around / (view_exaggeration * 2.0 * far_land_cell_m()));
    rocks *= waves * (1.0 - smoothstep(0.4 * ROCKS_END, ROCKS_END, far_land_cell_m() / height_m));

    float broad = tile_noise(place_m, 190.0, pixel_m) - 0.5, close = tile_noise(place_m.yx, 61.0, pixel_m) - 0.5;
    // fronts bend, and each is broken along the shore where other waves cross it
    float front = FRONTS * sqrt(out_m / BREAKS) + 2.2 * broad + 0.7 * close + u_water_seconds / PERIOD_S;
    float number = floor(front), behind = front - number;
    float whole = tile_noise(place_m + 67.0 * number * vec2(1.0, 0.6), 147.0, pixel_m) - 0.5;
    float zone = 1.0 - smoothstep(0.75, 1.25, out_m / BREAKS + 2.0 * broad);
    float broken = zone * smoothstep(-0.14, 0.1, whole);
    float roller = smoothstep(0.0, 0.2 * ROLLER, behind) * (1.0 - smoothstep(0.5 * ROLLER, 1.5 * ROLLER, behind));
    float trail = exp(-behind / TRAIL) - exp(-1.0 / TRAIL);
    // the wash runs up in tongues and leaves a rim
    float wash = 1.0 - smoothstep(0.06, 0.3, out_m + 0.8 * close);
    float dense = max(broken * max(roller, 0.7 * trail), max(0.75 * wash, 0.7 * rocks));
    // where the whole band is narrower than a pixel it covers only that share of it
    float slope = max(sqrt(max(1.0 - normal.y * normal.y, 0.0)) / max(normal.y, 1e-3), LEAST_SHORE_SLOPE);
    float band = clamp(height_m / slope / pixel_m + rocks, 0.0, 1.0);
    return foam_cover(place_m, dense, pixel_m) * smoothstep(0.0, 0.15, dense) * band;
}
#endif
